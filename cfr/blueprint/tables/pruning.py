"""Pruning in blueprints: own actions of large negative regret are skipped, in the two published ways."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from treeplex.games.inputs.parameters import check_word
from treeplex.games.inputs.reading import shown
from treeplex.games.inputs.types import check_types
from treeplex.games.specs.spec_text import parse_keys

NEVER, BY_REGRET, BY_COIN = 0, 1, 2
"""Kinds of pruning, as kernels read them."""


class Pruned(NamedTuple):
    """Pruning as kernels read it, regrets in the units of tables."""

    kind: int
    threshold: float
    constant: float
    least: float
    share: float
    last_street: int


UNPRUNED = Pruned(NEVER, 0.0, 1.0, 1.0, 0.0, 0)
"""All own actions are tried."""


def _check_threshold(threshold: float) -> None:
    if not -math.inf < threshold < 0.0:
        raise ValueError(f"threshold must be below 0 and finite, got {threshold}")


def _check_start(start: int) -> None:
    if start < 0:
        raise ValueError(f"start must be at least 0, got {start}")


@dataclass(frozen=True)
class LibratusPruning:
    """An own action of regret R below the threshold C is tried with probability ``K / (K + C - R)``.

    Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats top professionals (2018),
    note 39, which names no numbers. What is not tried keeps its regrets, and so does everything below it;
    increments are not divided by the probability. Where no regret is positive all actions are tried.

    Attributes
    ----------
    threshold : float
        C, below 0, in largest stakes of the game: regrets are totals over traversals, weighted as these are,
        and their noise grows with the root of the visits, which C must exceed.
    constant : float
        K, above 0, in largest stakes.
    least : float
        The least probability, in (0, 1].
    start : int
        Number of traversals without pruning at the start.
    """

    threshold: float = -230.0
    constant: float = 2300.0
    least: float = 0.05
    start: int = 0

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)
        if not 0.0 < self.constant < math.inf:
            raise ValueError(f"constant must be above 0 and finite, got {self.constant}")
        if not 0.0 < self.least <= 1.0:
            raise ValueError(f"least must be above 0 and at most 1, got {self.least}")
        _check_start(self.start)

    @property
    def kind(self) -> str:
        """The name of the rule."""
        return "libratus"

    @property
    def floor(self) -> float:
        """The lowest regret, in largest stakes: no other than that of the tables."""
        return -math.inf

    def numbers(self, stake: float, last_street: int) -> Pruned:
        """Return the rule as kernels read it; ``stake`` is the largest stake in units of regrets."""
        return Pruned(BY_REGRET, self.threshold * stake, self.constant * stake, self.least, 1.0, last_street)


@dataclass(frozen=True)
class PluribusPruning:
    """In most traversals own actions of regret below the threshold C are skipped, in the others none.

    Brown and Sandholm, Superhuman AI for multiplayer poker (2019): not on the last street, nor where the
    action ends the hand. Where no regret is positive all actions are tried.

    Attributes
    ----------
    threshold : float
        C, below 0, in largest stakes of the game, as for :class:`LibratusPruning`.
    floor : float
        The lowest regret, in largest stakes, at most the threshold: just below it actions come back soon.
        Pluribus has C = -300 and this floor -310 million chips, with stacks of 10,000.
    share : float
        The probability with which a traversal skips, in [0, 1].
    start : int
        Number of traversals without pruning at the start.
    """

    threshold: float = -230.0
    floor: float = -238.0
    share: float = 0.95
    start: int = 0

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)
        if not -math.inf < self.floor <= self.threshold:
            raise ValueError(f"floor must be finite and at most {self.threshold:g}, got {self.floor}")
        if not 0.0 <= self.share <= 1.0:
            raise ValueError(f"share must be between 0 and 1, got {self.share}")
        _check_start(self.start)

    @property
    def kind(self) -> str:
        """The name of the rule."""
        return "pluribus"

    def numbers(self, stake: float, last_street: int) -> Pruned:
        """Return the rule as kernels read it; ``stake`` is the largest stake in units of regrets."""
        return Pruned(BY_COIN, self.threshold * stake, 1.0, 0.0, self.share, last_street)


BlueprintPruning = LibratusPruning | PluribusPruning
PRUNINGS: Mapping[str, BlueprintPruning] = MappingProxyType(
    {one.kind: one for one in (LibratusPruning(), PluribusPruning())}
)
"""Both rules by their names."""


def pruning_named(text: str) -> BlueprintPruning:
    """Return the rule that a text names, its numbers written as in specs.

    >>> pruning_named("pluribus(threshold=-100,share=0.9)")
    PluribusPruning(threshold=-100.0, floor=-238.0, share=0.9, start=0)

    Raises
    ------
    ValueError
        If there is no such rule or number, or a number is out of range.
    """
    named = re.fullmatch(r"(\w+)\s*(\(.*\))?", text.strip(), re.DOTALL)
    name = named[1] if named else text
    check_word("pruning", name, tuple(PRUNINGS))
    rule = PRUNINGS[name]
    values = parse_keys((named and named[2]) or "()")
    for key in values:
        if key not in (legal := [field.name for field in fields(rule)]):
            raise ValueError(f"pruning: {name} takes {', '.join(legal)}, got {shown(key)}")
    try:
        check_types(type(rule), values)
        given: Any = {key: _number(getattr(rule, key), value) for key, value in values.items()}
        return replace(rule, **given)
    except ValueError as error:
        raise ValueError(f"pruning: {name}: {error}") from None


def _number(plain: float, value: Any) -> float:
    """Return a number in the type of a rule's own; infinite what is beyond floats, which rules refuse."""
    if isinstance(plain, int):
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
