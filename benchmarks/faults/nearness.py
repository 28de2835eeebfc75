"""Which files of tests come first for a fault: those of its room, then by the imports that lead to it."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from benchmarks.faults.copies import imported, modules_of

LEFT_OUT = ("tests/test_faults.py",)
"""Files of tests that every fault fails: they look whether faults can be planted."""
FARTHEST = 6
"""Most imports between a file of tests and the module with the fault."""


def test_files(root: Path) -> list[str]:
    """Return all files of tests, from the root of the repository."""
    found = (path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))
    return sorted(set(found) - set(LEFT_OUT))


def near(root: Path, file: str) -> tuple[list[str], list[str]]:
    """Return the files of tests of a file's own room, and the others that import it, nearest first.

    A room without tests of its own has those of the room around it.

    Parameters
    ----------
    root : Path
    file : str
        From the root of the repository.
    """
    files, steps = test_files(root), steps_to(root, file)
    room = Path("tests", file).parent
    while room != Path("tests") and not any(Path(one).parent == room for one in files):
        room = room.parent
    own = [] if room == Path("tests") else [one for one in files if Path(one).parent == room]
    others = [one for one in files if one not in own and one in steps]
    first, last = (sorted(part, key=lambda one: (steps.get(one, FARTHEST), one)) for part in (own, others))
    return first, last


def steps_to(root: Path, file: str) -> dict[str, int]:
    """Return how many imports lead from files of tests to a file; where more than ``FARTHEST``, none."""
    imports, paths = _imports(root)
    reached = {name: 0 for name, path in paths.items() if path == file}
    new = set(reached)
    for step in range(1, FARTHEST + 1):
        new = {name for name, others in imports.items() if name not in reached and others & new}
        reached |= dict.fromkeys(new, step)
    found = {paths[name]: step for name, step in reached.items() if name.startswith("tests.")}
    return {path: step for path, step in found.items() if Path(path).name.startswith("test_")}


@cache
def _imports(root: Path) -> tuple[dict[str, set[str]], dict[str, str]]:
    """Return what each module and each file of tests imports, and where they are, by their names."""
    offered, modules = _offered(root), modules_of(root)
    tests = {
        ".".join(path.relative_to(root).with_suffix("").parts): path
        for path in (root / "tests").rglob("*.py")
    }
    imports = {name: imported(path) for name, path in modules.items()}
    imports |= {name: imported(path) | _used(path, offered) for name, path in tests.items()}
    return imports, {name: path.relative_to(root).as_posix() for name, path in (modules | tests).items()}


def _offered(root: Path) -> dict[str, str]:
    """Return the module of each name that ``import treeplex`` offers."""
    stub = ast.parse((root / "treeplex" / "__init__.pyi").read_text(encoding="utf-8"))
    return {
        alias.name: f"treeplex.{node.module}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _used(path: Path, offered: Mapping[str, str]) -> set[str]:
    """Return the modules of what a file takes of ``treeplex`` as an attribute, such as ``treeplex.solve``."""
    tree, names = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {one.asname or one.name for one in node.names if one.name == "treeplex"}
    return {
        offered[node.attr]
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        and node.attr in offered
    }
