"""Action translation of strategies on boards: plans of all hands mixed, then made behaviour.

A player's realization plan has a row for each line at which a street begins and for each action.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treeplex.gadgets.off_tree.menu_abstraction import Abstraction
from treeplex.gadgets.off_tree.translation import readings
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.poker.lines import CALL, FOLD
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True)
class PlanRows:
    """The rows of a player's plan on each street: the lines at which it begins, then the actions by slot.

    Attributes
    ----------
    tree : FactoredTree
    player : int
    row : (N,) int64
        The row of the player's last action before each node, on the node's street.
    n_entries : (S,) int64
        Number of lines at which each street begins.
    exits : tuple of (n_entries,) int64
        For each street after the first, the rows of the street before from which its entries are copied.
    """

    tree: FactoredTree
    player: int
    row: Index
    n_entries: Index
    exits: tuple[Index, ...]

    @staticmethod
    def of(tree: FactoredTree, player: int) -> "PlanRows":
        """Number the rows of a player."""
        betting = tree.betting
        begins = (betting.parent < 0) | (betting.player[betting.parent] == CHANCE)
        n_entries = np.bincount(betting.street[begins], minlength=betting.n_streets)
        row, seen = np.zeros(betting.n_nodes, np.int64), [0] * betting.n_streets
        exits: list[list[int]] = [[] for _ in n_entries]
        for node, (above, street) in enumerate(
            zip(betting.parent.tolist(), betting.street.tolist(), strict=True)
        ):
            if begins[node]:
                row[node] = seen[street]
                seen[street] += 1
                exits[street].append(int(row[above]) if node else 0)
            elif betting.player[above] == player:
                a = int(np.searchsorted(betting.children[above], node))
                row[node] = n_entries[street] + tree.slot[above] + a
            else:
                row[node] = row[above]
        return PlanRows(tree, player, row, n_entries, tuple(np.array(one, np.int64) for one in exits))

    def plan(self, strategy: FactoredStrategy, board: int, above: Floats) -> Floats:
        """Return a strategy's plan on a board, (rows, live hands).

        Parameters
        ----------
        strategy : FactoredStrategy
            On ``tree``, no hands locked.
        board : int
        above : (rows, live hands) float64
            The plan on the board before; ignored on the first one.
        """
        tree, p = self.tree, self.player
        street, hands = int(tree.boards.street[board]), tree.boards.hands[p]
        here, nodes = hands.on(board), decisions_of(tree, p, street)
        behaviour = normalised(strategy.weight[p][slice(*tree.base[p][board : board + 2])], tree, p, board)
        n, width = int(self.n_entries[street]), here.stop - here.start
        plan = np.ones((n + len(behaviour), width))
        if board:
            plan[:n] = above[self.exits[street]][:, hands.above[here]]
        plan[n:] = behaviour
        for node in nodes:
            first = n + int(tree.slot[node])
            plan[first : first + len(tree.betting.children[node])] *= plan[self.row[node]]
        return plan


def decisions_of(tree: FactoredTree, player: int, street: int) -> list[int]:
    """Return a player's nodes on a street, in preorder."""
    found: list[int] = np.flatnonzero(
        (tree.betting.player == player) & (tree.betting.street == street)
    ).tolist()
    return found


def normalised(
    table: NDArray[np.generic], tree: FactoredTree, player: int, board: int, empty: float | None = None
) -> Floats:
    """Return a player's table on a board as probabilities, (rows, live hands).

    Parameters
    ----------
    table : (entries,) flat, or (rows, live hands)
        Weights of at least 0.
    tree : FactoredTree
    player, board : int
    empty : float, optional
        What actions get where all weights of a decision are zero; equal shares unless given.
    """
    width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
    nodes = decisions_of(tree, player, int(tree.boards.street[board]))
    counts = np.array([len(tree.betting.children[node]) for node in nodes], np.int64)
    weight = np.asarray(table, np.float64).reshape(int(counts.sum()), width)
    if not nodes:
        return weight
    first = tree.slot[nodes]
    largest = np.repeat(np.maximum.reduceat(weight, first), counts, axis=0)
    weight = weight / np.where(largest > 0, largest, 1.0)  # sums stay in the range of floats
    mass = np.repeat(np.add.reduceat(weight, first), counts, axis=0)
    rest = 1.0 / np.repeat(counts, counts)[:, None] if empty is None else empty
    return np.where(mass > 0, weight / np.where(mass > 0, mass, 1.0), rest)


Table = NDArray[Any]
Mixture = dict[int, float]
"""Nodes of the abstract betting that a line may be taken for, with the probability of the draws."""


def translated(
    strategy: FactoredStrategy, tree: FactoredTree, *, dtype: type = np.float64, report: Report = quiet
) -> FactoredStrategy:
    """Return how both players play a game with a strategy of one that has fewer bet sizes.

    Each player's part is translated as if the other may bet every size: an opponent's bet is taken for one
    that the abstract game has by :func:`readings`, drawn once and remembered for the rest of the hand. The
    draws mix strategies, which are added up in plans: the plan of an action is the sum, over the abstract
    actions that it may stand for, of the readings' probability times the abstract plan, for each hand by
    itself. As :func:`gadgets.off_tree.translation.translate` for games that are enumerated, with which it
    agrees; beyond it, where stacks cut a size in one of the games alone, a hand that is all-in in the
    abstract game checks and calls.

    Parameters
    ----------
    strategy : FactoredStrategy
        Of the game with fewer sizes.
    tree : FactoredTree
        Of the game with more, on the same boards.
    dtype : dtype
        Of the tables; float64 or float32.
    report : callable, optional
        Told a few times a second how many boards are done.

    Returns
    -------
    FactoredStrategy
        Normalised; all weights of a decision are zero, which is to play uniformly, for hands that do not
        reach it.

    Raises
    ------
    ValueError
        If the games differ in more than sizes and stacks, the boards differ, hands are locked, or the betting
        falls out of step: a player may raise in one game and not in the other, and no stack is the reason.
    """
    abstract = strategy.tree
    Abstraction(abstract.game, tree.game)
    if abstract.boards.cards != tree.boards.cards:
        raise BadInputError(f"both games must have the same boards, got those of {abstract.game.name}")
    if abstract.locked or tree.locked:
        raise BadInputError(f"translation is for games without locks, got {tree.game.name}")
    first, second = (_table(strategy, tree, p, dtype, report) for p in (0, 1))
    return FactoredStrategy(tree, (first, second))


def _table(strategy: FactoredStrategy, tree: FactoredTree, player: int, dtype: type, report: Report) -> Table:
    """Return a player's table, board by board."""
    rows = PlanRows.of(strategy.tree, player)
    matrices = _matrices(rows, tree, report)
    table: Table = np.empty(int(tree.base[player][-1]), dtype)
    line: list[Floats] = []
    boards, every = tree.boards, tree.boards.n_boards
    for board in reported(range(every), report, lambda n: f"translating {n:,} of {every:,} boards"):
        street = int(boards.street[board])
        del line[street:]
        line.append(rows.plan(strategy, board, line[-1] if line else np.zeros((0, 0))))
        mixed = normalised(matrices[street] @ line[-1], tree, player, board, empty=0.0)
        table[slice(*tree.base[player][board : board + 2])] = mixed.reshape(-1)
    return table


def _matrices(rows: PlanRows, tree: FactoredTree, report: Report) -> list[Any]:
    """Return for each street the sparse matrix from abstract plans (rows) to plans of actions (slots)."""
    betting = tree.betting
    found: list[list[tuple[int, int, float]]] = [[] for _ in range(betting.n_streets)]
    walked = reported(_entries(rows, tree), report, lambda n: f"{n:,} readings of bets so far")
    for street, action, row, chance in walked:
        found[street].append((action, row, chance))
    matrices: list[Any] = []
    for street, entries in enumerate(found):
        n_actions, known = (
            sum(len(one.betting.children[node]) for node in decisions_of(one, rows.player, street))
            for one in (tree, rows.tree)
        )
        at = np.array([entry[:2] for entry in entries], np.int64).reshape(-1, 2).T
        chances = np.array([entry[2] for entry in entries], np.float64)
        shape = n_actions, int(rows.n_entries[street]) + known
        matrices.append(csr_matrix((chances, (at[0], at[1])), shape=shape))
    return matrices


def _entries(rows: PlanRows, tree: FactoredTree) -> Iterator[tuple[int, int, int, float]]:
    """Walk both betting trees in step; yield (street, slot, abstract row, probability) of own actions."""
    betting = tree.betting
    todo: list[tuple[int, Mixture]] = [(0, {0: 1.0})]
    while todo:
        node, mixture = todo.pop()
        if betting.player[node] == TERMINAL:
            continue
        if betting.player[node] == CHANCE:
            todo.append((int(betting.children[node][0]), _dealt(rows.tree, mixture)))
            continue
        after = _after(rows, tree, node, mixture)
        if betting.player[node] == rows.player:
            street, slot = int(betting.street[node]), int(tree.slot[node])
            for a, action in enumerate(after):
                yield from ((street, slot + a, int(rows.row[m]), chance) for m, chance in action.items())
        todo += [(int(child), one) for child, one in zip(betting.children[node], after, strict=True) if one]


def _dealt(abstract: FactoredTree, mixture: Mixture) -> Mixture:
    """Return a mixture after cards are dealt."""
    betting = abstract.betting
    return {
        int(betting.children[m][0]) if betting.player[m] == CHANCE else m: chance
        for m, chance in mixture.items()
    }


def _after(rows: PlanRows, tree: FactoredTree, node: int, mixture: Mixture) -> list[Mixture]:
    """Return the mixture after each action of a decision."""
    abstract, betting = rows.tree.betting, tree.betting
    actions = tree.actions(node)
    after: list[Mixture] = [{} for _ in actions]
    own = bool(betting.player[node] == rows.player)
    for m, chance in mixture.items():
        if abstract.player[m] < 0 and abstract.street[m] == betting.street[node]:  # all-in there
            for one, action in zip(after, actions, strict=True):
                if action == CALL or (not own and action != FOLD):
                    one[m] = chance
            continue
        _check_step(rows.tree, m, tree, node, own)
        read = readings(rows.tree.game, abstract.line[m], tree.game, betting.line[node], own=own)
        child = dict(zip(rows.tree.actions(m), abstract.children[m].tolist(), strict=True))
        for one, action in zip(after, actions, strict=True):
            for label, drawn in read[action].items():
                one[child[label]] = chance * drawn
    return after


def _check_step(abstract: FactoredTree, m: int, tree: FactoredTree, node: int, own: bool) -> None:
    """Refuse nodes at which the two games do not ask the same player for the same kind of action."""
    first, second = abstract.betting, tree.betting
    theirs, ours = set(abstract.actions(m)), set(tree.actions(node))
    same = first.player[m] == second.player[node] and first.street[m] == second.street[node]
    same &= (FOLD in theirs) == (FOLD in ours)
    put, most = abstract.game.point(first.line[m]).betting.put, abstract.game.betting.effective
    if not own and theirs <= {FOLD, CALL} and not ours <= {FOLD, CALL}:
        same &= most is not None and max(put) >= most
    if not same:
        raise BadInputError(
            f"{tree.game.name} at {second.line[node]!r} offers {tree.actions(node)}, {abstract.game.name} at "
            f"{first.line[m]!r} {abstract.actions(m)}: an opponent who raises there needs a size in both"
        )
