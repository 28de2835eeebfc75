"""The folder of compiled kernels: a temporary one where numba has no other, and what is said if it fails."""

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb

SETTINGS = ("NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES")
"""Variables of the environment that say where numba keeps kernels."""
CACHING = str(Path("numba", "core", "caching.py"))


def settle(package: Path) -> None:
    """Name a temporary folder to numba if it can write neither beside the sources nor to the user's caches.

    It refuses functions whose compiled code it cannot keep. To be called before numba is imported. Children
    share the folder, which goes when this process ends.

    Parameters
    ----------
    package : Path
        The folder of the sources.
    """
    caches = (
        "~/Library/Caches" if sys.platform == "darwin" else os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    )
    usual = (package / "__pycache__", Path(os.path.expanduser(caches), "numba"))
    if any(map(os.environ.get, SETTINGS)) or any(map(_may_be_written, usual)):
        return
    with suppress(OSError):  # then numba says that it has no place
        folder = tempfile.mkdtemp(prefix="treeplex-kernels-")
        os.environ[SETTINGS[0]] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _may_be_written(folder: Path) -> bool:
    """Return whether a folder can be written to, or can be made."""
    there = next(path for path in (folder, *folder.absolute().parents) if os.path.exists(path))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def trouble(error: BaseException) -> str | None:
    """Return what is said of an error that numba met in reading or writing kept kernels; None of others."""
    for raised in (error, error.__cause__):
        for frame, _ in walk_tb(raised.__traceback__ if raised else None):
            if frame.f_code.co_filename.endswith(CACHING):
                folder = getattr(frame.f_locals.get("self"), "cache_path", "their folder")
                reason = getattr(raised, "strerror", None) or f"{type(raised).__name__} {raised}".rstrip()
                return (
                    f"compiled kernels cannot be kept in or read from {folder}: {reason}; "
                    "remove it, or name another folder by NUMBA_CACHE_DIR"
                )
    return None
