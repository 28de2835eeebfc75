"""Action translation: the mapping's axioms, and translated strategies against a walk that hides nothing."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import public_form
from tests.helpers.twins.games import moves_of, probabilities
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.off_tree.translation import pseudo_harmonic, translate
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.betting import Betting, Sizes
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import certify, check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.game_tree import build_tree

F = Fraction
LEDUC, LEDUC_34 = "no_limit_leduc", "no_limit_leduc(bets=[1/2,3/4,1])"


def blinds(*sizes):
    """Return one-card poker with blinds 2 and 1, two raises at most."""
    menu = Sizes(sizes, sizes)
    betting = Betting((1,), (F(2), F(1)), (F(998), F(999)), None, (2,), ((menu, menu),), F(2))
    return PokerGame(f"blinds{sizes}", 3, 1, 1, (0,), betting, "high_card")


@cache
def games(few, many):
    """Return the abstract game and its form, the full game and its form."""
    pair = [load_game(one) if isinstance(one, str) else blinds(*one) for one in (few, many)]
    forms = [tree_form(build_tree(game)) for game in pair]
    return pair[0], forms[0], pair[1], forms[1]


def random_behaviour(treeplex, seed, zeros=0.3):
    """Draw a behaviour that avoids many actions altogether."""
    rng = np.random.default_rng(seed)
    weight = rng.random(treeplex.n_sequences) * (rng.random(treeplex.n_sequences) >= zeros)
    behaviour = treeplex.uniform()
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        if weight[lo:hi].sum() > 0:
            behaviour[lo:hi] = weight[lo:hi] / weight[lo:hi].sum()
    return behaviour


def translated(pair, defender, behaviour, **keys):
    abstract_game, abstract_form, full_game, full_form = games(*pair)
    return translate(abstract_game, abstract_form, behaviour, full_game, full_form, defender=defender, **keys)


# the mapping


@over(
    [
        (-0.1, 0.5, 1, "0 <= lower < upper < inf, got -0.1 and 1"),
        (1, 1, 1, "0 <= lower < upper < inf, got 1 and 1"),
        (0.5, 0.75, float("inf"), "0 <= lower < upper < inf, got 0.5 and inf"),
        (float("nan"), 0.75, 1, "0 <= lower < upper < inf, got nan and 1"),
        (0.5, 0.4, 1, "size must be from lower 0.5 to upper 1, got 0.4"),
        (0.5, 2, 1, "size must be from lower 0.5 to upper 1, got 2"),
        (0.5, float("nan"), 1, "size must be from lower 0.5 to upper 1, got nan"),
    ]
)
def test_sizes_out_of_order_are_refused(lower, size, upper, says):
    with pytest.raises(ValueError, match=says):
        pseudo_harmonic(lower, size, upper)


# the naive twin


def after(betting, put, player, label):
    """Return (size, chips in) after an action's label: sizes are read off the chips that it names."""
    top, put = max(put), list(put)
    if label == "f":
        return "f", tuple(put)
    total = top if label == "c" else betting.dead_money + F(label[1:])
    put[player] = total
    return (total - top) / (2 * top), tuple(put)


def draw(known, size):
    """Return the sizes that one may be taken for."""
    if size in known:
        return {size: F(1)}
    known = sorted(k for k in known if k != "f" and k > 0)
    below, above = [k for k in known if k < size], [k for k in known if k > size]
    if not below or not above:
        return {known[0] if not below else known[-1]: F(1)}
    a, b = below[-1], above[0]
    f = (b - size) * (1 + a) / ((b - a) * (1 + size))
    return {a: f, b: 1 - f}


def twin(abstract, full, defender, table):
    """Return {(infoset, action): set of probabilities that the defender plays so far}, all histories.

    Every history is walked together with all abstract histories that the defender may take it for, each
    with the probability of its draws times that of the defender's own actions in it.
    """
    found = defaultdict(set)

    def walk(state, put, minds):
        player = full.player(state)
        if player == CHANCE:
            for label, _ in full.chance(state):
                walk(full.child(state, label), put, [(w, abstract.child(s, label), p) for w, s, p in minds])
        if player in (CHANCE, TERMINAL):
            return
        for action in full.actions(state):
            size, chips = after(full.betting, put, player, action)
            next_minds = []
            for weight, mind, in_mind in minds:
                steps = {}
                for label in abstract.actions(mind):
                    known, then = after(abstract.betting, in_mind, player, label)
                    steps[known] = label, then
                if player == defender:
                    key = abstract.infoset(mind, defender)
                    chances = {k: table[key, steps[k][0]] for k in steps if k == size}
                else:
                    chances = draw(steps, size) if size != "f" else {"f": F(1)}
                for known, chance in chances.items():
                    label, then = steps[known]
                    if weight * chance > 0:
                        next_minds.append((weight * chance, abstract.child(mind, label), then))
            if player == defender:
                total = sum(weight for weight, _, _ in next_minds)
                found[full.infoset(state, defender), action].add(total)
            walk(full.child(state, action), chips, next_minds)

    start = full.betting.invested
    walk(full.root(), start, [(F(1), abstract.root(), start)])
    return found


RIVER = "small_holdem(stack=1000,bets=[{0}],raises=[{0}],max_raises=2,ranges=['KK,QJ','KT,TT,AK'])"
PAIRS = [
    ("no_limit_leduc(ranks=2)", "no_limit_leduc(ranks=2,bets=[1/2,3/4,1])"),
    (
        "no_limit_leduc(ranks=2,max_raises=[2,1])",
        "no_limit_leduc(ranks=2,bets=[1/2,5/8,7/8,1,2],max_raises=[2,1])",
    ),
    ("no_limit_leduc(ranks=2,suits=3,bets=[1])", "no_limit_leduc(ranks=2,suits=3,bets=[2/3,1,3/2])"),
    (RIVER.format("1/2,1"), RIVER.format("1/4,1/2,3/4,1,3")),
    ((F(1, 2), F(1)), (F(1, 2), F(3, 4), F(1), F(4))),
]


@two_tiers(product(PAIRS[:1] + PAIRS[3:], (0, 1)), [(PAIRS[1], 1), (PAIRS[2], 0)], seconds=(3, 3))
def test_the_plan_is_the_mixture_over_all_draws(pair, defender):
    abstract_game, abstract_form, full_game, full_form = games(*pair)
    own, theirs = abstract_form.treeplexes[defender], full_form.treeplexes[defender]
    behaviour = random_behaviour(own, seed=5, zeros=0.15)
    found = twin(abstract_game, full_game, defender, probabilities(own, behaviour))
    assert max(map(len, found.values())) == 1
    plan = theirs.plan(translated(pair, defender, behaviour))
    sequences = moves_of(theirs)
    assert found.keys() == sequences.keys()
    expected = np.ones(theirs.n_sequences)
    for move, s in sequences.items():
        (total,) = found[move]
        expected[s] = total
    assert plan == pytest.approx(expected, abs=1e-14)
    assert np.count_nonzero(plan) == np.count_nonzero(expected)


# what follows from it


@over([LEDUC, "leduc_poker", "kuhn_poker", RIVER.format("1/2,1")], [0, 1])
def test_equal_games_need_no_translation(spec, defender):
    t = games(spec, spec)[1].treeplexes[defender]
    behaviour = random_behaviour(t, seed=2)
    same = translated((spec, spec), defender, behaviour)
    reached = np.concatenate(([True], t.plan(behaviour)[t.parent_of[1:]] > 0))
    assert same[reached] == pytest.approx(behaviour[reached], abs=1e-14)
    assert np.array_equal(same[~reached], t.uniform()[~reached])
    assert np.array_equal(
        translated((spec, spec), defender, behaviour, fallback=behaviour)[~reached], behaviour[~reached]
    )


@over([0, 1])
def test_against_known_sizes_the_abstract_strategy_is_played(defender):
    _, abstract_form, _, full_form = games(LEDUC, LEDUC_34)
    own, theirs = abstract_form.treeplexes[defender], full_form.treeplexes[defender]
    behaviour = random_behaviour(own, seed=3)
    plan, known = theirs.plan(translated((LEDUC, LEDUC_34), defender, behaviour)), moves_of(theirs)
    played = own.plan(behaviour)
    for move, s in moves_of(own).items():
        assert plan[known[move]] == pytest.approx(played[s], abs=1e-14)


def rows(treeplex, behaviour):
    """Return {infoset: {action: probability}}."""
    table = defaultdict(dict)
    for (key, action), s in moves_of(treeplex).items():
        table[key][action] = behaviour[s]
    return table


def test_a_bet_between_is_read_as_either_and_others_as_the_nearest():
    few, many = (f"no_limit_leduc(bets=[{bets}],max_raises=[1,1])" for bets in ("1/2,1", "1/4,1/2,3/4,1,2"))
    _, abstract_form, _, full_form = games(few, many)
    own, theirs = abstract_form.treeplexes[1], full_form.treeplexes[1]
    behaviour = random_behaviour(own, seed=1, zeros=0)
    before, now = rows(own, behaviour), rows(theirs, translated((few, many), 1, behaviour))
    for hand in "JQK":
        half, pot = before[f"{hand}:r1"], before[f"{hand}:r2"]
        assert now[f"{hand}:r0.5"] == pytest.approx(half)
        assert now[f"{hand}:r4"] == pytest.approx(pot)
        mixed = {a: 3 / 7 * half[a] + 4 / 7 * pot[a] for a in half}
        assert now[f"{hand}:r1.5"] == pytest.approx(mixed)
        assert now[f"{hand}:c"] == pytest.approx(
            {"c": before[f"{hand}:c"]["c"], "r1": before[f"{hand}:c"]["r1"], "r2": before[f"{hand}:c"]["r2"]}
            | dict.fromkeys(("r0.5", "r1.5", "r4"), 0)
        )


def test_a_reading_is_remembered():
    """Who calls only half pots read the 3/4 that they called as a half pot, on the next street too."""
    _, abstract_form, _, full_form = games(LEDUC, LEDUC_34)
    own, theirs = abstract_form.treeplexes[1], full_form.treeplexes[1]
    behaviour, moves = random_behaviour(own, seed=4, zeros=0), moves_of(own)
    behaviour[[moves["K:r2", "f"], moves["K:r2", "c"]]] = 1, 0
    before, now = rows(own, behaviour), rows(theirs, translated((LEDUC, LEDUC_34), 1, behaviour))
    assert now["K:r1.5"]["c"] == pytest.approx(3 / 7 * before["K:r1"]["c"])
    checked, checked_before = now["KQ:r1.5c/c"], before["KQ:r1c/c"]
    # Half the pot is 2 on top of 1 once 4 lie in it, and 2.5 on top of 1.5 once 5 do.
    assert checked["r4"] == pytest.approx(checked_before["r3"])
    assert checked["r6.5"] == pytest.approx(checked_before["r5"])
    assert checked["c"] == pytest.approx(checked_before["c"])


@over(PAIRS[:1] + PAIRS[3:], [0, 1])
def test_what_comes_out_is_a_strategy(few, many, defender):
    _, abstract_form, _, full_form = games(few, many)
    behaviour = random_behaviour(abstract_form.treeplexes[defender], seed=6)
    both = [t.uniform() for t in full_form.treeplexes]
    both[defender] = translated((few, many), defender, behaviour)
    check_profile(full_form, Profile(full_form.treeplexes, tuple(both)))


def test_either_compiler_s_form_will_do():
    abstract_game, abstract_form, full_game, full_form = games(LEDUC, LEDUC_34)
    behaviour = random_behaviour(abstract_form.treeplexes[1], seed=7)
    compiled = public_form(full_game)
    walked = probabilities(full_form.treeplexes[1], translated((LEDUC, LEDUC_34), 1, behaviour))
    other = translate(abstract_game, abstract_form, behaviour, full_game, compiled, defender=1)
    assert probabilities(compiled.treeplexes[1], other) == walked


def test_a_translated_equilibrium_is_exploitable_by_the_new_size_alone():
    few = "no_limit_leduc(max_raises=[1,2])"
    many = "no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,2])"
    _, abstract_form, _, full_form = games(few, many)
    abstract, full = solve_lp(abstract_form), solve_lp(full_form)
    assert max(abstract.certificate.nash_conv, full.certificate.nash_conv) <= 1e-9
    profile = Profile(
        full_form.treeplexes,
        tuple(translated((few, many), p, abstract.profile.behaviour[p]) for p in (0, 1)),
    )
    proved = certify(full_form, profile)
    exploited = (full.certificate.value - proved.lower, proved.upper - full.certificate.value)
    assert min(exploited) > 1e-3
    for defender, opponent in ((0, 1), (1, 0)):
        allowed = [np.ones(t.n_sequences, dtype=np.bool_) for t in full_form.treeplexes]
        known = moves_of(abstract_form.treeplexes[opponent])
        old = {infoset for infoset, _ in known}
        for (infoset, action), s in moves_of(full_form.treeplexes[opponent]).items():
            # Other infosets are reached only where somebody has raised by the new size already.
            allowed[opponent][s] = infoset not in old or (infoset, action) in known
        best = full_form.restrict(tuple(allowed)).best_response(opponent, profile.plans[defender]).total
        sign = 1 if opponent == 0 else -1
        assert sign * best == pytest.approx(abstract.certificate.value, abs=1e-9)


# what is refused


def test_games_that_differ_in_more_than_sizes_are_refused():
    abstract_game, abstract_form, full_game, full_form = games(LEDUC, LEDUC_34)
    behaviour = abstract_form.treeplexes[0].uniform()

    def refuses(says, *arguments, defender=0):
        with pytest.raises(ValueError, match=says):
            translate(*arguments, defender=defender)

    right = abstract_game, abstract_form, behaviour, full_game, full_form
    refuses("defender must be 0 or 1, got 2", *right, defender=2)
    refuses("full_form must be of full_game", *right[:4], abstract_form)
    refuses("abstract_form must be of abstract_game", abstract_game, full_form, *right[2:])
    refuses(r"shape \(877,\)", abstract_game, abstract_form, behaviour[1:], full_game, full_form)
    more = games("no_limit_leduc(max_raises=[1,1])", "no_limit_leduc(ranks=4)")
    refuses("differ in sizes and stacks alone", *more[:2], behaviour, full_game, full_form)
    refuses("differ in sizes and stacks alone", abstract_game, abstract_form, behaviour, *more[2:])
    lying = replace(more[3], name=full_game.name)
    refuses("must have the infosets of their games", *right[:4], lying)


@over(
    [
        ("no_limit_leduc(ranks=2,bets=[1/2,3/4])", "no_limit_leduc(ranks=2)", 0),
        ("no_limit_leduc(ranks=2,stack=12)", "no_limit_leduc(ranks=2,bets=[1/2,3/4,1],stack=12)", 1),
        ("no_limit_leduc(ranks=2,bets=[])", "no_limit_leduc(ranks=2)", 0),
    ]
)
def test_games_out_of_step_are_refused(few, many, defender):
    behaviour = games(few, many)[1].treeplexes[defender].uniform()
    with pytest.raises(ValueError, match="the defender's sizes must be in both, and no stack may cut them"):
        translated((few, many), defender, behaviour)


def test_a_pot_of_nothing_has_no_fractions():
    game = blinds(F(1))
    bare = replace(game, betting=replace(game.betting, invested=(F(0), F(0))))
    form = tree_form(build_tree(bare))
    with pytest.raises(ValueError, match="a pot must be there before the first bet"):
        translate(bare, form, form.treeplexes[0].uniform(), bare, form, defender=0)
