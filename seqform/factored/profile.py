"""Conversion of a factored strategy to a profile of the game, infoset by infoset."""

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex


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
            raise ValueError(
                f"the strategy says nothing of {at[1]!r} at {at[0]!r}, where player {player} acts"
            )
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def _places(treeplex: Treeplex) -> dict[tuple[str, str], int]:
    """Return the sequence of each infoset's key and action."""
    keys = (treeplex.infosets[i] for i in treeplex.infoset_of[1:])
    return {pair: s for s, pair in enumerate(zip(keys, treeplex.actions[1:], strict=True), start=1)}
