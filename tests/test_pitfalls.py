"""The ways in which programs that solve subgames again go wrong, each with a game on which it would show."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from tests.helpers.twins.games import (
    Scaled,
    Wrapped,
    best_response,
    flow_matrix,
    leaves,
    moves_of,
    probabilities,
    random_behaviour,
)
from treeplex.gadgets.alternatives import BlueprintAlternatives, EstimatedGifts, LowerBoundGifts
from treeplex.gadgets.gadget import UndefinedError
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.methods_by_name import JointSolver
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.gadgets.subgame_solvers import EquilibriumOf, Lexicographic, QuasiPerfectOf, compose, report
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree

HALF = Fraction(1, 2)
RESOLVE, MAXMARGIN, UNSAFE = EquilibriumOf(Resolve()), EquilibriumOf(Maxmargin()), EquilibriumOf(Unsafe())
SAFE = (RESOLVE, MAXMARGIN, Lexicographic())
SEATS = pytest.mark.parametrize("defender", [0, 1])


class Node(NamedTuple):
    """A decision or chance node: who moves, what each player and the public know, {label: what follows}.

    What follows is a node or a payoff; after chance, its weight and that.
    """

    who: int
    keys: tuple[str, str]
    public: str
    branches: dict


@dataclass(frozen=True)
class Drawn:
    """A game drawn as a tree of nodes."""

    tree: Node = field(hash=False)
    name = "drawn"
    unit = "points"

    def root(self):
        return ()

    def at(self, state):
        node = self.tree
        for label in state:
            after = node.branches[label]
            node = after[1] if node.who == CHANCE else after
        return node

    def player(self, state):
        node = self.at(state)
        return node.who if isinstance(node, Node) else TERMINAL

    def actions(self, state):
        return tuple(self.at(state).branches)

    def chance(self, state):
        return [(label, weight) for label, (weight, _) in self.at(state).branches.items()]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        node = self.at(state)
        return node.keys[player] if isinstance(node, Node) else "/".join(state)

    def public(self, state):
        node = self.at(state)
        return node.public if isinstance(node, Node) else "/".join(state)

    def payoff(self, state):
        return Fraction(self.at(state))


def coin(**after):
    """Return a fair coin that only player 0 sees."""
    return Node(CHANCE, ("", ""), "", {side: (Fraction(1, len(after)), node) for side, node in after.items()})


def seen(who, line, side="", /, **branches):
    """Return a node at a public line; player 0 has seen a side of a coin besides."""
    return Node(who, (side + line, line), line, branches)


def enumerated_game(game) -> NumberedTree:
    return number_tree(build_tree(load_game(game) if isinstance(game, str) else game))


def profile_of(enumerated: NumberedTree, probability=None) -> Profile:
    """Return uniform play but for the given probabilities of (infoset, action)."""
    behaviour = [t.uniform() for t in enumerated.form.treeplexes]
    for t, b in zip(enumerated.form.treeplexes, behaviour, strict=True):
        for move, s in moves_of(t).items():
            b[s] = (probability or {}).get(move, b[s])
    return Profile(enumerated.form.treeplexes, (behaviour[0], behaviour[1]))


def drawn_profile(enumerated: NumberedTree, seed: int) -> Profile:
    rng = np.random.default_rng(seed)
    first, second = (random_behaviour(t, rng) for t in enumerated.form.treeplexes)
    return Profile(enumerated.form.treeplexes, (first, second))


def towards(enumerated: NumberedTree, profile: Profile, other: Profile, part: float) -> Profile:
    """Return a mixture of plans: ``part`` of the other profile."""
    mixed = [
        t.behaviour((1 - part) * x + part * y, b)
        for t, x, y, b in zip(
            enumerated.form.treeplexes, profile.plans, other.plans, other.behaviour, strict=True
        )
    ]
    return Profile(enumerated.form.treeplexes, (mixed[0], mixed[1]))


def subgames_of(enumerated: NumberedTree, profile: Profile, defender: int, names=None) -> list[Subgame]:
    states = PublicStates.of(enumerated.tree)
    names = states.first_subgames(defender) if names is None else names
    return [Subgame.of(cut(states, enumerated, [name], defender), profile) for name in names]


def only(enumerated: NumberedTree, profile: Profile, defender: int, name: str) -> Subgame:
    return subgames_of(enumerated, profile, defender, [name])[0]


def conceded(enumerated: NumberedTree, profile: Profile, defender: int) -> float:
    """Return what a best response wins: exploitability, up to the value of the game."""
    return enumerated.form.best_response(1 - defender, profile.plans[defender]).total


def probability(profile: Profile, player: int, key: str, action: str) -> float:
    return float(profile.behaviour[player][moves_of(profile.treeplexes[player])[key, action]])


def by_top(subgame: Subgame, values) -> dict[str, float]:
    return dict(zip(subgame.cut.tops, np.asarray(values).tolist(), strict=True))


def random_enumerated(seeds, defender: int):
    """Yield random games that can be cut where there are several tops, with a random blueprint."""
    for seed in seeds:
        enumerated = enumerated_game(random_game(seed=seed, depth=6))
        profile = drawn_profile(enumerated, seed)
        try:
            subgames = subgames_of(enumerated, profile, defender)
        except ValueError:
            continue
        if any(len(s.cut.tops) > 1 for s in subgames):
            yield enumerated, profile, subgames


# Tops that nobody or not everybody reaches.


@pytest.mark.parametrize("solver", [MAXMARGIN, Lexicographic(), RESOLVE], ids=lambda s: s.name)
def test_a_top_without_reach_does_not_hold_the_margin_at_zero(solver) -> None:
    # Player 0 checks with a king alone and folds it to a bet, so that the opponent cannot hold the king.
    enumerated = enumerated_game("kuhn_poker")
    never = {("J:", "c"): 0, ("J:", "r"): 1, ("Q:", "c"): 0, ("Q:", "r"): 1, ("K:", "c"): 1, ("K:", "r"): 0}
    profile = profile_of(enumerated, never | {("K:cr", "f"): 1, ("K:cr", "c"): 0})
    subgame = only(enumerated, profile, 0, ":c")
    assert by_top(subgame, subgame.live) == {"J:c": True, "Q:c": True, "K:c": False}
    solution = solver.solve(subgame)
    rows = report([solution], compose(profile, [solution]))
    assert [row.top for row in rows] == ["Q:c", "J:c"]
    if solver is not RESOLVE:  # which is content with the blueprint's value
        assert [row.margin for row in rows] == pytest.approx([2, 2], abs=1e-9)
        assert probability(compose(profile, [solution]), 0, "K:cr", "c") == 1
    assert Maxmargin().program(subgame).solve().value == pytest.approx(-2, abs=1e-9)


def avoided():
    """Return a game in which the opponent never should, and in the blueprint never does, enter with heads.

    Inside, the defender shifts a point between heads and tails; then the opponent leaves or takes.
    """

    def inside(side, left, right):
        after = {
            guess: seen(0, "in/over", side, leave=-3, take=paid)
            for guess, paid in (("left", left), ("right", right))
        }
        return Node(1, (side + "in", "in"), "in", after)

    heads = seen(0, "start", "h", out=5, enter=inside("h", 4, 2))
    return coin(h=heads, t=seen(0, "start", "t", out=-5, enter=inside("t", -1, 1)))


@pytest.mark.parametrize("solver", [MAXMARGIN, Lexicographic()], ids=lambda s: s.name)
def test_a_top_that_the_opponent_avoids_keeps_its_counterfactual_value(solver) -> None:
    enumerated = enumerated_game(Drawn(avoided()))
    stays_out = {(side + "start", move): move == "out" for side in "ht" for move in ("out", "enter")}
    leaves_heads = {("hin/over", "leave"): 1, ("hin/over", "take"): 0}
    profile = profile_of(enumerated, stays_out | leaves_heads)
    subgame = only(enumerated, profile, 1, "in")
    assert subgame.opponent_reach.tolist() == [0, 0]
    assert subgame.live.all()
    assert by_top(subgame, subgame.cbv) == {"hin": 3, "tin": 0}
    # What the blueprint's own play, or a response that is careless off path, makes of heads.
    assert by_top(subgame, subgame.normalised(subgame.blueprint_value))["hin"] == -3
    composed = compose(profile, [solver.solve(subgame)])
    assert probability(composed, 1, "in", "left") == pytest.approx(0.5, abs=1e-9)


def played_coin(heads: float, tails: float, guess=(0.5, 0.25, 0.25)):
    """Return how often player 0 plays each side of Coin Toss, and how player 1 guesses."""
    table = {("?:Play", a): p for a, p in zip(("Heads", "Tails", "Forfeit"), guess, strict=True)}
    for side, p in (("Heads", heads), ("Tails", tails)):
        table |= {(f"{side}:", "Play"): p, (f"{side}:", "Sell"): 1 - p}
    return table


@pytest.mark.parametrize(("heads", "tails"), [(0.75, 0.5), (0.0, 1.0), (0.0, 0.0)])
@pytest.mark.parametrize("solver", [MAXMARGIN, Lexicographic()], ids=lambda s: s.name)
def test_idle_tops_count_however_seldom_the_opponent_plays_there(solver, heads, tails) -> None:
    enumerated = enumerated_game("coin_toss")
    profile = profile_of(enumerated, played_coin(heads, tails))
    subgame = only(enumerated, profile, 1, ":Play")
    assert by_top(subgame, subgame.cbv) == {"Heads:Play": 0, "Tails:Play": 0.5}
    solution = solver.solve(subgame)
    composed = compose(profile, [solution])
    guess = [probability(composed, 1, "?:Play", a) for a in ("Heads", "Tails", "Forfeit")]
    assert guess == pytest.approx([5 / 8, 3 / 8, 0], abs=1e-9)
    assert [row.margin for row in report([solution], composed)] == pytest.approx([0.25, 0.25], abs=1e-9)


def test_the_value_of_a_top_counts_leaves_before_the_opponents_first_decision() -> None:
    subgame = only(enumerated_game(Drawn(gift_tree())), gift_profile(), 1, "S1")
    assert subgame.cut.tops == ("S1",)
    assert subgame.cbv[0] == -1 / 2 + 1 / 2  # left ends the game; after right the opponent takes


# Infosets that the solution does not reach.


def detour():
    """Return a game in which the defender, dealt a or b, enters or folds, then stops or goes a bad way."""

    def hand(card):
        late = Node(1, ("in/go", f"{card}in/go"), "in/go", {"bad": 2, "good": 1})
        early = Node(1, ("in", f"{card}in"), "in", {"go": late, "stop": 0})
        return Node(1, ("deal", f"{card}deal"), "deal", {"enter": early, "fold": 1})

    return Node(CHANCE, ("", ""), "", {card: (HALF, hand(card)) for card in "ab"})


@pytest.mark.parametrize(
    "method", ["resolve", "maxmargin", "lexicographic", "quasi-perfect", "unsafe", "joint"]
)
def test_infosets_that_the_solution_avoids_are_answered_and_not_left_to_the_solver(method) -> None:
    enumerated = enumerated_game(Drawn(detour()))
    enters = {("adeal", "enter"): 1, ("adeal", "fold"): 0, ("bdeal", "enter"): 0, ("bdeal", "fold"): 1}
    profile = profile_of(enumerated, enters | {("ain", "stop"): 1, ("ain", "go"): 0})
    subgame = only(enumerated, profile, 1, "in")
    solver = {
        "resolve": RESOLVE,
        "maxmargin": MAXMARGIN,
        "lexicographic": Lexicographic(),
        "quasi-perfect": QuasiPerfectOf(Resolve()),
        "unsafe": UNSAFE,
        "joint": JointSolver(joint_optimum([subgame])),
    }[method]
    composed = compose(profile, [solver.solve(subgame)])
    check_profile(enumerated.form, composed)
    for card in "ab":  # the blueprint folds b, and its part of the program is empty
        assert probability(composed, 1, f"{card}in", "stop") == pytest.approx(1, abs=1e-9)
        assert probability(composed, 1, f"{card}in/go", "bad") == pytest.approx(0, abs=1e-9)
    if method != "quasi-perfect":  # whose strategies tremble everywhere
        later = RESOLVE.solve(only(enumerated, composed, 1, "in/go"))
        assert "never come there" in later.kept
        assert compose(composed, [later]).behaviour[1].tolist() == composed.behaviour[1].tolist()


def temptation():
    """Return a game in which stopping is worth 0; going on, dear, costs 6 at heads and wins 5 at tails."""

    def answers(side, dear, cheap):
        late = Node(1, (side + "in/go", "in/go"), "in/go", {"dear": dear, "cheap": Fraction(cheap)})
        return Node(1, (side + "in", "in"), "in", {"go": late, "stop": 0})

    return coin(h=answers("h", 6, "1/5"), t=answers("t", -5, "-1/10"))


def test_a_plan_below_the_solvers_tolerance_says_nothing() -> None:
    enumerated = enumerated_game(Drawn(temptation()))
    solution = Maxmargin().program(only(enumerated, profile_of(enumerated), 1, "in")).solve()
    primal = solution.run.primal.copy()
    primal[:5] = 1, 1e-11, 1 - 1e-11, 1e-11, 0  # start, go, stop, dear, cheap; programs are solved to 1e-10
    noisy = replace(solution, run=replace(solution.run, primal=primal)).behaviour()
    assert noisy[moves_of(enumerated.form.treeplexes[1])["in/go", "cheap"]] == 1


def pennies_at_the_end():
    """Return a game in which the defender should stop at once, or next, and not match pennies then."""

    def answer(guess):
        return seen(0, "go/go/guess", left=2 + (guess == "left"), right=2 + (guess == "right"))

    guess = seen(1, "go/go", left=answer("left"), right=answer("right"))
    return seen(1, "start", stop=0, go=seen(1, "go", stop=1, go=guess))


def test_a_quasi_perfect_answer_is_kept_after_two_trembles() -> None:
    enumerated = enumerated_game(Drawn(pennies_at_the_end()))
    solver = QuasiPerfectOf(Resolve())
    composed = compose(
        profile_of(enumerated), [solver.solve(only(enumerated, profile_of(enumerated), 1, "start"))]
    )
    assert probability(composed, 1, "start", "stop") == pytest.approx(1, abs=1e-9)
    assert probability(composed, 1, "go/go", "left") == pytest.approx(1 / 2, abs=1e-9)


@pytest.mark.parametrize("ends", [0, 3], ids=["the opponent does not care", "the opponent ends the game"])
def test_a_dominated_answer_is_not_kept_where_not_even_the_opponent_comes(ends) -> None:
    last = seen(1, "go/on", bad=2, good=1)
    enumerated = enumerated_game(Drawn(seen(1, "start", go=seen(0, "go", end=ends, on=last), stop=-1)))
    subgame = only(enumerated, profile_of(enumerated), 1, "start")
    composed = compose(subgame.blueprint, [MAXMARGIN.solve(subgame)])
    assert probability(composed, 1, "start", "stop") == pytest.approx(1, abs=1e-9)
    assert probability(composed, 1, "go/on", "bad") == 0


# Unsafe solving.


def test_unsafe_keeps_the_blueprint_and_says_so_where_the_blueprint_never_comes() -> None:
    enumerated = enumerated_game("coin_toss")
    profile = profile_of(enumerated, played_coin(0, 0))
    subgame = only(enumerated, profile, 1, ":Play")
    with pytest.raises(UndefinedError, match="':Play': the blueprint never comes there"):
        Unsafe().apply(subgame)
    solution = UNSAFE.solve(subgame)
    assert "never comes there" in solution.kept
    assert (solution.certificate, solution.alternative_values) == (None, None)
    assert compose(profile, [solution]).behaviour[1].tolist() == profile.behaviour[1].tolist()


def test_every_method_keeps_the_blueprint_where_the_defender_never_comes() -> None:
    enumerated = enumerated_game(Drawn(detour()))
    folds = {(f"{card}deal", move): move == "fold" for card in "ab" for move in ("enter", "fold")}
    for solver in (UNSAFE, *SAFE):
        assert (
            "never come there" in solver.solve(only(enumerated, profile_of(enumerated, folds), 1, "in")).kept
        )


@pytest.mark.parametrize(
    ("heads", "tails", "after"),
    [(0.75, 0.5, 0.75), (0.5, 0.75, 0.25), (0.0, 1.0, 0.25), (1.0, 0.0, 0.75)],
    ids=["as in the paper", "more tails", "tails alone", "heads alone"],
)
def test_unsafe_is_exploited_where_the_opponents_blueprint_seldom_or_never_goes(heads, tails, after) -> None:
    enumerated = enumerated_game("coin_toss")
    profile = profile_of(enumerated, played_coin(heads, tails, (0.25, 0.75, 0)))
    assert conceded(enumerated, profile, 1) == 0
    subgame = only(enumerated, profile, 1, ":Play")
    assert conceded(enumerated, compose(profile, [UNSAFE.solve(subgame)]), 1) == pytest.approx(
        after, abs=1e-9
    )
    for solver in SAFE:
        assert conceded(enumerated, compose(profile, [solver.solve(subgame)]), 1) == pytest.approx(
            0, abs=1e-9
        )


# Alternative values in floats.


@pytest.mark.seconds(3)
@SEATS
@pytest.mark.parametrize("seed", [1, 2])
def test_margins_settled_in_floats_stay_feasible_in_leduc(defender, seed) -> None:
    enumerated = enumerated_game("leduc_poker")
    profile = drawn_profile(enumerated, seed)
    check_margins(enumerated, profile, subgames_of(enumerated, profile, defender))


@pytest.mark.seconds(3)
@SEATS
@pytest.mark.parametrize("factor", [1, Fraction(10**7, 3), Fraction(1, 3 * 10**7)])
def test_margins_settled_in_floats_stay_feasible_in_random_games(defender, factor) -> None:
    for seed in range(30):
        enumerated = enumerated_game(Scaled(random_game(seed=seed, depth=6), factor))
        try:
            subgames = subgames_of(enumerated, drawn_profile(enumerated, seed), defender)
        except ValueError:
            continue
        check_margins(enumerated, subgames[0].blueprint, subgames, float(factor))


def check_margins(enumerated, profile, subgames, unit=1.0) -> None:
    defender = subgames[0].cut.defender
    solutions = [Lexicographic().solve(subgame) for subgame in subgames]
    composed = compose(profile, solutions)
    for row in report(solutions, composed):
        assert row.margin == pytest.approx(row.alternative + row.gift - row.value)
        assert row.margin > -1e-8 * unit
    assert conceded(enumerated, composed, defender) < conceded(enumerated, profile, defender) + 1e-8 * unit


def test_margins_are_those_of_the_strategy_and_not_of_the_solver() -> None:
    enumerated = enumerated_game("coin_toss")
    profile = profile_of(enumerated, played_coin(0.5, 0.5))
    solution = MAXMARGIN.solve(only(enumerated, profile, 1, ":Play"))
    worse = profile_of(enumerated, played_coin(0.5, 0.5, (1, 0, 0))).behaviour[1]
    spoilt = replace(solution, behaviour=worse)
    rows = {row.top: row for row in report([spoilt], compose(profile, [spoilt]))}
    assert {top: row.value for top, row in rows.items()} == {"Heads:Play": -1, "Tails:Play": 1}
    assert {top: row.margin for top, row in rows.items()} == {"Heads:Play": 1, "Tails:Play": -0.5}


# Gifts.


def gift_tree():
    """Return a game with gifts on the way: the defender deals, and only then may the opponent choose."""
    first = seen(1, "S1", left=-1, right=seen(0, "S1/right", leave=-4, take=1))
    second = seen(0, "S2", out=2, go=seen(1, "S2/go", left=0, right=2))
    branch = Node(CHANCE, ("in", "in"), "in", {"1": (Fraction(1, 4), first), "2": (Fraction(3, 4), second)})
    side = seen(1, "side", left=4, right=4)
    return seen(1, "start", stop=0, deal=seen(0, "choice", out=3, side=side, into=branch))


def gift_profile() -> Profile:
    return profile_of(enumerated_game(Drawn(gift_tree())))


def test_gifts_are_normalised_where_the_choice_is_made_and_summed_along_the_way() -> None:
    # Going in is worth 1/4 * 0 + 3/4 * 2 = 3/2, out 3, the side game 4; later on out is worth 2 and go 1.
    enumerated, profile = enumerated_game(Drawn(gift_tree())), gift_profile()
    subgames = subgames_of(enumerated, profile, 1, ["S1", "S2", "S2/go", "side"])
    assert [s.reach[0] for s in subgames] == [1 / 8, 3 / 8, 3 / 8, 1 / 2]
    lower = [LowerBoundGifts().of(s)[0] for s in subgames]
    # At S2 the top is the opponent's own infoset: what it then gives away inside is no gift.
    assert lower == pytest.approx([1.5, 1.5, 1.5 + 1, 0], abs=1e-12)
    assert [LowerBoundGifts(2.0).of(s)[0] for s in subgames] == pytest.approx([3, 3, 5, 0], abs=1e-12)
    assert [EstimatedGifts().of(s)[0] for s in subgames] == pytest.approx([2.5, 2.5, 3.5, 0], abs=1e-12)
    # Both branches together may win back all that was given away, and no more.
    given_back = sum(s.reach[0] * gift for s, gift in zip(subgames[:2], lower[:2], strict=True))
    assert given_back == pytest.approx(1 / 2 * 1.5, abs=1e-12)


def test_an_action_that_ends_the_game_only_sometimes_gives_no_lower_bound() -> None:
    def hidden(side, out):
        return Node(0, ("choice", side), "choice", {"out": out, "into": seen(1, "in", left=0, right=0)})

    goes_on = seen(1, "on", left=3, right=3)
    sides = {"h": (HALF, hidden("h", 3)), "t": (HALF, hidden("t", goes_on))}
    enumerated = enumerated_game(Drawn(Node(CHANCE, ("", ""), "", sides)))
    subgame = only(enumerated, profile_of(enumerated), 1, "in")
    assert (LowerBoundGifts().of(subgame)[0], EstimatedGifts().of(subgame)[0]) == (0, 3)


def test_a_second_solve_counts_from_the_first_ones_values() -> None:
    # Each solve lets heads rise half of what is missing to the 1/2 that selling pays: 0, 1/4, 3/8.
    enumerated = enumerated_game("coin_toss")
    solver = EquilibriumOf(Maxmargin(BlueprintAlternatives(LowerBoundGifts())))
    profile = profile_of(enumerated, played_coin(0.5, 0.5))
    for stages, heads in ((1, 1 / 2), (2, 3 / 8), (3, 5 / 16)):
        solved = profile
        for _ in range(stages):
            solved = compose(solved, [solver.solve(only(enumerated, solved, 1, ":Play"))])
        assert probability(solved, 1, "?:Play", "Heads") == pytest.approx(heads, abs=1e-9)
        assert conceded(enumerated, solved, 1) == pytest.approx(heads - 1 / 4, abs=1e-9)


def auctions(first, second, sell=None):
    """Return a game in which the opponent, having seen a coin, goes to one of two subgames, or sells.

    Subgames are {(side, answer): payoff}.
    """

    def room(line, side, payoffs):
        answers = {answer: paid for (coin_side, answer), paid in payoffs.items() if coin_side == side}
        return Node(1, (side + line, line), line, answers)

    def choice(side):
        rooms = {"a": room("A", side, first), "b": room("B", side, second)}
        return seen(0, "start", side, **rooms, **({} if sell is None else {"sell": sell[side]}))

    return coin(h=choice("h"), t=choice("t"))


GUESS = {("h", "h"): -1, ("h", "t"): 1, ("t", "h"): 1, ("t", "t"): -1}


@pytest.mark.parametrize(("scale", "after"), [(0, 1 / 4), (1, 0), (3, 1 / 2)])
def test_gifts_that_count_siblings_and_are_too_large_do_harm(scale, after) -> None:
    # Heads is worth 1/2 in A and 0 in B, tails -1/2 and 0: each subgame may spend what the other one has.
    enumerated = enumerated_game(Drawn(auctions(GUESS, GUESS)))
    profile = profile_of(enumerated, {("A", "h"): 1 / 4, ("A", "t"): 3 / 4})
    subgames = subgames_of(enumerated, profile, 1, ["A", "B"])
    assert conceded(enumerated, profile, 1) == 1 / 4
    solver = EquilibriumOf(Maxmargin(BlueprintAlternatives(EstimatedGifts(scale))))
    composed = compose(profile, [solver.solve(s) for s in subgames])
    assert conceded(enumerated, composed, 1) == pytest.approx(after, abs=1e-9)
    assert LowerBoundGifts(3.0).of(subgames[0]).tolist() == [0, 0]  # no action ends the game at once


def test_another_subgame_takes_back_a_gift_that_counts_on_it() -> None:
    # Heads is worth 1/2 in A, until A is solved and heads there is worth -1. B has then spent a gift that
    # nobody gives: leaving B alone would have been better. Selling cannot be taken back.
    room = {("h", "bad"): HALF, ("h", "good"): -1, ("t", "bad"): -1, ("t", "good"): -3}
    enumerated = enumerated_game(Drawn(auctions(room, GUESS, {"h": -5, "t": 0})))
    profile = profile_of(enumerated, {("A", "bad"): 1, ("A", "good"): 0})
    first, second = subgames_of(enumerated, profile, 1, ["A", "B"])
    for gifts, alone, after in ((EstimatedGifts(), 0, 1 / 8), (LowerBoundGifts(), 0, 0)):
        solver = EquilibriumOf(Maxmargin(BlueprintAlternatives(gifts)))
        one, both = [solver.solve(first)], [solver.solve(first), solver.solve(second)]
        assert conceded(enumerated, compose(profile, one), 1) == pytest.approx(alone, abs=1e-9)
        assert conceded(enumerated, compose(profile, both), 1) == pytest.approx(after, abs=1e-9)
    assert conceded(enumerated, profile, 1) == 1 / 4


@pytest.mark.seconds(3)
@SEATS
def test_gifts_of_the_blueprint_unscaled_are_never_worse_than_the_blueprint(defender) -> None:
    # A top may rise up to what its siblings are worth in the blueprint, and no sibling rises above itself.
    for enumerated, profile, subgames in random_enumerated(range(60), defender):
        for gadget in (Resolve, Maxmargin):
            solver = EquilibriumOf(gadget(BlueprintAlternatives(EstimatedGifts())))
            composed = compose(profile, [solver.solve(s) for s in subgames])
            assert conceded(enumerated, composed, defender) < conceded(enumerated, profile, defender) + 1e-9


# Composition.


@pytest.mark.seconds(3)
@SEATS
@pytest.mark.parametrize(
    "spec", ["kuhn_poker(ranks=4)", "leduc_poker(raises=1)", "random_game(seed=120,depth=6)"]
)
@pytest.mark.parametrize("solver", [MAXMARGIN, Lexicographic()], ids=lambda s: s.name)
def test_composition_rebuilds_the_plan(solver, spec, defender) -> None:
    game = load_game(spec)
    enumerated = enumerated_game(game)
    profile = towards(enumerated, profile_of(enumerated), drawn_profile(enumerated, 5), 0.5)
    solutions = [solver.solve(s) for s in subgames_of(enumerated, profile, defender)]
    composed = compose(profile, solutions)
    treeplex, plan = enumerated.form.treeplexes[defender], composed.plans[defender]
    flow = flow_matrix(treeplex)
    assert flow @ plan == pytest.approx([1, *[0] * treeplex.n_infosets], abs=1e-12)
    inside = sum(s.subgame.cut.inside for s in solutions).astype(bool)
    assert plan[~inside].tolist() == profile.plans[defender][~inside].tolist()
    tables = [
        probabilities(t, b) for t, b in zip(enumerated.form.treeplexes, composed.behaviour, strict=True)
    ]
    exact = best_response(leaves(game), 1 - defender, tables[defender])[0]
    assert conceded(enumerated, composed, defender) == pytest.approx(float(exact), abs=1e-12)
    # What each gadget promised of its own subgame is what the whole strategy does.
    rows = report(solutions, composed)
    for solution in solutions:
        if solution.certificate is not None:
            sign = 1 if defender == 1 else -1
            least = min(row.margin for row in rows if row.subgame == solution.subgame.cut.name)
            assert -sign * solution.certificate.value == pytest.approx(least, abs=1e-9)


def test_subgames_that_overlap_are_not_composed() -> None:
    enumerated = enumerated_game("kuhn_poker")
    solutions = [
        MAXMARGIN.solve(s) for s in subgames_of(enumerated, profile_of(enumerated), 0, [":c", ":cr"])
    ]
    with pytest.raises(ValueError, match="subgames must be disjoint, but ':cr' overlaps"):
        compose(profile_of(enumerated), solutions)


# Imperfect recall.


@dataclass(frozen=True)
class Forgetful(Wrapped):
    """In its second decision a player of Kuhn poker does not remember the card."""

    def infoset(self, state, player):
        key = self.game.infoset(state, player)
        return "?:cr" if key.endswith(":cr") and player == 0 else key


def test_a_player_who_forgets_is_refused_before_any_program_is_written() -> None:
    with pytest.raises(ValueError, match=r"player 0 has imperfect recall: infoset '\?:cr' follows both"):
        enumerated_game(Forgetful(load_game("kuhn_poker")))


# Slack.


def check_order(enumerated, profile, subgames) -> int:
    """Check that sorted margins never fall where maxmargin's are lifted; return how many were lifted."""
    lifted = 0
    for subgame in subgames:
        least, ordered = (sorted_margins(solver, subgame) for solver in (MAXMARGIN, Lexicographic()))
        assert ordered[:1] == pytest.approx(least[:1], abs=1e-8)
        apart = [k for k, (a, b) in enumerate(zip(least, ordered, strict=True)) if abs(a - b) > 1e-7]
        assert not apart or ordered[apart[0]] > least[apart[0]]
        lifted += len(apart) > 0
    return lifted


def sorted_margins(solver, subgame: Subgame) -> list[float]:
    solution = solver.solve(subgame)
    return sorted(row.margin for row in report([solution], compose(subgame.blueprint, [solution])))


@SEATS
def test_lexicographic_margins_lift_the_slack_that_maxmargin_leaves(defender) -> None:
    enumerated = enumerated_game("leduc_poker")
    profile = profile_of(enumerated)
    assert check_order(enumerated, profile, subgames_of(enumerated, profile, defender)) > 0
    for case in random_enumerated(range(40), defender):
        check_order(*case)


def test_lexicographic_margins_by_hand() -> None:
    # Heads is worth 0 whatever the answer; tails 0 or -1. Maxmargin is content with the blueprint.
    low = {("h", "a"): 0, ("h", "b"): 0, ("t", "a"): 0, ("t", "b"): -1}
    enumerated = enumerated_game(Drawn(auctions(low, GUESS)))
    subgame = only(enumerated, profile_of(enumerated), 1, "A")
    solution = Lexicographic().solve(subgame)
    composed = compose(subgame.blueprint, [solution])
    assert sorted_margins(Lexicographic(), subgame) == pytest.approx([0, 0.5], abs=1e-9)
    assert probability(composed, 1, "A", "b") == pytest.approx(1, abs=1e-9)
