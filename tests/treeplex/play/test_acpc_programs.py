"""Programs of the competition's protocol as agents of matches: what they play, do wrong, and leave behind."""

import pickle
import random
import shlex
import sys
import time
from itertools import cycle

import psutil
import pytest

import treeplex as tp
from tests.helpers.cells import each, over
from tests.helpers.commands import printed
from tests.helpers.paths import ROOT
from tests.helpers.processes import ended, listening
from treeplex.cli.main import BAD_INPUT, run
from treeplex.core.loading import ready
from treeplex.games.base.errors import BadInputError
from treeplex.play.acpc_agent import play_acpc
from treeplex.play.agents import entrant_of
from treeplex.play.session import Session

PYTHON = shlex.quote(sys.executable)
BOT = f"acpc:{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'acpc_bot.py'))}"
CONNECTED = """
import socket, sys, time
dealer = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
"""
GREETED = f'{CONNECTED}\ndealer.sendall(b"VERSION:2.0.0\\r\\n")\n'
FAULTS = {
    "dies": ("exit(3)", "has ended before it connected: exit code 3"),
    "raises": ("raise RuntimeError('no cards')", "connected: exit code 1, 'RuntimeError: no cards'"),
    "says much": ("import sys\nsys.exit('bad' + 'x' * 5000 + '\\n')", "exit code 1, 'badxxx"),
    "tells": ("import os, sys\nsys.exit(os.environ['PYTHONPATH'])", "exit code 1, '/a/path of the user'"),
    "sleeps": ("import time\ntime.sleep(60)", "is out of time before it connected"),
    "silent": (f"{CONNECTED}time.sleep(60)", "is out of time"),
    "rude": (f'{CONNECTED}dealer.sendall(b"HELLO\\n")\ntime.sleep(60)', "must begin with VERSION:2.0.0, got"),
    "leaves": (f"{GREETED}dealer.recv(99)\nexit(4)", "has left in its hand 0: exit code 4"),
    "closes": (f"{GREETED}dealer.recv(99)\ndealer.close()\ntime.sleep(60)", "has left in its hand 0"),
    "babbles": (f'{GREETED}dealer.sendall(b"x\\n" * 9)\ntime.sleep(60)', "is out of time in its hand 0"),
}
"""Programs that go wrong, and what is said of them."""


def nothing_runs():
    """Return whether all that this process started ends, at once but for the system's delay."""
    return ended([child.pid for child in psutil.Process().children(recursive=True)], 5)


class Alike:
    """Decides as the example bot does with random numbers."""

    def __init__(self):
        self.numbers = random.Random(5)

    def act(self, view, draw):
        action = self.numbers.choice(["c", "c", "c", "r"])
        return action if action in view.actions else "c"


@pytest.mark.seconds(2)
@over(["kuhn_poker", "leduc_poker"], [False, True])
def test_a_program_wins_what_the_same_decisions_win(game, duplicate) -> None:
    found, same = (
        tp.match(agent, "uniform", game, hands=20, duplicate=duplicate, seed=3)
        for agent in (f"{BOT} call", "always-call")
    )
    assert found.estimates[: 1 + duplicate] == same.estimates[: 1 + duplicate]
    assert found.exact is None
    assert nothing_runs()


@over([False, True])
def test_raises_too(duplicate) -> None:
    found, same = (
        tp.match("uniform", agent, "leduc_poker", hands=40, duplicate=duplicate)
        for agent in (f"{BOT} random 5", Alike())
    )
    assert found.estimates == same.estimates


def test_two_programs_play_each_other() -> None:
    found = tp.match(f"{BOT} call", f"{BOT} call", "leduc_poker", hands=10)
    assert found.estimates == tp.match("always-call", "always-call", "leduc_poker", hands=10).estimates[:1]
    assert nothing_runs()


@pytest.mark.seconds(4)
def test_each_process_starts_its_own(capsys) -> None:
    words = "match", f"{BOT} call", "uniform", "leduc_poker", "--hands", "40", "--duplicate"
    assert printed(capsys, *words) == printed(capsys, *words, "--streams", "2")
    assert nothing_runs()


@pytest.mark.seconds(2)
def test_a_program_that_goes_wrong_is_one_line_and_leaves_nothing(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/a/path of the user")

    def refused(name):
        code, says = FAULTS[name]
        (tmp_path / f"{name}.py").write_text(code)
        seconds = 0.4 if name in ("sleeps", "silent", "babbles") else 20
        agent = f"acpc(response_seconds={seconds}):{PYTHON} {shlex.quote(str(tmp_path / name))}.py"
        capsys.readouterr()
        assert run(["match", agent, "uniform", "leduc_poker", "--hands", "2"]) == BAD_INPUT
        *warnings, told, end = capsys.readouterr().err.split("\n")
        assert end == ""
        assert told.startswith("treeplex: acpc")
        assert says in told
        assert len(warnings) == (9 if name == "babbles" else 0)
        assert nothing_runs()

    each(FAULTS, refused)


@pytest.mark.seconds(2)
def test_all_answers_together_have_a_limit(tmp_path) -> None:
    slow = (ROOT / "examples" / "acpc_bot.py").read_text().replace("action = ", "time.sleep(0.2); action = ")
    (tmp_path / "slow.py").write_text(f"import time\n{slow}")
    bots = [f"acpc(hand_seconds={n}):{PYTHON} {shlex.quote(str(tmp_path / 'slow.py'))}" for n in (20, 0.3)]
    assert tp.match(bots[0], "always-call", "leduc_poker", hands=2).hands == 2
    with pytest.raises(BadInputError, match="is out of time in its hand 0"):
        tp.match(bots[1], "always-call", "leduc_poker", hands=2)
    assert nothing_runs()
    agent = entrant_of(tp.load("leduc_poker"), bots[1]).agent
    assert pickle.loads(pickle.dumps(agent)).hand_seconds == 0.3  # as other processes get it
    try:
        for hand in range(3):
            agent.follow(hand, 0)
            assert agent._seat.seconds == pytest.approx(0.3 * (hand + 1))
    finally:
        agent.close()
    assert nothing_runs()


def test_what_is_no_program_is_refused_before_anything_starts() -> None:
    def refused(agent, game, says):
        with pytest.raises(BadInputError, match=says) as raised:
            entrant_of(tp.load(game), agent)
        assert "\n" not in str(raised.value)

    each(
        [
            (BOT, "coin_toss", "the protocol is of poker games, got 'coin_toss'"),
            (BOT, "example:river", "whole hands"),
            ("acpc:", "leduc_poker", "must be acpc:COMMAND ARGUMENT..., got no command"),
            ("acpc:no-such-program 1", "leduc_poker", "there is no program 'no-such-program'"),
            ("acpc:no-such-program strategy.csv", "leduc_poker", "there is no program 'no-such-program'"),
            ("acpc:python 'x", "leduc_poker", "is no command: No closing quotation"),
            ("acpc(seconds=1):python", "leduc_poker", "legal keys are response_seconds, hand_seconds"),
            (
                "acpc(response_seconds=0):python",
                "leduc_poker",
                "response_seconds must be above 0 and finite, got 0",
            ),
            (
                "acpc(response_seconds=a):python",
                "leduc_poker",
                "response_seconds must be above 0 and finite, got 'a'",
            ),
            (
                "acpc(hand_seconds=-1):python",
                "leduc_poker",
                "hand_seconds must be above 0 and finite, got -1",
            ),
            (
                f"acpc(hand_seconds={10**400}):python",
                "leduc_poker",
                "hand_seconds must be above 0 and finite",
            ),
        ],
        refused,
    )
    with pytest.raises(BadInputError, match="plays matches of treeplex alone"):
        play_acpc(BOT, "leduc_poker", 1)


def test_a_person_plays_against_one() -> None:
    said, lines = [], cycle(["c"])
    entrant = entrant_of(ready("leduc_poker"), BOT)
    try:
        Session(ready("leduc_poker"), entrant, lambda: next(lines), said.append, 4, "rotate", 1, ()).play()
    finally:
        entrant.close()
    assert said[-1].startswith("4 hands against acpc:")
    assert nothing_runs()


def started(process):
    """Wait until a command has started the example bot; return the processes below it."""
    parent = psutil.Process(process.pid)
    while True:
        found = parent.children(recursive=True)
        if len(found) == 2 and "acpc_bot.py" in " ".join(found[1].cmdline()):
            return [one.pid for one in found]
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


@pytest.mark.seconds(4)
@pytest.mark.parametrize("how", ["send_signal", "kill"])
def test_a_program_ends_with_the_command(how) -> None:
    words = "match", BOT, "uniform", "leduc_poker", "--hands", "1000000"
    with listening(*words, cwd=ROOT) as process:
        below = started(process)
        process.send_signal(2) if how == "send_signal" else process.kill()
        _, complained = process.communicate(timeout=30)
        assert ended(below, 20)
    assert process.returncode == (130 if how == "send_signal" else -9)
    assert complained.splitlines()[-1:] == (["treeplex: interrupted"] if how == "send_signal" else [])
