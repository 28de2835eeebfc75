"""Betting rules of two-player poker: legal actions and next states of each betting state; no cards.

A limit on the number of moves enumerated lets too large games fail within seconds.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from numbers import Rational
from typing import NamedTuple, TypeVar

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text, shown
from treeplex.games.base.reporting import Report, Ticker, quiet
from treeplex.games.poker.bet_sizes import (
    NO_THRESHOLDS,
    Multiple,
    Situation,
    Sizes,
    Thresholds,
    menu_totals,
)
from treeplex.games.poker.size_menus import check_opening_bets

ROUND_OVER = -1
"""The player of a betting state whose round is over; the next round follows."""
HAND_OVER = -2
"""The player of a betting state whose hand is over."""
NO_LINE = "*"
"""The line of states that are merged, in games with added raises."""


_Point = TypeVar("_Point")


def follow(
    line: str,
    root: _Point,
    steps: Callable[[_Point], Iterable[_Point]],
    line_of: Callable[[_Point], str],
) -> _Point:
    """Return the point with the longest line that is a prefix of ``line``, by a walk from ``root``.

    Parameters
    ----------
    line : str
    root : point
        The start.
    steps : callable
        Returns the children of a point.
    line_of : callable
        Returns a point's line, which extends its parent's.
    """
    here, found = root, True
    while found and line_of(here) != line:
        # The longest match is right ("r50", not "r5"): no label starts with a digit.
        fitting = [after for after in steps(here) if line.startswith(line_of(after))]
        here, found = max(fitting, key=lambda after: len(line_of(after)), default=here), bool(fitting)
    return here


class BettingState(NamedTuple):
    """A state of the betting; its line determines all other fields."""

    round: int
    player: int
    """Who acts: 0, 1, ``ROUND_OVER`` or ``HAND_OVER``."""
    put: tuple[Fraction, Fraction]
    """Each player's chips in the pot, the share of the starting pot included."""
    raises: int
    """Bets and raises of this round so far, blinds not counted."""
    last_raise: Fraction
    """The size of the last bet or raise of this round, or of the blind: chips beyond a call."""
    acted: int
    """Number of actions in this round."""
    before: Fraction
    """A player's chips in the pot when this round began, without blinds."""
    donk: bool
    """Whether whoever acts next called the last bet or raise of the round before and now acts first."""
    folded: int
    """The player who folded, -1 for none."""
    line: str
    """The labels of all actions, rounds split by "/"."""

    @property
    def is_showdown(self) -> bool:
        """Whether the hand ends here with a showdown."""
        return self.player == HAND_OVER and self.folded < 0

    @property
    def stake(self) -> Fraction:
        """At a showdown what the better hand wins from the other; at a fold player 0's payoff."""
        if self.folded < 0:
            return Fraction(min(self.put))
        return Fraction(-self.put[0] if self.folded == 0 else self.put[1])


@dataclass(frozen=True)
class Betting:
    """The betting rules of a two-player hand; limit, no-limit with every whole chip, or no-limit by a menu.

    Attributes
    ----------
    first : tuple of int
        Who acts first, for each round.
    invested : pair of Fraction
        Chips that each player has put in before the first action: antes, blinds, half of a spot's pot.
    stacks : pair of Fraction, or None
        Chips behind each player after that; None, in limit games only, is unlimited.
    raise_sizes : tuple of Fraction, or None
        The fixed size of bets and raises, for each round; None makes the game no-limit.
    max_raises : tuple of int or None
        The largest number of bets and raises of each round, blinds excluded; None is no cap.
    sizes : tuple of pairs of Sizes, or None
        The menus of a no-limit game, for each round and player. None in a no-limit game: raises to every
        whole number of chips.
    min_bet : Fraction
        The least bet and raise, such as the big blind.
    thresholds : Thresholds
        Where a menu's sizes become all-in, all-in joins them, and close ones are merged.
    chip : Fraction, or None
        The unit to which a menu's sizes are rounded, halves up; None leaves them exact, geometric ones to
        a thousandth of a chip, since they are roots.
    start : BettingState, optional
        The state at which play starts, that of a subgame; its line is the beginning of all lines. Unless
        given, the state after the chips of ``invested`` are put in.
    added : tuple of (BettingState, Fraction)
        Raises beyond the menus of a no-limit game: at a state, to how many chips of the player in the pot.
    """

    first: tuple[int, ...]
    invested: tuple[Fraction, Fraction]
    stacks: tuple[Fraction, Fraction] | None
    raise_sizes: tuple[Fraction, ...] | None
    max_raises: tuple[int | None, ...]
    sizes: tuple[tuple[Sizes, Sizes], ...] | None = None
    min_bet: Fraction = Fraction(0)
    thresholds: Thresholds = NO_THRESHOLDS
    chip: Fraction | None = None
    start: BettingState | None = None
    added: tuple[tuple[BettingState, Fraction], ...] = ()

    def __post_init__(self) -> None:
        if not self.first or any(p not in (0, 1) for p in self.first):
            raise BadInputError(f"the first player of each round must be 0 or 1, got {shown(self.first)}")
        for name in ("raise_sizes", "max_raises", "sizes"):
            value = getattr(self, name)
            if value is not None and len(value) != self.n_rounds:
                raise BadInputError(
                    f"{name} must have {self.n_rounds} entries, one a round, got {len(value)}"
                )
        _at_least_zero("invested", self.invested, 2)
        _at_least_zero("min_bet", (self.min_bet,))
        if self.stacks is not None:
            _at_least_zero("stacks", self.stacks, 2)
        elif self.raise_sizes is None:
            raise BadInputError("stacks must be given in a no-limit game, got None")
        for limit in self.max_raises:
            if limit is not None and not (isinstance(limit, int) and limit >= 0):
                raise BadInputError(f"max_raises must be integers of at least 0 or None, got {shown(limit)}")
        if self.raise_sizes is not None and self.sizes is not None:
            raise BadInputError("a betting has raise_sizes (limit) or sizes (no-limit), got both")
        positive = [("raise_sizes", size) for size in self.raise_sizes or ()]
        positive += [("chip", self.chip)] if self.chip is not None else []
        positive += [("min_bet", self.min_bet)] if self.raise_sizes is None and self.sizes is None else []
        for name, size in positive:
            if not (isinstance(size, Rational) and size > 0):
                raise BadInputError(f"{name} must be positive and exact, got {shown(size)}")
        for number, pair in enumerate(self.sizes or ()):
            for menu in pair if number > 0 or not self._has_blinds else ():
                check_opening_bets(f"of round {number + 1}", menu)

    @property
    def n_rounds(self) -> int:
        """How many betting rounds there are."""
        return len(self.first)

    @property
    def dead_money(self) -> Fraction:
        """The part of each player's chips in the pot that the labels of raises do not include.

        In a menu game with equal investments that investment: half a spot's pot, an ante. Else 0: blinds are
        live, and labels of whole-chip games are totals, as in ACPC's match states.
        """
        equal = self.sizes is not None and self.invested[0] == self.invested[1]
        return self.invested[0] if equal else Fraction(0)

    @property
    def _has_blinds(self) -> bool:
        return self.invested[0] != self.invested[1]

    @cached_property
    def cap(self) -> tuple[Fraction, Fraction] | None:
        """Each player's chips, those invested included; None if unlimited."""
        if self.stacks is None:
            return None
        return self.invested[0] + self.stacks[0], self.invested[1] + self.stacks[1]

    @cached_property
    def effective(self) -> Fraction | None:
        """The effective stack: the smaller cap; None if stacks are unlimited."""
        return None if self.cap is None else min(self.cap)

    def root(self) -> BettingState:
        """Return the state before the first action; its round is over if nobody has chips behind."""
        if self.start is not None:
            return self.start
        blind, dead = (
            (max(self.invested), Fraction(0)) if self._has_blinds else (Fraction(0), self.invested[0])
        )
        opener = self._opener(0, self.invested)
        return BettingState(0, opener, self.invested, 0, blind, 0, dead, False, -1, "")

    def raise_range(self, state: BettingState) -> tuple[Fraction, Fraction] | None:
        """Return the player's chips in the pot after the least and the largest raise by the rules.

        Those of no-limit, whatever the menus; None where no raise is legal.

        Raises
        ------
        ValueError
            If the game is a limit game or nobody acts.
        """
        if self.raise_sizes is not None or self.effective is None or state.player < 0:
            raise BadInputError(f"a range of raises is of decisions in no-limit games, got {state.line!r}")
        top, limit = max(state.put), self.max_raises[state.round]
        if top >= self.effective or (limit is not None and state.raises >= limit):
            return None
        step = max(state.last_raise, self.min_bet, self.chip or Fraction(0))
        return min(top + step, self.effective), self.effective

    def next_round(self, state: BettingState) -> BettingState:
        """Return the first state of the round after one that is over."""
        if state.player != ROUND_OVER:
            raise BadInputError(f"the round is not over after {state.line!r}")
        number = state.round + 1
        opener = self._opener(number, state.put)
        before, line = min(state.put), state.line + "/"
        return BettingState(number, opener, state.put, 0, Fraction(0), 0, before, state.donk, -1, line)

    def legal(self, state: BettingState) -> tuple[tuple[str, BettingState], ...]:
        """Return labels and next states: fold, check or call, raises from small to large.

        Folding is legal only when facing a bet. A raise is at least as large as the last bet or raise unless
        it is all-in; sizes beyond the effective stack become all-in; equal sizes are merged.
        """
        return tuple(self.moves(state))

    def moves(self, state: BettingState, menu: Sizes | None = None) -> Iterator[tuple[str, BettingState]]:
        """Yield what :meth:`legal` returns, one by one: a deep stack may have thousands of raises.

        With a menu its raises in whole chips are in place of those of the game, which must be no-limit.
        """
        if state.player < 0:
            return
        me = state.player
        if state.put[me] < state.put[1 - me]:
            yield "f", state._replace(player=HAND_OVER, folded=me, line=state.line + "f")
        yield "c", self._call(state)
        for total in self._totals(state) if menu is None else self._totals_by(menu, state):
            label = "r" if self.raise_sizes is not None else "r" + amount_text(total - self.dead_money)
            yield label, self._raise(state, total, label)

    def totals(self, state: BettingState) -> list[Fraction]:
        """Return the player's chips in the pot after each raise of :meth:`legal`, ascending."""
        return [] if state.player < 0 else [*self._totals(state)]

    def raise_to(self, state: BettingState, total: Fraction) -> tuple[str, BettingState]:
        """Return the label of a raise in a no-limit game, and the state after it, whatever the menus.

        Parameters
        ----------
        state : BettingState
        total : Fraction
            The player's chips in the pot after it.

        Raises
        ------
        ValueError
            If nobody may raise, or not to so many chips.
        """
        legal = self.raise_range(state)
        if legal is None or not legal[0] <= total <= legal[1]:
            told = "nothing" if legal is None else f"{shown(legal[0])} to {shown(legal[1])} chips"
            raise BadInputError(f"a raise after {state.line!r} must be to {told}, got {shown(total)}")
        label = "r" + amount_text(total - self.dead_money)
        return label, self._raise(state, total, label)

    def at(self, line: str) -> BettingState:
        """Return the state after a line, replayed from the root.

        Raises
        ------
        ValueError
            If the line is not legal.
        """
        state = follow(line, self.root(), self._steps, lambda state: state.line)
        if state.line != line:
            raise BadInputError(f"{line!r} is no betting line: nothing fits after {state.line!r}")
        return state

    def merged(self, state: BettingState) -> BettingState:
        """Return a state without what no later move depends on: states that are then equal continue alike."""
        if any(here.line.startswith(state.line) for here, _ in self.added):
            return state  # a raise is added here or further on
        multiples, donks = self._looks_back
        before = state.before if multiples else Fraction(0)
        # A line that is none, where raises are added, leads to none of theirs.
        line = NO_LINE if self.added else ""
        return state._replace(before=before, donk=state.donk and donks, line=line)

    @cached_property
    def _looks_back(self) -> tuple[bool, bool]:
        """Whether menus have multiples of bets, and sizes of donk bets of their own."""
        menus = [menu for pair in self.sizes or () for menu in pair]
        multiples = any(isinstance(size, Multiple) for menu in menus for size in menu.all_sizes)
        return multiples, any(menu.donks is not None for menu in menus)

    def _steps(self, state: BettingState) -> list[BettingState]:
        over = state.player == ROUND_OVER
        return [self.next_round(state)] if over else [after for _, after in self.moves(state)]

    def _opener(self, number: int, put: tuple[Fraction, Fraction]) -> int:
        if self.effective is None or min(put) < self.effective:
            return self.first[number]
        return self._after(number)

    def _after(self, number: int) -> int:
        return HAND_OVER if number == self.n_rounds - 1 else ROUND_OVER

    def _call(self, state: BettingState) -> BettingState:
        me, top = state.player, max(state.put)
        mine = top if self.cap is None else min(top, self.cap[me])
        put = (mine, state.put[1]) if me == 0 else (state.put[0], mine)
        all_in = self.effective is not None and min(put) >= self.effective
        # After a check by the first to act, or a call of the blind, the other player acts.
        player = self._after(state.round) if all_in or state.acted > 0 else 1 - me
        called = not all_in and state.raises > 0
        donk = called and player == ROUND_OVER and self.first[state.round + 1] == me
        return state._replace(player=player, put=put, acted=state.acted + 1, donk=donk, line=state.line + "c")

    def _raise(self, state: BettingState, total: Fraction, label: str) -> BettingState:
        me = state.player
        return state._replace(
            player=1 - me,
            put=(total, state.put[1]) if me == 0 else (state.put[0], total),
            raises=state.raises + 1,
            last_raise=total - max(state.put),
            acted=state.acted + 1,
            donk=False,
            line=state.line + label,
        )

    def _totals(self, state: BettingState) -> Iterable[Fraction]:
        """Return the player's chips in the pot after each legal raise, ascending."""
        top, limit = max(state.put), self.max_raises[state.round]
        if limit is not None and state.raises >= limit:
            return ()
        if self.effective is not None and top >= self.effective:
            return ()
        if self.raise_sizes is not None:
            total = top + self.raise_sizes[state.round]
            return (total if self.effective is None else min(total, self.effective),)
        assert self.effective is not None
        least = top + max(state.last_raise, self.min_bet)
        if self.sizes is None:
            chips = range(math.ceil(least), math.ceil(self.effective))
            return chain(map(Fraction, chips), (self.effective,))
        sizes = self.sizes[state.round][state.player]
        menu = self._menu(state, sizes, top, least, self.effective, self.chip)
        added = [total for here, total in self.added if here == state]
        return sorted({*menu, *added}) if added else menu

    def _totals_by(self, menu: Sizes, state: BettingState) -> list[Fraction]:
        """Return the player's chips in the pot after each raise of a menu, in whole chips, ascending."""
        legal = self.raise_range(state)
        return [] if legal is None else self._menu(state, menu, max(state.put), *legal, Fraction(1))

    def _menu(
        self,
        state: BettingState,
        menu: Sizes,
        top: Fraction,
        least: Fraction,
        all_in: Fraction,
        chip: Fraction | None,
    ) -> list[Fraction]:
        """Return the player's chips in the pot after each size of a menu, ascending."""
        opening = menu.donk_bets if state.donk else menu.bets
        # The opening bet of a round is no raise, unless it raises a blind.
        openings = 0 if state.round == 0 and self._has_blinds else 1
        situation = Situation(
            top=top,
            before=state.before,
            least=least,
            all_in=all_in,
            streets=self.n_rounds - state.round,
            raises=max(0, state.raises - openings),
            dead=self.dead_money,
            chip=chip,
        )
        sizes = menu.raises if state.put[state.player] < top else opening
        return menu_totals(sizes, situation, self.thresholds)


def _at_least_zero(name: str, values: tuple[Fraction, ...], count: int = 1) -> None:
    if len(values) != count or not all(isinstance(v, Rational) and v >= 0 for v in values):
        got = values[0] if count == 1 else values
        raise BadInputError(f"{name} must be exact and at least 0, got {shown(got)}")


MOST_STEPS = 1_000_000
"""The largest (number of moves) x (length of the longest menu); so many take seconds."""
WORD_BITS = 128
"""Amounts of chips with more bits cost more a move."""


class MoveLimit:
    """A counter of betting moves with an upper limit.

    Parameters
    ----------
    betting : Betting
    report : callable, optional
        Told a few times a second how many there are so far.

    Raises
    ------
    ValueError
        If it is known at once that there are more: where stacks are unlimited each raise is a move.
    """

    def __init__(self, betting: Betting, report: Report = quiet) -> None:
        menus = [
            menu
            for pair in betting.sizes or ()
            for seat in pair
            for menu in (seat.bets, seat.raises, seat.donk_bets)
        ]
        chips = (*betting.invested, *(betting.cap or ()), *(betting.raise_sizes or ()), betting.chip or 1)
        bits = max(n.numerator.bit_length() + n.denominator.bit_length() for n in chips)
        # Geometric sizes are roots found by bisection: number of bits times products of such numbers.
        self.most = MOST_STEPS // (max([4, *map(len, menus)]) * (1 + bits // WORD_BITS) ** 2)
        self._ticker, self._taken, self._due = Ticker(report), 0, 1
        if betting.stacks is None:
            self._check(max(raises or 0 for raises in betting.max_raises))

    def take(self) -> None:
        """Count one move.

        Raises
        ------
        ValueError
            If the limit is exceeded.
        """
        self._taken += 1
        if self._taken >= self._due:
            self._check(self._taken)
            text = f"counting betting moves: {self._taken:,} so far, limit {self.most:,}"
            self._due = min(self._ticker.tell(self._taken, text), self.most + 1)

    def _check(self, moves: int) -> None:
        if moves > self.most:
            raise BadInputError(
                f"the betting must have at most {self.most:,} moves where states that differ in their lines "
                "alone count once, got more; fewer chips, sizes or raises make it smaller"
            )
