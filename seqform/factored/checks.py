"""Checks that a factored strategy fits a game: its tree, hands and weights."""

import numpy as np

from treeplex.games.cards.deck import scaled_weights
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS


def check_strategy(game: PokerGame, strategy: FactoredStrategy) -> None:
    """Raise ValueError unless a factored strategy is one of the game.

    Raises
    ------
    ValueError
        If the tree's betting, hands or locks are not the game's, a table has another length than the tree
        says, or a weight is negative, NaN or infinite; the place is named.
    """
    if game.hole_cards > MAX_HOLE_CARDS:
        raise ValueError(f"hands must have 1 or {MAX_HOLE_CARDS} cards, got {game.hole_cards}")
    tree = strategy.tree
    _check_betting(game, tree.betting)
    if tree.boards.cards[0] != game.board:
        raise ValueError(f"the strategy must start on the board {game.board}, got {tree.boards.cards[0]}")
    for p, (hands, one) in enumerate(zip(tree.boards.hands, game.reach, strict=True)):
        if [tuple(hand) for hand in hands.cards.tolist()] != [*one]:
            raise ValueError(f"the hands of player {p} in the strategy's tree are not those of {game.name}")
        if not np.array_equal(hands.weight, scaled_weights(one)):
            raise ValueError(f"the range of player {p} in the strategy's tree is not that of {game.name}")
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
        raise ValueError("locked of the strategy's tree is not that of its betting and its boards")
    for name, own, other in zip(
        ("slot", "base[0]", "base[1]"), (tree.slot, *tree.base), (again.slot, *again.base), strict=True
    ):
        if not np.array_equal(own, other):
            raise ValueError(f"{name} of the strategy's tree is not that of its betting and its boards")


def _check_table(strategy: FactoredStrategy, player: int) -> None:
    table, base = strategy.weight[player], strategy.tree.base[player]
    if table.shape != (base[-1],):
        raise ValueError(f"the table of player {player} must have shape ({base[-1]},), got {table.shape}")
    if table.dtype.kind not in "fiu":
        raise ValueError(f"the table of player {player} must hold real numbers, got dtype {table.dtype}")
    if table.dtype.kind == "u":
        return
    step = 1 << 24
    for start in range(0, len(table), step):
        part = table[start : start + step]
        if part.min() >= 0 and part.max() < np.inf:
            continue
        at = start + int(np.flatnonzero(~((part >= 0) & (part < np.inf)))[0])
        board = int(np.searchsorted(base, at, side="right")) - 1
        raise ValueError(
            f"weights must be at least 0 and finite, got {table[at]} at place {at} of player {player}'s"
            f" table, on board {board}"
        )


def _check_betting(game: PokerGame, betting: BettingTree) -> None:
    """Raise ValueError unless a betting tree is the game's; the error names the first bad line."""
    lines = [betting.line[0]] if betting.n_nodes else []
    if lines != [game.first_line]:
        raise ValueError(f"the strategy's betting must begin at {game.first_line!r}, got {lines}")
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
            raise ValueError(f"the strategy's betting after {line!r} is not that of {game.name}")
        if betting.locks.get(node) != (game.locked.get(line) if player >= 0 else None):
            raise ValueError(f"what the strategy locks at {line!r} is not what {game.name} does")
