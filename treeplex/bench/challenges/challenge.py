"""Challenges: a claim tried on game after game, and the first case that breaks it made small."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from shlex import quote
from typing import Any

from treeplex.bench.challenges.case import Case
from treeplex.bench.challenges.case_file import read_case
from treeplex.bench.challenges.case_writing import check_folder, json_path, write_counterexample
from treeplex.bench.challenges.claim import Claim
from treeplex.bench.challenges.claim_targets import name_of
from treeplex.bench.challenges.claims_by_name import claim_of
from treeplex.bench.challenges.outcome import Challenge, Counterexample
from treeplex.bench.challenges.shrink import Broken, shrunk
from treeplex.core.progress import Progress, silent
from treeplex.files.outputs import check_apart
from treeplex.games.base.errors import BadInputError, NotSolvedError


@dataclass
class _State:
    """What is known so far; kept when a signal ends the search."""

    tried: int = 0
    found: list[Broken] = field(default_factory=list)


def challenge(
    target: object,
    claim: str | Claim[Any] = "safe",
    *,
    seconds: float = 120.0,
    games: int | None = None,
    seed: int = 1,
    out: str | Path | None = None,
    replay: str | Path | None = None,
    progress: Progress = silent,
) -> Challenge:
    """Look for a case that breaks a claim about a target, and make it small.

    Ctrl-C ends the search; what was found until then is returned, with ``interrupted`` set.

    Parameters
    ----------
    target : object or str
        What is challenged: an object, a class, ``module:Name``, for ``safe`` also a method's name.
    claim : str or Claim
        ``safe``, ``average``, ``strategy``, ``minimiser``, ``estimate``, ``module:Name`` or a claim.
    seconds : float
        After so many no further case is tried; shrinking takes as long again at most.
    games : int, optional
        The most cases to be tried.
    seed : int
        Of what is drawn; the same seed tries the same cases in the same order.
    out : str or Path, optional
        A folder for ``counterexample.json``, ``.efg`` and ``.svg``; made if there is none.
    replay : str or Path, optional
        A ``counterexample.json``: only the case in it is tried, and not shrunk.
    progress : callable, optional
        Called with what is being done.

    Raises
    ------
    ValueError
        If there is no such claim, the target is none of the claim's, or raises or returns nonsense on a case,
        which is named; or a limit is out of its range, or a file cannot be read or written.

    Examples
    --------
    >>> challenge("maxmargin", games=2)
    Challenge(safe of maxmargin: no counterexample in 2 games)
    """
    clock = time.monotonic()
    chosen = claim_of(claim)
    _check(seconds, games, seed)
    if out is not None:
        check_folder(out)
        check_apart({"the counterexample": json_path(out)}, {"the one replayed": replay})
    checked = chosen.target(target)
    only = None if replay is None else read_case(replay)
    state, interrupted = _State(), False
    try:
        if only is None:
            _search(chosen, checked, state, clock + seconds, games, seed, progress)
            if state.found:
                limit = time.monotonic() + seconds
                shrunk(chosen, checked, state.found[0], limit, state.found.append, progress)
        else:
            _try(chosen, checked, only, state, seed)
    except KeyboardInterrupt:
        interrupted = True
    found = None
    if state.found:
        again = _replay(target, claim, seed, state.tried, json_path(out) if out is not None else replay)
        smallest = state.found[-1]
        found = Counterexample(smallest.case, smallest.breach, state.found[0].case, again)
    outcome = Challenge(
        claim=chosen.name,
        target=name_of(target),
        statement=chosen.statement.format(name_of(target)),
        tried=state.tried,
        seed=seed,
        seconds=time.monotonic() - clock,
        counterexample=found,
        interrupted=interrupted,
    )
    if out is not None and found is not None:
        write_counterexample(outcome, out)
    return outcome


def _search(
    claim: Claim[Any],
    target: object,
    state: _State,
    deadline: float,
    games: int | None,
    seed: int,
    progress: Progress,
) -> None:
    """Try case after case until one breaks the claim, the time is over, or there are no more."""
    for case in _cases(claim, target, state, seed):
        if state.tried == games or time.monotonic() > deadline:
            return
        progress(f"tried {state.tried:,} games, now {case.origin}", inf)
        _try(claim, target, case, state, seed)
        if state.found:
            return


def _cases(claim: Claim[Any], target: object, state: _State, seed: int) -> Iterator[Case]:
    """Yield the cases; those of some claims depend on what the target does, which may fail too."""
    try:
        yield from claim.cases(target, seed)
    except NotSolvedError:
        raise
    except ValueError as error:
        raise BadInputError(f"{error}; game {state.tried + 1} of seed {seed}") from error


def _try(claim: Claim[Any], target: object, case: Case, state: _State, seed: int) -> None:
    """Try one case; one whose linear programs no solver gets right does not count."""
    try:
        breach = claim.breach(target, case)
    except NotSolvedError:
        return
    except ValueError as error:
        raise BadInputError(f"{error}; game {state.tried + 1} of seed {seed}") from error
    state.tried += 1
    if breach.is_broken:
        state.found.append(Broken(case, breach))


def _replay(target: object, claim: str | Claim[Any], seed: int, tried: int, file: str | Path | None) -> str:
    """Return the command that shows a counterexample again: from a file, or by the same search."""
    again = f"--replay {quote(str(file))}" if file is not None else f"--seed {seed} --games {tried}"
    return f"treeplex challenge {quote(name_of(target))} --claim {quote(name_of(claim))} {again}"


def _check(seconds: float, games: int | None, seed: int) -> None:
    if not (isinstance(seconds, int | float) and 0 < seconds < inf):
        raise BadInputError(f"seconds must be above 0 and finite, got {seconds!r}")
    if games is not None and (type(games) is not int or games < 1):
        raise BadInputError(f"games must be an integer of at least 1, got {games!r}")
    if type(seed) is not int or seed < 0:
        raise BadInputError(f"seed must be an integer of at least 0, got {seed!r}")
