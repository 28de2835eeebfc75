"""Linear programs: Leduc, a river with all hands, and two rivers of real ranges, each with its proof."""

import os
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import Case, main
from treeplex import Problem, Result, load, solve
from treeplex.seqform.certify.certificate import Target
from treeplex.seqform.programs.guided_program import solve_guided
from treeplex.solving.linear_program import program_guide

LIBRATUS = Path(os.environ.get("TREEPLEX_LIBRATUS", "../shared/data/libratus"))
"""Where the published endgames lie; their cases are left out when they are absent."""
MENUS = {"bets": "0.5,1,a", "raises": "1,a"}


def proved(result: Result) -> str:
    """Say what was proved, in pots where there is one."""
    width = result.nash_conv / (float(result.pot) if result.pot else 1.0)
    unit = "pots" if result.pot else result.unit
    value = (
        f"value {result.value:.9g}" if result.ev is None else f"EV {result.ev[0]:.6f} / {result.ev[1]:.6f}"
    )
    return f"{value}, proved to {width:.1e} {unit} by {result.method} ({result.solver or result.status})"


def warm(spec: str) -> None:
    """Load the compiled kernels with a small game."""
    solve(spec, exact=True)
    solve(spec, method="cfr+", iterations=1)


def leduc(_: object) -> str:
    return proved(solve("leduc_poker"))


def river() -> Problem:
    warm("leduc_poker")
    return load("examples/river.toml")


def whole_river(problem: object) -> str:
    """Solve the river without merging hands: guided programs of all 1,081 a side."""
    assert isinstance(problem, Problem)
    whole = replace(problem.small, merged=None)
    solution = solve_guided(whole.form, program_guide(whole), Target(1e-6 * 100))
    width = solution.certificate.nash_conv / 100
    return f"value {float(solution.certificate.value):.9g}, proved to {width:.1e} pots ({solution.solver})"


def endgame(number: int) -> Problem:
    warm("leduc_poker")
    return load(str(LIBRATUS / f"subgame{number}.txt"), **MENUS)


def solved(problem: object) -> str:
    assert isinstance(problem, Problem)
    return proved(solve(problem))


def exactly(problem: object) -> str:
    assert isinstance(problem, Problem)
    return f"exact value {solve(problem, exact=True).exact_value}"


CASES = [
    Case("leduc", "0.1 s, building included", lambda: warm("kuhn_poker"), leduc),
    Case("river", "20 s, 2 GB, proved to 1e-6 pots", river, solved),
    Case("river-exact", "none: the exact rational value", river, exactly),
    Case("river-unmerged", "20 s, 2 GB, proved to 1e-6 pots", river, whole_river),
]
if LIBRATUS.is_dir():
    CASES += [
        Case("endgame-4", "90 s, proved to 1e-6 pots", lambda: endgame(4), solved),
        Case("endgame-3", "300 s, proved to 1e-6 pots", lambda: endgame(3), solved),
    ]

if __name__ == "__main__":
    main("benchmarks.seqform.bench_lp", CASES)
