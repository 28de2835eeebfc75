"""Estimators of strength examined on small games: unbiased or not, how noisy, what is wrong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treeplex.bench.estimators.judge import BASE, Judged, judge
from treeplex.bench.estimators.setting import ROUNDING, Estimator, Trial
from treeplex.core.loading import load
from treeplex.core.progress import Progress, silent
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import load_object
from treeplex.games.base.parameters import check_integer
from treeplex.seqform.certify.aivat import history_values
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError

GAMES = (
    "coin_toss",
    "kuhn_poker",
    "random_game(seed=7,depth=5)",
    "goofspiel",
    "leduc_poker(ranks=2,raises=1)",
)
"""Games on which estimators are examined unless told."""
MOST_HISTORIES = 20_000
"""Most histories of such a game."""
KNOWN = ((True, True), (True, False), (False, True), (False, False))
VALUES = ("exact", "random")
SLOPE_ROUNDING = 1e-6
"""Differences of slopes from 1 that count as rounding."""


@dataclass(frozen=True, repr=False)
class EstimatorReport(Shown):
    """What was found of an estimator.

    Attributes
    ----------
    estimator : str
    rows : tuple of Judged
        A row for each game, players known, and kind of values.
    unjudged : tuple of str
        Trials on which an estimate depends on other hands, and pairs of hands are too many.
    """

    estimator: str
    rows: tuple[Judged, ...]
    unjudged: tuple[str, ...] = ()

    @property
    def is_dependent(self) -> bool:
        """Whether an estimate depends on the other hands."""
        return bool(self.unjudged) or not all(row.alone for row in self.rows)

    @property
    def verdict(self) -> str:
        """What is true of it, the first that is.

        ``biased`` on some trial; ``dependent``, an estimate depends on the other hands, so that intervals
        from the spread of estimates are wrong; ``noisy``, with exact values it varies more than payoffs do;
        ``unbiased``.
        """
        if any(row.is_biased for row in self.rows):
            return "biased"
        if self.is_dependent:
            return "dependent"
        return "noisy" if self.noisiest.ratio > 1.0 + ROUNDING else "unbiased"

    @cached_property
    def noisiest(self) -> Judged:
        """The row with exact values, if there is one, that has the largest variance."""
        return max(self.rows, key=lambda row: (row.exact, row.ratio))

    @cached_property
    def worst(self) -> Judged:
        """The row with the largest bias."""
        return max(self.rows, key=lambda row: abs(row.bias) / row.tolerance)

    def brief(self) -> str:
        """Return the estimator and the verdict."""
        return f"{self.estimator}: {self.verdict}"

    def blocks(self) -> tuple[Block, ...]:
        """Return a table of all trials, the verdict, and what is wrong."""
        rows = tuple(
            (
                row.trial,
                row.known,
                f"{row.hands:,}",
                f"{row.bias:.1e}",
                f"{row.ratio:.4f}",
                f"{row.reference:.4f}",
            )
            for row in self.rows
        )
        head = ("game", "known", "hands", "bias", "variance", "AIVAT's")
        return Columns(
            f"{self.estimator}: variance in parts of that of payoffs", head, rows, left=head[:2]
        ), *self._said()

    def _said(self) -> Iterator[Line]:
        worst, noisiest = self.worst, self.noisiest
        if self.is_dependent:
            yield Line(
                "an estimate depends on the other hands: judged by the mean of two where pairs are few"
            )
        if self.verdict == "biased":
            yield Line(
                f"biased: on {worst.trial} with {worst.known} known the mean is {worst.mean:.6g}, the value "
                f"{worst.value:.6g}, {worst.bias:+.2g} apart"
            )
            for term in worst.terms:
                part = (
                    "the payoff that it starts from"
                    if term.kind == BASE
                    else f"the correction of {term.kind}"
                )
                yield Line(f"{part} is wrong: its mean is {term.bias:+.3g} at {term.at or 'the root'}")
            return
        yield Line(f"unbiased: the largest difference is {abs(worst.bias):.1e}, which is rounding")
        if self.verdict == "noisy":
            yield Line(f"noisy: {noisiest.ratio:.3f} of the variance of payoffs on {noisiest.trial}")
        for slope in noisiest.slopes:
            if abs(slope.slope - 1.0) > SLOPE_ROUNDING:
                yield Line(
                    f"corrections of {slope.kind} take out luck of slope {slope.slope:.3g}, where 1 is right"
                )

    def as_json(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "estimator": self.estimator,
            "verdict": self.verdict,
            "unjudged": list(self.unjudged),
            "trials": [
                {
                    "trial": row.trial,
                    "known": row.known,
                    "hands": row.hands,
                    "value": row.value,
                    "mean": row.mean,
                    "bias": row.bias,
                    "tolerance": row.tolerance,
                    "variance_ratio": row.ratio,
                    "aivat_ratio": row.reference,
                    "alone": row.alone,
                    "slopes": {slope.kind: slope.slope for slope in row.slopes},
                    "wrong": [{"term": term.kind, "bias": term.bias, "at": term.at} for term in row.terms],
                }
                for row in self.rows
            ],
        }


def examine_estimator(
    estimator: str | Estimator, games: Sequence[str] = GAMES, *, seed: int = 0, progress: Progress = silent
) -> EstimatorReport:
    """Judge an estimator of strength by all hands of small games: its bias, variance, and what is wrong.

    Each game is played by two random strategies, some of whose actions are never taken. The estimator is told
    both, one or none of them, with exact or with random values of histories. Its mean over all hands, each as
    likely as it is, must be the value of the game.

    Parameters
    ----------
    estimator : str or callable
        ``module:name``, or a function of a setting and a list of hands, as
        ``treeplex.examples.estimators.aivat``.
    games : sequence of str
        Specs of games with at most 20,000 histories.
    seed : int
        Of strategies and random values.
    progress : callable
        Told what is being done, with the number of games left.

    Raises
    ------
    ValueError
        If a game is too large, or the estimator returns something else than estimates.

    Examples
    --------
    >>> import treeplex as tp
    >>> found = tp.examine_estimator("treeplex.examples.estimators:aivat", ["kuhn_poker"])
    >>> found.verdict
    'unbiased'
    >>> tp.examine_estimator("treeplex.examples.estimators:sign_reversed", ["kuhn_poker"]).verdict
    'noisy'
    """
    called: Callable[..., Any] = (
        load_object(estimator, "estimator") if isinstance(estimator, str) else estimator
    )
    if not callable(called):
        raise BadInputError(f"an estimator must be a function of a setting and hands, got {called!r}")
    check_integer("seed", seed, 0, 2**63 - 1)
    if isinstance(games, str) or not games:
        raise BadInputError(f"games must be a list of specs, one at least, got {games!r}")
    name = estimator if isinstance(estimator, str) else getattr(estimator, "__name__", "an estimator")
    rows: list[Judged] = []
    unjudged: list[str] = []
    for k, spec in enumerate(games):
        progress(f"{spec}: game {k + 1} of {len(games)}", float(len(games) - k))
        for trial in trials(spec, seed):
            row = judge(called, trial)
            rows += [] if row is None else [row]
            unjudged += [trial.name] if row is None else []
    if not rows:
        raise BadInputError(
            "the estimates depend on other hands: give a game of few hands, such as kuhn_poker or coin_toss"
        )
    return EstimatorReport(name, tuple(rows), tuple(dict.fromkeys(unjudged)))


def trials(spec: str, seed: int) -> Iterator[Trial]:
    """Yield a game's trials: strategies drawn at random, who is known, and values exact or at random.

    Raises
    ------
    ValueError
        If the game has too many histories.
    """
    rules = load(spec).game
    try:
        game = number_tree(build_tree(rules, max_nodes=MOST_HISTORIES))
    except TooManyHistoriesError:
        raise BadInputError(
            f"a game must have at most {MOST_HISTORIES:,} histories here, {spec} has more"
        ) from None
    rng = np.random.default_rng([seed, game.tree.n_nodes])
    profile = Profile(game.form.treeplexes, (drawn(game, 0, rng), drawn(game, 1, rng)))
    x, y = profile.plans
    exact = history_values(game, (x, y))
    for known in KNOWN:
        for kind in VALUES:
            values = exact if kind == "exact" else rng.normal(scale=np.abs(exact).max(), size=len(exact))
            yield Trial(f"{spec}, {kind} values", game, rules, profile, known, values, kind == "exact")


def drawn(game: NumberedTree, player: int, rng: np.random.Generator) -> Floats:
    """Return a random behaviour, (S,), in which about a fifth of all infosets are played purely."""
    t = game.form.treeplexes[player]
    weights = rng.exponential(size=t.n_sequences)
    for lo, hi in zip(t.begin.tolist(), t.end.tolist(), strict=True):
        if rng.random() < 0.2:
            weights[lo:hi] = 0.0
            weights[int(rng.integers(lo, hi))] = 1.0
    weights[0] = 1.0
    return t.behaviour(weights)
