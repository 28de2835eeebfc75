"""The course for a class: ``python notebooks/versions.py FOLDER`` writes FOLDER/student and FOLDER/solutions.

Cells that solve an exercise carry the tag ``solution``. In the student version an empty cell stands in the
place of each, and no cell has outputs; the solutions are the notebooks as they are stored.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOLUTION = "solution"
EMPTY = {"code": "# Your solution", "markdown": "*Your answer:*"}


def without_solutions(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with an empty cell for each solution, and without outputs."""
    return notebook | {"cells": [_unsolved(cell) for cell in notebook["cells"]]}


def _unsolved(cell: dict[str, Any]) -> dict[str, Any]:
    if cell["cell_type"] == "code":
        cell = cell | {"outputs": [], "execution_count": None}
    if SOLUTION in cell["metadata"].get("tags", ()):
        cell = cell | {"source": EMPTY[cell["cell_type"]], "metadata": {}}
    return cell


def write(folder: Path) -> None:
    """Write both versions of all notebooks into a folder, with the modules that draw their figures."""
    for name in ("student", "solutions"):
        target = folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(HERE / "lecture", target / "lecture", ignore=shutil.ignore_patterns("__pycache__"))
        pages = Path(os.path.relpath(HERE.parent / "docs", target.resolve())).as_posix()
        for path in sorted(HERE.glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            version = without_solutions(notebook) if name == "student" else notebook
            text = json.dumps(version, ensure_ascii=False, indent=1).replace("](../docs/", f"]({pages}/")
            (target / path.name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
