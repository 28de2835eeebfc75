"""Factored strategies as profiles and back, and on merged boards as on every board of the game."""

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_strategy
from treeplex.seqform.boards.real_boards import RealBoard, images_of, real_hands
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.trees.poker_deals import codes


def profile_of(game: PokerGame, strategy: FactoredStrategy, form: SequenceForm) -> Profile:
    """Return a factored strategy as a profile; for games small enough to enumerate.

    Parameters
    ----------
    game : PokerGame
    strategy : FactoredStrategy
        On a tree of the game, with boards merged or not.
    form : SequenceForm
        Of the game, such as ``sequence_form(compile_public(game))``. Infosets that it does not have, since
        no deal reaches them, are left out.

    Raises
    ------
    ValueError
        If the game hides suits, which the strategy sees; if the strategy is not for the game; or if the form
        has an infoset or action that the strategy does not have.
    """
    check_strategy(game, strategy)
    places = _places(form.treeplexes[0]), _places(form.treeplexes[1])
    behaviour = [np.full(t.n_sequences, np.nan) for t in form.treeplexes]
    for player, infoset, action, probability in strategy.rows():
        s = places[player].get((infoset, action))
        if s is not None:
            behaviour[player][s] = probability
    for player, (t, b) in enumerate(zip(form.treeplexes, behaviour, strict=True)):
        b[0] = 1.0
        missing = np.flatnonzero(np.isnan(b))
        if len(missing):
            at = t.infosets[t.infoset_of[missing[0]]], t.actions[missing[0]]
            raise BadInputError(
                f"the strategy says nothing of {at[1]!r} at {at[0]!r}, where player {player} acts"
            )
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def strategy_of(profile: Profile, tree: FactoredTree) -> FactoredStrategy:
    """Return a profile of a game as a factored strategy; for games small enough to enumerate.

    Parameters
    ----------
    profile : Profile
        On any form of the game. Where the game hides suits, what suits alone tell apart plays alike.
    tree : FactoredTree
        Of the game, boards not merged: a profile may play differently on boards that suits alone tell apart.

    Returns
    -------
    FactoredStrategy
        Float64; hands without an infoset, since no deal reaches them, play uniformly.

    Raises
    ------
    ValueError
        If boards are merged, or the profile has infosets or actions that are not the tree's.
    """
    if tree.boards.symmetric.any():
        raise BadInputError(
            f"a profile is for boards that are not merged, got merged ones of {tree.game.name}"
        )
    first, second = (_table(profile, tree, player) for player in (0, 1))
    return FactoredStrategy(tree, (first, second))


def _table(profile: Profile, tree: FactoredTree, player: int) -> Floats:
    """Return a player's table."""
    t, behaviour, game = profile.treeplexes[player], profile.behaviour[player], tree.game
    table, met = np.zeros(int(tree.base[player][-1])), set[int]()
    decisions = np.flatnonzero(tree.betting.player == player)
    hands = tree.boards.hands[player]
    every = np.array([game.hand_label(tuple(hand)) + game.joiner for hand in hands.cards.tolist()], object)
    for board, cards in enumerate(tree.boards.cards):
        labels = every[hands.hand[hands.on(board)]]
        for node in decisions[tree.betting.street[decisions] == tree.boards.street[board]].tolist():
            start, n_actions, width = tree.rows(player, node, board)
            rows = table[start : start + n_actions * width].reshape(n_actions, width)
            found = [t.index.get(key, -1) for key in labels + game.public_key(cards, tree.betting.line[node])]
            for place, i in enumerate(found):
                if i >= 0:
                    rows[:, place] = _row(t, behaviour, i, tree.actions(node))
            met |= {*found}
    if len(met - {-1}) < t.n_infosets:
        lacking = next(t.infosets[i] for i in range(t.n_infosets) if i not in met)
        raise BadInputError(
            f"the profile is of another game than {game.name}, where player {player} has no {lacking!r}"
        )
    return table


def _row(treeplex: Treeplex, behaviour: Floats, infoset: int, actions: list[str]) -> Floats:
    """Return the behaviour at an infoset in the order of a decision's actions."""
    begin, end = treeplex.begin[infoset], treeplex.end[infoset]
    labels = list(treeplex.actions[begin:end])
    if sorted(labels) != sorted(actions):
        key = treeplex.infosets[infoset]
        raise BadInputError(f"the actions at {key!r} must be {', '.join(actions)}, got {', '.join(labels)}")
    return behaviour[begin:end][[labels.index(action) for action in actions]]


def _places(treeplex: Treeplex) -> dict[tuple[str, str], int]:
    """Return the sequence of each infoset's key and action."""
    keys = (treeplex.infosets[i] for i in treeplex.infoset_of[1:])
    return {pair: s for s, pair in enumerate(zip(keys, treeplex.actions[1:], strict=True), start=1)}


def unmerged(strategy: FactoredStrategy, tree: FactoredTree, *, report: Report = quiet) -> FactoredStrategy:
    """Return a strategy as the same one on another tree of its game, on which fewer boards are merged.

    Parameters
    ----------
    strategy : FactoredStrategy
    tree : FactoredTree
        Of the same game; usually with no boards merged. Its tables are as many times larger.
    report : callable, optional
        Told a few times a second how many boards are done.

    Returns
    -------
    FactoredStrategy
        The same weights in the same dtype, hand by hand.

    Raises
    ------
    ValueError
        If the trees are of different games, or a board of ``tree`` has no board that represents it.
    """
    merged = strategy.tree
    if merged.game != tree.game or merged.betting.line != tree.betting.line:
        raise BadInputError(f"both trees must be of one game, got {merged.game.name} and {tree.game.name}")
    first, second = (
        np.empty(int(base[-1]), weight.dtype) for base, weight in zip(tree.base, strategy.weight, strict=True)
    )
    every, images = tree.boards.n_boards, images_of(tree.game, merged.boards, tree.boards)
    for board, image in enumerate(reported(images, report, lambda n: f"{n:,} of {every:,} boards")):
        for p, table in enumerate((first, second)):
            columns = columns_of(merged.boards, tree.boards, p, board, image)
            there = rows_on(merged, p, image.image, strategy.weight[p])
            rows_on(tree, p, board, table)[:] = there[:, columns]
    return FactoredStrategy(tree, (first, second))


def extended(strategy: FactoredStrategy, tree: FactoredTree) -> FactoredStrategy:
    """Return a strategy on the tree of a game with more bets, none of which it ever makes.

    Parameters
    ----------
    strategy : FactoredStrategy
        No hands locked.
    tree : FactoredTree
        On the same boards, of a game that has all lines of the strategy's.

    Returns
    -------
    FactoredStrategy
        At lines that the strategy has, its weights; its shares where there are more actions. All weights are
        zero at other lines.
    """
    old = strategy.tree
    dtype = np.result_type(*strategy.weight)
    first, second = (np.zeros(int(base[-1]), dtype) for base in tree.base)
    for p, table in enumerate((first, second)):
        same: list[list[tuple[int, int]]] = [[] for _ in range(old.betting.n_streets)]
        more: list[list[tuple[int, list[int]]]] = [[] for _ in same]
        for node in np.flatnonzero(old.betting.player == p).tolist():
            there = tree.betting.node_of[old.betting.line[node]]
            actions, place = old.actions(node), int(tree.slot[there])
            rows = [place + tree.actions(there).index(action) for action in actions]
            if len(tree.betting.children[there]) > len(actions):
                more[old.betting.street[node]].append((node, rows))
            else:
                slot = int(old.slot[node])
                same[old.betting.street[node]] += [(slot + k, row) for k, row in enumerate(rows)]
        moved = [np.array(pairs, np.int64).reshape(-1, 2).T for pairs in same]
        for board, street in enumerate(old.boards.street.tolist()):
            here, known = rows_on(tree, p, board, table), rows_on(old, p, board, strategy.weight[p])
            here[moved[street][1]] = known[moved[street][0]]
            for node, rows in more[street]:
                # All weights that are zero are played uniformly, which would make the new bets.
                here[rows] = strategy.at(p, node, board).T
    return FactoredStrategy(tree, (first, second))


def columns_of(merged: BoardTree, boards: BoardTree, player: int, board: int, image: RealBoard) -> Index:
    """Return the column of each live hand of a board on the board that represents it.

    Parameters
    ----------
    merged : BoardTree
        With the board that represents.
    boards : BoardTree
        With the board that is represented.
    player : int
    board : int
        Of ``boards``.
    image : RealBoard
        How ``merged`` represents it.
    """
    hands = boards.hands[player]
    wanted = codes(hands.cards[hands.hand[hands.on(board)]])
    there = codes(np.sort(real_hands(merged, player, image), axis=1))
    order = np.argsort(there)
    return order[np.searchsorted(there, wanted, sorter=order)]


def rows_on(tree: FactoredTree, player: int, board: int, table: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the part of a player's table on a board, (rows, live hands)."""
    start, end = tree.base[player][board : board + 2]
    width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
    return table[start:end].reshape(-1, width) if width else table[start:end].reshape(0, 0)
