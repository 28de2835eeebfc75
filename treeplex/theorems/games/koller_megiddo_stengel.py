"""Koller, Megiddo and von Stengel 1996: the sequence form's programs and their duality."""

from collections.abc import Iterator

import numpy as np

from treeplex.theorems.cases import named_games, random_games
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import enumerated, spread, strategy
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

SOURCE = "Koller, Megiddo and von Stengel 1996"


def _instances(effort: Effort) -> Iterator[Instance]:
    yield from named_games(effort)
    yield from random_games(effort, quick=6, full=60)


def _weak(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    profile = strategy(instance.game, f"random:{instance.seed}")
    guaranteed = -form.best_response(1, profile.plans[0]).total  # of player 0's plan
    conceded = form.best_response(0, profile.plans[1]).total  # by player 1's plan
    yield Comparison(guaranteed, conceded, spread(instance.game))


def _weak_pure(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    profile = strategy(instance.game, f"random:{instance.seed}")
    paid = float(np.dot(profile.plans[0], form.gradient(0, profile.plans[1])))
    yield Comparison(paid, -form.best_response(1, profile.plans[0]).total, spread(instance.game))


WEAK_DUALITY = Theorem(
    name="weak-duality",
    plain="What a plan of player 0 guarantees is at most what a plan of player 1 concedes.",
    tex=r"\min_{y'} x^\top A y' \le \max_{x'} x'^\top A y",
    source=f"{SOURCE}, section 3",
    relation="<=",
    instances=_instances,
    measure=_weak,
    equality="Where both plans are optimal.",
    twin=Twin("What a plan pays against one plan is at most what it guarantees.", _weak_pure),
)

THEOREMS = (WEAK_DUALITY,)
