"""Play from a trunk: its subgames re-solved by a gadget, the averages of CFR-D as alternative values."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.decomposition.cfr_d import TrunkRun
from treeplex.gadgets.core.alternatives import Alternatives, EstimatedAlternatives
from treeplex.gadgets.core.gadget import Gadget
from treeplex.gadgets.methods.resolve import Resolve
from treeplex.gadgets.solving.composition import compose
from treeplex.gadgets.solving.subgame import EquilibriumOf, SubgameSolution
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.subgames.subgame import Subgame

Make = Callable[[Alternatives], Gadget]
"""``Resolve`` or ``Maxmargin``: a gadget from its alternative values."""


@dataclass(frozen=True)
class Decomposed:
    """A strategy for the whole game, put together from a trunk and its subgames solved again.

    Attributes
    ----------
    run : TrunkRun
    method : str
        How subgames were solved again.
    profile : Profile
        On the whole game.
    certificate : Certificate
    excess : pair of float
        By how much, added up over tops, each player gets more in subgames than CFR-D's average of its values;
        rounding alone where subgames are solved exactly.
    seconds : float
        Of solving the subgames again and of the certificate.
    """

    run: TrunkRun
    method: str
    profile: Profile
    certificate: Certificate
    excess: tuple[float, float]
    seconds: float

    @property
    def bound(self) -> float:
        """What NashConv is proved to be at most, by what the run stored and the excess."""
        return sum(self.run.bounds) + sum(self.excess)


def finish(run: TrunkRun, make: Make = Resolve) -> Decomposed:
    """Solve every subgame again for both players, put all together and certify it.

    Parameters
    ----------
    run : TrunkRun
    make : callable
        The gadget. Its alternatives are the averages of the opponent's values at tops.

    Raises
    ------
    treeplex.seqform.lp.solve.NotSolvedError
        If no solver gets a gadget's game right.
    """
    clock = time.perf_counter()
    profile, method = run.trunk.whole(run.profile), make(EstimatedAlternatives({})).name
    solved = [[solve_again(run, k, p, make) for k in range(len(run.trunk.cuts))] for p in (0, 1)]
    for solutions in solved:
        profile = compose(profile, solutions)
    certificate = certify(run.trunk.game.form, profile)
    excess = _excess(run, 0, profile), _excess(run, 1, profile)
    return Decomposed(run, method, profile, certificate, excess, time.perf_counter() - clock)


def solve_again(run: TrunkRun, k: int, defender: int, make: Make = Resolve) -> SubgameSolution:
    """Solve one subgame again from what a run stored; no other subgame is looked at.

    Parameters
    ----------
    run : TrunkRun
    k : int
        Which of the trunk's cuts.
    defender : int
    make : callable

    Raises
    ------
    ValueError
        If there is no such cut or defender.
    treeplex.seqform.lp.solve.NotSolvedError
        If no solver gets the gadget's game right.
    """
    trunk, opponent = run.trunk, 1 - defender
    if not 0 <= k < len(trunk.cuts) or defender not in (0, 1):
        raise ValueError(
            f"cuts are numbered from 0 to {len(trunk.cuts) - 1} and defenders are 0 or 1, got {k} and "
            f"{defender}"
        )
    subgame = Subgame.of(trunk.cuts[k].views[opponent], trunk.whole(run.profile))
    values = subgame.normalised(run.top_values[opponent][trunk.tops(opponent, k)])
    name, tops = subgame.cut.name, subgame.cut.tops
    estimates = {(name, tops[t]): float(values[t]) for t in np.flatnonzero(subgame.live).tolist()}
    return EquilibriumOf(make(EstimatedAlternatives(estimates))).solve(subgame)


def _excess(run: TrunkRun, player: int, profile: Profile) -> float:
    """Return by how much a player's values at tops exceed the averages, added up."""
    trunk, plan = run.trunk, profile.plans[1 - player]
    response = trunk.game.form.best_response(player, plan)
    got = [np.zeros(0), *(piece.views[player].top_values(plan, response) for piece in trunk.cuts)]
    return float(np.maximum(np.concatenate(got) - run.top_values[player], 0.0).sum())
