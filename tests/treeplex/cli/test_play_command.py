"""The command play: by pipes, kept hands, errors of one line, signals."""

import io
import re
import signal
import sys

import pytest

from tests.helpers.cells import over
from tests.helpers.commands import printed
from tests.helpers.paths import ROOT
from tests.helpers.processes import COMMAND_LINE, PIPES, python
from treeplex.cli.main import run

PAGE = (ROOT / "docs" / "PLAY.md").read_text(encoding="utf-8")


@pytest.fixture
def typed(monkeypatch):
    """A function that puts lines on standard input."""

    def put(text):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return put


@pytest.mark.seconds(2)
def test_the_pages_session_is_what_the_command_says(typed, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"(?m)^(?:printf '(.*)' \| )?treeplex (.*)$", PAGE)
    assert [words.split()[0] for _, words in commands] == ["solve", "play"]
    assert run(commands[0][1].split()) == 0
    said = []
    for _ in range(2):
        typed(commands[1][0].replace("\\n", "\n"))
        capsys.readouterr()
        said.append(printed(capsys, *commands[1][1].split()))
    assert said[0] == said[1]
    assert said[0].strip() in PAGE


def test_hands_are_kept_and_a_hand_that_was_left_is_not(typed, tmp_path, capsys) -> None:
    typed("1\n1\n1\n1\n1\n")
    out = printed(capsys, "play", "kuhn_poker", "--against", "uniform", "--out", tmp_path / "hands.log")
    finished = out.count("is over")
    lines = (tmp_path / "hands.log").read_text().splitlines()
    assert len(lines) == finished >= 2
    assert [line.split(":")[:2] for line in lines] == [["STATE", str(k)] for k in range(finished)]
    assert f"{finished} hands against uniform" in out


@over(
    [
        (("kuhn_poker", "--against", "nobody"), "an agent must be uniform, always-call, module:Agent"),
        (("nope", "--against", "uniform"), "nope"),
        (("kuhn_poker",), "Missing option '--against'"),
        (("kuhn_poker", "--against", "uniform", "--seat", "3"), "seat must be 0, 1 or rotate, got '3'"),
        (("kuhn_poker", "--against", "uniform", "--hands", "0"), "hands must be an integer from 1"),
        (("kuhn_poker", "--against", "uniform", "--seed", "-1"), "seed must be an integer from 0"),
        (("kuhn_poker", "--against", "uniform", "--out", "h.phhs"), "kuhn_poker is no hold'em"),
        (("kuhn_poker", "--against", "uniform", "--out", ""), "--out must be a path"),
        (("coin_toss", "--against", "always-call"), "always-call plays games whose players can always"),
    ]
)
def test_what_is_refused_in_one_line(arguments, says, typed, complaint) -> None:
    typed("1\n")
    assert says in complaint("play", *arguments)


def test_what_an_agent_raises_is_one_line_after_the_summary(typed, tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "raising_agents.py").write_text(
        "class Raises:\n    calls = 0\n    def act(self, view, draw):\n        print('noise')\n"
        "        Raises.calls += 1\n        if Raises.calls > 2:\n            raise KeyError('\\x1b[31m')\n"
        "        return 'c'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    typed("c\n" * 20)
    capsys.readouterr()
    assert run(["play", "kuhn_poker", "--against", "raising_agents:Raises", "--seat", "0"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("2 hands against raising_agents:Raises: you won ")
    assert "noise" not in out
    assert "\x1b" not in out + err
    assert err.splitlines()[-1].startswith("treeplex: the agent raising_agents:Raises: KeyError: ")


@pytest.mark.seconds(3)
def test_a_signal_ends_it_with_the_summary(tmp_path) -> None:
    words = "play", "kuhn_poker", "--against", "uniform", "--seat", "0", "--seed", "1", "--hands", "9"
    with python("-c", COMMAND_LINE, *words, stdin=-1, cwd=ROOT, **PIPES) as process:
        process.stdin.write("1\n1\n1\n")
        process.stdin.flush()
        while "is over" not in (line := process.stdout.readline()):
            assert line
        process.send_signal(signal.SIGINT)
        process.wait()  # while its input is open: an end of input would end it too
        out, err = process.communicate()
    assert process.returncode == 130
    assert " against uniform: you won " in out.splitlines()[-1]
    assert err.splitlines()[-1] == "treeplex: interrupted"
