"""Gadgets of subgames on boards by name, and what opponents win against the strategies they compose."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems.prepared import KEPT
from treeplex.bench.theorems.solved_subgames import REACH
from treeplex.bench.theorems_on_subgames.board_pieces import blueprint, board_subgames, rules
from treeplex.gadgets.alternatives import BlueprintAlternatives, EstimatedGifts, LowerBoundGifts
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation
from treeplex.gadgets.gadget import RootGadget
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import certify_factored, pair_weight
from treeplex.subgames.solve_on_boards import BoardLimits, BoardSolution, solve_on_boards

HALF = BlueprintAlternatives(LowerBoundGifts(0.5))
TRIPLE = BlueprintAlternatives(EstimatedGifts(3.0))
GADGETS: Mapping[str, RootGadget] = MappingProxyType(
    {
        "unsafe": Unsafe(),
        "resolve": Resolve(),
        "maxmargin": Maxmargin(),
        "distributional": Distributional(Normal(BlueprintAlternatives(), SameDeviation(0.5), 3)),
        "reach-resolve": Resolve(REACH),
        "reach-maxmargin": Maxmargin(REACH),
        "half-reach-maxmargin": Maxmargin(HALF),
        "triple-reach-resolve": Resolve(TRIPLE),
        "triple-reach-maxmargin": Maxmargin(TRIPLE),
    }
)
"""By the names that instances give them."""


@lru_cache(KEPT)
def solutions(spec: str, defender: int, start: str, choice: str) -> tuple[BoardSolution, ...]:
    """Return all subgames solved again; the choice is a gadget and iterations, ``resolve:30``."""
    method, iterations = choice.split(":")
    limits = BoardLimits(iterations=int(iterations))
    return tuple(
        solve_on_boards(piece, GADGETS[method], limits) for piece in pieces(spec, defender, start, method)
    )


def pieces(spec: str, defender: int, start: str, method: str) -> Iterator[BoardSubgame]:
    """Yield the subgames on which a gadget has a meaning."""
    for piece in board_subgames(spec, defender, start):
        come = piece.opponent_reach if method == "unsafe" else np.ones(len(piece.reach))
        if (piece.live & (come > 0.0)).any():
            yield piece


def errors(spec: str, chosen: Sequence[BoardSolution]) -> list[float]:
    """Return what each subgame may add to the opponent's best-response value in the whole game."""
    pairs = float(pair_weight(rules(spec)))
    return [solution.error / pairs for solution in chosen]


def composed(spec: str, start: str, chosen: Sequence[BoardSolution]) -> FactoredStrategy:
    """Return a blueprint with subgames' solutions in their places."""
    before = blueprint(spec, start)
    tables = [np.array(weight, dtype=np.float64) for weight in before.weight]
    for solution in chosen:
        piece = solution.subgame
        piece.subtree.insert(piece.defender, solution.strategy.weight[piece.defender], tables[piece.defender])
    return FactoredStrategy(before.tree, (tables[0], tables[1]))


def conceded(spec: str, defender: int, strategy: FactoredStrategy) -> float:
    """Return what a best response wins against the defender's part of a strategy."""
    proof = certify_factored(rules(spec), strategy)
    return (float(proof.upper) if defender == 1 else -float(proof.lower)) - float(proof.rounding)
