"""The contents of docs/THEOREMS.md, its chapters and their pictures; as a program it writes them."""

import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import treeplex as tp
from tests.helpers.paths import ROOT
from tests.helpers.theorems_picture import picture_of
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import MeasuredPoint, points
from treeplex.bench.theorems.theorem import Theorem
from treeplex.bench.verify.registry import THEOREMS
from treeplex.core.limits import walk
from treeplex.core.loading import game_of
from treeplex.files.figure_file import figure_bytes

PAGE = ROOT / "docs" / "THEOREMS.md"
PICTURES = ROOT / "docs" / "theorems"
GENERATED = "<!-- What follows is written by: python -m tests.helpers.theorems_page -->\n"


class Chapter(NamedTuple):
    """A room of theorems, and the page that shows them."""

    room: str
    heading: str
    path: Path


CHAPTERS = tuple(
    Chapter(f"theorems_{room}", heading, PICTURES / f"{room.split('_')[1]}.md")
    for room, heading in (
        ("on_games", "Games and their forms"),
        ("on_learning", "Regret minimisers"),
        ("on_subgames", "Subgames solved again"),
        ("on_abstractions", "Abstractions"),
        ("in_papers", "Arithmetic of the papers"),
    )
)
MEASURED = "Measured: "
"""Begins the lines that hold numbers."""
MEASURED_OF = rf"^!\[Both sides of .*\]\((.*)\.svg\)\n\n({MEASURED}.*\n(?:\n!\[.*\n)?)"
"""A theorem's name, and the lines on what was measured of it."""
MOST_HISTORIES = 60
"""Of a game that is drawn."""


class Source(NamedTuple):
    """The theorems of a paper or a subject, and the chapter in which they stand."""

    chapter: Chapter
    title: str
    theorems: tuple[Theorem, ...]


def sources() -> list[Source]:
    """Return each source, by chapters, then in the order of the registry."""
    found, place = [], {theorem.name: k for k, theorem in enumerate(THEOREMS)}
    for chapter in CHAPTERS:
        package = import_module(f"treeplex.bench.{chapter.room}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            source = import_module(module.name)
            title = (source.__doc__ or "").splitlines()[0].rstrip(".")
            if theorems := getattr(source, "THEOREMS", ()):
                found.append(Source(chapter, title, theorems))
    return sorted(found, key=lambda each: (CHAPTERS.index(each.chapter), place[each.theorems[0].name]))


def contents() -> str:
    """Return the generated part of the contents: a line for each theorem, and where print is wrong."""
    lines, links = [], {}
    for chapter in CHAPTERS:
        page = f"{PICTURES.name}/{chapter.path.name}"
        lines += [f"## {chapter.heading}", "", f"[The chapter with formulas and pictures]({page})", ""]
        for source in (each for each in sources() if each.chapter == chapter):
            lines += [f"### {escaped(source.title)}", ""]
            for theorem in source.theorems:
                links[theorem.name] = f"[{theorem.name}]({page}#{theorem.name})"
                lines.append(f"- {links[theorem.name]}: {escaped(theorem.plain)}")
            lines.append("")
    lines += ["## Where print is wrong", ""]
    lines += [f"- {links[each.name]}: {escaped(each.erratum)}" for each in THEOREMS if each.erratum]
    return "\n".join([*lines, ""])


def page(chapter: Chapter) -> str:
    """Return the page of a chapter, measured lines and pictures of games left out."""
    parts = [GENERATED, f"# Theorems: {chapter.heading[0].lower()}{chapter.heading[1:]}\n"]
    parts.append(f"What the lines and pictures mean is said with the [contents](../{PAGE.name}).\n")
    for source in sources():
        if source.chapter == chapter:
            parts += [f"## {escaped(source.title)}\n", *map(statement, source.theorems)]
    return "\n".join(parts)


def statement(theorem: Theorem) -> str:
    """Return what the page says of a theorem, without numbers."""
    lines = [f"### {theorem.name}", "", escaped(theorem.plain), "", "$$", theorem.tex, "$$", ""]
    lines.append(f"Source: {escaped(theorem.source)}.".replace("..", "."))
    if theorem.equality:
        lines += ["", f"Equality: {escaped(theorem.equality)}"]
    if theorem.erratum:
        lines += ["", f"Printed wrong: {escaped(theorem.erratum)}"]
    if theorem.twin is not None:
        lines += ["", f"False twin: {escaped(theorem.twin.plain)}"]
    return "\n".join([*lines, "", both_sides(theorem), ""])


def both_sides(theorem: Theorem) -> str:
    """Return the line that shows a theorem's picture; its words are for those who do not see it."""
    words = f"Both sides of {theorem.name}, left against right on each instance. {escaped(theorem.plain)}"
    return f"![{words}]({theorem.name}.svg)"


def escaped(text: str) -> str:
    """Return a plain text as Markdown."""
    return re.sub(r"([*<\\`]|(?<!\w)_|_(?!\w))", r"\\\1", text)


def measured_lines(theorem: Theorem, found: list[MeasuredPoint], failing: list[MeasuredPoint]) -> list[str]:
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
    if (PICTURES / drawing(spec)).exists():
        return [f"{text} The game: [{escaped(spec)}]({drawing(spec)}).", ""]
    tp.draw(spec).write(PICTURES / drawing(spec))
    return [f"{text} The game:", "", f"![The tree of {escaped(spec)} with its infosets]({drawing(spec)})", ""]


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
    """Write the pages and their pictures; measure these theorems, or all, on the instances of a quick run.

    The numbers and pictures of other theorems stay as they are; those that have none are measured too.
    """
    known = measured() if names else {}
    head, _ = PAGE.read_text(encoding="utf-8").split(GENERATED)
    PAGE.write_text(f"{head}{GENERATED}\n{contents()}", encoding="utf-8")
    for chapter in CHAPTERS:
        text = page(chapter)
        for theorem in chain.from_iterable(each.theorems for each in sources() if each.chapter == chapter):
            if theorem.name in names or theorem.name not in known:
                print(theorem.name, flush=True)
                known[theorem.name] = "\n".join(_measured(theorem))
            line = f"{both_sides(theorem)}\n"
            text = text.replace(line, f"{line}\n{known[theorem.name]}")
        chapter.path.write_text(text, encoding="utf-8")
    for old in {*PICTURES.glob("*.svg")} - pictures():
        old.unlink()


def written() -> str:
    """Return the pages of all chapters as they are, one after the other."""
    return "\n".join(chapter.path.read_text(encoding="utf-8") for chapter in CHAPTERS)


def measured() -> dict[str, str]:
    """Return the lines on what was measured of each theorem, as they are on the pages."""
    return dict(re.findall(MEASURED_OF, written(), flags=re.MULTILINE))


def _measured(theorem: Theorem) -> list[str]:
    """Draw both sides of a theorem and return the lines on what was measured."""
    effort = Effort(quick=True)
    found = _finite(points(theorem.measure, theorem.relation, theorem.instances(effort)))
    failing: list[MeasuredPoint] = []
    if theorem.twin is not None:
        made = theorem.twin.instances or theorem.instances
        there = _finite(points(theorem.twin.measure, theorem.relation, made(effort)))
        failing = [point for point in there if point.slack < -theorem.tolerance]
    (PICTURES / f"{theorem.name}.svg").write_bytes(figure_bytes(picture_of(found, failing), "svg"))
    return measured_lines(theorem, found, failing)


def _finite(found: Iterator[MeasuredPoint]) -> list[MeasuredPoint]:
    return [point for point in found if isfinite(point.slack)]


def pictures() -> set[Path]:
    """Return the files of pictures that the pages show."""
    return {PICTURES / name for name in re.findall(r"\]\(([^)/]+\.svg)\)", written())}


if __name__ == "__main__":
    write(sys.argv[1:])
