"""The command match: two agents play hands of a game."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, specs
from treeplex.cli.printing import show
from treeplex.cli.progress import shown_progress
from treeplex.play import matches
from treeplex.play.agents import ALWAYS_CALL, UNIFORM

AGENT = f"{UNIFORM}|{ALWAYS_CALL}|FILE|MODULE:AGENT"


@app.command("match")
def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help=f"Whose winnings are estimated: {AGENT}; a strategy file may have options after it, as in "
            '"leduc.csv(threshold=0.1)" or "leduc.csv(purified=true)".',
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent, as A.")],
    game: Annotated[
        str, typer.Argument(metavar="GAME", autocompletion=specs, help="A SPEC, as for treeplex solve.")
    ],
    hands: Annotated[int, typer.Option(help="How many are played.")],
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play each deal twice, the second time with seats swapped.")
    ] = False,
    seed: Annotated[int, typer.Option(help="The same seed, the same hands.")] = 1,
    streams: Annotated[int, typer.Option(help="Processes that play; they change no result.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the hands there, and go on from them.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Let two agents play hands; what the first wins, with intervals, and exactly where that can be known."""
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        found = matches.match(
            a,
            b,
            game,
            hands=hands,
            duplicate=duplicate,
            seed=seed,
            streams=streams,
            out=out,
            progress=progress,
        )
    show(found.as_json() if as_json else found)
    return SUCCESS
