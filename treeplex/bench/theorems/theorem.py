"""Theorems as objects: a statement, its source, instances, and both sides as they are measured on one."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from treeplex.bench.theorems.effort import Effort
from treeplex.games.base.display import Block, Columns, Rows, Shown
from treeplex.games.base.errors import BadInputError

Relation = Literal["<=", "=="]
"""How the left side is said to stand to the right side."""


@dataclass(frozen=True)
class Instance:
    """One case on which a theorem is measured; enough to make it again.

    Attributes
    ----------
    game : str
        A spec; empty for statements that are not about a game.
    seed : int
        Of all that is drawn at random.
    seat : int or None
        The player whom the statement is about, where there is one.
    choice : str
        What else is chosen: a variant, a blueprint, a method.
    """

    game: str = ""
    seed: int = 0
    seat: int | None = None
    choice: str = ""

    def __str__(self) -> str:
        seat = "" if self.seat is None else f"player {self.seat}"
        seed = f"seed {self.seed}" if self.seed else ""
        return ", ".join(part for part in (self.game, seat, self.choice, seed) if part)


@dataclass(frozen=True)
class Comparison:
    """Both sides of a statement, measured once.

    Attributes
    ----------
    left, right : float or Fraction
        Rationals where both sides are computed exactly.
    scale : float
        Differences are counted in this unit, above 0: a game's spread of payoffs, a number of iterations.
    at : str
        Where in the instance: a top, an infoset, a player.
    """

    left: float | Fraction
    right: float | Fraction
    scale: float = 1.0
    at: str = ""

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise BadInputError(f"a comparison's scale must be above 0, got {self.scale}")

    def slack(self, relation: Relation) -> float:
        """Return by how much the statement holds, in parts of the scale; below 0 it does not.

        ``(right - left) / scale`` for ``<=``, ``-|right - left| / scale`` for ``==``. What is not a number
        does not hold: minus infinity.
        """
        gap = float(self.right - self.left) / self.scale
        if math.isnan(gap):
            return -math.inf
        return gap if relation == "<=" else -abs(gap)


Measure = Callable[[Instance], Iterable[Comparison]]
Instances = Callable[[Effort], Iterable[Instance]]


@dataclass(frozen=True, repr=False)
class Twin(Shown):
    """The statement just beyond a theorem, which is false: it must fail on some instance.

    Attributes
    ----------
    plain : str
        The false statement in words.
    measure : callable
        Its sides on an instance.
    instances : callable or None
        Its own instances; None if the theorem's serve. They must hold one on which it fails, quick or not.
    """

    plain: str
    measure: Measure
    instances: Instances | None = None

    def brief(self) -> str:
        """Return the false statement."""
        return self.plain


@dataclass(frozen=True, kw_only=True, repr=False)
class Theorem(Shown):
    """A statement ``left <= right`` or ``left == right`` that holds on every instance.

    Attributes
    ----------
    name : str
        In lower case with hyphens, unique; what ``treeplex verify NAME`` takes.
    plain : str
        The statement in words, formulas in plain text.
    tex : str
        Its formula in TeX, without delimiters.
    source : str
        Paper, year and number of the statement, or where it is derived.
    relation : {"<=", "=="}
    instances : callable
        From an :class:`Effort` to instances, always the same for the same effort.
    measure : callable
        From an instance to both sides; a generator of as many comparisons as the instance offers.
    tolerance : float
        Rounding that is allowed, in parts of each comparison's scale; 0 where sides are exact.
    equality : str
        Where both sides are equal; if it is given, some instance must be tight. Not for ``==``.
    erratum : str
        What is printed wrong in the source.
    twin : Twin or None
    """

    name: str
    plain: str
    tex: str
    source: str
    relation: Relation
    instances: Instances
    measure: Measure
    tolerance: float = 1e-9
    equality: str = ""
    erratum: str = ""
    twin: Twin | None = None

    def blocks(self) -> tuple[Block, ...]:
        """Return what it says, in words and as a formula, and where it stands."""
        texts = (
            ("says", self.plain),
            ("formula", self.tex),
            ("source", self.source),
            ("equality", self.equality),
            ("erratum", self.erratum),
            ("false twin", "" if self.twin is None else self.twin.plain),
        )
        return (Rows(self.name, tuple((name, text) for name, text in texts if text)),)

    def brief(self) -> str:
        """Return the name and the source."""
        return f"{self.name}, {self.source}"


def theorems_table(theorems: Sequence[Theorem]) -> Columns:
    """Return a row for each theorem: name, statement, source."""
    rows = tuple((theorem.name, theorem.plain, theorem.source) for theorem in theorems)
    return Columns(None, ("theorem", "what it says", "source"), rows, left=None)
