"""Places to write to: FIFOs with somebody at the other end, devices, links that go round."""

import os
import stat
import threading
from contextlib import contextmanager

import pytest

NOBODY = 65534
"""A user without rights, as whom a superuser's tests run what permissions are for."""


@contextmanager
def read_from(path):
    """Make a FIFO, read it in a thread, and yield the list to which its content comes at the end."""
    os.mkfifo(path)
    content = []
    reader = threading.Thread(target=lambda: content.append(path.read_bytes()), daemon=True)
    reader.start()
    try:
        yield content
    finally:
        for _ in range(300):  # a reader to whom nobody wrote ends, also one that has yet to open its end
            os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
            reader.join(timeout=0.1)
            if not reader.is_alive():
                break
        assert not reader.is_alive()


def device(folder, name):
    """Return a device like /dev/null or /dev/full: a copy of it for who could replace that by a file."""
    if not os.access("/dev", os.W_OK):
        return f"/dev/{name}"
    path = folder / name
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.stat(f"/dev/{name}").st_rdev)
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        pytest.skip("no devices can be made here")
    return str(path)


def round_link(path):
    """Make a path a symbolic link that leads to itself by way of another; return it."""
    other = path.with_name(f"round-{path.name}")
    other.symlink_to(path.name)
    path.symlink_to(other.name)
    return path
