"""Matches: two agents play hands of a game, and what the first wins is estimated."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any

from treeplex.core.loading import GameLike, ready
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import decimals_of
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.games.base.protocol import Game
from treeplex.play.agents import AgentLike, Entrant, entrant_of
from treeplex.play.estimates import FIRST_LOOK, Estimate
from treeplex.play.hand import Hand
from treeplex.play.kept_hands import KeptHands
from treeplex.play.schedule import Schedule, played_here, played_in_children
from treeplex.play.without_luck import (
    WithoutLuck,
    expected_values,
    public_luck,
    without_luck,
)

MOST_HANDS, MOST_STREAMS, MOST_SEED = 10**9, 1_024, 2**63 - 1
"""Most hands and processes of a match; the largest seed."""
ROUNDING = 1e-9
"""Standard errors below this are rounding, where no luck is left."""
BETWEEN_REPORTS = 0.05
"""Seconds between two reports."""
BETWEEN_WRITES = 0.1
"""Seconds of play that a kill may lose, beside the hand or the chunk under way."""

Score = tuple[float, float]
"""What A won in a hand, and less luck where that is known, else the same."""


@dataclass(frozen=True)
class MatchConfig:
    """What makes a match the one that it is: with it every hand can be played again, to the bit.

    How many hands are played is no part of it: a match goes on where more are asked for.

    Attributes
    ----------
    game : str
        The game's spec.
    a, b : str
        The agents' names.
    digests : tuple of str or None
        Of the strategies that they play.
    duplicate : bool
    seed : int
    """

    game: str
    a: str
    b: str
    digests: tuple[str | None, str | None]
    duplicate: bool
    seed: int

    def identity(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "kind": "match",
            "game": self.game,
            "a": self.a,
            "b": self.b,
            "digests": list(self.digests),
            "duplicate": self.duplicate,
            "seed": self.seed,
        }


@dataclass(frozen=True, repr=False)
class MatchResult(Shown):
    """What :func:`match` returns: what A won a hand, estimated, and exactly where that is known.

    Attributes
    ----------
    config : MatchConfig
    unit : str
        Of estimates and of the exact value: mbb/hand, thousandths of a big blind a hand, where there is one.
    hands : int
        How many were played.
    estimates : tuple of Estimate
        ``naive`` over hands; with duplicate deals ``duplicate`` over deals, and no intervals of the other, as
        both hands of a deal are not independent; then ``aivat``, less the luck of chance and of agents whose
        plans are known, over hands or deals, where there is a plan and the game is small enough to be walked.
    exact : float or None
        The expected value of the same hands, in floats, from the plans of both agents; None where one has
        none or the game is too large to be walked.
    note : str
        What else there is to know of the game, such as that its payoffs add up to a constant; may be empty.
    seconds : float
        That it took.
    """

    config: MatchConfig
    unit: str
    hands: int
    estimates: tuple[Estimate, ...]
    exact: float | None
    note: str
    seconds: float = field(compare=False)

    @property
    def best(self) -> Estimate:
        """The estimate with the narrowest intervals, the last: less luck, over deals, or over hands."""
        return self.estimates[-1]

    def brief(self) -> str:
        """Return who played, and what the first won."""
        error = "" if self.best.standard_error is None else f" ± {self.best.standard_error:.3g}"
        return f"{self.config.a} against {self.config.b}: {self.best.mean:.4g}{error} {self.unit}"

    def blocks(self) -> tuple[Block, ...]:
        """Return the estimates as a table, the exact value below them."""
        config = self.config
        deals = ", duplicate deals" if config.duplicate else ""
        title = f"{config.a} against {config.b} on {config.game}: {self.hands:,} hands{deals}, {self.unit}"
        head = ("estimate", "mean", "standard error", "95 % interval", "95 % at any time")
        rows = [self._row(one) for one in self.estimates]
        if self.exact is not None:
            rows.append(("exact", f"{self.exact:.{self._decimals}f}", "", "", ""))
        table = Columns(title, head, tuple(rows), left=head[:1])
        lines = [] if self.best.anytime else [f"an interval at any time is from {FIRST_LOOK} observations on"]
        if self.note:
            lines.append(self.note)
        return table, *map(Line, lines)

    @property
    def _decimals(self) -> int:
        error = self.best.standard_error
        return 4 if not error or error < ROUNDING else decimals_of(error)

    def _row(self, one: Estimate) -> tuple[str, ...]:
        n = self._decimals
        intervals = [
            "" if pair is None else f"[{_rounded(pair[0], n)}, {_rounded(pair[1], n)}]"
            for pair in (one.classical, one.anytime)
        ]
        error = "" if one.standard_error is None else f"{one.standard_error:.{n}f}"
        return one.name, _rounded(one.mean, n), error, *intervals

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints."""
        config = self.config.identity()
        return {
            **{key: config[key] for key in ("game", "a", "b", "duplicate", "seed")},
            "unit": self.unit,
            "hands": self.hands,
            "estimates": [one.as_json() for one in self.estimates],
            "exact": self.exact,
            "note": self.note,
            "seconds": self.seconds,
        }


def match(
    a: AgentLike,
    b: AgentLike,
    game: GameLike,
    *,
    hands: int,
    duplicate: bool = False,
    seed: int = 1,
    streams: int = 1,
    aivat: bool = False,
    out: str | Path | None = None,
    progress: Progress = silent,
) -> MatchResult:
    """Let two agents play hands of a game, and estimate what the first wins a hand.

    Parameters
    ----------
    a, b : str, Path, strategy, Result or agent
        ``uniform``; ``always-call``, where the action ``c`` checks and calls; a strategy file, with
        post-processing as in ``leduc.csv(threshold=0.1)`` or ``leduc.csv(purified=true)``, and with
        ``missing=uniform`` for infosets without rows; ``module:Agent`` of your own, see
        :class:`treeplex.play.agents.Agent`; ``openspiel:module:function``, a bot or policy of OpenSpiel;
        ``acpc:COMMAND ARGUMENT...``, a program of the competition's protocol, started as a child; in Python
        also an agent, a strategy or a result.
    game : str, Path, Game or Problem
    hands : int
        How many are played, even where ``duplicate``.
    duplicate : bool
        Whether each deal is played twice, with seats swapped. Seats rotate in either case.
    seed : int
        The same seed gives the same hands, for any ``streams``.
    streams : int
        Processes that play, at least 1, which is this one.
    aivat : bool
        Whether hands of hold'em that is too large to be walked are estimated less luck too, by the plans of
        all hands, :class:`treeplex.seqform.certify.public_aivat.PublicAivat`: up to a second a hand.
    out : str or Path, optional
        A folder in which the hands are kept, a line of JSON each, and from which the match goes on: after it
        was ended, or where more hands are asked for.
    progress : callable, optional

    Raises
    ------
    TypeError
        If an agent or an option is of another kind.
    ValueError
        If an agent, the game or a number is not what it must be, an agent plays what is not legal, or the
        folder holds another match.

    Examples
    --------
    >>> import treeplex as tp
    >>> equilibrium = tp.solve("kuhn_poker", "lp")
    >>> found = tp.match(equilibrium, "uniform", "kuhn_poker", hands=2000, duplicate=True)
    >>> low, high = found.best.anytime
    >>> low < found.exact < high
    True
    """
    began = perf_counter()
    check_integer("hands", hands, 1, MOST_HANDS)
    for name, flag in (("duplicate", duplicate), ("aivat", aivat)):
        check_kind(name, flag, bool, "true or false")
    check_integer("seed", seed, 0, MOST_SEED)
    check_integer("streams", streams, 1, MOST_STREAMS)
    if out is not None:
        check_kind("out", out, str | PathLike, "a text or a Path")
    if duplicate and hands % 2:
        raise BadInputError(f"hands must be even, as duplicate deals are played twice, got {hands}")
    problem = ready(game, progress=progress)
    entrants = entrant_of(problem, a), entrant_of(problem, b)
    luckless = without_luck(problem, entrants)
    luck = public_luck(problem.game, entrants) if aivat and luckless is None else None
    schedule = Schedule(problem.game, entrants, duplicate, seed, luck)
    config = _config(problem.game, entrants, duplicate, seed)
    kept = None if out is None else KeptHands.open(out, config.identity())
    factor, unit = unit_of(problem)
    values = expected_values(problem, entrants, progress)
    with ExitStack() as stack:
        for one in entrants:
            stack.callback(one.close)
        if kept is not None:
            stack.enter_context(kept.locked())
        scores = _Play(schedule, hands, streams, kept, progress, luckless).scores()
    won = [factor * score[0] for score in scores]
    estimates = [Estimate.of("naive", won, independent=not duplicate)]
    if duplicate:
        estimates.append(Estimate.of("duplicate", _by_deal(won)))
    if luckless is not None or luck is not None:
        worth = [factor * score[1] for score in scores]
        estimates.append(Estimate.of("aivat", _by_deal(worth) if duplicate else worth))
    exact = None
    if values is not None:
        second = hands // 2
        exact = factor * ((hands - second) * values[0] + second * values[1]) / hands
    return MatchResult(
        config, unit, hands, tuple(estimates), exact, problem.facts["note"], perf_counter() - began
    )


def _alike(played: Hand, kept: Hand) -> bool:
    """Return whether a hand is played as it was kept, its estimate up to the rounding of another machine."""
    if played.moves != kept.moves or played.payoff != kept.payoff:
        return False
    if played.less_luck is None or kept.less_luck is None:
        return played.less_luck is kept.less_luck
    return math.isclose(played.less_luck, kept.less_luck, rel_tol=1e-9, abs_tol=1e-9)


def _rounded(number: float, decimals: int) -> str:
    """Return a number with so many decimals, never -0."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def _by_deal(won: list[float]) -> list[float]:
    return [(won[k] + won[k + 1]) / 2.0 for k in range(0, len(won), 2)]


def _config(game: Game[Any], entrants: tuple[Entrant, Entrant], duplicate: bool, seed: int) -> MatchConfig:
    first, second = entrants
    return MatchConfig(game.name, first.name, second.name, (first.digest, second.digest), duplicate, seed)


def unit_of(problem: Problem) -> tuple[float, str]:
    """Return what payoffs are multiplied by, and the unit of the products."""
    if problem.big_blind:
        return float(1000 / problem.big_blind), "mbb/hand"
    return 1.0, f"{problem.game.unit}/hand"


@dataclass
class _Look:
    """Tells how many hands have been played, a few times a second."""

    progress: Progress
    won: list[Score]
    hands: int
    told: float = -math.inf

    def __call__(self) -> None:
        now = perf_counter()
        if now - self.told > BETWEEN_REPORTS:
            self.told = now
            self.progress(f"playing: {len(self.won):,} of {self.hands:,} hands", math.inf)


@dataclass(frozen=True)
class _Play:
    """Hands under way: those that were kept, and those that are played."""

    schedule: Schedule
    hands: int
    streams: int
    kept: KeptHands | None
    progress: Progress
    luckless: WithoutLuck | None

    def scores(self) -> list[Score]:
        """Return what A won in each hand, and less luck."""
        won = [] if self.kept is None else self._kept(self.kept)
        first = len(won)
        if first == self.hands:
            return won
        if self.kept is not None:
            self.kept.truncate(first)
        fresh: list[tuple[int, Hand]] = []
        written, last = first, perf_counter()
        look = _Look(self.progress, won, self.hands)
        try:
            with closing(self._played(first, look)) as several:
                for played in several:
                    for hand in played:
                        number = len(won)
                        won.append(self._score(number, hand))
                        fresh.append((self.schedule.seat(number), hand))
                    if perf_counter() - last > BETWEEN_WRITES:
                        written, fresh = self._write(written, fresh)
                        last = perf_counter()
                    look()
        finally:
            self._write(written, fresh)
        return won

    def _played(self, first: int, look: Callable[[], object]) -> Generator[list[Hand], None, None]:
        if self.streams == 1:
            return played_here(self.schedule, first, self.hands)
        return played_in_children(self.schedule, first, self.hands, self.streams, look)

    def _write(self, written: int, fresh: list[tuple[int, Hand]]) -> tuple[int, list[tuple[int, Hand]]]:
        """Keep hands that are not kept yet; return how many are kept, and none that is not."""
        if self.kept is not None and fresh:
            self.kept.append(written, fresh)
        return written + len(fresh), []

    def _score(self, number: int, hand: Hand) -> Score:
        won, seat = self.schedule.winnings(number, hand), self.schedule.seat(number)
        if hand.less_luck is not None:
            return won, -hand.less_luck if seat else hand.less_luck
        return won, won if self.luckless is None else self.luckless.of(seat, hand)

    def _kept(self, kept: KeptHands) -> list[Score]:
        """Return what A won in the hands that are kept, of which the first and the last are played again.

        The moves of all must lead to what they pay. Hands of agents that do not replay are not played again.

        Raises
        ------
        ValueError
            If they are not those of this match.
        """
        won: list[Score] = []
        ends: dict[int, Hand] = {}
        known: set[Hand] = set()
        for number, (seat, hand) in enumerate(kept.read(self.hands)):
            if seat != self.schedule.seat(number):
                raise BadInputError(f"{kept.path}, line {number + 1}: A is in the other seat in this match")
            try:
                if hand not in known and self.schedule.payoff(hand.moves) != hand.payoff:
                    raise BadInputError(f"these moves do not pay {hand.payoff}")
                won.append(self._score(number, self.schedule.estimated(number, hand)))
            except BadInputError as error:
                raise BadInputError(f"{kept.path}, line {number + 1}: {error}") from None
            known.add(hand)
            ends[min(number, 1)] = hand
        if not all(one.replays for one in self.schedule.entrants):
            return won
        for number, hand in zip((0, len(won) - 1), ends.values(), strict=False):
            if not _alike(self.schedule.play(number), self.schedule.estimated(number, hand)):
                raise BadInputError(
                    f"{kept.path}, line {number + 1}: this match plays hand {number} otherwise; the agents "
                    "or the game have changed"
                )
        return won
