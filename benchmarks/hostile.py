"""Hostile calls of the command line, each in a process of its own, and how they are answered.

``python -m benchmarks.hostile [--calls 1000] [--seed 0] [--seconds 20]``. A call fails if it ends with a
traceback, does not end after its time and an interrupt, is answered although it is certainly wrong,
complains in more than one line, lets control characters or words of libraries through, or leaves half a file.
"""

import argparse
import json
import math
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pandas as pd

from benchmarks.good_calls import goods
from benchmarks.hostile_calls import Call, drawn
from tests.helpers.complaints import INTERNALS
from treeplex.cli import progress
from treeplex.cli.main import BAD_INPUT, run_process
from treeplex.process.interruption import INTERRUPTED, run_interruptibly

ADDRESS_SPACE = 4 << 30
"""Bytes that a call may map."""
FILE_SIZE = 1 << 30
"""Bytes of the longest file that a call may write."""
HEARD = 10.0
"""Seconds by the clock within which a call must end after an interrupt, on a busy machine."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, colours it, or turns its text round."""
KEPT = (".npz", ".tables", ".part")
"""Endings of what is kept on the way, which an error may leave: runs go on from it."""
EXPECTED = {0, 1, BAD_INPUT, 3}
"""Exit codes of commands that end by themselves."""


@dataclass(frozen=True)
class Answer:
    """What came of a call.

    Attributes
    ----------
    code : int
        Its exit code; below 0 the number of the signal that ended it.
    out, err : str
    interrupted : bool
        Whether it was, as its time was up.
    """

    code: int
    out: str
    err: str
    interrupted: bool


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0, help="by the clock, for each call")
    parser.add_argument("--only", type=int, help="one call by its number; its answer is printed")
    asked = parser.parse_args()
    numbers = range(asked.calls) if asked.only is None else [asked.only]
    ends: Counter[tuple[str, str]] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        good = goods(Path(place))
        if threading.active_count() > 1:
            raise RuntimeError("only a process of one thread can be copied")
        for number in numbers:
            folder = Path(place, f"call{number}")
            folder.mkdir()
            call = drawn(asked.seed, number, folder, good)
            before = {*folder.rglob("*")}
            answer = answered(call, folder, asked.seconds)
            faults = [*_faults(call, answer, folder, before)]
            ends[call.kind, f"exit {answer.code}" + ", interrupted" * answer.interrupted] += 1
            if faults or asked.only is not None:
                _tell(number, call, answer, faults)
            failed += bool(faults)
            shutil.rmtree(folder)
    for (kind, end), n in sorted(ends.items()):
        print(f"{kind:10} {end:24} {n:5}")
    print(f"{failed} of {len(numbers)} calls failed")
    sys.exit(1 if failed else 0)


def answered(call: Call, folder: Path, seconds: float) -> Answer:
    """Make a call in a copy of this process, in a folder; interrupt it after some seconds."""
    streams = [folder.with_suffix(suffix) for suffix in (".out", ".err")]
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        _child(call, folder, streams)
    status = _waited(pid, seconds)
    interrupted = status is None
    if status is None:
        os.kill(pid, signal.SIGINT)
        status = _waited(pid, HEARD)
    if status is None:
        os.killpg(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    out, err = (path.read_bytes().decode("utf-8", "replace") for path in streams)
    return Answer(os.waitstatus_to_exitcode(status), out, err, interrupted)


def _child(call: Call, folder: Path, streams: list[Path]) -> NoReturn:
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        for descriptor, path in enumerate((Path(os.devnull), *streams)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        progress.FIRST_LINE = math.inf  # how far a call is would be counted as complaints
        code = run_interruptibly(lambda: run_process(call.words))
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _waited(pid: int, seconds: float) -> int | None:
    """Return how a process ended; None if it has not within some seconds."""
    deadline, pause = time.monotonic() + seconds, 0.002
    while time.monotonic() < deadline:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return None


def _faults(call: Call, answer: Answer, folder: Path, before: set[Path]) -> Iterator[str]:
    said = answer.err.splitlines()
    complaints = [line for line in said if line.startswith("treeplex: ")]
    if "Traceback" in answer.err:
        yield "a traceback"
    elif len(complaints) < len(said):
        yield "words of others"
    if answer.interrupted and answer.code != INTERRUPTED:
        yield "an interrupt was not heard"
    elif not answer.interrupted and answer.code not in EXPECTED:
        yield "ended by a signal"
    if answer.code == BAD_INPUT:
        last = [line for line in complaints if ": about " not in line and "will take" not in line]
        if len(last) != 1:
            yield f"{len(last)} lines of complaint"
        if answer.out and call.kind != "outputs":  # what was found is shown although it cannot be written
            yield "printed something all the same"
        if INTERNALS.search(answer.err):
            yield "words of Python"
    elif call.wrong and not answer.interrupted:
        yield "taken silently"
    if CONTROL.search(answer.err) or (not call.data and CONTROL.search(answer.out)):
        yield "control characters"
    yield from _left(answer, {path for path in folder.rglob("*") if not path.is_dir()} - before)


def _left(answer: Answer, files: set[Path]) -> Iterator[str]:
    for path in sorted(files):
        if _is_half(path):
            yield f"half written: {path.name!r}"
        elif answer.code == BAD_INPUT and path.suffix not in KEPT:
            yield f"left behind: {path.name!r}"


def _is_half(path: Path) -> bool:
    """Return whether a file that was written is not whole."""
    data = path.read_bytes()
    try:
        if path.suffix == ".npz":
            return zipfile.ZipFile(path).testzip() is not None
        if path.suffix == ".json":
            json.loads(data)
        elif path.suffix == ".csv":
            pd.read_csv(path)
    except (ValueError, zipfile.BadZipFile):
        return True
    ends = {".png": b"IEND\xaeB`\x82", ".svg": b"</svg>\n", ".pdf": b"%%EOF\n"}
    is_empty = not data and path.name != "lock"
    return is_empty or not data.endswith(ends.get(path.suffix, b"")) or path.name.startswith(".")


def _tell(number: int, call: Call, answer: Answer, faults: list[str]) -> None:
    words = " ".join(
        word if len(word) < 200 else f"{word[:80]}... ({len(word)})" for word in map(repr, call.words)
    )
    print(f"{number} {call.kind}: {words}\n  exit {answer.code}: {', '.join(faults)}")
    for line in [*answer.out.splitlines()[:5], *answer.err.splitlines()[-6:]]:
        print(f"  | {line[:300]!r}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
