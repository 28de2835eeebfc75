"""Infosets of a poker game as 64-bit integers of betting line, hand and board, up to suit symmetry.

The betting tree is in flat records for sampled traversals, nodes with one child left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.sampling.poker_deals import CardArrays, card_arrays
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.forms.treeplex import Index

Records = NDArray[np.void]
SHOWDOWN, FOLDED = 2, 3
"""Kinds of nodes at which no player acts."""
LINE = np.dtype(
    [("kind", "u1"), ("round", "u1"), ("count", "u2"), ("first", "u4"), ("payoff", "f8")], align=True
)
"""Record of a betting line with several actions, or of the end of a hand.

``kind`` is 0 or 1 where a player acts, ``SHOWDOWN`` or ``FOLDED``; ``round`` is that of the last board cards
dealt. The children are ``first`` to ``first + count - 1``. ``payoff`` is player 0's after a fold, else what
the better hand wins.
"""


@dataclass(frozen=True)
class BettingLines:
    """All betting lines with several actions and all ends, parents before children.

    Attributes
    ----------
    nodes : (N,) records of ``LINE``
        Children are neighbours, in preorder of their parents.
    names : tuple of N str
        The betting line as infosets are keyed by it; empty at leaves.
    actions : tuple of N tuples of str
        The labels of the legal actions; none at leaves.
    """

    nodes: Records
    names: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """The node of each line with several actions."""
        return {self.names[n]: n for n, actions in enumerate(self.actions) if actions}


def betting_lines(tree: BettingTree, board_cards: Sequence[int]) -> BettingLines:
    """Lay out a betting tree, nodes with a single child left out.

    In preorder such a node comes right before its child. So each node that is kept replaces, among the
    children of its nearest kept ancestor, the first node after the previous kept one.

    Parameters
    ----------
    tree : BettingTree
    board_cards : sequence of int
        Cards dealt before each round; the tree's streets after the first are the rounds with cards.

    Raises
    ------
    OverflowError
        If a payoff is too large for a float.
    """
    n_children = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    kept = np.flatnonzero(n_children != 1)
    count = n_children[kept]
    first = 1 + np.cumsum(count) - count
    child = kept[:-1] + 1
    place = np.argsort(tree.parent[child], kind="stable")  # of node 1, 2, ... among ``child``
    by_number = np.concatenate(([0], 1 + place))
    node = kept[by_number]
    round_of = np.array([0, *(r for r, n in enumerate(board_cards) if n)])
    over = tree.player[node] == TERMINAL
    nodes = np.zeros(len(node), dtype=LINE)
    nodes["kind"] = np.where(over, np.where(tree.showdown[node], SHOWDOWN, FOLDED), tree.player[node])
    nodes["round"] = round_of[tree.street[node]]
    nodes["count"], nodes["first"] = count[by_number], first[by_number]
    nodes["payoff"] = [int(stake) / tree.stake_den for stake in tree.stake[node]]
    labels = [tree.action[c] for c in child[place].tolist()]
    ends = zip(nodes["first"].tolist(), (nodes["first"] + nodes["count"]).tolist(), strict=True)
    return BettingLines(
        nodes,
        tuple("" if end else tree.line[n] for n, end in zip(node.tolist(), over.tolist(), strict=True)),
        tuple(tuple(labels[lo - 1 : hi - 1]) for lo, hi in ends),
    )


@njit(cache=True)
def line_needs(nodes: Records, player: int) -> tuple[int, int, int]:
    """Return the largest numbers of infosets, actions and places of a player's traversal.

    All actions of the player are tried and one of the other player.
    """
    infosets, actions, places = np.zeros((3, len(nodes)), dtype=np.int64)
    for n in range(len(nodes) - 1, -1, -1):
        kind, lo, hi = nodes[n].kind, nodes[n].first, nodes[n].first + nodes[n].count
        if kind == player:
            infosets[n] = 1 + infosets[lo:hi].sum()
            actions[n] = hi - lo + actions[lo:hi].sum()
            places[n] = hi - lo + places[lo:hi].sum()
        elif kind == 1 - player:
            infosets[n] = 1 + infosets[lo:hi].max()
            actions[n] = hi - lo + actions[lo:hi].max()
            places[n] = places[lo:hi].max()
    return infosets[0], actions[0], 1 + places[0]


KEY_BITS = 64
MOST_LINES = 2_000_000
"""Largest number of betting lines that is enumerated."""


@dataclass(frozen=True)
class PokerLayout:
    """A poker game as kernels read it, and the map between its infosets and integers.

    The high bits of an integer are the number of the betting line, the low bits the sorted symbols of the
    hand and of each street of the board. Infosets that a suit permutation which leaves the game invariant
    (``symmetries``) maps to each other share the smallest of their integers.

    Attributes
    ----------
    game : PokerGame
    lines : BettingLines
    cards : CardArrays
    shift : int
        Bits of the symbols.
    """

    game: PokerGame
    lines: BettingLines
    cards: CardArrays
    shift: int

    def key(self, text: str) -> int:
        """Return the integer of an infoset.

        Raises
        ------
        ValueError
            If the text is no key of an infoset with several actions.
        """
        cards, colon, line = text.partition(":")
        node = self.lines.index.get(line) if colon else None
        places = None if node is None else self._places(cards, self._sizes(node))
        if node is None or places is None:
            raise BadInputError(f"{text!r} is no infoset of {self.game.name} with a choice")
        return node << self.shift | min(self._code(q, places, self._sizes(node)) for q in self.cards.symbol)

    def text(self, key: int) -> str:
        """Return the key of an infoset as text; the first of those with the same integer."""
        node, code = key >> self.shift, key & ((1 << self.shift) - 1)
        parts: list[Cards] = []
        for size in reversed(self._sizes(node)):
            symbols = [code >> k * self.cards.bits & ((1 << self.cards.bits) - 1) for k in range(size)]
            parts.append(tuple(self._card_of[s] for s in symbols))
            code >>= size * self.cards.bits
        hand, *streets = reversed(parts)
        board = "".join(self._written(street) for street in streets)
        return f"{self._written(hand)}{self.game.joiner}{self._given}{board}:{self.lines.names[node]}"

    def player(self, key: int) -> int:
        """Return who acts at an infoset."""
        return int(self.lines.nodes[key >> self.shift]["kind"])

    def actions(self, key: int) -> tuple[str, ...]:
        """Return the labels of the actions at an infoset."""
        return self.lines.actions[key >> self.shift]

    def _sizes(self, node: int) -> list[int]:
        """Return the numbers of cards of the hand and of each street dealt at a line."""
        return [self.cards.hole, *self.cards.streets[: int(self.lines.nodes[node]["round"]) + 1].tolist()]

    def _code(self, symbol: Index, places: list[int], sizes: list[int]) -> int:
        """Return the symbols of a hand and the streets after it as an integer."""
        code, begin = 0, 0
        for size in sizes:
            for s in sorted(symbol[places[begin : begin + size]].tolist()):
                code = code << self.cards.bits | s
            begin += size
        return code

    def _places(self, cards: str, sizes: list[int]) -> list[int] | None:
        """Return the indices of a hand's and a board's cards; None if the text is not of such cards."""
        numbered = self.game.deck.is_numbered
        whole = len(cards) if numbered else self.game.hole_cards * self._width
        hand, bar, board = cards.partition("|") if self.game.joiner else (cards[:whole], "", cards[whole:])
        if bar != self.game.joiner or not board.startswith(self._given):
            return None
        board = board.removeprefix(self._given)
        words = [[text] if text and numbered else self._words(text) for text in (hand, board)]
        places = [self._place_of.get(word) for part in words for word in part]
        known = [place for place in places if place is not None]
        repeated = len(set(known)) < len(known) and not self.game.sees_ranks_only
        fits = len(words[0]) == sizes[0] and len(known) == len(places) == sum(sizes)
        return known if fits and not repeated else None

    def _words(self, text: str) -> list[str]:
        return [text[k : k + self._width] for k in range(0, len(text), self._width)]

    def _written(self, cards: Cards) -> str:
        return self.game.deck.key_text(cards, (len(cards),), self.game.sees_ranks_only)

    @cached_property
    def _width(self) -> int:
        """Letters per card."""
        return 1 if self.game.sees_ranks_only else 2

    @cached_property
    def _given(self) -> str:
        """The text of the starting board."""
        return self.game.public_key(self.game.board, "").removesuffix(":")

    @cached_property
    def _card_of(self) -> dict[int, int]:
        """A card for each symbol."""
        return dict(zip(self.cards.symbol[0].tolist(), self.cards.live.tolist(), strict=True))

    @cached_property
    def _place_of(self) -> dict[str, int]:
        """The index among the live cards for each word of a key."""
        deck = self.game.deck
        text = deck.rank_text if self.game.sees_ranks_only else deck.card_text
        return {text[card]: k for k, card in enumerate(self.cards.live.tolist())}


def poker_layout(game: PokerGame, report: Report = quiet) -> PokerLayout:
    """Enumerate the betting lines of a game and lay out its cards.

    ``report`` is told a few times a second how many lines there are so far.

    Raises
    ------
    ValueError
        If there are too many betting lines, or a key would not fit into 64 bits.
    OverflowError
        If a payoff is too large for a float.
    """
    tree, cards = BettingTree.of(game, MOST_LINES, report=report), card_arrays(game)
    lines = betting_lines(tree, game.board_cards)
    shift = cards.bits * (cards.hole + cards.n_dealt)
    needed = shift + (len(lines.nodes) - 1).bit_length()
    if needed > KEY_BITS:
        raise BadInputError(
            f"an infoset's key must fit into {KEY_BITS} bits, got {needed}: fewer bets or cards"
        )
    return PokerLayout(game, lines, cards, shift)
