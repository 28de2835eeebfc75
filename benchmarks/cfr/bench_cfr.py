"""CFR+ on sequence forms, and what judging a profile takes: on one thread, compiled and warm."""

import time

from benchmarks.measure import Case, main
from treeplex import load
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences.full_width import prepare
from treeplex.cfr.variant import VARIANTS
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.reductions.removed_infosets import without_forced_moves


def prepared(spec: str) -> SequenceForm:
    form = without_forced_moves(load(spec).form).form
    iterate(prepare(form, VARIANTS["cfr+"]), 10)
    return form


def speed(form: object, iterations: int) -> str:
    assert isinstance(form, SequenceForm)
    cpu = time.process_time()
    profile = average(prepare(form, VARIANTS["cfr+"]), iterations)
    rate = iterations / (time.process_time() - cpu)
    width = certify(form, profile).nash_conv
    return f"{rate:,.0f} iterations a CPU-second, NashConv {width:.2e} after {iterations:,}"


def judged(form: object, profiles: int) -> str:
    """Certify one profile again and again: both best responses, and the bound on all rounding."""
    assert isinstance(form, SequenceForm)
    profile = average(prepare(form, VARIANTS["cfr+"]), 1_000)
    certify(form, profile)
    cpu = time.process_time()
    for _ in range(profiles):
        certify(form, profile)
    milliseconds = 1e3 * (time.process_time() - cpu) / profiles
    return f"{milliseconds:.3f} CPU ms a profile, proved interval included"


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
        "goofspiel-5",
        "20,000 iterations a CPU-second",
        lambda: prepared("goofspiel(cards=5)"),
        lambda f: speed(f, 20_000),
    ),
    Case(
        "liars-dice-6",
        "2,000 iterations a CPU-second",
        lambda: prepared("liars_dice"),
        lambda f: speed(f, 4_000),
    ),
    Case(
        "nash-conv",
        "0.2 ms a Leduc profile",
        lambda: prepared("leduc_poker"),
        lambda f: judged(f, 10_000),
    ),
    Case(
        "river",
        "none: see bench_vector_cfr",
        lambda: prepared("examples/river.toml"),
        lambda f: speed(f, 1_000),
    ),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_cfr", CASES)
