"""Strategies on betting times boards: a table a board and player, a row an action, a column a hand.

An infoset is a betting node, a real board and a position of a hand. Checks: a strategy fits a game by its
tree, hands and weights.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Block, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import Cards, scaled_weights
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree, Hands
from treeplex.seqform.boards.real_boards import RealBoard, boards_to, real_boards, real_hands
from treeplex.seqform.forms.profile import MOST_SHOWN, Row, strategy_table
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS


class FactoredInfoset(NamedTuple):
    """An infoset: a node of the betting tree, a real board, and the hand's position among the live hands."""

    node: int
    board: RealBoard
    place: int


def find_infoset(
    game: PokerGame, betting: BettingTree, boards: BoardTree, player: int, infoset: str
) -> FactoredInfoset:
    """Return the infoset with a key.

    Raises
    ------
    ValueError
        If the player has no such infoset, or the game hides suits, which factored trees do not.
    """
    check_suits(game)
    node = betting.node_of.get(infoset.rpartition(":")[2])
    if node is not None and betting.player[node] == player:
        for label in map(game.hand_label, game.reach[player]):
            found = _on_board(game, betting, boards, node, label, infoset)
            if found is not None and label in (labels := hand_labels(game, boards, player, found)):
                return FactoredInfoset(node, found, labels.index(label))
    raise BadInputError(f"player {player} has no infoset {infoset!r}")


def hand_labels(game: PokerGame, boards: BoardTree, player: int, board: RealBoard) -> list[str]:
    """Return the label of each live hand of a board, in the order of ``real_hands``."""
    return [game.hand_label(tuple(hand)) for hand in real_hands(boards, player, board).tolist()]


def check_suits(game: PokerGame) -> None:
    """Raise ValueError if a game hides suits: then several hands and boards have one key.

    Raises
    ------
    ValueError
    """
    if game.sees_ranks_only and game.suits > 1:
        raise BadInputError(f"{game.name} hides suits, which the strategy sees; infosets of it cannot")


def _on_board(
    game: PokerGame, betting: BettingTree, boards: BoardTree, node: int, label: str, infoset: str
) -> RealBoard | None:
    """Return the board of an infoset if ``label`` is the text of its hand; None if not."""
    before, line = label + game.joiner, betting.line[node]
    if not infoset.startswith(before):
        return None
    text = infoset.removeprefix(before).removesuffix(f":{line}")
    try:
        found = boards_to(game, boards, board_cards(game, text))[-1]
    except (KeyError, ValueError):
        return None
    same = before + game.public_key(found.cards, line) == infoset
    return found if same and found.street == betting.street[node] else None


def board_cards(game: PokerGame, text: str) -> Cards:
    """Return the board of a key, the starting board in its own order.

    Raises
    ------
    KeyError, ValueError
        If the text is no cards of the game's deck.
    """
    if game.sees_ranks_only:  # such games have at most one board card
        return ({game.deck.rank_text[card]: card for card in game.deck.cards}[text],) if text else ()
    cards, start = game.deck.parse(text), len(game.board)
    return game.board + cards[start:] if set(cards[:start]) == set(game.board) else cards


Index = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class FactoredTree(Shown):
    """A poker game's public tree as two factors; a public state is a betting line on a board.

    A player's table (a strategy, regrets) is one flat array, board by board. The part of a board has shape
    (rows, live hands), a row for each action of each of the player's nodes on the board's street, nodes in
    preorder: action a of node n is row ``slot[n] + a``.

    Attributes
    ----------
    game : PokerGame
    betting : BettingTree
    boards : BoardTree
    slot : (N,) int64
        The row of the first action of each decision, among those of its player and street; -1 elsewhere.
    base : pair of (B + 1,) int64
        First entry of each board in a player's table.
    locked : mapping from nodes to (actions, H) float64
        For each decision with locked hands: the probability of each action for each hand of the player's
        range; -1 if the hand is free. The table's entries of locked hands are ignored.
    """

    game: PokerGame
    betting: BettingTree
    boards: BoardTree
    slot: Index
    base: tuple[Index, Index]
    locked: Mapping[int, NDArray[np.float64]]

    def brief(self) -> str:
        """Return the game, and numbers of boards and entries."""
        return f"{self.game.name}: {self.boards.n_boards:,} boards, {self.n_entries:,} entries"

    @staticmethod
    def of(game: PokerGame, betting: BettingTree, boards: BoardTree) -> "FactoredTree":
        """Return the factored tree of a game from its two factors."""
        slot = np.full(betting.n_nodes, -1)
        n_slots = np.zeros((2, betting.n_streets), np.int64)
        for node in np.flatnonzero(betting.player >= 0).tolist():
            player, street = int(betting.player[node]), int(betting.street[node])
            slot[node] = n_slots[player, street]
            n_slots[player, street] += len(betting.children[node])
        bases = [
            np.concatenate([[0], np.cumsum(np.diff(hands.start) * n_slots[p][boards.street])])
            for p, hands in enumerate(boards.hands)
        ]
        locked = {}
        for node, lock in betting.locks.items():
            hands = boards.hands[betting.player[node]].cards
            actions = [betting.action[child] for child in betting.children[node]]
            locked[node] = _shares(lock, [tuple(hand) for hand in hands.tolist()], actions)
        return FactoredTree(game, betting, boards, slot, (bases[0], bases[1]), locked)

    @property
    def n_entries(self) -> int:
        """Number of entries of both players' tables together."""
        return sum(int(base[-1]) for base in self.base)

    def actions(self, node: int) -> list[str]:
        """Return the labels of a decision's actions."""
        return [self.betting.action[child] for child in self.betting.children[node]]

    def rows(self, player: int, node: int, board: int) -> tuple[int, int, int]:
        """Return the first entry of a decision's rows on a board, their number and their width."""
        width = int(np.diff(self.boards.hands[player].start[board : board + 2])[0])
        return (
            int(self.base[player][board] + self.slot[node] * width),
            len(self.betting.children[node]),
            width,
        )


def played(
    tree: FactoredTree, player: int, node: int, board: int, weight: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the behaviour at a decision on a board, (live hands, actions), by weights (actions, live hands).

    In proportion to the weights, uniform where all are zero; what is locked where hands are locked.
    """
    rows = weight.astype(np.float64).T
    largest = rows.max(axis=1, keepdims=True)
    rows = rows / np.where(largest > 0, largest, 1.0)  # sums stay in the range of floats
    mass = rows.sum(axis=1, keepdims=True)
    behaviour = np.where(mass > 0, rows / np.where(mass > 0, mass, 1.0), 1.0 / rows.shape[1])
    if node not in tree.locked:
        return behaviour
    hands = tree.boards.hands[player]
    share = tree.locked[node][:, hands.hand[hands.on(board)]].T
    return np.where(share < 0, behaviour, share)


class BoardBehaviour(Protocol):
    """Behaviour at any decision of a factored tree, board by board."""

    @property
    def tree(self) -> FactoredTree:
        """Where it is laid out."""

    def at(self, player: int, node: int, board: int) -> NDArray[np.float64]:
        """Return the behaviour at a decision on a board, (live hands, actions)."""


def probabilities_at(strategy: BoardBehaviour, player: int, infoset: str) -> dict[str, float]:
    """Return the probability of each action at an infoset of a tree's game, on any real board.

    Raises
    ------
    ValueError
        If the player has no such infoset, or the game hides suits, which the strategy sees.
    """
    tree = strategy.tree
    found = find_infoset(tree.game, tree.betting, tree.boards, player, infoset)
    row = strategy.at(player, found.node, found.board.image)[found.place]
    return dict(zip(tree.actions(found.node), row.tolist(), strict=True))


@dataclass(frozen=True, repr=False)
class FactoredStrategy(Shown):
    """Both players' strategies on a street tree.

    Attributes
    ----------
    tree : FactoredTree
    weight : pair of flat tables with the layout of ``tree``; any real dtype
        At each decision a hand plays actions in proportion to their weights (at least 0); uniformly if all
        are zero. Locked hands play what is locked.
    """

    tree: FactoredTree
    weight: tuple[NDArray[Any], NDArray[Any]]

    def blocks(self) -> tuple[Block, ...]:
        """Return how large it is and how the first infosets are played, where no suits are hidden."""
        if self.tree.game.sees_ranks_only and self.tree.game.suits > 1:
            return super().blocks()
        infosets = groupby(self.rows(), lambda row: row[:2])
        first = (
            (player, infoset, {action: p for _, _, action, p in rows})
            for (player, infoset), rows in islice(infosets, MOST_SHOWN)
        )
        return strategy_table(self.brief(), first), Line(f"the first {MOST_SHOWN} infosets; rows() has all")

    def brief(self) -> str:
        """Return the game, and numbers of boards and entries."""
        return self.tree.brief()

    def at(self, player: int, node: int, board: int) -> NDArray[np.float64]:
        """Return the behaviour at a decision on a board, (live hands, actions)."""
        start, n_actions, width = self.tree.rows(player, node, board)
        weight = self.weight[player][start : start + n_actions * width].reshape(n_actions, width)
        return played(self.tree, player, node, board, weight)

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        return probabilities_at(self, player, infoset)

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board.

        Hands that are never dealt, as each listed flop has one of their cards, are left out.

        Raises
        ------
        ValueError
            If the game hides suits, which the strategy sees.
        """
        game, betting, boards = self.tree.game, self.tree.betting, self.tree.boards
        check_suits(game)
        decisions = np.flatnonzero(betting.player >= 0)
        for board in real_boards(game, boards):
            labels = [hand_labels(game, boards, p, board) for p in (0, 1)]
            never = [set[int]() if board.cards else _never_dealt(game, hands) for hands in boards.hands]
            for node in decisions[betting.street[decisions] == board.street].tolist():
                player, key = int(betting.player[node]), game.public_key(board.cards, betting.line[node])
                actions = self.tree.actions(node)
                played = self.at(player, node, board.image).tolist()
                for k, (label, row) in enumerate(zip(labels[player], played, strict=True)):
                    if k in never[player]:
                        continue
                    for action, probability in zip(actions, row, strict=True):
                        yield player, label + game.joiner + key, action, probability


def _never_dealt(game: PokerGame, hands: Hands) -> set[int]:
    """Return the places on the empty board of hands that have a card of every listed flop."""
    if game.flops is None:
        return set()
    flops = [{*cards} for cards, _ in game.flops]
    here = hands.cards[hands.hand[hands.on(0)]].tolist()
    return {k for k, hand in enumerate(here) if not any(flop.isdisjoint(hand) for flop in flops)}


def _shares(lock: Lock, hands: list[Cards], actions: list[str]) -> NDArray[np.float64]:
    """Return the locked probabilities of actions, (actions, H); -1 for free hands."""
    plays = [lock.play.get(hand) for hand in hands]
    rows = [[-1.0 if play is None else float(play.get(a, 0)) for play in plays] for a in actions]
    return np.array(rows).reshape(len(actions), len(hands))


def check_strategy(game: PokerGame, strategy: FactoredStrategy) -> None:
    """Raise ValueError unless a factored strategy is one of the game.

    Raises
    ------
    ValueError
        If the tree's betting, hands or locks are not the game's, a table has another length than the tree
        says, or a weight is negative, NaN or infinite; the place is named.
    """
    if game.hole_cards > MAX_HOLE_CARDS:
        raise BadInputError(f"hands must have 1 or {MAX_HOLE_CARDS} cards, got {game.hole_cards}")
    tree = strategy.tree
    _check_betting(game, tree.betting)
    if tree.boards.cards[0] != game.board:
        raise BadInputError(f"the strategy must start on the board {game.board}, got {tree.boards.cards[0]}")
    for p, (hands, one) in enumerate(zip(tree.boards.hands, game.reach, strict=True)):
        if [tuple(hand) for hand in hands.cards.tolist()] != [*one]:
            raise BadInputError(
                f"the hands of player {p} in the strategy's tree are not those of {game.name}"
            )
        if not np.array_equal(hands.weight, scaled_weights(one)):
            raise BadInputError(f"the range of player {p} in the strategy's tree is not that of {game.name}")
    _check_layout(tree)
    check_tables(strategy)


def check_tables(strategy: FactoredStrategy) -> None:
    """Raise ValueError unless both tables have the tree's length and weights of at least 0 and finite."""
    for p in (0, 1):
        _check_table(strategy, p)


def _check_layout(tree: FactoredTree) -> None:
    again = FactoredTree.of(tree.game, tree.betting, tree.boards)
    same = tree.locked.keys() == again.locked.keys()
    if not same or any(not np.array_equal(one, again.locked[n]) for n, one in tree.locked.items()):
        raise BadInputError("locked of the strategy's tree is not that of its betting and its boards")
    for name, own, other in zip(
        ("slot", "base[0]", "base[1]"), (tree.slot, *tree.base), (again.slot, *again.base), strict=True
    ):
        if not np.array_equal(own, other):
            raise BadInputError(f"{name} of the strategy's tree is not that of its betting and its boards")


def _check_table(strategy: FactoredStrategy, player: int) -> None:
    table, base = strategy.weight[player], strategy.tree.base[player]
    if table.shape != (base[-1],):
        raise BadInputError(f"the table of player {player} must have shape ({base[-1]},), got {table.shape}")
    if table.dtype.kind not in "fiu":
        raise BadInputError(f"the table of player {player} must hold real numbers, got dtype {table.dtype}")
    if table.dtype.kind == "u":
        return
    step = 1 << 24
    for start in range(0, len(table), step):
        part = table[start : start + step]
        if part.min() >= 0 and part.max() < np.inf:
            continue
        at = start + int(np.flatnonzero(~((part >= 0) & (part < np.inf)))[0])
        board = int(np.searchsorted(base, at, side="right")) - 1
        raise BadInputError(
            f"weights must be at least 0 and finite, got {table[at]} at place {at} of player {player}'s"
            f" table, on board {board}"
        )


def _check_betting(game: PokerGame, betting: BettingTree) -> None:
    """Raise ValueError unless a betting tree is the game's; the error names the first bad line."""
    lines = [betting.line[0]] if betting.n_nodes else []
    if lines != [game.first_line]:
        raise BadInputError(f"the strategy's betting must begin at {game.first_line!r}, got {lines}")
    n_board = len(game.board) + np.cumsum([0, *(n for n in game.board_cards if n)])
    for node, line in enumerate(betting.line):
        point = game.point(line)
        due = point.n_board > n_board[betting.street[node]]
        player = CHANCE if due else point.player
        moves = {"": point.after} if due else point.moves
        below = betting.children[node]
        there = {betting.action[c]: betting.line[c] for c in below.tolist()}
        shown = player == TERMINAL and point.betting.folded < 0
        same = [*moves.items()] == [*there.items()] and shown == betting.showdown[node]
        same = same and bool(np.all(betting.street[below] == betting.street[node] + due))
        if betting.player[node] != player or not same:
            raise BadInputError(f"the strategy's betting after {line!r} is not that of {game.name}")
        if betting.locks.get(node) != (game.locked.get(line) if player >= 0 else None):
            raise BadInputError(f"what the strategy locks at {line!r} is not what {game.name} does")
