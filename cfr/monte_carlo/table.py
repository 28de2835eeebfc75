"""Monte Carlo CFR on the rules of any game; infosets are added to a dictionary when first met."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

import numpy as np

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.monte_carlo.config import Sampling
from treeplex.cfr.monte_carlo.table_walk import PlayerTable, Slot, Stream, Walk
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_shape, check_size
from treeplex.games.protocol import Game, S
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats


@dataclass(frozen=True)
class TableState:
    """The state between iterations; a run continued from it is bitwise that of an unbroken run.

    Attributes
    ----------
    iterations, drawn : int
        Numbers of iterations done and of random numbers used.
    slots : pair of mappings from keys to Slot
        Each player's infosets with several actions that were met.
    regret, total : pair of (A,) f64
        Cumulative sampled regrets, and weighted sums of strategies, as in ``StreamState``.
    """

    iterations: int
    drawn: int
    slots: tuple[Mapping[str, Slot], Mapping[str, Slot]]
    regret: tuple[Floats, Floats]
    total: tuple[Floats, Floats]

    @property
    def n_infosets(self) -> int:
        """Number of infosets in both tables."""
        return sum(map(len, self.slots))

    @property
    def n_bytes(self) -> int:
        """Bytes of regrets and averages."""
        return sum(array.nbytes for array in (*self.regret, *self.total))


@dataclass(frozen=True)
class TableStrategy:
    """Average strategies at the infosets that a run met.

    Attributes
    ----------
    slots : pair of mappings from keys to Slot
    total : pair of (A,) f64
    """

    slots: tuple[Mapping[str, Slot], Mapping[str, Slot]]
    total: tuple[Floats, Floats]

    def at(self, player: int, key: str) -> dict[str, float] | None:
        """Return the average strategy at an infoset by action, None if it is not in the table.

        Uniform if the sum of strategies is 0. Infosets with one action are not in the table.
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
    """Average strategies by player and infoset."""

    def at(self, player: int, key: str) -> Mapping[str, float] | None:
        """Return the probability of each action, None for infosets without a strategy."""


@dataclass(frozen=True)
class TableCFR(Generic[S]):
    """Monte Carlo CFR on a game's rules; advancing leaves the state's tables alone.

    Iterations, weights and random numbers are those of ``sampling``, draw by draw: histories with one action
    are passed over, and consecutive chance nodes are one draw. So the same seed gives the same regrets and
    averages up to rounding. Memory grows with the infosets met.

    The game must have perfect recall, which cannot be checked without enumerating it.

    Attributes
    ----------
    game : Game
    config : Sampling
        External, outcome or chance sampling, one stream.
    """

    game: Game[S]
    config: Sampling

    def start(self) -> TableState:
        """Return the state before the first iteration: empty tables, nothing drawn."""
        empty = np.zeros(0)
        return TableState(0, 0, ({}, {}), (empty, empty), (empty, empty))

    def check(self, state: TableState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_count("iterations", state.iterations)
        check_count("drawn", state.drawn)
        for p, slots in enumerate(state.slots):
            used = sum(len(slot.actions) for slot in slots.values())
            for array in (state.regret[p], state.total[p]):
                check_shape(f"player {p}'s regret and total", array, (used,))
            for slot in slots.values():
                check_count(f"player {p}'s place of an infoset", slot.begin, most=used - len(slot.actions))
            check_size(f"player {p}'s regret", state.regret[p])
            check_range(f"player {p}'s total", state.total[p], 0.0, LARGEST["float64"])

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
        """Return the average strategies at the infosets that were met."""
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

    Infosets that were not met, or whose sum of strategies is 0, are played uniformly.

    Raises
    ------
    ValueError
        If the actions at an infoset differ from the form's.
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
    """Return ``totals`` normalised, by action; uniform if they sum to 0."""
    mass = float(totals.sum())
    if not mass > 0.0:
        return dict.fromkeys(actions, 1.0 / len(actions))
    return dict(zip(actions, (totals / mass).tolist(), strict=True))


def check_sampling(sampling: Sampling, schemes: Sequence[str]) -> None:
    """Raise ``ValueError`` for options that need an enumerated game."""
    if sampling.scheme not in schemes:
        raise ValueError(
            f"scheme must be one of {', '.join(schemes)} where nothing is enumerated, got {sampling.scheme!r}"
        )
    if sampling.pruning is not None:
        raise ValueError("pruning is for enumerated games")
    if sampling.streams > 1:
        raise ValueError(f"streams must be 1 where nothing is enumerated, got {sampling.streams}")
