"""CFR-D: regret minimisation on the trunk, with the subgames below it solved in every iteration.

Burch, Johanson and Bowling, Solving imperfect information games using decomposition (2014).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treeplex.cfr.engine import average, check_done, check_iterations
from treeplex.cfr.local_rule import LocalRule
from treeplex.cfr.sequences.full_width import (
    average_profile,
    check_full_width,
    check_memories,
    learn,
)
from treeplex.cfr.sequences.full_width import prepare as prepare_full_width
from treeplex.cfr.sequences.sequence_learning import (
    Memory,
    Numbers,
    UpdateArrays,
    numbers_of,
    sparse_gradient,
    update_arrays,
)
from treeplex.cfr.sequences.two_sided_trunk import Pair, TwoSidedTrunk
from treeplex.cfr.state_checks import TINY, check_range, check_shape, check_size, drift
from treeplex.cfr.variant import VARIANTS, TreeplexBlackwell, Variant
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import Target
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.lp_solution import solve_lp


class Solver(Protocol):
    """A method of solving a subgame as a game of its own."""

    def solve(self, form: SequenceForm) -> Profile:
        """Return an exact or approximate equilibrium of the game."""


@dataclass(frozen=True)
class Iterated:
    """Solve by a number of iterations of a full-width minimiser from uniform play.

    Attributes
    ----------
    iterations : int
    variant : Variant
    """

    iterations: int
    variant: Variant = VARIANTS["cfr+"]

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise BadInputError(f"iterations must be at least 1, got {self.iterations}")

    def solve(self, form: SequenceForm) -> Profile:
        """Return the average profile."""
        return average(prepare_full_width(form, self.variant), self.iterations)


@dataclass(frozen=True)
class Exact:
    """Solve by the linear program.

    Attributes
    ----------
    width : float
        Target width of the certificate in parts of the game's scale.
    """

    width: float = 1e-9

    def solve(self, form: SequenceForm) -> Profile:
        """Return an equilibrium; raises what ``solve_lp`` raises."""
        return solve_lp(form, target=Target.part(self.width, form)).profile


@dataclass(frozen=True)
class Decomposition:
    """The config of CFR-D: the variant on the trunk, and the solver of subgames.

    Attributes
    ----------
    variant : Variant
        Its average must be of the plans ``seen``, with which the values at tops are averaged.
    solver : Solver
        Of subgames.
    """

    variant: Variant
    solver: Solver

    def __post_init__(self) -> None:
        chosen = self.variant.average.counted
        if chosen != "seen":
            raise BadInputError(f"the average must count the plans seen, got {chosen!r}")


@dataclass(frozen=True)
class TrunkState:
    """The state between iterations, of the size of the trunk and its tops.

    Attributes
    ----------
    iterations : int
        Number of iterations done.
    memories : pair of Memory
        On the trunk's treeplexes.
    tops : pair of (T,) f64
        The weighted sum of each player's counterfactual best-response values at its tops, against the other
        player's plans that entered the average.
    earned : pair of float
        The weighted sum of the values of each player's trunk plans, with these values at tops.
    """

    iterations: int
    memories: tuple[Memory, Memory]
    tops: Pair
    earned: tuple[float, float]


@dataclass(frozen=True)
class TrunkAverage:
    """The average on a trunk, with the bounds that follow from the iterations.

    Attributes
    ----------
    trunk : TwoSidedTrunk
    profile : Profile
        On the trunk's form.
    state : TrunkState
        The state that it is the average of.
    """

    trunk: TwoSidedTrunk
    profile: Profile
    state: TrunkState

    @property
    def weight(self) -> float:
        """The sum of the iterations' weights."""
        return float(self.state.memories[0].total[0])

    @property
    def top_values(self) -> Pair:
        """The averages of each player's counterfactual best-response values at its tops, (T,), unnormalised.

        The other player's averaged play in the subgames, which is not stored, concedes at most these values,
        since best-response values are convex. So they serve as alternatives in the Resolve gadget.
        """
        first, second = (values / self.weight for values in self.state.tops)
        return first, second

    @property
    def bounds(self) -> tuple[float, float]:
        """Upper bounds on each player's payoff against the other's average, subgames re-solved exactly.

        The best response on the trunk to the other's average trunk plan, with ``top_values`` below. Their sum
        bounds the NashConv of the trunk's average with subgames that concede no more than ``top_values``.
        """
        first, second = (best / self.weight for best in self._best)
        return first, second

    @property
    def regrets(self) -> tuple[float, float]:
        """Each player's weighted total external regret on the trunk, with subgame values at its leaves."""
        (best_0, best_1), (earned_0, earned_1) = self._best, self.state.earned
        return best_0 - earned_0, best_1 - earned_1

    @property
    def _best(self) -> tuple[float, float]:
        """The weighted total value of each player's best fixed trunk plan over all iterations."""
        first, second = (_best_total(self.trunk, p, self.state) for p in (0, 1))
        return first, second


def _best_total(trunk: TwoSidedTrunk, player: int, state: TrunkState) -> float:
    gradient = trunk.form.gradient(player, state.memories[1 - player].total)
    np.add.at(gradient, trunk.entry[player], state.tops[player])
    return trunk.form.treeplexes[player].best_response(gradient).total


@dataclass(frozen=True)
class CFRD:
    """CFR-D on a trunk; advancing leaves the state's arrays alone.

    In each iteration every subgame is solved as a game of its own, with initial reaches from chance and both
    players' trunk plans. The values of the trunk's leaves there are each player's counterfactual
    best-response values at its tops against that solution. With alternating updates subgames are solved
    twice per iteration, once for each player's update.

    Attributes
    ----------
    trunk : TwoSidedTrunk
    config : Decomposition
    sides : pair of UpdateArrays
        The arrays of each player's update.
    """

    trunk: TwoSidedTrunk
    config: Decomposition
    sides: tuple[UpdateArrays, UpdateArrays]

    def start(self) -> TrunkState:
        """Return the state before the first iteration: no regret, uniform play."""
        first, second = (Memory.fresh(t) for t in self.trunk.form.treeplexes)
        tops = np.zeros(len(self.trunk.entry[0])), np.zeros(len(self.trunk.entry[1]))
        return TrunkState(0, (first, second), tops, (0.0, 0.0))

    def check(self, state: TrunkState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        variant = self.config.variant
        _check_state(self.trunk, variant, state)
        check_full_width(self.trunk.form, self.sides, variant, state.iterations, state.memories)
        for p in (0, 1):
            most = (1 + drift(state.iterations)) * self.trunk.largest_values(
                p, state.memories[1 - p].total
            ) + TINY
            check_range(f"player {p}'s values at tops", state.tops[p], -most, most)
            check_size(f"what player {p} earned", np.array([state.earned[p]]))

    def advance(self, state: TrunkState, iterations: int) -> TrunkState:
        """Return the state after more iterations; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_iterations(iterations)
        check_done(state)
        _check_state(self.trunk, self.config.variant, state)
        loop = _Decomposing(self.trunk, self.config, self.sides, state)
        for done in range(state.iterations, state.iterations + iterations):
            loop.iterate(done)
        tops, earned = (loop.tops[0], loop.tops[1]), (loop.earned[0], loop.earned[1])
        return TrunkState(state.iterations + iterations, loop.memories, tops, earned)

    def strategy(self, state: TrunkState) -> TrunkAverage:
        """Return the average on the trunk; subgames are to be re-solved when played."""
        return TrunkAverage(self.trunk, average_profile(self.trunk.form, state.memories), state)


def prepare(trunk: TwoSidedTrunk, config: Decomposition) -> CFRD:
    """Lay a trunk out for CFR-D; raises ``ValueError`` if a player learns by a local rule, or PTB+."""
    if any(isinstance(one, LocalRule) for one in config.variant.minimisers):
        raise BadInputError("a local rule is for whole games, got the trunk of CFR-D")
    if any(isinstance(one, TreeplexBlackwell) for one in config.variant.minimisers):
        raise BadInputError("PTB+ is for whole games, got the trunk of CFR-D")
    return CFRD(trunk, config, (_update_arrays(trunk, 0), _update_arrays(trunk, 1)))


def _check_state(trunk: TwoSidedTrunk, variant: Variant, state: TrunkState) -> None:
    check_memories(trunk.form, variant, state.memories)
    for p, (values, entry) in enumerate(zip(state.tops, trunk.entry, strict=True)):
        check_shape(f"player {p}'s values at tops", values, entry.shape)


class _Decomposing:
    """The mutable state of a run."""

    def __init__(
        self,
        trunk: TwoSidedTrunk,
        config: Decomposition,
        sides: tuple[UpdateArrays, UpdateArrays],
        state: TrunkState,
    ) -> None:
        self.trunk, self.variant, self.solver, self.sides = trunk, config.variant, config.solver, sides
        self.memories = state.memories[0].copied(), state.memories[1].copied()
        self.tops = [values.copy() for values in state.tops]
        self.earned = list(state.earned)

    def iterate(self, done: int) -> None:
        """Run the iteration after ``done`` iterations."""
        values = self.solved()
        gradients = [self.gradient(p, values[p]) for p in (0, 1)]
        for p in (0, 1):
            if p == 1 and self.variant.order == "alternating":  # player 0 has just moved
                values = self.solved()
                gradients[1] = self.gradient(1, values[1])
            numbers = numbers_of(self.variant, p, done, 1)
            self.count(p, numbers, values[p], gradients[p])
            learn(self.sides[p], self.memories[p], gradients[p], numbers)

    def solved(self) -> Pair:
        """Solve every subgame at the current plans; return both players' values at all their tops."""
        trunk = self.trunk
        plans = self.memories[0].plan, self.memories[1].plan
        found: tuple[list[Floats], list[Floats]] = ([np.zeros(0)], [np.zeros(0)])
        for k, piece in enumerate(trunk.cuts):
            reach = tuple(plans[p][trunk.entry[p][trunk.tops(p, k)]] for p in (0, 1))
            inside = self.solver.solve(piece.form((reach[0], reach[1]))).plans
            for p in (0, 1):
                found[p].append(piece.top_values(p, reach[1 - p], inside[1 - p]))
        return np.concatenate(found[0]), np.concatenate(found[1])

    def gradient(self, player: int, values: Floats) -> Floats:
        """Return a player's gradient on the trunk, given its values at tops."""
        q = np.empty(self.trunk.form.treeplexes[player].n_sequences)
        sparse_gradient(self.sides[player].base, self.memories[1 - player].plan, q)
        np.add.at(q, self.trunk.entry[player], values)
        return q

    def count(self, player: int, numbers: Numbers, values: Floats, gradient: Floats) -> None:
        """Add an iteration to the sums of values, with the weights of the average."""
        counts = numbers.counts
        keep, weight = float(counts.keep[0]), float(counts.before[0] + counts.after[0])
        earned = float(self.memories[player].plan @ gradient)
        self.tops[player] = keep * self.tops[player] + weight * values
        self.earned[player] = keep * self.earned[player] + weight * earned


def _update_arrays(trunk: TwoSidedTrunk, player: int) -> UpdateArrays:
    """Return the arrays of a player's update, with the noise of its infosets in the whole game."""
    noise = update_arrays(trunk.game.form, player).noise[trunk.infosets[player]]
    return update_arrays(trunk.form, player)._replace(noise=noise)
