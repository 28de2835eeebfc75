"""An estimator judged: its bias and variance, by all hands of small games and how likely they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.bench.estimators.setting import Estimate, Estimator, Trial
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import described
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import shown
from treeplex.seqform.certify.aivat import Classes
from treeplex.seqform.forms.treeplex import Floats

BASE = "base"
"""The kind of the first part of an estimate."""
SINGLES = 5
"""Hands that are also estimated alone, from the first to the last."""
MOST_PAIRS = 1000
"""Pairs of hands that are tried where an estimate depends on the other hands."""


@dataclass(frozen=True)
class Term:
    """A part of an estimate that is biased.

    Attributes
    ----------
    kind : str
        ``base``, or whose move is corrected: ``chance``, ``player 0``, ``player 1``, with ``(unknown)`` after
        a player whose strategy is not known.
    bias : float
        The mean of the part over all hands that come to where it is wrong, times how likely they are.
    at : str
        The moves to one history there.
    """

    kind: str
    bias: float
    at: str


@dataclass(frozen=True)
class Slope:
    """How much of the luck a kind of correction takes out, where values are exact.

    Attributes
    ----------
    kind : str
        As in :class:`Term`.
    slope : float
        Minus the covariance of base and corrections in parts of the corrections' variance: 1 is right, as
        luck is independent of what comes before it; -1 is a reversed sign, 2 half of the luck.
    """

    kind: str
    slope: float


@dataclass(frozen=True)
class Judged:
    """An estimator on one trial.

    Attributes
    ----------
    trial, known : str
        The trial's name; the players whose strategies are known.
    exact : bool
        Whether values of histories are exact.
    hands : int
        Number of ways to play a hand.
    value, mean : float
        What player 0 wins in the mean, and the mean of the estimates.
    tolerance : float
        Differences that are rounding.
    ratio : float
        The estimates' variance in parts of that of payoffs; 1 where payoffs have none.
    reference : float
        The same of AIVAT.
    alone : bool
        Whether each estimate depends on its own hand alone. If not, ``mean`` and ``ratio`` are those of the
        mean of two independent hands.
    terms : tuple of Term
        The largest of each kind where the estimates are biased; none where they have no parts.
    slopes : tuple of Slope
        Of each kind of corrections, where values are exact and there are parts.
    """

    trial: str
    known: str
    exact: bool
    hands: int
    value: float
    mean: float
    tolerance: float
    ratio: float
    reference: float
    alone: bool
    terms: tuple[Term, ...]
    slopes: tuple[Slope, ...]

    @property
    def bias(self) -> float:
        """The mean of the estimates less the value."""
        return self.mean - self.value

    @property
    def is_biased(self) -> bool:
        """Whether the bias is larger than rounding."""
        return abs(self.bias) > self.tolerance


def judge(estimator: Estimator, trial: Trial) -> Judged | None:
    """Return what an estimator does on all hands of a trial.

    None where its estimates depend on other hands and the trial has too many pairs of hands.

    Raises
    ------
    ValueError
        If it raises anything, returns something else than a finite number or finite parts for each hand, or
        other estimates of the same hands when asked again.
    """
    parts = _asked(estimator, trial, range(len(trial.hands)))
    estimates = _sums(parts)
    some = np.unique(np.linspace(0, len(trial.hands) - 1, SINGLES).astype(int)).tolist()
    alone = _are_alike(estimates[some], _sums([_asked(estimator, trial, [k])[0] for k in some]), trial)
    if not alone:
        again = _sums(_asked(estimator, trial, range(len(trial.hands))))
        if not _are_alike(estimates, again, trial):
            raise BadInputError(
                f"an estimator must give the same estimates again, it did not on {trial.name}"
            )
        if len(trial.hands) ** 2 > MOST_PAIRS:
            return None
    whole = _moments(trial.probability, trial.payoff)[1]
    mean, spread = _moments(trial.probability, estimates) if alone else _of_pairs(estimator, trial)
    usual = whole if alone else whole / 2.0**0.5
    known = trial.reference.estimate[np.searchsorted(trial.reference.leaves, trial.leaves)]
    best = _moments(trial.probability, known)[1]
    split = [*_split(trial, parts)] if alone else []
    is_biased = abs(mean - trial.value) > trial.tolerance
    return Judged(
        trial.name,
        " and ".join(["chance", *(f"player {p}" for p in (0, 1) if trial.known[p])]),
        trial.exact,
        len(trial.hands),
        trial.value,
        mean,
        trial.tolerance,
        (spread / usual) ** 2 if usual > 0.0 else 1.0,
        (best / whole) ** 2 if whole > 0.0 else 1.0,
        alone,
        tuple(_largest(trial, split)) if is_biased else (),
        tuple(_slopes(trial, split)) if trial.exact else (),
    )


def _are_alike(first: Floats, second: Floats, trial: Trial) -> bool:
    return bool(np.abs(first - second).max() <= trial.tolerance)


def _asked(estimator: Estimator, trial: Trial, which: Sequence[int]) -> list[Floats]:
    """Return the parts of the estimates of some hands; refuse what is no estimate."""
    hands = [trial.hands[k] for k in which]
    try:
        answer = estimator(trial.setting(), hands)
    except (BadInputError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise BadInputError(f"the estimator, on {trial.name}: {described(error)}") from error
    if not isinstance(answer, list | tuple | np.ndarray):
        raise BadInputError(f"an estimator must return a list of estimates, got {shown(answer)}")
    found = list(answer)
    if len(found) != len(hands):
        raise BadInputError(f"an estimator must return {len(hands)} estimates here, got {len(found)}")
    return [_parts(one, len(hand.moves)) for one, hand in zip(found, hands, strict=True)]


def _parts(estimate: Estimate, moves: int) -> Floats:
    try:
        given = np.atleast_1d(np.asarray(estimate))
        parts = given.astype(np.float64) if given.dtype.kind in "iufO" else None  # O: fractions
    except (TypeError, ValueError):
        parts = None
    if parts is None:
        raise BadInputError(f"an estimate must be a number or its parts, got {shown(estimate)}")
    if parts.shape not in ((1,), (moves + 1,)) or not np.isfinite(parts).all():
        raise BadInputError(
            f"an estimate of a hand of {moves} moves must be a finite number or {moves + 1} parts, "
            f"the payoff and a correction for each move, got {shown(estimate)}"
        )
    return parts


def _sums(parts: Sequence[Floats]) -> Floats:
    return np.array([one.sum() for one in parts])


def _moments(probability: Floats, x: Floats) -> tuple[float, float]:
    """Return the mean and the standard deviation of a number by hand."""
    mean = float(probability @ x)
    scale = float(np.abs(x - mean).max()) or 1.0  # squares of payoffs may be too large or small for floats
    return mean, scale * float(probability @ ((x - mean) / scale) ** 2) ** 0.5


def _of_pairs(estimator: Estimator, trial: Trial) -> tuple[float, float]:
    """Return mean and standard deviation of the mean estimate of two independent hands."""
    n = len(trial.hands)
    pairs = [(i, j) for i in range(n) for j in range(n)]
    means = np.array([_sums(_asked(estimator, trial, pair)).mean() for pair in pairs])
    return _moments(np.outer(trial.probability, trial.probability).ravel(), means)


@dataclass(frozen=True)
class _Part:
    """A part of the estimate of hand k: whose, the set over which its mean must be 0, and a history there."""

    k: int
    kind: str
    group: int
    at: int
    amount: float


def _split(trial: Trial, parts: Sequence[Floats]) -> Iterator[_Part]:
    """Yield every part of every estimate, the base less the payoff; none of estimates that have no parts."""
    tree, classes = trial.game.tree, Classes.among(trial.game, trial.known)
    for k, (leaf, part) in enumerate(zip(trial.leaves.tolist(), parts, strict=True)):
        path = [leaf]
        while path[-1] > 0:
            path.append(int(tree.parent[path[-1]]))
        if len(part) != len(path):
            return
        yield _Part(k, BASE, int(classes.of[leaf]), leaf, float(part[0] - trial.payoff[k]))
        for node, amount in zip(path[-2::-1], part[1:], strict=True):
            above = int(tree.parent[node])
            yield _Part(k, _actor(trial, above), int(classes.before[node]), above, float(amount))


def _actor(trial: Trial, node: int) -> str:
    who = int(trial.game.tree.player[node])
    if who == CHANCE:
        return "chance"
    return f"player {who}" if trial.known[who] else f"player {who} (unknown)"


def _largest(trial: Trial, split: Sequence[_Part]) -> Iterator[Term]:
    """Yield the largest biased term of each kind.

    A correction must have the mean 0 over all hands through each set of histories that those with unknown
    strategies could not tell apart before the move; the base that of the payoffs, over those of the leaves.
    """
    sums: dict[tuple[str, int], float] = {}
    places: dict[tuple[str, int], int] = {}
    for one in split:
        key = one.kind, one.group
        sums[key] = sums.get(key, 0.0) + float(trial.probability[one.k]) * one.amount
        places[key] = one.at
    for kind in sorted({kind for kind, _ in sums}):
        key = max((key for key in sums if key[0] == kind), key=lambda key: abs(sums[key]))
        if abs(sums[key]) > trial.tolerance:
            yield Term(kind, sums[key], "/".join(trial.moves[places[key]]))


def _slopes(trial: Trial, split: Sequence[_Part]) -> Iterator[Slope]:
    """Yield the slope of each kind of corrections that vary."""
    sums: dict[str, Floats] = {}
    for one in split:
        sums.setdefault(one.kind, np.zeros(len(trial.payoff)))[one.k] += one.amount
    base = trial.payoff + sums.pop(BASE, 0.0)
    for kind, luck in sorted(sums.items()):
        mean, spread = _moments(trial.probability, luck)
        if spread > trial.tolerance:
            covariance = float(trial.probability @ ((luck - mean) / spread * (base / spread)))
            yield Slope(kind, -covariance)
