"""The outcomes of faults as a table in Markdown, with the shares that are caught."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from benchmarks.faults.fault import Fault
from benchmarks.faults.judge import Outcome

LEAST = {"quick": 0.95, "full": 0.98}
"""What must be caught: by a quick run and certificates, and by the full run of what is left."""
HEAD = ("fault", "what is wrong", "file", "caught by", "seconds")


def table(faults: Sequence[Fault], outcomes: Mapping[str, Outcome]) -> str:
    """Return one row a fault that was tried, and below it how many were caught at each stage."""
    rows = [HEAD, ("---",) * len(HEAD), *(_cells(f, outcomes[f.name]) for f in faults if f.name in outcomes)]
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    tried = [outcomes[f.name] for f in faults if f.name in outcomes]
    return "\n".join([*lines, "", *summary(tried)])


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield how many faults were caught at each stage."""
    caught = {stage: sum(o.stage == stage for o in outcomes) for stage in ("quick", "certificates", "full")}
    early, tried = caught["quick"] + caught["certificates"], len(outcomes)
    yield (
        f"{tried} faults: {caught['quick']} caught by `verify --quick --fail-fast`, "
        f"{caught['certificates']} more by certificates ({_percent(early, tried)}), "
        f"{caught['full']} more by the full run ({_percent(early + caught['full'], tried)})."
    )


def enough(outcomes: Sequence[Outcome]) -> bool:
    """Whether as many faults were caught as must be."""
    early = sum(o.stage in ("quick", "certificates") for o in outcomes)
    late = sum(bool(o.stage) for o in outcomes)
    tried = len(outcomes)
    return early >= LEAST["quick"] * tried and late >= LEAST["full"] * tried


def _cells(fault: Fault, outcome: Outcome) -> tuple[str, ...]:
    told = outcome.by.split(": ")[0] if outcome.stage == "certificates" else outcome.by or "nothing"
    late = " (full run)" if outcome.stage == "full" else ""
    return (
        fault.name,
        fault.why,
        f"`{fault.file}`",
        told.replace("|", "\\|") + late,
        str(ceil(outcome.seconds)),
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.1f}%"
