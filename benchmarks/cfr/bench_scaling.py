"""How CFR+ grows with the game: time an iteration and memory against histories, sequences and nonzeros.

One process a game, one thread, compiled and warm. ``--plot FILE.svg`` draws what the table says.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.sequences.full_width import FullWidthState, SequenceCFR, prepare
from treeplex.cfr.sequences.sequence_learning import update_arrays
from treeplex.cfr.variant import VARIANTS
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm, tree_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public

SPECS = (
    "kuhn_poker(ranks=3)",
    "kuhn_poker(ranks=13)",
    "kuhn_poker(ranks=50)",
    "kuhn_poker(ranks=400)",
    "leduc_poker(ranks=3)",
    "leduc_poker(ranks=5)",
    "leduc_poker(ranks=8)",
    "leduc_poker(ranks=13)",
    "goofspiel(cards=3)",
    "goofspiel(cards=4)",
    "goofspiel(cards=5)",
    "liars_dice(faces=3)",
    "liars_dice(faces=4)",
    "liars_dice(faces=5)",
    "liars_dice(faces=6)",
)
VARIANT = VARIANTS["cfr+"]
SECONDS = 0.1
"""How long a timed run should take, in CPU seconds."""
RUNS = 10
"""How many of them; the fastest counts."""


@dataclass(frozen=True)
class Row:
    """What was measured of one game.

    Attributes
    ----------
    spec : str
    histories, sequences, nonzeros : int
        Sequences are those of both players; payoffs are one sparse matrix, an entry a pair of sequences.
    seconds : float
        CPU seconds of an iteration, both players updated.
    array_bytes : int
        What a run's arrays take: counted, not estimated.
    peak_bytes : int
        The most memory the process ever held, compiler and exact payoffs included.
    """

    spec: str
    histories: int
    sequences: int
    nonzeros: int
    seconds: float
    array_bytes: int
    peak_bytes: int

    @property
    def size(self) -> int:
        """Sequences and nonzeros together: what an iteration must touch."""
        return self.sequences + self.nonzeros


def measured(spec: str) -> Row:
    game = load_game(spec)
    form = form_of(game)
    seconds, state = seconds_an_iteration(form)
    # Before histories are counted: the peak is to be that of the run.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sequences = sum(t.n_sequences for t in form.treeplexes)
    return Row(spec, count_histories(game), sequences, form.payoff.nnz, seconds, run_bytes(form, state), peak)


def form_of(game: Game[Any]) -> SequenceForm:
    """Compile poker through its public tree, hand by hand, and other games history by history."""
    if isinstance(game, PokerGame):
        return sequence_form(compile_public(game), factored=False)
    return tree_form(build_tree(game))


def seconds_an_iteration(form: SequenceForm) -> tuple[float, FullWidthState]:
    """Time runs that go on from one another; laying the arrays out and averaging are taken off."""
    engine = prepare(form, VARIANT)
    state = engine.advance(engine.start(), 10)
    fixed = min(cpu_seconds(engine, 1, state)[0] for _ in range(RUNS))
    iterations, best = 10, np.inf
    while cpu_seconds(engine, 1 + iterations, state)[0] - fixed < SECONDS:
        iterations *= 2
    for _ in range(RUNS):
        spent, state = cpu_seconds(engine, 1 + iterations, state)
        best = min(best, (spent - fixed) / iterations)
    return best, state


def cpu_seconds(engine: SequenceCFR, iterations: int, state: FullWidthState) -> tuple[float, FullWidthState]:
    clock = time.process_time()
    after = engine.advance(state, iterations)
    return time.process_time() - clock, after


def count_histories(game: Game[Any]) -> int:
    """Walk the game and keep nothing but the number."""
    todo, count = [game.root()], 0
    while todo:
        state = todo.pop()
        count += 1
        player = game.player(state)
        if player == TERMINAL:
            continue
        labels = (label for label, _ in game.chance(state)) if player == CHANCE else game.actions(state)
        todo += [game.child(state, label) for label in labels]
    return count


def run_bytes(form: SequenceForm, state: FullWidthState) -> int:
    """Add up the arrays of a run: both sides, memories old and new, both gradients."""
    sides = sum(array.nbytes for player in (0, 1) for array in arrays_in(update_arrays(form, player)))
    memories = sum(array.nbytes for array in arrays_in(state.memories))
    gradients = sum(memory.plan.nbytes for memory in state.memories)
    return sides + 2 * memories + gradients


def arrays_in(parts: Any) -> Iterator[NDArray[Any]]:
    """Yield the arrays in nested tuples."""
    if isinstance(parts, np.ndarray):
        yield parts
    elif isinstance(parts, tuple):
        for part in parts:
            yield from arrays_in(part)


def exponent(x: list[float], y: list[float]) -> float:
    """Fit ``y = c x**e`` by least squares in logarithms and return e."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def print_table(rows: list[Row]) -> None:
    print(f"{'':<24}{'histories':>10}{'sequences':>10}{'nonzeros':>9}{'an iteration':>14}", end="")
    print(f"{'ns/size':>9}{'arrays':>11}{'B/seq.':>8}{'B/size':>8}{'peak':>9}")
    for row in rows:
        print(f"{row.spec:<24}{row.histories:>10,}{row.sequences:>10,}{row.nonzeros:>9,}", end="")
        print(f"{1e6 * row.seconds:>11,.2f} us{1e9 * row.seconds / row.size:>9.2f}", end="")
        print(f"{row.array_bytes / 1024:>7,.0f} KiB{row.array_bytes / row.sequences:>8,.0f}", end="")
        print(f"{row.array_bytes / row.size:>8.1f}{row.peak_bytes / 2**20:>5,.0f} MiB")
    print("size is sequences and nonzeros together; arrays are those of the run, peak is the whole process")


def print_fits(rows: list[Row]) -> None:
    sizes = [float(row.size) for row in rows]
    print(
        f"sizes from {min(sizes):,.0f} to {max(sizes):,.0f}: {np.log10(max(sizes) / min(sizes)):.1f} decades"
    )
    nanoseconds, kept = [1e9 * row.seconds for row in rows], [float(row.array_bytes) for row in rows]
    for what, unit, y in (("time an iteration", "ns", nanoseconds), ("memory of the arrays", "bytes", kept)):
        of_sequence, of_nonzero, off = linear(rows, y)
        print(f"{what} grows with size to the power {exponent(sizes, y):.3f};", end=" ")
        print(f"{of_sequence:.1f} {unit} a sequence and {of_nonzero:.1f} a nonzero, within {100 * off:.1f}%")


def linear(rows: list[Row], y: list[float]) -> tuple[float, float, float]:
    """Fit ``y`` as so much a sequence and so much a nonzero; return both and the largest relative error."""
    counts = np.array([[row.sequences, row.nonzeros] for row in rows], dtype=np.float64)
    # Relative errors, so that small games count as much as large ones.
    parts = counts / np.array(y)[:, None]
    (of_sequence, of_nonzero), *_ = np.linalg.lstsq(parts, np.ones(len(rows)))
    off = np.max(np.abs(parts @ [of_sequence, of_nonzero] - 1.0))
    return float(of_sequence), float(of_nonzero), float(off)


def draw(rows: list[Row], out: str) -> None:
    """Draw seconds and bytes against size, both logarithmic, a colour a kind of game."""
    # Imported late: the processes that measure should not hold it.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    for kind in dict.fromkeys(row.spec.split("(")[0] for row in rows):
        own = sorted((row for row in rows if row.spec.startswith(kind)), key=lambda row: row.size)
        sizes = [row.size for row in own]
        left.loglog(sizes, [row.seconds for row in own], "o-", markersize=4, label=kind)
        right.loglog(sizes, [row.array_bytes for row in own], "o-", markersize=4, label=kind)
    for axes, what, y in (
        (left, "CPU seconds an iteration", [row.seconds for row in rows]),
        (right, "bytes of a run's arrays", [float(row.array_bytes) for row in rows]),
    ):
        ends = np.array([min(row.size for row in rows), max(row.size for row in rows)], dtype=np.float64)
        middle = float(np.exp(np.mean([np.log(b / row.size) for b, row in zip(y, rows, strict=True)])))
        axes.loglog(ends, middle * ends, "k:", label="proportional")
        power = exponent([float(row.size) for row in rows], y)
        axes.set(xlabel="sequences + nonzeros", ylabel=what, title=f"power {power:.2f}")
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend()
    figure.savefig(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", nargs="?", help="measure this game alone, here, and print it as JSON")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw time and memory against size")
    arguments = parser.parse_args()
    if arguments.spec:
        print(json.dumps(asdict(measured(arguments.spec))))
        return
    command = [sys.executable, "-m", "benchmarks.cfr.bench_scaling"]
    texts = [subprocess.run([*command, s], check=True, capture_output=True, text=True).stdout for s in SPECS]
    rows = [Row(**json.loads(text)) for text in texts]
    print_table(rows)
    print_fits(rows)
    if arguments.plot:
        draw(rows, arguments.plot)


if __name__ == "__main__":
    main()
