"""A bet that a river's menus lack, answered by every method: the tables of docs/ANSWERS.md.

``python -m benchmarks.gadgets.study_answers SPEC BOARD:LINE`` prints one table as it comes, such as of
``"subgame3.txt(bets=[0.5,1,a],raises=[1,a])" r375``.
"""

import argparse

from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.answer import answer
from treeplex.subgames.blueprints import blueprint_on_boards

METHODS = (
    ("resolve", "inexpensive"),
    ("maxmargin", "inexpensive"),
    ("resolve", "expensive"),
    ("maxmargin", "expensive"),
    ("unsafe", "expensive"),
)
BLUEPRINT, ITERATIONS, WIDTH = "dcfr:400", 3000, 5e-4
HEAD = "| method | gadget's value | loss | iterations | seconds |"


def main() -> None:
    parser = argparse.ArgumentParser("study_answers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec")
    parser.add_argument("at")
    asked = parser.parse_args()
    problem = load(asked.spec)
    blueprint = blueprint_on_boards(problem, BLUEPRINT)
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", sep="\n", flush=True)
    for method, approach in METHODS:
        print(row(problem, blueprint, asked.at, method, approach), flush=True)


def row(problem: Problem, blueprint: FactoredStrategy, at: str, method: str, approach: str) -> str:
    """Answer by one method; return a row of the table, in percent of the pot."""
    found = answer(problem, blueprint, at, method, approach=approach, iterations=ITERATIONS, width=WIDTH)
    percent = 100.0 / problem.unit_size
    low, high = (percent * value for value in found.gadget_value)
    by_translation = (
        "unknown" if found.translation_loss is None else f"{percent * found.translation_loss:.4f}"
    )
    return (
        f"| {method} ({approach}) | [{low:.4f}, {high:.4f}] | {percent * found.loss:.4f}, translation "
        f"{by_translation} | {found.iterations:,} | {found.seconds:.2f} |"
    )


if __name__ == "__main__":
    main()
