"""Values of all hands at all decisions of a street, under a factored strategy of both players."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from treeplex.games.base.protocol import TERMINAL
from treeplex.games.base.reporting import Report, Ticker, quiet
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_strategy
from treeplex.seqform.boards.real_boards import RealBoard
from treeplex.seqform.certify.betting_rows import BettingStreet, in_blocks
from treeplex.seqform.certify.board_walk import BoardWalk
from treeplex.seqform.certify.judge_kernels import LeafBlocks, respond_locked, spread_reach
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True)
class PlayedBoard:
    """What both players' W hands get at the N decisions of a street, whoever acts, on a board of the tree.

    Attributes
    ----------
    board : int
    value : pair of (N, W) float64
        Each player's counterfactual values: the sum over the opponent's disjoint hands of weight in the range
        (scaled to at most 1) times reach times expected payoff, averaged over later boards.
    met : pair of (N, W) float64
        The same sum without the payoff.
    """

    board: int
    value: tuple[Floats, Floats]
    met: tuple[Floats, Floats]


def values_on_street(
    game: PokerGame,
    strategy: FactoredStrategy,
    street: int,
    take: Callable[[PlayedBoard], None],
    *,
    report: Report = quiet,
) -> None:
    """Compute what all hands get at all decisions of a street if both play a strategy, board by board.

    The boards of the tree are visited up to the street, and every real board after it. Hands of a board are
    in the order of the tree, decisions in that of :func:`decisions_on`.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards.
    strategy : FactoredStrategy
        On a tree of this game.
    street : int
    take : callable
        Called once for each of the tree's boards on the street; the arrays are its own.
    report : callable, optional
        Told a few times a second on how many boards values are known.

    Raises
    ------
    ValueError
        If the strategy is not the game's.
    """
    check_strategy(game, strategy)
    _StreetWalk(game, strategy, street, take, report).root_values()


def decisions_on(tree: FactoredTree, street: int) -> Index:
    """Return the nodes of a street at which a player acts, in preorder, (N,)."""
    betting = tree.betting
    return np.flatnonzero((betting.street == street) & (betting.player >= 0))


class _StreetWalk(BoardWalk):
    """A walk in which both players play the strategy instead of best responses.

    All leaves have rows of values of their own, so that a decision can weigh what follows each action.
    """

    def __init__(
        self,
        game: PokerGame,
        strategy: FactoredStrategy,
        street: int,
        take: Callable[[PlayedBoard], None],
        report: Report,
    ) -> None:
        tree = strategy.tree
        leaves = np.flatnonzero(tree.betting.player == TERMINAL).tolist()
        super().__init__(game, strategy, kept=frozenset(leaves))
        self._street, self._take = street, take
        self._ticker, self._known, self._due = Ticker(report), 0, 1
        self._share_rows = [[_share_row(tree, one, p) for p in (0, 1)] for one in self._streets]
        self._nodes = decisions_on(tree, street).tolist()
        self._meetings = [_meetings(self._streets[street], self._nodes, p) for p in (0, 1)]

    def _nexts(self, board: RealBoard) -> Iterator[RealBoard]:
        every = super()._nexts(board)
        return every if board.street >= self._street else filter(_stands_for_itself, every)

    def _respond(self, player: int, board: RealBoard) -> None:
        street, own = self._streets[board.street], self._players[board.street][player]
        decisions = street.decisions[player].copy()
        decisions[:, 0] = 0  # the row of ones, so that reaches are the probabilities of single actions
        shares = np.ones((1 + street.n_actions[player], len(own.hand)))
        spread_reach(decisions, 1, self._table(player, board), shares)
        own.values[street.chooses[player]] = 0.0
        row = self._share_rows[board.street][player]
        respond_locked(street.into, street.chooses[player], row, shares, own.values)

    def _leave(self, board: RealBoard) -> None:
        self._known += 1
        if self._known >= self._due:
            self._due = self._ticker.tell(self._known, f"values on {self._known:,} boards")
        if board.street != self._street:
            return
        rows = [self._streets[board.street].value_row[node] for node in self._nodes]
        first, second = (own.values[rows] for own in self._players[board.street])
        self._take(PlayedBoard(board.image, (first, second), (self._met(0, board), self._met(1, board))))

    def _met(self, player: int, board: RealBoard) -> Floats:
        """Return the reach of the hands that each hand can meet at each decision, (N, W)."""
        met = np.zeros((len(self._nodes), len(self._players[board.street][player].hand)))
        chooses = np.zeros(len(met), np.bool_)
        self._value(player, self._hands(board), self._meetings[player], chooses, met, board)
        return met


def _stands_for_itself(board: RealBoard) -> bool:
    return board.permutation == tuple(sorted(board.permutation))


def _share_row(tree: FactoredTree, street: BettingStreet, player: int) -> Index:
    """Return for each row of values 1 + the player's action that leads to it, 0 where another leads there."""
    row = np.zeros(len(street.into), np.int64)
    for node in street.value_row:
        if tree.betting.player[node] == player:
            children = [street.value_row[child] for child in tree.betting.children[node].tolist()]
            row[children] = 1 + tree.slot[node] + np.arange(len(children))
    return row


def _meetings(street: BettingStreet, nodes: list[int], player: int) -> LeafBlocks:
    """Return leaves, one for each of some nodes, that pay 1 whatever the opposing hand."""
    reached = [street.reach_row[1 - player][node] for node in nodes]
    leaf = np.array([(row, 0, 0, n) for n, row in enumerate(reached)], np.int64)
    return in_blocks(leaf, np.ones(len(nodes)))
