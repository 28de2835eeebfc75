"""Solvers in child processes: what they return is checked, what they do otherwise is one line."""

import enum
import json
import math
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.complaints import INTERNALS
from tests.helpers.paths import ROOT
from tests.helpers.processes import children_of, ended
from treeplex.bench.examination import child_process
from treeplex.bench.examination.answers import Answer, decoded, encoded

UNIFORM = tp.Profile(
    tp.load("kuhn_poker").form.treeplexes,
    tuple(t.uniform() for t in tp.load("kuhn_poker").form.treeplexes),
)
TABLE = {
    (player, key): UNIFORM.action_probabilities(player, key)
    for player, t in enumerate(UNIFORM.treeplexes)
    for key in t.infosets
}
OPTIMUM = tp.solve("kuhn_poker", "lp")


def changed(row, key=(0, "J:")):
    return lambda game, iterations: {**TABLE, key: row}


def raising(game, iterations):
    raise ZeroDivisionError("by\nzero")


def spinning(game, iterations):
    while True:
        pass


def killed(game, iterations):
    os.kill(os.getpid(), signal.SIGKILL)


def interrupting(game, iterations):
    raise KeyboardInterrupt


class WordlessError(Exception):
    """An error that cannot say what is wrong."""

    def __str__(self):
        raise ValueError("no words")


def wordless(game, iterations):
    raise WordlessError


class Wordless:
    """What is neither a number nor a text."""


class Card(str):
    """A text of the user's own."""


class Chance(float):
    """A number of the user's own."""


class Key(tuple):
    """A pair of the user's own."""


class Named:
    """An object whose text is a key of the game."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class Move(enum.Enum):
    """The actions of Kuhn poker."""

    CHECK = "c"
    RAISE = "r"
    FOLD = "f"


FAILING = {
    "raises": (raising, "the solver raised ZeroDivisionError: by zero"),
    "raises Ctrl-C's error": (interrupting, "the solver raised KeyboardInterrupt"),
    "raises what has no words": (wordless, "the solver raised WordlessError: an error without a text"),
    "exits": (lambda game, t: sys.exit(3), "the solver raised SystemExit: 3"),
    "ends its process": (lambda game, t: os._exit(3), "the solver's process ended with exit code 3"),
    "crashes": (killed, "the solver's process was ended by SIGKILL"),
    "returns nothing": (lambda game, t: None, "a solver must return .* got none"),
    "returns words": (lambda game, t: {"J:": "c"}, r"a strategy's mapping must be \{\(player, infoset\)"),
    "returns NaN": (changed({"c": math.nan, "r": 1.0}), "a probability must be between 0 and 1, got 'nan'"),
    "returns less than zero": (changed({"c": -0.5, "r": 1.5}), "between 0 and 1, got '-0.5'"),
    "returns too little": (changed({"c": 0.5, "r": 0.4}), "must sum to 1 within 0.0005, got 0.9"),
    "returns half a table": (
        lambda game, t: dict(list(TABLE.items())[:6]),
        r"is missing \([0-9]+ rows are; [0-9]+ infosets have none\)$",
    ),
    "forgets an action": (changed({"c": 1.0}), "player 0's 'r' at 'J:' is missing"),
    "invents an action": (changed({"c": 0.5, "r": 0.5, "x": 0.0}), "no action 'x' at infoset 'J:'"),
    "solves another game": (
        lambda game, t: tp.solve("kuhn_poker(ranks=4)", "lp"),
        "player 0 has no infoset 'T:'",
    ),
    "swaps the seats": (lambda game, t: {(1 - p, k): row for (p, k), row in TABLE.items()}, "has no infoset"),
    "cannot be called": (7, "the solver is no solver"),
}


@pytest.mark.seconds(3)
@over(FAILING)
def test_what_cannot_be_run_is_one_line_that_names_the_game(name) -> None:
    solver, words = FAILING[name]
    before = children_of(os.getpid())
    with pytest.raises(ValueError, match=words) as caught:
        tp.examine(solver, "kuhn_poker", seconds=1)
    text = str(caught.value)
    assert text.startswith("kuhn_poker after 1 iteration: ")
    assert "\n" not in text
    assert len(text) < 500
    assert not INTERNALS.search(text)
    assert children_of(os.getpid()) == before


@pytest.mark.seconds(3)
def test_a_solver_that_spins_is_ended_by_the_processor_s_time() -> None:
    with pytest.raises(
        ValueError, match=r"after 1 iteration: no answer within [0-9.]+ seconds of the processor"
    ):
        tp.examine(spinning, "kuhn_poker", seconds=0.05)


def starting(pids):
    """Return a solver that starts a process, writes its number, and sleeps."""

    def solve(game, iterations):
        started = subprocess.Popen(["sleep", "60"])
        pids.write_text(f"{os.getpid()} {started.pid}")
        time.sleep(60)

    return solve


def test_processes_that_a_solver_starts_end_with_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(child_process, "PATIENCE", 2)
    pids = tmp_path / "pids"
    with pytest.raises(ValueError, match="no answer within"):
        tp.examine(starting(pids), "kuhn_poker", seconds=0.2)
    assert ended([*map(int, pids.read_text().split())], 20)


@pytest.mark.seconds(3)
def test_a_solver_that_sleeps_ends_with_a_process_that_is_killed(tmp_path) -> None:
    pids = tmp_path / "pids"
    program = (
        "import sys, pathlib, treeplex as tp\n"
        "from tests.treeplex.bench.examination.test_running import starting\n"
        "tp.examine(starting(pathlib.Path(sys.argv[1])), 'kuhn_poker')"
    )
    examining = subprocess.Popen([sys.executable, "-c", program, str(pids)], cwd=ROOT)
    try:
        until = time.monotonic() + 60
        while not (pids.exists() and pids.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        examining.kill()
        examining.wait()
    assert ended([*map(int, pids.read_text().split())], 20)


def test_a_later_answer_may_fail_too() -> None:
    def once(game, iterations):
        return TABLE if iterations == 1 else {}

    with pytest.raises(ValueError, match=r"^kuhn_poker after 2 iterations: .* missing"):
        tp.examine(once, "kuhn_poker")


@over(
    [
        lambda p, key, row: {Key((p, Card(key))): {Card(a): Chance(x) for a, x in row.items()}},
        lambda p, key, row: {(p, Named(key)): {Move(a): Fraction(x) for a, x in row.items()}},
        lambda p, key, row: {(np.int64(p), np.str_(key)): {a: np.float32(x) for a, x in row.items()}},
        lambda p, key, row: {(p, key): {Named(a): Decimal(x) for a, x in row.items()}},
    ]
)
def test_keys_and_numbers_of_classes_of_the_user_s_own_become_plain_data(made) -> None:
    def solver(game, iterations):
        return {k: row for (p, key), own in TABLE.items() for k, row in made(p, key, own).items()}

    found = tp.examine(solver, "kuhn_poker")
    assert found.rungs[0].nash_conv == pytest.approx(11 / 12)


@over(
    [
        lambda: {Wordless(): {"c": 0.5, "r": 0.5}},
        lambda: {**TABLE, (0, "J:"): {"c": Wordless(), "r": 0.5}},
        lambda: {**TABLE, (0, Wordless()): {"c": 0.5, "r": 0.5}},
        lambda: pd.DataFrame([[Wordless()]], columns=["player"]),
    ]
)
def test_what_is_neither_number_nor_text_is_refused_in_a_line(made) -> None:
    words = "a strategy is of numbers and texts, got an object of the class Wordless$"
    with pytest.raises(ValueError, match=words):
        tp.examine(lambda game, iterations: made(), "kuhn_poker")


def test_two_keys_that_become_one_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the infoset .* twice, under keys that are not equal"):
        tp.examine(lambda game, iterations: {(0, Named("J:")): {}, (0, "J:"): {}}, "kuhn_poker")


@over(
    [
        Answer(TABLE, seconds=0.1),
        Answer({"J:": "c", (0, "Q:"): {("a", 1): math.inf}}),
        Answer(error="none"),
        Answer(skipped="too large"),
    ]
)
def test_answers_go_through_json_and_come_back(answer) -> None:
    json.loads(encoded(answer))
    assert decoded(encoded(answer)) == answer


def test_tables_go_through_json_and_come_back() -> None:
    table = OPTIMUM.profile.table()
    pd.testing.assert_frame_equal(decoded(encoded(Answer(table))).strategy, table, check_dtype=False)


@over([b"", b"\xff", b"7", b"[null, 1, 2, 3]", b'[null, "", "", NaN]', b"[[1], 2, 3, 4]", b"[" * 100_000])
def test_what_is_no_answer_is_refused(data) -> None:
    with pytest.raises(ValueError, match="the solver's process sent what is no answer"):
        decoded(data)


def closing(game, iterations):
    os.closerange(3, 200)
    return TABLE


def closing_and_sleeping(game, iterations):
    os.closerange(0, 200)
    time.sleep(100)


ENDING = {
    "sleeps": (lambda game, iterations: time.sleep(100), "no answer within 1 seconds on the clock"),
    "closes": (closing, "the solver closed the descriptor of its answers"),
    "closes and sleeps": (closing_and_sleeping, "no answer within 1 seconds on the|the solver closed the"),
}


@over(ENDING)
def test_a_solver_that_sleeps_or_closes_descriptors_ends_within_the_limit(name, monkeypatch) -> None:
    monkeypatch.setattr(child_process, "PATIENCE", 1)
    solver, words = ENDING[name]
    before = time.monotonic()
    with pytest.raises(ValueError, match=words):
        tp.examine(solver, "kuhn_poker", seconds=0.1)
    assert time.monotonic() - before < 30


@pytest.mark.seconds(3)
def test_a_limit_after_some_answers_ends_the_questions_alone() -> None:
    def slower(game, iterations):
        while iterations > 2:
            pass
        return TABLE if iterations == 1 else OPTIMUM

    found = tp.examine(slower, "kuhn_poker", seconds=0.4)
    assert [t for t, _ in found.rungs[0].series] == [1, 2]


@over([OPTIMUM, OPTIMUM.profile, OPTIMUM.profile.table()])
def test_whatever_is_a_strategy_is_taken(answer) -> None:
    found = tp.examine(lambda game, iterations: answer, "kuhn_poker")
    assert found.verdict == "correct"
    assert found.rungs[0].nash_conv < 1e-9


def test_classes_and_objects_with_a_method_are_solvers() -> None:
    class Solver:
        def solve(self, game, iterations):
            return OPTIMUM

    assert tp.examine(Solver, "kuhn_poker").verdict == "correct"
    assert tp.examine(Solver(), "kuhn_poker").verdict == "correct"
    with pytest.raises(ValueError, match="a class needs a method solve"):
        tp.examine(dict, "kuhn_poker")


def test_what_a_solver_prints_is_dropped_and_it_reads_nothing(capfd) -> None:
    def loud(game, iterations):
        print("from Python")
        os.write(1, b"from below\n")
        assert sys.stdin.read() == ""
        return OPTIMUM

    assert tp.examine(loud, "kuhn_poker").verdict == "correct"
    assert capfd.readouterr() == ("", "")


@pytest.mark.seconds(3)
def test_a_solver_of_a_module_runs_in_an_interpreter_of_its_own(tmp_path, monkeypatch, capfd) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\nimport treeplex as tp\nprint('imported')\n"
        "def solve(game, iterations):\n"
        "    open('pid', 'w').write(str(os.getppid()))\n"
        "    return tp.solve(game, 'lp')\n"
    )
    monkeypatch.chdir(tmp_path)
    assert tp.examine("mine:solve", "kuhn_poker").verdict == "correct"
    assert (tmp_path / "pid").read_text() == str(os.getpid())
    assert "mine" not in sys.modules
    assert capfd.readouterr() == ("", "")
    with pytest.raises(ValueError, match="cannot load the solver 'mine:other'"):
        tp.examine("mine:other", "kuhn_poker")


def test_games_that_are_objects_reach_the_solver() -> None:
    game = tp.load("kuhn_poker").game
    assert tp.examine("treeplex:lp", game).rungs[0].game == "kuhn_poker"
    with pytest.raises(ValueError, match="treeplex has no solver 'cfrr'; it has lp, clarabel, cfr"):
        tp.examine("treeplex:cfrr", game)


@pytest.mark.seconds(3)
def test_a_command_that_is_interrupted_leaves_no_child(tmp_path) -> None:
    (tmp_path / "endless.py").write_text(
        "import os\ndef solve(game, iterations):\n"
        "    with open('pid.part', 'w') as file:\n        file.write(str(os.getpid()))\n"
        "    os.rename('pid.part', 'pid')\n"
        "    while True:\n        pass\n"
    )
    words = [sys.executable, "-m", "treeplex", "examine", "endless:solve", "--games", "kuhn_poker"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        ["env", "--default-signal=INT", *words, "--seconds", "60"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            deadline = time.monotonic() + 120
            while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            child = int((tmp_path / "pid").read_text())
            command.send_signal(signal.SIGINT)
            out, err = command.communicate(timeout=120)
        finally:
            command.kill()
    assert (command.returncode, out, err) == (130, "", "treeplex: interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
