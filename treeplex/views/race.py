"""Races: several regret minimisers on several games, what each had proved after how many iterations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from treeplex.cfr.local_rule import LocalRule, name_of
from treeplex.cfr.variant import PLANNED, is_full_width
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.files.trace_file import trace_table
from treeplex.games.base.display import Columns, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import count_text
from treeplex.games.base.parameters import check_kind, check_word
from treeplex.games.base.reading import shown
from treeplex.games.poker.game import PokerGame
from treeplex.solving.choice import Choice, choose
from treeplex.solving.form import Limits
from treeplex.solving.methods import FORMS, check_method, options_of
from treeplex.solving.options import Options, plain
from treeplex.solving.solve import check_options, planned
from treeplex.views.plot import AXES, plot

if TYPE_CHECKING:
    import pandas as pd

    from treeplex.pictures.curve_picture import CurvePicture


@dataclass(frozen=True, repr=False)
class Runner(Shown):
    """One method on one game in a race.

    Attributes
    ----------
    result : Result
        With its trace.
    leaves : int or None
        Terminal histories of the game, of which minimisers of full width touch each twice an iteration: in
        the update of either player. None for other methods, of which it is not counted.
    """

    result: Result
    leaves: int | None

    def brief(self) -> str:
        """Return the game, the method and what it came to."""
        last = self.result.trace[-1]
        return f"{self.result.game}: {self.result.method}, {last.brief()}"

    def touched(self, iterations: int) -> int | None:
        """Return how many payoffs so many iterations touch."""
        return None if self.leaves is None else 2 * self.leaves * iterations

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield what was proved in the course of the run, as ``--json`` prints it."""
        for point in self.result.trace:
            yield {
                "spec": self.result.game,
                "method": self.result.method,
                "iterations": point.iterations,
                "seconds": point.seconds,
                "touched": self.touched(point.iterations),
                "nash_conv": point.certificate.nash_conv,
            }

    def table(self) -> pd.DataFrame:
        """Return its trace as a table for :func:`treeplex.plot`, with touched payoffs as ``nodes``."""
        one = self.result
        table = trace_table(one.game, one.method, one.unit, one.trace)
        return table if self.leaves is None else table.assign(nodes=2 * self.leaves * table["iterations"])


@dataclass(frozen=True, repr=False)
class Race(Shown):
    """What :func:`race` returns: a run of every method on every game.

    Attributes
    ----------
    runners : tuple of Runner
        Game by game, methods in the order in which they were named.
    """

    runners: tuple[Runner, ...]

    def brief(self) -> str:
        """Return which methods ran on which games."""
        games = dict.fromkeys(runner.result.game for runner in self.runners)
        methods = dict.fromkeys(runner.result.method for runner in self.runners)
        return f"{', '.join(methods)} on {', '.join(games)}"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all runs."""
        for runner in self.runners:
            yield from runner.rows()

    def blocks(self) -> tuple[Columns, ...]:
        """Return a table a game: where each method was at the end, the narrowest first."""
        head = ("method", "form", "iterations", "seconds", "touched", "NashConv")
        tables = []
        for game in dict.fromkeys(runner.result.game for runner in self.runners):
            of_game = [one for one in self.runners if one.result.game == game]
            of_game.sort(key=lambda one: one.result.trace[-1].certificate.nash_conv)
            unit = of_game[0].result.unit
            tables.append(Columns(f"{game}, in {unit}", head, tuple(map(_cells, of_game)), left=head[:2]))
        return tuple(tables)

    def as_json(self) -> dict[str, Any]:
        """Return the rows as the object that ``--json`` prints."""
        return {"rows": list(self.rows())}

    def plot(
        self, out: str | Path | None = None, format: str | None = None, *, x: str = "iterations"
    ) -> CurvePicture:
        """Draw the race as :func:`treeplex.plot` does; ``nodes`` are touched payoffs."""
        return plot([runner.table() for runner in self.runners], out, format, x=x)


def race(
    games: Sequence[GameLike],
    methods: Sequence[str | LocalRule],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    form: str | None = None,
    progress: Progress = silent,
    **options: object,
) -> Race:
    """Run regret minimisers on games and certify each after 1, 2, 3, ... iterations, then more sparsely.

    Parameters
    ----------
    games : sequence
        Each as :func:`treeplex.solve` takes one.
    methods : sequence of str or LocalRule
        Names of minimisers whose strategies can be certified: :func:`treeplex.methods` lists them; or rules
        of your own.
    iterations : int
        How many each method runs.
    seconds : float
        Or when each ends: at the first certificate after so many seconds by the clock, certificates and, for
        the first of a process, the loading of compiled kernels included.
    form : str, optional
        Where all run; chosen for each game unless given.
    progress : callable, optional
    **options
        For every method, as in :func:`treeplex.solve`, such as ``counted="before"``; ``horizon`` is for those
        that plan, and must be given with ``seconds``.

    Raises
    ------
    ValueError
        If a game, a method or an option is not what it must be, or not one of ``iterations`` and ``seconds``
        is given.

    Examples
    --------
    >>> import treeplex as tp
    >>> found = tp.race(["kuhn_poker"], ["cfr", "cfr+", "pdcfr+"], iterations=200)
    >>> min(found.runners, key=lambda one: one.result.nash_conv).result.method
    'pdcfr+'
    """
    names = _checked(methods, form, iterations, seconds, options)
    limits = Limits(plain(iterations), seconds=seconds, traced=True)
    given = {name: plain(value) for name, value in options.items() if value is not None}
    problems = [load(game, progress=progress) for game in _listed("games", games)]
    starts = [_start(problem, name, form, given, limits) for problem in problems for name in names]
    (game, count), *_ = Counter(problem.game.name for problem in problems).most_common(1)
    if count > 1:
        raise BadInputError(f"games must differ, got {game} {count} times")
    return Race(tuple(start.run(limits, progress) for start in starts))


@dataclass(frozen=True)
class _Start:
    """A method on a game before its run: where it runs, with what options."""

    problem: Problem
    choice: Choice
    options: Options

    def run(self, limits: Limits, progress: Progress) -> Runner:
        method, form = self.choice.method, FORMS[self.choice.form]
        result = form.solve(self.problem, method, self.options, limits, progress, None)
        if limits.seconds is not None and result.trace[-1].seconds >= limits.seconds:
            result = replace(result, status=f"{limits.seconds:g} s are over")
        result = replace(result, why=self.choice.why, parameters=MappingProxyType(self.options.given))
        return Runner(result, _leaves(self.problem) if is_full_width(method) else None)


def _start(
    problem: Problem, method: str, form: str | None, given: Mapping[str, object], limits: Limits
) -> _Start:
    """Choose where a method runs and check its options; the horizon is for those that plan alone."""
    own = dict(given)
    if method not in PLANNED:
        own.pop("horizon", None)
    own |= planned(method, own, limits)
    choice = choose(problem, method, form, True, own)
    chosen = options_of(method, choice.form, own)
    FORMS[choice.form].check(method, chosen, limits)
    return _Start(problem, choice, chosen)


def _listed(what: str, several: Sequence[Any]) -> Sequence[Any]:
    """Return what is a list of at least one; raises ``TypeError`` or ``ValueError``."""
    if isinstance(several, str | Path) or not isinstance(several, Sequence):
        raise TypeError(f"{what} must be a list, got {shown(several)}")
    if not several:
        raise BadInputError(f"a race needs at least one of {what}, got none")
    return several


def _checked(
    methods: Sequence[str | LocalRule],
    form: str | None,
    iterations: int | None,
    seconds: float | None,
    options: Mapping[str, object],
) -> Sequence[str]:
    """Refuse names, limits and options that no game makes right; return the names."""
    names = [name_of(one) for one in _listed("methods", methods)]
    for name in names:
        check_method(name)
    (name, count), *_ = Counter(names).most_common(1)
    if count > 1:
        raise BadInputError(f"methods must differ, got {name} {count} times")
    if (iterations is None) == (seconds is None):
        got = "neither" if seconds is None else f"{iterations} and {seconds}"
        raise BadInputError(f"a race needs either iterations or seconds, got {got}")
    check_options(None, form, "auto", iterations, None, None)
    if seconds is not None:
        check_kind("seconds", seconds, Real, "a number")
        if isinstance(seconds, bool) or not 0.0 < seconds < inf:
            raise BadInputError(f"seconds must be above 0 and finite, got {seconds}")
    if options.get("store") is not None:
        raise BadInputError(f"a race keeps no runs, got the store {shown(options['store'])}")
    if options.get("horizon") is not None and not {*names} & {*PLANNED}:
        raise BadInputError(f"a horizon is for {', '.join(PLANNED)}, got {', '.join(names)}")
    return names


def check_axis(x: str, methods: Sequence[str]) -> None:
    """Refuse an axis of a picture, before a race, that not all methods have; raises ``ValueError``."""
    check_word("x", x, tuple(AXES))
    if x == "nodes" and (others := [name for name in methods if not is_full_width(name)]):
        raise BadInputError(f"touched payoffs are counted of minimisers of full width, got {others[0]}")


def _leaves(problem: Problem) -> int:
    """Return the number of a game's terminal histories."""
    if isinstance(problem.game, PokerGame):
        return problem.sizes.leaf_states
    return len(problem.enumerated.tree.leaves)


def _cells(runner: Runner) -> tuple[str, ...]:
    last, result = runner.result.trace[-1], runner.result
    touched = runner.touched(last.iterations)
    return (
        result.method,
        result.form,
        f"{last.iterations:,}",
        f"{last.seconds:.3g}",
        "-" if touched is None else count_text(touched),
        f"{last.certificate.nash_conv:.3g}",
    )
