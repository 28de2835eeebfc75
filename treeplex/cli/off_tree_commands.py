"""The commands that play a game by a strategy of an abstraction: nested solving and action translation."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Blueprint, Defender, Missing, Out, Spec
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.gadgets.nested.by_name import APPROACHES, NESTED_METHODS
from treeplex.store import strategies
from treeplex.subgames.off_tree import OffTreeResult
from treeplex.subgames.off_tree_solving import nested, translate
from treeplex.tables.off_tree_table import off_tree_table

Abstraction = Annotated[
    str,
    typer.Option(metavar="SPEC|SIZES", help="The game with fewer bet sizes, or which to keep, as 1/2,1."),
]


@app.command("nested")
def nested_command(
    spec: Spec,
    abstraction: Abstraction,
    defender: Defender,
    method: Annotated[
        str, typer.Option(metavar="METHOD", help=f"{', '.join(NESTED_METHODS)}, or module:Name.")
    ] = "resolve",
    approach: Annotated[
        str, typer.Option(metavar="|".join(APPROACHES), help="Solve from after the move, or from before it.")
    ] = APPROACHES[0],
    scale: Annotated[float, typer.Option(help="For reach-: gifts times this; above 1 is not safe.")] = 1.0,
    blueprint: Blueprint = "nash",
    missing: Missing = "error",
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Play by an abstraction's strategy, and solve a subgame for every bet that it lacks."""
    _check_out(out)
    with shown_progress() as tell:
        result = nested(
            spec,
            abstraction,
            defender,
            method,
            approach=approach,
            scale=scale,
            blueprint=blueprint,
            missing=missing,
            progress=tell,
        )
    return _finish(result, out, as_json)


@app.command("translate")
def translate_command(
    spec: Spec,
    abstraction: Abstraction,
    defender: Defender,
    blueprint: Blueprint = "nash",
    missing: Missing = "error",
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Play by an abstraction's strategy, and take every bet that it lacks for one that it has."""
    _check_out(out)
    with shown_progress() as tell:
        result = translate(spec, abstraction, defender, blueprint=blueprint, missing=missing, progress=tell)
    return _finish(result, out, as_json)


def _check_out(out: Path | None) -> None:
    if out is not None:
        strategies.check_strategy_writable(out)


def _finish(result: OffTreeResult, out: Path | None, as_json: bool) -> int:
    shown = result.as_json() if as_json else off_tree_table(result)
    if out is not None:
        strategies.write(result.profile, out)
    show(shown)
    return SUCCESS
