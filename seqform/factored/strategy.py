"""Strategies on betting times boards: a table a board and player, a row an action, a column a hand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.display.blocks import Block, Line
from treeplex.games.display.shown import Shown
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.infosets import check_suits, find_infoset, hand_labels
from treeplex.seqform.factored.real_boards import real_boards
from treeplex.seqform.forms.profile import Row
from treeplex.seqform.forms.strategy_table import MOST_SHOWN, strategy_table

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
        weight = (
            self.weight[player][start : start + n_actions * width]
            .reshape(n_actions, width)
            .astype(np.float64)
            .T
        )
        largest = weight.max(axis=1, keepdims=True)
        weight = weight / np.where(largest > 0, largest, 1.0)  # sums stay in the range of floats
        mass = weight.sum(axis=1, keepdims=True)
        behaviour = np.where(mass > 0, weight / np.where(mass > 0, mass, 1.0), 1.0 / n_actions)
        if node not in self.tree.locked:
            return behaviour
        hands = self.tree.boards.hands[player]
        share = self.tree.locked[node][:, hands.hand[hands.on(board)]].T
        return np.where(share < 0, behaviour, share)

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        tree = self.tree
        found = find_infoset(tree.game, tree.betting, tree.boards, player, infoset)
        row = self.at(player, found.node, found.board.image)[found.place]
        return dict(zip(tree.actions(found.node), row.tolist(), strict=True))

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board.

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
            for node in decisions[betting.street[decisions] == board.street].tolist():
                player, key = int(betting.player[node]), game.public_key(board.cards, betting.line[node])
                actions = self.tree.actions(node)
                played = self.at(player, node, board.image).tolist()
                for label, row in zip(labels[player], played, strict=True):
                    for action, probability in zip(actions, row, strict=True):
                        yield player, label + game.joiner + key, action, probability


def _shares(lock: Lock, hands: list[Cards], actions: list[str]) -> NDArray[np.float64]:
    """Return the locked probabilities of actions, (actions, H); -1 for free hands."""
    plays = [lock.play.get(hand) for hand in hands]
    rows = [[-1.0 if play is None else float(play.get(a, 0)) for play in plays] for a in actions]
    return np.array(rows).reshape(len(actions), len(hands))
