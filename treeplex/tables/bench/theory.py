"""Theory measured, as terminal tables: regrets of a run beside their bounds, theorems and what was found."""

from collections.abc import Sequence

from rich.console import Group

from treeplex.seqform.certify.inequality import Inequality
from treeplex.tables.layout import Columns, Line
from treeplex.theorems.report import TheoremReport, Verification
from treeplex.theorems.theorem import Theorem
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


def verification_table(run: Verification) -> Group:
    """Return a table with a row for each theorem, then what is wrong with its worst case, and the verdict."""
    headers = ("theorem", "instances", "checks", "slack", "tight", "fails", "twin", "seconds")
    table = Columns(None, headers, tuple(map(_report_cells, run.checks)), left=("theorem",))
    wrong = [line for report in run.checks if not report.ok for line in _fault_lines(report)]
    checks = sum(report.checks for report in run.checks)
    verdict = "verified" if run.ok else f"NOT VERIFIED: {', '.join(r.name for r in run.checks if not r.ok)}"
    lines = [
        "",
        *wrong,
        f"theorems {len(run.checks):,}, checks {checks:,}, seconds {run.seconds:.1f}",
        "slack is the least, in parts of each comparison's scale; twin counts where the false twin fails",
        verdict,
    ]
    return Group(table, *map(Line, lines))


def theorems_table(theorems: Sequence[Theorem]) -> Columns:
    """Return a table with a row for each theorem: name, statement, source."""
    rows = tuple((theorem.name, theorem.plain, theorem.source) for theorem in theorems)
    return Columns(None, ("theorem", "what it says", "source"), rows, left=None)


def _report_cells(report: TheoremReport) -> tuple[str, ...]:
    twin = "-" if report.false_twin_violations is None else f"{report.false_twin_violations:,}"
    return (
        report.name,
        f"{report.instances:,}",
        f"{report.checks:,}",
        f"{report.min_slack + 0.0:.2g}",
        f"{report.tight:,}",
        f"{report.violations:,}",
        twin,
        f"{report.seconds:.2f}",
    )


def _fault_lines(report: TheoremReport) -> list[str]:
    """Return why a theorem is not verified, and its worst cases where it is violated."""
    lines = [f"{report.name}: {'; '.join(report.faults)}"]
    for point in report.worst if report.violations else ():
        sides = (
            point.error or f"{float(point.comparison.left):.9g} against {float(point.comparison.right):.9g}"
        )
        where = ", at ".join(part for part in (str(point.instance), point.comparison.at) if part)
        lines.append(f"  {where}: {sides}, slack {point.slack:.3g}")
    return [*lines, ""]
