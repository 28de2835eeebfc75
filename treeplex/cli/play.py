"""The commands match and play: two agents, or a person and an agent, play hands of a game."""

import sys
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, specs
from treeplex.cli.printing import show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import ready
from treeplex.play import matches
from treeplex.play.agents import ALWAYS_CALL, UNIFORM, entrant_of
from treeplex.play.histories import histories
from treeplex.play.session import SEATS, Session
from treeplex.process.standard_streams import printing
from treeplex.process.typed_lines import TypedLines

AGENT = f"{UNIFORM}|{ALWAYS_CALL}|FILE|MODULE:AGENT|openspiel:MODULE:FUNCTION|acpc:COMMAND"
Game = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=specs, help="A SPEC, as for treeplex solve.")
]
Duplicate = Annotated[
    bool, typer.Option("--duplicate", help="Play each deal twice, the second time with seats swapped.")
]


@app.command("match")
def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help=f"Whose winnings are estimated: {AGENT}; a strategy file may have options after it, as in "
            '"leduc.csv(threshold=0.1)" or "leduc.csv(purified=true)"; a FUNCTION of a pyspiel.Game and a '
            "player returns a bot or a policy; a COMMAND is started with HOST PORT behind it.",
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent, as A.")],
    game: Game,
    hands: Annotated[int, typer.Option(help="How many are played.")],
    duplicate: Duplicate = False,
    seed: Annotated[int, typer.Option(help="The same seed, the same hands.")] = 1,
    streams: Annotated[int, typer.Option(help="Processes that play; they change no result.")] = 1,
    aivat: Annotated[
        bool,
        typer.Option(
            "--aivat",
            help="Estimate less luck in large hold'em too, by plans of all hands: up to a second a hand.",
        ),
    ] = False,
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
            aivat=aivat,
            out=out,
            progress=progress,
        )
    show(found.as_json() if as_json else found)
    return SUCCESS


@app.command("play")
def play(
    game: Game,
    against: Annotated[str, typer.Option(metavar="AGENT", help=f"{AGENT}, as for treeplex match.")],
    hands: Annotated[
        int | None, typer.Option(help="How many are played; until q or the end of input unless given.")
    ] = None,
    seat: Annotated[
        str,
        typer.Option(metavar="|".join(SEATS), help="Which player you are; rotating you begin as player 0."),
    ] = SEATS[-1],
    seed: Annotated[int, typer.Option(help="The same seed and moves, the same hands.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR|FILE",
            help="Keep the hands, in FILE.phhs (hold'em), FILE.log (ACPC, poker), FILE.jsonl or a folder.",
        ),
    ] = None,
) -> int:
    """Play hands against an agent at the terminal: moves are read from standard input, a line each."""
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = ready(game, progress=progress)
        entrant = entrant_of(problem, against)
    kept = () if out is None else histories(out, problem.game)
    lines, printed = TypedLines(sys.stdin), sys.stdout
    prompts = sys.stdin.isatty() and printed.isatty()

    def say(line: str, end: str = "\n") -> None:
        with redirect_stdout(printed), printing():
            printed.write(line + end)

    def read() -> str | None:
        if prompts:
            say("> ", "")
        return lines.read()

    session = Session(problem, entrant, read, say, hands, seat, seed, kept)
    with redirect_stdout(sys.stderr), closing(entrant):  # what agents print
        session.play()
    return SUCCESS
