"""Fingerprints: which regret minimiser, average and order a user's strategies are, or come nearest to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from treeplex.bench.examination.candidate import Candidate, candidates, walked
from treeplex.bench.examination.early_moves import is_constant, is_full_width, samples, still_uniform
from treeplex.bench.examination.nearest import Held, nearest
from treeplex.bench.examination.observed import BEHAVIOUR, Observed
from treeplex.core.limits import check_histories
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError

MOST_ITERATIONS = 100
"""Strategies after more iterations are left out: rounding errors decide ties by then."""
MOST_HISTORIES = 20_000
"""Walks over histories are tried on games of at most so many."""
OFFSETS = (0, -1, 1)
"""Offsets of weights that are tried first."""
SHIFTS = {1: "after one iteration more", -1: "after one iteration fewer"}
"""In words, how many iterations the strategies are after beside what was asked."""
MOST_DELAY = 10
"""Averages that leave out more iterations at the start are not tried."""


@dataclass(frozen=True)
class Fingerprint:
    """The method that strategies agree with.

    Attributes
    ----------
    variant : str
        Such as ``cfr+``.
    averaging : str
        Weights, and which plan of an iteration has them, such as ``linear, before the update``; ``last``.
    order : str
        ``simultaneous`` or ``alternating, player 0 first``; also whether regrets change during the walk.
    """

    variant: str
    averaging: str
    order: str

    @property
    def name(self) -> str:
        """The method in words."""
        return f"{self.variant}; {self.order}; average {self.averaging}"

    @property
    def is_promised(self) -> bool:
        """Whether theory promises that this average converges: not of the last strategy alone."""
        return not self.averaging.startswith(("last", BEHAVIOUR))

    def as_json(self) -> dict[str, Any]:
        """Return the fingerprint as the object that ``--json`` prints."""
        return {"variant": self.variant, "averaging": self.averaging, "order": self.order}


@dataclass(frozen=True)
class Nearest:
    """The method that strategies agree with the longest, and where they first differ from it.

    Attributes
    ----------
    nearest : Fingerprint
    iteration : int
        The first number of iterations after which an infoset differs.
    infosets : tuple of (player, infoset)
        Those that differ there, the ones furthest down first: values flow upwards, so the first is nearest to
        the cause. Where strategies after 1, 2, 3, ... iterations are known, these are the infosets whose next
        play does not follow from the user's own plans so far.
    difference : float
        The largest difference of a probability there.
    is_full_width : bool
        Whether nearly all that a full-width iteration moves has moved when anything first does.
    """

    nearest: Fingerprint
    iteration: int
    infosets: tuple[tuple[int, str], ...]
    difference: float
    is_full_width: bool

    @property
    def name(self) -> str:
        """The nearest method and where the strategies leave it, in words."""
        (player, infoset), *_ = self.infosets
        where = f"after iteration {self.iteration} at {infoset!r} of player {player}"
        return f"{self.nearest.name}, from which it differs {where}"

    def as_json(self) -> dict[str, Any]:
        """Return what is nearest as the object that ``--json`` prints."""
        infosets = [{"player": player, "infoset": infoset} for player, infoset in self.infosets]
        return {
            "nearest": self.nearest.as_json(),
            "first_difference": {"iteration": self.iteration, "infosets": infosets},
        }


def fingerprint(
    problem: Problem, strategies: Mapping[int, Profile], progress: Progress = silent
) -> Fingerprint | Nearest | None:
    """Return which full-width regret minimiser a solver's strategies are.

    They are held against every variant, order of updates and average, and against recursions that change
    regrets during the walk. Probabilities must agree to ``EQUAL`` at every infoset that its own player
    reaches. Of several that agree the first is returned, common ones before others.

    Parameters
    ----------
    problem : Problem
    strategies : mapping of int to Profile
        Of ``problem.whole``, by the number of iterations: the more of 1, 2, 3, ..., the more is told apart,
        and ties are followed only over consecutive ones. Those above ``MOST_ITERATIONS`` are left out.
    progress : callable, optional
        Called with what they are held against.

    Returns
    -------
    Fingerprint or Nearest or None
        None where nothing is to be told: no strategies, the same ones whatever the iterations, or a solver
        that samples, which does not move most infosets in its first iterations.

    Raises
    ------
    ValueError
        If a strategy is of another game, or iterations are not positive.
    """
    observed = _observed(problem, strategies)
    if is_constant(observed) or samples(observed):
        return None
    found: list[Held] = []
    for candidate, seen in _tried(problem, observed):
        progress(f"held against {candidate.variant}, {candidate.order}", inf)
        held = Held.of(candidate, seen)
        if held is None:
            return _named(candidate)
        found.append(held)
    if (other := _without_reaches(observed) or _after_others(observed)) is not None:
        return other
    best = nearest(found)
    return Nearest(
        _named(best.candidate),
        best.iteration,
        best.difference.infosets,
        best.difference.largest,
        is_full_width(observed),
    )


def _observed(problem: Problem, strategies: Mapping[int, Profile]) -> Observed:
    bad = next((t for t in strategies if t < 1), None)
    if bad is not None:
        raise BadInputError(f"strategies must be after at least 1 iteration, got {bad}")
    profiles = {
        t: problem.played(strategy.transfer(problem.whole.treeplexes))
        for t, strategy in sorted(strategies.items())
        if t <= MOST_ITERATIONS
    }
    return Observed(problem.form, profiles)


def _tried(problem: Problem, observed: Observed) -> Iterator[tuple[Candidate, Observed]]:
    """Yield what strategies are held against, each with these in its numbering; common ones first."""
    for candidate in sorted(candidates(observed.form, OFFSETS), key=lambda one: not one.is_usual):
        yield candidate, observed
    game = _enumerated(problem)
    if game is not None:
        walks = observed.on(game.form)
        for candidate in walked(game, OFFSETS):
            yield candidate, walks
    delays = range(2, min(still_uniform(observed), MOST_DELAY) + 1)
    for candidate in candidates(observed.form, tuple(-delay for delay in delays)):
        yield candidate, observed


def _enumerated(problem: Problem) -> NumberedTree | None:
    """Return a game history by history; None where it has too many histories, or hands are locked."""
    if problem.locked is not None:
        return None
    try:
        if problem.tree is not None:
            check_histories(problem.tree, MOST_HISTORIES)
        game = problem.enumerated
    except TooManyHistoriesError:
        return None
    return game if game.tree.n_nodes <= MOST_HISTORIES else None


def _after_others(observed: Observed) -> Fingerprint | None:
    """Return what the strategies are if they were after one iteration more or fewer than asked."""
    for extra, words in SHIFTS.items():
        shifted = observed.shifted(extra)
        if len(shifted.times) > 1:
            for candidate in candidates(observed.form, (0,)):
                if Held.of(candidate, shifted) is None:
                    named = _named(candidate)
                    return replace(named, averaging=f"{named.averaging}, {words}")
    return None


def _without_reaches(observed: Observed) -> Fingerprint | None:
    """Return of which method the strategies are the behaviour, averaged without the player's reaches."""
    for candidate in candidates(observed.form, (0,), has_reaches=False):
        if Held.of(candidate, observed) is None:
            return _named(candidate)
    return None


def _named(candidate: Candidate) -> Fingerprint:
    return Fingerprint(candidate.variant, candidate.averaging.name, candidate.order)
