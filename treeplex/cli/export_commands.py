"""Commands that hand games on: to other programs, and to the eye."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import Bets, Raises, Spec
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.core.problem import load
from treeplex.exports import exporting
from treeplex.pictures import drawing
from treeplex.store.figure_file import PICTURES
from treeplex.store.files import check_writable


@app.command("export")
def export(
    spec: Spec,
    format: Annotated[
        str | None,
        typer.Option(metavar="|".join(exporting.FORMATS), help="By the file's suffix unless given."),
    ] = None,
    player: Annotated[
        int | None, typer.Option(metavar="0|1", help="For mps and lp: whose plan; 0 unless given.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to; without it text goes to standard output.")
    ] = None,
    bets: Bets = None,
    raises: Raises = None,
) -> int:
    """Write a game for another program: a linear program, arrays, or a tree for Graphviz or Gambit."""
    chosen = exporting.format_of(out, format)
    exporting.check_export(chosen, player)
    if out is not None:
        check_writable(out, (out.suffix.lower(),), "an export")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        problem = load(spec, bets=bets, raises=raises)
        tell("writing", float("inf"))
        if out is not None:
            exporting.export(problem, out, chosen, player=player)
    if out is None:
        exporting.write_export(problem, chosen, sys.stdout, player)
    else:
        show(out)
    return SUCCESS


@app.command("draw")
def draw(
    spec: Spec,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it as .png, .svg or .pdf; without it, as text.")
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="PUBLIC_STATE|all", help="Shade the subgame that begins there; may repeat."),
    ] = None,
    defender: Annotated[
        int | None, typer.Option(metavar="0|1", help="With --at: who would solve the subgames again.")
    ] = None,
    depth: Annotated[int | None, typer.Option(help="Break off after so many moves.")] = None,
    gadget: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD", help="Draw the game that unsafe, resolve or maxmargin makes of the subgame."
        ),
    ] = None,
    blueprint: Annotated[
        str,
        typer.Option(metavar="uniform|nash|cfr+:N|FILE", help="For --gadget: the strategy to start from."),
    ] = "nash",
) -> int:
    """Draw a small game tree with its infosets, subgames shaded, or the game of a gadget."""
    if out is not None:
        check_writable(out, PICTURES, "a picture")
    with shown_progress() as tell:
        tell("making the game ready", float("inf"))
        picture = drawing.draw(
            spec, at=at or None, defender=defender, depth=depth, gadget=gadget, blueprint=blueprint
        )
        tell("drawing", float("inf"))
        if out is not None:
            picture.write(out)
    show(picture if out is None else out)
    return SUCCESS
