"""Averages of regret matching in an enumerated subgame that is entered against drawn alternative values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.drawn_choices import LEARNED, learn_entering
from treeplex.cfr.sequences.full_width import average_profile
from treeplex.cfr.sequences.sequence_learning import (
    Memory,
    match_regrets,
    numbers_of,
    update_arrays,
    update_plan,
)
from treeplex.cfr.variant import Variant
from treeplex.gadgets.gadget import enter
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.drawn import DrawnDecisions
from treeplex.seqform.subgames.forest import choices
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions


@dataclass(frozen=True)
class DrawnSolution:
    """Averages of both players in a subgame that is entered against draws.

    Attributes
    ----------
    profile : Profile
        Of the subgame below choices to enter.
    plan : (2, T) f64
        Of the opponent's choices, as ``DrawnDecisions`` takes it.
    value : (T,) f64
        The opponent's best-response value of each top, unnormalised.
    lower, upper : float
        An interval for the value of the game to the opponent, up to rounding.
    regret : float
        The sum of the largest positive regrets of both players at infosets below choices to enter.
    """

    profile: Profile
    plan: Floats
    value: Floats
    lower: float
    upper: float
    regret: float


Choose = Callable[[Floats, float, float, float, float, bool], None]
"""As ``learn_entering``."""


def learn_drawn(
    subgame: Subgame,
    drawn: DrawnDecisions,
    variant: Variant,
    iterations: int,
    choose: Choose = learn_entering,
) -> DrawnSolution:
    """Solve an enumerated subgame that is entered against draws, by a variant of regret matching below.

    Parameters
    ----------
    subgame : Subgame
    drawn : DrawnDecisions
    variant : Variant
    iterations : int
        At least 1.
    choose : callable, optional
        Updates what is learned at a top.
    """
    o, live = subgame.cut.opponent, np.flatnonzero(drawn.live)
    header = choices(tuple(f"enter {subgame.tops[t]}" for t in live.tolist()), ("stay", "enter"))
    at = np.full(len(drawn.mean), -1)
    at[live] = header.begin + 1
    root = RootDecisions(header, (Entry(at, np.ones(len(at))),), (header.begin, np.zeros(len(live))))
    form = enter(subgame, "draws", root)
    sides = update_arrays(form, 0), update_arrays(form, 1)
    memories = Memory.fresh(form.treeplexes[0]), Memory.fresh(form.treeplexes[1])
    learned, staying = np.zeros((len(at), LEARNED)), np.zeros(len(at))
    for t in range(iterations):
        for p in (0, 1):
            values = form.gradient(p, memories[1 - p].plan)
            numbers, z = numbers_of(variant, p, t, 1), learned[:, 4].copy()
            assert numbers.discount is not None
            match_regrets(sides[p], memories[p], values, numbers.discount, 0)
            if p == o:
                for k in live.tolist():
                    s = at[k]
                    choose(learned[k], t + 1.0, values[s], drawn.mean[k], drawn.deviation[k], drawn.by_hedge)
                    memories[o].play[s - 1 : s + 1] = 1.0 - learned[k, 3], learned[k, 3]
                memories[o].mass[: len(live)] = 1.0
                keep, before, after = (float(c[0]) for c in numbers.counts)
                staying = keep * staying + before * z + after * learned[:, 4]
            update_plan(sides[p], memories[p], numbers.counts, 0)
    profile, total = average_profile(form, memories), memories[o].total
    plan = np.zeros((2, len(at)))
    plan[0, live], plan[1] = total[at[live]] / total[0], staying / total[0]
    value = np.zeros(len(at))
    value[live] = form.best_response(o, profile.plans[1 - o]).q[at[live]]
    conceded = form.best_response(1 - o, profile.plans[o]).total
    regret = 0.0
    for p, side in enumerate(form.treeplexes):
        most = np.maximum.reduceat(memories[p].regret, side.begin)[len(live) if p == o else 0 :]
        regret += float(np.maximum(most, 0.0).sum())
    lower, upper = drawn.outside(plan) - conceded, drawn.best(value)
    return DrawnSolution(profile, plan, value, lower, upper, regret)
