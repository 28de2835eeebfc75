"""Public trees: betting and boards as nodes, private hands as a vector at each node.

A poker game is compiled to its public tree after an estimate of the tree's size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, BettingState, MoveLimit
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Play
from treeplex.seqform.trees.memory import GIB, machine_memory
from treeplex.seqform.trees.poker_deals import Deals, deals_of, narrow
from treeplex.seqform.trees.tree_arrays import Ints, TreeDeal, children_of, stakes_of


@dataclass(frozen=True, repr=False)
class PublicTree(Shown):
    """The public states of a game whose only private information is one hand a player, in preorder.

    Chance nodes deal boards; private hands are dealt at the root and are the vector axis. Probabilities of
    boards are included in the weights of the deals: nothing is multiplied at chance nodes.

    Attributes
    ----------
    name : str
        The spec of the game.
    unit : str
        The unit of payoffs.
    parent : (N,) int32
        The parent of each node, -1 for the root.
    player : (N,) int8
        Who acts: 0, 1, ``CHANCE`` or ``TERMINAL``.
    action : tuple of N str
        The label of the edge from the parent, empty at the root.
    public : tuple of N str
        The public state's key, shared by all hands: board and betting line.
    deal : (N,) int32
        Index into ``deals``: the board in force at the node.
    showdown : (N,) bool
        Whether a leaf is a showdown.
    stake : (N,) exact integers, in units of 1 / stake_den
        At a showdown the winner's payoff; at any other leaf player 0's payoff.
    stake_den : int
        The positive common denominator of the stakes.
    deals : tuple of TreeDeal
        The deals of all boards, with the probability of the board in their weights: over the full boards the
        weights sum to one.
    hands : pair of tuples of str
        The label of each hand, one order for the whole tree.
    joiner : str
        The separator of a hand's label and the public key in an infoset's key.
    locks : mapping from nodes to mappings from labels of hands to plays
        Fixed behaviour of hands at nodes; empty if there is none.
    """

    name: str
    unit: str
    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: tuple[str, ...]
    public: tuple[str, ...]
    deal: NDArray[np.int32]
    showdown: NDArray[np.bool_]
    stake: Ints
    stake_den: int
    deals: tuple[TreeDeal, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    joiner: str
    locks: Mapping[int, Mapping[str, Play]] = field(default_factory=dict)

    def brief(self) -> str:
        """Return the game, and numbers of public states and hands."""
        return "{}: {:,} public states, {:,} and {:,} hands".format(
            self.name, len(self.parent), *map(len, self.hands)
        )

    @property
    def n_nodes(self) -> int:
        """Number of public nodes."""
        return len(self.parent)

    @cached_property
    def stakes(self) -> tuple[float, float]:
        """The smallest payoff of a leaf that is not zero and the largest, in absolute value."""
        return stakes_of(self.stake, self.stake_den)

    @cached_property
    def children(self) -> tuple[NDArray[np.int32], ...]:
        """The children of each node in the order of its actions."""
        return children_of(self.parent)

    def nodes_of(self, player: int) -> NDArray[np.int64]:
        """Return the nodes where ``player`` acts, in preorder."""
        return np.flatnonzero(self.player == player)

    def infoset_key(self, hand: str, node: int) -> str:
        """Return the key of the infoset of a hand at a node."""
        return f"{hand}{self.joiner}{self.public[node]}"

    def actions(self, node: int) -> Sequence[str]:
        """Return the labels of a node's actions."""
        return [self.action[c] for c in self.children[node]]

    def __post_init__(self) -> None:
        if self.n_nodes == 0 or self.parent[0] != -1 or np.any(self.parent[1:] >= np.arange(1, self.n_nodes)):
            raise BadInputError("a public tree's nodes must be in preorder, the root first with parent -1")
        leaves = np.isin(np.arange(self.n_nodes), self.parent, invert=True)
        if np.any(leaves != (self.player == TERMINAL)):
            raise BadInputError("a public tree's leaves must be exactly its nodes of player TERMINAL")
        if not np.isin(self.player, (0, 1, CHANCE, TERMINAL)).all():
            raise BadInputError("a public node's player must be 0, 1, CHANCE or TERMINAL")


BYTES_PER_NODE = 300
"""Memory of a public node with its key."""
BYTES_PER_HAND = 48
"""Memory of one hand of one player in one deal."""
BYTES_PER_CHOICE = 16
"""Memory of a hand's action at a public node in a solver: a regret and an average."""


class TooLargeError(BadInputError):
    """A public tree would not fit into memory."""


def compile_public(game: PokerGame, memory_limit: int | None = None, *, report: Report = quiet) -> PublicTree:
    """Compile a poker game to its public tree.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards a player.
    memory_limit : int, optional
        Largest size in bytes of the tree and one solver's tables; by default 3/4 of the machine's memory.
    report : callable, optional
        Told a few times a second how many public states there are so far.

    Raises
    ------
    ValueError
        If a hand has more than two cards.
    TooLargeError
        If the estimated memory exceeds the limit; checked before the tree is built.
    """
    deals = deals_of(game)
    limit = machine_memory() * 3 // 4 if memory_limit is None else memory_limit
    _SizeEstimate(game, deals, limit).check(report)
    builder = _Builder(game, deals)
    for _ in reported(builder.build(), report, lambda n: f"{game.name}: {n:,} public states so far"):
        pass
    return builder.tree()


@dataclass
class _Builder:
    """The columns of a public tree while it grows, in preorder."""

    game: PokerGame
    deals: Deals
    parent: list[int] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    action: list[str] = field(default_factory=list)
    public: list[str] = field(default_factory=list)
    deal: list[int] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    known: list[TreeDeal] = field(default_factory=list)
    place: dict[Cards, int | None] = field(default_factory=dict)

    def build(self) -> Iterator[int]:
        """Append all nodes, and yield each."""
        start = self.game.board
        self._deal_index(start)
        stack = [(-1, "", start, self.game.first_line)]
        while stack:
            parent, action, board, line = stack.pop()
            node = len(self.parent)
            children = self._append(parent, action, board, line)
            stack.extend((node, *child) for child in reversed(children))
            yield node

    def _append(self, parent: int, action: str, board: Cards, line: str) -> list[tuple[str, Cards, str]]:
        """Append a node and return its children: action, board and line."""
        point = self.game.point(line)
        due = point.n_board - len(board)
        self.parent.append(parent)
        self.player.append(CHANCE if due else point.player)
        self.action.append(action)
        self.public.append(self.game.public_key(board, line))
        self.deal.append(self.place[board] or 0)
        self.line.append(line)
        if not due:
            return [(label, board, after) for label, after in point.moves.items()]
        streets = [(label, board + street) for label, street in self.deals.streets(board, due)]
        return [
            (label, after, point.after) for label, after in streets if self._deal_index(after) is not None
        ]

    def _deal_index(self, board: Cards) -> int | None:
        if board not in self.place:
            deal = self.deals.deal(board)
            self.place[board] = None if deal is None else len(self.known)
            self.known += [] if deal is None else [deal]
        return self.place[board]

    def tree(self) -> PublicTree:
        players = np.array(self.player, np.int8)
        ends = {
            line: self.game.point(line).betting
            for line in {self.line[n] for n in np.flatnonzero(players == TERMINAL)}
        }
        den = lcm(*(end.stake.denominator for end in ends.values()))
        scaled = {line: int(end.stake * den) for line, end in ends.items()}
        showdowns = {line for line, end in ends.items() if end.is_showdown}
        return PublicTree(
            name=self.game.name,
            unit=self.game.unit,
            parent=np.array(self.parent, np.int32),
            player=players,
            action=tuple(self.action),
            public=tuple(self.public),
            deal=np.array(self.deal, np.int32),
            showdown=np.array([line in showdowns for line in self.line]),
            stake=narrow(
                scaled[line] if player == TERMINAL else 0
                for line, player in zip(self.line, self.player, strict=True)
            ),
            stake_den=den,
            deals=tuple(self.known),
            hands=self.deals.hands,
            joiner=self.game.joiner,
            locks=self._locks(),
        )

    def _locks(self) -> dict[int, dict[str, Play]]:
        label = self.game.hand_label
        plays = {
            line: {label(hand): play for hand, play in lock.play.items()}
            for line, lock in self.game.locked.items()
        }
        acts = [player >= 0 for player in self.player]
        return {n: plays[line] for n, line in enumerate(self.line) if acts[n] and line in plays}


@dataclass
class _Frame:
    """A betting state whose subtree is being counted."""

    state: BettingState
    times: int
    steps: Iterator[tuple[int, BettingState]]
    total: int


class _SizeEstimate:
    """The size of a game's public tree, counted without building it, up to a limit.

    Betting states that differ in their line alone have equal subtrees, which are counted once; each is
    multiplied by the number of boards.
    """

    def __init__(self, game: PokerGame, deals: Deals, limit: int) -> None:
        self._game, self._limit = game, limit
        hands = [len(one) for one in deals.hands]
        self._per_node = BYTES_PER_NODE + BYTES_PER_CHOICE * max(hands)
        self._streets: list[int] = []
        self._boards: list[int] = []
        size, boards, n_deals = len(game.board), 1, 1
        for cards in game.board_cards:
            self._streets.append(deals.n_streets(size, cards) if cards else 1)
            boards, size = boards * self._streets[-1], size + cards
            self._boards.append(boards)
            n_deals += boards if cards else 0
        self._of_deals = n_deals * BYTES_PER_HAND * sum(hands)

    def check(self, report: Report) -> None:
        """Raise TooLargeError if the tree would exceed the limit, ValueError if the betting is too large."""
        self._compare(0)
        self._moves = MoveLimit(self._game.betting, report)
        known: dict[BettingState, int] = {}
        frames = [self._frame(self._game.betting.merged(self._game.betting.root()), 1)]
        while frames:
            top = frames[-1]
            deeper = self._advance(top, known)
            if deeper is not None:
                frames.append(deeper)
                continue
            frames.pop()
            known[top.state] = top.total
            if frames:
                frames[-1].total += top.times * top.total

    def _advance(self, frame: _Frame, known: dict[BettingState, int]) -> _Frame | None:
        """Add the sizes of children already counted; return a frame for the first that is not."""
        for times, step in frame.steps:
            self._moves.take()
            child = self._game.betting.merged(step)
            count = known.get(child)
            if count is None:
                return self._frame(child, times)
            frame.total += times * count
            self._compare(frame.total * self._boards[frame.state.round])
        self._compare(frame.total * self._boards[frame.state.round])
        return None

    def _frame(self, state: BettingState, times: int) -> _Frame:
        betting = self._game.betting
        if state.player == HAND_OVER:
            return _Frame(state, times, iter(()), 1 + self._turned_up(state))
        if state.player == ROUND_OVER:
            after = betting.next_round(state)
            return _Frame(state, times, iter([(self._streets[after.round], after)]), 1)
        return _Frame(state, times, ((1, child) for _, child in betting.moves(state)), 1)

    def _turned_up(self, state: BettingState) -> int:
        """Return the number of flops that are turned up after a state in which the hand is over."""
        game = self._game
        return 0 if game.flops is None or any(game.board_cards[: state.round + 1]) else len(game.flops)

    def _compare(self, nodes: int) -> None:
        needed = nodes * self._per_node + self._of_deals
        if needed > self._limit:
            raise TooLargeError(
                f"{self._game.name}: its public tree needs at least {needed / GIB:.3g} GiB,"
                f" more than the limit of {self._limit / GIB:.3g} GiB"
            )
