"""The boards of a poker game up to permutations of suits, and the hands possible on each."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.evaluation.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.suit_symmetry import Group, orbits, representatives, stabiliser, symmetries
from treeplex.seqform.trees.poker_deals import mates

Places = NDArray[np.uint16]
Index = NDArray[np.int64]


@dataclass(frozen=True)
class Hands:
    """One player's hands, and where they stand on each board.

    On the last street a board's hands stand weakest first; before, in the order of ``cards``.

    Attributes
    ----------
    cards : (H, K) int64
        Card ids of each hand, increasing; hands in the order of the game's range.
    weight : (H,) float64
        The range, divided by its largest weight.
    start : (B + 1,) int64
        Where each board's live hands start in the arrays below.
    hand : (.,) uint16
        The live hands of each board.
    above : (.,) uint16
        Where the hand stands on the board before.
    home : (.,) uint16
        Where, on the board before, the first hand of its orbit stands: the hands that suit permutations
        fixing the board before make alike.
    mate : (.,) uint16
        Where the opponent's equal hand stands on the board; how many hands the opponent has there if none.
    first : (.,) uint16
        Where the first hand of its orbit under the permutations that fix this board stands on this board.
    size : (.,) uint8
        How many hands that orbit has.
    group_start : (last boards, G + 1) uint16
        Of each board of the last street: where its hands of each strength start, in the order of the
        boards; both players' groups are of the same strengths. Padded by the last entry.
    """

    cards: NDArray[np.int64]
    weight: NDArray[np.float64]
    start: NDArray[np.int64]
    hand: Places
    above: Places
    home: Places
    mate: Places
    first: Places
    size: NDArray[np.uint8]
    group_start: Places

    def on(self, board: int) -> slice:
        """Return the stretch of a board in ``hand`` and the arrays beside it."""
        return slice(self.start[board], self.start[board + 1])


@dataclass(frozen=True)
class BoardTree:
    """Boards in preorder, the starting one first; each stands for all that its suits alone tell from it.

    At each chance node the next cards are one of each orbit under the suit permutations that fix the board
    so far and both ranges. Values of a parent's hands are then the same within each orbit of hands, so that
    the boards that one stands for give orbit O of the parent's hands together ``ways`` times the sum of its
    own hands' values over O, shared out evenly: each hand of O gets that over the size of O.

    Attributes
    ----------
    street : (B,) int8
        How often cards came.
    parent : (B,) int32
        -1 for the starting board.
    ways : (B,) int32
        How many boards, next after the parent, it stands for.
    cards : tuple of B tuples of card ids
        In the order of dealing.
    symmetric : (B,) bool
        Whether suit permutations beside the identity are left.
    hands : pair of Hands
    runouts : tuple of floats
        For each street, in how many ways its board can come after the starting one, once hands are held.
    """

    street: NDArray[np.int8]
    parent: NDArray[np.int32]
    ways: NDArray[np.int32]
    cards: tuple[Cards, ...]
    symmetric: NDArray[np.bool_]
    hands: tuple[Hands, Hands]
    runouts: tuple[float, ...]

    @property
    def n_boards(self) -> int:
        """How many boards the tree has."""
        return len(self.street)

    @cached_property
    def end(self) -> NDArray[np.int64]:
        """Where each board's subtree ends, (B,)."""
        end = np.arange(1, self.n_boards + 1)
        for board in range(self.n_boards - 1, 0, -1):
            end[self.parent[board]] = max(end[self.parent[board]], end[board])
        return end

    @staticmethod
    def of(game: PokerGame, *, isomorphism: bool = True) -> "BoardTree":
        """List the boards of a game.

        Parameters
        ----------
        game : PokerGame
            Of one or two hole cards; suits that the game hides are seen here, which changes no value, since
            they decide nothing.
        isomorphism : bool, default True
            Whether boards that suits alone tell apart are one.
        """
        group = symmetries(game)
        boards = _boards(game, group if isomorphism else group[:1])
        return _tree(game, boards)


class _Node(NamedTuple):
    """A board while the tree is listed."""

    street: int
    parent: int
    ways: int
    cards: Cards
    group: Group


def _boards(game: PokerGame, group: Group) -> list[_Node]:
    """List boards in preorder."""
    nodes: list[_Node] = []
    stack = [_Node(0, -1, 1, game.board, group)]
    dealt = _dealt(game)
    while stack:
        node = stack.pop()
        here = len(nodes)
        nodes.append(node)
        if node.street == len(dealt):
            continue
        live = [card for card in reversed(game.deck.cards) if card not in node.cards]
        nexts = orbits(node.group, list(combinations(live, dealt[node.street])))
        stack += [
            _Node(node.street + 1, here, ways, node.cards + cards, stabiliser(node.group, cards))
            for cards, ways in reversed(nexts.items())
        ]
    return nodes


def _dealt(game: PokerGame) -> list[int]:
    """Return how many cards come each time that cards come."""
    return [n for n in game.board_cards if n]


def _tree(game: PokerGame, nodes: list[_Node]) -> BoardTree:
    deals = _Deals(game, nodes)
    return BoardTree(
        street=np.array([node.street for node in nodes], np.int8),
        parent=np.array([node.parent for node in nodes], np.int32),
        ways=np.array([node.ways for node in nodes], np.int32),
        cards=tuple(node.cards for node in nodes),
        symmetric=np.array([len(node.group) > 1 for node in nodes]),
        hands=(deals.hands(0), deals.hands(1)),
        runouts=_runouts(game),
    )


def _runouts(game: PokerGame) -> tuple[float, ...]:
    left, ways = len(game.deck.cards) - len(game.board) - 2 * game.hole_cards, [1.0]
    for n in _dealt(game):
        ways.append(ways[-1] * comb(left, n))
        left -= n
    return tuple(ways)


class _Deals:
    """Both players' hands on all boards while they are listed."""

    def __init__(self, game: PokerGame, nodes: list[_Node]) -> None:
        self._game, self._nodes, self._last = game, nodes, len(_dealt(game))
        self._cards = [np.array([*one], np.int64).reshape(len(one), -1) for one in game.reach]
        first, second = self._cards
        self._mate = mates((first, second)), mates((second, first))
        self._hand: list[tuple[Index, Index]] = []
        self._groups: list[tuple[Index, Index]] = []
        for node in nodes:
            self._stand(node)

    def hands(self, player: int) -> Hands:
        """Return a player's hands."""
        live = [pair[player] for pair in self._hand]
        above: list[Index] = []
        home: list[Index] = []
        mate: list[Index] = []
        first: list[Index] = []
        size: list[Index] = []
        for b, node in enumerate(self._nodes):
            up = self._places(player, node.parent)[live[b]] if b else np.arange(len(live[0]))
            others = self._places(1 - player, b)
            mates = self._mate[player][live[b]]
            mate.append(np.where(mates < 0, len(self._hand[b][1 - player]), others[mates]))
            above.append(up)
            home.append(first[node.parent][up] if b else up)
            to, many = representatives(node.group, self._cards[player][live[b]])
            first.append(to)
            size.append(many)
        weights = [*self._game.reach[player].values()]
        groups = [pair[player] for pair in self._groups]
        longest = max(map(len, groups))
        return Hands(
            cards=self._cards[player],
            weight=np.array([float(w / max(weights)) for w in weights]),
            start=np.concatenate([[0], np.cumsum([len(one) for one in live])]).astype(np.int64),
            hand=_short(live),
            above=_short(above),
            home=_short(home),
            mate=_short(mate),
            first=_short(first),
            size=np.concatenate(size).astype(np.uint8),
            group_start=np.array(
                [np.pad(g, (0, longest - len(g)), mode="edge") for g in groups], dtype=np.uint16
            ),
        )

    def _stand(self, node: _Node) -> None:
        """Put both players' live hands of a board in order."""
        live = [np.flatnonzero(~np.isin(cards, node.cards).any(axis=1)) for cards in self._cards]
        if node.street == self._last:
            strength = [
                self._strength(cards[i], node.cards) for cards, i in zip(self._cards, live, strict=True)
            ]
            live = [i[np.argsort(s, kind="stable")] for i, s in zip(live, strength, strict=True)]
            scale = np.unique(np.concatenate(strength))
            first, second = (np.append(np.searchsorted(np.sort(s), scale), len(s)) for s in strength)
            self._groups.append((first, second))
        self._hand.append((live[0], live[1]))

    def _strength(self, hands: Index, board: Cards) -> Index:
        if self._game.ranking == "holdem" and self._game.hole_cards == 2:
            return holdem_strength(board, hands)
        return np.array([self._game.strength(tuple(hand), board) for hand in hands.tolist()], np.int64)

    def _places(self, player: int, board: int) -> Index:
        """Return where each hand stands on a board, -1 if it is dead."""
        hand = self._hand[board][player]
        place = np.full(len(self._cards[player]), -1)
        place[hand] = np.arange(len(hand))
        return place


def _short(parts: list[Index]) -> Places:
    return np.concatenate(parts).astype(np.uint16)
