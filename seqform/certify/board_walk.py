"""Values of a factored strategy and of best responses, by a depth-first walk over all real boards.

The hands of a player's range are arrays, with those that live on a board, and the numbers of boards dealt.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.real_boards import RealBoard, next_boards, real_hands, starting_board
from treeplex.seqform.certify.betting_rows import BettingStreet, betting_street
from treeplex.seqform.certify.judge_kernels import (
    JudgedHands,
    LeafBlocks,
    LeafBuffers,
    deal_down,
    deal_up,
    respond,
    respond_locked,
    spread_reach,
    value_leaves,
)
from treeplex.seqform.forms.treeplex import Floats, Index


def runouts(game: PokerGame) -> list[tuple[int, int]]:
    """Return for each deal of board cards the number of sets of cards: in all, and given both hands.

    Of listed flops it is their number, and their total weight whatever the hands: the flop was drawn first.
    """
    left, found = len(game.deck.cards) - len(game.board), []
    for n in game.board_cards:
        if n:
            found.append((comb(left, n), comb(left - 2 * game.hole_cards, n)))
            left -= n
    if game.flops is not None:
        found[0] = len(game.flops), sum(weight for _, weight in game.flops)
    return found


def n_real_boards(game: PokerGame) -> int:
    """Return the number of boards of all streets, none merged with another."""
    return sum(accumulate((every for every, _ in runouts(game)), mul, initial=1))


class RangeHands:
    """One player's hands, independent of the board.

    Attributes
    ----------
    cards : (H, 2) int64
        The second card of one-card hands is a dummy, different from all cards and the other player's.
    holds : (cards, H) bool
        Whether a hand holds a card.
    """

    def __init__(self, game: PokerGame, player: int) -> None:
        cards = np.array([*game.reach[player]], np.int64).reshape(-1, game.hole_cards)
        self._n_cards = game.deck.cards[-1] + 1
        self.n_codes = self._n_cards + 2
        spare = np.full((len(cards), 2 - game.hole_cards), self._n_cards + player)
        self.cards = np.hstack([cards, spare])
        self.holds = (cards[None] == np.arange(self._n_cards)[:, None, None]).any(axis=2)
        self._number = np.full(self._n_cards**game.hole_cards, -1)
        self._number[self._codes(cards)] = np.arange(len(cards))
        self._number[self._codes(cards[:, ::-1])] = np.arange(len(cards))

    def number(self, cards: Index) -> Index:
        """Return the index in the range of hands (., K), cards in any order; -1 if it is not in the range."""
        return self._number[self._codes(cards)]

    def _codes(self, cards: Index) -> Index:
        return cards @ self._n_cards ** np.arange(cards.shape[1])


class LiveHands(NamedTuple):
    """One player's hands on a board.

    Attributes
    ----------
    hand : (W,) int64
        The live hands, in the order of the strategy's columns.
    place : (H,) int64
        The position of each hand of the range, -1 if it is dead.
    order, strength : (W,) int64
        As in ``JudgedHands``; empty before the last street.
    """

    hand: Index
    place: Index
    order: Index
    strength: Index


def live_hands(
    game: PokerGame, one: RangeHands, boards: BoardTree, player: int, board: RealBoard
) -> LiveHands:
    """Return a player's hands on a board; strengths come from the rules.

    Parameters
    ----------
    game : PokerGame
    one : RangeHands
        The player's.
    boards : BoardTree
        Of a strategy; it has the order of hands.
    player : int
    board : RealBoard

    Raises
    ------
    ValueError
        Unless the strategy's columns are all live hands of the board, each once.
    """
    hand = one.number(real_hands(boards, player, board))
    place = np.full(len(one.cards), -1)
    place[hand] = np.arange(len(hand))
    live = ~one.holds[list(board.cards)].any(axis=0)
    once = len(hand) == live.sum() and not np.any(hand < 0)
    if not (once and np.array_equal(place >= 0, live)):
        cards = game.deck.text(board.cards) or "no board"
        raise BadInputError(f"the strategy must be for player {player}'s hands that live on {cards}")
    return LiveHands(hand, place, *_order(game, one.cards[hand, : game.hole_cards], board))


def _order(game: PokerGame, cards: Index, board: RealBoard) -> tuple[Index, Index]:
    """Return hands by strength, ascending, and the strengths; empty before the last street."""
    if len(board.cards) < game.n_board:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if game.ranking == "holdem" and game.hole_cards > 1:
        strength = holdem_strength(board.cards, cards)
    else:
        rank = RANKINGS[game.ranking]
        strength = np.array([rank(tuple(hand), board.cards) for hand in cards.tolist()], np.int64)
    order = np.argsort(strength, kind="stable")
    return order, strength[order]


COMPILED = tuple(np.dtype(name) for name in ("f8", "f4", "u2", "i4"))
"""The dtypes of tables that kernels are compiled for; others are converted to float64 board by board."""


@dataclass
class _PlayerArrays:
    """One player's reaches and values on the current board of a street.

    Attributes
    ----------
    reach_buffer, values_buffer : flat float64
        As large as any board needs.
    live : LiveHands
    reach : (rows, W) float64
    values : (V, W) float64
        Best-response values against the other's strategy.
    """

    reach_buffer: Floats
    values_buffer: Floats
    live: LiveHands
    reach: Floats
    values: Floats

    @property
    def hand(self) -> Index:
        """The live hands of the board, in the order of the strategy's columns."""
        return self.live.hand

    @property
    def place(self) -> Index:
        """The position of each hand of the range on the board, -1 if it is dead."""
        return self.live.place


class RootWorth(NamedTuple):
    """What a walk found at the root.

    Attributes
    ----------
    best : pair of (L, H) float64
        The best-response value of each hand of each range at the L lines at which the betting begins.
    earned : pair of float
        Each player's expected payoff, times both reaches.
    """

    best: tuple[Floats, Floats]
    earned: tuple[float, float]


class BoardWalk:
    """A depth-first walk over all real boards of a game; one board of each street is in memory.

    Parameters
    ----------
    game : PokerGame
    strategy : FactoredStrategy
    kept : frozenset of int, optional
        Leaves of the betting with rows of values of their own.
    until : int, optional
        The last street whose boards are visited; all streets unless given. Values of what follows it are 0.
    whole : PokerGame, optional
        The game of whose betting lines the strategy's are; ``game`` unless given.
    """

    def __init__(
        self,
        game: PokerGame,
        strategy: FactoredStrategy,
        kept: frozenset[int] = frozenset(),
        until: int | None = None,
        whole: PokerGame | None = None,
    ) -> None:
        tree = strategy.tree
        self._game, self._strategy, self._start = game, strategy, starting_board(game)
        first, second = (hands.weight for hands in tree.boards.hands)
        self._reaches = first, second
        n_streets = tree.betting.n_streets if until is None else until + 1
        self._streets = [betting_street(whole or game, tree, s, kept) for s in range(n_streets)]
        self._ranges = RangeHands(game, 0), RangeHands(game, 1)
        self._mates = [
            self._ranges[1 - p].number(one.cards[:, : game.hole_cards])
            if game.hole_cards > 1
            else np.full(len(one.cards), -1)
            for p, one in enumerate(self._ranges)
        ]
        self._players = [[self._arrays(street, p) for p in (0, 1)] for street in self._streets]
        most = max(len(one.cards) for one in self._ranges)
        self._buffers = LeafBuffers.of(most, self._ranges[0].n_codes)
        self._runouts = runouts(game)
        self.n_visited = 0

    def turn_to(self, strategy: FactoredStrategy, reaches: tuple[Floats, Floats]) -> None:
        """Walk from now on with another strategy on the same tree, hands reaching the root as given.

        Unless told otherwise they come with the weights of the ranges, scaled to at most 1.

        Parameters
        ----------
        strategy : FactoredStrategy
        reaches : pair of (H,) or (L, H) float64
            Where the betting begins at several lines, at each of them.
        """
        self._strategy, self._reaches = strategy, reaches

    def worth(self) -> tuple[list[float], list[float]]:
        """Return each player's expected payoff, and its best-response value against the other's strategy.

        Both are multiplied by the total weight of disjoint pairs of hands, weights scaled to at most 1.
        """
        earned = self._visit(self._start)
        entry = self._streets[0].entry[0]
        best = [float(own.reach[0] @ own.values[entry]) for own in self._players[0]]
        return earned, best

    def root_values(self) -> tuple[Floats, Floats]:
        """Return the best-response value of each hand of each player's range at the root, (H,)."""
        first, second = self.root().best
        return first[0], second[0]

    def root(self) -> RootWorth:
        """Return the best-response value of each hand at the root, and the expected payoffs."""
        earned = self._visit(self._start)
        found = []
        for own, one in zip(self._players[0], self._ranges, strict=True):
            values = np.zeros((len(self._streets[0].entry), len(one.cards)))
            values[:, own.hand] = own.values[self._streets[0].entry]
            found.append(values)
        return RootWorth((found[0], found[1]), (earned[0], earned[1]))

    def _arrays(self, street: BettingStreet, player: int) -> _PlayerArrays:
        n_hands = len(self._ranges[player].cards)
        rows = street.n_entries + street.n_actions[player]
        none = np.zeros((0, 0))
        buffers = np.empty(rows * n_hands), np.empty(len(street.into) * n_hands)
        nobody = LiveHands(*np.zeros((4, 0), np.int64))
        return _PlayerArrays(*buffers, nobody, none, none)

    def _visit(self, board: RealBoard) -> list[float]:
        """Compute reaches and values on a board and all below it; return each player's expected payoff."""
        self.n_visited += 1
        street = self._streets[board.street]
        for p in (0, 1):
            self._load_player(p, board)
        earned = self._leaves(board)
        if len(street.chance):
            for after in self._nexts(board):
                below, share = self._visit(after), self._share(after)
                for p in (0, 1):
                    self._add_to_parent(p, after.street, share)
                    earned[p] += share * below[p]
        for p in (0, 1):
            self._respond(p, board)
        self._leave(board)
        return earned

    def _nexts(self, board: RealBoard) -> Iterator[RealBoard]:
        """Yield the boards after a board that are to be visited."""
        if board.street == len(self._streets) - 1:
            return iter(())
        return next_boards(self._game, self._strategy.tree.boards, board)

    def _respond(self, player: int, board: RealBoard) -> None:
        """Carry a player's values up its street on a board, by best responses where it is not locked."""
        street, own = self._streets[board.street], self._players[board.street][player]
        if street.locked[player]:
            shares = np.concatenate([lock.share[:, own.hand] for lock in street.locked[player]])
            respond_locked(street.into, street.chooses[player], street.share_row[player], shares, own.values)
        else:
            respond(street.into, street.chooses[player], own.values)

    def _leave(self, board: RealBoard) -> None:
        """Read what is wanted of a board on which reaches and values are known."""

    def _share(self, board: RealBoard) -> float:
        """Return a board's probability after its parent, both hands given; a listed flop's, hands or not."""
        return board.weight / self._runouts[board.street - 1][1]

    def _load_player(self, player: int, board: RealBoard) -> None:
        """Set a player's live hands on a board and their reaches at all lines of its street."""
        street, own = self._streets[board.street], self._players[board.street][player]
        own.live = self._live(player, board)
        width = len(own.hand)
        rows = street.n_entries + street.n_actions[player]
        own.reach = own.reach_buffer[: rows * width].reshape(rows, width)
        if board.street:
            before, up = self._streets[board.street - 1], self._players[board.street - 1][player]
            deal_down(up.reach, before.chance_reach[player], up.place[own.hand], own.reach)
        else:
            own.reach[: street.n_entries] = self._reaches[player][..., own.hand]
        spread_reach(street.decisions[player], street.n_entries, self._table(player, board), own.reach)
        own.values = own.values_buffer[: len(street.into) * width].reshape(len(street.into), width)
        own.values.fill(0.0)
        own.values[street.chooses[player]] = -np.inf
        for lock in street.locked[player]:
            own.values[lock.row, lock.share[0, own.hand] >= 0] = 0.0

    def _live(self, player: int, board: RealBoard) -> LiveHands:
        """Return a player's hands on a board."""
        return live_hands(self._game, self._ranges[player], self._strategy.tree.boards, player, board)

    def _table(self, player: int, board: RealBoard) -> NDArray[np.generic]:
        base = self._strategy.tree.base[player]
        part = np.asarray(self._strategy.weight[player][base[board.image] : base[board.image + 1]])
        locks, hand = self._streets[board.street].locked[player], self._players[board.street][player].hand
        part = part if part.dtype in COMPILED and not locks else part.astype(np.float64)
        part = part.reshape(self._streets[board.street].n_actions[player], len(hand))
        for lock in locks:
            share = lock.share[:, hand]
            rows = part[lock.slot : lock.slot + len(share)]
            rows[:] = np.where(share < 0, rows, share)
        return part

    def _leaves(self, board: RealBoard) -> list[float]:
        """Add the values of the leaves of a board's street; return each player's expected payoff there."""
        street, players = self._streets[board.street], self._players[board.street]
        hands = self._hands(board)
        return [
            self._value(p, hands, street.leaves[p], street.chooses[p], players[p].values, board)
            for p in (0, 1)
        ]

    def _hands(self, board: RealBoard) -> tuple[JudgedHands, JudgedHands]:
        """Return both players' hands on a board, as the kernel takes them."""
        first, second = (
            JudgedHands(own.reach, self._ranges[p].cards[own.hand], own.live.order, own.live.strength)
            for p, own in enumerate(self._players[board.street])
        )
        return first, second

    def _value(
        self,
        player: int,
        hands: tuple[JudgedHands, JudgedHands],
        leaves: LeafBlocks,
        chooses: NDArray[np.bool_],
        values: Floats,
        board: RealBoard,
    ) -> float:
        """Add the values of leaves to rows of ``values``; return the player's expected payoff there."""
        own, other = self._players[board.street][player], self._players[board.street][1 - player]
        mates = self._mates[player][own.hand]
        mate = np.where(mates < 0, len(other.hand), other.place[mates])
        earned = value_leaves(leaves, chooses, hands[player], hands[1 - player], mate, self._buffers, values)
        return float(earned)

    def _add_to_parent(self, player: int, street: int, share: float) -> None:
        """Add ``share`` times the values of a board to those of its parent board."""
        before, up = self._streets[street - 1], self._players[street - 1][player]
        own = self._players[street][player]
        above = up.place[own.hand]
        deal_up(own.values, self._streets[street].entry, above, share, up.values, before.chance)
