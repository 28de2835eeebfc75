"""Subgames: all 15 of Leduc solved again by one method for both seats, and answers to unplanned bets."""

from benchmarks.measure import Case, main
from treeplex import resolve
from treeplex.games.poker.named import no_limit_leduc
from treeplex.subgames.off_tree import compare_off_tree


def warm() -> None:
    """Load the compiled kernels with a small game."""
    resolve("kuhn_poker", 1, "all", "maxmargin", blueprint="cfr+:1")


def leduc(method: str) -> str:
    """Enumerate, solve, cut and compose once for each seat, the joint optimum included."""
    found = [resolve("leduc_poker", d, "all", method, blueprint="uniform") for d in (0, 1)]
    texts = [f"{f.exploitability_before:.4f} to {f.exploitability_after:.4f}" for f in found]
    return f"exploitability {', '.join(texts)}"


def surprised(_: object) -> str:
    answers = compare_off_tree(no_limit_leduc(bets=(0.5, 0.75, 1)), [0.5, 1])
    return f"{len(answers)} answers, both seats, each exploitability exact"


CASES = [
    Case("leduc-resolve", "2 s, building included", warm, lambda _: leduc("resolve")),
    Case("leduc-maxmargin", "2 s, building included", warm, lambda _: leduc("maxmargin")),
    Case("leduc-distributional", "2 s, building included", warm, lambda _: leduc("distributional")),
    Case("leduc-lexicographic", "2 s, building included", warm, lambda _: leduc("lexicographic")),
    Case("off-tree", "none: 7 answers on 63,631 histories", warm, surprised),
]

if __name__ == "__main__":
    main("benchmarks.gadgets.bench_subgames", CASES)
