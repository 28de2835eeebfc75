"""Workers as actors of Ray: as many as there are, they end with the same hash, and none is left."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.processes import ended
from tests.helpers.worker_calls import RHODE_ISLAND
from treeplex import SplitFacts, solve


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray")
@pytest.mark.seconds(60)
def test_actors_end_with_the_hash_of_one_worker(tmp_path):
    folder = tempfile.mkdtemp(prefix="tp", dir="/tmp")  # paths of Ray's sockets must be short
    answer, pids = tmp_path / "answer.json", []
    words = [sys.executable, "-m", "tests.helpers.worker_calls", json.dumps(["ray", folder, str(answer)])]
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *sys.path])}
    program = subprocess.Popen(words, cwd=root, env=environment, start_new_session=True, **nothing)
    try:
        assert program.wait(280) == 0
        found = json.loads(answer.read_text())
        pids = found["pids"]
        assert pids
        assert ended(pids, 30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        program.wait()
        shutil.rmtree(folder, ignore_errors=True)
    one = solve(RHODE_ISLAND, store=tmp_path / "one", iterations=3, executor="serial")
    assert found["hashes"] == [one.fact(SplitFacts).hash] * 2
