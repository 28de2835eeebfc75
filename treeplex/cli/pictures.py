"""The commands show, draw and plot: hands at a node, game trees, traces."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Missing, PictureFormat, PictureOut, Spec
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.files.figure_file import check_picture
from treeplex.games.base.errors import BadInputError
from treeplex.pictures.hand_colours import BUCKETS, MAPS, RANGES
from treeplex.process.standard_streams import complain
from treeplex.views.draw import WIDEST
from treeplex.views.draw import draw as draw_tree
from treeplex.views.plot import AXES
from treeplex.views.plot import plot as draw_runs
from treeplex.views.ranges import NodeRanges
from treeplex.views.show import show as show_node


@app.command("show")
def show_hands(
    spec: Spec,
    node: Annotated[str, typer.Option(metavar="LINE", help="A betting line; the first node if empty.")] = "",
    board: Annotated[str, typer.Option(metavar="CARDS", help="Where cards come within the game.")] = "",
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A strategy file; without one a small game is solved.")
    ] = None,
    missing: Missing = "error",
    map: Annotated[
        str, typer.Option(metavar="|".join((*MAPS, RANGES, BUCKETS)), help="What is shown.")
    ] = "strategy",
    abstraction: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For --map buckets, and of a sampled blueprint: its card abstraction."
        ),
    ] = None,
    out: PictureOut = None,
    format: PictureFormat = None,
    as_json: AsJson = False,
) -> int:
    """Show a poker strategy at a node, or the buckets of a board, by classes of hands: 13 x 13 in hold'em."""
    if map == RANGES and out is not None:
        raise BadInputError(f"--map ranges prints text, and --out writes pictures, got {out}: redirect it")
    inputs = {"the game": path_of(spec), "--strategy": strategy, "--abstraction": abstraction}
    check_out(out, format, check_picture, inputs, as_json=as_json)
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        picture = show_node(
            spec,
            node,
            strategy=strategy,
            missing=missing,
            board=board,
            map=map,
            abstraction=abstraction,
            progress=progress,
        )
    if out is not None and not isinstance(picture, NodeRanges):
        picture.write(out, format)
    show(picture.as_json() if as_json else picture if out is None else out, out)
    return SUCCESS


@app.command("draw")
def draw(
    spec: Spec,
    out: PictureOut = None,
    format: PictureFormat = None,
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="PUBLIC_STATE|all", help="Shade the subgame that begins there; may repeat."),
    ] = None,
    defender: Annotated[
        int | None, typer.Option(metavar="0|1", help="With --at: who would solve the subgames again.")
    ] = None,
    below: Annotated[
        str | None,
        typer.Option(
            metavar="LINE", help="Only what is below a public state, or a history: moves joined by /."
        ),
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
        typer.Option(metavar="uniform|nash|METHOD:N|FILE", help="For --gadget: the strategy to start from."),
    ] = "nash",
) -> int:
    """Draw a small game tree with its infosets, subgames shaded, or the game of a gadget."""
    check_out(out, format, check_picture, {"the game": path_of(spec), "--blueprint": blueprint})
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        picture = draw_tree(
            spec,
            at=at or None,
            defender=defender,
            below=below,
            depth=depth,
            gadget=gadget,
            blueprint=blueprint,
            progress=progress,
        )
        progress("drawing", float("inf"))
        if out is not None:
            picture.write(out, format)
    if out is not None and picture.width > WIDEST:
        complain(
            f"treeplex: the picture is {picture.width:.0f} inches wide, too wide to be read on a page: "
            "--below LINE draws a part"
        )
    show(picture if out is None else out, out)
    return SUCCESS


@app.command("plot")
def plot(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="CSV with iterations and nash_conv, as solve --trace writes."),
    ],
    x: Annotated[
        str, typer.Option("--x", metavar="|".join(AXES), help="What NashConv is drawn by.")
    ] = "iterations",
    out: Annotated[Path, typer.Option(metavar="FILE", help="The picture, .png, .svg or .pdf.")] = Path(
        "trace.png"
    ),
    format: PictureFormat = None,
) -> int:
    """Draw the course of runs: NashConv by iterations, seconds or touched nodes, both logarithmic."""
    check_out(out, format, check_picture, {str(file): file for file in files})
    draw_runs(files, out, format, x=x)
    show(out, out)
    return SUCCESS
