"""Full-width minimisers on sequence forms: against a recursion over histories; resumed, certified."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.reference import CFR_PLUS_KUHN_1000, CFR_PLUS_KUHN_1000_BEFORE
from tests.helpers.running import ran
from tests.helpers.twins.games import Scaled, Wrapped, moves_of
from tests.helpers.twins.naive_cfr import Generic, NaiveCfr
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import (
    PLANNED,
    PLUS,
    VARIANTS,
    Average,
    BestResponding,
    Hedge,
    Matching,
    Variant,
    variant_named,
)
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public

CFR_PLUS = VARIANTS["cfr+"]


MIXED = Variant((Matching(2.0, -1.0, 0.5), Hedge(0.7)), "alternating", Average(1.5, "seen"))
EVERY = [
    *VARIANTS.values(),
    *(replace(v, order="simultaneous") for v in VARIANTS.values()),
    *(VARIANTS[name].planned(4) for name in PLANNED),
    replace(VARIANTS["cfr+"], average=Average(1.0, "before")),
    replace(VARIANTS["dcfr"], average=Average(2.0, "seen")),
    replace(VARIANTS["cfr"], average=Average(inf)),
    MIXED,
    Variant((BestResponding(), PLUS)),
]


@over(
    [
        (kuhn_poker(), 60),
        (kuhn_poker(4), 30),
        (leduc_poker(ranks=2, raises=1), 15),
        (load_game("coin_toss"), 40),
        (matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), 60),
    ]
)
def test_each_iteration_is_the_naive_one(game, iterations):
    game = Generic(game)
    form = tree_form(build_tree(game))
    naive, state = NaiveCfr(game, CFR_PLUS), None
    for _ in range(iterations):
        naive.iterate()
        state = iterate(full_width.prepare(form, CFR_PLUS), 1, state)
        naive.compare(form, state)


@over(
    [
        (game, tree_form(build_tree(game)))
        for game in map(Generic, (kuhn_poker(), load_game("random_game(seed=3,depth=6)")))
    ],
    EVERY,
)
def test_each_variant_iterates_as_the_naive_one(game, form, variant):
    naive, state = NaiveCfr(game, variant), None
    for _ in range(6):
        naive.iterate()
        state = iterate(full_width.prepare(form, variant), 1, state)
        naive.compare(form, state)


@given(st.integers(0, 10**6))
def test_random_games_iterate_as_the_naive_one(seed):
    game = Generic(random_game(seed, 5, 3))
    form = tree_form(build_tree(game))
    naive, state = NaiveCfr(game, CFR_PLUS), None
    for _ in range(5):
        naive.iterate()
        state = iterate(full_width.prepare(form, CFR_PLUS), 1, state)
        naive.compare(form, state)


LAST_PLANS = {
    ("cfr+", "simultaneous"): (0.306, 5e-4),
    ("pcfr+", "simultaneous"): (0.222, 5e-4),
    ("cfr+", "alternating"): (0.126, 5e-4),
    ("pcfr+", "alternating"): (0.0, 1e-12),
}
"""NashConv of the last plans after 100,000 iterations on the matrix below, and how exactly it is known."""


@pytest.mark.seconds(3)
@over([*LAST_PLANS.items()])
def test_last_plans_converge_by_predictions_in_alternation_alone(rule, gap):
    """Cai et al., Last-iterate convergence properties of regret-matching algorithms in games, 2025."""
    form = tree_form(build_tree(matrix_game([[-3, 0, 3], [0, -3, 4], [0, 0, -1]])))
    name, order = rule
    plans = average(full_width.prepare(form, variant_named(name, average="last", order=order)), 100_000)
    expected, tolerance = gap
    assert certify(form, plans).nash_conv == pytest.approx(expected, abs=tolerance)


def test_both_circulating_numbers_on_kuhn(form_of):
    """Weight t on the plan before the update of iteration t, or on that after it."""
    form = form_of("kuhn_poker")
    before = replace(CFR_PLUS, average=Average(1.0, "before"))
    assert certify(form, average(full_width.prepare(form, before), 1000)).nash_conv == pytest.approx(
        CFR_PLUS_KUHN_1000_BEFORE, rel=1e-6
    )
    widths = [
        certify(form, average(full_width.prepare(form, CFR_PLUS), n)).nash_conv for n in (999, 1000, 1001)
    ]
    assert widths[1] == pytest.approx(CFR_PLUS_KUHN_1000, rel=4e-6)
    # One iteration off shows.
    assert abs(widths[0] - CFR_PLUS_KUHN_1000) > 1e-7
    assert abs(widths[2] - CFR_PLUS_KUHN_1000) > 1e-7


@dataclass(frozen=True)
class Told(Wrapped):
    """One of some equal games is played, and all are told which; some are played rarely."""

    weights: tuple[Fraction, ...]

    def root(self):
        return ()

    def player(self, state):
        return self.game.player(state[1]) if state else CHANCE

    def chance(self, state):
        return self.game.chance(state[1]) if state else [(f"g{k}", w) for k, w in enumerate(self.weights)]

    def actions(self, state):
        return self.game.actions(state[1])

    def child(self, state, action):
        return (state[0], self.game.child(state[1], action)) if state else (action, self.game.root())

    def infoset(self, state, player):
        return f"{state[0]} {self.game.infoset(state[1], player)}" if state else "start"

    def public(self, state):
        return f"{state[0]} {self.game.public(state[1])}" if state else "start"

    def payoff(self, state):
        return self.game.payoff(state[1])


@over([kuhn_poker(), leduc_poker(), load_game("coin_toss")], [1, 10, 300])
def test_hedge_knows_no_unit(game, iterations):
    one, other = (
        iterate(full_width.prepare(tree_form(build_tree(g)), VARIANTS["hedge"]), iterations)
        for g in (game, Scaled(game, 1000))
    )
    for p in (0, 1):
        assert other.memories[p].plan == pytest.approx(one.memories[p].plan, rel=0, abs=1e-9)
        assert other.memories[p].squared_ranges == pytest.approx(
            1e6 * one.memories[p].squared_ranges, rel=1e-9
        )


@over([kuhn_poker(), load_game("random_game(seed=3,depth=6)")])
def test_hedge_learns_as_much_where_chance_rarely_comes(game):
    told = Told(game, (Fraction(1, 10**6), Fraction(1, 7), 1 - Fraction(1, 7) - Fraction(1, 10**6)))
    form, forms = tree_form(build_tree(game)), tree_form(build_tree(told))
    for iterations in (1, 10, 300):
        alone = iterate(full_width.prepare(form, VARIANTS["hedge"]), iterations)
        among = iterate(full_width.prepare(forms, VARIANTS["hedge"]), iterations)
        for p in (0, 1):
            moves = moves_of(form.treeplexes[p])
            for (key, action), s in moves_of(forms.treeplexes[p]).items():
                expected = alone.memories[p].plan[moves[key.split(" ", 1)[1], action]]
                assert among.memories[p].plan[s] == pytest.approx(expected, rel=0, abs=1e-9)


@over(["kuhn_poker", "leduc_poker", "coin_toss", "random_game(seed=3,depth=6)"], [[1], [7, 8], [1, 2, 3, 4]])
def test_going_on_is_the_same_to_the_last_bit(spec, stops, form_of):
    form = form_of(spec)
    whole = ran(full_width.prepare(form, CFR_PLUS), 30)
    state, done = None, 0
    for stop in [*stops, 30]:
        run = ran(full_width.prepare(form, CFR_PLUS), stop - done, state)
        state, done = run.state, stop
    assert state.iterations == whole.state.iterations == 30
    for mine, theirs in zip(state.memories, whole.state.memories, strict=True):
        assert [a.tobytes() for a in mine] == [b.tobytes() for b in theirs]
    for a, b in zip(run.average.behaviour, whole.average.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


def test_the_state_handed_in_is_not_changed(form_of):
    form = form_of("kuhn_poker")
    state = iterate(full_width.prepare(form, CFR_PLUS), 5)
    before = [a.copy() for memory in state.memories for a in memory]
    ran(full_width.prepare(form, CFR_PLUS), 20, state)
    now = [a for memory in state.memories for a in memory]
    assert all((a == b).all() for a, b in zip(now, before, strict=True))
    assert state.iterations == 5


@over([kuhn_poker(5), kuhn_poker(30), leduc_poker(raises=1), leduc_poker()])
def test_running_sums_take_the_same_course(game):
    tree = compile_public(game)
    noise = np.random.default_rng(0).integers(0, 10**4, tree.n_nodes).astype(object)
    tree = replace(tree, stake=tree.stake.astype(object) * 10**5 + noise, stake_den=tree.stake_den * 10**5)
    runs = [ran(full_width.prepare(sequence_form(tree, factored=f), CFR_PLUS), 20) for f in (False, True)]
    for a, b in zip(runs[0].average.behaviour, runs[1].average.behaviour, strict=True):
        assert a == pytest.approx(b, abs=1e-9)


@over(
    [
        ("leduc_poker", LEDUC, 1000, 1e-3),
        ("kuhn_poker(ranks=4)", Fraction(-1, 24), 2000, 1e-3),
        ("coin_toss", Fraction(0), 1000, 1e-2),
        ("matrix_game(payoff=[[2,-1],[-1,1]])", Fraction(1, 5), 1000, 1e-2),
    ]
)
def test_the_certificate_holds_the_exact_value_and_narrows(spec, value, iterations, width, form_of):
    form = form_of(spec)
    widths = []
    for n in (10, 100, iterations):
        certificate = certify(form, average(full_width.prepare(form, CFR_PLUS), n))
        assert certificate.contains(value)
        widths.append(certificate.nash_conv)
    assert widths[-1] <= width
    assert widths[2] < widths[1] < widths[0]


@given(st.integers(0, 10**6))
def test_certificates_of_random_games_hold_the_value(seed):
    form = tree_form(build_tree(random_game(seed, 5, 3)))
    assert certify(form, average(full_width.prepare(form, CFR_PLUS), 50)).contains(
        rational_optimum(form).value
    )


@over([0, -1])
def test_iterations_must_be_positive(iterations, form_of):
    with pytest.raises(ValueError, match=f"at least 1, got {iterations}"):
        ran(full_width.prepare(form_of("kuhn_poker"), CFR_PLUS), iterations)


def test_the_state_of_another_game_is_refused(form_of):
    state = full_width.prepare(form_of("coin_toss"), CFR_PLUS).start()
    with pytest.raises(ValueError, match="must have shape"):
        ran(full_width.prepare(form_of("kuhn_poker"), CFR_PLUS), 1, state)


def test_players_without_decisions():
    form = tree_form(build_tree(random_game(0, 0, 1)))
    run = ran(full_width.prepare(form, CFR_PLUS), 3)
    assert certify(form, run.average).nash_conv <= 1e-13


class SeldomDealt:
    """Player 0 holds one of two cards, the second with probability 1e-16, and should say yes with both."""

    name, unit = "seldom", "points"

    def root(self):
        return ()

    def player(self, state):
        return (CHANCE, 0, TERMINAL)[len(state)]

    def actions(self, state):
        return ("yes", "no")

    def chance(self, state):
        return (("often", 1 - Fraction(1, 10**16)), ("seldom", Fraction(1, 10**16)))

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        return "/".join(state) if player == 0 else str(len(state))

    def public(self, state):
        return str(len(state))

    def payoff(self, state):
        return Fraction(int(state[-1] == "yes"))


@over(["cfr", "cfr+", "dcfr", "pcfr+"])
def test_what_is_dealt_seldom_is_learnt_all_the_same(name):
    """Real ranges go down to 1e-16: what counts as noise must be measured by what the infoset is worth."""
    form = tree_form(build_tree(SeldomDealt()))
    (behaviour, _) = average(full_width.prepare(form, VARIANTS[name]), 20).behaviour
    for i in range(2):
        yes = form.treeplexes[0].begin[i]
        assert form.treeplexes[0].actions[yes] == "yes"
        assert behaviour[yes] > 0.9
