"""The commands acpc dealer and acpc agent: matches over the competition's protocol."""

import re
import sys
from contextlib import redirect_stdout
from math import inf
from pathlib import Path
from typing import Annotated, TextIO

import typer

from treeplex.cli.app import FAILED, SUCCESS, PathsTold, app
from treeplex.cli.options import specs
from treeplex.cli.play import AGENT, Duplicate
from treeplex.cli.progress import shown_progress
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.play.acpc_agent import play_acpc
from treeplex.play.acpc_dealer import AcpcDealer, AcpcSetting
from treeplex.process.standard_streams import complain, printing

acpc = typer.Typer(
    name="acpc",
    cls=PathsTold,
    help="Play over sockets by the protocol of the Annual Computer Poker Competition.",
    rich_markup_mode=None,
)
app.add_typer(acpc)

Game = Annotated[
    str,
    typer.Argument(metavar="GAME", autocompletion=specs, help="A SPEC of poker, as for treeplex solve."),
]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Where is listened, or whom to connect to.")]


@acpc.command("dealer")
def dealer(
    game: Game,
    hands: Annotated[int, typer.Option(help="How many are played.")],
    seed: Annotated[int, typer.Option(help="The same seed, the deals of treeplex match.")] = 1,
    duplicate: Duplicate = False,
    ports: Annotated[
        str, typer.Option(metavar="P1,P2", help="Of the two players; 0 takes any that is free.")
    ] = "0,0",
    names: Annotated[str, typer.Option(metavar="A,B", help="Of the players, by port.")] = "A,B",
    host: Host = "127.0.0.1",
    out: Annotated[
        Path | None,
        typer.Option(metavar="LOG", help="Write the log, a new file: a line as soon as a hand is over."),
    ] = None,
    response_seconds: Annotated[float, typer.Option(help="Most for an answer.")] = 600.0,
    hand_seconds: Annotated[float, typer.Option(help="Most for a hand, on average.")] = 7.0,
) -> int:
    """Deal a match between two programs that connect: prints the ports, then the score."""
    setting = AcpcSetting.of(
        game,
        hands,
        seed=seed,
        duplicate=duplicate,
        names=names.split(","),
        response_seconds=response_seconds,
        hand_seconds=hand_seconds,
    )
    if not (wanted := re.fullmatch(r"(\d{1,6}),(\d{1,6})", ports)):
        raise BadInputError(f"ports must be two numbers such as 0,0, got {shown(ports)}")
    stream = sys.stdout
    with shown_progress() as progress:
        opened = AcpcDealer.open(
            setting,
            ports=(int(wanted[1]), int(wanted[2])),
            host=host,
            out=out,
            tell=lambda warning: complain(f"treeplex: {warning}"),
            progress=progress,
        )
        with opened as waiting:
            _print("{} {}".format(*waiting.ports), stream)
            match = waiting.play()
    if match.ended:
        complain(f"treeplex: the match has no score: {match.ended}")
        return FAILED
    _print(match.score, stream)
    return SUCCESS


@acpc.command("agent")
def agent(
    who: Annotated[str, typer.Argument(metavar="AGENT", help=f"Who plays: {AGENT}, as for treeplex match.")],
    game: Game,
    port: Annotated[int, typer.Option(help="The dealer's, for this player.")],
    host: Host = "127.0.0.1",
    seed: Annotated[int, typer.Option(help="The same seed, the answers of treeplex match.")] = 1,
) -> int:
    """Let an agent play against any dealer that speaks the protocol, until that leaves."""
    stream = sys.stdout
    with shown_progress() as progress:
        progress("making the game ready", inf)
        run = play_acpc(who, game, port, host=host, seed=seed, progress=progress)
    _print(run.text("chips"), stream)
    return SUCCESS if run.is_whole else FAILED


def _print(line: str, stream: TextIO) -> None:
    """Print a line at once, though what users' code prints meanwhile goes elsewhere."""
    with redirect_stdout(stream), printing():
        stream.write(f"{line}\n")
