"""What a claim is: which cases it is tried on, and by how much a target breaks it on one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeVar

from treeplex.bench.challenges.case import Case, RationalStrategy
from treeplex.bench.challenges.case_edits import Edit
from treeplex.games.base.display import Shown
from treeplex.subgames.resolution import HARMLESS


@dataclass(frozen=True, repr=False)
class Breach(Shown):
    """What a target does on a case.

    Attributes
    ----------
    harm : Fraction
        By how much the claim fails; at most 0 where it holds. Exact for the strategies that were played.
    scale : Fraction
        What the harm is measured by, above 0: the spread of payoffs.
    figures : tuple of (str, Fraction or float)
        Both sides of the claim and whatever explains them, by name.
    played : RationalStrategy
        What the target played or returned.
    """

    harm: Fraction
    scale: Fraction
    figures: tuple[tuple[str, Fraction | float], ...]
    played: RationalStrategy = field(default_factory=dict)

    def brief(self) -> str:
        """Return by how much the claim fails."""
        return f"harm {self.harm}"

    @property
    def share(self) -> float:
        """The harm in parts of the scale."""
        return float(self.harm / self.scale)

    @property
    def is_broken(self) -> bool:
        """Whether the claim fails here, beyond what solvers in floats can be blamed for."""
        return self.share > HARMLESS


T = TypeVar("T")


class Claim(Protocol[T]):
    """A statement about targets of one kind, such as "this gadget is safe"; see ``docs/CHALLENGES.md``."""

    @property
    def name(self) -> str:
        """Name on the command line."""

    @property
    def statement(self) -> str:
        """The claim in words, the target's name put in for ``{}``."""

    def target(self, given: object) -> T:
        """Return what is challenged, checked, from an object, a class, a name or ``module:Name``.

        Raises
        ------
        ValueError
            If it is no target of this claim.
        """

    def cases(self, target: T, seed: int) -> Iterator[Case]:
        """Yield the cases to be tried, small ones first, the same for one seed; may end."""

    def edits(self, target: T) -> Sequence[Edit]:
        """Return how a case may be made smaller; none where the claim is about one game."""

    def breach(self, target: T, case: Case) -> Breach:
        """Return by how much the target breaks the claim on a case.

        Raises
        ------
        ValueError
            If the target raises, or returns what it must not, or the case is none.
        """
