"""Table 1 of Brown and Sandholm (2017), in shape: a card abstraction's last subgames solved again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from os import cpu_count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeplex.bench.reproductions.blueprints import ITERATIONS as BLUEPRINT_ITERATIONS
from treeplex.bench.reproductions.blueprints import bucket_blueprint, scaled, unabstracted
from treeplex.bench.reproductions.nips2017_table1_printed import (
    BLUEPRINT,
    COLUMNS,
    NO_ABSTRACTION,
    PRINTED,
    SOURCE,
)
from treeplex.bench.reproductions.nips2017_table1_tables import Cell, tables_of
from treeplex.bench.reproductions.printed_table import PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.core.progress import Progress
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.games.base.number_texts import GIBIBYTE, Estimate
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import no_limit_flop_holdem, no_limit_turn_holdem
from treeplex.subgames.composed_responses import Again
from treeplex.subgames.composed_trunk import ComposedTrunk
from treeplex.subgames.composed_value import Blueprint, KeptFlops, composed
from treeplex.subgames.kept_answers import digests
from treeplex.subgames.resolve_on_boards import board_gadget, promises
from treeplex.subgames.solve_on_boards import QUARTIC

NO_SPLIT = " (no split)"
SMALL: Mapping[str, Any] = MappingProxyType({"bets": (1, "a"), "max_raises": (9, 9)})
LARGE: Mapping[str, Any] = MappingProxyType({"bets": (0.5, 1, "a"), "raises": (1, "a"), "max_raises": (3, 3)})
TURN: Mapping[str, Any] = MappingProxyType({"bets": (1, "a"), "max_raises": (9, 9, 9)})
"""Menus; nine raises are more than stacks of 200 big blinds let anybody make."""
GAMES: Mapping[str, Callable[..., PokerGame]] = MappingProxyType(
    {
        "small": partial(no_limit_flop_holdem, **SMALL),
        "large": partial(no_limit_flop_holdem, **LARGE),
        **{f"turn{ranks}": partial(no_limit_turn_holdem, ranks, **TURN) for ranks in (4, 5, 6, 8)},
    }
)
ITERATIONS, TOLERANCE, ATOMS = 300, 1e-3, 8
"""Of the regret minimiser in a subgame; the largest error that is played, in pots; values that stand for a
normal distribution."""
MBB = 10.0
"""A chip in thousandths of the big blind of 100."""
SIZE: Mapping[str, float] = MappingProxyType(
    {"small": 1.0, "large": 2.3, "turn4": 0.1, "turn5": 0.4, "turn6": 1.6, "turn8": 10.0}
)
"""Seconds in parts of the small game's: actions times hands times boards on the last street, in parts of its
5.4e8, twice as much where streets lie between (measured with turn6)."""
ROW_MINUTES, ATOM_MINUTES, BLUEPRINT_MINUTES = 26.0, 1.8, 40.0
"""Minutes of two threads on the small game's flops: of a row for both seats, more for each value that stands
for a normal distribution, of the blueprint."""
MEMORY, DISK = 3.2 * GIBIBYTE, 0.6 * GIBIBYTE
"""Of the small game's blueprint on all flops, and of what is kept of a row."""


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    found = {column: dict(_cells(column, rows, settings, progress)) for column in columns}
    games = dict.fromkeys(game_of(column.partition("/")[0], settings.flops).name for column in columns)
    return tables_of(found, rows, _notes(games, settings))


def _cells(
    column: str, rows: tuple[str, ...], settings: Settings, progress: Progress
) -> Iterator[tuple[str, Cell]]:
    """Yield the rows of a column, the blueprint's first."""
    name, _, buckets = column.partition("/")
    game, threads = game_of(name, settings.flops), settings.threads or cpu_count() or 1
    folder = None if settings.checkpoint is None else settings.checkpoint / column.replace("/", "-")
    count = scaled(int(buckets), game)
    strategy = bucket_blueprint(game, count, threads, folder, progress)
    seats = []
    for defender in (0, 1):
        seats.append(Blueprint.of(ComposedTrunk.of(strategy, defender, QUARTIC, threads, progress)))
    note = f"{column}: {count:,} buckets on this deck" if count < int(buckets) else ""
    yield BLUEPRINT, Cell((MBB * seats[0].best_response, MBB * seats[1].best_response), note)
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
        scale = blueprint.branching if row.endswith(NO_SPLIT) else 1.0
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
    trunk = blueprint.trunk

    def told(stage: str, width: float) -> None:
        trunk.progress(f"{what}, player {trunk.menus.defender}: {stage}", width)

    return replace(blueprint, trunk=replace(trunk, progress=told))


def options_of(method: str, scale: float) -> GadgetOptions:
    """Return the options of a method: estimates are what the blueprint's own play is worth."""
    estimates = "blueprint" if "estimated" in method else GadgetOptions().estimates
    atoms = ATOMS if method.endswith("distributional") else GadgetOptions().atoms
    return GadgetOptions(estimates=estimates, atoms=atoms, scale=scale)


def _kept(row: str, column: str, blueprint: Blueprint, again: Again, folder: Path) -> Any:
    """Return how flops are solved: read where they are kept, else solved and kept."""
    defender = blueprint.trunk.menus.defender
    identity = {
        "game": blueprint.trunk.strategy.tree.game.name,
        "column": column,
        "row": row,
        "defender": defender,
        "gadget": repr(again.gadget),
        "iterations": again.iterations,
        "tolerance": again.tolerance,
        "blueprint": digests(blueprint.trunk.strategy),
    }
    place = folder / row.replace(NO_SPLIT, "-no-split") / f"player{defender}"
    kept = KeptFlops.open(place, identity, blueprint)
    return kept.or_run(lambda number: blueprint.on_flop(number, again))


def game_of(name: str, flops: int | None) -> PokerGame:
    """Return a column's game, on all flops or on so many classes."""
    return GAMES[name](flops=flops)


def _notes(games: Iterable[str], settings: Settings) -> tuple[str, ...]:
    return (
        f"Games: {'; '.join(games)}; stacks of 20,000, blinds of 50 and 100. The paper's menus and stacks "
        "are in an appendix that is not to be had: orderings and parts compare, not figures.",
        f"Blueprints: averages of {BLUEPRINT_ITERATIONS} iterations of CFR+ on buckets. Subgames: "
        f"{settings.iterations or ITERATIONS} iterations of discounted regret matching+, averages weighted "
        "by t**4; up to four times as many for methods that promise safety while the error is above "
        f"{TOLERANCE:g} pots, and the blueprint where it stays above.",
        "Estimates are what the opponent gets by the blueprint's own play; distributions are normal, the "
        f"deviation its gap to the best response's, {ATOMS} values each. No split: gifts times the number of "
        "classes of cards that may come on the last street, on average.",
    )


def _estimate(settings: Settings) -> Estimate:
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    sizes = [_size(column.partition("/")[0], settings.flops) for column in columns]
    minutes = sum(sizes) * (BLUEPRINT_MINUTES + sum(_minutes(row, settings) for row in rows))
    disk = 0.0 if settings.checkpoint is None else DISK * sum(sizes) * len(rows)
    return Estimate(60 * minutes, max(MEMORY * max(sizes), 0.5 * GIBIBYTE), disk)


def _size(name: str, flops: int | None) -> float:
    """Return the size of a game with so many classes of flops."""
    classes = HandIndex(game_of(name, None).deck, (3,)).size
    return SIZE[name] * min(flops or classes, classes) / classes


def _minutes(row: str, settings: Settings) -> float:
    if row == BLUEPRINT:
        return 0.0
    if row == NO_ABSTRACTION:
        return BLUEPRINT_MINUTES
    atoms = ATOM_MINUTES * ATOMS if "distributional" in row else 0.0
    return (ROW_MINUTES + atoms) * (settings.iterations or ITERATIONS) / ITERATIONS


NIPS2017_TABLE1 = Reproduction(
    name="nips2017-table1",
    what="No-limit flop and turn hold'em: last subgames of card abstractions' blueprints solved again",
    source=SOURCE,
    rows=(*PRINTED, NO_ABSTRACTION),
    columns=COLUMNS,
    takes=frozenset({"flops", "iterations", "checkpoint", "threads"}),
    estimate=_estimate,
    run=_run,
)
