"""CFR+ on sequence forms: iterations a CPU-second on one thread, compiled and warm."""

import time

from benchmarks.measure import Case, main
from cfr.full_width import minimise
from cfr.variant import VARIANTS
from seqform.certificate import certify
from seqform.sequence_form import SequenceForm
from treeplex import load


def prepared(spec: str) -> SequenceForm:
    form = load(spec).form
    minimise(form, VARIANTS["cfr+"], 10)
    return form


def speed(form: object, iterations: int) -> str:
    assert isinstance(form, SequenceForm)
    cpu = time.process_time()
    run = minimise(form, VARIANTS["cfr+"], iterations)
    rate = iterations / (time.process_time() - cpu)
    width = certify(form, run.profile).nash_conv
    return f"{rate:,.0f} iterations a CPU-second, NashConv {width:.2e} after {iterations:,}"


CASES = [
    Case(
        "kuhn",
        "2,800,000 iterations a CPU-second",
        lambda: prepared("kuhn_poker"),
        lambda f: speed(f, 1_000_000),
    ),
    Case(
        "leduc",
        "60,000 iterations a CPU-second",
        lambda: prepared("leduc_poker"),
        lambda f: speed(f, 100_000),
    ),
    Case(
        "river",
        "none: see bench_vector_cfr",
        lambda: prepared("examples/river.toml"),
        lambda f: speed(f, 1_000),
    ),
]

if __name__ == "__main__":
    main("benchmarks.bench_cfr", CASES)
