"""The commands of the bench itself: verify, challenge, examine, reproduce."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from treeplex.bench.challenges.challenge import challenge
from treeplex.bench.challenges.claims_by_name import CLAIMS
from treeplex.bench.estimators.report import GAMES, examine_estimator
from treeplex.bench.examination import examine as examining
from treeplex.bench.examination.answers import MOST_ITERATIONS, SECONDS
from treeplex.bench.examination.report import NotRunError
from treeplex.bench.theorems.theorem import Theorem, theorems_table
from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import OF_OUT, AsJson
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.formats.spec_text import separated
from treeplex.process.standard_streams import complain

UNDECIDED = 3
"""Exit code of ``examine`` where the evidence tells neither way."""


@app.command("verify")
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Theorems; all unless given.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="On few and small instances, in a minute.")] = False,
    instances: Annotated[
        int | None, typer.Option(help="Random instances of each; each theorem's own number unless given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the first random instance.")] = 1,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first theorem that is not verified.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(help="Processes that measure; as many as processors unless given.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the theorems and measure nothing.")] = False,
    as_json: AsJson = False,
) -> int:
    """Measure both sides of every theorem; fail if one does not hold, or its false twin never fails."""
    # Imported late: the files of all theorems take half a second.
    from treeplex.bench.verify import verify as verifying

    if listed:
        _show_list(verifying.chosen(names or None), as_json=as_json)
        return SUCCESS
    with shown_progress() as progress:
        run = verifying.verify(
            names or None,
            quick=quick,
            instances=instances,
            seed=seed,
            fail_fast=fail_fast,
            workers=workers,
            progress=progress,
        )
    show(run.as_json() if as_json else run)
    return SUCCESS if run.ok else FAILED


def _show_list(theorems: Sequence[Theorem], *, as_json: bool) -> None:
    rows = [{"name": t.name, "plain": t.plain, "source": t.source} for t in theorems]
    show({"theorems": rows} if as_json else (theorems_table(theorems),))


@app.command("challenge")
def challenge_command(
    target: Annotated[
        str, typer.Argument(metavar="METHOD|MODULE:NAME", help="What is challenged; a method for safe only.")
    ],
    claim: Annotated[
        str, typer.Option(metavar="|".join((*CLAIMS, "MODULE:NAME")), help="What is claimed about it.")
    ] = "safe",
    seconds: Annotated[
        float, typer.Option(help="No further game is tried after so many; shrinking takes as long at most.")
    ] = 120.0,
    games: Annotated[int | None, typer.Option(help="The most games to be tried.")] = None,
    seed: Annotated[int, typer.Option(help="Of the games; the same seed, the same games.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write counterexample.json, .efg and .svg there.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Try only the game in a counterexample.json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Look for a game that breaks a claim, and shrink it; fail if there is one."""
    with shown_progress() as progress:
        found = challenge(
            target,
            claim,
            seconds=seconds,
            games=games,
            seed=seed,
            out=out,
            replay=replay,
            progress=progress,
        )
    show(found.as_json() if as_json else found)
    if found.interrupted:
        raise KeyboardInterrupt
    return FAILED if found.broken else SUCCESS


@app.command("examine")
def examine(
    solver: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[module:name|FILES...]",
            help="A solver, called with a game and a number of iterations; treeplex:METHOD, openspiel:cfr, "
            "gambit:lp; or strategy files of one game, named ..._T.csv after T iterations.",
        ),
    ] = None,
    estimator: Annotated[
        str | None,
        typer.Option(metavar="module:name", help="An estimator of strength, in place of a solver."),
    ] = None,
    games: Annotated[
        str, typer.Option(metavar="ladder|SPEC,SPEC,...", help="The games, of rising size.")
    ] = examining.LADDER,
    iterations: Annotated[int, typer.Option(help="Most iterations that are asked for.")] = MOST_ITERATIONS,
    seconds: Annotated[
        float, typer.Option(help="Of the processor for each game; the solver ends then.")
    ] = SECONDS,
    as_json: AsJson = False,
) -> int:
    """Examine a solver on a ladder of games: is it right, and if not, where does it first go wrong."""
    chosen = games if games == examining.LADDER else list(separated(games))
    if estimator is not None:
        return _examine_estimator(estimator, chosen, solver, (iterations, seconds), as_json)
    if not solver:
        raise BadInputError("examine needs a solver, files of strategies, or --estimator module:name")
    try:
        with shown_progress() as progress:
            found = examining.examine(
                solver if len(solver) > 1 else solver[0],
                chosen,
                iterations=iterations,
                seconds=seconds,
                progress=progress,
            )
    except NotRunError as error:
        if len(error.examination.rungs) > 1:  # what was found on games before stays worth reading
            show(error.examination.as_json() if as_json else error.examination)
        raise
    show(found.as_json() if as_json else found)
    return {"wrong": FAILED, "cannot tell": UNDECIDED}.get(str(found.verdict), SUCCESS)


def _examine_estimator(
    estimator: str, games: str | list[str], solver: list[str] | None, limits: tuple[int, float], as_json: bool
) -> int:
    """Examine an estimator of strength; exit code 1 unless it is unbiased, and takes luck out."""
    if solver:
        raise BadInputError(
            f"examine takes a solver or --estimator, got {solver[0]!r} and --estimator {estimator}"
        )
    if limits != (MOST_ITERATIONS, SECONDS):
        raise BadInputError("--iterations and --seconds are for solvers, got --estimator")
    with shown_progress() as progress:
        chosen = GAMES if isinstance(games, str) else games
        found = examine_estimator(estimator, chosen, progress=progress)
    show(found.as_json() if as_json else found)
    return SUCCESS if found.verdict == "unbiased" else FAILED


@app.command("reproduce")
def reproduce_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="What to compute again; what there is unless given."),
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="ROW,ROW,...", help="These rows alone; all unless given.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="COLUMN,...", help="These columns alone; all unless given.")
    ] = None,
    flops: Annotated[
        int | None, typer.Option(metavar="N", help="Of the game with a list of N classes of flops.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", help="Of the regret minimiser that solves a game or subgame.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep there what is computed on the way.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the run there, and go on from it.")
    ] = None,
    threads: Annotated[int | None, typer.Option(help="As many as processors unless given.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the tables: .md, .json; - is stdout; or draw them: .svg, .png, .pdf."
        ),
    ] = None,
    format: Annotated[str | None, typer.Option(metavar="md|json|svg|png|pdf", help=OF_OUT)] = None,
    as_json: AsJson = False,
) -> int:
    """Compute a table or a figure of a paper again, beside the printed numbers; alone, list what there is."""
    # Imported late: what reproductions use takes half a second.
    from treeplex.bench.reproductions import registry, reproduce
    from treeplex.bench.reproductions.reproduction import Settings

    chosen = check_out(out, format, reproduce.check_reproduced, {}, as_json=as_json)
    settings = Settings(
        rows=_names("rows", rows),
        columns=_names("columns", columns),
        flops=flops,
        iterations=iterations,
        keep=keep,
        checkpoint=checkpoint,
        threads=threads,
    )
    if name is None:
        if out is not None or settings.given:
            raise BadInputError("options are for the reproduction that NAME says, got none")
        listed = [one.as_json() for one in registry.REPRODUCTIONS.values()]
        show({"reproductions": listed} if as_json else (registry.reproductions_table(),))
        return SUCCESS
    found = registry.reproduction(name)
    found.check(settings)
    complain(f"treeplex: {name}: {found.estimate(settings)}")
    with shown_progress() as progress:
        result = reproduce.reproduced(found, settings, progress)
    try:
        if out is not None and chosen is not None:
            reproduce.write_reproduced(result, out, chosen)
    finally:
        show(result.as_json() if as_json else result, out)
    return SUCCESS


def _names(what: str, text: str | None) -> tuple[str, ...]:
    """Return the names in an option, none where it is not given."""
    names = () if text is None else separated(text)
    if text is not None and not names:
        raise BadInputError(f"{what} must be names with commas between them, got {shown(text)}")
    return names
