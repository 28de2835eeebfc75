"""Table 1 of Brown and Sandholm (2017), in shape: a card abstraction's last subgames solved again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import comb, inf
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.reproductions.blueprints import (
    BLUEPRINT_FILE,
    LAST_FILE,
    UNABSTRACTED_FILE,
    UNABSTRACTED_ITERATIONS,
    bucket_blueprint,
    last_iterate,
    scaled,
    unabstracted,
)
from treeplex.bench.reproductions.blueprints import ITERATIONS as BLUEPRINT_ITERATIONS
from treeplex.bench.reproductions.nips2017_table1_printed import (
    ATOMS,
    AVERAGE,
    BLUEPRINT,
    COLUMNS,
    FORMER,
    LAST,
    MORE,
    NO_ABSTRACTION,
    NO_SPLIT,
    PRINTED,
    SOURCE,
    THEOREM_3,
)
from treeplex.bench.reproductions.nips2017_table1_tables import Cell, tables_of
from treeplex.bench.reproductions.printed_table import PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.cfr.boards.bucket_gains import last_street_response
from treeplex.core.progress import Progress
from treeplex.files.board_files import write_boards
from treeplex.files.checkpoint import iterations_done
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.games.base.number_texts import GIBIBYTE, Estimate
from treeplex.games.buckets.card_abstraction import rounds_of
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import no_limit_flop_holdem, no_limit_turn_holdem
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.composed_responses import ResolveConfig
from treeplex.subgames.composed_trunk import ComposedTrunk
from treeplex.subgames.composed_value import Blueprint, KeptFlops, Run, SolvedFlop, composed
from treeplex.subgames.flop_by_flop import n_kept_flops
from treeplex.subgames.kept_answers import digests
from treeplex.subgames.resolve_on_boards import board_gadget, promises
from treeplex.subgames.solve_on_boards import QUARTIC

SMALL: Mapping[str, Any] = MappingProxyType({"bets": (1, "a")})
LARGE: Mapping[str, Any] = MappingProxyType({"bets": (0.5, 1)})
"""Menus with one bet before the flop and three on each street after it, as the paper has in its Table 4."""
FORMER_SMALL: Mapping[str, Any] = MappingProxyType({"bets": (1, "a"), "max_raises": (9, 9)})
FORMER_LARGE: Mapping[str, Any] = MappingProxyType(
    {"bets": (0.5, 1, "a"), "raises": (1, "a"), "max_raises": (3, 3)}
)
FORMER_TURN: Mapping[str, Any] = MappingProxyType({"bets": (1, "a"), "max_raises": (9, 9, 9)})
"""Nine raises are more than stacks of 200 big blinds let anybody make."""
RANKS = (4, 5, 6, 8)
GAMES: Mapping[str, Callable[..., PokerGame]] = MappingProxyType(
    {
        "small": partial(no_limit_flop_holdem, **SMALL),
        "large": partial(no_limit_flop_holdem, **LARGE),
        **{f"turn{ranks}": partial(no_limit_turn_holdem, ranks, **SMALL) for ranks in RANKS},
        f"{FORMER}small": partial(no_limit_flop_holdem, **FORMER_SMALL),
        f"{FORMER}large": partial(no_limit_flop_holdem, **FORMER_LARGE),
        **{f"{FORMER}turn{ranks}": partial(no_limit_turn_holdem, ranks, **FORMER_TURN) for ranks in RANKS},
    }
)
ITERATIONS, TOLERANCE, VALUES = 1_500, 1e-3, 8
"""Of the regret minimiser in a subgame; the largest error that is played, in pots; values that stand for a
normal distribution."""
MBB = 10.0
"""A chip in thousandths of the big blind of 100."""
UPDATE, ROW_SHARE = 1e-8, 0.4
"""Seconds of one thread for an action, hand and board in an iteration of CFR+ on buckets; what an iteration
in subgames takes, in parts of that."""
BETWEEN = 2.2
"""How much longer an action, hand and board of the last street takes where streets lie between."""
WAYS: Mapping[str, float] = MappingProxyType({ATOMS: 1.6, THEOREM_3: 1.3})
"""How much longer a distributional row takes than others, by how draws are learned; by Hedge as Theorem 3."""
MEMORY, DISK = 13.0, 2.5
"""Bytes for each action, hand and board: of a blueprint, and of what is kept of a row."""


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    if settings.keep is not None:
        for column in columns:  # where nothing can be kept the run ends before it is long
            (settings.keep / _file(column)).mkdir(parents=True, exist_ok=True)
    found = {column: dict(_cells(column, rows, settings, progress)) for column in columns}
    games = dict.fromkeys(game_of(column.partition("/")[0], settings.flops).name for column in columns)
    return tables_of(found, rows, _notes(games, settings))


def _cells(
    column: str, rows: tuple[str, ...], settings: Settings, progress: Progress
) -> Iterator[tuple[str, Cell]]:
    """Yield the rows of a column, the blueprint's first."""
    name, _, buckets = column.partition("/")
    game, threads = game_of(name, settings.flops), settings.n_threads
    folder = None if settings.checkpoint is None else settings.checkpoint / _file(column)
    count = scaled(int(buckets), game)
    by_bucket = bucket_blueprint(game, count, threads, folder, progress)
    strategy, seats = by_bucket.expanded(), []
    for defender in (0, 1):
        seats.append(Blueprint.of(ComposedTrunk.of(strategy, defender, QUARTIC, threads, progress)))
    estimated = {}
    for estimates in sorted({estimates_of(row) for row in rows}):
        trunks = [one.trunk for one in seats]
        if estimates in (RESPONSE, ITERATE):
            progress(f"estimates by the {estimates}", inf)
            if estimates == RESPONSE:
                others = last_street_response(by_bucket, threads)
            else:
                others = last_iterate(by_bucket, game, count, threads, folder, progress)
            trunks = [replace(one, estimating=others.expanded()) for one in trunks]
        estimated[estimates] = [replace(one, trunk=trunk) for one, trunk in zip(seats, trunks, strict=True)]
    if settings.keep is not None:
        _keep(strategy, BLUEPRINT, column, settings.keep)
    note = f"{column}: {count:,} buckets on this deck" if count < int(buckets) else ""
    yield BLUEPRINT, Cell((MBB * seats[0].best_response, MBB * seats[1].best_response), note)
    for row in rows:
        if row == NO_ABSTRACTION:
            lost = unabstracted(game, threads, folder, progress)
            yield row, Cell((MBB * lost[0], MBB * lost[1]))
        elif row != BLUEPRINT:
            yield row, _cell(row, column, estimated[estimates_of(row)], settings, folder)


def _cell(row: str, column: str, seats: list[Blueprint], settings: Settings, folder: Path | None) -> Cell:
    """Return a method's row of a column."""
    method, found, tables = row.partition(" (")[0], [], []
    strategy = seats[0].trunk.strategy
    for blueprint in seats:
        options = options_of(row, blueprint.branching)
        again = ResolveConfig(
            gadget=board_gadget(method, options),
            promised=promises(method, options),
            iterations=settings.iterations or ITERATIONS,
            tolerance=TOLERANCE,
        )
        planned = settings.keep is not None
        run: Run = partial(blueprint.on_flop, again=again, planned=planned)
        if folder is not None:
            run = _kept(row, column, blueprint, again, folder, planned=planned).or_run(run)
        if planned:
            tables.append(strategy.weight[blueprint.trunk.menus.defender].copy())
            run = partial(_into, tables[-1], blueprint, run)
        found.append(composed(_saying(f"{column}, {row}", blueprint), run))
    if settings.keep is not None:
        _keep(FactoredStrategy(strategy.tree, (tables[0], tables[1])), row, column, settings.keep)
    note = (
        f"{column}: {sum(one.solved for one in found):,} of {sum(one.subgames for one in found):,} solutions "
        f"are played, errors add up to {MBB * sum(one.error for one in found) / 2:.3f}, "
        f"{sum(one.seconds for one in found):,.0f} CPU s"
    )
    return Cell((MBB * found[0].after, MBB * found[1].after), note)


def _into(table: NDArray[np.float32], blueprint: Blueprint, run: Run, number: int) -> SolvedFlop:
    """Return a flop's subgames solved again, and write what is played there into the defender's table."""
    found = run(number)
    table[blueprint.table_of(number)] = found.plan
    return found


def _keep(strategy: FactoredStrategy, row: str, column: str, folder: Path) -> None:
    """Write a strategy for ``treeplex check``, as ``FOLDER/COLUMN/ROW.npz``."""
    write_boards(strategy, folder / _file(column) / f"{_file(row)}.npz")


def _file(name: str) -> str:
    return name.replace(" (", "-").rstrip(")").replace(" ", "-").replace("/", "-")


def _saying(what: str, blueprint: Blueprint) -> Blueprint:
    """Return a blueprint whose progress says what is being computed."""
    trunk = blueprint.trunk

    def told(stage: str, width: float) -> None:
        trunk.progress(f"{what}, player {trunk.menus.defender}: {stage}", width)

    return replace(blueprint, trunk=replace(trunk, progress=told))


RESPONSE, ITERATE = "response", "last iteration"


def estimates_of(row: str) -> str:
    """Return by which of the opponent's strategies a row's estimates are made; empty if it has none.

    The best response within the abstraction, on the last street, as the paper defines them; or the last
    iteration's play there, which the paper takes for it; or the average's own play.
    """
    if "estimated" not in row:
        return ""
    return "average" if row.endswith(AVERAGE) else ITERATE if row.endswith(LAST) else RESPONSE


def options_of(row: str, branching: float) -> GadgetOptions:
    """Return the options of a row's method: draws are learned by Hedge unless it says else.

    Parameters
    ----------
    row : str
    branching : float
        What gifts are multiplied by that are not split.
    """
    default, times = GadgetOptions(), row.partition(" (x")[2].rstrip(")")
    scale = float(times) if times else branching if row.endswith(NO_SPLIT) else 1.0
    drawn = "distributional" in row
    entering = "atoms" if row.endswith(ATOMS) else "at-most" if row.endswith(THEOREM_3) else "hedge"
    return GadgetOptions(
        estimates="blueprint" if "estimated" in row else default.estimates,
        atoms=VALUES if row.endswith(ATOMS) else default.atoms,
        entering=entering if drawn else default.entering,
        scale=scale,
    )


def _kept(
    row: str, column: str, blueprint: Blueprint, again: ResolveConfig, folder: Path, *, planned: bool
) -> KeptFlops:
    """Return where solved flops are kept."""
    defender = blueprint.trunk.menus.defender
    identity = {
        "game": blueprint.trunk.strategy.tree.game.name,
        "column": column,
        "row": row,
        "defender": defender,
        "gadget": repr(again.gadget),
        "estimates": estimates_of(row),
        "iterations": again.iterations,
        "tolerance": again.tolerance,
        "hands": "up to suits",
        "kept": "values, errors, plans, seconds",
        "blueprint": digests(blueprint.trunk.strategy),
    }
    place = folder / _file(row) / f"player{defender}"
    return KeptFlops.open(place, identity, blueprint, planned=planned)


def game_of(name: str, flops: int | None) -> PokerGame:
    """Return a column's game, on all flops or on so many classes."""
    return GAMES[name](flops=flops)


def _notes(games: Iterable[str], settings: Settings) -> tuple[str, ...]:
    return (
        f"Games: {'; '.join(games)}; stacks of 20,000, blinds of 50 and 100. The paper prints no menus: "
        "those of small and large have the sizes that it prints, of strategies in doubles.",
        f"Blueprints: averages of {BLUEPRINT_ITERATIONS} iterations of CFR+ on buckets. Subgames: "
        f"{settings.iterations or ITERATIONS} iterations of discounted regret matching+, averages weighted "
        "by t**4; up to four times as many for methods that promise safety while the error is above "
        f"{TOLERANCE:g} pots, and the blueprint where it stays above.",
        "Estimates are what the opponent gets by the best response within the abstraction on the last "
        "street, by the last iteration's play there, or by the average's; distributions are normal, the "
        "deviation the gap between the "
        "estimate and the best response, learned by Hedge, by Theorem 3, or as "
        f"{VALUES} values each. No split: gifts times the number of classes of cards that may come on the "
        "last street, on average.",
    )


def _estimate(settings: Settings) -> Estimate:
    columns, rows = NIPS2017_TABLE1.chosen_columns(settings), NIPS2017_TABLE1.chosen(settings)
    sizes = [_size(column.partition("/")[0], settings.flops) for column in columns]
    left = (size * _left(column, rows, settings) for size, column in zip(sizes, columns, strict=True))
    disk = DISK * sum(sizes) * len(rows) * ((settings.checkpoint is not None) + (settings.keep is not None))
    return Estimate(UPDATE * sum(left) / settings.n_at_once, max(MEMORY * max(sizes), 0.5 * GIBIBYTE), disk)


def _left(column: str, rows: tuple[str, ...], settings: Settings) -> float:
    """Return how long a column takes that its checkpoint does not have yet, in iterations of a blueprint."""
    folder = None if settings.checkpoint is None else settings.checkpoint / _file(column)
    runs = {BLUEPRINT_FILE: BLUEPRINT_ITERATIONS}
    if any(estimates_of(row) == ITERATE for row in rows):
        runs[LAST_FILE] = BLUEPRINT_ITERATIONS
    if NO_ABSTRACTION in rows:
        runs[UNABSTRACTED_FILE] = UNABSTRACTED_ITERATIONS
    flops = 2 * _flops(game_of(column.partition("/")[0], None), settings.flops)
    name = "flop" if settings.keep is None else "plan"
    done = dict.fromkeys((*runs, *rows), 0)
    if folder is not None:
        done = {file: iterations_done(folder / file) for file in runs}
        done |= {row: n_kept_flops(folder / _file(row), name) for row in rows}
    solving = sum(max(iterations - done[file], 0) for file, iterations in runs.items())
    return solving + sum(_passes(row, settings) * max(1 - done[row] / flops, 0.0) for row in rows)


def _flops(game: PokerGame, flops: int | None) -> int:
    """Return how many classes of flops a game has, with a list of flops so many at most."""
    classes = HandIndex(game.deck, (rounds_of(game)[1],)).size
    return min(flops or classes, classes)


def _size(name: str, flops: int | None) -> float:
    """Return how many actions times hands times boards the last street has, or what takes as long."""
    game = game_of(name, None)
    flop, *rest = rounds_of(game)[1:]
    tree = BettingTree.of(game)
    last = tree.street == tree.street.max()
    actions = int((last & last[np.maximum(tree.parent, 0)]).sum())
    boards = HandIndex(game.deck, (flop, *rest)).size * _flops(game, flops) / _flops(game, None)
    hands = comb(len(game.deck.cards) - flop - sum(rest), 2)
    return float(actions * boards * hands) * (BETWEEN if rest else 1.0)


def _passes(row: str, settings: Settings) -> float:
    """Return how long a row takes, both seats, in iterations of a blueprint."""
    if row in (BLUEPRINT, NO_ABSTRACTION):  # no subgames are solved
        return 0.0
    way = next((way for way in WAYS if row.endswith(way)), THEOREM_3)
    longer = WAYS[way] if "distributional" in row else 1.0
    return ROW_SHARE * longer * 2 * (settings.iterations or ITERATIONS)


NIPS2017_TABLE1 = Reproduction(
    name="nips2017-table1",
    what="No-limit flop and turn hold'em: last subgames of card abstractions' blueprints solved again",
    source=SOURCE,
    rows=(*PRINTED, *MORE),
    columns=COLUMNS,
    extra=frozenset({*MORE, *(column for column in COLUMNS if column.startswith(FORMER))}),
    takes=frozenset({"flops", "iterations", "keep", "checkpoint", "threads"}),
    estimate=_estimate,
    run=_run,
)
