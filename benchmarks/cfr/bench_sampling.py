"""Sampled regret minimisation: iterations a CPU-second, compiled and warm; and streams side by side.

An iteration is a traversal for each player.
"""

import time
from dataclasses import replace

from benchmarks.measure import Case, main
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling.history_sampling import prepare
from treeplex.cfr.sampling.sampling_config import Pruning, Sampling
from treeplex.games.formats.specs import load_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.trees.game_tree import build_tree

SEED = 1
SEEDS = (1, 2, 3, 4)
DICE = "liars_dice(faces=5)"
DICE_PRUNING = Pruning(-230.0, 2300.0)
"""As ``mccfr-pruned`` has it on Liar's dice, whose payoffs are -1 and 1."""
STOPS = (100_000, 1_000_000, 2_000_000)
LEDUC_TARGET = "400,000 iterations a CPU-second, NashConv below 2e-2 after 2,000,000"


def prepared(spec: str, sampling: Sampling) -> NumberedTree:
    enumerated = number_tree(build_tree(load_game(spec)))
    iterate(prepare(enumerated, sampling), 10)
    return enumerated


def speed(enumerated: object, sampling: Sampling) -> str:
    assert isinstance(enumerated, NumberedTree)
    engine, state, cpu, widths = prepare(enumerated, replace(sampling, seed=SEED)), None, 0.0, []
    for stop in STOPS:
        begun = time.process_time()
        done = 0 if state is None else state.iterations
        state = iterate(engine, stop - done, state)
        cpu += time.process_time() - begun
        widths.append(f"{certify(enumerated.form, engine.strategy(state)).nash_conv:.2e} after {stop:,}")
    assert state is not None
    histories = f"{state.streams[0].visited / state.iterations:.1f} histories each"
    return f"{STOPS[-1] / cpu:,.0f} iterations a CPU-second, {histories}, NashConv {', '.join(widths)}"


def streams_speed(enumerated: object, streams: int) -> str:
    assert isinstance(enumerated, NumberedTree)
    engine = prepare(enumerated, Sampling(seed=SEED, streams=streams))
    clock = time.perf_counter()
    state = iterate(engine, STOPS[-1])
    seconds, width = time.perf_counter() - clock, certify(enumerated.form, engine.strategy(state)).nash_conv
    return f"{seconds:.2f} s wall, NashConv {width:.2e} after {state.iterations:,} in all"


def means(enumerated: object, sampling: Sampling, iterations: int) -> str:
    """Return means over ``SEEDS`` of what a run takes and of the NashConv at its end."""
    assert isinstance(enumerated, NumberedTree)
    cpu, width = 0.0, 0.0
    for seed in SEEDS:
        engine = prepare(enumerated, replace(sampling, seed=seed))
        begun = time.process_time()
        state = iterate(engine, iterations)
        cpu += time.process_time() - begun
        width += certify(enumerated.form, engine.strategy(state)).nash_conv
    n = len(SEEDS)
    return f"{cpu / n:.2f} CPU s, NashConv {width / n:.2e} after {iterations:,}, means over seeds {SEEDS}"


def means_case(name: str, sampling: Sampling, iterations: int) -> Case:
    return Case(
        f"liars-dice-{name}",
        "none",
        lambda: prepared(DICE, sampling),
        lambda enumerated: means(enumerated, sampling, iterations),
    )


def case(spec: str, name: str, sampling: Sampling, target: str = "none") -> Case:
    return Case(
        f"{spec.removesuffix('_poker')}-{name}",
        target,
        lambda: prepared(spec, sampling),
        lambda enumerated: speed(enumerated, sampling),
    )


def streams_case(streams: int) -> Case:
    return Case(
        f"leduc-external-streams-{streams}",
        "none",
        lambda: prepared("leduc_poker", Sampling()),
        lambda enumerated: streams_speed(enumerated, streams),
    )


CASES = [
    case("leduc_poker", "external", Sampling(), LEDUC_TARGET),
    case("leduc_poker", "outcome", Sampling("outcome")),
    case("leduc_poker", "chance", Sampling("chance")),
    case("leduc_poker", "average", Sampling("average")),
    case("leduc_poker", "average-eager", Sampling("average", beta=1e4, tau=10.0)),
    case("leduc_poker", "pruned", Sampling(pruning=Pruning())),
    case("leduc_poker", "pruned-as-is", Sampling(pruning=Pruning(increments="as is"))),
    streams_case(1),
    streams_case(2),
    means_case("external", Sampling(), 5_000_000),
    means_case("pruned", Sampling(pruning=DICE_PRUNING), 5_000_000),
    means_case("pruned-longer", Sampling(pruning=DICE_PRUNING), 7_500_000),
    case("kuhn_poker", "external", Sampling()),
    case("kuhn_poker", "outcome", Sampling("outcome")),
    case("kuhn_poker", "chance", Sampling("chance")),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_sampling", CASES)
