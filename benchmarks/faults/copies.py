"""Temporary copies of the package with caches of compiled kernels of their own."""

import ast
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.fault import Fault

FLOORS = ("games", "seqform", "gadgets", "cfr", "examples")
"""Folders that ``treeplex/`` links to."""
COPIED = ("treeplex", *FLOORS, "benchmarks/faults")
"""What a copy holds."""
WITH_TESTS = (
    *COPIED[:-1],
    *("benchmarks", "docs", "notebooks", "tests"),
    *(".ci", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("constraints.txt", "pyproject.toml"),
)
"""What a copy with the tests and all that they read holds."""


@contextmanager
def copied(root: Path, parts: Sequence[str] = COPIED) -> Iterator[Path]:
    """Make a copy for as long as it is needed: sources, links, compiled kernels beside their sources.

    Times of files are kept, by which numba tells whether a compiled kernel is of this source.
    """
    with tempfile.TemporaryDirectory(prefix="treeplex-fault-") as folder:
        for part in parts:
            if (root / part).is_dir():
                shutil.copytree(root / part, Path(folder, part), symlinks=True)
            else:
                shutil.copy2(root / part, Path(folder, part))
        (Path(folder, "benchmarks") / "__init__.py").touch()
        yield Path(folder)


@contextmanager
def faulty(root: Path, fault: Fault) -> Iterator[Path]:
    """Make a copy with a fault, without the kernels that hold what was right.

    Numba sees that a kernel's own file has changed. Kernels of other files that call it were compiled with
    it, and constants were compiled into them: these files lose all their compiled kernels.
    """
    with copied(root) as copy:
        source = (copy / fault.file).read_text(encoding="utf-8")
        if fault.enters_kernels(source):
            modules = modules_of(copy)
            module = next(name for name, path in modules.items() if path == copy / fault.file)
            for name in importers(modules, module):
                for kernel in (modules[name].parent / "__pycache__").glob(f"{modules[name].stem}.*.nb[ic]"):
                    kernel.unlink()
        fault.plant(copy)
        yield copy


def modules_of(root: Path) -> dict[str, Path]:
    """Return the files of the package by the modules' names."""
    found = {}
    for floor in (*FLOORS, "treeplex"):
        for path in sorted((root / floor).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            whole = parts if floor == "treeplex" else ("treeplex", *parts)
            if not (floor == "treeplex" and parts[1:2] and parts[1] in FLOORS):
                found[".".join(whole).removesuffix(".__init__")] = path
    return found


def importers(modules: dict[str, Path], module: str) -> set[str]:
    """Return a module and all that import it, directly or through others."""
    imports = {name: imported(path) for name, path in modules.items()}
    found, new = set[str](), {module}
    while new:
        found |= new
        new = {name for name, others in imports.items() if others & new} - found
    return found


def imported(path: Path) -> set[str]:
    """Return what a file imports by name: modules, and names in modules, which may be modules too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found
