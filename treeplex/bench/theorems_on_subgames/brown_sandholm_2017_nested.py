"""Brown and Sandholm 2017, section 6: answers to moves that the defender's abstraction lacks."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, equilibrium, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.core.progress import silent
from treeplex.gadgets.joint_optimum import joint_optimum
from treeplex.gadgets.off_tree.nested_solving import (
    AbstractionAlternatives,
    off_tree_tops,
    response_without,
    solve_nested,
    states_after,
)
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.gadgets.off_tree.translation import translate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.subgames.off_tree import TRANSLATION, Prepared, prepare

SOURCE = "Brown and Sandholm 2017, section 6"
Bets = tuple[str, str]
"""A full game, and the sizes of bets that its abstraction keeps."""
ONE_BET: tuple[Bets, ...] = (
    ("no_limit_leduc(bets=[1/2,2],max_raises=[1,0])", "1/2"),
    ("no_limit_leduc(bets=[1/2,1],max_raises=[0,1])", "1/2"),
    ("no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,0])", "1/2,1"),
)
"""Games with one bet at most, so that no line holds two off-tree moves."""
MORE_BETS: tuple[Bets, ...] = (
    ("no_limit_leduc(ranks=2,bets=[1/2,1],max_raises=[1,1])", "1"),
    ("no_limit_leduc(ranks=2,bets=[1/2,1],max_raises=[0,2])", "1"),
)
FULL_RUN: tuple[Bets, ...] = (
    ("no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,1])", "1/2,1"),
    ("no_limit_leduc(bets=[1/2,1],max_raises=[1,2])", "1"),
)
METHODS, MORE_METHODS = ("resolve", "maxmargin", TRANSLATION), ("reach-maxmargin", "unsafe")


@lru_cache(KEPT)
def prepared(spec: str, kept: str, blueprint: str) -> Prepared:
    """Return a game, its abstraction with some sizes of bets, and a blueprint of the abstraction."""
    return prepare(spec, kept, blueprint, "error", silent)


def parts(instance: Instance) -> tuple[Prepared, int, str]:
    """Return an instance's game and abstraction, defender and method."""
    method, rest = instance.choice.split(" with bets of ")
    kept, blueprint = rest.split(" from ")
    assert instance.seat is not None
    return prepared(instance.game, kept, blueprint), instance.seat, method


def played(both: Prepared, seat: int, method: str) -> Profile:
    """Return the strategy for the full game by a method of answering off-tree moves."""
    if method == TRANSLATION:
        pair, small = both.abstraction, both.small
        own = small.strategy.behaviour[seat]
        whole = translate(pair.small, small.game.form, own, pair.full, both.game.form, defender=seat)
        return both.start.exchanged(seat, whole)
    approach = "expensive" if method == "unsafe" else "inexpensive"
    answer = off_tree_method(method, approach)
    return solve_nested(both.game, seat, both.start, both.missing, answer)


def _instances(effort: Effort, games: tuple[Bets, ...], methods: tuple[str, ...]) -> Iterator[Instance]:
    for start in effort.choose(("cfr+:10",), ("nash",)):
        for (spec, kept), seat, method in product(games, (0, 1), methods):
            yield Instance(spec, 0, seat, f"{method} with bets of {kept} from {start}")


def _with_errors(factor: float) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        both, seat, method = parts(instance)
        form, strategy = both.game.form, played(both, seat, method)
        plan, opponent = strategy.plans[seat], 1 - seat
        known = response_without(form, opponent, plan, both.missing[opponent]).total
        tops = off_tree_tops(both.game, seat, strategy, both.missing)
        errors = sum(top.reach * max(-top.margin, 0.0) for top in tops)
        free = form.best_response(opponent, plan).total
        yield Comparison(free, known + factor * errors, spread(instance.game))

    return measure


def _answers(effort: Effort) -> Iterator[Instance]:
    games = effort.choose((*ONE_BET[:2], *MORE_BETS), FULL_RUN)
    yield from _instances(effort, games, effort.choose(METHODS, MORE_METHODS))


OFF_TREE_ERRORS = Theorem(
    name="off-tree-errors",
    plain=(
        "However off-tree moves are answered, they gain the opponent no more than by how much they exceed, "
        "over all its infosets and weighted by reach, the best move of the abstraction there."
    ),
    tex=r"BR(\sigma) \le BR_{known}(\sigma) + \sum_t w_t \max(0,\, v_t - \widetilde{CBV}(I_t))",
    source=f"{SOURCE}; derived",
    relation="<=",
    instances=_answers,
    measure=_with_errors(1.0),
    equality="Where no off-tree move gains anything.",
    twin=Twin("Off-tree moves gain nothing, however they are answered.", _with_errors(0.0)),
)


def _first_moves(both: Prepared, seat: int) -> tuple[list[Subgame], float]:
    """Return the subgames after off-tree moves, and by how much values there are underestimated."""
    opponent, states = 1 - seat, PublicStates.of(both.game.tree)
    missing, form = both.missing[opponent], both.game.form
    response = response_without(form, opponent, both.start.plans[seat], missing)
    names = states_after(both.game, states, opponent, missing)
    pieces = [Subgame.of(cut(states, both.game, [name], seat), both.start) for name in names]
    joint = joint_optimum(pieces)
    error = 0.0
    for piece in pieces:
        chosen = piece.cut.other.treeplex.infoset_of[piece.cut.entry]
        before = piece.cut.other.treeplex.parent[chosen]
        offered = AbstractionAlternatives(response, before, response.value[chosen], 0.0).of(piece).total
        best = joint.estimates(piece)
        for t in np.flatnonzero(piece.live).tolist():
            error = max(error, best[piece.cut.name, piece.cut.tops[t]] - float(offered[t]))
    return pieces, error


def _nested_error(factor: float) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        both, seat, method = parts(instance)
        pieces, error = _first_moves(both, seat)
        best = both.start.exchanged(seat, joint_optimum(pieces).behaviour)
        least, after = both.distance(seat, best), both.distance(seat, played(both, seat, method))
        yield Comparison(after, least + factor * error, spread(instance.game))

    return measure


NESTED_ERROR = Theorem(
    name="nested-error",
    plain=(
        "One off-tree move answered by Maxmargin with the abstraction's values: concedes more than the best "
        "answer by no more than the abstraction's values are below those against the best answer."
    ),
    tex=r"\exp(\sigma') \le \exp(\sigma^*) + \max_t \max(0,\, CBV^{\sigma^*}(t) - \widetilde{CBV}(I_t))",
    source=f"{SOURCE}; derived, as Theorem 1 of Brown and Sandholm 2018",
    relation="<=",
    instances=lambda effort: _instances(effort, ONE_BET, ("maxmargin",)),
    measure=_nested_error(1.0),
    tolerance=1e-8,
    equality="Where the abstraction's values are nowhere too low.",
    twin=Twin("It is the best answer, whatever the abstraction's values are.", _nested_error(0.0)),
)


def _unknown_moves(strategy: Callable[[Instance], Profile]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of the largest reach that a strategy gives to moves that the abstraction lacks."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        both, seat, _ = parts(instance)
        most = strategy(instance).plans[seat][both.missing[seat]].max(initial=0.0)
        yield Comparison(float(most), 0.0)

    return measure


KNOWN_MOVES = Theorem(
    name="known-moves-only",
    plain="Answers to off-tree moves hold no move of the defender that its abstraction lacks.",
    tex=r"x(I, a) = 0 \text{ for all } a \notin A_{abs}(I)",
    source=SOURCE,
    relation="==",
    instances=lambda effort: _instances(effort, MORE_BETS, ("resolve", "maxmargin")),
    measure=_unknown_moves(lambda instance: played(*parts(instance))),
    tolerance=0.0,
    twin=Twin(
        "An equilibrium of the full game holds none either.",
        _unknown_moves(lambda instance: equilibrium(instance.game).profile),
    ),
)

THEOREMS = (OFF_TREE_ERRORS, NESTED_ERROR, KNOWN_MOVES)
