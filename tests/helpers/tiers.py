"""Tiers of tests: which tests a run takes, what each may cost, and that nothing outlives one.

A test declares its seconds of CPU by ``@pytest.mark.seconds(N)``, 1 unless given. One that declares more than
two is slow: ``--tier default`` leaves it out, ``--tier slow --share K`` takes an eighth of the slow ones.
"""

import ctypes
import gc
import json
import os
import resource
import signal
import time
import traceback
from pathlib import Path

import psutil
import pytest

from treeplex.process.compilation import compiling_seconds
from treeplex.process.kernel_cache import folder

SLOW = 2
"""A test that declares more seconds is slow."""
SHARES = 8
TOLERANCE = 3
"""Where CI is set, a test that takes so many times what it declares fails, unless kernels were compiled."""
LEAST = 6
"""Seconds that never fail: the first test to import a library or to solve a shared game pays for others."""
MEMORY = 8 << 30
"""Bytes of data a process of the tests may allocate; what needs more fails with MemoryError."""
BECOME_SUBREAPER = 36


def pytest_addoption(parser):
    group = parser.getgroup("tiers")
    group.addoption("--tier", choices=("all", "default", "slow"), default="all", help="which tests to run")
    group.addoption("--share", type=int, metavar="K", help="of the slow tests the share K modulo eight")
    group.addoption("--costs", type=Path, metavar="FILE", help="write what each test takes, as JSON")


def pytest_configure(config):
    config.addinivalue_line("markers", "seconds(n): CPU seconds the test may take; over 2 it is slow")
    gc.set_threshold(100_000, 50, 50)  # a twentieth of the time is spent on objects that stay
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    if hasattr(ctypes.CDLL(None), "prctl"):  # orphans of tests become children of this process
        ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)


def declared(item):
    """Return the CPU seconds that a test declares."""
    marker = item.get_closest_marker("seconds")
    return marker.args[0] if marker else 1


def share_of(slow, share):
    """Return one of eight shares of tests, which take about equally long and together are all of them."""
    shares = [[] for _ in range(SHARES)]
    for item in sorted(slow, key=lambda item: (-declared(item), item.nodeid)):
        min(shares, key=lambda one: sum(map(declared, one))).append(item)
    return shares[share % SHARES]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Take the tier, slow tests first; the others of a file stay together, for what they share."""
    tier, share = config.option.tier, config.option.share
    taken = [item for item in items if tier == "all" or (declared(item) > SLOW) == (tier == "slow")]
    chosen = {*(taken if share is None else share_of(taken, share))}
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = sorted((item for item in items if item in chosen), key=lambda item: -max(declared(item), SLOW))


def pytest_collection_finish():
    gc.freeze()  # modules and tests stay: later collections pass them over


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    cpu, wall, began = _cpu_seconds(), time.perf_counter(), time.time()
    try:
        outcome = yield
    finally:
        cpu, wall = max(_cpu_seconds() - cpu, 0.0), time.perf_counter() - wall
        if costs := item.config.option.costs:
            row = {"test": item.nodeid, "cpu": cpu, "wall": wall, "declared": declared(item)}
            with costs.open("a") as file:
                file.write(json.dumps(row) + "\n")
    if os.environ.get("CI") and cpu > max(TOLERANCE * declared(item), LEAST) and not _compiled_since(began):
        pytest.fail(
            f"took {cpu:.1f} s of CPU and declares {declared(item)}: make it cheaper, or declare what it "
            f"takes, @pytest.mark.seconds({cpu:.0f}); over {SLOW} it is slow (CONTRIBUTING.md, Tests)"
        )
    return outcome


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(call):
    if call.excinfo is None or not call.excinfo.errisinstance(MemoryError):
        return (yield)
    traceback.clear_frames(call.excinfo.tb)  # which hold what the test had: the report needs memory
    report = yield
    for frame, _ in traceback.walk_tb(call.excinfo.tb):
        frame.f_locals.clear()  # copies that were made for the report
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown():
    outcome = yield
    if left := _ended_children():
        pytest.fail(f"left processes running, which were ended: {'; '.join(left)}")
    return outcome


@pytest.hookimpl(trylast=True)
def pytest_unconfigure():
    _ended_children()  # of workers that were ended


def _cpu_seconds():
    """Return the CPU seconds of this process and its ended children, without those of compiling here."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used) - compiling_seconds()


def _compiled_since(began):
    """Return whether a process has compiled kernels since then: a child's seconds may be those."""
    return any(place.stat().st_mtime >= began for place in folder().glob("*/*.nbc"))


def _ended_children():
    """End the processes that this one started, or those started and left; return their commands."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # the usual case, in microseconds
        return []
    left = []
    for child in psutil.Process().children(recursive=True):
        try:
            if child.status() != psutil.STATUS_ZOMBIE:
                left.append(" ".join(child.cmdline())[:200])
            child.send_signal(signal.SIGKILL)
            child.wait(10)
        except psutil.NoSuchProcess:
            pass
    return left
