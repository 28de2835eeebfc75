"""The memory that computations may take: the machine's, or what limits leave of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GIB = 2**30
UNREPORTED = 8 * GIB
"""Taken for the machine's memory where the system does not report it."""
GROUPS = Path("/proc/self/cgroup")
"""The control groups of this process, one a line, as ``0::/user.slice``."""
MOUNTED = Path("/sys/fs/cgroup")
PAGES = Path("/proc/self/statm")
"""Pages of this process: in all, resident, ..."""


def machine_memory() -> int:
    """Return this machine's physical memory in bytes, or less where a limit on this process is lower.

    Limits are those of control groups, as containers have, and on address space (``ulimit -v``).
    """
    return min([_physical(), *_group_limits(), *_address_space()])


def resident_memory() -> int:
    """Return the bytes of physical memory that this process takes; 0 where the system does not report it."""
    with suppress(OSError, ValueError, IndexError, AttributeError):
        return int(PAGES.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return UNREPORTED


def _group_limits() -> Iterator[int]:
    """Yield the limits of the control groups of this process and of those above them, of both versions."""
    with suppress(OSError, ValueError):
        for line in GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", maxsplit=2)
            if controllers == "":
                yield from _limits(MOUNTED, path, "memory.max")
            elif "memory" in controllers.split(","):
                yield from _limits(MOUNTED / "memory", path, "memory.limit_in_bytes")


def _limits(top: Path, path: str, file: str) -> Iterator[int]:
    group = top / path.strip("/")
    for folder in (group, *group.parents):
        with suppress(OSError, ValueError):  # "max" is no limit
            yield int((folder / file).read_text(encoding="ascii"))
        if folder == top:
            return


def _address_space() -> Iterator[int]:
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        yield limit
