"""Gadgets that users wrote: what they return is checked, what they raise becomes a ValueError.

They are imported from ``module:Name`` or taken as objects and classes; on sequence forms and on boards.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.gadget import Gadget, RootGadget, UndefinedError
from treeplex.games.base.errors import BadInputError, NotSolvedError
from treeplex.games.base.own_games import check_class, load_object
from treeplex.games.base.reading import shown
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.programs.rational_optimum import NotExactError
from treeplex.seqform.subgames.drawn import Decisions, DrawnDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions, Tops

MOST = 1e307
"""The largest amount that a gadget may give: sums of a few stay within floats."""
MOST_WEIGHT = 1e30
"""The largest weight of an entry: products with payoffs of a usual size stay within 32-bit floats."""
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
    where = f"{_called(gadget)}.apply"
    if getattr(type(gadget), "apply", None) is RootGadget.apply:
        form = OwnGadget(gadget).apply(subgame)
    else:
        form = call_user(where, lambda: gadget.apply(subgame))
    if not isinstance(form, SequenceForm):
        raise BadInputError(f"{where} must return a SequenceForm, got {type(form).__name__}")
    return call_user(where, lambda: _checked_form(form))


def _checked_form(form: SequenceForm) -> SequenceForm:
    """Return a game with treeplexes of its own; refuse parts of other types, and sizes that do not fit."""
    parts, payoff = form.treeplexes, form.payoff
    pair = isinstance(parts, tuple | list) and len(parts) == 2
    if not (pair and all(isinstance(t, Treeplex) for t in parts)):
        raise BadInputError(f"its treeplexes must be a pair of Treeplex, got {shown(parts)}")
    if not isinstance(payoff, Payoff):
        raise BadInputError(f"its payoff must be a Payoff, got {shown(payoff)}")
    n0, n1, k = *(t.n_sequences for t in parts), len(payoff.link)
    _check_matrix("base", payoff.base, (n0, n1))
    _check_matrix("left", payoff.left, (n0, k))
    _check_matrix("right", payoff.right, (n1, k))
    stakes = _numbers("its stakes", [*map(float, form.stakes)], 2, least=0.0).tolist()
    return replace(form, treeplexes=(_sound(parts[0]), _sound(parts[1])), stakes=(stakes[0], stakes[1]))


def _check_matrix(name: str, matrix: ExactMatrix, shape: tuple[int, int]) -> None:
    """Refuse a part of a payoff that has another shape, or entries outside it or without a fraction."""
    if matrix.shape != shape:
        raise BadInputError(f"its payoff's {name} must be of shape {shape}, got {matrix.shape}")
    for index, size in zip((matrix.rows, matrix.cols), shape, strict=True):
        is_inside = index.dtype.kind in "iu" and not np.any((index < 0) | (index >= size))
        if len(index) != len(matrix.num) or not is_inside:
            raise BadInputError(f"entries of its payoff's {name} must each have a place in {shape}")
    is_whole = matrix.num.dtype.kind == "i" or all(isinstance(a, int) for a in matrix.num.tolist())
    if not is_whole or not matrix.den > 0:
        raise BadInputError(f"its payoff's {name} must be integers over a denominator above 0")


def _sound(treeplex: Treeplex) -> Treeplex:
    """Return a copy of a treeplex, checked again: its arrays may have been written to since it was made."""
    arrays = (treeplex.begin, treeplex.end, treeplex.parent)
    begin, end, parent = (np.array(a, dtype=np.int64) for a in arrays)
    return Treeplex(begin, end, parent, treeplex.infosets, treeplex.actions)


def checked_behaviour(gadget: Gadget, subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour that the gadget reads from a solution, (S,).

    Raises
    ------
    ValueError
        If the gadget raises anything, or what it returns is no strategy inside the subgame.
    """
    where, defender = f"{_called(gadget)}.invert", subgame.cut.defender
    inverted = call_user(where, lambda: np.asarray(gadget.invert(subgame, solution)))
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
    where = f"{_called(gadget)}.alternative_values"
    return checked_values(where, call_user(where, lambda: gadget.alternative_values(subgame)), subgame)


def checked_values(where: str, alternatives: object, tops: Tops) -> AlternativeValues | None:
    """Return what a gadget gave as alternative values, checked, as arrays of floats.

    Raises
    ------
    ValueError
        If it is other than None or one number of at most 1e307 for each top with reach; the message begins
        with ``where``.
    """
    if alternatives is None:
        return None
    if not isinstance(alternatives, AlternativeValues):
        raise BadInputError(
            f"{where} must return AlternativeValues or None, got {type(alternatives).__name__}"
        )
    given = (("alternative", alternatives.alternative), ("gift", alternatives.gift))
    return AlternativeValues(
        *(call_user(where, partial(_numbers, what, each, len(tops.reach), tops.live)) for what, each in given)
    )


def _numbers(
    what: str,
    given: object,
    size: int,
    live: NDArray[np.bool_] | None = None,
    least: float = -MOST,
    most: float = MOST,
) -> Floats:
    """Return numbers as an array of floats; refuse another shape, and live ones that are out of range."""
    values = np.asarray(given)
    if values.shape != (size,) or values.dtype.kind not in "bfiu":
        raise BadInputError(f"{what} must be {size} real numbers, got {shown(given)}")
    seen = values if live is None else values[live]
    if not ((seen >= least) & (seen <= most)).all():  # NaN is in no range
        raise BadInputError(f"{what} must be {size} numbers from {least:g} to {most:g}, got {values!r}")
    return values.astype(np.float64)


def _called(gadget: Gadget) -> str:
    """Return what errors call a gadget: its name, with its class if that is a user's and called otherwise."""
    own = type(gadget)
    is_ours = own.__module__.startswith("treeplex.gadgets.")
    return gadget.name if is_ours or own.__name__ == gadget.name else f"{own.__name__} ({gadget.name})"


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
        where = f"{_called(self.gadget)}.root"
        root = call_user(where, lambda: self.gadget.root(tops))  # type: ignore[attr-defined]
        if isinstance(root, DrawnDecisions):
            return call_user(where, lambda: _checked_draws(root, len(tops.tops)))
        if not isinstance(root, RootDecisions):
            raise BadInputError(f"{where} must return RootDecisions, got {type(root).__name__}")
        return call_user(where, lambda: _checked(root, len(tops.tops)))

    def alternative_values(self, tops: Tops) -> AlternativeValues | None:
        """Return the alternative values, or None.

        Raises
        ------
        ValueError
            If the gadget raises anything, or returns other than one finite number for each top with reach.
        """
        where = f"{_called(self.gadget)}.alternative_values"
        found = call_user(where, lambda: self.gadget.alternative_values(tops))
        return checked_values(where, found, tops)


def _checked_draws(root: DrawnDecisions, n_tops: int) -> DrawnDecisions:
    """Return draws with arrays for what may be lists; refuse those that do not fit the tops."""
    live = np.asarray(root.live)
    if live.shape != (n_tops,) or live.dtype != np.bool_:
        raise BadInputError(f"live of draws must be {n_tops} truth values, got {root.live!r}")
    mean = _numbers("mean of draws", root.mean, n_tops)
    deviation = _numbers("deviation of draws", root.deviation, n_tops, least=0.0)
    return replace(root, mean=mean, deviation=deviation, live=live)


def _checked(root: RootDecisions, n_tops: int) -> RootDecisions:
    """Return decisions with arrays for what may be lists; refuse those that do not fit the tops."""
    if not isinstance(root.header, Treeplex):
        raise BadInputError(f"header must be a Treeplex, got {type(root.header).__name__}")
    header = _sound(root.header)
    n = header.n_sequences
    if not root.entries:
        raise BadInputError("entries must be at least one, got none")
    entries = []
    for entry in root.entries:
        at = _sequences("at of an entry", entry.at, -1, n)
        if len(at) != n_tops:
            raise BadInputError(f"at of an entry must be {n_tops} integers, got {len(at)}")
        weight = _numbers("weight of an entry", entry.weight, n_tops, least=0.0, most=MOST_WEIGHT)
        entries.append(Entry(at, weight, entry.suffix))
    where = _sequences("sequences of stay", root.stay[0], 0, n)
    paid = _numbers("payoffs of stay", root.stay[1], len(where))
    return RootDecisions(header, tuple(entries), (where, paid))


def _sequences(what: str, given: object, least: int, n: int) -> Index:
    """Return numbers of sequences as an array of integers; refuse others than from ``least`` to n - 1."""
    values = np.asarray(given)
    is_whole = values.dtype.kind in "iu" or values.size == 0
    if values.ndim != 1 or not is_whole or not ((values >= least) & (values < n)).all():
        raise BadInputError(f"{what} must be integers from {least} to {n - 1}, got {values!r}")
    return values.astype(np.int64)
