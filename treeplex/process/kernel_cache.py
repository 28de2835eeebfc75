"""Where numba keeps compiled kernels: in a folder named by the hash of the sources they are compiled from.

Numba itself keeps kernels beside their source and compiles again when that file changes, but not when a
file changes whose kernels or constants were compiled into them. Here the name of the folder is a hash of the
file and of all files of the package that it imports, so that a kernel is never stale, and clones of the same
sources share what one of them has compiled. The environment asks for it, before numba is imported::

    export NUMBA_CACHE_LOCATOR_CLASSES=treeplex.process.kernel_cache.BySources,InTreeCacheLocator
    export TREEPLEX_KERNELS=/fast/disk/kernels   # ~/.cache/treeplex/kernels unless given
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from numba.core.caching import InTreeCacheLocator

PACKAGE = Path(__file__).parents[1]
"""The folder of this package."""
IMPORT = re.compile(
    r"""^[ \t]*(?:from[ \t]+treeplex\.?([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|.*)
    |import[ \t]+treeplex\.?([\w.]*))""",
    re.MULTILINE | re.VERBOSE,
)


class BySources(InTreeCacheLocator):  # type: ignore[misc]  # numba has no types
    """What tells numba the folder of a kernel of this package."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._stamp = digest(Path(py_file), PACKAGE)
        self._cache_path = str(folder() / self._stamp)

    def get_source_stamp(self) -> str:
        """Return the hash of the sources."""
        return self._stamp

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """Return the place of a kernel; None if it is not of this package: numba has other places."""
        if not Path(py_file).is_relative_to(PACKAGE):
            return None
        found: Self | None = super().from_function(py_func, py_file)
        return found


def folder() -> Path:
    """Return the folder of all kernels."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("TREEPLEX_KERNELS") or Path(caches, "treeplex", "kernels"))


@cache
def digest(file: Path, package: Path) -> str:
    """Return a hash of a file and all files of a package that it imports, directly or through others.

    Parameters
    ----------
    file : Path
        In the package.
    package : Path
        The folder of ``treeplex``.
    """
    found, new = set[Path](), {file}
    while new:
        found |= new
        new = {other for path in new for other in _imported(path, package)} - found
    hashed = sha256(str(file.relative_to(package)).encode())
    for path in sorted(found):
        hashed.update(b"\0" + str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()[:32]


@cache
def _imported(file: Path, package: Path) -> frozenset[Path]:
    return frozenset(_modules(file.read_text(encoding="utf-8"), package))


def _modules(source: str, package: Path) -> Iterator[Path]:
    """Return the files that a source names in imports; a name in ``from m import a`` may be a module too."""
    for whole, names, alone in IMPORT.findall(source):
        module = package.joinpath(*(whole or alone).split("."))
        for path in (module, *(module / name for name in re.findall(r"\w+", names))):
            for candidate in (path.with_suffix(".py"), path / "__init__.py"):
                if candidate.is_file():
                    yield candidate
