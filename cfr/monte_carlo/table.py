"""Monte Carlo CFR on the rules of any game: nothing is enumerated, infosets enter a table when first met."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

import numpy as np

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.monte_carlo.config import Sampling
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
    iterations, drawn : int
        Iterations done, and how many random numbers are used up.
    slots : pair of mappings from keys to Slot
        Each player's infosets with a choice that a traversal came to.
    regret, total : pair of (A,) f64
        Cumulative sampled regrets, and the sum that is averaged, as in ``StreamState``.
    """

    iterations: int
    drawn: int
    slots: tuple[Mapping[str, Slot], Mapping[str, Slot]]
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]

    @property
    def n_infosets(self) -> int:
        """How many infosets the tables hold."""
        return sum(map(len, self.slots))

    @property
    def n_bytes(self) -> int:
        """Memory that regrets and averages take."""
        return sum(array.nbytes for array in (*self.regret, *self.total))


@dataclass(frozen=True)
class TableStrategy:
    """Average strategies where a run came by.

    Attributes
    ----------
    slots : pair of mappings from keys to Slot
    total : pair of (A,) f64
    """

    slots: tuple[Mapping[str, Slot], Mapping[str, Slot]]
    total: tuple[Floats, Floats]

    def at(self, player: int, key: str) -> dict[str, float] | None:
        """Return the average strategy at an infoset by action, None where the table has nothing of it.

        Uniform where no iteration has averaged yet. Infosets with one action have no place in the table.
        """
        slot = self.slots[player].get(key)
        return None if slot is None else shares(slot.actions, self._totals(player, slot))

    def items(self, player: int) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the key and the average strategy of each infoset in the table, in the order they were met."""
        for key, slot in self.slots[player].items():
            yield key, shares(slot.actions, self._totals(player, slot))

    def _totals(self, player: int, slot: Slot) -> Floats:
        return self.total[player][slot.begin : slot.begin + len(slot.actions)]


class Strategies(Protocol):
    """What holds average strategies by player and infoset, None where it has none."""

    def at(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the probability of each action."""


@dataclass(frozen=True)
class TableCFR(Generic[S]):
    """Monte Carlo CFR on a game's rules; advancing leaves the state's tables alone.

    Iterations, weights and random numbers are those of ``sampling``, draw by draw: what leaves no
    choice is passed over, and chance that follows chance is one draw. So the same seed gives the same table
    up to rounding, but the game is never walked through: memory grows with the infosets met.

    Perfect recall, which the theory of regret minimisation supposes, is the game's duty; it cannot be
    checked without enumerating.

    Attributes
    ----------
    game : Game
    config : Sampling
        External, outcome or chance sampling in one stream.
    """

    game: Game[S]
    config: Sampling

    def start(self) -> TableState:
        """Return the state before the first iteration: empty tables, nothing drawn."""
        empty = np.zeros(0)
        return TableState(0, 0, ({}, {}), (empty, empty), (empty, empty))

    def advance(self, state: TableState, iterations: int) -> TableState:
        """Return the state after more iterations.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, a chance node's probabilities do not add up to one, or an
            infoset has different actions at two histories.
        OverflowError
            If a payoff is too large for a float.
        """
        check_iterations(iterations)
        one, two = (PlayerTable(*side) for side in zip(state.slots, state.regret, state.total, strict=True))
        walk = Walk(self.game, self.config, (one, two), Stream(self.config.seed, state.drawn))
        last = state.iterations + iterations
        for t in range(state.iterations + 1, last + 1):
            walk.iterate(t)
        regret, total = (
            (np.array(one.regret), np.array(two.regret)),
            (np.array(one.total), np.array(two.total)),
        )
        return TableState(last, walk.stream.drawn, (one.slots, two.slots), regret, total)

    def strategy(self, state: TableState) -> TableStrategy:
        """Return the average strategies of the infosets that were met."""
        return TableStrategy(state.slots, state.total)


def prepare(game: Game[S], config: Sampling) -> TableCFR[S]:
    """Return an engine on a game's rules.

    Raises
    ------
    ValueError
        If the config is for enumerated games.
    """
    check_sampling(config, ("external", "outcome", "chance"))
    return TableCFR(game, config)


def profile_of(strategies: Strategies, form: SequenceForm) -> Profile:
    """Return average strategies as a profile on an enumerated form of the game.

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
            row = strategies.at(player, key) if hi - lo > 1 else None
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
    if sampling.streams > 1:
        raise ValueError(f"streams must be 1 where nothing is enumerated, got {sampling.streams}")
