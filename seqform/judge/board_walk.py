"""Value of a strategy and of best responses to it, by a depth-first walk over all boards."""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from treeplex.games.evaluation.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.factored.real_boards import RealBoard, next_boards, real_hands, starting_board
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.betting_rows import BettingStreet, betting_street
from treeplex.seqform.judge.kernels import deal_down, deal_up, respond, respond_locked, spread_reach
from treeplex.seqform.judge.leaves import Hands, LeafBlocks, LeafBuffers, value_leaves

COMPILED = tuple(np.dtype(name) for name in ("f8", "f4", "u2"))
"""The types of tables that kernels are compiled for; others are turned into float64 board by board."""


def runouts(game: PokerGame) -> list[tuple[int, int]]:
    """Return, for each time cards come, how many sets may come: in all, and once two hands are held."""
    left, found = len(game.deck.cards) - len(game.board), []
    for n in game.board_cards:
        if n:
            found.append((comb(left, n), comb(left - 2 * game.hole_cards, n)))
            left -= n
    return found


class _Range:
    """One player's hands, whatever the board.

    Attributes
    ----------
    cards : (H, 2) int64
        With one card a hand, the second is a number that no card and no hand of the other player has.
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
        """Return the place of hands (., K), cards in any order, in the range; -1 where it has none."""
        return self._number[self._codes(cards)]

    def _codes(self, cards: Index) -> Index:
        return cards @ self._n_cards ** np.arange(cards.shape[1])


@dataclass
class _Seat:
    """One player's numbers on the board of a street that is being visited.

    Attributes
    ----------
    room_for_reach, room_for_values : flat float64
        As large as any board needs.
    place : (H,) int64
        Where each hand of the range stands on the board, -1 if it is dead.
    hand : (W,) int64
        The hands that live on the board, in the order of the strategy's columns.
    reach : (rows, W) float64
    values : (rows, W) float64
        What the player can get against the other's strategy.
    """

    room_for_reach: Floats
    room_for_values: Floats
    place: Index
    hand: Index
    reach: Floats
    values: Floats


class BoardWalk:
    """A walk over all real boards of a game with a strategy, which holds one board a street at a time."""

    def __init__(self, game: PokerGame, strategy: FactoredStrategy) -> None:
        tree = strategy.tree
        self._game, self._strategy = game, strategy
        self._streets = [betting_street(game, tree, s) for s in range(tree.betting.n_streets)]
        self._ranges = _Range(game, 0), _Range(game, 1)
        self._mates = [
            self._ranges[1 - p].number(one.cards[:, : game.hole_cards])
            if game.hole_cards > 1
            else np.full(len(one.cards), -1)
            for p, one in enumerate(self._ranges)
        ]
        self._seats = [[self._seat(street, p) for p in (0, 1)] for street in self._streets]
        most = max(len(one.cards) for one in self._ranges)
        self._buffers = LeafBuffers.of(most, self._ranges[0].n_codes)
        self._runouts = runouts(game)
        self.n_visited = 0

    def worth(self) -> tuple[list[float], list[float]]:
        """Return what each player earns, and what each could earn at best against the other's strategy.

        Both times the weight of all pairs of hands that can be held together, weights at most 1.
        """
        earned = self._visit(starting_board(self._game))
        entry = self._streets[0].entry[0]
        best = [float(seat.reach[0] @ seat.values[entry]) for seat in self._seats[0]]
        return earned, best

    def _seat(self, street: BettingStreet, player: int) -> _Seat:
        n_hands = len(self._ranges[player].cards)
        rows = street.n_entries + street.n_actions[player]
        none = np.zeros((0, 0))
        room = np.empty(rows * n_hands), np.empty(len(street.into) * n_hands)
        return _Seat(*room, np.full(n_hands, -1), np.zeros(0, np.int64), none, none)

    def _visit(self, board: RealBoard) -> list[float]:
        """Visit a board and all after it: fill its seats, return what each player earns there."""
        self.n_visited += 1
        street, seats = self._streets[board.street], self._seats[board.street]
        for p in (0, 1):
            self._take_seat(p, board)
        earned = self._leaves(board)
        if len(street.chance):
            share = 1.0 / self._runouts[board.street][1]
            for after in next_boards(self._game, self._strategy.tree.boards, board):
                below = self._visit(after)
                for p in (0, 1):
                    self._hand_back(p, after.street, share)
                    earned[p] += share * below[p]
        for p, seat in enumerate(seats):
            if street.locked[p]:
                shares = np.concatenate([lock.share[:, seat.hand] for lock in street.locked[p]])
                respond_locked(street.into, street.chooses[p], street.share_row[p], shares, seat.values)
            else:
                respond(street.into, street.chooses[p], seat.values)
        return earned

    def _take_seat(self, player: int, board: RealBoard) -> None:
        """Find a player's hands on a board, and their reaches at all lines of its street."""
        street, seat = self._streets[board.street], self._seats[board.street][player]
        seat.hand = self._ranges[player].number(real_hands(self._strategy.tree.boards, player, board))
        width = len(seat.hand)
        seat.place[:] = -1
        seat.place[seat.hand] = np.arange(width)
        self._check_hands(player, board)
        rows = street.n_entries + street.n_actions[player]
        seat.reach = seat.room_for_reach[: rows * width].reshape(rows, width)
        if board.street:
            before, up = self._streets[board.street - 1], self._seats[board.street - 1][player]
            deal_down(up.reach, before.chance_reach[player], up.place[seat.hand], seat.reach)
        else:
            seat.reach[0] = self._strategy.tree.boards.hands[player].weight[seat.hand]
        spread_reach(street.decisions[player], street.n_entries, self._table(player, board), seat.reach)
        seat.values = seat.room_for_values[: len(street.into) * width].reshape(len(street.into), width)
        seat.values.fill(0.0)
        seat.values[street.chooses[player]] = -np.inf
        for lock in street.locked[player]:
            seat.values[lock.row, lock.share[0, seat.hand] >= 0] = 0.0

    def _check_hands(self, player: int, board: RealBoard) -> None:
        """Refuse columns that are not all the hands that live on a board, each once."""
        seat = self._seats[board.street][player]
        live = ~self._ranges[player].holds[list(board.cards)].any(axis=0)
        once = len(seat.hand) == live.sum() and not np.any(seat.hand < 0)
        if not (once and np.array_equal(seat.place >= 0, live)):
            cards = self._game.deck.text(board.cards) or "no board"
            raise ValueError(f"the strategy must be for player {player}'s hands that live on {cards}")

    def _table(self, player: int, board: RealBoard) -> NDArray[np.generic]:
        base = self._strategy.tree.base[player]
        part = np.asarray(self._strategy.weight[player][base[board.image] : base[board.image + 1]])
        locks, hand = self._streets[board.street].locked[player], self._seats[board.street][player].hand
        part = part if part.dtype in COMPILED and not locks else part.astype(np.float64)
        part = part.reshape(self._streets[board.street].n_actions[player], len(hand))
        for lock in locks:
            share = lock.share[:, hand]
            rows = part[lock.slot : lock.slot + len(share)]
            rows[:] = np.where(share < 0, rows, share)
        return part

    def _leaves(self, board: RealBoard) -> list[float]:
        """Value the leaves of a board's street; return what each player earns there."""
        street, seats = self._streets[board.street], self._seats[board.street]
        hands = self._hands(board)
        return [
            self._value(p, hands, street.leaves[p], street.chooses[p], seats[p].values, board) for p in (0, 1)
        ]

    def _hands(self, board: RealBoard) -> tuple[Hands, Hands]:
        """Return both players' hands on a board, as the kernel reads them."""
        first, second = (
            Hands(seat.reach, self._ranges[p].cards[seat.hand], *self._order(p, board))
            for p, seat in enumerate(self._seats[board.street])
        )
        return first, second

    def _value(
        self,
        player: int,
        hands: tuple[Hands, Hands],
        leaves: LeafBlocks,
        chooses: NDArray[np.bool_],
        values: Floats,
        board: RealBoard,
    ) -> float:
        """Add what a player's hands earn at some leaves to rows of values; return what the player earns."""
        own, other = self._seats[board.street][player], self._seats[board.street][1 - player]
        mates = self._mates[player][own.hand]
        mate = np.where(mates < 0, len(other.hand), other.place[mates])
        earned = value_leaves(leaves, chooses, hands[player], hands[1 - player], mate, self._buffers, values)
        return float(earned)

    def _order(self, player: int, board: RealBoard) -> tuple[Index, Index]:
        """Return a player's hands from the weakest to the strongest, and their strengths; empty early on."""
        if board.street < len(self._streets) - 1:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        cards = self._ranges[player].cards[self._seats[board.street][player].hand, : self._game.hole_cards]
        if self._game.ranking == "holdem" and self._game.hole_cards > 1:
            strength = holdem_strength(board.cards, cards)
        else:
            rank = RANKINGS[self._game.ranking]
            strength = np.array([rank(tuple(hand), board.cards) for hand in cards.tolist()], np.int64)
        order = np.argsort(strength, kind="stable")
        return order, strength[order]

    def _hand_back(self, player: int, street: int, share: float) -> None:
        """Add the values of a board to those of the board before it."""
        before, up = self._streets[street - 1], self._seats[street - 1][player]
        seat = self._seats[street][player]
        above = up.place[seat.hand]
        deal_up(seat.values, self._streets[street].entry, above, share, up.values, before.chance)
