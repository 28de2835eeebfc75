"""What rounding to fixed point costs: exploitability of CFR+ on boards against the scale of regrets.

``python -m benchmarks.cfr.study_rounding [SPEC] [--factors 1,64] [--iterations 50,200] [--out FILE.svg]``
prints a row for each certificate as it comes, and draws them all. A factor multiplies the scales of regrets
of Bowling et al. (2015); averages keep theirs. Without a factor tables are float64.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from treeplex.cfr.boards.board_state import FactoredConfig, FactoredState, factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.boards.fixed_point import PAPER
from treeplex.cfr.engine import iterate
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.pictures.palette import CURVES
from treeplex.process.compilation import working_seconds
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import certify_factored

SPEC = "limit_holdem(ranks=4,raises=[1,1,1,1])"
FACTORS = "0.015625,0.0625,0.25,1,4,16"
PLANS = ("current", "average")
HEAD = "| factor | iterations | plan | exploitability, mbb | lower | upper | saturations | seconds |"


class Point(NamedTuple):
    """A certificate's exploitability in thousandths of a big blind, and the line that is printed of it."""

    factor: float | None
    iterations: int
    plan: str
    mbb: float
    line: str


def main() -> None:
    parser = argparse.ArgumentParser("study_rounding", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec", nargs="?", default=SPEC)
    parser.add_argument("--factors", default=FACTORS)
    parser.add_argument("--iterations", default="50,200")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures/rounding.svg"))
    asked = parser.parse_args()
    problem, points = load(asked.spec), []
    counts = sorted(int(count) for count in asked.iterations.split(","))
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", sep="\n", flush=True)
    for factor in (None, *(float(factor) for factor in asked.factors.split(","))):
        for point in measured(problem, factor, counts, asked.threads):
            print(point.line, flush=True)
            points.append(point)
    draw(points, asked.spec, asked.out)


def config_of(problem: Problem, factor: float | None) -> FactoredConfig:
    """Return CFR+ with its average, in fixed point if there is a factor."""
    if factor is None:
        return factored_config("cfr+", "linear", "float64")
    scales, averages = PAPER.of_streets(problem.boards().game)
    fixed = replace(PAPER, scales=tuple(factor * scale for scale in scales), average_scales=averages)
    return factored_config("cfr+", "linear", "int32", fixed)


def measured(problem: Problem, factor: float | None, counts: Sequence[int], threads: int) -> Iterator[Point]:
    """Yield the certificates of one run: of the current plan after each count, at last of the average too."""
    engine = prepare(problem.boards(), config_of(problem, factor), threads)
    state, seconds = engine.start(), 0.0
    for count in counts:
        begun = working_seconds()
        state = iterate(engine, count - state.iterations, state)
        seconds += working_seconds() - begun
        for plan in PLANS if count == counts[-1] else PLANS[:1]:
            yield judged(problem, factor, state, plan, seconds)


def judged(problem: Problem, factor: float | None, state: FactoredState, plan: str, seconds: float) -> Point:
    """Return the certificate of the current plan or of the average."""
    game, tree = problem.boards().game, problem.boards()
    first, second = (one.regret if plan == "current" else one.total for one in state.memories)
    proof = certify_factored(game, FactoredStrategy(tree, (first, second)))
    mbb = 1000 * proof.nash_conv / 2 / float(problem.big_blind or 1)
    scale = "float64" if factor is None else f"{factor:g}"
    line = (
        f"| {scale} | {state.iterations:,} | {plan} | {mbb:.3f} | {proof.lower:.5f} | {proof.upper:.5f} "
        f"| {int(state.saturated.sum()):,} | {seconds:.0f} |"
    )
    return Point(factor, state.iterations, plan, mbb, line)


def draw(points: Sequence[Point], spec: str, out: Path) -> None:
    """Draw exploitability against the scale, a curve for each plan and count; float64 as dashed lines."""
    # Imported late: measuring does not need it.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.subplots()
    kinds = sorted({(point.plan, point.iterations) for point in points}, reverse=True)
    for color, kind in zip(CURVES, kinds, strict=False):
        some = [point for point in points if (point.plan, point.iterations) == kind]
        fixed = [(point.factor, point.mbb) for point in some if point.factor is not None]
        x, y = zip(*sorted(fixed), strict=True)
        axes.plot(x, y, "o-", color=color, label=f"{kind[0]} plan, {kind[1]:,} iterations")
        for point in some:
            if point.factor is None:
                axes.axhline(point.mbb, color=color, linestyle="--", linewidth=1.0)
    axes.set(xscale="log", yscale="log", ylabel="exploitability, mbb/hand")
    axes.set_xlabel("scale of regrets, times 16, 16, 0.5, 0.5 a chip (dashed: float64)")
    axes.set_title(spec, parse_math=False, fontsize="medium")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(out)


if __name__ == "__main__":
    main()
