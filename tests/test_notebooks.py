"""The course: every notebook runs, says what it is stored with, and is built as the others are."""

import ast
import re
from importlib.util import find_spec

import pytest
from versions import EMPTY, write

from tests.helpers.cells import over
from tests.helpers.markdown_links import links
from tests.helpers.notebooks import NOTEBOOKS, SOLUTION, executed, figures, printed, read, tags

NEEDED = ("nbclient", "nbformat", "ipykernel", "cvxpy", "clarabel")
MISSING = [name for name in NEEDED if find_spec(name) is None]
FEWEST_CELLS, MOST_CELLS, MOST_LINES = 15, 81, 10
MOST_BYTES = 1_500_000

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"treeplex[notebooks] lacks {', '.join(MISSING)}")


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.seconds(30)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_prints_what_is_stored(path):
    stored, run = read(path), executed(path)
    said = [(c.id, o.text) for c in code_of(run) for o in c.outputs if o.get("name") == "stderr"]
    assert said == []
    assert dict(printed(run)) == dict(printed(stored))
    assert figures(run) == figures(stored)


@over(NOTEBOOKS)
def test_is_stored_whole(path):
    import nbformat

    notebook = read(path)
    nbformat.validate(notebook)
    assert path.stat().st_size <= MOST_BYTES
    assert FEWEST_CELLS <= len(notebook.cells) <= MOST_CELLS
    assert figures(notebook), "a notebook draws something"
    assert [cell.execution_count for cell in code_of(notebook)] == list(range(1, len(code_of(notebook)) + 1))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


@over(NOTEBOOKS)
def test_functions_are_short(path):
    trees = [ast.parse(cell.source) for cell in code_of(read(path))]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    long = {f.name: f.end_lineno - f.lineno + 1 for f in functions if f.end_lineno - f.lineno >= MOST_LINES}
    assert long == {}


@over(NOTEBOOKS)
def test_headline_numbers_are_asserted(path):
    asserted = [cell for cell in code_of(read(path)) if "assert " in cell.source]
    assert len(asserted) >= 3


def test_students_get_no_solutions_and_the_solutions_are_the_notebooks(tmp_path):
    write(tmp_path)
    for path in NOTEBOOKS:
        stored, student = read(path), read(tmp_path / "student" / path.name)
        assert [cell.cell_type for cell in student.cells] == [cell.cell_type for cell in stored.cells]
        for cell, given in zip(stored.cells, student.cells, strict=True):
            assert (SOLUTION in tags(cell)) == (given.source in EMPTY.values())
        assert not any(cell.outputs for cell in code_of(student))
        assert code_of(read(tmp_path / "solutions" / path.name)) == code_of(stored)
    assert (tmp_path / "student" / "lecture" / "style.py").is_file()
    linked = {path.resolve() for page in (tmp_path / "student").glob("*.ipynb") for _, path, _ in links(page)}
    assert {path for path in linked if not path.exists()} == set()


@over(NOTEBOOKS)
def test_has_exercises_with_solutions(path):
    notebook = read(path)
    heading = [k for k, cell in enumerate(notebook.cells) if cell.source.startswith("## Exercises")]
    assert len(heading) == 1
    after = notebook.cells[heading[0] :]
    solutions = [cell for cell in after if SOLUTION in tags(cell)]
    text = "\n".join(cell.source for cell in after if cell.cell_type == "markdown")
    exercises = re.findall(r"^\*\*(?:Exercise )?\d\.\*\* ?(\(Proof\.\))?", text, flags=re.MULTILINE)
    assert 4 <= len(exercises) <= 5
    assert exercises.count("(Proof.)") == 1
    assert len(solutions) > len(exercises)  # a proof has its text, and what checks it
    assert all("hide-cell" in tags(cell) for cell in solutions)
