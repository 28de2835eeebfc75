"""The commands solve, race and methods: options to ``treeplex.solve``, its result to files, table or JSON."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import (
    AsJson,
    Average,
    Checkpoint,
    Exact,
    Format,
    Iterations,
    Method,
    Missing,
    OnForm,
    Out,
    PictureFormat,
    PictureOut,
    Settings,
    Solver,
    Spec,
    Target,
    settings_of,
)
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of, unwalked
from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.files import strategies
from treeplex.files import trace_file as traces
from treeplex.files.figure_file import check_picture
from treeplex.files.outputs import check_apart
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import complaint, shown
from treeplex.process.standard_streams import complain
from treeplex.solving import solve as solving
from treeplex.solving.choice import Choice
from treeplex.solving.executors import NAMES as EXECUTORS
from treeplex.solving.methods import FORMS, known_options
from treeplex.solving.methods import methods as listed
from treeplex.views.plot import AXES
from treeplex.views.race import check_axis
from treeplex.views.race import race as run_race


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
    horizon: Annotated[
        int | None,
        typer.Option(help="For hs-: how many iterations are planned; those of the run unless given."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="For mccfr-: of the random numbers, 0 unless given.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="On boards and buckets: they change nothing but the time.")
    ] = None,
    abstraction: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A card abstraction: hands of one bucket play alike."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Split after a street: the folder of the run, from which it goes on."
        ),
    ] = None,
    executor: Annotated[
        str | None, typer.Option(metavar="|".join(EXECUTORS), help="With --store: who updates subgames.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="With --store: processes or actors. They change nothing but the time."),
    ] = None,
    settings: Settings = [],  # noqa: B006 (typer makes a new one for each call)
    warm_start: Annotated[
        Path | None, typer.Option(metavar="STRATEGY", help="For minimisers: a strategy to go on from.")
    ] = None,
    warm_iterations: Annotated[
        int | None, typer.Option(help="How many iterations that strategy stands for: 1,000 unless given.")
    ] = None,
    missing: Missing = "error",
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For minimisers: write the course of the run as .csv; - is stdout."
        ),
    ] = None,
    checkpoint: Checkpoint = None,
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Solve a game, whatever its size, and prove an interval for its value."""
    own = {
        "average": average,
        "horizon": horizon,
        "seed": seed,
        "threads": threads,
        "abstraction": abstraction,
        "store": store,
        "executor": executor,
        "workers": workers,
    }
    options: dict[str, Any] = settings_of(settings, own, known_options())
    if trace is not None:
        traces.check_trace(trace)
    beside = {"--trace": trace, "--checkpoint": checkpoint}
    inputs = {"the game": path_of(spec), "--abstraction": options.get("abstraction")}
    chosen = check_out(out, format, strategies.strategy_format, inputs, beside=beside, as_json=as_json)
    check_apart(beside, {"--warm-start": warm_start})
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = unwalked(spec, progress=progress)

        def announce(choice: Choice) -> None:
            progress(f"{choice.method} on {choice.form}: {choice.why}", float("inf"))
            if out is not None:
                strategies.check_strategy_output(out, chosen, problem.game, FORMS[choice.form].written)

        result = solving.solve(
            problem,
            method,
            form=form,
            solver=solver,
            exact=exact,
            iterations=iterations,
            target=target,
            **options,
            warm_start=warm_start,
            warm_iterations=warm_iterations,
            missing=missing,
            traced=trace is not None,
            checkpoint=checkpoint,
            progress=progress,
            announce=announce,
            warn=lambda text: complain(f"treeplex: {complaint(text)}"),
        )
    shown = result.as_json() if as_json else result
    with ExitStack() as last:  # what can be written or shown is, although another output fails
        last.callback(show, shown, out, trace)
        if trace is not None:
            course = traces.trace_table(result.game, result.method, result.unit, result.trace)
            last.callback(traces.write_trace, course, trace)
        if out is not None:
            _write(result, out, chosen, problem)
    return SUCCESS if result.is_met else FAILED


@app.command("race")
def race(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help="Games, as solve takes one.")],
    methods: Annotated[str, typer.Option(metavar="NAME,NAME,...", help="Minimisers: treeplex methods.")],
    iterations: Annotated[int | None, typer.Option(help="How many each method runs.")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Or by the clock: each ends with its first certificate after them.")
    ] = None,
    form: OnForm = None,
    horizon: Annotated[
        int | None, typer.Option(help="For hs-: planned iterations; with --seconds it must be given.")
    ] = None,
    settings: Settings = [],  # noqa: B006 (typer makes a new one for each call)
    x: Annotated[
        str | None,
        typer.Option(
            "--x", metavar="|".join(AXES), help="What --out draws NashConv by: iterations unless given."
        ),
    ] = None,
    out: PictureOut = None,
    format: PictureFormat = None,
    as_json: AsJson = False,
) -> int:
    """Run minimisers on games, each certified on the way, and compare what they had proved when."""
    options: dict[str, Any] = settings_of(settings, {"horizon": horizon}, known_options())
    check_out(out, format, check_picture, {spec: path_of(spec) for spec in specs}, as_json=as_json)
    names = _names(methods)
    if x is not None:
        check_axis(x, names)
        if out is None:
            raise BadInputError(f"x is the axis of the picture that --out writes, got {x!r} without --out")
    failed: BadInputError | None = None
    with shown_progress() as progress:
        found = run_race(
            specs,
            names,
            iterations=iterations,
            seconds=seconds,
            form=form,
            progress=progress,
            **options,
        )
        if out is not None:
            progress("drawing", float("inf"))
            try:
                found.plot(out, format, x=x or "iterations")
            except BadInputError as error:  # such as a game on which no NashConv is above 0
                failed = error
    show(found.as_json() if as_json else found, out if failed is None else None)
    if failed is not None:
        raise failed
    return SUCCESS


@app.command("methods")
def methods(
    method: Annotated[str | None, typer.Argument(metavar="METHOD", help="All unless given.")] = None,
    as_json: AsJson = False,
) -> int:
    """List regret minimisers, or the options of one: where each runs, what it takes, who published it."""
    found = listed(method)
    show(found.as_json() if as_json else found)
    return SUCCESS


def _names(methods: str) -> list[str]:
    """Return the names that commas separate; raises ``ValueError`` if one is empty."""
    names = [name.strip() for name in methods.split(",")]
    if not all(names):
        raise BadInputError(
            f"methods must be names separated by commas, such as cfr,dcfr, got {shown(methods)}"
        )
    return names


def _write(result: Result, out: Path, format: str | None, problem: Problem) -> None:
    with shown_progress() as progress:
        progress("writing the strategy", float("inf"))
        strategies.write(result, out, format, problem)
