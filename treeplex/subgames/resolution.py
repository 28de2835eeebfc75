"""The report on subgames solved again: tops, margins, exploitability before and after.

On boards what is proved and best responses too; shown are classes of hands or subgames, best responses below.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from treeplex.core.result import completed_counts, completed_text
from treeplex.gadgets.top_report import TopReport
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.number_texts import six_decimals
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile

COLUMNS = ("subgame", "top", "reach", "cbv", "alternative", "gift", "value", "margin")
HARMLESS = 1e-6
"""What solving again may add to the exploitability by rounding, in parts of the spread of payoffs."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ChangedStrategy(Shown):
    """A strategy made from the defender's blueprint, and the exploitability of both.

    The attributes are described by the reports that share them.
    """

    game: str
    unit: str
    defender: int
    exploitability_before: float
    exploitability_after: float
    exploitability_joint: float
    value: Certificate
    profile: Profile
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def _change(self) -> str:
        """Exploitability before and after."""
        return f"{self.exploitability_before:.6g} to {self.exploitability_after:.6g} {self.unit}"

    def _measured(self, **more: object) -> dict[str, object]:
        """Return the last entries of JSON: exploitabilities, what else is given, what was added, seconds."""
        return {
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "exploitability_joint": self.exploitability_joint,
            **more,
            **completed_counts(self.parameters),
            "seconds": self.seconds,
        }

    def _measured_lines(self, least: str, blueprint: str = "") -> tuple[str, ...]:
        """Return the last lines below a table, what is said of the least and of the blueprint in words."""
        return (
            f"exploitability before   {self.exploitability_before:.6g}{blueprint}",
            f"               after    {self.exploitability_after:.6g}",
            f"               jointly  {self.exploitability_joint:.6g}, the least {least}",
            f"seconds                 {self.seconds:.3f}",
        )


def completed_lines(parameters: Mapping[str, object]) -> Iterator[str]:
    """Yield in a line how much was added to the blueprint, where anything was."""
    if completed := completed_text(parameters):
        yield f"blueprint completed: {completed}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Resolution(ChangedStrategy):
    """A strategy with subgames solved again: tops, margins, exploitabilities in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
    method : str
    defender : int
        Whose strategy was changed.
    subgames : tuple of str
        The public states at which they begin.
    tops : tuple of TopReport
        Of every subgame, those that chance and the blueprint reach.
    kept : mapping from str to str
        Subgames in which the blueprint stays, and why.
    discretisation : float or None
        For distributional methods: by how much, at most, atoms understate what a top's draw is worth.
    exploitability_before, exploitability_after, exploitability_joint : float
        How much more than the game's value a best response wins against the defender's strategy: the
        blueprint, the composed strategy, and the best strategy that differs only in these subgames.
    spread : float
        The largest payoff less the smallest.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of looking at the subgames with the blueprint, the joint optimum, solving and composing.
        Enumerating and solving the game itself is not counted.
    parameters : mapping
        What was asked for.
    """

    method: str
    subgames: tuple[str, ...]
    tops: tuple[TopReport, ...]
    kept: Mapping[str, str]
    discretisation: float | None = None
    spread: float

    @property
    def strategy(self) -> Profile:
        """The composed strategy, as a strategy on boards is called."""
        return self.profile

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no top is reached."""
        return min((top.margin for top in self.tops), default=None)

    @property
    def safe(self) -> bool:
        """Whether the composed strategy is not more exploitable than the blueprint, up to rounding."""
        return self.exploitability_after - self.exploitability_before <= HARMLESS * self.spread

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each top, and below them what became of the whole strategy."""
        title = f"{self.game}: player {self.defender} solves again by {self.method}"
        return top_columns(title, self.tops), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, method, and exploitability before and after."""
        return f"{self.game}: player {self.defender} by {self.method}, exploitability {self._change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            **self._measured(safe=self.safe),
        }


def top_columns(title: str, tops: Iterable[TopReport]) -> Columns:
    """Return a table with one row a top."""
    return Columns(title, COLUMNS, tuple(map(_cells, tops)), left=("subgame", "top"))


def _cells(top: TopReport) -> tuple[str, ...]:
    alternative = "-" if top.alternative is None else six_decimals(top.alternative)
    numbers = (top.cbv, top.gift, top.value, top.margin)
    cbv, gift, value, margin = map(six_decimals, numbers)
    return top.subgame, top.top, f"{top.reach:.4g}", cbv, alternative, gift, value, margin


def _footer(resolution: Resolution) -> Iterator[str]:
    yield ""
    yield f"values are what player {1 - resolution.defender} gets, in {resolution.unit} per unit of reach"
    yield from (f"{name!r} keeps the blueprint: {why}" for name, why in resolution.kept.items())
    yield from completed_lines(resolution.parameters)
    if resolution.discretisation is not None:
        yield f"atoms understate what a draw is worth by {resolution.discretisation:.3g} at most"
    if resolution.min_margin is not None:
        yield f"smallest margin         {resolution.min_margin:.6g}"
    yield from resolution._measured_lines("that these subgames allow")
    yield _safety(resolution)


def _safety(resolution: Resolution) -> str:
    """Return in a line whether solving again made the strategy more exploitable."""
    added = resolution.exploitability_after - resolution.exploitability_before
    allowed = f"up to {HARMLESS * resolution.spread:.3g} for rounding"
    if resolution.safe:
        return f"safe here: not more exploitable than the blueprint, {allowed}"
    return f"NOT SAFE here: more exploitable than the blueprint by {added:.6g}"


@dataclass(frozen=True)
class SolvedSubgame:
    """One subgame solved again on boards.

    Attributes
    ----------
    name : str
        The key of the public state.
    gadget_value : pair of float
        The interval that best responses prove for the gadget's game, to the opponent, per unit of the most
        reach with which it can enter: minus the least margin for Maxmargin, the mean over the opponent's
        hands of the larger of value and alternative for Resolve.
    error : float
        By how much, at most, the opponent's best response gains in the whole game if the solution is played.
    iterations : int
    seconds : float
    """

    name: str
    gadget_value: tuple[float, float]
    error: float
    iterations: int
    seconds: float


@dataclass(frozen=True, kw_only=True, repr=False)
class BoardResolution(Shown):
    """A strategy on boards with subgames solved again, in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
    size : float
        What tolerances and widths are parts of: the pot, the big blind, or the largest stake.
    method : str
    defender : int
        Whose strategy was changed.
    subgames : tuple of str
        The public states at which they begin.
    solved : tuple of SolvedSubgame
        Those that a gadget could be applied to, also where the blueprint was kept then.
    tops : tuple of TopReport
        The opponent's hands in every subgame, those that chance and the blueprint reach.
    kept : mapping from str to str
        Subgames in which the blueprint stays, and why.
    promised : bool
        Whether the method promises that its error vanishes with more iterations.
    tolerance : float
        The largest error at which a solution is played, and what ``safe`` allows, in parts of ``size``.
    best_response_before, best_response_after : float
        What the opponent's best response gets against the blueprint, and against the composed strategy.
    value : float or None
        The game's value to player 0; None where it is not known.
    error : float
        The sum of the errors of the solutions that are played: ``best_response_after`` is at most
        ``best_response_before`` plus this, whatever the method.
    strategy : FactoredStrategy
        The composed strategy, beside the opponent's blueprint.
    seconds : float
        Wall time of judging, solving and composing.
    parameters : mapping
        What was asked for.
    """

    game: str
    unit: str
    size: float
    method: str
    defender: int
    subgames: tuple[str, ...]
    solved: tuple[SolvedSubgame, ...]
    tops: tuple[TopReport, ...]
    kept: Mapping[str, str]
    promised: bool
    tolerance: float
    best_response_before: float
    best_response_after: float
    value: float | None
    error: float
    strategy: FactoredStrategy
    seconds: float
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def min_margin(self) -> float | None:
        """The smallest margin; None if no top is reached."""
        return min((top.margin for top in self.tops), default=None)

    @property
    def exploitability_before(self) -> float | None:
        """How much more than the game's value a best response wins against the blueprint."""
        return self._above_value(self.best_response_before)

    @property
    def exploitability_after(self) -> float | None:
        """How much more than the game's value a best response wins against the composed strategy."""
        return self._above_value(self.best_response_after)

    @property
    def safe(self) -> bool:
        """Whether the opponent's best response gains no more than the tolerance."""
        return self.best_response_after - self.best_response_before <= self.tolerance * self.size

    @property
    def gadget_value(self) -> tuple[float, float] | None:
        """The gadget's value where one subgame was solved."""
        return self.solved[0].gadget_value if len(self.solved) == 1 else None

    def _above_value(self, best_response: float) -> float | None:
        if self.value is None:
            return None
        return best_response - (self.value if self.defender == 1 else -self.value)

    def blocks(self, *, hands: bool = False) -> tuple[Block, ...]:
        """Return a row for each class of hands or each subgame, or for each hand, and the best responses."""
        # Imported late: the table is of this class.

        return board_resolution_table(self, hands=hands)

    def brief(self) -> str:
        """Return game, defender, method, and what best responses get before and after."""
        change = f"{self.best_response_before:.6g} to {self.best_response_after:.6g} {self.unit}"
        return f"{self.game}: player {self.defender} by {self.method}, best response {change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        interval = self.gadget_value
        return {
            "game": self.game,
            "form": "boards",
            "method": self.method,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "tops": [asdict(top) for top in self.tops],
            "min_margin": self.min_margin,
            "exploitability_before": self.exploitability_before,
            "exploitability_after": self.exploitability_after,
            "best_response_before": self.best_response_before,
            "best_response_after": self.best_response_after,
            "gadget_value": None if interval is None else list(interval),
            "value": self.value,
            "error": self.error,
            "solved": [asdict(one) for one in self.solved],
            "kept": dict(self.kept),
            "promised": self.promised,
            "tolerance": self.tolerance,
            "safe": self.safe,
            **completed_counts(self.parameters),
            "seconds": self.seconds,
        }


CLASSES = ("class", "hands", "reach", "cbv", "value", "least margin")
SUBGAMES = ("subgame", "gadget value from", "to", "least margin", "error", "iterations")
MOST_SUBGAMES = 50
"""Rows of a table of subgames; of more those with the least margins are shown."""


def board_resolution_table(found: BoardResolution, *, hands: bool = False) -> tuple[Block, ...]:
    """Return one row a class of hands or a subgame, and below them what became of the whole strategy.

    Parameters
    ----------
    found : BoardResolution
    hands : bool
        One row for each of the opponent's hands instead.
    """
    title = f"{found.game}: player {found.defender} solves again by {found.method}, all hands"
    if hands:
        table = top_columns(title, found.tops)
    elif len(found.subgames) == 1:
        table = Columns(f"{title}, at {found.subgames[0]}", CLASSES, _classes(found.tops), left=("class",))
    else:
        table = Columns(title, SUBGAMES, _subgames(found), left=("subgame",))
    return table, *map(Line, _board_footer(found))


def hand_class(label: str) -> str:
    """Return the class of a hand's label: ranks, and whether two are of one suit.

    >>> hand_class("AsKs"), hand_class("AhKs"), hand_class("7h7c"), hand_class("Qs")
    ('AKs', 'AKo', '77', 'Q')
    """
    if len(label) != 4:
        return label[0]
    first, second = label[0], label[2]
    if first == second:
        return first + second
    return f"{first}{second}{'s' if label[1] == label[3] else 'o'}"


def _classes(tops: Iterable[TopReport]) -> tuple[tuple[str, ...], ...]:
    """Return a row a class of hands, those with the least margins first."""
    groups: dict[str, list[TopReport]] = {}
    for top in tops:
        groups.setdefault(hand_class(top.top), []).append(top)
    rows = sorted((min(top.margin for top in group), name, group) for name, group in groups.items())
    return tuple(_class_row(name, group, margin) for margin, name, group in rows)


def _class_row(name: str, group: Sequence[TopReport], margin: float) -> tuple[str, ...]:
    reach = sum(top.reach for top in group)
    cbv = sum(top.reach * top.cbv for top in group) / reach
    value = sum(top.reach * top.value for top in group) / reach
    return name, str(len(group)), f"{reach:.4g}", six_decimals(cbv), six_decimals(value), six_decimals(margin)


def _subgames(found: BoardResolution) -> tuple[tuple[str, ...], ...]:
    """Return a row a subgame that was solved, those with the least margins first if they are too many."""
    least = {
        name: min(top.margin for top in tops) for name, tops in groupby(found.tops, lambda top: top.subgame)
    }
    solved = list(found.solved)
    if len(solved) > MOST_SUBGAMES:
        solved = sorted(solved, key=lambda one: least[one.name])[:MOST_SUBGAMES]
    return tuple(
        (
            one.name,
            *map(six_decimals, (*one.gadget_value, least[one.name])),
            f"{one.error:.3g}",
            f"{one.iterations:,}",
        )
        for one in solved
    )


def _board_footer(found: BoardResolution) -> Iterator[str]:
    yield ""
    yield f"values are what player {1 - found.defender} gets, in {found.unit} per unit of reach"
    if len(found.solved) > MOST_SUBGAMES:
        yield f"{MOST_SUBGAMES} of {len(found.solved):,} subgames, those with the least margins"
    yield from (
        f"{name!r} keeps the blueprint: {why}" for name, why in list(found.kept.items())[:MOST_SUBGAMES]
    )
    if len(found.kept) > MOST_SUBGAMES:
        yield f"{len(found.kept) - MOST_SUBGAMES:,} more keep the blueprint"
    yield from completed_lines(found.parameters)
    if found.min_margin is not None:
        yield f"smallest margin         {found.min_margin:.6g}"
    if found.gadget_value is not None:
        yield "gadget value proved     {:.6g} to {:.6g}".format(*found.gadget_value)
    yield f"best response before    {found.best_response_before:.6g}"
    yield f"              after     {found.best_response_after:.6g}"
    if found.exploitability_before is not None and found.exploitability_after is not None:
        yield f"exploitability before   {found.exploitability_before:.6g}"
        yield f"               after    {found.exploitability_after:.6g}"
    yield f"error                   {found.error:.3g}, the most that a best response can have gained"
    yield f"seconds                 {found.seconds:.3f}"
    yield _board_safety(found)


def _board_safety(found: BoardResolution) -> str:
    """Return in a line whether solving again made the strategy worse, and what the method promises."""
    added = found.best_response_after - found.best_response_before
    allowed = f"up to the tolerance of {found.tolerance * found.size:.3g}"
    here = (
        f"safe here: a best response gains nothing, {allowed}"
        if found.safe
        else f"NOT SAFE here: a best response gains {added:.6g}"
    )
    return here if found.promised else f"{here}; nothing is promised by this method"
