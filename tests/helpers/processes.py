"""Processes that tests start: none outlives its test, none hangs it."""

import subprocess
import sys
from contextlib import contextmanager
from threading import Timer

INTERRUPTIBLE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Begins a program that is to be interrupted: children of a shell that ignores SIGINT would ignore it too."""


@contextmanager
def python(*arguments, timeout=300, **options):
    """Start Python with some arguments; kill it at the end, or after ``timeout`` seconds."""
    with subprocess.Popen([sys.executable, *map(str, arguments)], text=True, **options) as process:
        watch = Timer(timeout, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()
