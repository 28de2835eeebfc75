"""The commands of the command line, a function each."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cfr.poker_sampling import MAX_INFOSETS
from gadgets import methods as gadget_methods
from gadgets.methods import EQUILIBRIA, ESTIMATES, GIFTS, Options
from treeplex import checking, crosschecking, picturing, sampling_large, solving, strategy_file
from treeplex import theory as measuring
from treeplex import trace as traces
from treeplex.files import check_writable, write_text
from treeplex.listing import list_games
from treeplex.options import (
    ORDERS,
    Alternating,
    AsJson,
    Average,
    Bets,
    Checkpoint,
    Exact,
    Iterations,
    Method,
    Out,
    Raises,
    Solver,
    Spec,
    Strategy,
    Target,
)
from treeplex.problem import load
from treeplex.progress import shown_progress
from treeplex.rendering import crosscheck_table, games_table, result_table, sample_table
from treeplex.resolution_table import resolution_table
from treeplex.resolving import resolve
from treeplex.showing import show
from treeplex.sizing import size as count_size
from treeplex.sizing import sizes_json, sizes_table
from treeplex.theory_table import theory_table
from treeplex.value_scale import MAPS

SUCCESS, FAILED = 0, 1
"""Exit codes: all well; a check failed."""

app = typer.Typer(
    name="treeplex",
    help="Solve two-player zero-sum games of imperfect information exactly, and prove it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            print(f"treeplex {version('treeplex')}")
        except PackageNotFoundError:
            print("treeplex, not installed")
        raise typer.Exit


@app.callback()
def _treeplex(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Solve two-player zero-sum games of imperfect information exactly, and prove it."""


@app.command("games")
def games(as_json: AsJson = False) -> int:
    """List the games that have names, with sizes and exact values of the small ones."""
    with shown_progress() as tell:
        found = []
        for game in list_games():
            tell(game.name, float("inf"))
            found.append(game)
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
    method: Method = "lp",
    solver: Solver = "auto",
    exact: Exact = False,
    iterations: Iterations = None,
    target: Target = None,
    average: Average = None,
    counted: Annotated[
        str | None, typer.Option(metavar="before|after|seen", help="For minimisers: which plan is averaged.")
    ] = None,
    alternating: Alternating = None,
    seed: Annotated[int | None, typer.Option(help="Monte Carlo methods: 0 unless given.")] = None,
    threads: Annotated[
        int | None, typer.Option(help="For mccfr- but public: independent streams, averages added up.")
    ] = None,
    warm_start: Annotated[
        Path | None, typer.Option(metavar="STRATEGY", help="For minimisers: a strategy to go on from.")
    ] = None,
    warm_iterations: Annotated[
        int | None, typer.Option(help="How many iterations that strategy stands for: 1,000 unless given.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For minimisers: write the course of the run as .csv.")
    ] = None,
    checkpoint: Checkpoint = None,
    out: Out = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Solve a game by one method and prove an interval for its value."""
    if out is not None:
        check_writable(out, strategy_file.SUFFIXES, "a strategy file")
    if trace is not None:
        check_writable(trace, traces.SUFFIXES, "a trace")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)
        tell("solving", float("inf"))
        result = solving.solve(
            problem,
            method,
            solver=solver,
            exact=exact,
            iterations=iterations,
            target=target,
            average=average,
            counted=counted,
            order=ORDERS[alternating],
            seed=seed,
            threads=threads,
            warm_start=warm_start,
            warm_iterations=warm_iterations,
            traced=trace is not None,
            checkpoint=checkpoint,
            progress=tell,
        )
    if out is not None:
        strategy_file.write_strategy(result.profile, out)
    if trace is not None:
        traces.write_trace(traces.trace_table(result.game, result.method, result.trace), trace)
    show(result.as_json() if as_json else result_table(result, problem, target))
    return SUCCESS if target is None or result.nash_conv <= target else FAILED


@app.command("sample")
def sample(
    spec: Spec,
    iterations: Annotated[int, typer.Option(help="How many in all, those of a checkpoint included.")],
    scheme: Annotated[
        str, typer.Option(metavar="|".join(sampling_large.SCHEMES), help="What a traversal samples.")
    ] = "external",
    seed: Annotated[int, typer.Option(help="Of the random numbers.")] = 0,
    max_infosets: Annotated[int, typer.Option(help="The run ends when the table has more.")] = MAX_INFOSETS,
    checkpoint: Checkpoint = None,
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Learn a poker game too large to enumerate from samples of it; nothing is certified."""
    if out is not None:
        check_writable(out, strategy_file.SUFFIXES, "a strategy file")
    with shown_progress() as tell:
        found = sampling_large.sample(
            spec,
            iterations,
            scheme=scheme,
            seed=seed,
            max_infosets=max_infosets,
            checkpoint=checkpoint,
            progress=tell,
        )
        if out is not None:
            tell("writing the strategy", float("inf"))
            sampling_large.write_sample(found, out)
    show(found.as_json() if as_json else sample_table(found))
    return SUCCESS


@app.command("theory")
def theory(
    spec: Spec,
    method: Annotated[str, typer.Option(metavar="|".join(measuring.METHODS), help="A regret minimiser.")],
    iterations: Annotated[int, typer.Option(help="How many.")],
    average: Average = None,
    alternating: Alternating = None,
    every: Annotated[int, typer.Option(help="A row of the books every so many iterations.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the books as .csv.")] = None,
    seed: Annotated[int, typer.Option(help="For mccfr-: of the random numbers.")] = 0,
    p: Annotated[
        float, typer.Option("--p", help="For mccfr-: how likely bounds are to fail by mere chance.")
    ] = measuring.UNLIKELY,
    as_json: AsJson = False,
) -> int:
    """Run a regret minimiser and measure its theory: exact regrets, the NashConv identity, bounds."""
    order = ORDERS[alternating]
    if out is not None:
        check_writable(out, traces.SUFFIXES, "books")
    found: measuring.Theory | measuring.SampledTheory
    with shown_progress() as tell:
        tell(f"keeping the books of {method}", float("inf"))
        if method in measuring.SAMPLED:
            if (average, order, out) != (None, None, None):
                raise ValueError(f"--average, --alternating and --out are not for the theory of {method}")
            found = measuring.sampled_theory(spec, method, iterations, seed=seed, p=p)
        else:
            found = measuring.theory(spec, method, iterations, average=average, order=order, every=every)
    if out is not None and isinstance(found, measuring.Theory):
        write_text(out, lambda file: file.write(found.ledger.csv()))
    show(found.as_json() if as_json else theory_table(found))
    return FAILED if found.broken else SUCCESS


@app.command("plot")
def plot(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Traces that solve --trace wrote.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The picture, .png or .svg.")] = Path("trace.png"),
) -> int:
    """Draw the course of runs: NashConv against iterations, both logarithmic."""
    traces.plot_traces(files, out)
    print(out)
    return SUCCESS


@app.command("show")
def show_hands(
    spec: Spec,
    node: Annotated[str, typer.Option(metavar="LINE", help="A betting line; the first node if empty.")] = "",
    board: Annotated[str, typer.Option(metavar="CARDS", help="Where cards come within the game.")] = "",
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A strategy file; without one a small game is solved.")
    ] = None,
    map: Annotated[str, typer.Option(metavar="|".join(MAPS), help="What is shown.")] = "strategy",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as .png or .svg.")] = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Show a poker strategy at a node by classes of hands: 13 x 13 in hold'em."""
    if out is not None:
        check_writable(out, traces.PICTURES, "a picture")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        picture = picturing.show(
            spec, node, strategy=strategy, board=board, map=map, bets=bets, raises=raises, progress=tell
        )
    if out is not None:
        picture.write(out)
    show(picture.as_json() if as_json else picture if out is None else Text(str(out)))
    return SUCCESS


@app.command("check")
def check(
    spec: Spec,
    strategy: Strategy,
    target: Target = None,
    bets: Bets = None,
    raises: Raises = None,
    as_json: AsJson = False,
) -> int:
    """Certify a strategy file; nothing is solved to judge it."""
    if target is not None and not target >= 0:
        raise ValueError(f"target must be a NashConv of at least 0, got {target}")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)
        tell("certifying", float("inf"))
        result = checking.check(problem, strategy)
    show(result.as_json() if as_json else result_table(result, problem, target))
    return SUCCESS if target is None or result.nash_conv <= target else FAILED


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


@app.command("gadget")
def gadget(
    spec: Spec,
    defender: Annotated[int, typer.Option(metavar="0|1", help="Who solves subgames again.")],
    at: Annotated[
        list[str],
        typer.Option(metavar="PUBLIC_STATE|all", help="Where a subgame begins; may repeat."),
    ],
    method: Annotated[
        str,
        typer.Option(metavar="METHOD", help=f"{', '.join(gadget_methods.METHODS)}, or module:Name."),
    ],
    blueprint: Annotated[
        str, typer.Option(metavar="uniform|nash|cfr+:N|FILE", help="The strategy to start from.")
    ],
    gifts: Annotated[
        str, typer.Option(metavar="|".join(GIFTS), help="For reach-: which gifts.")
    ] = "lower-bound",
    scale: Annotated[float, typer.Option(help="For reach-: gifts times this; above 1 is not safe.")] = 1.0,
    estimates: Annotated[
        str, typer.Option(metavar="|".join(ESTIMATES), help="For estimated-: values against which strategy.")
    ] = "joint",
    deviation: Annotated[
        float | None, typer.Option(help="For distributional: the standard deviation of alternatives.")
    ] = None,
    atoms: Annotated[int, typer.Option(help="For distributional: values that stand for a normal.")] = 16,
    equilibrium: Annotated[
        str, typer.Option(metavar="|".join(EQUILIBRIA), help="Which equilibrium of the gadget game to play.")
    ] = "any",
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Solve subgames of a strategy again, put them back, and measure margins and exploitability."""
    if out is not None:
        check_writable(out, strategy_file.SUFFIXES, "a strategy file")
    options = Options(gifts, scale, estimates, deviation, atoms, equilibrium)
    with shown_progress() as tell:
        resolution = resolve(spec, defender, at, method, blueprint=blueprint, options=options, progress=tell)
    shown = resolution.as_json() if as_json else resolution_table(resolution)
    if out is not None:
        strategy_file.write_strategy(resolution.profile, out)
    show(shown)
    return SUCCESS
