"""The commands nested and translate: an abstraction's strategy in the full game."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Blueprint, Defender, Format, GiftScale, Missing, Out, Spec
from treeplex.cli.printing import check_out, finish
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.gadgets.nested.by_name import APPROACHES, NESTED_METHODS
from treeplex.store import strategies
from treeplex.subgames.off_tree import nested, translate
from treeplex.subgames.off_tree_result import OffTreeResult
from treeplex.tables.subgames.off_tree import off_tree_table

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
    scale: GiftScale = 1.0,
    blueprint: Blueprint = "nash",
    missing: Missing = "error",
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Play by an abstraction's strategy, and solve a subgame for every bet that it lacks."""
    _check(out, format, spec, abstraction, as_json)
    with shown_progress() as progress:
        result = nested(
            spec,
            abstraction,
            defender,
            method,
            approach=approach,
            scale=scale,
            blueprint=blueprint,
            missing=missing,
            progress=progress,
        )
    return _finish(result, out, format, as_json)


@app.command("translate")
def translate_command(
    spec: Spec,
    abstraction: Abstraction,
    defender: Defender,
    blueprint: Blueprint = "nash",
    missing: Missing = "error",
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Play by an abstraction's strategy, and take every bet that it lacks for one that it has."""
    _check(out, format, spec, abstraction, as_json)
    with shown_progress() as progress:
        result = translate(
            spec, abstraction, defender, blueprint=blueprint, missing=missing, progress=progress
        )
    return _finish(result, out, format, as_json)


def _check(out: Path | None, format: str | None, spec: str, abstraction: str, as_json: bool) -> None:
    inputs = {"the game": path_of(spec), "--abstraction": path_of(abstraction)}
    check_out(out, format, strategies.check_strategy_output, inputs, as_json=as_json)


def _finish(result: OffTreeResult, out: Path | None, format: str | None, as_json: bool) -> int:
    finish(result.as_json() if as_json else off_tree_table(result), result.profile, out, format)
    return SUCCESS
