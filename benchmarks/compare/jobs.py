"""List the cases that two checkouts have in common: what to run in each of them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.find import benchmarks

LIST = (
    "import importlib, json, sys; print(json.dumps([[c.name for c in"
    " getattr(importlib.import_module(m), 'CASES', [])] for m in sys.argv[1:]]))"
)
"""Prints the names of the cases of each module in the arguments; a module may have none."""

Arguments = tuple[str, ...]
"""What follows ``python -m``: a module, with the name of a case if it is run alone."""


@dataclass(frozen=True)
class Job:
    """One process to run in each checkout.

    Attributes
    ----------
    name : str
        The benchmark's; ``benchmark:case`` where cases can be run alone.
    arguments : tuple of (Arguments, Arguments)
        Before and after.
    """

    name: str
    arguments: tuple[Arguments, Arguments]


def jobs(checkouts: tuple[Path, Path], only: Sequence[str] = ()) -> tuple[list[Job], list[str]]:
    """Return the jobs that both checkouts have, and the names of what only one of them has.

    ``only`` names benchmarks or jobs; without it, all. Benchmarks are the same if their files are called
    the same, in whatever room they lie.

    Raises
    ------
    ValueError
        If a name in ``only`` is neither, the checkouts have nothing in common, or the benchmarks of one
        cannot be imported.
    """
    wanted = [name.partition(":")[0] for name in only]
    benchmarks(checkouts[1], wanted)
    before, after = (_cases(checkout, wanted) for checkout in checkouts)
    whole = {name for cases in (before, after) for name, (_, own) in cases.items() if not own}
    first, second = _arguments(before, whole), _arguments(after, whole)
    both = [name for name in second if name in first]
    for name in only:
        if not _chosen(both, [name]):
            raise ValueError(f"both have no benchmark or case {name!r}; they have {', '.join(both)}")
    if not both:
        raise ValueError(f"{checkouts[0]} has no benchmark that {checkouts[1]} has")
    found = [Job(name, (first[name], second[name])) for name in _chosen(both, only)]
    return found, sorted(first.keys() ^ second.keys())


def _chosen(names: Sequence[str], only: Sequence[str]) -> list[str]:
    return [n for n in names if not only or n in only or n.partition(":")[0] in only]


def _cases(checkout: Path, wanted: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
    """Return the module and the cases of each benchmark of a checkout by its name."""
    modules = {n: m for n, m in benchmarks(checkout).items() if not wanted or n in wanted}
    done = python(checkout, "-c", LIST, *modules.values())
    if done.returncode:
        raise ValueError(f"the benchmarks of {checkout} cannot be listed:\n{done.stderr.strip()}")
    return dict(zip(modules, zip(modules.values(), json.loads(done.stdout), strict=True), strict=True))


def _arguments(cases: dict[str, tuple[str, list[str]]], whole: set[str]) -> dict[str, Arguments]:
    """Return what to run by the name of its job; benchmarks in ``whole`` are run whole."""
    found: dict[str, Arguments] = {}
    for name, (module, own) in cases.items():
        if name in whole:
            found[name] = (module,)
        else:
            found |= {f"{name}:{case}": (module, case) for case in own}
    return found


def python(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a checkout, its packages before those that are installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
