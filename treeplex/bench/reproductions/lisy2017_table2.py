"""Table 2 of Lisy and Bowling (2017): a local best response against players blind to cards."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, inf
from types import MappingProxyType

from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.core.progress import Progress
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.games.poker.bet_sizes import Size, Sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import no_limit_holdem
from treeplex.seqform.certify.blind_players import ALL_IN, BlindPlayer
from treeplex.seqform.certify.local_response import LowerBounds, local_best_response

SOURCE = "Lisy and Bowling 2017, Table 2"
BIG_BLIND = 100
"""Chips; the small blind is half of it, stacks are 200 of it."""
SEED = 2017
WITHIN = 1.96
"""Standard errors of an interval of 95%."""


def _menu(*sizes: Size) -> Sizes:
    return Sizes(sizes, sizes)


POTS_55 = tuple(Fraction(1, 20) * Fraction(23, 20) ** k for k in range(55))
"""The pots of the 56 bets, 0.05 x 1.15^k; the last is all-in."""
MENUS: Mapping[str, Sizes] = MappingProxyType(
    {"fc": _menu(), "fcpa": _menu(Fraction(1), "a"), "56 bets": _menu(*POTS_55, "a")}
)
"""The responder's bets and raises, by their names in the paper."""


@dataclass(frozen=True)
class Setting:
    """A row: the responder's menu, the first betting round on which it acts, and hands of each seat."""

    menu: str
    first_round: int
    hands: int
    seconds: float
    """Of one hand, about."""


ROWS: Mapping[str, Setting] = MappingProxyType(
    {
        "fc 1-4": Setting("fc", 1, 6_000, 0.006),
        "fc 3-4": Setting("fc", 3, 12_000, 0.0025),
        "fcpa 1-4": Setting("fcpa", 1, 6_000, 0.004),
        "fcpa 3-4": Setting("fcpa", 3, 12_000, 0.003),
        "fcpa 4": Setting("fcpa", 4, 12_000, 0.003),
        "56 bets 3-4": Setting("56 bets", 3, 2_000, 0.02),
    }
)
EXTRA_ROWS = ("fcpa 4", "56 bets 3-4")
"""Rows that are not in the table; the paper's text says 50 of the first against always-call."""
PLAYERS: Mapping[str, Callable[[PokerGame], BlindPlayer]] = MappingProxyType(
    {
        "call": lambda game: BlindPlayer(game, fold=0, call=1, raising=0),
        "half call, half raise": lambda game: BlindPlayer(game, fold=0, call=1, raising=1),
        "random": lambda game: BlindPlayer(game, fold=1, call=1, raising=1, each_size=True),
        "fold": lambda game: BlindPlayer(game, fold=1, call=0, raising=0),
        "all-in": lambda game: BlindPlayer(game, fold=0, call=0, raising=1, sizes=ALL_IN),
        "random of three": lambda game: BlindPlayer(game, fold=1, call=1, raising=1),
    }
)
"""Who is played against, by column: each raise to any legal number of chips as often as to another; random
takes each legal action as often as another, each size being one, and of three each kind."""
EXTRA_COLUMNS = ("fold", "all-in", "random of three")
Printed = tuple[float, float] | None
"""Big blinds a hand and half of the interval of 95%, 0 where none is printed."""
PRINTED: Mapping[tuple[str, str], Printed] = MappingProxyType(
    {
        ("fc 1-4", "call"): (0.0, 0.0),
        ("fc 3-4", "call"): (0.0, 0.0),
        ("fcpa 1-4", "call"): (34.0, 0.5),
        ("fcpa 3-4", "call"): (49.0, 0.4),
        ("fcpa 4", "call"): (50.0, 0.0),
        ("fc 1-4", "half call, half raise"): (7.1, 0.5),
        ("fc 3-4", "half call, half raise"): (16.2, 0.3),
        ("fcpa 1-4", "half call, half raise"): (23.1, 0.5),
        ("fcpa 3-4", "half call, half raise"): (24.4, 0.6),
        ("fc 1-4", "random"): (15.7, 0.4),
        ("fc 3-4", "random"): (2.2, 0.7),
        ("fcpa 1-4", "random"): (39.1, 0.6),
        ("fcpa 3-4", "random"): (80.7, 0.7),
        ("fcpa 1-4", "fold"): (0.75, 0.0),
        ("fcpa 3-4", "fold"): (0.75, 0.0),
    }
)
"""By row and column: Table 2, and from the text always-call in the last round and always-fold."""
COLUMNS = ("BB/hand", "standard error", "hands", "CPU seconds")


def measured(row: str, column: str, hands: int | None, progress: Progress) -> PrintedRow:
    """Return a row of one player's table: winnings over both seats, beside the printed interval."""
    setting, clock = ROWS[row], time.process_time()
    game = no_limit_holdem(stack=200 * BIG_BLIND, blinds=(BIG_BLIND, BIG_BLIND // 2))
    bounds = local_best_response(
        game,
        PLAYERS[column](game),
        hands=hands or setting.hands,
        seed=SEED,
        first_street=setting.first_round - 1,
        sizes=MENUS[setting.menu],
        report=lambda text: progress(f"{column}, {row}, {text}", inf),
    )
    won, error = per_hand(bounds)
    ours = (won, error, float(2 * bounds.hands), time.process_time() - clock)
    printed = PRINTED.get((row, column))
    if printed is None:
        return PrintedRow(row, ours, (None, None))
    return PrintedRow(row, ours, printed, beside(won, error, printed))


def per_hand(bounds: LowerBounds) -> tuple[float, float]:
    """Return winnings in big blinds a hand, the mean of both seats, and their standard error."""
    return bounds.nash_conv / 2 / BIG_BLIND, bounds.error / 2 / BIG_BLIND


def beside(won: float, error: float, printed: tuple[float, float]) -> str:
    """Return whether intervals of 95%, ours and the printed one, agree on a difference of 0."""
    value, half = printed
    apart = abs(won - value) / max(hypot(error, half / WITHIN), 1e-9)
    said = "agrees with print" if apart <= WITHIN or abs(won - value) < 1e-9 else "differs from print"
    return f"{said}, {apart:.1f} standard errors of the difference"


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    chosen, columns = (LISY2017_TABLE2.chosen(settings), LISY2017_TABLE2.chosen_columns(settings))
    return tuple(
        table(column, tuple(measured(row, column, None, progress) for row in chosen)) for column in columns
    )


def table(column: str, rows: tuple[PrintedRow, ...]) -> PrintedTable:
    """Return the table of one player."""
    return PrintedTable(
        title=f"Local best response against a player that ignores its cards: {column}",
        source=SOURCE,
        unit="big blinds a hand, by the responder's menu and the betting rounds on which it acts",
        columns=COLUMNS,
        printed=(COLUMNS[0], "printed +-"),
        rows=rows,
        notes=NOTES.get(column, ()),
        decimals=2,
    )


NOTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "half call, half raise": (
            "The paper does not say how a random raise is drawn; here every legal number of chips is as "
            "likely as another. By fcpa, rounds 1-4 agree, 3-4 do not. The two figures of fc agree with ours "
            "if they are interchanged, which the widths of their intervals suggest too: as in the column of "
            "the random player, that of rounds 3-4 should be the wider one.",
            "Other draws, by 1,000 to 2,000 hands. Pot or all-in: fc 1-4 21.0 +- 1.3, fc 3-4 "
            "9.1 +- 1.5, fcpa 3-4 23.4 +- 1.7; pot alone: 1.9 +- 0.3, 1.7 +- 0.2, 44.2 +- 1.4; one of the "
            "56 bets: fc 3-4 5.8 +- 1.2. None gives the printed 16.2 for fc 3-4.",
        ),
        "random": (
            "Each legal action is as likely as another, each size of a raise being one. With fold, call and "
            "raise as likely as each other (column random of three), rounds 3-4 give 49.2 +- 1.6 by fcpa.",
        ),
    }
)
"""What is said below the table of a player."""


def _estimate(settings: Settings) -> Estimate:
    seconds = sum(2 * ROWS[row].hands * ROWS[row].seconds for row in LISY2017_TABLE2.chosen(settings))
    return Estimate(seconds * len(LISY2017_TABLE2.chosen_columns(settings)), 300 * MEBIBYTE)


LISY2017_TABLE2 = Reproduction(
    name="lisy2017-table2",
    what="What a local best response wins from players that ignore their cards, no-limit hold'em",
    source=SOURCE,
    rows=tuple(ROWS),
    columns=tuple(PLAYERS),
    extra=frozenset((*EXTRA_ROWS, *EXTRA_COLUMNS)),
    estimate=_estimate,
    run=_run,
)
