"""AIVAT: estimates of single hands whose mean is what strategies earn, whatever values they start from."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.certify.aivat import aivat, history_values, reaches
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "Burch, Schmid, Moravcik, Morrill and Bowling 2018 (AIVAT)"


def _games(effort: Effort) -> Iterator[Instance]:
    for game in named_and_random_games(effort, quick=4, full=40):
        yield replace(game, choice=f"random:{game.seed}")


def _plans(profile: Profile) -> tuple[Floats, Floats]:
    x, y = profile.plans
    return x, y


def _means(instance: Instance, *, guessed: bool) -> Iterator[Comparison]:
    """Compare the mean estimate with what player 0 earns, by the players known, values at random."""
    game, profile = enumerated(instance.game), strategy(instance.game, instance.choice)
    plans = _plans(profile)
    odds = reaches(game, plans)[game.tree.leaves]
    earned = float(plans[0] @ game.form.gradient(0, plans[1]))
    even = [t.plan(t.uniform()) for t in game.form.treeplexes]
    rng = np.random.default_rng([instance.seed, game.tree.n_nodes])
    for known in ((0, 1), (0,), (1,), ()):
        if guessed and len(known) == 2:
            continue
        values = rng.normal(scale=spread(instance.game), size=game.tree.n_nodes)
        told = [plans[p] if p in known else even[p] if guessed else None for p in (0, 1)]
        found = aivat(game, (told[0], told[1]), values)
        at = f"known players: {', '.join(map(str, known)) or 'none'}"
        yield Comparison(float(odds @ found.estimate), earned, spread(instance.game), at)


def _hands(instance: Instance, *, known: tuple[int, ...]) -> Iterator[Comparison]:
    """Compare the estimate of every hand that can be played with what player 0 earns, values exact."""
    game, profile = enumerated(instance.game), strategy(instance.game, instance.choice)
    plans = _plans(profile)
    told = [plans[p] if p in known else None for p in (0, 1)]
    found = aivat(game, (told[0], told[1]), history_values(game, plans))
    earned = float(plans[0] @ game.form.gradient(0, plans[1]))
    for leaf, estimate, odds in zip(
        found.leaves.tolist(), found.estimate.tolist(), reaches(game, plans)[found.leaves], strict=True
    ):
        if odds > 0.0:
            yield Comparison(estimate, earned, spread(instance.game), game.tree.path(leaf))


THEOREMS = (
    Theorem(
        name="aivat-unbiased",
        plain="The mean of AIVAT's estimates is what player 0 wins in the mean, whatever values it is given.",
        tex=r"\sum_z \pi^\sigma(z)\, \hat u(z) = u(\sigma) \quad \text{for every } v",
        source=SOURCE,
        relation="==",
        instances=_games,
        measure=lambda instance: _means(instance, guessed=False),
        tolerance=1e-12,
        twin=Twin(
            "The same where unknown strategies are guessed, and corrected for as if they were known.",
            lambda instance: _means(instance, guessed=True),
        ),
    ),
    Theorem(
        name="aivat-takes-out-all-luck",
        plain="With both strategies known and exact values AIVAT's estimate of every hand is what player 0 "
        "wins in the mean.",
        tex=r"\hat u(z) = u(\sigma) \quad \text{for every } z \text{ with } \pi^\sigma(z) > 0",
        source=SOURCE,
        relation="==",
        instances=_games,
        measure=lambda instance: _hands(instance, known=(0, 1)),
        tolerance=1e-12,
        twin=Twin(
            "The same where player 0's strategy alone is known.",
            lambda instance: _hands(instance, known=(0,)),
        ),
    ),
)
