"""A strategy on betting lines times boards as a profile of the whole game, infoset by infoset."""

from collections.abc import Iterator

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.real_boards import RealBoard, next_boards, real_hands, starting_board
from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


def profile_of(game: PokerGame, strategy: StreetStrategy, form: SequenceForm) -> Profile:
    """Write a strategy on betting lines times boards as a profile; for games small enough to enumerate.

    Parameters
    ----------
    game : PokerGame
    strategy : StreetStrategy
        On a tree of the game, whether up to suits or not.
    form : SequenceForm
        Of the game, such as ``sequence_form(compile_public(game))``. Infosets that it leaves out, since no
        deal reaches them, are left out.

    Raises
    ------
    ValueError
        If the game hides suits, which the strategy sees; if the strategy is not for the game; or if the form
        has an infoset or action of which the strategy knows nothing.
    """
    if game.sees_ranks_only and game.suits > 1:
        raise ValueError(f"{game.name} hides suits, which the strategy sees; a profile of it cannot")
    check_strategy(game, strategy)
    boards = list(_boards(game, strategy, starting_board(game)))
    first, second = (_behaviour(game, strategy, form, boards, player) for player in (0, 1))
    return Profile(form.treeplexes, (first, second))


def _boards(game: PokerGame, strategy: StreetStrategy, board: RealBoard) -> Iterator[RealBoard]:
    yield board
    if board.street < strategy.tree.betting.n_streets - 1:
        for after in next_boards(game, strategy.tree.boards, board):
            yield from _boards(game, strategy, after)


def _behaviour(
    game: PokerGame, strategy: StreetStrategy, form: SequenceForm, boards: list[RealBoard], player: int
) -> Floats:
    """Return one player's behaviour, looked up by key and action."""
    treeplex, betting = form.treeplexes[player], strategy.tree.betting
    behaviour = np.full(treeplex.n_sequences, np.nan)
    behaviour[0] = 1.0
    decisions = np.flatnonzero(betting.player == player)
    for board in boards:
        labels = [
            game.hand_label(tuple(hand)) + game.joiner
            for hand in real_hands(strategy.tree.boards, player, board).tolist()
        ]
        for node in decisions[betting.street[decisions] == board.street].tolist():
            key = game.public_key(board.cards, betting.line[node])
            actions = [betting.action[child] for child in betting.children[node]]
            for label, row in zip(labels, strategy.at(player, node, board.image), strict=True):
                i = treeplex.index.get(label + key)
                if i is not None:
                    stretch = slice(treeplex.begin[i], treeplex.end[i])
                    played = dict(zip(actions, row.tolist(), strict=True))
                    behaviour[stretch] = [played.get(a, np.nan) for a in treeplex.actions[stretch]]
    missing = np.flatnonzero(np.isnan(behaviour))
    if len(missing):
        at = treeplex.infosets[treeplex.infoset_of[missing[0]]], treeplex.actions[missing[0]]
        raise ValueError(f"the strategy says nothing of {at[1]!r} at {at[0]!r}, where player {player} acts")
    return behaviour
