"""A whole strategy from CFR-D's trunk average: each subgame solved by a gadget on the averaged top values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.sequences.cfr_d import TrunkAverage
from treeplex.gadgets.alternatives import Alternatives, EstimatedAlternatives
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.published_gadgets import Resolve
from treeplex.gadgets.subgame_solvers import EquilibriumOf, SubgameSolution, compose
from treeplex.games.base.errors import BadInputError
from treeplex.process.compilation import working_seconds
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
    average : TrunkAverage
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

    average: TrunkAverage
    method: str
    profile: Profile
    certificate: Certificate
    excess: tuple[float, float]
    seconds: float

    @property
    def bound(self) -> float:
        """The proved upper bound on NashConv: the run's stored bounds plus the excess."""
        return sum(self.average.bounds) + sum(self.excess)


def finish(average: TrunkAverage, make: Make = Resolve) -> Decomposed:
    """Solve every subgame again for both players, put all together and certify it.

    Parameters
    ----------
    average : TrunkAverage
    make : callable
        The gadget. Its alternatives are the averages of the opponent's values at tops.

    Raises
    ------
    treeplex.games.base.errors.NotSolvedError
        If no solver gets a gadget's game right.
    """
    clock = working_seconds()
    profile, method = average.trunk.whole(average.profile), make(EstimatedAlternatives({})).name
    solved = [[solve_again(average, k, p, make) for k in range(len(average.trunk.cuts))] for p in (0, 1)]
    for solutions in solved:
        profile = compose(profile, solutions)
    certificate = certify(average.trunk.game.form, profile)
    excess = _excess(average, 0, profile), _excess(average, 1, profile)
    return Decomposed(average, method, profile, certificate, excess, working_seconds() - clock)


def solve_again(average: TrunkAverage, k: int, defender: int, make: Make = Resolve) -> SubgameSolution:
    """Solve one subgame again from what a run stored; no other subgame is looked at.

    Parameters
    ----------
    average : TrunkAverage
    k : int
        Which of the trunk's cuts.
    defender : int
    make : callable

    Raises
    ------
    ValueError
        If there is no such cut or defender.
    treeplex.games.base.errors.NotSolvedError
        If no solver gets the gadget's game right.
    """
    trunk, opponent = average.trunk, 1 - defender
    if not 0 <= k < len(trunk.cuts) or defender not in (0, 1):
        raise BadInputError(
            f"cuts are numbered from 0 to {len(trunk.cuts) - 1} and defenders are 0 or 1, got {k} and "
            f"{defender}"
        )
    subgame = Subgame.of(trunk.cuts[k].views[opponent], trunk.whole(average.profile))
    values = subgame.normalised(average.top_values[opponent][trunk.tops(opponent, k)])
    name, tops = subgame.cut.name, subgame.cut.tops
    estimates = {(name, tops[t]): float(values[t]) for t in np.flatnonzero(subgame.live).tolist()}
    return EquilibriumOf(make(EstimatedAlternatives(estimates))).solve(subgame)


def _excess(average: TrunkAverage, player: int, profile: Profile) -> float:
    """Return by how much a player's values at tops exceed the averages, added up."""
    trunk, plan = average.trunk, profile.plans[1 - player]
    response = trunk.game.form.best_response(player, plan)
    got = [np.zeros(0), *(piece.views[player].top_values(plan, response) for piece in trunk.cuts)]
    return float(np.maximum(np.concatenate(got) - average.top_values[player], 0.0).sum())
