"""Planted faults: each can be planted once, and whoever runs them keeps kernels and outcomes right."""

import ast
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, Timer
from types import SimpleNamespace

import pytest
from coverage import CoverageData

from benchmarks.faults import matrix, testing
from benchmarks.faults.catalogue import FAULTS, FOR_TESTS, named
from benchmarks.faults.copies import COPIED, FLOORS, copied, faulty, importers, modules_of
from benchmarks.faults.executed import Executed, statement
from benchmarks.faults.fault import Fault
from benchmarks.faults.judge import STAGES, Outcome, complaint, judged
from benchmarks.faults.matrix import is_due
from benchmarks.faults.nearness import near, steps_to
from benchmarks.faults.noticed import Matrix, Row, Usual, digest, read, totals
from benchmarks.faults.noticed import table as noticed_table
from benchmarks.faults.operators import edits_of, operator_fault, operators
from benchmarks.faults.table import enough, table
from tests.helpers.paths import ROOT

RULES = "cfr/update_rules.py"


def fault(new="STILL = 1", **rest):
    return Fault("made-up", rest.get("file", RULES), rest.get("old", "NOISE = 1e-14"), new, "nothing")


@pytest.mark.seconds(3)
def test_each_fault_can_be_planted():
    wrong, sources = [], {}
    for planted in (*FAULTS, *FOR_TESTS):
        if planted.file not in sources:
            text = (ROOT / planted.file).read_text(encoding="utf-8")
            sources[planted.file] = text, ast.dump(ast.parse(text))
        source, meaning = sources[planted.file]
        count = source.count(planted.old)
        if count != 1:
            wrong.append(f"{planted.name}: {planted.file} holds what is replaced {count} times")
        elif ast.dump(ast.parse(planted.applied(source))) == meaning:
            wrong.append(f"{planted.name}: changes nothing")
    assert not wrong, "\n".join(wrong)


def test_the_page_says_of_each_fault_what_the_catalogue_says():
    page = (ROOT / "docs" / "FAULTS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| (.+?) \| `(.+?)` \|", page, re.MULTILINE)
    assert rows == [(planted.name, planted.why, planted.file) for planted in (*FAULTS, *FOR_TESTS)]


def test_there_are_enough_faults_on_every_floor_with_names_of_their_own():
    every = (*FAULTS, *FOR_TESTS)
    assert len({planted.name for planted in every}) == len(every)
    assert len(FAULTS) >= 60
    assert len(FOR_TESTS) >= 42
    assert {planted.file.split("/")[0] for planted in FAULTS} >= {"games", "seqform", "gadgets", "cfr"}
    assert {planted.file.split("/")[0] for planted in every} == set(FLOORS) - {"examples"} | {"treeplex"}


def test_what_is_not_there_once_is_refused():
    with pytest.raises(ValueError, match="must hold 'absent' once, got 0 times"):
        fault(old="absent").applied("text")
    with pytest.raises(ValueError, match="got 2 times"):
        fault(old="a").applied("aa")
    with pytest.raises(ValueError, match="there is no fault 'none'"):
        named(["none"])


@pytest.mark.parametrize(
    ("source", "old", "new", "enters"),
    [
        ("X = 1\ndef f():\n    return 2\n", "2", "3", False),
        ("X = 1\ndef f():\n    return 2\n", "X = 1", "X = 5", True),
        ("from numba import njit\ndef f():\n    return 2\n", "2", "3", True),
    ],
)
def test_kernels_hold_constants_and_what_is_compiled(source, old, new, enters):
    assert fault(new, old=old).enters_kernels(source) is enters


@pytest.mark.seconds(3)
def test_importers_are_found_through_others():
    modules = modules_of(ROOT)
    found = importers(modules, "treeplex.cfr.update_rules")
    assert modules["treeplex.cfr.update_rules"] == ROOT / RULES
    assert {"treeplex.cfr.sequences.sequence_learning", "treeplex.cfr.sequences.full_width"} <= found
    assert "treeplex.seqform.forms.treeplex" not in found


def test_a_copy_loses_kernels_that_hold_the_fault_and_keeps_the_others(tmp_path):
    """Kernels are files beside their sources; the checkout's own are not touched."""
    root = tmp_path / "root"
    texts = {
        "cfr/low.py": "from numba import njit\nX = 1\n",
        "cfr/high.py": "from treeplex.cfr.low import X\n",
        "cfr/apart.py": "Y = 1\n",
    }
    for folder in (
        "treeplex",
        "games",
        "seqform",
        "gadgets",
        "cfr/__pycache__",
        "examples",
        "benchmarks/faults",
    ):
        (root / folder).mkdir(parents=True)
    for name, text in texts.items():
        (root / name).write_text(text)
    kernels = [f"{name}.f-1.py311.nbi" for name in ("low", "high", "apart")]
    for kernel in kernels:
        (root / "cfr/__pycache__" / kernel).touch()
    planted = fault("X = 2", file="cfr/low.py", old="X = 1")
    with faulty(root, planted) as copy:
        assert [path.name for path in (copy / "cfr/__pycache__").iterdir()] == ["apart.f-1.py311.nbi"]
        assert "X = 2" in (copy / "cfr/low.py").read_text()
    assert not copy.exists()
    assert sorted(path.name for path in (root / "cfr/__pycache__").iterdir()) == sorted(kernels)
    assert "X = 1" in (root / "cfr/low.py").read_text()


def test_times_of_files_are_kept_by_which_kernels_are_known():
    with copied(ROOT) as copy:
        for name in (RULES, "treeplex/__init__.py"):
            assert (copy / name).stat().st_mtime == (ROOT / name).stat().st_mtime
        assert (copy / "treeplex/cfr").is_symlink()


@pytest.mark.seconds(3)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('{\"failed\": []}')", ""),
        ('import sys; print(\'{"failed": ["value of x"]}\'); sys.exit(1)', "value of x"),
        (
            'import sys; print(\'{"checks": [{"name": "a", "violations": 0, "false_twin_violations": 0},'
            '{"name": "b", "violations": 2, "false_twin_violations": null}]}\'); sys.exit(1)',
            "b",
        ),
        ("raise SystemError('broken')", "exit 1: Traceback"),
        ("while True: pass", "does not end"),
    ],
)
def test_what_a_stage_says(monkeypatch, tmp_path, code, said):
    monkeypatch.setitem(STAGES, "made up", (("-c", code), 1))
    found = complaint(tmp_path, "made up")
    assert found.startswith(said)
    assert bool(found) is bool(said)


@pytest.mark.seconds(5)
def test_stages_follow_each_other_until_something_is_caught(monkeypatch):
    monkeypatch.setitem(STAGES, "quick", (("-c", ""), 10))
    monkeypatch.setitem(
        STAGES,
        "certificates",
        (("-c", "import sys, treeplex.cfr.update_rules as r; sys.exit(hasattr(r, 'STILL'))"), 30),
    )
    outcome = judged(ROOT, fault(), ("quick", "certificates"))
    assert (outcome.stage, outcome.by[:6]) == ("certificates", "exit 1")
    assert judged(ROOT, fault(), ("quick",)).stage == ""
    assert sys.modules.get("treeplex") is None or not hasattr(sys.modules["treeplex"], "STILL")


def test_what_runs_is_ended_when_that_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.setitem(STAGES, "made up", (("-c", "import time; time.sleep(1000)"), 1000))
    stop = Event()
    Timer(0.2, stop.set).start()
    with pytest.raises(KeyboardInterrupt):
        complaint(tmp_path, "made up", stop)


def test_the_table_counts_what_was_caught():
    first, second = FAULTS[:2]
    outcomes = {
        first.name: Outcome(first.name, "quick", "a theorem", 2.5),
        second.name: Outcome(second.name, "full", "another", 100.0),
    }
    text = table(FAULTS, outcomes)
    assert f"| {first.name} | {first.why} | `{first.file}` | a theorem | 3 |" in text
    assert "2 faults: 1 caught by `verify --quick --fail-fast`, 0 more by certificates (50.0%)" in text
    assert not enough([*outcomes.values()])
    assert enough([Outcome("x", "quick", "a", 1.0)] * 49 + [Outcome("y", "full", "b", 1.0)])
    assert not enough([Outcome("x", "quick", "a", 1.0)] * 49 + [Outcome("y", "", "", 1.0)] * 2)


@pytest.mark.seconds(3)
def test_edits_of_operators_are_drawn_by_the_seed_and_can_be_planted():
    drawn = operators(ROOT, 0, 30)
    assert drawn[:20] == operators(ROOT, 0, 20)
    assert {planted.file for planted in drawn} != {planted.file for planted in operators(ROOT, 1, 8)}
    assert named(["operator-0007", "operator-1007"]) == (drawn[7], operators(ROOT, 1, 8)[7])
    for planted in drawn:
        source = (ROOT / planted.file).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(planted.applied(source))) != ast.dump(ast.parse(source)), planted
        assert planted.file.split("/")[0] in {*FLOORS, "treeplex"} - {"examples"}
    with pytest.raises(ValueError, match="numbers from 0 to 999, got 0 and 1000"):
        operator_fault(ROOT, 0, 1000)


def test_each_operator_has_its_edit_and_texts_and_annotations_have_none():
    text = '''"""1 < 2"""
@cached(2)
def f(x: Literal[1] = 2) -> "g[1 + 1]":
    y, text = -x, f"{x + 1}"
    if not (x  # + or -
            <= y) and x is not None and y in (True,):
        y += max(x, 1)
'''
    source = text.encode()
    found = {(source[begin:end].decode(), new) for begin, end, new, _ in edits_of(text)}
    assert found == {
        ("2", "3"),
        ("-", ""),
        ("not ", ""),
        ("<=", "<"),
        ("and", "or"),
        ("is not", "is"),
        ("in", "not in"),
        ("True", "False"),
        ("+", "-"),
        ("max", "min"),
        ("1", "0"),
    }


@pytest.mark.seconds(5)
def test_tests_of_the_own_room_come_first_then_those_that_import_it():
    own, others = near(ROOT, "games/cards/index_kernels.py")
    assert own[0] == "tests/games/cards/test_hand_index.py"
    assert {Path(file).parent.as_posix() for file in own} == {"tests/games/cards"}
    assert "tests/games/buckets" in {Path(file).parent.as_posix() for file in others[:4]}
    steps = steps_to(ROOT, "games/cards/index_kernels.py")
    assert [steps[file] for file in others] == sorted(steps[file] for file in others)
    own, _ = near(ROOT, "cfr/bucket_sampling/sampler_tables.py")
    assert {Path(file).parent.as_posix() for file in own} == {"tests/cfr/bucket_sampling"}
    _, others = near(ROOT, "treeplex/solving/solve.py")
    assert {"tests/treeplex/cli/test_cli.py", "tests/test_faults.py"} & set(others) == {
        "tests/treeplex/cli/test_cli.py"
    }


RULES_TESTED = {
    "tests/cfr/variants/test_rules.py": "from treeplex.cfr.update_rules import NOISE\n"
    "def test_noise(): assert NOISE == 1e-14\n"
    "def test_sign(): assert NOISE > 0\n"
    "def test_never(): assert NOISE < 0\n",
    "tests/test_far.py": "from treeplex.cfr.sequences import full_width\n"
    "def test_import(): assert full_width\n"
    "def test_rules(): assert full_width\n",
    "tests/test_apart.py": "def test_apart(): assert False\n",
    "tests/test_faults.py": "def test_planted(): assert False\n",
}


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """A runner of the matrix on the package with few tests of their own."""
    right = tmp_path / "right"
    with copied(ROOT) as copy:
        shutil.copytree(copy, right, symlinks=True)
    for name, text in RULES_TESTED.items():
        (right / name).parent.mkdir(parents=True, exist_ok=True)
        (right / name).write_text(text)
    shutil.copy(ROOT / "pyproject.toml", right)
    monkeypatch.setattr(testing, "SELECTED", ())
    monkeypatch.setattr(matrix, "WITH_TESTS", (*COPIED, "tests", "pyproject.toml"))
    return matrix.Runner(right, tmp_path / "matrix.json", Matrix(), 60.0, first_only=False)


@pytest.mark.seconds(15)
def test_a_matrix_says_which_files_of_tests_notice_a_fault(rules):
    """What fails anyway is left out, and so are files that do not import the fault."""
    planted, near_by, far = fault(), "tests/cfr/variants/test_rules.py", "tests/test_far.py"
    row = rules.run(planted)
    assert set(rules.matrix.usual) == {near_by, far}
    assert rules.matrix.usual[near_by].failed == [f"{near_by}::test_never"]
    assert row.killed == {near_by: 1, far: 1}  # importing fails where the name is gone
    assert row.whole
    rules.keep(planted, row)
    assert read(rules.out) == rules.matrix
    assert read(rules.out).of(planted) == row
    assert read(rules.out).of(fault("NOISE = 2")) is None

    smaller = fault("NOISE = 1e-13")
    row = rules.run(smaller)
    assert (row.ran, row.by) == ({near_by: 2, far: 2}, {near_by: ["test_noise"]})
    first = replace(rules, first_only=True).run(smaller)
    assert (first.killed, first.whole, first.ran.get(far)) == ({near_by: 1}, False, None)
    assert not is_due(smaller, first, first_only=True)
    assert is_due(smaller, first, first_only=False)


def test_tests_are_chosen_for_so_many_seconds(rules):
    near_by, far = "tests/a.py", "tests/b.py"
    for name in (near_by, far):
        (rules.right / name).touch()
    text = "e3b0c44298fc"
    rules.matrix.usual[near_by] = Usual(text, 5, 12.0, {"slow": 8.0, "less": 2.0}, [])
    rules.matrix.usual[far] = Usual(text, 1, 3.0, {"only": 3.0}, [])
    assert rules._chosen([near_by, far], 60.0) == ([near_by, far], [], 15.0)
    assert rules._chosen([near_by, far], 10.0) == ([near_by, far], ["slow"], 7.0)
    assert rules._chosen([near_by, far], 3.5) == ([near_by], ["less", "slow", "only"], 2.0)


@pytest.mark.seconds(15)
def test_tests_that_execute_the_edited_statement_run_alone(rules):
    near_by = "tests/cfr/variants/test_rules.py"
    asked = SimpleNamespace(tests=lambda *_: ([f"{near_by}::test_gone", f"{near_by}::test_noise"], 1.0))
    row = replace(rules, executed=asked, first_only=True).run(fault("NOISE = 1e-13"))
    assert (row.ran, row.by) == ({near_by: 1}, {near_by: ["test_noise"]})


def test_the_cheapest_tests_of_a_statement_come_first(tmp_path):
    """By what coverage said of each; of statements outside of functions none is known."""
    source, tests = "LIMIT = 3\n\ndef f(x):\n    return x + 1\n", ("tests/a.py::one", "tests/b.py::two[1]")
    (tmp_path / "made_up.py").write_text(source)
    lines, elsewhere = CoverageData(str(tmp_path / "coverage")), tmp_path.parent / "elsewhere.py"
    for test in tests:
        lines.set_context(f"{test}|run")
        lines.add_lines({str(tmp_path / "made_up.py"): [1, 4], str(elsewhere): [1]})
    lines.write()
    costs = tmp_path / "costs.jsonl"
    costs.write_text("".join(f'{{"test": "{test}", "cpu": {2 - k}}}\n' for k, test in enumerate(tests)))
    executed = Executed.read(tmp_path, tmp_path / "coverage", costs)
    inner, outer = (fault(new, old=old, file="made_up.py") for old, new in (("x + 1", "x - 1"), ("3", "4")))
    assert executed.tests(source, inner, 60.0) == ([tests[1], tests[0]], 3.0)
    assert executed.tests(source, inner, 2.0) == ([tests[1]], 1.0)
    assert executed.tests(source, outer, 60.0) == ([], 0.0)
    assert executed.tests(source, replace(inner, file="other.py"), 60.0) == ([], 0.0)


def test_statements_are_without_those_inside_of_them():
    source = "def f(\n    c=0,\n):\n    if (a and\n        b):\n        c = [\n            1,\n        ]\n"
    found = [statement(source, line) for line in range(1, 9)]
    assert found == [range(0)] * 3 + [range(4, 6)] * 2 + [range(6, 9)] * 3


def test_totals_name_what_is_missed_and_what_alone_notices():
    first, second, third = FOR_TESTS[:3]
    one = Row(first.file, digest(first), 3.0, 60.0, True, {"a": 5}, {"a": 1}, {"a": ["test|x"]})
    none = replace(one, digest=digest(second), killed={}, by={})
    known = Matrix({}, {first.name: one, second.name: none, third.name: one})
    assert [*totals(FOR_TESTS[:4], known)] == [
        "4 faults: 2 run, 1 noticed by tests, 1 missed, 2 not run yet.",
        f"Missed: {second.name}.",
        "Of 2 on which all chosen tests ran, these files alone noticed some:",
        "a: 1",
        "Tests that were the only ones to notice some fault:",
        "a::test|x",
    ]
    rows = noticed_table(FOR_TESTS[:3], known).splitlines()[2:]
    assert [row.split(" | ")[3] for row in rows] == ["`a`: test\\|x", "nothing in 5 tests", "not run yet"]


def test_the_page_says_what_tests_noticed():
    page = (ROOT / "docs" / "FAULTS.md").read_text(encoding="utf-8")
    assert matrix.paged(page, read(ROOT / "benchmarks" / "faults" / "matrix.json")) == page
