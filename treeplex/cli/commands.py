"""Commands that load games, solve, show and judge them."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cfr.factored.tables import STORAGES
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
    Strategy,
    Target,
)
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.core.problem import load
from treeplex.hands import picturing
from treeplex.hands.value_scale import MAPS
from treeplex.solving import solve as solving
from treeplex.solving.choosing import Choice
from treeplex.store import boards_file, strategies
from treeplex.store import trace as traces
from treeplex.store.completion import check_missing
from treeplex.store.figure_file import PICTURES
from treeplex.store.files import check_writable
from treeplex.tables.listing import catalogue
from treeplex.tables.rendering import crosscheck_table, games_table, result_table
from treeplex.tables.sizing import size as count_size
from treeplex.tables.sizing import sizes_json, sizes_table
from treeplex.verification import checking, crosschecking


@app.command("games")
def games(as_json: AsJson = False) -> int:
    """List the games that have names, with sizes and exact values of the small ones."""
    with shown_progress() as tell:
        found = catalogue(tell)
    show({"games": [game.as_json() for game in found]} if as_json else games_table(found))
    return SUCCESS


@app.command("size")
def size(spec: Spec, bets: Bets = None, raises: Raises = None, as_json: AsJson = False) -> int:
    """Count how big a poker game is, exactly, without building it."""
    with shown_progress() as tell:
        sizes = count_size(spec, bets=bets, raises=raises, progress=tell)
    show(sizes_json(sizes) if as_json else sizes_table(sizes))
    return SUCCESS


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
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)

        def announce(choice: Choice) -> None:
            tell(f"{choice.method} on {choice.form}: {choice.why}", float("inf"))
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
            progress=tell,
            announce=announce,
        )
        if out is not None:
            tell("writing the strategy", float("inf"))
            strategies.write(result, out)
    if trace is not None:
        traces.write_trace(traces.trace_table(result.game, result.method, result.trace), trace)
    show(result.as_json() if as_json else result_table(result, problem, target))
    return SUCCESS if target is None or result.proof.nash_conv <= target else FAILED


def _is_on_boards(out: Path | None) -> bool:
    """Return whether a file holds a strategy on betting times boards, by its suffix."""
    return out is not None and out.suffix.lower() in boards_file.SUFFIXES


@app.command("show")
def show_hands(
    spec: Spec,
    node: Annotated[str, typer.Option(metavar="LINE", help="A betting line; the first node if empty.")] = "",
    board: Annotated[str, typer.Option(metavar="CARDS", help="Where cards come within the game.")] = "",
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A strategy file; without one a small game is solved.")
    ] = None,
    missing: Missing = "error",
    map: Annotated[str, typer.Option(metavar="|".join(MAPS), help="What is shown.")] = "strategy",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as .png, .svg or .pdf.")] = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Show a poker strategy at a node by classes of hands: 13 x 13 in hold'em."""
    if out is not None:
        check_writable(out, PICTURES, "a picture")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        picture = picturing.show(
            spec,
            node,
            strategy=strategy,
            missing=missing,
            board=board,
            map=map,
            bets=bets,
            raises=raises,
            progress=tell,
        )
    if out is not None:
        picture.write(out)
    show(picture.as_json() if as_json else picture if out is None else out)
    return SUCCESS


@app.command("check")
def check(
    spec: Spec,
    strategy: Strategy,
    missing: Missing = "error",
    exact: Exact = False,
    target: Target = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Certify a strategy file; nothing is solved to judge it."""
    check_missing(missing)
    if target is not None and not target >= 0:
        raise ValueError(f"target must be a NashConv of at least 0, got {target}")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)
        tell("certifying", float("inf"))
        result = checking.check(problem, strategy, missing=missing, exact=exact)
    show(result.as_json() if as_json else result_table(result, problem, target))
    return SUCCESS if target is None or result.proof.nash_conv <= target else FAILED


@app.command("crosscheck")
def crosscheck(spec: Spec, bets: Bets = None, raises: Raises = None, as_json: AsJson = False) -> int:
    """Run every method that fits; fail if two proved intervals are disjoint or one does not shrink."""
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)
        tell("solving", float("inf"))
        comparison = crosschecking.crosscheck(problem, progress=tell)
    show(comparison.as_json() if as_json else crosscheck_table(comparison, problem))
    return SUCCESS if comparison.passed else FAILED
