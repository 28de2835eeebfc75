"""Gadgets that users wrote: what they return is checked, what they raise becomes a ValueError.

They are imported from ``module:Name`` or taken as objects and classes; on sequence forms and on boards.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.gadget import Gadget, RootGadget, UndefinedError
from treeplex.games.base.errors import BadInputError, NotSolvedError
from treeplex.games.base.own_games import check_class, load_object
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.rational_optimum import NotExactError
from treeplex.seqform.subgames.drawn import Decisions, DrawnDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions, Tops

METHODS = ("apply", "invert", "alternative_values")
"""The methods of a gadget."""


def load_gadget(path: str) -> Gadget:
    """Import a gadget written as ``module:Name``, a class without arguments or an object.

    The working directory is searched too. A class that lacks a method of gadgets is not called.

    Raises
    ------
    ValueError
        If the module or the name cannot be imported, or what it names is no gadget.
    """
    found = load_object(path, "gadget")
    check_class(found, METHODS, "gadget", repr(path))
    return as_gadget(found, repr(path))


def as_gadget(loaded: Any, where: str) -> Gadget:
    """Return an object that satisfies :class:`Gadget`; a class is called without arguments.

    Raises
    ------
    ValueError
        If it has not the members of a gadget; the message calls it ``where``.
    """
    gadget = call_user(where, loaded) if isinstance(loaded, type) else loaded
    for method in METHODS:
        if not callable(getattr(gadget, method, None)):
            raise BadInputError(f"{where} is no gadget: it has no method {method}")
    if not isinstance(call_user(f"{where}.name", lambda: getattr(gadget, "name", None)), str):
        raise BadInputError(f"{where} is no gadget: it has no name")
    checked: Gadget = gadget
    return checked


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
    if getattr(type(gadget), "apply", None) is RootGadget.apply:
        form = OwnGadget(gadget).apply(subgame)
    else:
        form = call_user(where, lambda: gadget.apply(subgame))
    if not isinstance(form, SequenceForm):
        raise BadInputError(f"{where} must return a SequenceForm, got {type(form).__name__}")
    if len(form.treeplexes) != 2 or not isinstance(form.payoff, Payoff):
        raise BadInputError(f"{where} must return a game of two treeplexes and a Payoff")
    sizes = tuple(t.n_sequences for t in form.treeplexes)
    if form.payoff.base.shape != sizes:
        raise BadInputError(
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
        raise BadInputError(
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
        raise BadInputError(
            f"{where} must return AlternativeValues or None, got {type(alternatives).__name__}"
        )
    for what, values in (("alternative", alternatives.alternative), ("gift", alternatives.gift)):
        if np.shape(values) != tops.reach.shape or not np.isfinite(np.asarray(values)[tops.live]).all():
            raise BadInputError(f"{where}: {what} must be {len(tops.reach)} finite numbers, got {values!r}")
    return alternatives


def call_user(where: str, code: Callable[[], T]) -> T:
    """Return what a user's code returns; what it raises becomes a ValueError that begins with ``where``."""
    try:
        return code()
    except (UndefinedError, NotSolvedError, NotExactError, MemoryError):
        raise
    except ValueError as error:
        raise BadInputError(f"{where}: {error}") from error
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{where}: {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class OwnGadget(RootGadget):
    """A gadget of a user's that says what the opponent decides before the subgame.

    Attributes
    ----------
    gadget : Gadget
    """

    gadget: Gadget

    def __post_init__(self) -> None:
        if not callable(getattr(self.gadget, "root", None)):
            raise BadInputError(f"on boards a gadget needs root(tops), and {self.gadget.name} has none")

    @property
    def name(self) -> str:
        """Name in reports."""
        return self.gadget.name

    def root(self, tops: Tops) -> Decisions:
        """Return the opponent's root decisions.

        Raises
        ------
        ValueError
            If the gadget raises anything, or returns no decisions over these tops.
        """
        where = f"{self.name}.root"
        root = call_user(where, lambda: self.gadget.root(tops))  # type: ignore[attr-defined]
        if isinstance(root, DrawnDecisions):
            call_user(where, lambda: _check_drawn(root, len(tops.tops)))
            return root
        if not (isinstance(root, RootDecisions) and isinstance(root.header, Treeplex)):
            raise BadInputError(f"{where} must return RootDecisions, got {type(root).__name__}")
        return call_user(where, lambda: _checked(root, len(tops.tops)))

    def alternative_values(self, tops: Tops) -> AlternativeValues | None:
        """Return the alternative values, or None.

        Raises
        ------
        ValueError
            If the gadget raises anything, or returns other than one finite number for each top with reach.
        """
        where = f"{self.name}.alternative_values"
        found = call_user(where, lambda: self.gadget.alternative_values(tops))
        return check_values(where, found, tops)


def _check_drawn(root: DrawnDecisions, n_tops: int) -> None:
    """Refuse draws that do not fit the tops."""
    for name, least in (("mean", -np.inf), ("deviation", 0.0), ("live", 0.0)):
        given = np.asarray(getattr(root, name))
        if given.shape != (n_tops,) or not (np.isfinite(given).all() and given.min() >= least):
            raise BadInputError(
                f"{name} of draws must be {n_tops} finite numbers from {least:g} up, got {given!r}"
            )


def _checked(root: RootDecisions, n_tops: int) -> RootDecisions:
    """Return decisions with arrays for what may be lists; refuse those that do not fit the tops."""
    n = root.header.n_sequences
    entries = []
    for entry in root.entries:
        at, weight = np.asarray(entry.at), np.asarray(entry.weight)
        if at.shape != (n_tops,) or at.dtype.kind != "i" or not ((at >= -1) & (at < n)).all():
            raise BadInputError(f"at of an entry must be {n_tops} integers from -1 to {n - 1}, got {at!r}")
        if weight.shape != (n_tops,) or not (np.isfinite(weight) & (weight >= 0)).all():
            raise BadInputError(
                f"weight of an entry must be {n_tops} finite numbers of at least 0, got {weight!r}"
            )
        entries.append(Entry(at.astype(np.int64), weight.astype(np.float64), entry.suffix))
    where, paid = (np.asarray(part) for part in root.stay)
    inside = len(where) == 0 or (where.dtype.kind == "i" and ((where >= 0) & (where < n)).all())
    if where.shape != paid.shape or where.ndim != 1 or not inside or not np.isfinite(paid).all():
        raise BadInputError(
            f"stay must be sequences from 0 to {n - 1} and a finite payoff each, got {root.stay!r}"
        )
    return RootDecisions(root.header, tuple(entries), (where.astype(np.int64), paid.astype(np.float64)))
