"""The architecture page tells the truth about the tree, and the tree keeps the rules that the page states."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT

FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex")
MOST_FILES = 12
MOST_LINES = 250
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([\w/]+)/` \| (.+?) \| (.*?) \| (.*?) \|$", flags=re.MULTILINE)
ROWS = {room: (what, face, imports) for room, what, face, imports in ROW.findall(PAGE)}


def modules(room: str) -> list[Path]:
    return [path for path in sorted((ROOT / room).glob("*.py")) if path.name != "__init__.py"]


def rooms() -> list[str]:
    """All folders with modules; links to them are followed once, from the top of the repository."""
    folders = [folder for floor in FLOORS for folder in (ROOT / floor, *(ROOT / floor).rglob("*/"))]
    names = {folder.relative_to(ROOT).as_posix() for folder in folders if folder.is_dir()}
    linked = tuple(f"treeplex/{floor}" for floor in FLOORS)
    return sorted(name for name in names if modules(name) and not name.startswith(linked))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def defined(room: str) -> Iterator[str]:
    """Yield what the modules of a room define at their top level, and what its stub offers."""
    stub = ROOT / room / "__init__.pyi"
    if stub.exists():
        for node in parsed(stub).body:
            if isinstance(node, ast.ImportFrom):
                yield from (alias.name for alias in node.names)
    for path in modules(room):
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.Assign):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id


def room_of(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] != "treeplex":
        return None
    parts = parts[1:] if parts[1:2] and parts[1] in FLOORS else parts
    known = ("/".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((name for name in known if name in ROWS), None)


def import_statements(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield the statements below a node that import from a module; expressions hold none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom):
            yield child
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from import_statements(child)


def imported(room: str) -> set[str]:
    """Return the other rooms of a room's floor that its modules import, without the floor's name."""
    floor, found = room.split("/", maxsplit=1)[0], set()
    for path in modules(room):
        for node in import_statements(parsed(path)):
            if node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                found |= {name for name in map(room_of, names) if name and name.split("/")[0] == floor}
    return {name.removeprefix(f"{floor}/") for name in found - {room}}


def quoted(text: str) -> list[str]:
    return re.findall(r"`(\w[\w/]*)`", text)


def test_the_page_names_every_room_and_no_other() -> None:
    assert sorted(ROWS) == rooms()
    assert len(PAGE.splitlines()) <= MOST_LINES


@pytest.mark.seconds(2)
@over(rooms())
def test_a_room_is_what_the_page_says(room) -> None:
    what, face, imports = ROWS[room]
    said = ast.get_docstring(parsed(ROOT / room / "__init__.py"))
    assert said is not None
    assert what == said.splitlines()[0].rstrip(".")
    assert quoted(face)
    assert set(quoted(face)) <= set(defined(room))
    assert set(quoted(imports)) == imported(room)
    assert len(modules(room)) <= MOST_FILES or "more than a dozen files" in said


@over(rooms())
def test_every_file_says_what_it_is_for(room) -> None:
    for path in modules(room):
        assert re.match(r'(#.*\n)*r?"""[\w`]', path.read_text(encoding="utf-8")), path


def test_no_test_imports_another_and_each_lies_where_its_room_does() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        found = re.search(r"^ *from [\w.]*\btest_\w+ import", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not found, f"{path} says {found[0]}"
        folder = path.parent.relative_to(ROOT / "tests").as_posix()
        assert folder == "." or (ROOT / folder).is_dir(), f"{path} tests no room"
