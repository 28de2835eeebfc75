"""The identity of a run: game, method, form, parameters and payoffs."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.store.boards_file import rules_of


@dataclass(frozen=True)
class Identity:
    """Game, method, form, parameters and payoffs of a run.

    Attributes
    ----------
    game, method : str
    form : str
        Where it runs, such as ``tree`` or ``16 boards``.
    parameters : str
        The engine's config.
    payoffs : str
        A digest of the rules or of the payoffs: names of games and files say little about their content.
    """

    game: str
    method: str
    form: str
    parameters: str
    payoffs: str


def identity_of(
    game: Game[Any], method: str, where: str, config: object, form: SequenceForm | None = None
) -> Identity:
    """Return what a run is of.

    Parameters
    ----------
    game : Game
    method : str
    where : str
        The form that it runs on.
    config : object
        The engine's; its ``repr`` says all parameters.
    form : SequenceForm, optional
        The game's; needed unless it is a poker game.
    """
    if isinstance(game, PokerGame):
        payoffs = rules_of(game)
    elif form is not None:
        payoffs = fingerprint(form)
    else:
        raise ValueError(f"a sequence form must be given, got none of {game.name}")
    return Identity(game.name, method, where, repr(config), payoffs)


def fingerprint(form: SequenceForm) -> str:
    """Return a digest of infosets, actions and payoffs."""
    digest = hashlib.sha256()
    for t in form.treeplexes:
        digest.update("\n".join((*t.infosets, "", *t.actions)).encode())
    for part in (form.payoff.base, form.payoff.left, form.payoff.right):
        for array in (part.csr.indptr, part.csr.indices, part.csr.data):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
