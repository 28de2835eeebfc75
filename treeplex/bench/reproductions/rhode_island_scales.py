"""Figures 1c and 1d of Tammelin et al. (2015): CFR+ on Rhode Island hold'em by scale of regrets."""

from collections.abc import Sequence
from math import inf
from types import MappingProxyType

from treeplex.bench.reproductions.printed_table import Number, PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.cfr.boards.board_state import FactoredState, factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.boards.fixed_point import FixedPoint
from treeplex.core.loading import load
from treeplex.core.progress import Progress
from treeplex.files.compressed_blocks import TableBlocks
from treeplex.files.generation_files import encoded
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import rhode_island
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored

SOURCE = "Tammelin, Burch, Johanson and Bowling 2015, Figures 1c and 1d"
SCALES = MappingProxyType(
    {f"{scale:g}": scale for scale in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)}
)
"""Integers for one chip of regret on every street, by the name of the row."""
GAMES = MappingProxyType({"13 ranks": rhode_island(), "4 ranks": rhode_island(ranks=4)})
"""The paper's game, and one of its shape that is quick; a table each."""
SIZE = MappingProxyType({"13 ranks": 1.0, "4 ranks": 0.03})
"""The time that an iteration takes, relative to the paper's game."""
ITERATIONS = 2000
COUNTS = (100, 200, 400, 600, 800, 1000, 1500, 2000)
"""Iterations after which strategies are certified."""
AVERAGE_SCALE = 1024.0
"""Integers for a plan of probability 1: sums of 2,000 iterations with linear weights fit into 31 bits."""
TARGET = 1.0
"""Exploitability in mbb/hand at which a run ends."""
BIG_BLIND = 10
"""Chips: the bet of the first round."""
MILLI = 1000
SLICE = 10
"""Iterations between reports of progress."""
SECONDS_AN_ITERATION, SECONDS_A_CERTIFICATE, MEMORY = 0.25, 5.0, 700 * MEBIBYTE
"""Of two threads."""


COLUMNS = ("1 mbb/hand after", "MB of regrets", "to one")
"""Iterations, None where it is not reached; both players' regrets compressed at the end of the run."""


def measured(
    game: PokerGame, tree: FactoredTree, row: str, counts: Sequence[int], threads: int, progress: Progress
) -> PrintedRow:
    """Return a row: exploitability after each count until ``TARGET``, then what ``COLUMNS`` names."""
    regrets, averages = (len(game.board_cards) * (scale,) for scale in (SCALES[row], AVERAGE_SCALE))
    engine = prepare(tree, factored_config("cfr+", "linear", "int32", FixedPoint(regrets, averages)), threads)
    state, found = engine.start(), list[Number]()
    for count in counts:
        while state.iterations < count:
            progress(f"scale {row}, {state.iterations:,} iterations", inf)
            state = engine.advance(state, min(SLICE, count - state.iterations))
        mbb = MILLI * certify_factored(game, engine.strategy(state)).nash_conv / 2 / BIG_BLIND
        progress(f"scale {row}, {count:,} iterations, {mbb:.3f} mbb/hand", inf)
        found.append(mbb)
        if mbb <= TARGET:
            break
    raw, size = sizes(tree, state)
    reached = float(state.iterations) if mbb <= TARGET else None
    missing = [None] * (len(counts) - len(found))
    cut = int(state.saturated.sum())
    note = f"{cut:,} sums did not fit into 31 bits" if cut else ""
    return PrintedRow(row, (*found, *missing, reached, size / 1e6, raw / size), note=note)


def sizes(tree: FactoredTree, state: FactoredState) -> tuple[int, int]:
    """Return the bytes of both players' regrets as int32, and compressed as stores compress them."""
    raw = size = 0
    for player, memory in enumerate(state.memories):
        frames, _ = encoded(TableBlocks.of(tree, player), memory.regret)
        raw, size = raw + memory.regret.nbytes, size + len(frames)
    return raw, size


def counts_of(settings: Settings) -> tuple[int, ...]:
    """Return after how many iterations strategies are certified."""
    most = settings.iterations or ITERATIONS
    return (*(count for count in COUNTS if count < most), most)


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    return tuple(_table(name, settings, progress) for name in RHODE_ISLAND_SCALES.chosen_columns(settings))


def _table(name: str, settings: Settings, progress: Progress) -> PrintedTable:
    game, counts, threads = GAMES[name], counts_of(settings), settings.n_threads
    tree = load(game).boards()
    chosen = RHODE_ISLAND_SCALES.chosen(settings)
    return PrintedTable(
        title=f"Rhode Island hold'em, {name}, by CFR+ in fixed point: exploitability of the average",
        source=SOURCE,
        unit=f"mbb/hand by scale of regrets after so many iterations, a big blind of {BIG_BLIND} chips",
        columns=(*map(str, counts), *COLUMNS),
        rows=tuple(measured(game, tree, row, counts, threads, progress) for row in chosen),
        notes=(
            "A run ends at 1 mbb/hand. In print, with 13 ranks, curves are the same before iteration 100, "
            "and four scales do not reach 1 mbb/hand within 2,000 iterations; it has no figures.",
            f"Averages are integers too, {AVERAGE_SCALE:g} for a plan of probability 1. Regrets are "
            "compressed as in stores.",
        ),
    )


def _estimate(settings: Settings) -> Estimate:
    counts, rows = counts_of(settings), len(RHODE_ISLAND_SCALES.chosen(settings))
    seconds = SECONDS_AN_ITERATION * counts[-1] + SECONDS_A_CERTIFICATE * len(counts)
    size = sum(SIZE[name] for name in RHODE_ISLAND_SCALES.chosen_columns(settings))
    return Estimate(rows * seconds * size, MEMORY)


RHODE_ISLAND_SCALES = Reproduction(
    name="rhode-island-scales",
    what="Rhode Island hold'em by CFR+ in fixed point: what scales of regrets cost and save",
    source=SOURCE,
    rows=tuple(SCALES),
    columns=tuple(GAMES),
    takes=frozenset({"iterations", "threads"}),
    estimate=_estimate,
    run=_run,
)
