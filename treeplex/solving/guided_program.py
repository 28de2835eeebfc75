"""Linear programs on the sequences that CFR+ plays, extended by best responses until certified narrow."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.engine import average
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.core.progress import Progress, silent
from treeplex.process.compilation import working_seconds
from treeplex.seqform.certify.target import Target
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.solve import LPSolution, solve_lp

AUTO = ("ipm", "hipo")
"""IPX is fast on guided programs; HiPO takes over where its plans stay too wide though nothing is missed."""


@dataclass(frozen=True)
class Guide:
    """Parameters of guided programs.

    Attributes
    ----------
    iterations : int
        CFR+ iterations that choose the first support, at least 1.
    threshold : float
        A sequence is in the first support when CFR+ plays it more often than this at its infoset, in (0, 1).
    rounds : int
        Most programs solved for each player, at least 1.
    """

    iterations: int = 5000
    threshold: float = 1e-3
    rounds: int = 12


def solve_guided(
    form: SequenceForm,
    target: Target,
    solver: str = "auto",
    guide: Guide | None = None,
    progress: Progress = silent,
) -> LPSolution:
    """Solve a large game by small programs until the certificate on the whole game is narrow.

    CFR+ proposes which sequences matter, and both players' programs are solved on those alone. A best
    response in the whole game then names every sequence that was missed and would pay; those join, and the
    programs are solved again. No step has to be trusted: the certificate is on the whole game.

    Parameters
    ----------
    form : SequenceForm
    target : Target
        How narrow a certificate ends the rounds.
    solver : str
        As for :func:`treeplex.seqform.lp.solve.solve_lp`.
    guide : Guide, optional
    progress : callable, optional

    Returns
    -------
    LPSolution
        That of the narrowest certificate, which may miss the target.
    """
    guide = Guide() if guide is None else guide
    solvers = list(AUTO if solver == "auto" else (solver,))
    clock = working_seconds()
    best: LPSolution | None = None
    progress(f"CFR+, {guide.iterations:,} iterations", math.inf)
    profile = average(full_width.prepare(form, VARIANTS["cfr+"]), guide.iterations)
    support = _played(profile, guide.threshold)
    for i in range(1, guide.rounds + 1):
        progress(f"linear programs, round {i}", best.certificate.nash_conv if best else math.inf)
        # The whole game's certificate decides, so any width of the restricted game's is accepted here.
        solution = solve_lp(
            form, solvers[0], support=support, fallback=profile, target=Target(math.inf), crossover=False
        )
        if best is None or solution.certificate.nash_conv < best.certificate.nash_conv:
            best = solution
        if target.is_met(best.certificate):
            break
        missed = _missed(form, solution.profile, support, target.allowed(best.certificate))
        if not (missed[0].any() or missed[1].any()):
            if len(solvers) == 1:
                break
            solvers.pop(0)
        support = support[0] | missed[0], support[1] | missed[1]
    assert best is not None
    return replace(best, note=f"guided by CFR+, {i} rounds", seconds=working_seconds() - clock)


def _played(profile: Profile, threshold: float) -> Support:
    """Return what is played more often than the threshold, and at every infoset what is played most."""
    x, y = (
        np.concatenate(
            ([True], (b[1:] > threshold) | (b[1:] == np.maximum.reduceat(b, t.begin)[t.infoset_of[1:]]))
        )
        for b, t in zip(profile.behaviour, profile.treeplexes, strict=True)
    )
    return x, y


def _missed(form: SequenceForm, profile: Profile, support: Support, width: float) -> Support:
    """Return the sequences outside the support that pay more than all inside, against the other's plan."""
    x, y = profile.plans
    # What all missed sequences are worth together must stay well below the width that is allowed.
    least = width / (10 * max(t.n_sequences for t in form.treeplexes))
    return _paying(form, 0, y, support[0], least), _paying(form, 1, x, support[1], least)


def _paying(
    form: SequenceForm, player: int, against: Floats, support: NDArray[np.bool_], least: float
) -> NDArray[np.bool_]:
    t = form.treeplexes[player]
    if t.n_infosets == 0:
        return np.zeros(1, dtype=np.bool_)
    q = form.best_response(player, against).q
    inside = np.maximum.reduceat(np.where(support, q, -np.inf), t.begin)
    paying = q[1:] > inside[t.infoset_of[1:]] + least
    return np.concatenate(([False], paying & ~support[1:]))
