"""Monte Carlo CFR on the rules of any game; infosets are added to a dictionary when first met.

Sampled traversals follow the rules, with a growing table of infosets.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Generic, NamedTuple, Protocol

import numpy as np

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.sampling.draws import fill, mixed
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_shape, check_size
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game, S
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

BUFFERED = 4096
"""Random numbers computed at a time."""
DRAWS = 4096
"""Size of the cache of chance nodes' outcomes (least recently used)."""


class Slot(NamedTuple):
    """First index of an infoset's numbers, and its actions in order."""

    begin: int
    actions: tuple[str, ...]


class PlayerTable:
    """One player's growing table of regrets and sums of strategies."""

    def __init__(self, slots: Mapping[str, Slot], regret: Floats, total: Floats) -> None:
        self.slots = dict(slots)
        self.regret, self.total = array("d", regret), array("d", total)

    def slot(self, key: str, actions: tuple[str, ...]) -> Slot:
        """Return an infoset's slot, appended if it is met for the first time."""
        slot = self.slots.get(key)
        if slot is None:
            slot = self.slots[key] = Slot(len(self.regret), actions)
            self.regret.extend([0.0] * len(actions))
            self.total.extend([0.0] * len(actions))
        elif slot.actions != actions:
            raise BadInputError(f"infoset {key!r} must have the same actions everywhere, got {actions}")
        return slot

    def row(self, slot: Slot) -> list[float]:
        """Return the current strategy: regret matching, uniform where no regret is positive."""
        n = len(slot.actions)
        gains = [max(r, 0.0) for r in self.regret[slot.begin : slot.begin + n]]
        mass = sum(gains)
        return [g / mass for g in gains] if mass > 0.0 else [1.0 / n] * n

    def average(self, slot: Slot, row: list[float], weight: float) -> None:
        """Add a strategy to the average with a weight."""
        for a, p in enumerate(row):
            self.total[slot.begin + a] += weight * p


class Stream:
    """An iterator of a stream's random numbers after the first ``drawn``."""

    def __init__(self, seed: int, drawn: int) -> None:
        self.start, self.drawn = np.uint64(mixed(np.uint64(seed))), drawn
        self.waiting: list[float] = []

    def take(self) -> float:
        """Return the next number."""
        if not self.waiting:
            draws = np.empty(BUFFERED)
            fill(self.start, self.drawn, draws)
            self.waiting = draws[::-1].tolist()
        self.drawn += 1
        return self.waiting.pop()


class TableWalk(Generic[S]):
    """A sampled game: both tables, the random stream, and the regrets of the current traversal."""

    def __init__(
        self, game: Game[S], sampling: Sampling, sides: tuple[PlayerTable, PlayerTable], stream: Stream
    ) -> None:
        self.game, self.sampling, self.sides, self.stream = game, sampling, sides, stream
        self.draw = lru_cache(maxsize=DRAWS)(self._draw)
        self.gains: dict[Slot, list[float]] = {}

    def iterate(self, t: int) -> None:
        """Traverse once for each player; regrets are added after the traversal and clipped at the floor."""
        scale, weight = float(t) ** self.sampling.regret_exponent, float(t) ** self.sampling.exponent
        for player, side in enumerate(self.sides):
            self.gains = {}
            if self.sampling.scheme == "outcome":
                self._follow(player, weight)
            else:
                self._value(self.game.root(), player, weight, 1.0)
            for slot, gains in self.gains.items():
                for a, gain in enumerate(gains, start=slot.begin):
                    side.regret[a] = max(side.regret[a] + scale * gain, self.sampling.floor)

    def _value(self, state: S, player: int, weight: float, reach: float) -> float:
        """Return the sampled value times ``reach``, the product of the other's unsampled probabilities."""
        who, actions, state = self._choice(state)
        if who == CHANCE:
            return self._value(self._drawn(state), player, weight, reach)
        if who == TERMINAL:
            return reach * self._payoff(state, player)
        side, slot, row = self._row(who, state, actions)
        if who == player:
            values = [self._value(self.game.child(state, a), player, weight, reach) for a in actions]
            value = sum(p * v for p, v in zip(row, values, strict=True))
            self._gather(slot, [v - value for v in values])
            return value
        side.average(slot, row, weight * reach)
        if self.sampling.scheme == "external":
            taken = actions[_chosen(row, self.stream.take())]
            return self._value(self.game.child(state, taken), player, weight, reach)
        return sum(
            self._value(self.game.child(state, a), player, weight, reach * p)
            for a, p in zip(actions, row, strict=True)
            if p > 0.0
        )

    def _follow(self, player: int, weight: float) -> None:
        """Sample one history with exploration, and gather the regrets of the player's actions along it."""
        path, likely, explored = [], 1.0, self.sampling.exploration
        who, actions, state = self._choice(self.game.root())
        while who != TERMINAL:
            if who == CHANCE:
                state = self._drawn(state)
            else:
                side, slot, row = self._row(who, state, actions)
                rates = row
                if who == player:
                    rates = [explored / len(row) + (1.0 - explored) * p for p in row]
                else:
                    side.average(slot, row, weight / likely)
                a = _chosen(rates, self.stream.take())
                if who == player:
                    path.append((slot, a, row[a]))
                    likely *= rates[a]
                state = self.game.child(state, actions[a])
            who, actions, state = self._choice(state)
        worth = self._payoff(state, player) / likely
        for slot, a, p in reversed(path):
            self._gather(slot, [(worth if b == a else 0.0) - worth * p for b in range(len(slot.actions))])
            worth *= p

    def _row(self, who: int, state: S, actions: tuple[str, ...]) -> tuple[PlayerTable, Slot, list[float]]:
        side = self.sides[who]
        slot = side.slot(self.game.infoset(state, who), actions)
        return side, slot, side.row(slot)

    def _gather(self, slot: Slot, gains: list[float]) -> None:
        before = self.gains.get(slot)
        self.gains[slot] = gains if before is None else [b + g for b, g in zip(before, gains, strict=True)]

    def _payoff(self, state: S, player: int) -> float:
        payoff = float(self.game.payoff(state))
        return payoff if player == 0 else -payoff

    def _choice(self, state: S) -> tuple[int, tuple[str, ...], S]:
        """Return the next state with several actions or outcomes, after its player and these."""
        while True:
            who = self.game.player(state)
            if who == TERMINAL:
                return who, (), state
            actions = self.game.actions(state) if who != CHANCE else [a for a, _ in self.game.chance(state)]
            if len(actions) != 1:
                return who, tuple(actions), state
            state = self.game.child(state, actions[0])

    def _drawn(self, state: S) -> S:
        cumulative, below = self.draw(state)
        return below[bisect_right(cumulative, self.stream.take())]

    def _draw(self, state: S) -> tuple[list[float], list[S]]:
        """Return the states after consecutive chance nodes, and their cumulative probabilities."""
        weights, below = zip(*self._outcomes(state, Fraction(1)), strict=True)
        sums = list(accumulate(weights))
        if sums[-1] != 1:
            raise BadInputError(f"the probabilities at {state!r} must sum to 1, got {sums[-1]}")
        return [float(s) for s in sums], list(below)

    def _outcomes(self, state: S, weight: Fraction) -> Iterator[tuple[Fraction, S]]:
        for label, probability in self.game.chance(state):
            who, _, below = self._choice(self.game.child(state, label))
            if who == CHANCE:
                yield from self._outcomes(below, weight * probability)
            else:
                yield weight * probability, below


def _chosen(row: list[float], u: float) -> int:
    """Sample an action by u; actions of probability 0 are not sampled, whatever the rounding."""
    choice = 0
    for a, p in enumerate(row):
        if u >= 0.0 and p > 0.0:
            choice = a
            u -= p
    return choice


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
            for table in (state.regret[p], state.total[p]):
                check_shape(f"player {p}'s regret and total", table, (used,))
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
        walk = TableWalk(self.game, self.config, (one, two), Stream(self.config.seed, state.drawn))
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
                    raise BadInputError(
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
        raise BadInputError(
            f"scheme must be one of {', '.join(schemes)} where nothing is enumerated, got {sampling.scheme!r}"
        )
    if sampling.pruning is not None:
        raise BadInputError("pruning is for enumerated games")
    if sampling.streams > 1:
        raise BadInputError(f"streams must be 1 where nothing is enumerated, got {sampling.streams}")
