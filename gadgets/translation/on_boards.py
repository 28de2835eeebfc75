"""Action translation of strategies on boards: plans of all hands mixed, then made behaviour."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treeplex.gadgets.translation.abstraction import Abstraction
from treeplex.gadgets.translation.plan_rows import PlanRows, decisions_of, normalised
from treeplex.gadgets.translation.pseudo_harmonic import CALL, readings
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats

Table = NDArray[Any]
FOLD = "f"
Mixture = dict[int, float]
"""Nodes of the abstract betting that a line may be taken for, with the probability of the draws."""


def translated(
    strategy: FactoredStrategy, tree: FactoredTree, *, dtype: type = np.float64, report: Report = quiet
) -> FactoredStrategy:
    """Return how both players play a game with a strategy of one that has fewer bet sizes.

    Each player's part is translated as if the other may bet every size: an opponent's bet is taken for one
    that the abstract game has by :func:`pseudo_harmonic.readings`, drawn once and remembered for the rest of
    the hand. The draws mix strategies, which are added up in plans: the plan of an action is the sum, over
    the abstract actions that it may stand for, of the readings' probability times the abstract plan, for each
    hand by itself. As :func:`sequence_forms.translate` for games that are enumerated, with which it agrees;
    beyond it, where stacks cut a size in one of the games alone, a hand that is all-in in the abstract game
    checks and calls.

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
        raise ValueError(f"both games must have the same boards, got those of {abstract.game.name}")
    if abstract.locked or tree.locked:
        raise ValueError(f"translation is for games without locks, got {tree.game.name}")
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
        raise ValueError(
            f"{tree.game.name} at {second.line[node]!r} offers {tree.actions(node)}, {abstract.game.name} at "
            f"{first.line[m]!r} {abstract.actions(m)}: an opponent who raises there needs a size in both"
        )
