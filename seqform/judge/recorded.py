"""Reaches and best-response values at chosen public states of a whole game, by one walk over its boards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.real_boards import RealBoard, boards_to
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.board_walk import BoardWalk

Place = tuple[int, int]
"""A node of the betting and a board of the tree."""


@dataclass(frozen=True)
class Record:
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
) -> dict[Place, Record]:
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
        self.found: dict[Place, Record] = {}

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
            self.found[node, board.image] = Record(
                (first.reach[row0].copy(), second.reach[row1].copy()),
                (first.values[value].copy(), second.values[value].copy()),
            )
