"""The tables of docs/SUBGAMES.md: ``python -m benchmarks.gadgets.study_subgames`` prints them."""

import numpy as np

import treeplex as tp
from treeplex.gadgets.solving.by_name import Options
from treeplex.games.holdem.named import no_limit_leduc
from treeplex.subgames.off_tree import compare_off_tree

BLUEPRINTS = ("uniform", "cfr+:5", "cfr+:10", "cfr+:20", "cfr+:50", "cfr+:100", "cfr+:300")
ROWS = (
    ("unsafe", "any"),
    ("resolve", "any"),
    ("resolve", "quasi-perfect"),
    ("maxmargin", "any"),
    ("maxmargin", "quasi-perfect"),
    ("lexicographic", "any"),
    ("distributional", "any"),
    ("estimated-maxmargin", "any"),
    ("estimated-distributional", "any"),
)


def part_left(method: str, blueprint: str, equilibrium: str) -> float:
    """Return the part of the blueprint's exploitability that is left on Leduc, the mean of both seats."""
    options = Options(equilibrium=equilibrium)
    found = [
        tp.resolve("leduc_poker", d, "all", method, blueprint=blueprint, options=options) for d in (0, 1)
    ]
    return float(np.mean([f.exploitability_after / f.exploitability_before for f in found]))


def main() -> None:
    """Print both tables as Markdown."""
    print("| method, equilibrium |", " | ".join(BLUEPRINTS), "|")
    print("|---|" + "---|" * len(BLUEPRINTS))
    for method, equilibrium in ROWS:
        parts = [part_left(method, blueprint, equilibrium) for blueprint in BLUEPRINTS]
        print(f"| {method}, {equilibrium} |", " | ".join(f"{part:.3f}" for part in parts), "|", flush=True)
    print()
    for raises in ((1, 2), (2, 2)):
        full = no_limit_leduc(bets=(0.5, 0.75, 1), max_raises=raises)
        print(f"| no-limit Leduc, raises {raises} | player 0 defends | player 1 defends |")
        print("|---|---|---|")
        for row in compare_off_tree(full, [0.5, 1]):
            print(f"| {row.method} |", " | ".join(f"{e:.5f}" for e in row.exploitability), "|", flush=True)
        print()


if __name__ == "__main__":
    main()
