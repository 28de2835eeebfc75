"""Traces of runs as CSV files and as plots of NashConv against iterations."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treeplex.core.result import Result
from treeplex.core.trace import TracePoint
from treeplex.outputs.apart import check_apart
from treeplex.outputs.formats import check_output
from treeplex.outputs.writing import write_text
from treeplex.store.figure_file import check_picture, write_figure

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("game", "method", "iterations", "seconds", "value", "lower", "upper", "nash_conv")
SUFFIXES: Mapping[str, str] = {".csv": "csv"}


def trace_table(game: str, method: str, trace: Sequence[TracePoint]) -> "pd.DataFrame":
    """Return one row a point: game, method, iterations, seconds, value, lower, upper, nash_conv."""
    rows = [
        (
            game,
            method,
            point.iterations,
            point.seconds,
            float(point.certificate.value),
            float(point.certificate.lower),
            float(point.certificate.upper),
            point.certificate.nash_conv,
        )
        for point in trace
    ]
    import pandas as pd

    return pd.DataFrame(rows, columns=list(COLUMNS))


def write_trace(table: "pd.DataFrame", path: str | Path) -> None:
    """Write a trace as CSV, whole or not at all; raises what :func:`check_trace` does."""
    check_trace(path)
    write_text(path, lambda file: table.to_csv(file, index=False))


def check_trace(path: str | Path) -> None:
    """Refuse a path to which no trace could be written.

    Raises
    ------
    ValueError
        If the path cannot be written, or leads to a file and does not end in .csv.
    """
    check_output(path, SUFFIXES, "a trace")


def read_trace(path: str | Path) -> "pd.DataFrame":
    """Read a trace.

    Raises
    ------
    ValueError
        If the file cannot be read or is none.
    """
    import pandas as pd

    try:
        table = pd.read_csv(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no trace: it is no text in UTF-8") from error
    except ValueError as error:
        raise ValueError(f"{path} is no trace: {str(error).splitlines()[0]}") from error
    missing = [column for column in COLUMNS if column not in table.columns]
    if missing or table.empty:
        raise ValueError(f"{path} is no trace: it lacks {', '.join(missing) or 'rows'}")
    for column in ("iterations", "nash_conv"):
        if not (
            pd.api.types.is_numeric_dtype(table[column])
            and table[column].between(0, sys.float_info.max).all()
        ):
            raise ValueError(f"{path} is no trace: {column} must be finite numbers of at least 0")
    return table


def plot(runs: Sequence[str | Path | Result], out: str | Path, format: str | None = None) -> None:
    """Draw NashConv against iterations, both logarithmic, a curve a run, as PNG, SVG or PDF.

    Parameters
    ----------
    runs : sequence of str, Path or Result
        Files that :func:`write_trace` wrote, or results of runs that were traced.
    out : str or Path
        ``-`` is standard output.
    format : {"png", "svg", "pdf"}, optional
        What the suffix of ``out`` says unless given.

    Raises
    ------
    ValueError
        If a file is no trace or the picture's, a result has none, or suffix and format of the picture say
        nothing or differ, or it cannot be written.
    """
    chosen = check_picture(out, format)
    check_apart({"the picture": out}, {str(run): run for run in runs if isinstance(run, str | Path)})
    if not runs:
        raise ValueError("a plot needs at least one run, got none")
    curves = [_curve(run) for run in runs]
    tables = [table for _, table in curves]
    # Imported late: pictures are rare, and matplotlib takes half a second.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, table in curves:
        label = _label(name, table, tables)
        axes.loglog(table["iterations"], table["nash_conv"], "o-", markersize=3, label=label)
    axes.set(xlabel="iterations", ylabel="NashConv", title=_title(tables))
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    write_figure(figure, out, chosen)


def _curve(run: str | Path | Result) -> tuple[str, "pd.DataFrame"]:
    """Return the name and the trace of a file or a result."""
    if isinstance(run, Result):
        if not run.trace:
            raise ValueError(f"{run.method} on {run.form} has no trace")
        name, table = f"{run.method} on {run.form}", trace_table(run.game, run.method, run.trace)
    else:
        name, table = Path(run).stem, read_trace(run)
    if not (table["nash_conv"] > 0).any():
        raise ValueError(
            f"{run if isinstance(run, str | Path) else name} has nothing to draw: no NashConv above 0"
        )
    return name, table


def _label(name: str, table: "pd.DataFrame", tables: "Sequence[pd.DataFrame]") -> str:
    game, method = str(table["game"].iloc[0]), str(table["method"].iloc[0])
    alike = [t for t in tables if (t["game"].iloc[0], t["method"].iloc[0]) == (game, method)]
    if len(alike) > 1:  # only the names of files and forms tell such runs apart
        return name
    return method if len({t["game"].iloc[0] for t in tables}) == 1 else f"{method}, {game}"


def _title(tables: "Sequence[pd.DataFrame]") -> str:
    games = {str(t["game"].iloc[0]) for t in tables}
    return games.pop() if len(games) == 1 else ""
