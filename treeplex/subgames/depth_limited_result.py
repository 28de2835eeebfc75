"""Parameters, rounds and result of depth-limited solving."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treeplex.core.result import COUNTS
from treeplex.core.result_table import completed_text
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.shown import Shown
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile

SELF_GENERATED = "self-generated"
CONTINUATIONS = ("blueprint", "biased", SELF_GENERATED)
"""Named sources of the opponent's continuations."""
COLUMNS = ("continuations", "value", "conceded", "gap")


@dataclass(frozen=True)
class Round:
    """One depth-limited game solved; amounts are the opponent's, in the game's unit.

    Attributes
    ----------
    continuations : int
        How many the opponent could choose from at each top.
    value : float
        What the opponent gets in the depth-limited game.
    conceded : float
        What the opponent's best response gets in the whole game.
    gap : float
        ``conceded - value``.
    """

    continuations: int
    value: float
    conceded: float
    gap: float


@dataclass(frozen=True, kw_only=True, repr=False)
class DepthLimitedResult(Shown):
    """The trunk of a game solved again, the defender's blueprint kept below it.

    Attributes
    ----------
    game, unit : str
    defender : int
    subgames : tuple of str
        The public states at which the trunk ends.
    continuations : str
        ``blueprint``, ``biased``, ``self-generated`` or ``given``.
    rounds : tuple of Round
        One, or for self-generated continuations one for each number of them.
    converged : bool or None
        Whether the last gap is within the tolerance; None unless continuations are self-generated.
    exploitability_before, exploitability_after, exploitability_joint : float
        The defender's distance from the game's value, in its unit: of the blueprint, of ``profile``, and of
        the best trunk strategy above the blueprint.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The defender's new strategy beside the opponent's blueprint; of the round that concedes least.
    seconds : float
        Wall time of depth-limited solving alone.
    parameters : mapping
        What was asked for.
    """

    game: str
    unit: str
    defender: int
    subgames: tuple[str, ...]
    continuations: str
    rounds: tuple[Round, ...]
    converged: bool | None
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each round, and the exploitabilities."""
        title = (
            f"{self.game}: player {self.defender} solves above {len(self.subgames)} subgames, "
            f"continuations {self.continuations}"
        )
        rows = tuple(
            (str(one.continuations), *(f"{x + 0.0:.6g}" for x in (one.value, one.conceded, one.gap)))
            for one in self.rounds
        )
        return Columns(title, COLUMNS, rows, left=()), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, continuations, and exploitability before and after."""
        change = f"{self.exploitability_before:.6g} to {self.exploitability_after:.6g} {self.unit}"
        return f"{self.game}: player {self.defender}, {self.continuations}, exploitability {change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "continuations": self.continuations,
            "rounds": [asdict(one) for one in self.rounds],
            "converged": self.converged,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            **{key: self.parameters[key] for key in COUNTS if self.parameters.get(key)},
            "seconds": self.seconds,
        }


@dataclass(frozen=True, kw_only=True)
class DepthLimits:
    """Parameters of depth-limited solving.

    Attributes
    ----------
    factor : float
        For ``biased``: how many times as often an action is played; at least 0.
    rounds : int
        For ``self-generated``: how many games at most, each with one continuation more; at least 1.
    tolerance : float
        For ``self-generated``: the gap at which to stop, in the game's unit; at least 0.
    """

    factor: float = 10.0
    rounds: int = 20
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        for name, value, least in (
            ("factor", self.factor, 0),
            ("rounds", self.rounds, 1),
            ("tolerance", self.tolerance, 0),
        ):
            if not least <= value < float("inf"):
                raise ValueError(f"{name} must be at least {least} and finite, got {value!r}")

    def check(self, continuations: str) -> None:
        """Refuse what differs from its default though these continuations do not look at it."""
        for name, user in (("factor", "biased"), ("rounds", SELF_GENERATED), ("tolerance", SELF_GENERATED)):
            value = getattr(self, name)
            if value != getattr(DepthLimits, name) and continuations != user:
                raise ValueError(f"{name} is for {user} continuations, got {value} with {continuations}")


def _footer(result: DepthLimitedResult) -> list[str]:
    lines = ["", f"values are what player {1 - result.defender} gets, in {result.unit}"]
    if completed := completed_text(result.parameters):
        lines.append(f"blueprint completed: {completed}")
    if result.converged is False:
        lines.append("the last gap is above the tolerance: more rounds would add continuations")
    return [
        *lines,
        f"exploitability before   {result.exploitability_before:.6g}",
        f"               after    {result.exploitability_after:.6g}",
        f"               jointly  {result.exploitability_joint:.6g}, the least above this blueprint",
        f"seconds                 {result.seconds:.3f}",
    ]
