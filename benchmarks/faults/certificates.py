"""Certificates of a handful of games: ``python -m benchmarks.faults.certificates``, run in a copy.

Values, sizes and uniform play are computed exactly and held against what is known; every method that fits is
run, and their proved intervals compared. Prints one JSON object with what failed.
"""

import json
import sys
from collections.abc import Callable
from fractions import Fraction

import treeplex as tp

EXACT = (
    "coin_toss",
    "dummy_pennies",
    "matrix_game(payoff=[[3,1],[1/3,5]])",
    "goofspiel",
    "goofspiel(cards=4)",
    "liars_dice(faces=4)",
    "oshi_zumo",
    "phantom_mnk(columns=2)",
    "battleship",
    "sheriff",
    "patrol",
    "auction",
    "random_game",
    "kuhn_poker(ranks=3)",
    "kuhn_poker(ranks=13)",
    "kuhn_poker(ranks=100)",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "leduc_poker(ranks=13)",
    "no_limit_leduc",
)
"""Games whose exact optimum is computed and held against the known value and sizes."""
CROSSCHECKED = ("kuhn_poker", "leduc_poker(raises=1)", "goofspiel", "coin_toss", "small_holdem")
"""Games on which all methods are compared."""
UNIFORM = {"kuhn_poker(ranks=3)": Fraction(11, 12), "leduc_poker": Fraction(1709, 360)}
"""NashConv of uniform play, as in OpenSpiel."""


def main() -> int:
    failed = [name for spec in EXACT for name in _failures(f"exact value of {spec}", _exact(spec))]
    failed += [
        name for spec in CROSSCHECKED for name in _failures(f"crosscheck of {spec}", _crosscheck(spec))
    ]
    print(json.dumps({"package": str(tp.__file__), "failed": failed}))
    return 1 if failed else 0


def _failures(name: str, check: Callable[[], bool]) -> list[str]:
    """Return the name of a check that failed, with the error if it raised one."""
    try:
        return [] if check() else [name]
    except Exception as error:  # whatever a fault leads to
        return [f"{name}: {type(error).__name__}: {error}"]


def _exact(spec: str) -> Callable[[], bool]:
    def check() -> bool:
        (entry,) = tp.reference([spec]).entries
        floats = tp.check(spec, {}, missing="uniform")
        return (
            UNIFORM.get(spec, entry.uniform_nash_conv) == entry.uniform_nash_conv
            and floats.proof.lower <= entry.uniform[1]
            and entry.uniform[2] <= floats.proof.upper
            and abs(floats.proof.nash_conv - float(entry.uniform_nash_conv))
            <= 1e-9 * (1 + floats.proof.nash_conv)
        )

    return check


def _crosscheck(spec: str) -> Callable[[], bool]:
    return lambda: tp.crosscheck(spec).passed


if __name__ == "__main__":
    sys.exit(main())
