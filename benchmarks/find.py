"""Find the benchmarks of a checkout by name: files ``bench_NAME.py`` in ``benchmarks/`` or its rooms."""

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout that this file belongs to."""


def benchmarks(checkout: Path = ROOT, only: Sequence[str] = ()) -> dict[str, str]:
    """Return the module of each benchmark by its name, in the order of paths; without ``only``, of all.

    Raises
    ------
    ValueError
        If there is no benchmark of a name in ``only``.
    """
    paths = sorted((checkout / "benchmarks").rglob("bench_*.py"))
    modules = {
        path.stem.removeprefix("bench_"): ".".join(path.relative_to(checkout).with_suffix("").parts)
        for path in paths
    }
    for name in only:
        if name not in modules:
            raise ValueError(f"no benchmark is called {name!r}; there are {', '.join(sorted(modules))}")
    return {name: module for name, module in modules.items() if not only or name in only}
