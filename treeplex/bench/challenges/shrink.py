"""Cases made as small as they can be while a target still breaks the claim on them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any

from treeplex.bench.challenges.case import Case
from treeplex.bench.challenges.claim import Breach, Claim
from treeplex.core.progress import Progress

LEAST_SHARE = 0.1
"""A smaller case has at least this part of the harm with which shrinking began, in parts of the scale."""


@dataclass(frozen=True)
class Broken:
    """A case on which a claim is broken."""

    case: Case
    breach: Breach


def shrunk(
    claim: Claim[Any],
    target: object,
    found: Broken,
    deadline: float,
    keep: Callable[[Broken], None],
    progress: Progress,
) -> None:
    """Make a case smaller, edit by edit, until none is possible; each smaller case goes to ``keep``.

    Parameters
    ----------
    claim, target : Claim and what it takes
    found : Broken
    deadline : float
        By ``time.monotonic``; shrinking ends there at the latest.
    keep : callable
        Called with each smaller case, the last of which is the smallest.
    progress : callable
    """
    drawn = found.case
    least = LEAST_SHARE * found.breach.share
    smaller = True
    while smaller:
        smaller = False
        for edit in claim.edits(target):
            passed = 0
            while (candidate := next(islice(edit(found.case), passed, None), None)) is not None:
                if time.monotonic() > deadline:
                    return
                progress(f"shrinking a game of {found.case.infosets} infosets", inf)
                breach = _tried(claim, target, candidate.tidied())
                if breach is None or not breach.is_broken or breach.share < least:
                    passed += 1
                    continue
                origin = f"shrunk from {drawn.origin}"
                found, smaller = Broken(replace(candidate.tidied(), origin=origin), breach), True
                keep(found)


def _tried(claim: Claim[Any], target: object, case: Case) -> Breach | None:
    """Return what a target does on a smaller case; None if that is no case, or the target gives up on it."""
    try:
        return claim.breach(target, case)
    except ValueError:  # or no solver gets it right
        return None
