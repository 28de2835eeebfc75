"""Numbers of decisions, actions, folds and showdowns in each betting round, without enumerating the lines.

Lines whose states differ in the line alone have the same continuations: they are merged into one state and a
count. If raises may be to any whole chip, there are too many merged states; but then no raise of a round is
smaller than the one before, so that lines correspond to partitions of the chips added to the pot, counted by
generating functions. All numbers are exact.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from operator import add

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState, MoveLimit

MOST_SUMS = 25_000_000
"""The largest (number of totals) x (number of raises); sums over so many take seconds."""


@dataclass(frozen=True)
class RoundBetting:
    """The betting lines of one round.

    Attributes
    ----------
    decisions : pair of int
        Lines after which each player acts.
    actions : pair of int
        Legal actions after these lines, summed.
    folds : int
        Lines that end with a fold in this round.
    showdowns : int
        Lines whose last action is in this round and that end with a showdown; before the last round these
        are all-in.
    """

    decisions: tuple[int, int]
    actions: tuple[int, int]
    folds: int
    showdowns: int


@dataclass(frozen=True)
class BettingCounts:
    """The betting lines of a hand.

    Attributes
    ----------
    method : {"merged states", "partitions"}
        How they were counted.
    rounds : tuple of RoundBetting
    """

    method: str
    rounds: tuple[RoundBetting, ...]


def count_betting(betting: Betting, report: Report = quiet) -> BettingCounts:
    """Count the betting lines of a hand, round by round.

    Parameters
    ----------
    betting : Betting
    report : callable, optional
        Told a few times a second how far this is.

    Raises
    ------
    ValueError
        If neither chips nor raises are limited, or there are too many states or totals to count in seconds.
    """
    if betting.stacks is None and None in betting.max_raises:
        raise BadInputError("max_raises must be given for each round where stacks are unlimited, got None")
    partitions = _raises_to_whole_chips(betting)
    rounds = _whole_chips(betting) if partitions else _merged_states(betting, report)
    every = betting.n_rounds
    counted = reported(rounds, report, lambda n: f"counting betting lines, {n} of {every} rounds done")
    return BettingCounts("partitions" if partitions else "merged states", tuple(counted))


def _raises_to_whole_chips(betting: Betting) -> bool:
    """Return whether raises are possible, each to any whole number of chips or all-in."""
    every_chip = betting.raise_sizes is None and betting.sizes is None
    return every_chip and betting.effective is not None and max(betting.invested) < betting.effective


@dataclass
class _Counts:
    """The counts of one round so far."""

    decisions: list[int]
    actions: list[int]
    folds: int = 0
    showdowns: int = 0

    def round(self) -> RoundBetting:
        (d0, d1), (a0, a1) = self.decisions, self.actions
        return RoundBetting((d0, d1), (a0, a1), self.folds, self.showdowns)


def _merged_states(betting: Betting, report: Report = quiet) -> Iterator[RoundBetting]:
    """Count by merged states, breadth first in the number of actions of a round."""
    root = _next_decision(betting, betting.root())
    lines, limit = Counter({root: 1}), MoveLimit(betting, report)
    for number in range(betting.n_rounds):
        counts, later, here = _Counts([0, 0], [0, 0]), Counter[BettingState](), Counter[BettingState]()
        for state, ways in lines.items():
            _place(state, ways, number, counts, later, here)
        while here:
            here = _one_action(betting, number, here, counts, later, limit)
        yield counts.round()
        lines = later


def _one_action(
    betting: Betting,
    number: int,
    lines: Counter[BettingState],
    counts: _Counts,
    later: Counter[BettingState],
    limit: MoveLimit,
) -> Counter[BettingState]:
    """Count decisions of a round; return those after one more action, add later rounds' to ``later``."""
    after = Counter[BettingState]()
    for state, ways in lines.items():
        counts.decisions[state.player] += ways
        for _, child in betting.moves(state):
            limit.take()
            counts.actions[state.player] += ways
            _place(_next_decision(betting, child), ways, number, counts, later, after)
    return after


def _place(
    state: BettingState,
    ways: int,
    number: int,
    counts: _Counts,
    later: Counter[BettingState],
    here: Counter[BettingState],
) -> None:
    """Count a hand that is over, or add a decision to those of its round; ended hands are never hashed."""
    if state.round > number:
        later[state] += ways
    elif state.player == HAND_OVER:
        counts.folds += ways * (state.folded >= 0)
        counts.showdowns += ways * (state.folded < 0)
    else:
        here[state] += ways


def _next_decision(betting: Betting, state: BettingState) -> BettingState:
    """Return the next state at which somebody acts, ``state`` or in a later round, without its line.

    If nobody acts any more, it is ``state`` with ``HAND_OVER``: the hand ends in that round.
    """
    next_state = state
    while next_state.player == ROUND_OVER:
        next_state = betting.next_round(next_state)
    if next_state.player == HAND_OVER:
        next_state = state._replace(player=HAND_OVER)
    return betting.merged(next_state)


def _whole_chips(betting: Betting) -> Iterator[RoundBetting]:
    """Count with one number for each total that both players may have in the pot when a round starts.

    Either player may be the first to raise, after which they alternate: two symmetric branches, and equally
    many decisions of both. The sums are over the raises of one branch.
    """
    assert betting.effective is not None
    top, blind = max(betting.invested), betting.root().last_raise
    _check_sums(betting)
    starts = [1] + [0] * (ceil(betting.effective) - floor(top) - 1)
    behind = [invested < top for invested in betting.invested]
    for number, cap in enumerate(betting.max_raises):
        # The first raise of the hand is counted from the blind or ante rounded down to whole chips.
        first, least = ceil(max(blind, betting.min_bet) + top % 1), ceil(betting.min_bet)
        reached = _reached(starts, first, least, cap)
        # Below the cap every total may be raised all-in, even by less than the least raise.
        below = reached if cap is None else [] if cap == 0 else _reached(starts, first, least, cap - 1)
        all_in = sum(below)
        facing = sum(reached) - sum(starts) + all_in
        decisions = sum(reached) + all_in
        # Call or check at every decision, fold where a bet or blind is faced, and raises: one per bet faced.
        actions = [decisions + 2 * facing + faces_blind for faces_blind in behind]
        # One line without raises; else a call ends either branch.
        starts = [2 * raised - start for raised, start in zip(reached, starts, strict=True)]
        showdowns = 2 * all_in + (sum(starts) if number == betting.n_rounds - 1 else 0)
        yield RoundBetting(
            (decisions, decisions), (actions[0], actions[1]), 2 * facing + sum(behind), showdowns
        )
        blind, behind = Fraction(0), [False, False]


def _check_sums(betting: Betting) -> None:
    """Raise ValueError if sums over all totals would take minutes or too much memory."""
    assert betting.effective is not None
    totals = ceil(betting.effective) - floor(max(betting.invested))
    raises = totals // ceil(betting.min_bet) + 10  # a single raise still takes several lists of all totals
    if totals * raises > MOST_SUMS:
        raise BadInputError(
            f"stack must leave so few chips that chips times raises are at most {MOST_SUMS:,}, got "
            f"{shown(betting.effective)} with bets of at least {shown(betting.min_bet)}"
        )


def _reached(starts: list[int], first: int, least: int, cap: int | None) -> list[int]:
    """Return :func:`_raised` where the least raise is ``first`` at the lowest total, ``least`` at others."""
    if first == least:
        return _raised(starts, least, cap)
    lowest, others = starts[:1] + [0] * (len(starts) - 1), [0, *starts[1:]]
    raised = _raised(lowest, first, cap)
    return list(map(add, raised, _raised(others, least, cap))) if any(others) else raised


def _raised(starts: list[int], least: int, cap: int | None) -> list[int]:
    """Return the number of nondecreasing sequences of raises to each total.

    Generating functions in q, exponents being chips: k raises of at least m are
    q^(km) / ((1 - q) ... (1 - q^k)), the partitions into k parts of at least m. The sum over k is evaluated
    from the inside as starts + q^m / (1 - q) (starts + q^m / (1 - q^2) (starts + ...)), each series truncated
    at the powers that can still contribute.

    Parameters
    ----------
    starts : list of int
        Number of lines to each total before the first raise.
    least : int
        The least raise.
    cap : int or None
        The largest number of raises.
    """
    size = len(starts)
    most = (size - 1) // least if cap is None else min(cap, (size - 1) // least)
    inner = starts[: size - most * least]
    for part in range(most, 0, -1):
        for residue in range(min(part, len(inner) - part)):  # divide by 1 - q^part
            inner[residue::part] = accumulate(inner[residue::part])
        outer = starts[: len(inner) + least]
        outer[least:] = map(add, outer[least:], inner)
        inner = outer
    return inner
