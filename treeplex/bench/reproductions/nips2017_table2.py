"""Table 2 of Brown and Sandholm (2017): nested subgame solving of no-limit flop hold'em."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from treeplex.bench.reproductions.blueprints import BLUEPRINT_FILE
from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.core.progress import Progress
from treeplex.files.checkpoint import iterations_done
from treeplex.gadgets.off_tree.off_tree import NESTED_METHODS, UNSAFE, off_tree_method
from treeplex.games.base.number_texts import GIBIBYTE, Estimate
from treeplex.games.poker.named import no_limit_flop_holdem
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.solving.solve import solve
from treeplex.subgames.flop_by_flop import Store, n_kept_flops
from treeplex.subgames.kept_answers import identity, keep_blueprint, place_of_seat
from treeplex.subgames.nested_value import SeatValue, nested_value, translated_value
from treeplex.subgames.off_tree import TRANSLATION
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.street_answers import Nested
from treeplex.subgames.street_betting import Menus

PRINTED: Mapping[str, float] = MappingProxyType(
    {
        "translation": 1465.0,
        "resolve": 150.2,
        "reach-maxmargin (expensive)": 149.2,
        "unsafe (expensive)": 148.3,
        "maxmargin": 122.0,
        "reach-maxmargin": 119.1,
    }
)
"""The paper's rows in its order, in mbb/hand."""
EXPENSIVE = " (expensive)"
_ROWS = [name + kind for kind in ("", EXPENSIVE) for name in NESTED_METHODS]
MORE = tuple(row for row in _ROWS if row not in (*PRINTED, UNSAFE))
"""Rows that the paper does not have."""
COARSE, FULL = (0.5, 1), (0.5, 0.75, 1)
"""The defender's and the opponent's sizes of bets and raises, in pots."""
BLUEPRINT_ITERATIONS, ANSWER_ITERATIONS = 400, 300
"""Of discounted CFR."""
BIG_BLIND = 100
MILLI = 1000
N_FLOPS = 1755
"""Classes of flops of the whole game."""
SMALL = 200
"""With more classes of flops tables are kept as 16-bit integers."""
BLUEPRINT_MEMORY = 4.4 * GIBIBYTE
"""Of regrets and averages of the defender's blueprint on all flops, 16-bit integers."""
STATE_DISK, STRATEGY_DISK, ANSWERS_DISK, VALUES_DISK = (n * GIBIBYTE for n in (3.4, 1.7, 2.6, 0.9))
"""On all flops: the blueprint as state and as strategy; a row of both seats as answers and as values."""
ROW_MINUTES = MappingProxyType({TRANSLATION: 10.0, "inexpensive": 130.0, "expensive": 200.0})
"""Minutes of one thread for both seats over all flops, by how bets are answered."""
BLUEPRINT_MINUTES = 45.0
"""The same for the blueprint."""


def _estimate(settings: Settings) -> Estimate:
    part = min(settings.flops or N_FLOPS, N_FLOPS) / N_FLOPS
    rows = NIPS2017_TABLE2.chosen(settings)
    longer, folder = _iterations(settings) / ANSWER_ITERATIONS, settings.keep or settings.checkpoint
    judged = ROW_MINUTES[TRANSLATION]  # as long as a row takes in which nothing is solved
    minutes = BLUEPRINT_MINUTES
    if folder is not None:  # what it has need not be computed again
        minutes *= max(1 - iterations_done(folder / BLUEPRINT_FILE) / BLUEPRINT_ITERATIONS, 0.0)
    for row in rows:
        solved = 0.0 if row == TRANSLATION else ROW_MINUTES[approach_of(row)] - judged
        place = settings.checkpoint if row == TRANSLATION else folder
        done = 0 if place is None else n_kept_flops(place_of_seat(place, row, 0).parent)
        minutes += (judged + longer * solved) * max(1 - done / (2 * part * N_FLOPS), 0.0)
    disk = 0.0
    if settings.keep is not None:
        disk = STATE_DISK + STRATEGY_DISK + len(rows) * ANSWERS_DISK
    elif settings.checkpoint is not None:
        disk = STATE_DISK + len(rows) * VALUES_DISK
    memory = max(
        (2.0 if any(EXPENSIVE in row for row in rows) else 1.2) * BLUEPRINT_MEMORY * part, 0.5 * GIBIBYTE
    )
    if _config(settings).storage == "float32":  # twice as wide as 16-bit integers
        disk *= 2
    return Estimate(60 * minutes * part / settings.n_at_once, memory, disk * part)


def approach_of(row: str) -> str:
    """Return how a row answers bets, of ``APPROACHES``."""
    return "expensive" if row.endswith(EXPENSIVE) else "inexpensive"


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    coarse, full = (no_limit_flop_holdem(bets=bets, flops=settings.flops) for bets in (COARSE, FULL))
    threads, folder = settings.n_threads, settings.keep or settings.checkpoint
    config, names = _config(settings), NIPS2017_TABLE2.chosen(settings)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    solved = solve(
        coarse,
        "dcfr",
        form="boards",
        iterations=BLUEPRINT_ITERATIONS,
        checkpoint=None if folder is None else folder / BLUEPRINT_FILE,
        progress=progress,
        threads=threads,
        storage=config.storage,
    )
    blueprint, rows = solved.strategy, []
    assert isinstance(blueprint, FactoredStrategy)
    if settings.keep is not None:
        keep_blueprint(settings.keep, blueprint)
    seats = [NestedSeat.of(Menus(full, coarse, d), blueprint, config, threads) for d in (0, 1)]
    # All stores are opened first: that of another run is refused before any row is computed.
    stores = {name: [_store(seat, name, settings) for seat in seats] for name in names}
    for name in names:
        found = []
        for defender, (seat, store) in enumerate(zip(seats, stores[name], strict=True)):

            def told(stage: str, width: float, where: str = f"{name}, player {defender}") -> None:
                progress(f"{where}: {stage}", width)

            found.append(_value(replace(seat, progress=told), name, settings, store))
        best = [_mbb(one.best_response) for one in found]
        rows.append(PrintedRow(name, (sum(best) / 2, *best), (PRINTED.get(name),)))
    within = _mbb(float(solved.exploitability or 0.0))
    return (_table(full.name, coarse.name, within, _iterations(settings), tuple(rows)),)


def _iterations(settings: Settings) -> int:
    """Return the number of iterations of each answer."""
    return settings.iterations or ANSWER_ITERATIONS


def _config(settings: Settings) -> FactoredConfig:
    return factored_config("dcfr", storage="float32" if (settings.flops or N_FLOPS) <= SMALL else "int16")


def _value(seat: NestedSeat, name: str, settings: Settings, store: Store | None) -> SeatValue:
    if name == TRANSLATION:
        return translated_value(seat, store)
    way = off_tree_method(name.removesuffix(EXPENSIVE), approach_of(name))
    return nested_value(seat, Nested(way, _iterations(settings)), store)


def _store(seat: NestedSeat, name: str, settings: Settings) -> Store | None:
    """Return where a row's values are kept, and with ``--keep`` its answers; None without a folder."""
    folder, plans = settings.keep or settings.checkpoint, settings.keep is not None
    n_iterations = _iterations(settings)
    if name == TRANSLATION:  # it has no answers that could be judged again, or take iterations
        folder, plans, n_iterations = settings.checkpoint, False, ANSWER_ITERATIONS
    if folder is None:
        return None
    place = place_of_seat(folder, name, seat.menus.defender)
    return Store.open(place, identity(seat, name, n_iterations), plans=plans)


def _mbb(chips: float) -> float:
    """Return chips a hand as thousandths of a big blind."""
    return chips * MILLI / BIG_BLIND


def _table(
    full: str, coarse: str, within: float, n_iterations: int, rows: tuple[PrintedRow, ...]
) -> PrintedTable:
    return PrintedTable(
        title="No-limit flop hold'em: exploitability with bets of 0.75 pot that the blueprint lacks",
        source="Brown and Sandholm 2017, Table 2",
        unit="mbb/hand",
        columns=("exploitability", "lost to by player 0", "lost to by player 1"),
        printed=("exploitability",),
        rows=rows,
        notes=(
            f"The game is {full}, the blueprint's {coarse}, the paper's: stacks of 20,000, blinds of 50 and "
            "100, one bet before the flop and no raise, three bets on the flop, no cards abstracted.",
            f"Within its own menu the blueprint's exploitability is {within:.2f} mbb/hand.",
            "Exploitability is half the sum of what the best response earns against either seat. What it "
            "earns against one seat includes the value of the game, which is not known.",
            f"Answers are averages of {n_iterations} iterations of discounted CFR, the blueprint of "
            f"{BLUEPRINT_ITERATIONS}.",
        ),
        decimals=2,
    )


NIPS2017_TABLE2 = Reproduction(
    name="nips2017-table2",
    what="No-limit flop hold'em: exploitability of a blueprint without bets of 0.75 pot, by answers to them",
    source="Brown and Sandholm 2017, Table 2",
    rows=(*PRINTED, *MORE),
    takes=frozenset({"flops", "iterations", "keep", "checkpoint", "threads"}),
    estimate=_estimate,
    run=_run,
)
