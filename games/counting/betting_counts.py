"""Numbers of decisions, actions, folds and showdowns in each betting round, without enumerating the lines.

Lines that lead to states which agree in everything but the line go on alike, and are carried as one state
and a number. Where a raise may be to any whole chip even those states are too many, but then no raise of a
round is smaller than the one before, so that lines are partitions of what they add to the pot, and their
numbers are sums over generating functions. All numbers are exact.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from operator import add

from treeplex.games.inputs.reading import amount_text
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState
from treeplex.games.poker.limits import MoveLimit

Tell = Callable[[str], None]
"""Is told what is being counted."""
MOST_SUMS = 25_000_000
"""Totals that a stack allows times raises that it pays for: sums over so many take seconds."""


@dataclass(frozen=True)
class RoundBetting:
    """The betting lines of one round.

    Attributes
    ----------
    decisions : pair of int
        Lines after which each player acts.
    actions : pair of int
        What each player may do at these, added up.
    folds : int
        Lines that end with a fold in this round.
    showdowns : int
        Lines after whose last action, in this round, nothing is left but to compare hands; before the last
        round because somebody is all-in.
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


def count_betting(betting: Betting, tell: Tell | None = None) -> BettingCounts:
    """Count the lines of a betting, round by round.

    Parameters
    ----------
    betting : Betting
    tell : callable, optional
        Told about each round.

    Raises
    ------
    ValueError
        If the betting has no end, where neither chips nor raises run out, or so many states or totals that
        they are not counted in seconds.
    """
    if betting.stacks is None and None in betting.max_raises:
        raise ValueError("max_raises must be given for each round where stacks are unlimited, got None")
    partitions = _raises_to_whole_chips(betting)
    rounds = []
    for one in _whole_chips(betting) if partitions else _merged_states(betting):
        rounds.append(one)
        if tell is not None:
            tell(f"counting betting lines, round {len(rounds)} of {betting.n_rounds} done")
    return BettingCounts("partitions" if partitions else "merged states", tuple(rounds))


def _raises_to_whole_chips(betting: Betting) -> bool:
    """Return whether raises are possible, each to any whole number of chips or all-in."""
    every_chip = betting.raise_sizes is None and betting.sizes is None
    return every_chip and betting.effective is not None and max(betting.invested) < betting.effective


@dataclass
class _Tally:
    """What has been counted of one round."""

    decisions: list[int]
    actions: list[int]
    folds: int = 0
    showdowns: int = 0

    def round(self) -> RoundBetting:
        (d0, d1), (a0, a1) = self.decisions, self.actions
        return RoundBetting((d0, d1), (a0, a1), self.folds, self.showdowns)


def _merged_states(betting: Betting) -> Iterator[RoundBetting]:
    """Count by states, all lines of a round that have seen equally many actions at a time."""
    root = _next_decision(betting, betting.root())
    lines, limit = Counter({root: 1}), MoveLimit(betting)
    for number in range(betting.n_rounds):
        tally, later = _Tally([0, 0], [0, 0]), Counter[BettingState]()
        while lines:
            lines = _one_action(betting, number, lines, tally, later, limit)
        yield tally.round()
        lines = later


def _one_action(
    betting: Betting,
    number: int,
    lines: Counter[BettingState],
    tally: _Tally,
    later: Counter[BettingState],
    limit: MoveLimit,
) -> Counter[BettingState]:
    """Count states of a round, and return those after one more action; put other rounds' into ``later``."""
    after = Counter[BettingState]()
    for state, ways in lines.items():
        if state.round > number:
            later[state] += ways
            continue
        if state.player == HAND_OVER:
            tally.folds += ways * (state.folded >= 0)
            tally.showdowns += ways * (state.folded < 0)
            continue
        tally.decisions[state.player] += ways
        for _, child in betting.moves(state):
            limit.take()
            tally.actions[state.player] += ways
            after[_next_decision(betting, child)] += ways
    return after


def _next_decision(betting: Betting, state: BettingState) -> BettingState:
    """Return a state, or the first of the next round in which somebody acts, without its line.

    Where nobody acts any more it is a state of the round that is over, which is where the hand ends.
    """
    further = state
    while further.player == ROUND_OVER:
        further = betting.next_round(further)
    if further.player == HAND_OVER:
        further = state._replace(player=HAND_OVER)
    return further._replace(line="")


def _whole_chips(betting: Betting) -> Iterator[RoundBetting]:
    """Count with one number for each total that both players may have put in when a round starts.

    Either player may be the first to raise, and then they take turns, so that both have equally many
    decisions. What is added up are raises of one of these two branches.
    """
    assert betting.effective is not None
    top, blind = max(betting.invested), betting.root().last_raise
    _check_sums(betting)
    starts = [1] + [0] * (ceil(betting.effective) - floor(top) - 1)
    behind = [invested < top for invested in betting.invested]
    for number, cap in enumerate(betting.max_raises):
        # Where nobody has raised yet, raises are counted from the whole chips of the blind or ante.
        first, least = ceil(max(blind, betting.min_bet) + top % 1), ceil(betting.min_bet)
        reached = _reached(starts, first, least, cap)
        # Below the cap every total may be raised all-in, also by less than the least raise.
        below = reached if cap is None else [] if cap == 0 else _reached(starts, first, least, cap - 1)
        all_in = sum(below)
        facing = sum(reached) - sum(starts) + all_in
        decisions = sum(reached) + all_in
        # A call or check everywhere, a fold where a bet or blind is faced, and raises, which the other faces.
        actions = [decisions + 2 * facing + faces_blind for faces_blind in behind]
        # Nobody raised: one line. Otherwise the call after either branch.
        starts = [2 * raised - start for raised, start in zip(reached, starts, strict=True)]
        showdowns = 2 * all_in + (sum(starts) if number == betting.n_rounds - 1 else 0)
        yield RoundBetting(
            (decisions, decisions), (actions[0], actions[1]), 2 * facing + sum(behind), showdowns
        )
        blind, behind = Fraction(0), [False, False]


def _check_sums(betting: Betting) -> None:
    """Refuse stacks of so many chips that sums over their totals take minutes, or no memory holds them."""
    assert betting.effective is not None
    totals = ceil(betting.effective) - floor(max(betting.invested))
    raises = totals // ceil(betting.min_bet) + 10  # a single raise still takes several lists of all totals
    if totals * raises > MOST_SUMS:
        raise ValueError(
            f"stacks must leave so few chips that chips times raises are at most {MOST_SUMS:,}, got "
            f"{amount_text(betting.effective)} with bets of at least {amount_text(betting.min_bet)}"
        )


def _reached(starts: list[int], first: int, least: int, cap: int | None) -> list[int]:
    """Return what :func:`_raised` does where the least raise of the lowest total is another one."""
    if first == least:
        return _raised(starts, least, cap)
    lowest, others = starts[:1] + [0] * (len(starts) - 1), [0, *starts[1:]]
    raised = _raised(lowest, first, cap)
    return list(map(add, raised, _raised(others, least, cap))) if any(others) else raised


def _raised(starts: list[int], least: int, cap: int | None) -> list[int]:
    """Return in how many ways each total comes about by raises none of which is below the one before.

    With q to the power of the chips, k raises of at least m are q^(km) / ((1 - q) ... (1 - q^k)), the
    partitions into k parts of at least m. Summed up over k from the inside,
    starts + q^m / (1 - q) (starts + q^m / (1 - q^2) (starts + ...)), with numbers of chips only as far as
    they matter.

    Parameters
    ----------
    starts : list of int
        In how many ways each total comes about before the first raise.
    least : int
        The least raise.
    cap : int or None
        The most raises.
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
