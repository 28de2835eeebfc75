"""The command solve: options to ``treeplex.solve``, its result to files, table or JSON."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cfr.factored.state import STORAGES
from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import (
    ORDERS,
    Alternating,
    AsJson,
    Average,
    Bets,
    Checkpoint,
    Exact,
    Iterations,
    Method,
    Missing,
    OnForm,
    Out,
    Raises,
    Solver,
    Spec,
    Target,
)
from treeplex.cli.printing import show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import unwalked
from treeplex.runs import trace as traces
from treeplex.solving import solve as solving
from treeplex.solving.choice import LP, Choice
from treeplex.store import boards_file, strategies
from treeplex.store.files import check_writable
from treeplex.tables.result import result_table


@app.command("solve")
def solve(
    spec: Spec,
    method: Method = None,
    form: OnForm = None,
    solver: Solver = "auto",
    exact: Exact = False,
    iterations: Iterations = None,
    target: Target = None,
    average: Average = None,
    counted: Annotated[
        str | None, typer.Option(metavar="before|after|seen", help="For minimisers: which plan is averaged.")
    ] = None,
    alternating: Alternating = None,
    seed: Annotated[
        int | None, typer.Option(help="For mccfr-: of the random numbers, 0 unless given.")
    ] = None,
    streams: Annotated[
        int | None, typer.Option(help="For mccfr- on the tree: independent runs, averages added up.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="On boards: how many; they change nothing but the time.")
    ] = None,
    storage: Annotated[
        str | None, typer.Option(metavar="|".join(STORAGES), help="On boards: how tables are kept.")
    ] = None,
    isomorphism: Annotated[
        bool | None,
        typer.Option(
            "--isomorphism/--no-isomorphism", help="On boards: solve those alike but for suits as one."
        ),
    ] = None,
    max_infosets: Annotated[
        int | None, typer.Option(help="With --form table: the run ends when the table has more.")
    ] = None,
    warm_start: Annotated[
        Path | None, typer.Option(metavar="STRATEGY", help="For minimisers: a strategy to go on from.")
    ] = None,
    warm_iterations: Annotated[
        int | None, typer.Option(help="How many iterations that strategy stands for: 1,000 unless given.")
    ] = None,
    missing: Missing = "error",
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For minimisers: write the course of the run as .csv.")
    ] = None,
    checkpoint: Checkpoint = None,
    out: Out = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Solve a game, whatever its size, and prove an interval for its value."""
    if out is not None:
        check_writable(out, strategies.SUFFIXES, "a strategy")
    if trace is not None:
        check_writable(trace, traces.SUFFIXES, "a trace")
    _check_files(method, out, trace, checkpoint, warm_start)
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = unwalked(spec, bets=bets, raises=raises)

        def announce(choice: Choice) -> None:
            progress(f"{choice.method} on {choice.form}: {choice.why}", float("inf"))
            if out is not None:
                strategies.check_strategy_writable(out, problem.game if choice.form == "boards" else None)

        result = solving.solve(
            problem,
            method,
            form="boards" if form is None and _is_on_boards(out) else form,
            solver=solver,
            exact=exact,
            iterations=iterations,
            target=target,
            average=average,
            counted=counted,
            order=ORDERS[alternating],
            seed=seed,
            streams=streams,
            threads=threads,
            storage=storage,
            isomorphism=isomorphism,
            max_infosets=max_infosets,
            warm_start=warm_start,
            warm_iterations=warm_iterations,
            missing=missing,
            traced=trace is not None,
            checkpoint=checkpoint,
            progress=progress,
            announce=announce,
        )
        if out is not None:
            progress("writing the strategy", float("inf"))
            strategies.write(result, out)
    if trace is not None:
        traces.write_trace(traces.trace_table(result.game, result.method, result.trace), trace)
    asked = target if result.is_met else result.target
    show(result.as_json() if as_json else result_table(result, problem, asked))
    return SUCCESS if result.is_met else FAILED


def _check_files(
    method: str | None, out: Path | None, trace: Path | None, checkpoint: Path | None, warm_start: Path | None
) -> None:
    """Refuse two outputs in one file, and a file of a strategy on boards from what does not run there."""
    files = [path.resolve() for path in (out, trace, checkpoint) if path is not None]
    if len({*files}) < len(files):
        raise ValueError("--out, --trace and --checkpoint must be different files")
    if _is_on_boards(out) and (method == LP or warm_start is not None):
        got = "--method lp" if method == LP else "--warm-start"
        raise ValueError(f"an .npz file holds a strategy on boards, got {out} with {got}")


def _is_on_boards(out: Path | None) -> bool:
    """Return whether a file holds a strategy on betting times boards, by its suffix."""
    return out is not None and out.suffix.lower() in boards_file.SUFFIXES
