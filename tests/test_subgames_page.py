"""The examples of docs/SUBGAMES.md and docs/GADGETS.md run as they stand."""

import re
import shlex

import pytest

from tests.helpers.paths import ROOT
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run

DOCS = ROOT / "docs"
PAGE = (DOCS / "SUBGAMES.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = re.findall(r"^\$ treeplex (.*)$", PAGE, flags=re.MULTILINE)


def test_the_page_has_examples():
    assert len(PROGRAMS) == 2
    assert len(COMMANDS) == 5


@pytest.mark.seconds(3)
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program, capsys):
    exec(program, {})
    assert capsys.readouterr().out


@pytest.mark.seconds(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, capsys):
    assert run(shlex.split(command)) == SUCCESS
    assert re.search("^(exploitability|best response) before ", capsys.readouterr().out, flags=re.MULTILINE)


def test_a_gadget_of_ones_own_is_taken_as_an_object(tmp_path, monkeypatch, capsys):
    half, use = re.findall(r"```python\n(.*?)```", (DOCS / "GADGETS.md").read_text(), flags=re.DOTALL)
    (tmp_path / "half_trusting.py").write_text(half)
    monkeypatch.syspath_prepend(tmp_path)
    exec(use, {})
    name, margin, after = capsys.readouterr().out.split()
    assert name == "HalfTrusting"
    assert float(margin) < -1e-3
    assert float(after) > 0
