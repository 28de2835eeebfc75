"""Monte Carlo CFR on the rules of any game: nothing is enumerated, infosets enter a table when first met."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treeplex.cfr.monte_carlo.sampling import Sampling
from treeplex.cfr.monte_carlo.table_walk import PlayerTable, Slot, Stream, Walk
from treeplex.games.protocol import Game, S
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


@dataclass(frozen=True)
class TableState:
    """Everything that a later iteration depends on; continuing from it equals never having stopped.

    Attributes
    ----------
    iterations, seed, drawn : int
        Iterations done, the stream of random numbers, and how many of its numbers are used up.
    slots : pair of mappings from keys to Slot
        Each player's infosets with a choice that a traversal came to.
    regret, total : pair of (A,) f64
        Cumulative sampled regrets, and the sum that is averaged, as in ``SamplingState``.
    """

    iterations: int
    seed: int
    drawn: int
    slots: tuple[Mapping[str, Slot], Mapping[str, Slot]]
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]


@dataclass(frozen=True)
class TableRun:
    """The outcome of a run: average strategies where it came by, the state to go on from, and its seconds."""

    sampling: Sampling
    state: TableState
    seconds: float

    def strategy(self, player: int, key: str) -> dict[str, float] | None:
        """Return the average strategy at an infoset by action, None where the table has nothing of it.

        Uniform where no iteration has averaged yet. Infosets with one action have no place in the table.
        """
        slot = self.state.slots[player].get(key)
        return None if slot is None else shares(slot.actions, self._totals(player, slot))

    def items(self, player: int) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the key and the average strategy of each infoset in the table, in the order they were met."""
        for key, slot in self.state.slots[player].items():
            yield key, shares(slot.actions, self._totals(player, slot))

    def _totals(self, player: int, slot: Slot) -> Floats:
        return self.state.total[player][slot.begin : slot.begin + len(slot.actions)]


class Strategies(Protocol):
    """What holds average strategies by player and infoset, None where it has none."""

    def strategy(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the probability of each action."""


def start(seed: int) -> TableState:
    """Return the state before the first iteration: empty tables, nothing drawn."""
    empty = np.zeros(0)
    return TableState(0, seed, 0, ({}, {}), (empty, empty), (empty, empty))


def mccfr_on_game(
    game: Game[S], sampling: Sampling, iterations: int, seed: int, state: TableState | None = None
) -> TableRun:
    """Run Monte Carlo counterfactual regret minimisation on a game's rules.

    Iterations, weights and random numbers are those of ``mccfr``, draw by draw: what leaves no
    choice is passed over, and chance that follows chance is one draw. So the same seed gives the same table
    up to rounding, but the game is never walked through: memory grows with the infosets met.

    Perfect recall, which the theory of regret minimisation supposes, is the game's duty; it cannot be
    checked without enumerating.

    Parameters
    ----------
    seed : int
        Of the random numbers, 0 to 2**64 - 1.
    state : TableState, optional
        Where an earlier run on the same game with the same seed stopped. It is not changed.

    Raises
    ------
    ValueError
        If ``iterations`` is not positive, the seed is out of range or the state's is another, a chance
        node's probabilities do not add up to one, or an infoset has different actions at two histories.
    OverflowError
        If a payoff is too large for a float.
    """
    check_sampling(sampling, ("external", "outcome", "chance"))
    check_run(iterations, seed, None if state is None else state.seed)
    clock = time.perf_counter()
    old = start(seed) if state is None else state
    one, two = (PlayerTable(*side) for side in zip(old.slots, old.regret, old.total, strict=True))
    walk = Walk(game, sampling, (one, two), Stream(seed, old.drawn))
    last = old.iterations + iterations
    for t in range(old.iterations + 1, last + 1):
        walk.iterate(t)
    new = TableState(
        last,
        seed,
        walk.stream.drawn,
        (one.slots, two.slots),
        (np.array(one.regret), np.array(two.regret)),
        (np.array(one.total), np.array(two.total)),
    )
    return TableRun(sampling, new, time.perf_counter() - clock)


def profile_of(run: Strategies, form: SequenceForm) -> Profile:
    """Return a run's average strategies as a profile on an enumerated form of the game.

    Infosets that no traversal came to, and those where nothing was averaged, are played uniformly: a rule,
    not a finding.

    Raises
    ------
    ValueError
        If the actions at an infoset are others than the form's.
    """
    behaviour = []
    for player, t in enumerate(form.treeplexes):
        played = t.uniform()
        for key, lo, hi in zip(t.infosets, t.begin.tolist(), t.end.tolist(), strict=True):
            row = run.strategy(player, key) if hi - lo > 1 else None
            if row is not None:
                actions = t.actions[lo:hi]
                if set(row) != set(actions):
                    raise ValueError(
                        f"infoset {key!r} must have actions {', '.join(actions)}, got {', '.join(row)}"
                    )
                played[lo:hi] = [row[a] for a in actions]
        behaviour.append(played)
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def shares(actions: Sequence[str], totals: Floats) -> dict[str, float]:
    """Return each action's share of what was averaged, equal shares of nothing."""
    mass = float(totals.sum())
    if not mass > 0.0:
        return dict.fromkeys(actions, 1.0 / len(actions))
    return dict(zip(actions, (totals / mass).tolist(), strict=True))


def check_sampling(sampling: Sampling, schemes: Sequence[str]) -> None:
    """Refuse what needs an enumerated game."""
    if sampling.scheme not in schemes:
        raise ValueError(
            f"scheme must be one of {', '.join(schemes)} where nothing is enumerated, got {sampling.scheme!r}"
        )
    if sampling.pruning is not None:
        raise ValueError("pruning is for enumerated games")


def check_run(iterations: int, seed: int, resumed: int | None) -> None:
    """Refuse counts that are not positive, seeds out of range and a state of another seed."""
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
    if resumed not in (None, seed):
        raise ValueError(f"the state is of seed {resumed}, got seed {seed}")
