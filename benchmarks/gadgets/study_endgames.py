"""Turns with a blueprint of few sizes, all rivers solved again by each gadget: the tables of ENDGAMES.md.

``python -m benchmarks.gadgets.study_endgames SPEC [--seats 0 1] [--methods METHOD ...]`` prints a table as it
comes, such as of ``"subgame2.txt(bets=[0.5,1,a],raises=[1,a])"``.
"""

import argparse
import time

from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.solving.solve import solve
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.resolve_on_boards import BoardEffort, resolve_on_boards

METHODS = ("unsafe", "resolve", "maxmargin", "reach-maxmargin")
BLUEPRINT, FEW = "dcfr:300", "1,a"
"""The blueprint's method, and the sizes that it knows."""
EFFORT = BoardEffort(tolerance=1e-4, width=5e-3, iterations=1000)
HEAD = "| method | defender | before | after | error | widest value | blueprint kept | iterations | seconds |"


def main() -> None:
    parser = argparse.ArgumentParser("study_endgames", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec")
    parser.add_argument("--seats", nargs="+", type=int, default=[0, 1])
    parser.add_argument("--methods", nargs="+", default=[*METHODS])
    parser.add_argument(
        "--within", type=float, default=2e-3, help="half of NashConv of the value's run, in pots"
    )
    asked = parser.parse_args()
    problem = load(asked.spec)
    clock = time.perf_counter()
    value = solve(asked.spec, form="boards", method="dcfr", target=asked.within * problem.unit_size)
    low, high = value.lower / problem.unit_size, value.upper / problem.unit_size
    took = time.perf_counter() - clock
    print(f"value in [{low:.6f}, {high:.6f}] pots, {took:.0f} s", flush=True)
    blueprint = blueprint_on_boards(problem, BLUEPRINT, abstraction=FEW)
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", sep="\n", flush=True)
    for method in asked.methods:
        for defender in asked.seats:
            print(row(problem, blueprint, method, defender, (low + high) / 2), flush=True)


def row(problem: Problem, blueprint: FactoredStrategy, method: str, defender: int, value: float) -> str:
    """Solve all rivers for a defender; return a row of the table, in percent of the pot."""
    found = resolve_on_boards(problem, defender, "all", method, blueprint=blueprint, effort=EFFORT)
    percent, own = 100.0 / problem.unit_size, 100.0 * (value if defender == 1 else -value)
    widest = max(one.gadget_value[1] - one.gadget_value[0] for one in found.solved)
    iterations = sorted(one.iterations for one in found.solved)
    numbers = [
        f"{percent * found.best_response_before - own:.3f}",
        f"{percent * found.best_response_after - own:.3f}",
        f"{percent * found.error:.4f}",
        f"{percent * widest:.3f}",
        f"{len(found.kept)} of {len(found.subgames)}",
        f"{iterations[len(iterations) // 2]:,}",
        f"{found.seconds:.0f}",
    ]
    return f"| {method} | {defender} | " + " | ".join(numbers) + " |"


if __name__ == "__main__":
    main()
