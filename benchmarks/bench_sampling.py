"""Sampled regret minimisation: iterations a CPU-second on one thread, compiled and warm.

An iteration is a traversal for each player.
"""

import time

from benchmarks.measure import Case, main
from cfr.sampling import Sampling, Scheme, mccfr
from games.specs import load_game
from seqform.certificate import certify
from seqform.game_tree import build_tree
from seqform.tree_form import NumberedTree, number_tree

SEED = 1


def prepared(spec: str, scheme: Scheme) -> NumberedTree:
    trunk = number_tree(build_tree(load_game(spec)))
    mccfr(trunk, Sampling(scheme), 10, SEED)
    return trunk


def speed(trunk: object, scheme: Scheme, stops: tuple[int, ...]) -> str:
    assert isinstance(trunk, NumberedTree)
    state, cpu, widths = None, 0.0, []
    for stop in stops:
        begun = time.process_time()
        done = 0 if state is None else state.iterations
        run = mccfr(trunk, Sampling(scheme), stop - done, SEED, state)
        cpu += time.process_time() - begun
        state = run.state
        widths.append(f"{certify(trunk.form, run.profile).nash_conv:.2e} after {stop:,}")
    return f"{stops[-1] / cpu:,.0f} iterations a CPU-second, NashConv {', '.join(widths)}"


STOPS = (100_000, 1_000_000, 2_000_000)
LEDUC_TARGET = "400,000 iterations a CPU-second, NashConv below 2e-2 after 2,000,000"


def case(spec: str, scheme: Scheme, target: str) -> Case:
    return Case(
        f"{spec.removesuffix('_poker')}-{scheme}",
        target,
        lambda: prepared(spec, scheme),
        lambda trunk: speed(trunk, scheme, STOPS),
    )


CASES = [
    case("leduc_poker", "external", LEDUC_TARGET),
    case("leduc_poker", "outcome", "none"),
    case("leduc_poker", "chance", "none"),
    case("kuhn_poker", "external", "none"),
    case("kuhn_poker", "outcome", "none"),
    case("kuhn_poker", "chance", "none"),
]

if __name__ == "__main__":
    main("benchmarks.bench_sampling", CASES)
