"""Features from the game itself: what hands win at decisions after a few iterations of CFR."""

from dataclasses import dataclass
from math import prod

import numpy as np

from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.core.limits import check_memory
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report
from treeplex.games.buckets.clusters import Floats, Index, Singles
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.bucket_labels import multiplicity
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.certify.board_walk import runouts
from treeplex.seqform.certify.played_street import PlayedBoard, decisions_on, values_on_street
from treeplex.seqform.trees.memory import machine_memory

ITERATIONS = 10
"""Of the warm-up."""
SMALLEST_MET = 1e-9
"""Opposing reach, as a part of that of all hands, below which nothing is known of a hand's value."""


def check_walkable(problem: Problem, street: int, index: HandIndex) -> None:
    """Refuse a game of which the values of all deals of a street cannot be had.

    Raises
    ------
    ValueError
        If flops are listed, so that others have no values, or the game's tables or the values do not fit
        into three quarters of the memory; tables are counted before any board is listed.
    """
    tree = problem.boards()
    game = tree.game
    if game.flops is not None:
        raise BadInputError(f"values of all hands need all flops, {game.name} lists {len(game.flops)}")
    n_bytes = 2 * point_bytes(tree, street, index)
    check_memory(game.name, "values of all hands at all decisions", "", n_bytes, machine_memory() * 3 // 4)


def point_bytes(tree: FactoredTree, street: int, index: HandIndex) -> int:
    """Return the bytes of the points of a street."""
    return index.size * 2 * len(decisions_on(tree, street)) * 4


def walked_entries(tree: FactoredTree, street: int) -> float:
    """Return how many entries of tables the walk for a street's values comes upon, real boards after it."""
    boards, dealt = tree.boards, [every for every, _ in runouts(tree.game)]
    entries = np.diff(tree.base[0]) + np.diff(tree.base[1])
    on_street = np.bincount(boards.street, entries)
    n_boards = np.bincount(boards.street)
    after = [n_boards[street] * prod(dealt[street:one]) for one in range(street + 1, len(n_boards))]
    visited = np.array([*n_boards[: street + 1], *after])
    return float((on_street / n_boards * visited).sum())


def warmed_up(problem: Problem, threads: int) -> FactoredStrategy:
    """Return the average strategy of ``ITERATIONS`` of CFR on all boards of a game."""
    engine = prepare(problem.boards(), factored_config("cfr"), threads)
    state = engine.start()
    for done in range(ITERATIONS):
        problem.report(f"warm-up: iteration {done + 1} of {ITERATIONS}")
        state = engine.advance(state, 1)
    return engine.strategy(state)


def expected_values(strategy: FactoredStrategy, street: int, index: HandIndex, report: Report) -> Singles:
    """Return the weighted expected values of all deals of a street, by number, (deals, 2 N).

    For player p and decision n of the street, at which either player acts, after d actions on the street::

        (put_p(n) + v_p(n, h) / met_p(n, h)) / pot(n) / (1 + d)

    v_p(n, h) is the counterfactual value of hand h if both play the strategy: the sum over the opponent's
    hands, disjoint from h, of their reach times the expected payoff, averaged over later boards; met is the
    same sum of reaches alone. So the value is what the hand takes from the pot on average, as a part of the
    pot as it is there: 0 where it folds, 1 where the opponent does. Deals that differ in suits alone, or in
    the order of streets where the index forgets it, have the mean over their boards.

    Source: Li and Huang, Effective, efficient, and general information abstraction for imperfect-information
    extensive-form games (2026, arXiv 2605.10900), of which the abstract was read: a few iterations of CFR on
    the whole game, the expected value of each hand at every decision, weighted by depth, and k-means++. The
    weights, the scale by the pot and plain CFR are choices of ours.

    Parameters
    ----------
    strategy : FactoredStrategy
        Of a game without ranges.
    street : int
    index : HandIndex
        Of the deals of the street.
    report : callable
    """
    tree = strategy.tree
    nodes = decisions_on(tree, street)
    scale = _Scale.of(tree.game, tree, nodes)
    points = np.zeros((index.size, 2 * len(nodes)), np.float32)
    ways, times = np.zeros(index.size), multiplicity(tree)
    hands = tree.boards.hands[0]

    def take(played: PlayedBoard) -> None:
        cards, known = tree.boards.cards[played.board], hands.hand[hands.on(played.board)]
        held = hands.cards[known]
        dealt = np.broadcast_to(np.array(cards, np.int64), (len(held), len(cards)))
        number = index.of(np.hstack([held, dealt]))
        np.add.at(points, number, (times[played.board] * scale.coordinates(played)).astype(np.float32))
        np.add.at(ways, number, times[played.board])

    values_on_street(tree.game, strategy, street, take, report=report)
    points /= ways[:, None]
    return points


@dataclass(frozen=True)
class _Scale:
    """How values at N decisions become coordinates: chips that each player has put in, weights over pots."""

    put: tuple[Floats, Floats]
    factor: Floats

    @staticmethod
    def of(game: PokerGame, tree: FactoredTree, nodes: Index) -> "_Scale":
        put = np.array(
            [[float(chips) for chips in game.point(tree.betting.line[n]).betting.put] for n in nodes]
        )
        depth = np.array([_depth(tree, node) for node in nodes.tolist()])
        return _Scale((put[:, :1], put[:, 1:]), (1.0 / (1 + depth) / put.sum(axis=1))[:, None])

    def coordinates(self, played: PlayedBoard) -> Floats:
        """Return the coordinates of a board's hands, (W, 2 N)."""
        both = []
        for put, value, met in zip(self.put, played.value, played.met, strict=True):
            known = met > SMALLEST_MET * met.max(axis=1, keepdims=True)
            mean = put + value / np.where(known, met, 1.0)
            both.append(np.where(known, mean, 0.0) * self.factor)
        found: Floats = np.concatenate(both).T
        return found


def _depth(tree: FactoredTree, node: int) -> int:
    """Return the number of actions on a node's street before it."""
    betting, depth = tree.betting, 0
    while node > 0 and betting.street[betting.parent[node]] == betting.street[node]:
        node = int(betting.parent[node])
        depth += betting.player[node] >= 0
    return depth
