"""Values of hands at chosen decisions on boards of a whole game, under factored strategies.

Counterfactual values at a decision on a board, under a strategy of both players; reaches and best-response
values at chosen public states, by one walk over the game's boards.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, check_strategy, check_tables
from treeplex.seqform.boards.real_boards import RealBoard, boards_to, next_boards, starting_board
from treeplex.seqform.certify.board_walk import BoardWalk, LiveHands
from treeplex.seqform.certify.judge_kernels import LeafBlocks, spread_reach
from treeplex.seqform.forms.treeplex import Floats, Index

KNOWN_HANDS = 256
"""Players times boards whose live hands are kept from one decision to the next: all boards after a turn."""


def range_values(
    game: PokerGame, strategy: FactoredStrategy, reaches: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return the best-response value of each hand at the root against a strategy, hands reached as given.

    It is the sum over the opponent's hands of the opponent's reach times the payoff, averaged over later
    boards; every later real board is visited, as for certificates.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards; a subgame in most cases.
    strategy : FactoredStrategy
        On a tree of this game, with boards merged or not.
    reaches : pair of (H,) float64
        The weight with which each hand of each player's range comes to the root, chance included.

    Returns
    -------
    pair of (H,) float64
        Each player's values, hands in the order of its range, in the game's unit.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """
    return RangeJudge(game, strategy).values(strategy, reaches)


def played_values(game: PokerGame, strategy: FactoredStrategy, player: int, reach: Floats) -> Floats:
    """Return what each hand of a player gets at the root if both play the strategy, (H,).

    It is the sum over the opponent's hands of the opponent's reach times the expected payoff, averaged over
    later boards; every later real board is visited.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards; a subgame in most cases.
    strategy : FactoredStrategy
        On a tree of this game.
    player : int
    reach : (H,) float64
        The weight with which each hand of the other player's range comes to the root.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """
    check_strategy(game, strategy)
    ones = np.ones(len(strategy.tree.boards.hands[player].weight))
    reaches = (ones, reach) if player == 0 else (reach, ones)
    walk = _RootWalk(game, strategy, player, 0)
    walk.turn_to(strategy, reaches)
    return walk.values()


class RangeJudge:
    """The values of :func:`range_values` for many strategies on one tree, which is checked once.

    Parameters
    ----------
    game : PokerGame
    strategy : FactoredStrategy
        The first of them.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """

    def __init__(self, game: PokerGame, strategy: FactoredStrategy) -> None:
        check_strategy(game, strategy)
        self._tree, self._walk = strategy.tree, BoardWalk(game, strategy)

    def values(self, strategy: FactoredStrategy, reaches: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Return the best-response value of each hand of each player's range at the root, (H,).

        Raises
        ------
        ValueError
            If the strategy is on another tree, or a weight is negative, NaN or infinite.
        """
        if strategy.tree is not self._tree:
            raise BadInputError(
                f"the strategy must be on the tree of the first one, of {self._tree.game.name}"
            )
        check_tables(strategy)
        self._walk.turn_to(strategy, reaches)
        return self._walk.root_values()


class HandValues:
    """Counterfactual values of hands at decisions on boards, under both players' strategies.

    A hand's value is the sum over the opponent's hands of the expected payoff (averaged over later boards)
    times the weight of the opponent's hand in its range (scaled to largest weight 1) times the opponent's
    reach. Every later real board is visited, as for certificates.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards.
    strategy : FactoredStrategy
        On a tree of this game, with boards merged or not; its tables do not change afterwards.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """

    def __init__(self, game: PokerGame, strategy: FactoredStrategy) -> None:
        check_strategy(game, strategy)
        self.strategy = strategy
        self._game, self._walk = game, _ValueWalk(game, strategy)

    def at(self, node: int, board: Cards) -> Floats:
        """Return the value of each hand of the player who acts at a node, on a board.

        Parameters
        ----------
        node : int
            Of the strategy's betting.
        board : tuple of card ids
            In the order of dealing, the starting board first.

        Returns
        -------
        (H,) float64
            In the order of ``real_boards.real_hands``, in the game's unit.

        Raises
        ------
        ValueError
            If nobody acts at the node, or the board is not of its street.
        """
        tree = self.strategy.tree
        if not (0 <= node < tree.betting.n_nodes and tree.betting.player[node] >= 0):
            raise BadInputError(f"node must be one at which a player acts, got {node}")
        line = boards_to(self._game, tree.boards, board)
        if line[-1].street != tree.betting.street[node]:
            raise BadInputError(f"the board must be of street {tree.betting.street[node]}, got {board}")
        return self._walk.values(node, line)


class _PlayedWalk(BoardWalk):
    """A walk that adds up what one player gets if both play the strategy, hand by hand.

    Parameters
    ----------
    game : PokerGame
    strategy : FactoredStrategy
    player : int
    street : int
        On which the sum begins.

    Attributes
    ----------
    _following_leaves : list
        For each street from that on, the leaves that count, and their rows of the player's reach.
    """

    def __init__(self, game: PokerGame, strategy: FactoredStrategy, player: int, street: int) -> None:
        super().__init__(game, strategy)
        self._player, self._street = player, street
        self._following_leaves: list[tuple[LeafBlocks, Index]] = []

    def _leaves_of(self, street: int, rows: Index) -> tuple[LeafBlocks, Index]:
        """Return the leaves with these rows of the player's reach, and the distinct rows, for values."""
        leaves = self._streets[street].leaves[self._player]
        block = np.repeat(np.arange(len(leaves.blocks)), np.diff(leaves.leaf_start))
        follows = np.isin(leaves.leaf[:, 2], rows)
        used = np.unique(block[follows])
        leaf = leaves.leaf[follows]
        row, leaf[:, 3] = np.unique(leaf[:, 2], return_inverse=True)
        selected = leaves._replace(
            blocks=leaves.blocks[used],
            compares=leaves.compares[used],
            leaf_start=np.searchsorted(block[follows], np.append(used, len(leaves.blocks))),
            leaf=leaf,
            stake=leaves.stake[follows],
        )
        return selected, row

    def _below(self, board: RealBoard) -> Floats:
        """Return the value of each hand, summed over the leaves of a board and of all below it."""
        values = self._at_leaves(board)
        if not any(len(row) for _, row in self._following_leaves[board.street + 1 - self._street :]):
            return values
        place = self._players[board.street][self._player].place
        for after in next_boards(self._game, self._strategy.tree.boards, board):
            for p in (0, 1):
                self._load_player(p, after)
            below = self._below(after)
            values[place[self._players[after.street][self._player].hand]] += self._share(after) * below
        return values

    def _at_leaves(self, board: RealBoard) -> Floats:
        p, (leaves, row) = self._player, self._following_leaves[board.street - self._street]
        own = self._players[board.street][p]
        values, chooses = np.zeros((len(row), len(own.hand))), np.zeros(len(row), np.bool_)
        self._value(p, self._hands(board), leaves, chooses, values, board)
        return np.asarray((values * own.reach[row]).sum(axis=0))


class _ValueWalk(_PlayedWalk):
    """Walks along one line of boards to a decision, then over all boards below it.

    The acting player's reach is 1 at the decision and 0 at lines that do not follow it, so that the sum of
    leaf values times reaches is the value of the decision.
    """

    def __init__(self, game: PokerGame, strategy: FactoredStrategy) -> None:
        super().__init__(game, strategy, 0, 0)
        self._known = lru_cache(maxsize=KNOWN_HANDS)(super()._live)

    def _live(self, player: int, board: RealBoard) -> LiveHands:
        return self._known(player, board)

    def values(self, node: int, line: tuple[RealBoard, ...]) -> Floats:
        """Return the values at a node on the last of a line of boards."""
        betting = self._strategy.tree.betting
        self._player, self._street = int(betting.player[node]), int(betting.street[node])
        decisions = self._following(node)
        self._following_leaves = [self._leaves_of(s, rows) for s, rows in self._rows(decisions)]
        for board in line:
            for p in (0, 1):
                self._load_player(p, board)
        street, own = self._streets[self._street], self._players[self._street][self._player]
        before = decisions[0, 0]
        own.reach.fill(0.0)
        own.reach[before] = 1.0
        spread_reach(decisions, street.n_entries, self._table(self._player, line[-1]), own.reach)
        own.reach[before] = 0.0
        return self._below(line[-1])

    def _following(self, node: int) -> Index:
        """Return the player's decisions from a node on, on its street, as ``spread_reach`` takes them."""
        street, slot = self._streets[self._street], self._strategy.tree.slot[node]
        found: list[list[int]] = []
        rows: set[int] = set()
        for source, first, count in street.decisions[self._player].tolist():
            if first == slot or source in rows:
                found.append([source, first, count])
                rows |= {street.n_entries + first + a for a in range(count)}
        return np.array(found, np.int64)

    def _rows(self, below: Index) -> list[tuple[int, Index]]:
        """Return the rows of the player's reach that follow decisions of the node's street, by street."""
        found, entries = [], np.zeros(0, np.int64)
        for s in range(self._street, len(self._streets)):
            street, rows = self._streets[s], {*entries.tolist()}
            decisions = below if s == self._street else street.decisions[self._player]
            for source, first, count in decisions.tolist():
                if s == self._street or source in rows:
                    rows |= {street.n_entries + first + a for a in range(count)}
            found.append((s, np.array(sorted(rows), np.int64)))
            entries = np.flatnonzero(np.isin(street.chance_reach[self._player], found[-1][1]))
        return found


class _RootWalk(_PlayedWalk):
    """The same from the root of the game on; the player's own reach there is 1."""

    def values(self) -> Floats:
        """Return the value of each hand of the player's range, (H,)."""
        board = starting_board(self._game)
        for p in (0, 1):
            self._load_player(p, board)
        rows = [street.n_entries + street.n_actions[self._player] for street in self._streets]
        self._following_leaves = [self._leaves_of(s, np.arange(n)) for s, n in enumerate(rows)]
        found = np.zeros(len(self._players[0][self._player].place))
        found[self._players[0][self._player].hand] = self._below(board)
        return found


Place = tuple[int, int]
"""A node of the betting and a board of the tree."""


@dataclass(frozen=True)
class PlaceRecord:
    """What a walk found at a public state; hands in the order of the tree's board.

    Attributes
    ----------
    reach : pair of (W,) float64
        Of each player's hands: the weight in the range (scaled to at most 1) times the own reach.
    value : pair of (W,) float64
        Of each player's hands: the best-response value against the other's strategy, unnormalised: the sum
        over the other's hands of reach times payoff, averaged over later boards.
    """

    reach: tuple[Floats, Floats]
    value: tuple[Floats, Floats]


def recorded_values(
    game: PokerGame,
    strategy: FactoredStrategy,
    places: Iterable[Place],
    *,
    below: int | None = None,
    reaches: tuple[Floats, Floats] | None = None,
) -> dict[Place, PlaceRecord]:
    """Return reaches and best-response values at public states of a game.

    Parameters
    ----------
    game : PokerGame
    strategy : FactoredStrategy
        On a tree of this game; every real board is visited, as for certificates.
    places : iterable of (node, board)
        Of the strategy's tree; nodes may be leaves.
    below : int, optional
        A board of the tree: only it, the boards before it and those after it are visited. Values of places on
        earlier boards are then not those of the game.
    reaches : pair of (H,) float64, optional
        With what weight each hand of the players' ranges comes to the root; the ranges' weights unless given.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """
    check_strategy(game, strategy)
    walk = _RecordingWalk(game, strategy, frozenset(places), below)
    if reaches is not None:
        walk.turn_to(strategy, reaches)
    walk.root_values()
    return walk.found


class _RecordingWalk(BoardWalk):
    """A walk that keeps what it knows at some places when it leaves the board that represents itself."""

    def __init__(
        self, game: PokerGame, strategy: FactoredStrategy, places: frozenset[Place], below: int | None
    ) -> None:
        super().__init__(game, strategy, kept=frozenset(node for node, _ in places))
        self._places: dict[int, list[int]] = {}
        for node, board in sorted(places):
            self._places.setdefault(board, []).append(node)
        boards = strategy.tree.boards
        self._path = None if below is None else boards_to(game, boards, boards.cards[below])
        self.found: dict[Place, PlaceRecord] = {}

    def _nexts(self, board: RealBoard) -> Iterator[RealBoard]:
        if self._path is None or board.street >= self._path[-1].street:
            return super()._nexts(board)
        return iter((self._path[board.street + 1],))

    def _leave(self, board: RealBoard) -> None:
        if board.permutation != tuple(sorted(board.permutation)):
            return  # another board represents it
        street, (first, second) = self._streets[board.street], self._players[board.street]
        for node in self._places.get(board.image, ()):
            row0, row1 = street.reach_row[0][node], street.reach_row[1][node]
            value = street.value_row[node]
            self.found[node, board.image] = PlaceRecord(
                (first.reach[row0].copy(), second.reach[row1].copy()),
                (first.values[value].copy(), second.values[value].copy()),
            )
