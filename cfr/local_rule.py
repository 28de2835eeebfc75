"""Local regret minimisers that users write: two compiled functions on named arrays."""

import hashlib
import sys
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import load_object
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shown

MOST_ARRAYS = 8


@dataclass(frozen=True, repr=False)
class LocalRule:
    """A local regret minimiser of your own, which runs at every infoset.

    Both functions are compiled by numba, which checks no bounds. They must not depend on anything but their
    arguments: the loop decides how often ``strategy`` is asked, and may ask in several threads.

    Attributes
    ----------
    observe : njit function
        ``observe(memory, values, value, t, noise)`` changes the memory after iteration t, 1 at first:
        ``values[a]`` is the counterfactual value of action a, ``value`` that of the infoset under the
        strategy just played. Sums of regrets smaller than ``noise`` are rounding errors.
    strategy : njit function
        ``strategy(memory, play)`` writes a weight into ``play[a]`` for each action: finite and not negative.
        The loop divides them by their sum; where it is 0, play is uniform.
    arrays : tuple of str
        Names of the memory's arrays: ``memory.NAME[a]`` is a float64 for each action, 0 at first. 1 to
        ``MOST_ARRAYS``.
    average : str
        Weights of plans in the average unless told: one of ``treeplex.cfr.variant.AVERAGES``.

    Raises
    ------
    ValueError
        If a function is not compiled by numba, or the names are none.

    Examples
    --------
    Regret matching+:

    >>> import treeplex as tp
    >>> from numba import njit
    >>> @njit
    ... def observe(memory, values, value, t, noise):
    ...     for a in range(len(values)):
    ...         regret = memory.regret[a] + values[a] - value
    ...         memory.regret[a] = regret if regret >= noise else 0.0
    >>> @njit
    ... def strategy(memory, play):
    ...     for a in range(len(play)):
    ...         play[a] = memory.regret[a]
    >>> tp.LocalRule(observe, strategy, ("regret",)).arrays
    ('regret',)
    """

    observe: Any
    strategy: Any
    arrays: tuple[str, ...]
    average: str = "linear"

    def __post_init__(self) -> None:
        for name in ("observe", "strategy"):
            if not hasattr(getattr(self, name), "py_func"):
                raise BadInputError(
                    f"a rule's {name} must be a function with @numba.njit above it, got "
                    f"{shown(getattr(self, name))}"
                )
        names = self.arrays
        legal = isinstance(names, tuple) and all(isinstance(name, str) for name in names)
        if not legal or not 1 <= len(names) <= MOST_ARRAYS or len({*names}) < len(names):
            raise BadInputError(
                f"a rule's arrays must be a tuple of 1 to {MOST_ARRAYS} different names, got {shown(names)}"
            )
        for name in names:
            if not name.isidentifier() or iskeyword(name) or name.startswith("_"):
                raise BadInputError(f"a rule's array must have a Python name, got {shown(name)}")

    def __repr__(self) -> str:
        """Return names and a hash of the code, by which a kept run knows its rule."""
        made_of = [part for one in (self.observe, self.strategy) for part in _code_of(one.py_func)]
        digest = hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]
        first, second = self.observe.py_func.__name__, self.strategy.py_func.__name__
        return f"LocalRule({first}, {second}, arrays={self.arrays}, code={digest})"

    @cached_property
    def compiled(self) -> tuple[Any, Any]:
        """Both functions as loops call them; raises ``ValueError`` if numba refuses one."""
        from treeplex.cfr.asked_rules import compiled_rule  # numba is loaded when a rule is used

        return compiled_rule(self.observe, self.strategy, self.arrays)


def _code_of(function: Any) -> list[object]:
    """Return what a function is made of: its code, and the numbers and texts of its module that it reads."""
    code, known = function.__code__, function.__globals__
    read = {name: known[name] for name in code.co_names if isinstance(known.get(name), int | float | str)}
    constants = [one for one in code.co_consts if not hasattr(one, "co_code")]
    return [code.co_code, constants, code.co_names, sorted(read.items())]


def is_own(method: str) -> bool:
    """Return whether a method is the name of a user's rule, ``module:name``."""
    return ":" in method


def load_rule(path: str) -> LocalRule:
    """Return the rule that ``module:name`` names, compiled.

    Raises
    ------
    ValueError
        If there is none, or numba cannot compile it.
    """
    found = load_object(path, "rule")
    if not isinstance(found, LocalRule):
        raise BadInputError(f"{path} must be a treeplex.LocalRule, got {shown(found)}")
    assert found.compiled  # compiled now, and refused before a game is loaded for it
    return found


def name_of(method: str | LocalRule) -> str:
    """Return a method's name: of a rule ``module:name``, from a function's module or from a script.

    Raises
    ------
    ValueError
        If the rule has no name there.
    TypeError
        If it is neither a name nor a rule.
    """
    if not isinstance(method, LocalRule):
        check_kind("a method", method, str, "a name or a LocalRule")
        return method
    for module in (method.observe.py_func.__module__, method.strategy.py_func.__module__, "__main__"):
        names = [name for name, one in vars(sys.modules[module]).items() if one is method]
        if names:
            return f"{module}:{names[0]}"
    raise BadInputError("a rule of your own must have a name in its module, as in my_rule = LocalRule(...)")


def n_arrays(minimiser: object) -> int:
    """Return how many numbers a local minimiser keeps for each action where others keep a regret."""
    return len(minimiser.arrays) if isinstance(minimiser, LocalRule) else 1


def check_asked(failed: NDArray[np.float64]) -> None:
    """Refuse to go on after a rule has failed; raises ``ValueError`` unless ``failed`` (1,) is 0."""
    if failed[0] != 0.0:
        from treeplex.cfr.asked_rules import FAILURES

        raise BadInputError(f"the rule of your own failed: its {FAILURES[float(failed[0])]}")
