"""Betting against an opponent who ignores the cards, as arrays for each street, equal states merged.

Such an opponent mixes by the betting alone, so that betting states that differ in their line alone have the
same value for the responder and are merged: 6,378 betting lines of limit hold'em become a few hundred states.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.treeplex import Floats, Index

Mix = Callable[[tuple[str, ...]], Sequence[Fraction]]
"""From the labels of the legal actions to the probability of each."""
LEAF, BEST, MIXED = 0, 1, 2
"""The kinds of rows of a street."""
MOST_STATES = 20_000
"""The largest number of merged betting states of a game."""
_BLOCK = 128


class BettingRow(NamedTuple):
    """One betting state of a street.

    The value of a ``LEAF`` is ``constant + scale * inputs[source]``, of ``BEST`` the largest child's, of
    ``MIXED`` the sum of ``weights`` times children's.
    """

    kind: int
    children: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    constant: float = 0.0
    scale: float = 0.0
    source: int = 0


class Street(NamedTuple):
    """One street's betting as flat arrays; children have larger numbers than their parents.

    The last street has one input row: the share of the opponent's possible hands that lose minus the share
    that win. The inputs of an earlier street are the means, over the next cards, of the values of the next
    street's ``start`` rows.
    """

    kind: NDArray[np.int8]
    begin: Index
    child: Index
    weight: Floats
    constant: Floats
    scale: Floats
    source: Index
    start: Index


@dataclass(frozen=True)
class BlindBetting:
    """The betting as the responder sees it.

    Attributes
    ----------
    streets : tuple of Street
        One before any board card, then one for each deal of board cards.
    lower, upper : Fraction
        The value if the responder lost every showdown, and if it won every showdown.
    largest : Fraction
        The largest absolute payoff.
    """

    streets: tuple[Street, ...]
    lower: Fraction
    upper: Fraction
    largest: Fraction


_Children = list[tuple[Fraction, BettingState]]


def blind_betting(game: PokerGame, mix: Mix, seat: int) -> BlindBetting:
    """Enumerate the merged betting states that a card-blind opponent of ``seat`` reaches.

    Raises
    ------
    ValueError
        If the opponent's numbers are not probabilities, or there are more than ``MOST_STATES`` states.
    """
    root = game.betting.merged(game.start())
    children = _explore(game, mix, seat, root)
    # Every action but a fold, which ends the hand, increases ``acted``: parents come before children.
    order = sorted(children, key=lambda s: (s.round, s.acted, s.player < 0))
    bounds: dict[BettingState, tuple[Fraction, Fraction]] = {}
    for state in reversed(order):
        bounds[state] = _bounds(state, children[state], bounds, seat)
    ends = [abs(worth) for s in order if s.player == HAND_OVER for worth in bounds[s]]
    return BlindBetting(_streets(game, children, order, seat), *bounds[root], max(ends))


def pack_street(rows: Sequence[BettingRow], start: Sequence[int]) -> Street:
    """Return the arrays of a street from its rows; ``start`` are the rows at which it may begin."""
    counts = [len(row.children) for row in rows]
    return Street(
        np.array([row.kind for row in rows], np.int8),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.array([c for row in rows for c in row.children], np.int64),
        np.array([w for row in rows for w in row.weights or (1.0,) * len(row.children)], np.float64),
        np.array([row.constant for row in rows], np.float64),
        np.array([row.scale for row in rows], np.float64),
        np.array([row.source for row in rows], np.int64),
        np.array(start, np.int64),
    )


def play_street(street: Street, inputs: Floats) -> Floats:
    """Return the values of the start rows, (S, C), from inputs (R, C)."""
    outputs = np.empty((len(street.start), inputs.shape[1]))
    _play(street, inputs, np.empty((len(street.kind), _BLOCK)), outputs)
    return outputs


@njit(cache=True, error_model="numpy")
def _play(street: Street, inputs: Floats, work: Floats, outputs: Floats) -> None:
    """Backward induction for one block of columns at a time, which fits into the cache."""
    n_columns = inputs.shape[1]
    for low in range(0, n_columns, work.shape[1]):
        width = min(work.shape[1], n_columns - low)
        for n in range(len(street.kind) - 1, -1, -1):
            row = work[n, :width]
            if street.kind[n] == LEAF:
                row[:] = street.constant[n]
                if street.scale[n] != 0.0:
                    row += street.scale[n] * inputs[street.source[n], low : low + width]
                continue
            first = street.begin[n]
            row[:] = street.weight[first] * work[street.child[first], :width]
            for k in range(first + 1, street.begin[n + 1]):
                below = work[street.child[k], :width]
                if street.kind[n] == MIXED:
                    row += street.weight[k] * below
                else:
                    for j in range(width):
                        row[j] = below[j] if below[j] > row[j] else row[j]
        for s in range(len(street.start)):
            outputs[s, low : low + width] = work[street.start[s], :width]


def _explore(game: PokerGame, mix: Mix, seat: int, root: BettingState) -> dict[BettingState, _Children]:
    found: dict[BettingState, _Children] = {root: []}
    waiting = [root]
    while waiting:
        state = waiting.pop()
        found[state] = _children(game, mix, seat, state)
        for _, after in found[state]:
            if after not in found:
                found[after] = []
                waiting.append(after)
        if len(found) > MOST_STATES:
            raise BadInputError(
                f"{game.name}: the betting must have at most {MOST_STATES:,} states, got more"
            )
    return found


def _children(game: PokerGame, mix: Mix, seat: int, state: BettingState) -> _Children:
    """Return the next states with the opponent's probabilities; those of probability 0 are left out."""
    if state.player == HAND_OVER:
        return []
    if state.player == ROUND_OVER:
        return [(Fraction(1), game.betting.merged(game.dealt(state)[1]))]
    moves = game.moves(state)
    odds = [Fraction(1)] * len(moves)
    if state.player != seat:
        odds = _checked(tuple(label for label, _ in moves), mix)
    return [(odd, game.betting.merged(after)) for odd, (_, after) in zip(odds, moves, strict=True) if odd]


def _checked(labels: tuple[str, ...], mix: Mix) -> list[Fraction]:
    odds = [Fraction(odd) for odd in mix(labels)]
    if len(odds) != len(labels) or min(odds) < 0 or sum(odds) != 1:
        text = ", ".join(map(str, odds))
        raise BadInputError(
            f"a strategy must give {', '.join(labels)} probabilities of at least 0 that sum to 1, got {text}"
        )
    return odds


def _bounds(
    state: BettingState,
    children: _Children,
    bounds: Mapping[BettingState, tuple[Fraction, Fraction]],
    seat: int,
) -> tuple[Fraction, Fraction]:
    """Return the value of a state if the responder loses every showdown, and if it wins every showdown."""
    if state.player == HAND_OVER:
        if state.folded >= 0:
            won = _sign(seat) * state.stake
            return won, won
        return -state.stake, state.stake
    combine: Callable[[Iterable[Fraction]], Fraction] = max if state.player == seat else _sum
    lower = combine(odd * bounds[after][0] for odd, after in children)
    return lower, combine(odd * bounds[after][1] for odd, after in children)


def _sign(seat: int) -> int:
    """Return the sign of a player's payoffs relative to player 0's."""
    return 1 if seat == 0 else -1


def _sum(terms: Iterable[Fraction]) -> Fraction:
    return sum(terms, Fraction(0))


def _streets(
    game: PokerGame, children: Mapping[BettingState, _Children], order: Sequence[BettingState], seat: int
) -> tuple[Street, ...]:
    """Split the states into streets at the deals of cards; streets without betting are a single leaf."""
    levels = np.cumsum([n > 0 for n in game.board_cards])
    streets = [pack_street([BettingRow(LEAF, scale=1.0)], [0])] if game.board_cards[0] else []
    start = [order[0]]
    for level in range(len(streets), int(levels[-1]) + 1):
        members = [state for state in order if levels[state.round] == level]
        place = {state: n for n, state in enumerate(members)}
        dealt = dict.fromkeys(children[s][0][1] for s in members if s.player == ROUND_OVER)
        source = {state: k for k, state in enumerate(dealt)}
        rows = [_row(state, children[state], place, source, seat) for state in members]
        streets.append(pack_street(rows, [place[state] for state in start]))
        start = list(dealt)
    return tuple(streets)


def _row(
    state: BettingState,
    children: _Children,
    place: Mapping[BettingState, int],
    source: Mapping[BettingState, int],
    seat: int,
) -> BettingRow:
    if state.player == ROUND_OVER:
        return BettingRow(LEAF, scale=1.0, source=source[children[0][1]])
    if state.player == HAND_OVER:
        if state.folded < 0:
            return BettingRow(LEAF, scale=float(state.stake))
        return BettingRow(LEAF, constant=float(_sign(seat) * state.stake))
    below = tuple(place[after] for _, after in children)
    if state.player == seat:
        return BettingRow(BEST, below)
    return BettingRow(MIXED, below, tuple(float(odd) for odd, _ in children))
