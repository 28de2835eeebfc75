"""The generated part of docs/THEOREMS.md and its pictures; as a program it writes them."""

import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from math import isfinite
from pathlib import Path

import treeplex as tp
from tests.helpers.paths import ROOT
from tests.helpers.theorems_picture import picture_of
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import Point, points
from treeplex.bench.theorems.theorem import Theorem
from treeplex.bench.verify.registry import THEOREMS
from treeplex.core.limits import walk
from treeplex.core.loading import game_of
from treeplex.files.figure_file import figure_bytes

PAGE = ROOT / "docs" / "THEOREMS.md"
PICTURES = ROOT / "docs" / "theorems"
GENERATED = "<!-- What follows is written by: python -m tests.helpers.theorems_page -->\n"
ROOMS = {
    "theorems_on_games": "Games and their forms",
    "theorems_on_learning": "Regret minimisers",
    "theorems_on_subgames": "Subgames solved again",
    "theorems_on_abstractions": "Abstractions",
    "theorems_in_papers": "Arithmetic of the papers",
}
MEASURED = "Measured: "
"""Begins the lines that hold numbers."""
MEASURED_OF = rf"^!\[Both sides\]\(theorems/(.*)\.svg\)\n\n({MEASURED}.*\n(?:\n!\[.*\n)?)"
"""A theorem's name, and the lines on what was measured of it."""
MOST_HISTORIES = 60
"""Of a game that is drawn."""


def sources() -> Iterator[tuple[str, str, tuple[Theorem, ...]]]:
    """Yield the room, the title and the theorems of each source, in the order of the registry."""
    found = []
    for room in ROOMS:
        package = import_module(f"treeplex.bench.{room}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            source = import_module(module.name)
            theorems = getattr(source, "THEOREMS", ())
            if theorems:
                title = (source.__doc__ or "").splitlines()[0].rstrip(".")
                found.append((room, title, theorems))
    place = {theorem.name: k for k, theorem in enumerate(THEOREMS)}
    yield from sorted(found, key=lambda each: ([*ROOMS].index(each[0]), place[each[2][0].name]))


def page() -> str:
    """Return the generated part of the page, measured lines and pictures of games left out."""
    every = [*sources()]
    parts = [_contents(every), _errata()]
    for room, heading in ROOMS.items():
        parts.append(f"## {heading}\n")
        for at, title, theorems in every:
            if at == room:
                parts += [f"### {escaped(title)}\n", *map(statement, theorems)]
    return "\n".join(parts)


def _contents(every: list[tuple[str, str, tuple[Theorem, ...]]]) -> str:
    lines = []
    for room, heading in ROOMS.items():
        lines += [f"**{heading}**", ""]
        for at, title, theorems in every:
            if at == room:
                lines += [f"- {escaped(title)}", f"  - {', '.join(map(_link, theorems))}"]
        lines.append("")
    return "## Contents\n\n" + "\n".join(lines)


def _errata() -> str:
    lines = [f"- {_link(theorem)}: {escaped(theorem.erratum)}" for theorem in THEOREMS if theorem.erratum]
    return "\n".join(["## Where print is wrong", "", *lines, ""])


def statement(theorem: Theorem) -> str:
    """Return what the page says of a theorem, without numbers."""
    lines = [f"#### {theorem.name}", "", escaped(theorem.plain), "", "$$", theorem.tex, "$$", ""]
    lines.append(f"Source: {escaped(theorem.source)}.".replace("..", "."))
    if theorem.equality:
        lines += ["", f"Equality: {escaped(theorem.equality)}"]
    if theorem.erratum:
        lines += ["", f"Printed wrong: {escaped(theorem.erratum)}"]
    if theorem.twin is not None:
        lines += ["", f"False twin: {escaped(theorem.twin.plain)}"]
    return "\n".join([*lines, "", f"![Both sides](theorems/{theorem.name}.svg)", ""])


def escaped(text: str) -> str:
    """Return a plain text as Markdown."""
    return re.sub(r"([*<\\`]|(?<!\w)_|_(?!\w))", r"\\\1", text)


def _link(theorem: Theorem) -> str:
    return f"[{theorem.name}](#{theorem.name})"


def measured_lines(theorem: Theorem, found: list[Point], failing: list[Point]) -> list[str]:
    """Return what was measured and the tightest instance; a small game is drawn where it comes first."""
    holding = [point for point in found if point.slack >= -theorem.tolerance]
    tight = sum(abs(point.slack) <= theorem.tolerance for point in holding)
    cases = len({point.instance for point in found})
    text = f"{MEASURED}comparisons {len(found):,}, instances {cases:,}, tight {tight:,}"
    if theorem.twin is not None:
        text += f", failures of the false twin {len(failing):,}"
    least = min(abs(point.slack) for point in holding)
    nearest = [p for p in holding if abs(p.slack) <= max(least, theorem.tolerance)]
    point = next((p for p in nearest if is_small(p.instance.game)), nearest[0])
    spec, comparison = point.instance.game, point.comparison
    sides = f"{float(comparison.left):.6g} against {float(comparison.right):.6g}"
    where = escaped(", at ".join(part for part in (str(point.instance), comparison.at) if part))
    text = f"{text}. Tightest: {where or 'the only instance'}, {sides}."
    if not is_small(spec):
        return [text, ""]
    shown = f"[{escaped(spec)}](theorems/{drawing(spec)})"
    if (PICTURES / drawing(spec)).exists():
        return [f"{text} The game: {shown}.", ""]
    tp.draw(spec).write(PICTURES / drawing(spec))
    return [f"{text} The game:", "", f"!{shown}", ""]


@cache
def is_small(spec: str) -> bool:
    """Return whether there is a game, of so few histories that a picture of it is small."""
    try:
        walk(game_of(spec), MOST_HISTORIES)
    except ValueError:
        return False
    return True


def drawing(spec: str) -> str:
    """Return the name of a game's picture."""
    return "game_" + re.sub(r"\W+", "_", spec).strip("_") + ".svg"


def write(names: list[str]) -> None:
    """Write the page and its pictures; measure these theorems, or all, on the instances of a quick run.

    The numbers and pictures of other theorems stay as they are; those that have none are measured too.
    """
    PICTURES.mkdir(exist_ok=True)
    head, before = PAGE.read_text(encoding="utf-8").split(GENERATED)
    text, known = page(), dict(re.findall(MEASURED_OF, before, flags=re.MULTILINE)) if names else {}
    for theorem in THEOREMS:
        line = f"![Both sides](theorems/{theorem.name}.svg)\n"
        if theorem.name in names or theorem.name not in known:
            print(theorem.name, flush=True)
            measured = "\n".join(_measured(theorem))
        else:
            measured = known[theorem.name]
        text = text.replace(line, f"{line}\n{measured}")
    PAGE.write_text(f"{head}{GENERATED}\n{text}", encoding="utf-8")
    for old in {*PICTURES.glob("*.svg")} - pictures():
        old.unlink()


def _measured(theorem: Theorem) -> list[str]:
    """Draw both sides of a theorem and return the lines on what was measured."""
    effort = Effort(quick=True)
    found = _finite(points(theorem.measure, theorem.relation, theorem.instances(effort)))
    failing: list[Point] = []
    if theorem.twin is not None:
        made = theorem.twin.instances or theorem.instances
        there = _finite(points(theorem.twin.measure, theorem.relation, made(effort)))
        failing = [point for point in there if point.slack < -theorem.tolerance]
    (PICTURES / f"{theorem.name}.svg").write_bytes(figure_bytes(picture_of(found, failing), "svg"))
    return measured_lines(theorem, found, failing)


def _finite(found: Iterator[Point]) -> list[Point]:
    return [point for point in found if isfinite(point.slack)]


def pictures() -> set[Path]:
    """Return the files of pictures that the page shows."""
    shown = re.findall(r"\]\(theorems/([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    return {PICTURES / name for name in shown}


if __name__ == "__main__":
    write(sys.argv[1:])
