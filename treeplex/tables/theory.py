"""Regrets of a run beside their bounds, as a terminal table."""

from rich.console import Group

from treeplex.seqform.certify.inequality import Inequality
from treeplex.tables.layout import Columns, Line
from treeplex.verification.theory import SampledTheory, Theory


def theory_table(theory: Theory | SampledTheory) -> Group:
    """Return a table with a row for each bound, then the regrets of the whole run and the verdict."""
    title = f"{theory.game}: {theory.method}, {theory.log.state.iterations:,} iterations"
    headers = ("bounded", "actual", "bound", "ratio", "proved by")
    rows = tuple(map(_cells, theory.bounds))
    table = Columns(title, headers, rows, left=("bounded", "proved by"))
    log = _log_lines(theory) if isinstance(theory, Theory) else _sampled_log_lines(theory)
    verdict = f"BROKEN: {', '.join(theory.broken)}" if theory.broken else "holds"
    return Group(table, *map(Line, ["", *log, verdict]))


def _cells(bound: Inequality) -> tuple[str, ...]:
    ratio = "-" if bound.left <= 0.0 else f"{bound.ratio:.4g}"
    return bound.name, f"{bound.left:.6g}", f"{bound.right:.6g}", ratio, bound.source


def _log_lines(theory: Theory) -> list[str]:
    last = theory.log.last
    return [
        f"regret of player 0   {last.regret_0:.12g}",
        f"regret of player 1   {last.regret_1:.12g}",
        f"improvement          {last.improvement:.12g}, least in an iteration {last.least_step:.3g}",
        f"sum of weights       {last.weight:.12g}",
        f"NashConv             {last.nash_conv:.12g}",
        f"(R0 + R1 - i) / W    {last.implied:.12g}, off by {last.residual:.2g}",
        f"payoffs              in {theory.unit}; regrets are totals of weighted iterations",
    ]


def _sampled_log_lines(theory: SampledTheory) -> list[str]:
    return [
        f"each bound holds with probability {1 - theory.p:.12g}; the plan fixed beforehand is uniform",
        f"seed {theory.log.sampling.seed}; regrets are totals, in {theory.unit}",
    ]
