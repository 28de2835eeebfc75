"""Python started in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any


def started_python(arguments: Sequence[str], **streams: Any) -> "subprocess.Popen[bytes]":
    """Start Python with some arguments; it finds modules where this process finds them.

    It is in a session of its own, so that it does not hear Ctrl-C, which the parent hears and passes on.

    Parameters
    ----------
    arguments : sequence of str
    streams : Any
        What ``subprocess.Popen`` takes on streams and descriptors.
    """
    return subprocess.Popen(
        [sys.executable, "-P", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
        start_new_session=True,
        **streams,
    )
