"""Standard streams that are closed, full or read by nobody: results where they can go, never a traceback."""

import json
import os
import signal
import subprocess

import pytest

from tests.helpers.cells import over
from tests.helpers.processes import python, ran_in_shell
from treeplex.cli.main import NOBODY_READS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells")
SIZE = ("games", "kuhn_poker", "--json")
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux's full device")


def in_shell(redirection, *arguments, folder=None):
    """Return how a command ends whose streams a shell redirects."""
    done = ran_in_shell(f'exec "$0" -m treeplex "$@" {redirection}', *arguments, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.seconds(2)
def test_closed_standard_output_is_no_failure():
    assert in_shell(">&-", *SIZE) == (0, "", "")


@pytest.mark.seconds(3)
def test_results_go_out_without_standard_error():
    code, out, err = in_shell("2>&-", *SIZE)
    assert (code, json.loads(out)["game"], err) == (0, "kuhn_poker", "")


@pytest.mark.seconds(3)
def test_an_error_is_silent_without_standard_error():
    assert in_shell("2>&-", "games", "nope") == (2, "", "")


@pytest.mark.seconds(3)
def test_files_are_written_with_all_streams_closed(tmp_path):
    """What is printed must not get into a file that took a closed stream's number."""
    solve = ("solve", "kuhn_poker", "--out", "s.csv", "--trace", "t.csv", "--method", "cfr+")
    assert in_shell("<&- >&- 2>&-", *solve, "--iterations", "2", folder=tmp_path) == (0, "", "")
    lines = (tmp_path / "s.csv").read_text().splitlines()
    assert (lines[0], len(lines)) == ("player,infoset,action,probability", 25)
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 3
    assert len(os.listdir(tmp_path)) == 2


@needs_full
@pytest.mark.seconds(4)
@over([SIZE, "--help"])
def test_full_standard_output_is_one_line(*arguments):
    code, out, err = in_shell(">/dev/full", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(": No space left on device\n")
    assert "Errno" not in err


@pytest.mark.seconds(3)
@needs_full
def test_full_standard_error_is_silent():
    assert in_shell("2>/dev/full", "games", "nope") == (2, "", "")


@pytest.mark.seconds(5)
@over(["games kuhn_poker --json", "export kuhn_poker --format efg", "--help"])
def test_nobody_who_reads_is_quiet(arguments):
    read, write = os.pipe()
    os.close(read)
    try:
        with python("-m", "treeplex", *arguments.split(), stdout=write, stderr=subprocess.PIPE) as process:
            _, err = process.communicate()
    finally:
        os.close(write)
    assert (process.returncode, err) == (NOBODY_READS, "")
    assert NOBODY_READS == 128 + signal.SIGPIPE
