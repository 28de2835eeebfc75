"""The command for poker games of several streets, all hands at once."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from treeplex.cfr.factored.tables import Storage
from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import AsJson, Average, Bets, Checkpoint, Iterations, Raises, Spec, Target
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.problem import game_of
from treeplex.solving.street_solving import METHODS, solve_streets
from treeplex.store import strategy_store
from treeplex.store import trace as traces
from treeplex.store.files import check_writable
from treeplex.tables.rendering import result_table

STORAGES = get_args(Storage)


@app.command("streets")
def streets(
    spec: Spec,
    method: Annotated[str, typer.Option(metavar="|".join(METHODS), help="A regret minimiser.")] = "dcfr",
    iterations: Iterations = None,
    target: Target = None,
    average: Average = None,
    storage: Annotated[
        str, typer.Option(metavar="|".join(STORAGES), help="How regrets and averages are kept.")
    ] = "float32",
    threads: Annotated[int, typer.Option(help="They change nothing but the time.")] = 1,
    isomorphism: Annotated[
        bool, typer.Option(help="Whether boards that suits alone tell apart are solved as one.")
    ] = True,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the course of the run as .csv.")
    ] = None,
    checkpoint: Checkpoint = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the strategy to an .npz file, or a small one to .csv, .json or .parquet.",
        ),
    ] = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Solve a poker game of several streets, all hands at once, and judge it on every board."""
    if out is not None:
        strategy_store.check_strategy_writable(out, game_of(spec, bets=bets, raises=raises))
    if trace is not None:
        check_writable(trace, traces.SUFFIXES, "a trace")
    with shown_progress() as tell:
        result = solve_streets(
            spec,
            method,
            iterations=iterations,
            target=target,
            average=average,
            storage=cast(Storage, storage),
            threads=threads,
            isomorphism=isomorphism,
            traced=trace is not None,
            checkpoint=checkpoint,
            bets=bets,
            raises=raises,
            progress=tell,
        )
        if out is not None:
            tell("writing the strategy", float("inf"))
            strategy_store.write(result, out)
    if trace is not None:
        traces.write_trace(traces.trace_table(result.game, result.method, result.trace), trace)
    show(result.as_json() if as_json else result_table(result, target=target))
    return SUCCESS if target is None or result.proof.nash_conv <= target else FAILED
