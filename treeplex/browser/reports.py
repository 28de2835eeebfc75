"""Files that the bench and traced runs wrote, as tables, told from their keys or columns."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeplex.browser.solutions import name_of
from treeplex.files.figure_file import figure_bytes
from treeplex.files.trace_file import NEEDED, read_trace
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import read_text, shown
from treeplex.views.plot import plot

MOST_HEAD = 4_096
"""Bytes in which the columns of a trace stand."""
MOST_LISTED = 1_000
"""Rows of a table on one page."""
PRINTED = "what challenge --json, examine --json or verify --json printed"


@dataclass(frozen=True)
class Table:
    """Rows of a report: texts and numbers, None where nothing is known.

    Attributes
    ----------
    title : str
    heads : tuple of str
    rows : tuple of tuples
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def listed(self) -> list[list[tuple[str, str, bool]]]:
        """The cells of each listed row: as JSON writes them, as they are read, whether they are numbers."""
        return [[_cell(value) for value in row] for row in self.rows[:MOST_LISTED]]

    @property
    def more(self) -> int:
        """How many rows are not listed."""
        return max(0, len(self.rows) - MOST_LISTED)


@dataclass(frozen=True)
class Report:
    """A file that is shown: its facts and its tables.

    Attributes
    ----------
    name : str
        In addresses.
    title : str
    facts : tuple of (str, str)
    tables : tuple of Table
    content : Mapping
        What its JSON is.
    picture : bytes or None
        The picture that ``plot`` draws, as SVG.
    alt : str
        What it shows, in words.
    """

    name: str
    title: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    content: Mapping[str, Any]
    picture: bytes | None = None
    alt: str = ""


def is_report(source: str) -> bool:
    """Whether a source is a file that is shown by itself: any JSON, or a CSV file with a trace's columns."""
    path = Path(source)
    if not path.is_file():
        return False
    if path.suffix.lower() == ".json":
        return True
    if path.suffix.lower() != ".csv":
        return False
    with path.open("rb") as file:
        head = file.read(MOST_HEAD).split(b"\n")[0].decode("utf-8", "replace")
    return {*NEEDED} <= {column.strip().strip('"') for column in head.split(",")}


def reports_of(sources: Sequence[str]) -> tuple[Report, ...]:
    """Return a report for each file; raises ``ValueError`` as :func:`read_report`."""
    names: list[str] = []
    for source in sources:
        names.append(name_of(Path(source).name, names))
    return tuple(read_report(name, source) for name, source in zip(names, sources, strict=True))


def read_report(name: str, path: str) -> Report:
    """Return the report that a file holds.

    Raises
    ------
    ValueError
        If it is unreadable, no JSON, or no report.
    """
    if Path(path).suffix.lower() == ".csv":
        return _course(name, path)
    try:
        found = json.loads(read_text(path), parse_constant=_no_number)
    except BadInputError:
        raise
    except (ValueError, RecursionError):
        raise BadInputError(f"{path} is no report: it is no JSON") from None
    kind = _kind(found)
    if kind is None:
        keys = ", ".join(map(shown, [*found][:5])) if isinstance(found, dict) else type(found).__name__
        raise BadInputError(f"{path} is no report: it must be {PRINTED}, got {keys}; a strategy is SPEC=FILE")
    try:
        title, facts, tables = KINDS[kind](found)
        # Cells are made now, so that a value of another kind is found before anything is served.
        _ = [table.listed for table in tables]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else "a value is of another kind"
        raise BadInputError(f"{path} is no report: it must be {PRINTED}, but {why}") from None
    return Report(name, title, (*facts, ("file", path)), tables, found)


def _no_number(text: str) -> None:
    raise ValueError(text)


def _kind(found: Any) -> tuple[str, ...] | None:
    """Return the keys by which a report is told; None if there are none."""
    if not isinstance(found, dict):
        return None
    return next((keys for keys in KINDS if {*keys} <= {*found}), None)


Parts = tuple[str, tuple[tuple[str, str], ...], tuple[Table, ...]]


def _verified(found: Mapping[str, Any]) -> Parts:
    """Return what ``verify`` measured: the catalogue, and the comparison with the least slack of each."""
    measured = ("instances", "checks", "zeros", "min_slack", "tight", "violations", "false_twin_violations")
    checks = found["checks"]
    rows = [
        (one["name"], *(one[key] for key in measured), one["seconds"], "; ".join(one["faults"]))
        for one in checks
    ]
    heads = ("theorem", "instances", "checks", "zeros", "least slack", "tight", "fails", "twin fails")
    points = ("game", "seed", "seat", "choice", "at", "left", "right", "slack", "error")
    worst = [(one["name"], *(point[key] for key in points)) for one in checks for point in one["worst"][:1]]
    sources = [(one["name"], one["source"]) for one in checks]
    facts = (
        ("theorems", str(len(checks))),
        ("verified", "all" if found["ok"] is True else "not all"),
        ("seconds", _cell(found["seconds"])[1]),
    )
    tables = (
        Table("Theorems", (*heads, "seconds", "faults"), tuple(rows)),
        Table("The comparison with the least slack", ("theorem", *points), tuple(worst)),
        Table("Sources", ("theorem", "source"), tuple(sources)),
    )
    return "Theorems measured", facts, tables


def _examined(found: Mapping[str, Any]) -> Parts:
    """Return what ``examine`` found of a solver: a row a game, and where it loses."""
    rungs = found["rungs"]
    rows = [
        (
            *(one[key] for key in ("game", "verdict", "nash_conv", "slope")),
            ", ".join(_cell(part)[1] for part in (one["fingerprint"] or {}).values()),
            one["skipped"],
        )
        for one in rungs
    ]
    tables = [Table("Games", ("game", "verdict", "NashConv", "slope", "method", "skipped"), tuple(rows))]
    where = [{"game": one["game"], **loss} for one in rungs for loss in one["where"]]
    if where:
        tables.append(_listed("Where it loses", where))
    return "A solver examined", (("verdict", str(found["verdict"])),), tuple(tables)


def _estimated(found: Mapping[str, Any]) -> Parts:
    """Return what ``examine --estimator`` found: a row a trial."""
    facts = (("estimator", str(found["estimator"])), ("verdict", str(found["verdict"])))
    return "An estimator examined", facts, (_listed("Trials", found["trials"]),)


def _challenged(found: Mapping[str, Any]) -> Parts:
    """Return what ``challenge`` found: how many games were tried, and the counterexample."""
    keys = ("claim", "target", "tried", "seed", "seconds", "interrupted")
    facts = tuple((key, _cell(found[key])[1]) for key in keys)
    case = found["counterexample"]
    if case is None:
        return "A claim challenged: no counterexample", facts, ()
    return "A claim challenged: BROKEN", (*facts, *_harm(case)), _case(case)


def _counterexample(found: Mapping[str, Any]) -> Parts:
    """Return a counterexample that ``challenge --out`` wrote."""
    return "A counterexample", tuple(_harm(found)), _case(found)


def _harm(case: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((key, _cell(case[key])[1]) for key in ("origin", "infosets", "replay"))
    yield from ((name, _cell(figure)[1]) for name, figure in case["figures"].items())
    yield "harm", str(case["exact_harm"])


def _case(case: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return the strategies at each infoset, and the game, a row a history."""
    sources = [*case["strategies"], case["played"]]
    actions: dict[tuple[str, str, str], None] = {}
    for source in sources:
        for player, infosets in source.items():
            for infoset, row in infosets.items():
                actions |= dict.fromkeys((player, infoset, action) for action in row)
    rows = [
        (*key, *(source.get(key[0], {}).get(key[1], {}).get(key[2]) for source in sources))
        for key in sorted(actions)
    ]
    given = len(case["strategies"])
    names = ["blueprint"] if given == 1 else [f"strategy {k}" for k in range(1, given + 1)]
    heads = ("player", "infoset", "action", *names, "played")
    return (
        Table("Strategies", heads, tuple(rows)),
        Table("The game", ("history", "acts", "public", "weight", "payoff"), tuple(_histories(case["game"]))),
    )


def _histories(root: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield a row a history, each before those below it."""
    acts = {-1: "chance", -2: "nobody"}
    left = [("the start", None, root)]
    while left:
        path, weight, node = left.pop()
        player = node["player"]
        yield path, acts.get(player, f"player {player}"), node["public"], weight, node.get("payoff")
        prefix = "" if node is root else f"{path}/"
        left += [
            (f"{prefix}{move['move']}", move.get("weight"), move["then"])
            for move in reversed(node.get("moves", ()))
        ]


def _listed(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return objects with the same keys as a table."""
    heads = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(title, heads, tuple(tuple(row.get(head) for head in heads) for row in rows))


KINDS = {
    ("ok", "seconds", "checks"): _verified,
    ("verdict", "rungs"): _examined,
    ("estimator", "verdict", "trials"): _estimated,
    ("claim", "target", "broken", "counterexample"): _challenged,
    ("format", "origin", "game", "strategies", "exact_harm"): _counterexample,
}
"""What makes a report's parts, by the keys that tell it."""


def _course(name: str, path: str) -> Report:
    """Return the course of a run: its curve as ``plot`` draws it, and a row a point."""
    table = read_trace(path)
    rows = tuple(tuple(row) for row in table.astype(object).where(table.notna(), None).values.tolist())
    heads = tuple(map(str, table.columns))
    once = [head for head in ("game", "method", "unit") if head in heads and len({*table[head]}) == 1]
    facts = tuple((head, str(table[head].iloc[0])) for head in once)
    kept = [column for column, head in enumerate(heads) if head not in once]
    listed = Table(
        "Points", tuple(heads[k] for k in kept), tuple(tuple(row[k] for k in kept) for row in rows)
    )
    first, last = (f"{table['nash_conv'].iloc[place]:.3g}" for place in (0, -1))
    steps = tuple(f"{table['iterations'].iloc[place]:,}" for place in (0, -1))
    alt = f"NashConv by iterations, both logarithmic: {first} at {steps[0]}, {last} at {steps[1]}"
    content = {"columns": heads, "rows": rows}
    drawable = bool(((table["nash_conv"] > 0) & (table["iterations"] > 0)).any())
    picture = figure_bytes(plot([path]).figure(), "svg") if drawable else None
    return Report(name, "The course of a run", (*facts, ("file", path)), (listed,), content, picture, alt)


def _cell(value: Any) -> tuple[str, str, bool]:
    """Return a value as JSON writes it, as it is read, and whether it is a number."""
    if value is None:
        return "", "", False
    if isinstance(value, bool | str):
        text = value if isinstance(value, str) else ("yes" if value else "no")
        return text, text, False
    if isinstance(value, int):
        return str(value), f"{value:,}", True
    if isinstance(value, float):
        return ("", "?", True) if not math.isfinite(value) else (repr(value), f"{value:.6g}", True)
    if isinstance(value, Mapping):
        return json.dumps(value), ", ".join(f"{name}: {_cell(one)[1]}" for name, one in value.items()), False
    text = json.dumps(value)
    return text, text, False
