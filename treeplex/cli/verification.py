"""The commands check, crosscheck, theory and store."""

from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import (
    ORDERS,
    Abstraction,
    Alternating,
    AsJson,
    Average,
    Exact,
    Missing,
    Spec,
    Strategy,
    Target,
)
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import load, path_of
from treeplex.files.completion import check_missing
from treeplex.files.outputs import check_output
from treeplex.files.store_folder import is_store
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report
from treeplex.seqform.certify.losses import MOST
from treeplex.solving import check as certifying
from treeplex.solving import crosscheck as comparing
from treeplex.solving import theory as measuring
from treeplex.solving.check import repairs
from treeplex.solving.solve import check_target
from treeplex.solving.theory import Theory

if TYPE_CHECKING:
    from treeplex.solving.store_info import PrunedStore, StoreInfo
    from treeplex.solving.store_proof import Replay, StoreReport

FoundInStore: TypeAlias = "StoreInfo | StoreReport | Replay | PrunedStore"
STORE_ACTIONS = ("info", "verify", "replay", "prune")


@app.command("check")
def check(
    spec: Spec,
    strategy: Strategy,
    missing: Missing = "error",
    exact: Exact = False,
    target: Target = None,
    where: Annotated[
        bool, typer.Option("--where", help="Say which infosets are mistaken, and where it loses.")
    ] = False,
    most: Annotated[int | None, typer.Option(help="With --where: at most so many; 10 unless given.")] = None,
    abstraction: Abstraction = None,
    as_json: AsJson = False,
) -> int:
    """Certify a strategy file; nothing is solved to judge it."""
    check_missing(missing)
    if target is not None:
        check_target(target)
    shown = _most_infosets(where, most)
    if Path(strategy).is_dir() and not is_store(strategy):
        given = where or exact or target is not None or abstraction is not None or missing != "error"
        return _check_kept(spec, Path(strategy), given, as_json=as_json)
    if where and abstraction is not None:
        raise BadInputError(
            f"losses and repairs are of tables, got --where with the abstraction {abstraction}"
        )
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = load(spec, progress=progress)
        progress("certifying", float("inf"))
        result = certifying.check(problem, strategy, missing=missing, exact=exact, abstraction=abstraction)
        found = repairs(problem, result.strategy, most=shown, progress=progress) if where else None
    content, table = result.as_json(), result.blocks(target)
    if found is not None:
        content["where"] = [one.as_json() for one in found]
        table = *table, *found.blocks()
    show(content if as_json else table)
    if target is None:
        return SUCCESS
    return SUCCESS if result.nash_conv is not None and result.nash_conv <= target else FAILED


def _check_kept(spec: str, folder: Path, given: bool, *, as_json: bool) -> int:
    """Judge a blueprint with kept answers to bets that it lacks; refuse options for single files."""
    if given:
        raise BadInputError(
            "a folder of kept answers takes none of --where, --exact, --target, --missing and "
            f"--abstraction, got {folder}"
        )
    from treeplex.subgames.kept_answers import check_kept

    with shown_progress() as progress:
        found = check_kept(load(spec), folder, cpu_count() or 1, progress)
    show(found.as_json() if as_json else found)
    return SUCCESS


def _most_infosets(where: bool, most: int | None) -> int:
    """Return how many infosets are shown; refuse a number without ``--where`` or below 1."""
    if most is None:
        return MOST
    if not where:
        raise BadInputError(f"most is for --where, got {most} without it")
    if most < 1:
        raise BadInputError(f"most must be at least 1, got {most}")
    return most


@app.command("crosscheck")
def crosscheck(spec: Spec, as_json: AsJson = False) -> int:
    """Run every method that fits but local rules; fail if two proofs are disjoint or one does not shrink."""
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = load(spec, progress=progress)
        progress("solving", float("inf"))
        comparison = comparing.crosscheck(problem, progress=progress)
    show(comparison.as_json() if as_json else comparison)
    return SUCCESS if comparison.passed else FAILED


@app.command("theory")
def theory(
    spec: Spec,
    method: Annotated[str, typer.Option(metavar="|".join(measuring.METHODS), help="A regret minimiser.")],
    iterations: Annotated[int, typer.Option(help="How many.")],
    average: Average = None,
    alternating: Alternating = None,
    every: Annotated[
        int | None, typer.Option(help="With --out: a row of the log every so many iterations.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the regret log as .csv; - is stdout.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="csv", help="Of --out: csv for files of any name.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For mccfr-: of the random numbers.")] = None,
    p: Annotated[
        float | None, typer.Option("--p", help="For mccfr-: how likely bounds are to fail by mere chance.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run a regret minimiser and measure its theory: exact regrets, the NashConv identity, bounds."""
    if every is not None and out is None and method not in measuring.SAMPLED:
        raise BadInputError(f"every is for the regret log that --out writes, got {every} without it")
    check_out(out, format, _check_log, {"the game": path_of(spec)}, as_json=as_json)
    if out is not None and method in measuring.SAMPLED:
        raise BadInputError(f"--out is not for the theory of {method}")
    with shown_progress() as progress:
        progress(f"logging the regrets of {method}", float("inf"))
        order = ORDERS[alternating]
        report = measuring.theory(
            spec,
            method,
            iterations,
            average=average,
            order=order,
            every=every,
            seed=seed,
            p=p,
            progress=progress,
        )
    try:
        if out is not None and isinstance(report, Theory):
            log = report.log.csv()
            write_text(out, lambda file: file.write(log))
    finally:
        show(report.as_json() if as_json else report, out)
    return FAILED if report.broken else SUCCESS


def _check_log(out: Path, format: str | None) -> str:
    return check_output(out, {".csv": "csv"}, "a regret log", format)


@app.command("store")
def store(
    action: Annotated[
        str,
        typer.Argument(
            metavar="|".join(STORE_ACTIONS),
            help="What it holds; read all; run a subgame's last half again; remove what is not needed.",
        ),
    ],
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that solve --store was given.")],
    seed: Annotated[
        int | None, typer.Option(help="With replay: of the choice of the subgame, any unless given.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Look into the store of a split run, check it, prove a subgame of it, or tidy it."""
    if action not in STORE_ACTIONS:
        raise BadInputError(f"the action must be one of {', '.join(STORE_ACTIONS)}, got {action!r}")
    if seed is not None and action != "replay":
        raise BadInputError(f"a seed is for replay, got {seed} with {action}")
    with shown_progress() as progress:
        made, is_well = _made(action, path, seed, lambda text: progress(text, float("inf")))
    show(made.as_json() if as_json else made)
    return SUCCESS if is_well else FAILED


def _made(action: str, path: Path, seed: int | None, report: Report) -> tuple[FoundInStore, bool]:
    """Return what an action found, and whether all is well."""
    # Imported late: what these use takes a second.
    if action == "verify":
        from treeplex.solving.store_proof import verify_store

        found = verify_store(path, report)
        return found, found.is_whole
    if action == "replay":
        from treeplex.solving.store_proof import replay

        run = replay(path, seed)
        return run, run.is_same
    from treeplex.solving.store_info import prune_store, store_info

    if action == "prune":
        report("removing files")
        return prune_store(path), True
    return store_info(path), True
