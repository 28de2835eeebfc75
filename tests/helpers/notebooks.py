"""Notebooks executed, stored with their outputs, and their outputs compared with what is stored.

``python -m tests.helpers.notebooks [NAME...]`` runs notebooks and stores their outputs. Cells
whose printed numbers differ from run to run (seconds) carry the tag ``timing``: stored, not compared.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.helpers.paths import ROOT
from tests.helpers.processes import HANGS_AFTER

NOTEBOOKS = tuple(sorted((ROOT / "notebooks").glob("*.ipynb")))
TIMING, SOLUTION = "timing", "solution"
"""Tags of cells whose outputs differ from run to run; of cells that solve an exercise."""
LANGUAGE = {"name": "python"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def read(path: Path) -> Any:
    """Return a notebook as its file says."""
    import nbformat

    return nbformat.read(path, as_version=4)


def executed(path: Path) -> Any:
    """Return a notebook run from top to bottom in its own folder; raises what a cell raises."""
    from nbclient import NotebookClient

    notebook = read(path)
    where = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook, timeout=HANGS_AFTER, kernel_name="python3", resources=where, coalesce_streams=True
    )
    # Tables are as wide as they are without a terminal, whatever the runner's is.
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    client.execute(cleanup_kc=True, env=env)
    return notebook


def tags(cell: Any) -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def printed(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield (cell id, text) of each cell that prints or shows something, without those tagged ``timing``."""
    for cell in notebook.cells:
        outputs = [] if TIMING in tags(cell) else cell.get("outputs", ())
        if texts := [_text(output) for output in outputs]:
            yield cell.id, "".join(texts)


def figures(notebook: Any) -> dict[str, int]:
    """Return the number of figures of each cell that draws some, by cell id."""
    drawn = {cell.id: sum(map(_is_figure, cell.get("outputs", ()))) for cell in notebook.cells}
    return {name: n for name, n in drawn.items() if n}


def _text(output: Any) -> str:
    return output.get("text", "") or output.get("data", {}).get("text/plain", "")


def _is_figure(output: Any) -> bool:
    data = output.get("data", {})
    return "image/png" in data or "image/svg+xml" in data


def store(path: Path) -> None:
    """Run a notebook and store it with its outputs, without what differs between machines."""
    import nbformat

    notebook = executed(path)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": LANGUAGE})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for given in NOTEBOOKS:
        if not sys.argv[1:] or given.stem in sys.argv[1:]:
            print(given.stem, flush=True)
            store(given)
