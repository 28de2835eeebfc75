"""Calls of gadgets that users wrote: what they return is checked, what they raise becomes a ValueError."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.gadget import Gadget, UndefinedError
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.exact.rational_optimum import NotExactError
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.solve import NotSolvedError
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops

T = TypeVar("T")


def checked_game(gadget: Gadget, subgame: Subgame) -> SequenceForm:
    """Return the gadget's game.

    Raises
    ------
    ValueError
        If the gadget raises anything, or returns no game; the message names it.
    UndefinedError
        If the gadget has no meaning on this subgame.
    """
    where = f"{gadget.name}.apply"
    form = call_user(where, lambda: gadget.apply(subgame))
    if not isinstance(form, SequenceForm):
        raise ValueError(f"{where} must return a SequenceForm, got {type(form).__name__}")
    if len(form.treeplexes) != 2 or not isinstance(form.payoff, Payoff):
        raise ValueError(f"{where} must return a game of two treeplexes and a Payoff")
    sizes = tuple(t.n_sequences for t in form.treeplexes)
    if form.payoff.base.shape != sizes:
        raise ValueError(
            f"{where} must return a payoff of shape {sizes}, one entry a pair of sequences, got "
            f"{form.payoff.base.shape}"
        )
    return form


def checked_behaviour(gadget: Gadget, subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour that the gadget reads from a solution, (S,).

    Raises
    ------
    ValueError
        If the gadget raises anything, or what it returns is no strategy inside the subgame.
    """
    where, defender = f"{gadget.name}.invert", subgame.cut.defender
    inverted = np.asarray(call_user(where, lambda: gadget.invert(subgame, solution)))
    if inverted.shape != subgame.plan.shape or inverted.dtype.kind not in "fiu":
        raise ValueError(
            f"{where} must return real numbers of shape {subgame.plan.shape}, got {inverted.dtype} of "
            f"{inverted.shape}"
        )
    behaviour = np.where(subgame.cut.inside, inverted, subgame.blueprint.behaviour[defender])
    new = subgame.blueprint.exchanged(defender, behaviour)
    call_user(where, lambda: check_profile(subgame.cut.game.form, new))
    return new.behaviour[defender]


def checked_alternatives(gadget: Gadget, subgame: Subgame) -> AlternativeValues | None:
    """Return the alternative values of a gadget, checked.

    Raises
    ------
    ValueError
        If the gadget raises anything, or returns other than one finite number for each top with reach.
    """
    where = f"{gadget.name}.alternative_values"
    return check_values(where, call_user(where, lambda: gadget.alternative_values(subgame)), subgame)


def check_values(where: str, alternatives: object, tops: Tops) -> AlternativeValues | None:
    """Return what a gadget gave as alternative values, checked.

    Raises
    ------
    ValueError
        If it is other than None or one finite number for each top with reach; the message begins with
        ``where``.
    """
    if alternatives is None:
        return None
    if not isinstance(alternatives, AlternativeValues):
        raise ValueError(f"{where} must return AlternativeValues or None, got {type(alternatives).__name__}")
    for what, values in (("alternative", alternatives.alternative), ("gift", alternatives.gift)):
        if np.shape(values) != tops.reach.shape or not np.isfinite(np.asarray(values)[tops.live]).all():
            raise ValueError(f"{where}: {what} must be {len(tops.reach)} finite numbers, got {values!r}")
    return alternatives


def call_user(where: str, code: Callable[[], T]) -> T:
    """Return what a user's code returns; what it raises becomes a ValueError that begins with ``where``."""
    try:
        return code()
    except (UndefinedError, NotSolvedError, NotExactError, MemoryError):
        raise
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    except (Exception, SystemExit) as error:
        raise ValueError(f"{where}: {type(error).__name__}: {error}") from error
