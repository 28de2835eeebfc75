"""Burch, Johanson and Bowling 2014: the gadget Resolve keeps a strategy safe, and errors add up."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import subgame_errors
from treeplex.bench.theorems.solved_instances import (
    FIGURE_2,
    FIGURE_4_GAME,
    SMALL_LEDUC,
    Case,
    instances,
    of_case,
    parts,
)
from treeplex.bench.theorems.solved_measures import given, safe, unsafe, whole
from treeplex.bench.theorems.solved_subgames import blueprint, solutions, solved, subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import PlayedAlternatives
from treeplex.gadgets.published_gadgets import Resolve
from treeplex.gadgets.subgame_solvers import EquilibriumOf, SubgameSolution

SOURCE = "Burch, Johanson and Bowling 2014"
HEADS: tuple[tuple[Case, str], ...] = (
    (("coin_toss", 1, FIGURE_2), "guess:1,0,0"),
    ((FIGURE_4_GAME, 1, "guess:1/2,1/2"), "guess:1,0"),
)
"""Player 1 always guesses heads, after blueprints of Coin Toss."""
WRONG: tuple[tuple[Case, str], ...] = (
    (("kuhn_poker", 1, "uniform"), "random:2"),
    ((SMALL_LEDUC, 0, "near:1:0.05"), "random:3"),
    ((SMALL_LEDUC, 1, "cfr+:10"), "pure:4"),
)
MORE_WRONG: tuple[tuple[Case, str], ...] = (
    (("leduc_poker", 0, "uniform"), "random:5"),
    (("leduc_poker", 1, "near:1:0.05"), "pure:6"),
)


def _resolve(effort: Effort) -> Iterator[Instance]:
    yield from instances(effort, ("resolve",), quick=6, full=150)


RESOLVE_SAFETY = Theorem(
    name="resolve-safety",
    plain=(
        "Subgames solved again by Resolve, each by itself, give the opponent at no top more than the "
        "blueprint did, and the composed strategy concedes no more than the blueprint."
    ),
    tex=r"V'_t \le w_t\,CBV^{\sigma}(t), \qquad \exp(\sigma') \le \exp(\sigma)",
    source=f"{SOURCE}, CFR-D's recovery of strategies; Brown and Sandholm 2017, section 4.2",
    relation="<=",
    instances=_resolve,
    measure=safe,
    equality="At tops whose constraint binds; for the whole game from an equilibrium.",
    twin=Twin(
        "Unsafe solving, which trusts the opponent's blueprint, concedes no more than the blueprint.",
        unsafe,
        lambda effort: instances(effort, ("unsafe",), quick=2, full=20),
    ),
)


def _wrong(effort: Effort) -> Iterator[Instance]:
    for case, inside in effort.choose((*HEADS, *WRONG), MORE_WRONG):
        yield of_case(case, inside)
    for seed in effort.seeds(quick=4, full=100):
        game = f"random_game(seed={seed},depth=6,actions=3)"
        for seat in (0, 1):
            yield of_case((game, seat, f"random:{seed}"), f"random:{seed + 1}", seed)


def _errors(together: Callable[[Sequence[float]], float]) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, inside = parts(instance)
        behaviour = blueprint(spec, inside).behaviour[seat]
        chosen = tuple(given(piece, behaviour) for piece in subgames(spec, seat, start))
        if chosen:
            side = whole(spec, start, chosen)
            yield Comparison(side.left, side.right + together(subgame_errors(chosen)), side.scale)

    return measure


SUBGAME_ERRORS = Theorem(
    name="subgame-errors",
    plain=(
        "Whatever is played in subgames, a strategy concedes more than its blueprint by no more than what "
        "the opponent gains at all their tops together."
    ),
    tex=(
        r"\exp(\sigma') \le \exp(\sigma) + "
        r"\sum_S \sum_{t \in S_{top}} \max(0,\, V'_t - w_t\, CBV^{\sigma}(t))"
    ),
    source=f"{SOURCE}; the form with each top's own error derived",
    relation="<=",
    instances=_wrong,
    measure=_errors(sum),
    equality="Coin Toss, player 1 always guessing heads in every subgame.",
    twin=Twin("It concedes more by no more than the largest error of one subgame.", _errors(max)),
)


def _values(effort: Effort) -> Iterator[Instance]:
    yield from instances(effort, ("resolve", "reach-resolve"), quick=4, full=60)


def _game_values(chosen: tuple[SubgameSolution, ...], scale: float) -> Iterator[Comparison]:
    """Yield each gadget game's value to the opponent, and the sum of reaches times alternative values."""
    for solution in chosen:
        if solution.certificate is None or solution.alternative_values is None:
            continue
        subgame, certificate = solution.subgame, solution.certificate
        value = float(certificate.value) * (1 if subgame.cut.opponent == 0 else -1)
        offered = (subgame.reach * solution.alternative_values.total)[subgame.live]
        yield Comparison(value, float(np.sum(offered)), scale, subgame.cut.name)


def _resolve_value(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    yield from _game_values(solutions(spec, seat, start, method), spread(spec))


def _own_play(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    pieces = subgames(spec, seat, start)
    yield from _game_values(solved(EquilibriumOf(Resolve(PlayedAlternatives())), pieces), spread(spec))


RESOLVE_VALUE = Theorem(
    name="resolve-value",
    plain=(
        "The game of Resolve is worth to the opponent what staying out everywhere is worth: the blueprint "
        "itself concedes no more, so that every strategy that is safe at all tops is optimal."
    ),
    tex=r"\min_{\sigma^S} \sum_t \max(V_t,\, w_t a_t) = \sum_t w_t a_t",
    source=f"{SOURCE}; derived",
    relation="==",
    instances=_values,
    measure=_resolve_value,
    twin=Twin(
        "The same if alternative values are those of the blueprint's own play, not of best responses.",
        _own_play,
    ),
)

THEOREMS = (RESOLVE_SAFETY, SUBGAME_ERRORS, RESOLVE_VALUE)
