"""Lanctot, Waugh, Zinkevich and Bowling 2009: Monte Carlo counterfactual regret minimisation is unbiased."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_learning.learning_runs import ROCK_PAPER_SCISSORS, most_apart
from treeplex.bench.theorems_on_learning.samples import (
    ExpectedSample,
    branching,
    exact_regrets,
    expected,
    some_state,
)
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling.draws import fill, mixed
from treeplex.cfr.sampling.history_sampling import StreamState, prepare, start_stream, traverse
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats

SAMPLINGS: Mapping[str, Sampling] = MappingProxyType(
    {
        "external": Sampling(),
        "outcome": Sampling("outcome"),
        "outcome, little exploration": Sampling("outcome", 0.05),
        "chance": Sampling("chance"),
        "average": Sampling("average", epsilon=0.3, tau=1.5, beta=0.2),
    }
)
"""The sampling schemes by name."""
UNEVEN = "random_game(seed=9,depth=4,actions=2)"
"""Outcomes of chance that are not equally likely."""
FEW = ("coin_toss", ROCK_PAPER_SCISSORS, "kuhn_poker", UNEVEN)
ITERATIONS = 20
MORE = ("dummy_pennies", "coin_toss(forfeit=false,subgames=2)", "leduc_poker(ranks=2,raises=1)")


@lru_cache(256)
def _expected(game: str, seed: int, scheme: str) -> tuple[StreamState, ExpectedSample, ExpectedSample]:
    """Return a state, and the expectations of both players' next traversals."""
    form = enumerated(game).form
    state = some_state(form, seed)
    first, second = (expected(enumerated(game), SAMPLINGS[scheme], state, p) for p in (0, 1))
    return state, first, second


def _instances(effort: Effort) -> Iterator[Instance]:
    for seed in effort.seeds(quick=1, full=3):
        for game in effort.choose(FEW, MORE):
            for scheme in SAMPLINGS:
                if not (game == MORE[-1] and scheme == "average"):
                    yield Instance(game, seed, choice=scheme)


def _unbiased(instance: Instance) -> Iterator[Comparison]:
    form, unit = enumerated(instance.game).form, spread(instance.game)
    state, *both = _expected(instance.game, instance.seed, instance.choice)
    for player, mean in enumerate(both):
        own, other = branching(form.treeplexes[player]), branching(form.treeplexes[1 - player])
        if len(own):
            exact = exact_regrets(form, state, player)
            yield most_apart(mean.regret[own], exact[own], unit, f"player {player}'s regrets")
        if len(other):
            exact = _exact_totals(instance.game, state, 1 - player)
            yield most_apart(mean.total[other], exact[other], 1.0, f"player {1 - player}'s average")


def _exact_totals(game: str, state: StreamState, player: int) -> Floats:
    """Return a player's plan times chance's part of each infoset, (S,)."""
    numbered, t = enumerated(game), enumerated(game).form.treeplexes[player]
    acting = numbered.acting[player]
    chance = numbered.tree.chance_floats[acting >= 0]
    part = np.bincount(acting[acting >= 0], chance, minlength=t.n_infosets)
    return np.asarray(t.plan(t.behaviour(state.regret[player])) * part[t.infoset_of])


def _unweighted(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    state, *both = _expected(instance.game, instance.seed, instance.choice)
    for player, mean in enumerate(both):
        own = branching(form.treeplexes[player])
        if len(own):
            exact, at = exact_regrets(form, state, player), f"player {player}'s regrets"
            yield most_apart(mean.unweighted[own], exact[own], spread(instance.game), at)


def _outcomes(effort: Effort) -> Iterator[Instance]:
    return (instance for instance in _instances(effort) if instance.choice.startswith("outcome"))


UNBIASED = Theorem(
    name="mccfr-unbiased",
    plain="The sampled counterfactual regrets of a traversal are on average the exact ones, and what is "
    "added to the other player's average is the plan times chance's reach; summed over all samples.",
    tex=r"\mathbb E\, \tilde r(I,a) = r(I,a)",
    source="Lanctot, Waugh, Zinkevich and Bowling 2009, Lemma 1; average sampling: Gibson et al. 2012",
    relation="==",
    instances=_instances,
    measure=_unbiased,
    tolerance=1e-11,
    twin=Twin(
        "Payoffs need not be divided by the probability of the own actions sampled.", _unweighted, _outcomes
    ),
)


def _runs(effort: Effort) -> Iterator[Instance]:
    for seed in effort.seeds(quick=1, full=5):
        for game in effort.choose(("coin_toss", "kuhn_poker"), (UNEVEN, "leduc_poker")):
            for scheme in SAMPLINGS:
                yield Instance(game, seed, choice=scheme)


def _traversed(
    numbered: NumberedTree, sampling: Sampling, state: StreamState, player: int
) -> tuple[Floats, StreamState]:
    """Run one traversal with the seed's next numbers; return its regrets, and the state with its averages."""
    draws = np.empty(4 * numbered.tree.n_nodes)
    fill(np.uint64(mixed(np.uint64(sampling.seed))), state.drawn, draws)
    sample = traverse(numbered, sampling, state, player, draws)
    total = list(state.total)
    total[1 - player] = total[1 - player] + sample.total
    return sample.regret, replace(state, drawn=state.drawn + sample.drawn, total=(total[0], total[1]))


def _told(numbered: NumberedTree, sampling: Sampling, in_turn: bool) -> StreamState:
    """Return the state after some iterations, traversal by traversal; in turn or against old regrets."""
    state = start_stream(numbered.form)
    for t in range(ITERATIONS):
        first, state = _traversed(numbered, sampling, state, 0)
        new = state.regret[0] + first, state.regret[1]
        if in_turn:
            state = replace(state, regret=new)
        second, state = _traversed(numbered, sampling, state, 1)
        state = replace(state, iterations=t + 1, regret=(new[0], new[1] + second))
    return state


def _run(instance: Instance, in_turn: bool) -> Iterator[Comparison]:
    numbered = enumerated(instance.game)
    sampling = replace(SAMPLINGS[instance.choice], seed=instance.seed)
    run = iterate(prepare(numbered, sampling), ITERATIONS).streams[0]
    told, unit = _told(numbered, sampling, in_turn), ITERATIONS * spread(instance.game)
    for player in (0, 1):
        yield most_apart(run.regret[player], told.regret[player], unit, f"player {player}'s regrets")
        yield most_apart(run.total[player], told.total[player], ITERATIONS, f"player {player}'s average")


def _in_turn(instance: Instance) -> Iterator[Comparison]:
    return _run(instance, True)


def _at_once(instance: Instance) -> Iterator[Comparison]:
    return _run(instance, False)


RUN = Theorem(
    name="mccfr-run",
    plain="What a run of Monte Carlo CFR holds are the sums of its traversals' sampled regrets and of what "
    "these add to averages, the players' traversals in turn.",
    tex=r"R^T(I,a) = \sum_{t \le T} \tilde r^t(I,a)",
    source="Lanctot, Waugh, Zinkevich and Bowling 2009, the definition of the algorithm",
    relation="==",
    instances=_runs,
    measure=_in_turn,
    tolerance=1e-12,
    twin=Twin("Both players traverse against plans from before the iteration.", _at_once),
)

THEOREMS = (UNBIASED, RUN)
