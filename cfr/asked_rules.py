"""Users' local regret minimisers as compiled loops call them: through pointers of one type for all rules.

So loops are compiled once, whatever the rule is.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numba import cfunc, njit, types
from numba.core.errors import NumbaError
from numba.core.event import trigger_event
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError

FLAT, INTEGER, FLOAT = types.Array(types.float64, 1, "C"), types.int64, types.float64
OBSERVES = types.void(FLAT, INTEGER, INTEGER, FLAT, FLOAT, FLOAT, FLOAT, FLAT)
"""Of ``observe(memory, lo, hi, values, value, t, noise, failed)``.

An infoset's actions are at ``lo`` to ``hi`` in ``values`` and in each of the rule's arrays, which ``memory``
holds one after another. What fails writes one of ``FAILURES`` to ``failed``.
"""
PLAYS = types.void(FLAT, INTEGER, INTEGER, FLAT, FLAT)
"""Of ``strategy(memory, lo, hi, play, failed)``, places as in ``OBSERVES``."""
OBSERVE_RAISED, STRATEGY_RAISED, NO_WEIGHT = 1.0, 2.0, 3.0
FAILURES: Mapping[float, str] = MappingProxyType(
    {
        OBSERVE_RAISED: "observe raised an error",
        STRATEGY_RAISED: "strategy raised an error",
        NO_WEIGHT: "strategy wrote weights that are negative or not finite, or add up to infinity",
    }
)
"""What may fail in a rule, as loops are told of it."""


class Asked(NamedTuple):
    """A rule as compiled loops call it.

    observe, strategy : functions of the types ``OBSERVES`` and ``PLAYS``
    number : (T,) float64
        The numbers of the iterations to come.
    failed : (1,) float64
        0, or one of ``FAILURES``.
    """

    observe: Any
    strategy: Any
    number: NDArray[np.float64]
    failed: NDArray[np.float64]


def check_asked(asked: Asked | None) -> None:
    """Refuse to go on after a rule has failed; raises ``ValueError`` unless its ``failed`` is 0."""
    if asked is not None and asked.failed[0] != 0.0:
        raise BadInputError(f"the rule of your own failed: its {FAILURES[float(asked.failed[0])]}")


def compiled_rule(observe: Any, strategy: Any, arrays: tuple[str, ...]) -> tuple[Any, Any]:
    """Return a rule's functions as loops call them, of the types ``OBSERVES`` and ``PLAYS``.

    Parameters
    ----------
    observe, strategy : njit functions
        Of one infoset, as ``LocalRule`` describes them.
    arrays : tuple of str

    Raises
    ------
    ValueError
        If numba refuses one.
    """
    memory_of: Any = namedtuple("Memory", arrays)  # type: ignore[misc]
    k, rows = len(arrays), _rows(len(arrays))
    # Compiled anew: a division by zero gives an infinity, which is noticed.
    see, play_of = (_without_errors_of_division(one) for one in (observe, strategy))

    def observe_at(memory, lo, hi, values, value, t, noise, failed):  # type: ignore[no-untyped-def]
        try:
            see(memory_of(*rows(memory, len(memory) // k, lo, hi)), values[lo:hi], value, t, noise)
        except Exception:
            failed[0] = OBSERVE_RAISED

    def strategy_at(memory, lo, hi, play, failed):  # type: ignore[no-untyped-def]
        x, total = play[lo:hi], 0.0
        x[:] = 0.0
        try:
            play_of(memory_of(*rows(memory, len(memory) // k, lo, hi)), x)
        except Exception:
            failed[0] = STRATEGY_RAISED
        for a in range(hi - lo):
            total += x[a] if x[a] >= 0.0 else np.inf
        if not total < np.inf:
            x[:], failed[0] = 0.0, NO_WEIGHT

    return (
        _compile(observe_at, OBSERVES, "observe", observe),
        _compile(strategy_at, PLAYS, "strategy", strategy),
    )


def _without_errors_of_division(function: Any) -> Any:
    """Return a function compiled with its own options, but that divisions by zero give infinities."""
    options = {name: value for name, value in function.targetoptions.items() if name != "nopython"}
    return njit(**{**options, "error_model": "numpy"})(function.py_func)


def _rows(k: int) -> Any:
    """Return a compiled function that returns a slice of each of k arrays that lie one after another."""
    if k == 1:
        return njit(lambda flat, size, lo, hi: (flat[lo:hi],))
    rest = _rows(k - 1)
    return njit(lambda flat, size, lo, hi: (flat[lo:hi], *rest(flat, size, lo + size, hi + size)))


def _compile(function: Callable[..., None], kind: Any, name: str, given: Any) -> Any:
    try:
        with trigger_event("numba:compile"):  # numba itself tells of no cfunc
            return cfunc(kind, error_model="numpy")(function)
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        file = given.py_func.__code__
        said = next((line for line in lines if not line.startswith("Failed in")), "it does not compile")
        raise BadInputError(
            f"numba cannot compile the rule's {name} ({file.co_filename}, line {file.co_firstlineno}): {said}"
        ) from None
