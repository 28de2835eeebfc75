"""Table 1 of Brown and Sandholm (2017), in shape: all flop subgames of a card abstraction solved again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import cpu_count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeplex.core.progress import Progress
from treeplex.gadgets.solving.by_name import Options
from treeplex.games.holdem.named import no_limit_flop_holdem
from treeplex.games.poker.game import PokerGame
from treeplex.reproductions.flop_blueprints import ITERATIONS as BLUEPRINT_ITERATIONS
from treeplex.reproductions.flop_blueprints import bucket_blueprint, unabstracted
from treeplex.reproductions.nips2017_table1_printed import (
    BLUEPRINT,
    COLUMNS,
    NO_ABSTRACTION,
    PRINTED,
    SOURCE,
)
from treeplex.reproductions.nips2017_table1_tables import Cell, tables_of
from treeplex.reproductions.reproduction import Reproduction, Settings
from treeplex.reproductions.table import Table
from treeplex.runs.estimate import GIBIBYTE, Estimate
from treeplex.subgames.boards.methods import board_gadget, promises
from treeplex.subgames.boards.solve import QUARTIC
from treeplex.subgames.flops.composed.again import Again
from treeplex.subgames.flops.composed.kept import KeptFlops
from treeplex.subgames.flops.composed.value import Blueprint, composed
from treeplex.subgames.flops.kept import digests
from treeplex.subgames.flops.layout.lines import Menus
from treeplex.subgames.flops.seat import Seat

NO_SPLIT = " (no split)"
GAMES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "small": {"bets": (1, "a"), "max_raises": (9, 9)},
        "large": {"bets": (0.5, 1, "a"), "raises": (1, "a"), "max_raises": (3, 3)},
    }
)
"""Menus; nine raises are more than stacks of 200 big blinds let anybody make."""
ITERATIONS, TOLERANCE, ATOMS = 300, 1e-3, 8
"""Of the regret minimiser in a subgame; the largest error that is played, in pots; values that stand for a
normal distribution."""
MBB = 10.0
"""A chip in thousandths of the big blind of 100."""
N_FLOPS = 1755
"""Classes of flops of the whole game."""
SIZE: Mapping[str, float] = MappingProxyType({"small": 1.0, "large": 2.3})
"""Actions on the flop, in parts of the small game's 264."""
ROW_MINUTES, ATOM_MINUTES, BLUEPRINT_MINUTES = 26.0, 1.8, 40.0
"""Minutes of two threads on the small game's flops: of a row for both seats, more for each value that stands
for a normal distribution, of the blueprint."""
MEMORY, DISK = 3.2 * GIBIBYTE, 0.6 * GIBIBYTE
"""Of the small game's blueprint on all flops, and of what is kept of a row."""


def _run(settings: Settings, progress: Progress) -> tuple[Table, ...]:
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    found = {column: dict(_cells(column, rows, settings, progress)) for column in columns}
    games = tuple(game_of(name, settings.flops).name for name in GAMES if _is_in(name, columns))
    return tables_of(found, rows, _notes(games, settings))


def _cells(
    column: str, rows: tuple[str, ...], settings: Settings, progress: Progress
) -> Iterator[tuple[str, Cell]]:
    """Yield the rows of a column, the blueprint's first."""
    name, _, buckets = column.partition("/")
    game, threads = game_of(name, settings.flops), settings.threads or cpu_count() or 1
    folder = None if settings.checkpoint is None else settings.checkpoint / column.replace("/", "-")
    strategy = bucket_blueprint(game, int(buckets), threads, folder, progress)
    seats = []
    for defender in (0, 1):
        seat = Seat.of(Menus(game, game, defender), strategy, QUARTIC, threads, progress)
        seats.append(Blueprint.of(seat))
    yield BLUEPRINT, Cell((MBB * seats[0].best_response, MBB * seats[1].best_response))
    for row in rows:
        if row == NO_ABSTRACTION:
            lost = unabstracted(game, threads, folder, progress)
            yield row, Cell((MBB * lost[0], MBB * lost[1]))
        elif row != BLUEPRINT:
            yield row, _cell(row, column, seats, settings, folder)


def _cell(row: str, column: str, seats: list[Blueprint], settings: Settings, folder: Path | None) -> Cell:
    """Return a method's row of a column."""
    method = row.removesuffix(NO_SPLIT)
    found = []
    for blueprint in seats:
        scale = float(len(blueprint.seat.flops.boards)) if row.endswith(NO_SPLIT) else 1.0
        options = options_of(method, scale)
        again = Again(
            gadget=board_gadget(method, options),
            promised=promises(method, options),
            iterations=settings.iterations or ITERATIONS,
            tolerance=TOLERANCE,
        )
        run = None if folder is None else _kept(row, column, blueprint, again, folder)
        found.append(composed(_saying(f"{column}, {row}", blueprint), again, run))
    note = (
        f"{column}: {sum(one.solved for one in found):,} of {sum(one.subgames for one in found):,} solutions "
        f"are played, errors add up to {MBB * sum(one.error for one in found) / 2:.3f}"
    )
    return Cell((MBB * found[0].after, MBB * found[1].after), note)


def _saying(what: str, blueprint: Blueprint) -> Blueprint:
    """Return a blueprint whose progress says what is being computed."""
    seat = blueprint.seat

    def told(stage: str, width: float) -> None:
        seat.progress(f"{what}, player {seat.menus.defender}: {stage}", width)

    return replace(blueprint, seat=replace(seat, progress=told))


def options_of(method: str, scale: float) -> Options:
    """Return the options of a method: estimates are what the blueprint's own play is worth."""
    estimates = "blueprint" if "estimated" in method else Options().estimates
    atoms = ATOMS if method.endswith("distributional") else Options().atoms
    return Options(estimates=estimates, atoms=atoms, scale=scale)


def _kept(row: str, column: str, blueprint: Blueprint, again: Again, folder: Path) -> Any:
    """Return how flops are solved: read where they are kept, else solved and kept."""
    seat = blueprint.seat
    defender = seat.menus.defender
    identity = {
        "game": seat.menus.full.name,
        "column": column,
        "row": row,
        "defender": defender,
        "gadget": repr(again.gadget),
        "iterations": again.iterations,
        "tolerance": again.tolerance,
        "blueprint": digests(seat.base.strategy),
    }
    kept = KeptFlops.open(
        folder / row.replace(NO_SPLIT, "-no-split") / f"player{defender}",
        identity,
        len(blueprint.lines.below),
        seat.flops.images.shape[1],
    )
    return kept.or_run(lambda number: blueprint.on_flop(number, again))


def game_of(name: str, flops: int | None) -> PokerGame:
    """Return the small or the large game, on all flops or on so many classes."""
    return no_limit_flop_holdem(**GAMES[name], flops=flops)


def _is_in(name: str, columns: tuple[str, ...]) -> bool:
    return any(column.partition("/")[0] == name for column in columns)


def _notes(games: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    return (
        f"Games: {'; '.join(games)}; stacks of 20,000, blinds of 50 and 100. The paper's menus and stacks "
        "are in an appendix that is not to be had: orderings and parts compare, not figures.",
        f"Blueprints: averages of {BLUEPRINT_ITERATIONS} iterations of CFR+ on buckets. Subgames: "
        f"{settings.iterations or ITERATIONS} iterations of discounted regret matching+, averages weighted "
        "by t**4; up to four times as many for methods that promise safety while the error is above "
        f"{TOLERANCE:g} pots, and the blueprint where it stays above.",
        "Estimates are what the opponent gets by the blueprint's own play; distributions are normal, the "
        f"deviation its gap to the best response's, {ATOMS} values each. No split: gifts times the number of "
        "classes of flops.",
    )


def _estimate(settings: Settings) -> Estimate:
    part = min(settings.flops or N_FLOPS, N_FLOPS) / N_FLOPS
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    minutes = sum(
        SIZE[column.partition("/")[0]] * (BLUEPRINT_MINUTES + sum(_minutes(row, settings) for row in rows))
        for column in columns
    )
    largest = max(SIZE[column.partition("/")[0]] for column in columns)
    disk = 0.0 if settings.checkpoint is None else DISK * part * len(columns) * len(rows)
    return Estimate(60 * part * minutes, max(MEMORY * part * largest, 0.5 * GIBIBYTE), disk)


def _minutes(row: str, settings: Settings) -> float:
    if row == BLUEPRINT:
        return 0.0
    if row == NO_ABSTRACTION:
        return BLUEPRINT_MINUTES
    atoms = ATOM_MINUTES * ATOMS if "distributional" in row else 0.0
    return (ROW_MINUTES + atoms) * (settings.iterations or ITERATIONS) / ITERATIONS


NIPS2017_TABLE1 = Reproduction(
    name="nips2017-table1",
    what="No-limit flop hold'em: flop subgames of card abstractions' blueprints solved again",
    source=SOURCE,
    rows=(*PRINTED, NO_ABSTRACTION),
    columns=COLUMNS,
    takes=frozenset({"flops", "iterations", "checkpoint", "threads"}),
    estimate=_estimate,
    run=_run,
)
