"""The course of runs as curves: traces in files, results that were traced, and theories with their bounds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from treeplex.core.result import Result
from treeplex.files.figure_file import check_picture
from treeplex.files.outputs import check_apart
from treeplex.files.trace_file import checked_trace, read_trace, trace_table
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.pictures.curve_picture import Bound, Curve, CurvePicture
from treeplex.solving.theory import Theory

if TYPE_CHECKING:
    import pandas as pd

AXES: Mapping[str, str] = {"iterations": "iterations", "seconds": "seconds", "nodes": "touched nodes"}
"""Columns of a trace by which NashConv can be drawn, and their names on the axis."""
RUNS = "paths of traces, tables like them, Results or Theories"
Run: TypeAlias = "str | Path | Result | Theory | pd.DataFrame"


def plot(
    runs: Sequence[Run], out: str | Path | None = None, format: str | None = None, *, x: str = "iterations"
) -> CurvePicture:
    """Draw NashConv against iterations, seconds or touched nodes, both logarithmic, a curve a run.

    Games of different units have a panel each.

    Parameters
    ----------
    runs : sequence of str, Path, Result, Theory or DataFrame
        CSV files with columns ``iterations`` and ``nash_conv`` at least, such as ``treeplex solve --trace``
        writes, and tables like them; results of runs that were traced; theories, which are drawn with their
        bounds.
    out : str or Path, optional
        Where the picture is written; ``-`` is standard output.
    format : {"png", "svg", "pdf"}, optional
        What the suffix of ``out`` says unless given.
    x : {"iterations", "seconds", "nodes"}
        A column that all runs have.

    Raises
    ------
    ValueError
        If a file is no trace or the picture's, a run lacks the column or has nothing to draw, or suffix and
        format of the picture say nothing or differ, or it cannot be written.

    Examples
    --------
    >>> import treeplex as tp
    >>> plot([tp.solve("kuhn_poker", "cfr+", iterations=20, traced=True)])
    CurvePicture(NashConv by iterations)
    """
    if isinstance(runs, str | Path) or not isinstance(runs, Sequence):
        raise TypeError(f"runs must be a list of {RUNS}, got {shown(type(runs).__name__)}")
    if out is not None:
        check_picture(out, format)
        check_apart({"the picture": out}, {str(run): run for run in runs if isinstance(run, str | Path)})
    if x not in tuple(AXES):
        raise BadInputError(f"x must be one of {', '.join(AXES)}, got {x!r}")
    if not runs:
        raise BadInputError("a plot needs at least one run, got none")
    tables = [_table(run) for run in runs]
    labels = _labels(runs, tables)
    curves = tuple(
        _curve(run, table, label, x) for run, table, label in zip(runs, tables, labels, strict=True)
    )
    games = {_text(table, "game") for table in tables}
    picture = CurvePicture(games.pop() if len(games) == 1 else "", AXES[x], curves)
    if out is not None:
        picture.write(out, format)
    return picture


def _table(run: Run) -> "pd.DataFrame":
    """Return the trace of a run as a table."""
    if isinstance(run, str | Path):
        return read_trace(run)
    import pandas as pd

    if isinstance(run, pd.DataFrame):
        return checked_trace(run, "a table")
    if isinstance(run, Theory):
        nash_conv = [row.nash_conv for row in run.log.rows]
        table = pd.DataFrame({"iterations": run.log.iteration, "nash_conv": nash_conv})
        return table.assign(game=run.game, method=run.method, unit=run.unit)
    if not isinstance(run, Result):
        raise TypeError(f"runs are {RUNS}, got {type(run).__name__}")
    if not run.trace:
        raise BadInputError(f"{run.method} on {run.form} has no trace")
    return trace_table(run.game, run.method, run.unit, run.trace)


def _curve(run: Run, table: "pd.DataFrame", label: str, x: str) -> Curve:
    if isinstance(run, str | Path):
        name = str(run)
    else:
        name = _name(run) if isinstance(run, Result | Theory) else label
    if x not in table:
        raise BadInputError(f"{name} has no column {x}: it has {', '.join(map(str, table.columns))}")
    if not ((table["nash_conv"] > 0) & (table[x] > 0)).any():
        raise BadInputError(f"{name} has nothing to draw: no NashConv above 0 at {AXES[x]} above 0")
    points = [table[column].to_numpy(np.float64) for column in (x, "nash_conv")]
    return Curve(
        label,
        points[0],
        points[1],
        _text(table, "unit"),
        _bounds(run) if isinstance(run, Theory) else (),
    )


def _bounds(theory: Theory) -> tuple[Bound, ...]:
    return tuple(
        Bound(f"proved bound, {course.name}", course.iteration.astype(np.float64), course.bound)
        for course in theory.courses
    )


def _name(run: Run) -> str:
    """Return what tells a run from others of the same game and method."""
    if isinstance(run, str | Path):
        return Path(run).stem
    if not isinstance(run, Result | Theory):
        return "a table"
    return f"{run.method} in theory" if isinstance(run, Theory) else f"{run.method} on {run.form}"


def _labels(runs: Sequence[Run], tables: "Sequence[pd.DataFrame]") -> list[str]:
    """Return the method of each run, with the game where there are several; names where these are alike."""
    several = len({_text(table, "game") for table in tables}) > 1
    labels = []
    for run, table in zip(runs, tables, strict=True):
        game, method = _text(table, "game"), _text(table, "method") or _name(run)
        labels.append(f"{method}, {game}" if several and game else method)
    methods = Counter(labels)
    labels = [_name(run) if methods[label] > 1 else label for run, label in zip(runs, labels, strict=True)]
    names = Counter(labels)
    return [f"{label} ({k})" if names[label] > 1 else label for k, label in enumerate(labels, 1)]


def _text(table: "pd.DataFrame", column: str) -> str:
    """Return what the first row says in a column of texts; empty where there is none."""
    text = table[column].iloc[0] if column in table else ""
    return text if isinstance(text, str) else ""
