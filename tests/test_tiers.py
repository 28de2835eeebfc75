"""Tiers of tests: shares are all slow tests; a test that hangs, leaves a process or takes too much fails."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.tiers import SHARES, declared, share_of

CONFTEST = """
from tests.helpers import tiers
pytest_plugins = ["tests.helpers.tiers"]
tiers.MEMORY, tiers.LEAST = 1 << 31, 1
"""
TESTS = """
import subprocess, time
import numpy as np
import pytest

def test_well(): pass
def test_leaves_a_child(): subprocess.Popen(["sleep", "603"])
def test_leaves_an_orphan(): subprocess.run("setsid sleep 604 & exit", shell=True)
def test_allocates():
    held = []
    while True: held.append(np.ones(1 << 24))
def test_has_memory_again(): np.ones(1 << 27)
def test_costs():
    began = time.process_time()
    while time.process_time() < began + 3.2: pass
@pytest.mark.seconds(9)
def test_slow(): pass
"""


def item(number, seconds):
    marker = SimpleNamespace(args=(seconds,))
    return SimpleNamespace(nodeid=f"test_{number}", get_closest_marker=lambda name: marker)


def test_shares_are_alike_and_all_of_them_together_every_slow_test():
    items = [item(k, 3 + k * k % 40) for k in range(100)]
    shares = [share_of(items, k) for k in range(1000, 1000 + SHARES)]
    assert sorted(one.nodeid for share in shares for one in share) == sorted(one.nodeid for one in items)
    costs = [sum(map(declared, share)) for share in shares]
    assert max(costs) - min(costs) <= 6
    assert share_of(items[::-1], 3) == share_of(items, 3 + SHARES)


def pytest_says(folder, tests, *options):
    """Run pytest with these tests and the plugin; return its exit code and what it says."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_made_up.py").write_text(tests)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environment = {**os.environ, "CI": "true", "PYTHONPATH": str(ROOT)}
    environment = {key: text for key, text in environment.items() if not key.startswith("PYTEST_")}
    ended = subprocess.run(
        words, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=120
    )
    return ended.returncode, ended.stdout + ended.stderr


@pytest.mark.seconds(12)
def test_what_leaves_processes_or_takes_too_much_fails_by_name(tmp_path):
    code, said = pytest_says(tmp_path, TESTS, "--costs", "costs", "--tier", "default")
    assert code == 1, said
    failed = re.findall(r"^(?:FAILED|ERROR) test_made_up.py::(\w+) - (.*)$", said, re.MULTILINE)
    assert {name for name, _ in failed} == set(re.findall(r"def (test_(?!well|slow|has)\w+)", TESTS)), said
    assert re.search("left processes running, which were ended: .*sleep 603", said)
    assert re.search("left processes running, which were ended: .*sleep 604", said)
    assert "MemoryError" in dict(failed)["test_allocates"]
    assert "of CPU and declares 1: make it cheaper, or declare" in dict(failed)["test_costs"]
    assert "1 deselected" in said
    assert len((tmp_path / "costs").read_text().splitlines()) == 6
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if re.search(rb"sleep.60[34]", read(p))]


@pytest.mark.seconds(8)
@pytest.mark.parametrize("workers", [0, 1])
def test_what_hangs_ends_the_run_with_its_stack(tmp_path, workers):
    tests = "import time\n\ndef test_hangs():\n    time.sleep(605)\n\ndef test_other(): pass\n"
    parallel = [f"-n{workers}", "--dist=worksteal", "--max-worker-restart=0"] if workers else []
    hangs = ["-o", "faulthandler_timeout=2", "-o", "faulthandler_exit_on_timeout=true"]
    code, said = pytest_says(tmp_path, tests, *hangs, *parallel)
    assert code == 1, said
    assert re.search(r'File ".*test_made_up.py", line 4 in test_hangs', said)
    assert not workers or "FAILED test_made_up.py::test_hangs - worker 'gw0' crashed" in said


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""
