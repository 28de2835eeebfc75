"""The commands of the bench itself: challenge."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.challenges.challenge import challenge
from treeplex.challenges.claims.by_name import CLAIMS
from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import AsJson
from treeplex.cli.printing import show
from treeplex.cli.progress import shown_progress
from treeplex.tables.challenge import challenge_table


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
    show(found.as_json() if as_json else challenge_table(found))
    if found.interrupted:
        raise KeyboardInterrupt
    return FAILED if found.broken else SUCCESS
