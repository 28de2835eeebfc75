"""Traces of runs as CSV files: what was proved after how many iterations."""

import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from treeplex.core.trace import TracePoint
from treeplex.files.outputs import check_output
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import MOST_TEXT, read_bytes

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("game", "method", "iterations", "seconds", "value", "lower", "upper", "nash_conv", "unit")
NEEDED = ("iterations", "nash_conv")
"""Columns without which a file is no trace."""
NUMBERS = (*NEEDED, "seconds", "nodes")
"""Columns that must hold finite numbers of at least 0 where there are any."""
SUFFIXES: Mapping[str, str] = {".csv": "csv"}


def trace_table(game: str, method: str, unit: str, trace: Sequence[TracePoint]) -> "pd.DataFrame":
    """Return one row a point, with the columns ``COLUMNS``; the last one is the unit of payoffs."""
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
            unit,
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
    """Read a trace of any program: a CSV file with columns ``iterations`` and ``nash_conv`` at least.

    Others are left as they are: ``game``, ``method`` and ``unit`` name a curve, ``seconds`` and ``nodes``
    (touched so far) are numbers.

    Raises
    ------
    ValueError
        If the file cannot be read or is none.
    """
    import pandas as pd

    try:
        table = pd.read_csv(BytesIO(read_bytes(path, MOST_TEXT)))
    except BadInputError:
        raise
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is no trace: it is no text in UTF-8") from error
    except ValueError as error:
        raise BadInputError(f"{path} is no trace: {str(error).splitlines()[0]}") from error
    return checked_trace(table, str(path))


def checked_trace(table: "pd.DataFrame", what: str) -> "pd.DataFrame":
    """Return a table if it is a trace, else raise ``ValueError``, which calls it ``what``."""
    import pandas as pd

    missing = [column for column in NEEDED if column not in table.columns]
    if missing or table.empty:
        raise BadInputError(f"{what} is no trace: it lacks {', '.join(missing) or 'rows'}")
    for column in NUMBERS:
        if column in table.columns and not (
            pd.api.types.is_numeric_dtype(table[column])
            and table[column].between(0, sys.float_info.max).all()
        ):
            raise BadInputError(f"{what} is no trace: {column} must be finite numbers of at least 0")
    return table
