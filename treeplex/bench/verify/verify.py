"""Theorems verified: each measured on its instances, several processes at a time."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from difflib import get_close_matches
from time import perf_counter

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.measuring import Measured, joined
from treeplex.bench.theorems.theorem import Theorem
from treeplex.bench.verify.chunks import (
    REGISTERED,
    Answers,
    Chunk,
    chunks_of,
    measured_here,
    measured_in_children,
)
from treeplex.bench.verify.registry import THEOREMS
from treeplex.bench.verify.report import TheoremReport, Verification, report_of
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.reading import shown

MOST_INSTANCES = 1_000_000
"""Most random instances of a theorem that may be asked for."""
WORTH_A_CHILD = 16
"""Chunks for which another process is started; loading the libraries takes it two seconds."""
ESTIMATED_AFTER = 5.0
"""Seconds after which it is said how long a run will take."""


def verify(
    names: Iterable[str | Theorem] | None = None,
    *,
    quick: bool = False,
    instances: int | None = None,
    seed: int = 1,
    fail_fast: bool = False,
    workers: int | None = None,
    progress: Progress = silent,
) -> Verification:
    """Measure both sides of theorems on games, and report where they hold, are tight, or do not hold.

    Parameters
    ----------
    names : iterable of str or Theorem, optional
        Names of theorems of the registry, or theorems; all of the registry unless given.
    quick : bool
        On few and small instances.
    instances : int, optional
        Random instances of each theorem, up to ``MOST_INSTANCES``; each theorem's own number unless given.
    seed : int
        Of the first random instance, at least 1. The same seed gives the same numbers.
    fail_fast : bool
        Stop at the first theorem that is not verified.
    workers : int, optional
        Processes that measure, at least 1, which is this one; as many as there are processors, where there is
        enough to do, unless given. The numbers do not depend on it. Theorems that are not of the
        registry are measured in this process.
    progress : callable, optional
        Called with the theorem that was measured, how much is done, and how long the rest will take.

    Raises
    ------
    ValueError
        If there is no theorem of a name, or a number is out of its range.

    Examples
    --------
    >>> verify(["perfect-recall"], instances=1, workers=1, quick=True)
    Verification(1 theorems, 10 checks, verified)
    """
    began = perf_counter()
    if instances is not None:
        check_integer("instances", instances, 0, MOST_INSTANCES)
    check_integer("seed", seed, 1)
    if workers is not None:
        check_integer("workers", workers, 1)
    theorems = chosen(names)
    chunks = _ordered(theorems, Effort(quick, instances, seed))
    run = _Run(theorems, chunks, progress)
    with closing(_answers(theorems, chunks, workers, run.look)) as answers:
        for k, found in answers:
            report = run.taken(k, found)
            if fail_fast and report is not None and not report.ok:
                break
    return Verification(perf_counter() - began, run.reports())


def chosen(names: Iterable[str | Theorem] | None) -> tuple[Theorem, ...]:
    """Return the theorems of some names, each once; raises what :func:`verify` raises."""
    if names is None:
        return THEOREMS
    if isinstance(names, str | Theorem):
        names = (names,)
    if not isinstance(names, Iterable):
        raise TypeError(f"theorems must be names, or objects of Theorem, got {shown(names)}")
    found = {t.name: t for t in (name if isinstance(name, Theorem) else _named(name) for name in names)}
    if not found:
        raise BadInputError("theorems must be at least one, got none")
    return tuple(found.values())


def _named(name: str) -> Theorem:
    if name in REGISTERED:
        return REGISTERED[name]
    near = get_close_matches(str(name), REGISTERED, n=3, cutoff=0.5)
    hint = f"; near are {', '.join(near)}" if near else ""
    raise BadInputError(
        f"a theorem must be one of the {len(REGISTERED)} that verify --list names, got {name!r}{hint}"
    )


def _ordered(theorems: Sequence[Theorem], effort: Effort) -> list[Chunk]:
    """Return the chunks of all theorems, the first of each before the second of any.

    So a false theorem is found early, games are still at hand that several theorems share, and the time
    that the rest will take can be told from the time that was taken.
    """
    every = [chunk for theorem in theorems for chunk in chunks_of(theorem, effort)]
    return sorted(every, key=lambda chunk: chunk.begins)


def _answers(
    theorems: Sequence[Theorem], chunks: Sequence[Chunk], workers: int | None, look: Callable[[], object]
) -> Answers:
    processes = min(os.cpu_count() or 1, len(chunks) // WORTH_A_CHILD) if workers is None else workers
    by_name = {theorem.name: theorem for theorem in theorems}
    if processes > 1 and all(REGISTERED.get(name) is theorem for name, theorem in by_name.items()):
        return measured_in_children(chunks, processes, look)
    return measured_here(by_name, chunks, look)


class _Run:
    """What has been measured so far."""

    def __init__(self, theorems: Sequence[Theorem], chunks: Sequence[Chunk], progress: Progress) -> None:
        self._theorems, self._chunks, self._progress = theorems, chunks, progress
        self._found: dict[int, Measured] = {}
        self._began, self._last = perf_counter(), ""
        self._of = {t.name: [k for k, c in enumerate(chunks) if c.theorem == t.name] for t in theorems}

    def taken(self, k: int, found: Measured) -> TheoremReport | None:
        """Take what was measured on a chunk; return the report of its theorem if that can be made."""
        self._found[k] = found
        self._last = self._chunks[k].theorem
        return next((r for t in self._theorems if t.name == self._last for r in self._report(t)), None)

    def look(self) -> None:
        """Tell the progress."""
        done, every = len(self._found), len(self._chunks)
        seconds = perf_counter() - self._began
        left = ""
        if done and seconds > ESTIMATED_AFTER:
            left = f", about {math.ceil(seconds / done * (every - done))} s left"
        what = " ".join(filter(None, ("verifying", self._last)))
        self._progress(f"{what}: {done:,} of {every:,} parts done{left}", math.inf)

    def reports(self) -> tuple[TheoremReport, ...]:
        """Return the reports that can be made, in the order of the theorems."""
        return tuple(report for theorem in self._theorems for report in self._report(theorem))

    def _report(self, theorem: Theorem) -> Iterator[TheoremReport]:
        """Yield the theorem's report if all of it was measured, or what was measured is violated."""
        numbers = self._of[theorem.name]
        done = [k for k in numbers if k in self._found]
        found = joined(self._found[k] for k in done if not self._chunks[k].of_twin)
        if len(done) == len(numbers) or found.violations:
            twin = joined(self._found[k] for k in done if self._chunks[k].of_twin)
            report = report_of(theorem, found, None if theorem.twin is None else twin)
            # Of a twin that was measured in part nothing is said.
            yield report if len(done) == len(numbers) else replace(report, faults=report.faults[:1])
