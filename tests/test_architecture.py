"""The architecture page tells the truth about the tree, and the tree keeps the rules that the page states."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT

FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex")
APART = "treeplex/bench"
"""Its rooms are no rooms of the floor, and the only ones below a room."""
MOST_FILES, MOST_ROOMS, MOST_FOLDERS, MOST_LINES = 24, 10, 50, 600
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = {room: told for room, *told in re.findall(r"(?m)^\| `([\w/]+)/` \| (.+?) \| (.*) \|$", PAGE)}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def folders() -> list[str]:
    """Return all folders of packages; links to them are not followed."""
    found = {file.parent for floor in FLOORS for file in (ROOT / floor).rglob("*.py")}
    return sorted(folder.relative_to(ROOT).as_posix() for folder in found if folder.resolve() == folder)


def modules(room: str) -> list[Path]:
    return [path for path in sorted((ROOT / room).glob("*.py")) if path.name != "__init__.py"]


def rooms() -> list[str]:
    return [folder for folder in folders() if modules(folder)]


def defined(room: str) -> Iterator[str]:
    """Yield what the modules of a room define at their top level, and what its stub offers."""
    for path in (*modules(room), *(ROOT / room).glob("__init__.pyi")):
        for node in parsed(path).body:
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    yield name
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    yield name
                case ast.ImportFrom(names=names) if path.suffix == ".pyi":
                    yield from (alias.name for alias in names)


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, at its top, within functions or for types alone."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def dotted(path: Path) -> str:
    """Return the name by which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "treeplex" else ("treeplex", *parts))


def test_the_page_names_every_room_and_no_other() -> None:
    assert sorted(ROWS) == rooms()
    assert len(PAGE.splitlines()) <= 135


@pytest.mark.seconds(3)
@over(rooms())
def test_a_room_is_what_the_page_says(room) -> None:
    what, face = ROWS[room]
    said = ast.get_docstring(parsed(ROOT / room / "__init__.py"))
    assert said is not None
    assert what == said.splitlines()[0].rstrip(".")
    assert set() < {*re.findall(r"`(\w+)`", face)} <= {*defined(room)}
    assert len(modules(room)) <= MOST_FILES


def test_floors_have_few_rooms_and_rooms_lie_at_one_level() -> None:
    assert len(folders()) <= MOST_FOLDERS
    for floor in FLOORS:
        below = [folder for folder in folders() if folder.startswith(f"{floor}/")]
        assert len([folder for folder in below if not folder.startswith(APART)]) <= MOST_ROOMS
        assert all(folder.count("/") == 1 + folder.startswith(f"{APART}/") for folder in below)


@pytest.mark.seconds(2)
def test_no_files_import_each_other_in_a_circle() -> None:
    files = {dotted(path): path for room in rooms() for path in modules(room)}
    graph = {}
    for name, path in files.items():
        found = {each if each in files else each.rpartition(".")[0] for each in imported(path)}
        graph[name] = (found & {*files}) - {name}
    assert sum(map(len, graph.values())) > len(files)
    TopologicalSorter(graph).prepare()


@over(rooms())
def test_every_file_says_what_it_is_for_and_is_not_too_long(room) -> None:
    for path in modules(room):
        text = path.read_text(encoding="utf-8")
        assert re.match(r'(#.*\n)*r?"""[\w`]', text), path
        assert text.count("\n") <= MOST_LINES, path


def test_no_test_imports_another_and_each_lies_where_its_room_does() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        found = re.search(r"^ *from [\w.]*\btest_\w+ import", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not found, f"{path} says {found[0]}"
        folder = path.parent.relative_to(ROOT / "tests").as_posix()
        assert folder == "." or (ROOT / folder).is_dir(), f"{path} tests no room"
