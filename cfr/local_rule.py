"""Local regret minimisers that users write: two compiled functions on named arrays."""

import hashlib
import sys
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from numbers import Number
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import load_object
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shown

MOST_ARRAYS = 8


@dataclass(frozen=True, repr=False)
class LocalRule:
    """A local regret minimiser of your own, which runs at every infoset.

    Both functions are compiled by numba, which checks no bounds. They must not depend on anything but their
    arguments: the loop decides how often ``strategy`` is asked.

    Attributes
    ----------
    observe : njit function
        ``observe(memory, values, value, t, noise)`` changes the memory after iteration t, 1 at first:
        ``values[a]`` is the counterfactual value of action a, ``value`` that of the infoset under the
        strategy just played. Sums of regrets smaller than ``noise`` are rounding errors. On boards and in
        buckets values are less that of the infoset, which is 0 then.
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
        """Return names and, of a user's rule, a hash of its code, by which a kept run knows it."""
        names = f"{self.observe.py_func.__name__}, {self.strategy.py_func.__name__}, arrays={self.arrays}"
        if self.observe.py_func.__module__.startswith("treeplex."):
            return f"LocalRule({names})"
        made_of = repr([_made_of(self.observe), _made_of(self.strategy)])
        return f"LocalRule({names}, code={hashlib.sha256(made_of.encode()).hexdigest()[:16]})"

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is compiled, which another process compiles again."""
        return {name: value for name, value in self.__dict__.items() if name != "compiled"}

    @cached_property
    def compiled(self) -> tuple[Any, Any]:
        """Both functions as loops call them; raises ``ValueError`` if numba refuses one."""
        from treeplex.cfr.asked_rules import compiled_rule  # numba is loaded when a rule is used

        return compiled_rule(self.observe, self.strategy, self.arrays)


def _made_of(value: Any, seen: tuple[Any, ...] = ()) -> object:
    """Return what tells a compiled function from another: its bytecode and all that numba freezes in it."""
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        if function in seen:
            return function.__name__
        code, known, inside = function.__code__, function.__globals__, (*seen, function)
        constants = [one for one in code.co_consts if one != function.__doc__]
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        read = [known[name] for name in code.co_names if name in known]
        frozen = [*constants, *cells, *(function.__defaults__ or ()), *read]
        return [code.co_code, code.co_names, [_made_of(one, inside) for one in frozen]]
    if isinstance(value, np.ndarray):
        return [value.shape, value.dtype.str, value.tobytes()]
    if isinstance(value, CodeType):
        return [value.co_code, value.co_names, [_made_of(one, seen) for one in value.co_consts]]
    if isinstance(value, tuple):
        return [_made_of(one, seen) for one in value]
    return repr(value) if isinstance(value, Number | str | None) else type(value).__name__


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
    own = (method.observe.py_func.__module__, method.strategy.py_func.__module__, "__main__")
    for module in dict.fromkeys((*own, *sys.modules)):
        known = getattr(sys.modules.get(module), "__dict__", {})
        names = [name for name, one in tuple(known.items()) if one is method]
        if names:
            return f"{module}:{min(names, key=lambda name: name.startswith('_'))}"
    raise BadInputError(
        "a rule of your own must have a name in a module: put my_rule = LocalRule(...) outside functions"
    )


def n_arrays(minimiser: object) -> int:
    """Return how many numbers a local minimiser keeps for each action where others keep a regret."""
    return len(minimiser.arrays) if isinstance(minimiser, LocalRule) else 1
