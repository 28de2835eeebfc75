"""Strategy tables as .csv, .json and .parquet files."""

import csv
import importlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from treeplex.files.outputs import check_output, check_suffix
from treeplex.files.strategy_rows import COLUMNS, parse_json
from treeplex.files.writing import write_bytes, write_text
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import STANDARD_INPUT, complaint, read_bytes
from treeplex.seqform.forms.profile import Row

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES: Mapping[str, str] = {".csv": "csv", ".json": "json", ".parquet": "parquet"}
"""Formats by suffix."""
WHAT = "a strategy file"
MOST_BYTES = 2**32
"""Most bytes of a table that is read."""


def check_table(format: str) -> None:
    """Refuse Parquet without pyarrow, before any time is spent on a table; raises ``ValueError``."""
    if format == "parquet":
        _arrow()


def write_rows(rows: Iterable[Row], path: str | Path, format: str | None = None) -> None:
    """Write rows as CSV one by one, as there may be more than memory holds, or as JSON or Parquet.

    Raises what :func:`write_table` raises.
    """
    format = check_output(path, SUFFIXES, WHAT, format)
    if format == "csv":
        write_text(path, lambda file: _write_csv(rows, file))
    else:
        import pandas as pd

        write_table(pd.DataFrame(rows, columns=COLUMNS), path, format)


def _write_csv(rows: Iterable[Row], file: IO[str]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)


def write_table(table: "pd.DataFrame", path: str | Path, format: str | None = None) -> None:
    """Write the table of a strategy as CSV, JSON or Parquet; the file appears whole or not at all.

    Probabilities are written with as many digits as it takes to read the same floats back.

    Raises
    ------
    ValueError
        As :func:`treeplex.files.outputs.check_output`, or if Parquet is asked for and pyarrow is absent.
    """
    format = check_output(path, SUFFIXES, WHAT, format)
    if format == "csv":
        quoting = _csv_quoting(table)
        write_text(path, lambda file: table.to_csv(file, index=False, quoting=quoting))
    elif format == "json":
        rows = ",\n".join(map(json.dumps, table.to_dict(orient="records")))
        write_text(path, lambda file: file.write(f"[\n{rows}\n]\n"))
    else:
        _arrow()
        whole = io.BytesIO()  # pandas closes some files that it writes to
        table.to_parquet(whole, engine="pyarrow", index=False, write_page_checksum=True)
        write_bytes(path, lambda file: file.write(whole.getbuffer()))


def _csv_quoting(table: "pd.DataFrame") -> Literal[0, 2]:
    """Return which cells need quotes: Python leaves a CR alone bare, which readers take for a line's end."""
    texts = set(table["infoset"]) | set(table["action"])
    return csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL


def read_table(
    path: Path, columns: Sequence[str] = COLUMNS, suffixes: Mapping[str, str] = SUFFIXES, what: str = WHAT
) -> "pd.DataFrame":
    """Return a file's table, every text of it as text.

    Parameters
    ----------
    path : Path
    columns : sequence of str
        Those that are read of a Parquet file; of other files all are.
    suffixes : mapping
        Legal suffixes.
    what : str
        What the file is, in complaints.

    Raises
    ------
    ValueError
        If the file cannot be read, its suffix is not legal, or Parquet is read and pyarrow is absent.
    """
    if str(path) != STANDARD_INPUT:
        check_suffix(path, suffixes, what)
    suffix = path.suffix.lower()
    arrow = _arrow() if suffix == ".parquet" else None
    content = read_bytes(path, MOST_BYTES)
    if str(path) == STANDARD_INPUT and content.lstrip()[:1] in (b"{", b"["):
        suffix = ".json"
    try:
        if arrow is not None:
            return _from_parquet(content, arrow, columns)
        if suffix == ".json":
            return parse_json(content.decode("utf-8-sig"))
        import pandas as pd

        return pd.read_csv(io.BytesIO(content), dtype=object, na_filter=False)
    except UnicodeDecodeError as error:
        raise BadInputError(f"cannot read {path}: it is not UTF-8 text") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise BadInputError(complaint(f"{path} is not a table: {lines[0]}")) from error


def _from_parquet(content: bytes, arrow: Any, wanted: Sequence[str]) -> "pd.DataFrame":
    """Read some columns alone; what pandas noted of its own beside them is not needed."""
    try:
        with arrow.parquet.ParquetFile(io.BytesIO(content), page_checksum_verification=True) as file:
            columns = [name for name in file.schema_arrow.names if name in wanted]
            table: pd.DataFrame = file.read(columns=columns).to_pandas(ignore_metadata=True)
            return table
    except arrow.ArrowException as error:
        raise BadInputError(str(error)) from error


def _arrow() -> Any:
    """Return pyarrow, which is imported where it is needed alone.

    Raises
    ------
    ValueError
        If pyarrow is absent.
    """
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise BadInputError("Parquet files need pyarrow: pip install 'treeplex[parquet]'") from error
