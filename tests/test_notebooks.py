"""Every notebook runs from top to bottom, says nothing on stderr and is stored without outputs."""

from importlib.util import find_spec

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.processes import HANGS_AFTER

NEEDED = ("nbclient", "nbformat", "ipykernel", "cvxpy", "clarabel")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MISSING = [name for name in NEEDED if find_spec(name) is None]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"treeplex[notebooks] lacks {', '.join(MISSING)}")
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    import nbformat

    return nbformat.read(path, as_version=4)


def test_there_are_notebooks():
    assert NOTEBOOKS


@each_notebook
def test_runs_without_a_warning(path):
    from nbclient import NotebookClient

    notebook = read(path)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=HANGS_AFTER, kernel_name="python3", resources=where).execute()
    outputs = [(cell, output) for cell in notebook.cells for output in cell.get("outputs", ())]
    said = [f"{cell.id}: {output.text}" for cell, output in outputs if output.get("name") == "stderr"]
    assert said == []
    assert any("image/png" in output.get("data", {}) for _, output in outputs), "a notebook draws something"


@each_notebook
def test_is_stored_bare_and_with_stable_ids(path):
    import nbformat

    notebook = read(path)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
