"""A step of CI ends in time, with the stacks of what hangs, and nothing that it started outlives it."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

STEP = ROOT / ".ci" / "step.py"


def step(seconds, code):
    """Run a step of Python; its output ends when all that holds it has ended."""
    words = [sys.executable, str(STEP), str(seconds), "made up", sys.executable, "-c", code]
    return subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize(
    ("code", "exit_code", "said"),
    [
        ("print('well')", 0, "== made up: exit 0"),
        ("import sys; sys.exit(3)", 3, "== made up: exit 3"),
        ("def waits():\n import time\n time.sleep(600)\nwaits()", 124, "line 3 in waits"),
        ("import subprocess as s; s.Popen(['sleep', '601'])", 125, "left running, ended: .*sleep 601"),
        (
            "import subprocess as s; s.Popen(['sh', '-c', 'setsid sleep 602 & exit'])",
            125,
            "left running, ended: .*sleep 602",
        ),
    ],
)
def test_a_step_ends_and_names_what_it_ended(code, exit_code, said):
    began = time.monotonic()
    ended = step(2 if exit_code == 124 else 30, code)
    assert ended.returncode == exit_code, ended.stdout
    assert re.search(said, ended.stdout), ended.stdout
    assert time.monotonic() - began < 30
    if exit_code == 125:
        pattern = said.split()[-1]
        found = [p for p in Path("/proc").glob("[0-9]*/cmdline") if re.search(rf"sleep.{pattern}$", read(p))]
        assert not found


def read(path):
    try:
        return path.read_bytes().decode(errors="replace").strip("\0")
    except OSError:
        return ""
