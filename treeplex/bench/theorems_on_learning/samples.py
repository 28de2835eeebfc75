"""Every sample that a Monte Carlo traversal can draw, and the expectation over all of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np

from treeplex.cfr.sampling.draws import averaged_rate, pruned_rate
from treeplex.cfr.sampling.history_sampling import StreamState, start_stream, traverse
from treeplex.cfr.sampling.sampled_tree import DRAW, LEAF, SampledTree, memory_of, sampled_tree
from treeplex.cfr.sampling.sampling_config import Kernel, Sampling, kernel_of
from treeplex.cfr.theory.regret_log import immediate_regrets
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

MOST_SAMPLES = 20_000
"""As many samples are enumerated of one traversal."""
T = TypeVar("T")


@dataclass
class Script:
    """Given picks, then the first possible ones; remembers the other choices, and draws that pick the same.

    Attributes
    ----------
    given : list of int
        What the first picks are.
    picks : list of int
    rows : list of lists of float
        The probabilities of each pick's alternatives.
    draws : list of float
        Numbers in [0, 1) by which a traversal picks the same.
    """

    given: list[int]
    picks: list[int] = field(default_factory=list)
    rows: list[list[float]] = field(default_factory=list)
    draws: list[float] = field(default_factory=list)

    def pick(self, probabilities: list[float]) -> int:
        """Return the next pick, an alternative of positive probability."""
        k = self.given[len(self.picks)] if len(self.picks) < len(self.given) else 0
        while probabilities[k] == 0:
            k += 1
        self.picks.append(k)
        self.rows.append(probabilities)
        self.draws.append(float(sum(probabilities[:k]) + probabilities[k] / 2))
        return k

    @property
    def probability(self) -> float:
        """The probability of all picks."""
        return math.prod(float(row[k]) for row, k in zip(self.rows, self.picks, strict=True))

    def following(self) -> list[int] | None:
        """Return the picks of the next sample in lexicographic order, None after the last."""
        for depth in range(len(self.picks) - 1, -1, -1):
            for k in range(self.picks[depth] + 1, len(self.rows[depth])):
                if self.rows[depth][k] > 0:
                    return [*self.picks[:depth], k]
        return None


def every_sample(run: Callable[[Script], T], most: int = MOST_SAMPLES) -> list[tuple[Script, T]]:
    """Run something on every script there is; return pairs of a script and what came out.

    Raises
    ------
    ValueError
        If there are more than ``most``.
    """
    samples: list[tuple[Script, T]] = []
    picks: list[int] | None = []
    while picks is not None:
        if len(samples) == most:
            raise BadInputError(f"samples must be at most {most:,}, got more")
        script = Script(picks)
        samples.append((script, run(script)))
        picks = script.following()
    return samples


class ExpectedSample(NamedTuple):
    """The expectation of one traversal of a player over all its samples.

    regret : (S,) f64, the player's sampled counterfactual regrets.
    unweighted : (S,) f64, the same with each sample times the probability of the own actions sampled.
    total : (S',) f64, the increment of the other player's sum of strategies.
    samples : their number.
    """

    regret: Floats
    unweighted: Floats
    total: Floats
    samples: int


def expected(enumerated: NumberedTree, sampling: Sampling, state: StreamState, player: int) -> ExpectedSample:
    """Return the expectation of a player's next traversal, all samples weighted by their probabilities."""
    form, walk = enumerated.form, _Walk(enumerated, sampling, state, player)
    regret, unweighted = np.zeros((2, form.treeplexes[player].n_sequences))
    total = np.zeros(form.treeplexes[1 - player].n_sequences)
    samples = every_sample(walk.likelihood)
    for script, likely in samples:
        draws = np.concatenate((script.draws, np.zeros(3 * enumerated.tree.n_nodes)))
        sample = traverse(enumerated, sampling, state, player, draws)
        regret += script.probability * sample.regret
        unweighted += script.probability * likely * sample.regret
        total += script.probability * sample.total
    return ExpectedSample(regret, unweighted, total, len(samples))


def some_state(form: SequenceForm, seed: int) -> StreamState:
    """Return a random state: some regrets are negative, at some infosets all, and something was averaged."""
    rng = np.random.default_rng(seed)
    sizes = [t.n_sequences for t in form.treeplexes]
    regret = rng.normal(-1, 4, sizes[0]), rng.normal(-1, 4, sizes[1])
    return replace(
        start_stream(form), regret=regret, total=(rng.random(sizes[0]) ** 3, rng.random(sizes[1]) ** 3)
    )


def branching(treeplex: Treeplex) -> Index:
    """Return the sequences of infosets with more than one action; sampling passes over the others."""
    counts = treeplex.end - treeplex.begin
    return np.flatnonzero(np.concatenate(([False], np.repeat(counts > 1, counts))))


def exact_regrets(form: SequenceForm, state: StreamState, player: int) -> Floats:
    """Return the exact counterfactual regrets of a player where both play by regret matching, (S,)."""
    x, y = (t.behaviour(r) for t, r in zip(form.treeplexes, state.regret, strict=True))
    plan = form.treeplexes[1 - player].plan((x, y)[1 - player])
    return immediate_regrets(form.treeplexes[player], (x, y)[player], form.gradient(player, plan))


class _Walk:
    """A traversal told again, node by node in preorder, which draws from a script."""

    def __init__(self, enumerated: NumberedTree, sampling: Sampling, state: StreamState, player: int) -> None:
        self.tree: SampledTree = sampled_tree(enumerated)
        self.memory = memory_of(state.regret, state.total)
        self.scheme, self.exploration, self.player = sampling.scheme, sampling.exploration, player
        self.kernel: Kernel = kernel_of(sampling, state.iterations)

    def likelihood(self, script: Script) -> float:
        """Walk by a script; return the probability of the own actions sampled, 1 where all are tried."""
        return self._below(0, script)

    def _below(self, node: int, script: Script) -> float:
        record = self.tree.nodes[node]
        kind, first, count = int(record["kind"]), int(record["first"]), int(record["count"])
        if kind == LEAF:
            return 1.0
        if kind == DRAW:
            sums = self.tree.nodes["cumulative"][first : first + count]
            return self._below(first + script.pick(np.diff(sums, prepend=0.0).tolist()), script)
        play = self._play(int(record["base"]), count)
        if kind != self.player and self.scheme != "chance":
            return self._below(first + script.pick(play), script)
        if self.scheme == "outcome":
            rates = [self.exploration / count + (1.0 - self.exploration) * p for p in play]
            k = script.pick(rates)
            return rates[k] * self._below(first + k, script)
        entered = [p > 0.0 for p in play]
        if kind == self.player:
            rates = self._rates(int(record["base"]), count)
            entered = [q >= 1.0 or script.pick([q, 1.0 - q]) == 0 for q in rates]
        return math.prod([self._below(first + a, script) for a in range(count) if entered[a]])

    def _play(self, lo: int, count: int) -> list[float]:
        """Return regret matching's probabilities at an infoset."""
        regret = np.maximum(self.memory["regret"][lo : lo + count], 0.0)
        mass = regret.sum()
        return [1.0 / count] * count if mass == 0.0 else (regret / mass).tolist()

    def _rates(self, lo: int, count: int) -> list[float]:
        """Return how likely each own action is tried."""
        rows = self.memory[lo : lo + count]
        if self.kernel.averaged is not None:
            mass = float(rows["total"].sum())
            return [averaged_rate(self.kernel.averaged, float(s), mass) for s in rows["total"]]
        if self.kernel.pruned is not None and (rows["regret"] > 0.0).any():
            return [pruned_rate(self.kernel.pruned, float(r)) for r in rows["regret"]]
        return [1.0] * count
