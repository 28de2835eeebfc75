"""CFR and CFR+ beside OpenSpiel's C++, on games of OpenSpiel: CPU time an iteration, and the same NashConv.

``python -m benchmarks.cfr.bench_openspiel [SPEC]...`` prints a row of a Markdown table for each game. Both
programs solve one game in one process: first ``ITERATIONS`` iterations each, after which both averages are
certified here, then by turns ``ROUNDS`` slices of at least ``SLICE`` CPU seconds each, which go on from one
another and of which the fastest counts. Reading, OpenSpiel's tables and compilation are not timed.

Where actions are tied, rounding decides what is played, and the NashConvs may be apart. A SPEC with other
payoffs for ties, ``add_noise(epsilon=0.01,seed=1,game=...)``, shows whether ties were the reason.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treeplex import from_policy, load
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences.full_width import prepare
from treeplex.cfr.variant import variant_named
from treeplex.core.problem import Problem
from treeplex.games.formats.openspiel import MISSING, PREFIX, OpenSpielGame
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.reductions.removed_infosets import without_forced_moves

ITERATIONS = 20
ROUNDS = 5
SLICE = 0.1
METHODS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}
"""OpenSpiel's solvers of our methods; they average the plans with which iterations begin, by turns."""
GOOFSPIEL = "goofspiel(imp_info=True,num_cards={},points_order={},returns_type=win_loss)"
BATTLESHIP = "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1.0],num_shots={})"
FIVE_RANKS = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 1,"
    "maxRaises=2 2,numSuits=2,numRanks=5,numHoleCards=1,numBoardCards=0 1)"
)
"""Leduc hold'em with five ranks."""
GAMES = [
    "kuhn_poker",
    "leduc_poker(suit_isomorphism=True)",
    "leduc_poker",
    FIVE_RANKS,
    *(f"liars_dice(numdice=1,dice_sides={sides})" for sides in (3, 4, 5, 6)),
    *(GOOFSPIEL.format(cards, "descending") for cards in (3, 4, 5)),
    GOOFSPIEL.format(4, "random"),
    *(BATTLESHIP.format(shots) for shots in (2, 3)),
    "dark_hex(num_rows=2,num_cols=2)",
    "go_fish(players=2,ranks=2,suits=2,initial_cards=1)",
    "coordinated_mp",
    "matrix_rpsw",
    "blotto(coins=10,fields=3)",
    *(f"oshi_zumo(coins={coins},size=1,horizon={coins})" for coins in (4, 5)),
    "nim(pile_sizes=1;3;5)",
    "hex(num_cols=2,num_rows=3)",
    "y(board_size=3)",
    "havannah(board_size=2)",
    "go(board_size=2,max_game_length=6)",
    "clobber(columns=3,rows=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "dots_and_boxes(num_cols=1,num_rows=2)",
    "tic_tac_toe",
]
"""Two-player games of constant sum and perfect recall, read within half a minute; from nim on all is seen."""
HEAD = (
    "| game | infosets | histories | CFR: OpenSpiel, ms | here, ms | factor | CFR+: OpenSpiel, ms | here, ms "
    "| factor | NashConv, CFR: OpenSpiel, here | CFR+: OpenSpiel, here | apart |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Beside:
    """What a method does in both programs on one game, OpenSpiel's first.

    Attributes
    ----------
    nash_conv : pair of float
        Of the averages after ``ITERATIONS`` iterations, certified here.
    seconds : pair of float
        CPU seconds an iteration.
    """

    nash_conv: tuple[float, float]
    seconds: tuple[float, float]

    @property
    def apart(self) -> float:
        """How far the NashConvs are apart."""
        return abs(self.nash_conv[0] - self.nash_conv[1])

    def times(self) -> str:
        """Return milliseconds and their ratio as cells of a row."""
        theirs, ours = self.seconds
        return " | ".join(three_digits(x) for x in (1e3 * theirs, 1e3 * ours, theirs / ours))

    def widths(self) -> str:
        """Return both NashConvs as a cell."""
        return "{:.6g}, {:.6g}".format(*self.nash_conv)


def beside(problem: Problem, method: str, rounds: int, least: float) -> Beside:
    """Run a method in both programs; iterations alternate, and plans are averaged from before updates."""
    import pyspiel

    game = problem.game
    assert isinstance(game, OpenSpielGame)
    theirs = getattr(pyspiel, METHODS[method])(game.spiel)
    form = without_forced_moves(problem.form).form
    engine = prepare(form, variant_named(method, counted="before"))
    state: Any = iterate(engine, ITERATIONS)

    def evaluate(iterations: int) -> None:
        for _ in range(iterations):
            theirs.evaluate_and_update_policy()

    def advance(iterations: int) -> None:
        nonlocal state
        state = engine.advance(state, iterations)

    evaluate(ITERATIONS)
    average = from_policy(theirs.tabular_average_policy(), problem)
    widths = certify(problem.form, average).nash_conv, certify(form, engine.strategy(state)).nash_conv
    counts = [enough(run, least) for run in (evaluate, advance)]
    slices = [(seconds(evaluate, counts[0]), seconds(advance, counts[1])) for _ in range(rounds)]
    theirs_least, ours_least = (min(column) for column in zip(*slices, strict=True))
    return Beside(widths, (theirs_least, ours_least))


def enough(run: Callable[[int], None], least: float) -> int:
    """Return a number of iterations, a power of two, that takes at least so many CPU seconds."""
    iterations = 1
    while iterations * seconds(run, iterations) < least:
        iterations *= 2
    return iterations


def seconds(run: Callable[[int], None], iterations: int) -> float:
    """Return the CPU seconds an iteration of a run."""
    clock = time.process_time()
    run(iterations)
    return (time.process_time() - clock) / iterations


def three_digits(number: float) -> str:
    """Return a number in three significant digits, thousands with commas."""
    return f"{float(f'{number:.3g}'):,g}"


def row(spec: str) -> str:
    """Return the row of a game, by OpenSpiel's spec of it."""
    problem = load(PREFIX + spec)
    cfr, plus = (beside(problem, method, ROUNDS, SLICE) for method in METHODS)
    cells = (
        f"`{spec}`",
        f"{sum(problem.form.n_infosets):,}",
        f"{len(problem.enumerated.tree.player):,}",
        cfr.times(),
        plus.times(),
        cfr.widths(),
        plus.widths(),
        f"{max(cfr.apart, plus.apart):.0e}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table of the games named on the command line, or of all."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print(MISSING)
        return
    print(HEAD)
    for spec in sys.argv[1:] or GAMES:
        print(row(spec), flush=True)


if __name__ == "__main__":
    main()
