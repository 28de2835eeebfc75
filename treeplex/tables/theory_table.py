"""A run beside its theory, as a table for people."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from treeplex.verification.theory import SampledTheory, Theory


def theory_table(found: Theory | SampledTheory) -> Group:
    """Return one row a bound, below them the books of the whole run, the verdict last."""
    title = f"{found.game}: {found.method}, {found.ledger.state.iterations:,} iterations"
    table = Table(title=Text(title), title_justify="left", box=None, padding=(0, 1), pad_edge=False)
    for header in ("bounded", "actual", "bound", "ratio", "proved by"):
        text = header in ("bounded", "proved by")
        table.add_column(header, justify="left" if text else "right", overflow="fold", no_wrap=not text)
    for bound in found.bounds:
        ratio = "-" if bound.actual <= 0.0 else f"{bound.ratio:.4g}"
        row = bound.name, f"{bound.actual:.6g}", f"{bound.bound:.6g}", ratio, bound.source
        table.add_row(*map(Text, row))
    books = _books(found) if isinstance(found, Theory) else _sampled_books(found)
    verdict = f"BROKEN: {', '.join(found.broken)}" if found.broken else "holds"
    return Group(table, *map(Text, ["", *books, verdict]))


def _books(found: Theory) -> list[str]:
    last = found.ledger.last
    return [
        f"regret of player 0   {last.regret_0:.12g}",
        f"regret of player 1   {last.regret_1:.12g}",
        f"improvement          {last.improvement:.12g}, least in an iteration {last.least_step:.3g}",
        f"sum of weights       {last.weight:.12g}",
        f"NashConv             {last.nash_conv:.12g}",
        f"(R0 + R1 - i) / W    {last.implied:.12g}, off by {last.residual:.2g}",
        f"payoffs              in {found.unit}; regrets are totals of weighted iterations",
    ]


def _sampled_books(found: SampledTheory) -> list[str]:
    return [
        f"each bound holds with probability {1 - found.p:.12g}; the plan fixed beforehand is uniform",
        f"seed {found.ledger.sampling.seed}; regrets are totals, in {found.unit}",
    ]
