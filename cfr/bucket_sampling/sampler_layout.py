"""A poker game and its abstraction as flat arrays for sampled traversals.

Public clusters are classes of the first board cards, put together so that each cluster has its own tables.
"""

from dataclasses import dataclass
from math import frexp

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.sampling.poker_deals import CardArrays, card_arrays
from treeplex.cfr.sampling.poker_infosets import SHOWDOWN, BettingLines, Records, betting_lines
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.forms.treeplex import Index


@dataclass(frozen=True)
class PublicClusters:
    """The public cluster of each class of first board cards, such as flops up to suits.

    Attributes
    ----------
    index : HandIndex or None
        Numbers the classes; None where no board card is dealt, or there is one cluster.
    cluster : (classes,) int64
        The cluster of each class.
    count : int
        Number of clusters.
    most : int
        The number that was asked for, which cuts the classes.
    """

    index: HandIndex | None
    cluster: Index
    count: int
    most: int

    def of(self, cards: Index) -> Index:
        """Return the cluster of first board cards (N, cards), (N,) int64; raises as ``HandIndex.of``."""
        if self.index is None:
            return np.zeros(len(cards), np.int64)
        return self.cluster[self.index.of(cards)]


def public_clusters(deck: Deck, rounds: tuple[int, ...], most: int) -> PublicClusters:
    """Return at most so many clusters of the first board cards, about equally likely.

    Classes in the order of their ranks, the highest first, are cut into parts: flops with an ace, then with
    a king, and so on.

    Parameters
    ----------
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.
    most : int
        At least 1.
    """
    if len(rounds) == 1 or most == 1:
        return PublicClusters(None, np.zeros(0, np.int64), 1, most)
    index = HandIndex(deck, rounds[1:2])
    classes = np.arange(index.size)
    cluster = np.empty(index.size, np.int64)
    order = _by_ranks(index.cards(classes))
    weight = index.orbit(classes)[order]
    middle = 2 * np.cumsum(weight) - weight
    cluster[order] = middle * most // (2 * weight.sum())
    found, compact = np.unique(cluster, return_inverse=True)
    if len(found) == 1:
        return PublicClusters(None, np.zeros(0, np.int64), 1, most)
    return PublicClusters(index, compact, len(found), most)


def _by_ranks(cards: Index) -> NDArray[np.intp]:
    """Return the order of sets of cards (N, cards) by their ranks, from the highest set down."""
    ranks = np.sort(cards // 4, axis=1)
    return np.lexsort(tuple(-ranks.T))


STAKE_BITS = 18
"""The largest stake has so many bits in units of regrets, which are a power of two of chips: a regret is
rounded to less than 1e-5 of it, and int32 hold 8,192 of it."""
NODE = np.dtype(
    [("kind", "u1"), ("street", "u1"), ("count", "u2"), ("first", "u4"), ("base", "i8"), ("payoff", "f8")],
    align=True,
)
"""Record of a betting line with several actions, or of the end of a hand; see ``BlueprintLayout.nodes``."""


@dataclass(frozen=True)
class BlueprintLayout:
    """Betting lines, cards and public clusters of a game, and where rows of tables lie.

    A cluster's table is flat: lines of the first street first, then by street; for each line a row of actions
    for each bucket. Entry ``base + bucket * count + a`` is action a of a line.

    Attributes
    ----------
    game : PokerGame
    abstraction : CardAbstraction
    clusters : PublicClusters
    lines : BettingLines
    cards : CardArrays
    nodes : (N,) records of ``NODE``
        ``kind`` is 0 or 1 where a player acts, else ``SHOWDOWN`` or ``FOLDED`` of
        ``treeplex.cfr.sampling.poker_infosets``; ``street`` counts deals of board cards; the children are
        ``first`` to ``first + count - 1``; ``base`` is the line's first entry in tables; ``payoff`` is
        player 0's after a fold, else what the better hand wins, in units of regrets.
    length : int
        Entries of a cluster's table.
    shared : int
        Entries of the first street, which all clusters have in common; 0 if there is one cluster.
    unit : float
        The unit of regrets, in chips: a power of two.
    """

    game: PokerGame
    abstraction: CardAbstraction
    clusters: PublicClusters
    lines: BettingLines
    cards: CardArrays
    nodes: Records
    length: int
    shared: int
    unit: float

    @property
    def drawn(self) -> int:
        """Number of cards that are dealt to a traversal, each by one random number."""
        return 2 * self.cards.hole + self.cards.n_dealt

    @property
    def stake(self) -> float:
        """The largest stake, in units of regrets."""
        return float(np.abs(self.nodes["payoff"]).max())


def blueprint_layout(
    game: PokerGame, abstraction: CardAbstraction, clusters: int, report: Report = quiet
) -> BlueprintLayout:
    """Lay out a game with an abstraction and at most so many public clusters.

    Raises
    ------
    ValueError
        If the abstraction is of another game, or it has too many betting lines.
    OverflowError
        If a payoff is too large for a float.
    """
    abstraction = abstraction.of_game(game)
    cards = card_arrays(game)
    lines = betting_lines(BettingTree.of(game, report=report), game.board_cards)
    public = public_clusters(game.deck, abstraction.rounds, clusters)
    nodes = np.zeros(len(lines.nodes), dtype=NODE)
    for name in ("kind", "count", "first"):
        nodes[name] = lines.nodes[name]
    street_of = np.cumsum(np.array(game.board_cards) > 0)
    nodes["street"] = street_of[lines.nodes["round"]]
    payoff = lines.nodes["payoff"]
    unit = 2.0 ** (frexp(float(np.abs(payoff).max()))[1] - STAKE_BITS)
    nodes["payoff"] = payoff / unit
    length, shared = _write_bases(nodes, np.array(abstraction.counts))
    return BlueprintLayout(
        game, abstraction, public, lines, cards, nodes, length, shared if public.count > 1 else 0, unit
    )


def _write_bases(nodes: Records, counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, int]:
    """Write where the rows of each line begin; return the entries of all streets and of the first one."""
    acting = np.flatnonzero(nodes["kind"] < SHOWDOWN)
    order = acting[np.argsort(nodes["street"][acting], kind="stable")]
    size = nodes["count"][order].astype(np.int64) * counts[nodes["street"][order]]
    nodes["base"][order] = np.cumsum(size) - size
    return int(size.sum()), int(size[nodes["street"][order] == 0].sum())
