"""The commands nested, translate and answer: an abstraction's strategy against bets that it lacks."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Blueprint, Defender, Format, GiftScale, Missing, Out, Spec
from treeplex.cli.printing import check_out, finish
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.files import strategies
from treeplex.files.strategies import SUFFIXES
from treeplex.gadgets.off_tree.approaches_by_name import APPROACHES, NESTED_METHODS
from treeplex.subgames.answer import answer
from treeplex.subgames.inputs import unlocked_game
from treeplex.subgames.off_tree import OffTreeResult, nested, translate

Abstraction = Annotated[
    str,
    typer.Option(metavar="SPEC|SIZES", help="The game with fewer bet sizes, or which to keep, as 1/2,1."),
]

NestedMethod = Annotated[
    str, typer.Option(metavar="METHOD", help=f"{', '.join(NESTED_METHODS)}, or module:Name.")
]
Approach = Annotated[
    str,
    typer.Option(metavar="|".join(APPROACHES), help="Solve from after the move, or from before it."),
]


@app.command("nested")
def nested_command(
    spec: Spec,
    abstraction: Abstraction,
    defender: Defender,
    method: NestedMethod = "resolve",
    approach: Approach = APPROACHES[0],
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


@app.command("answer")
def answer_command(
    spec: Spec,
    strategy: Annotated[
        str,
        typer.Option(metavar="uniform|nash|METHOD:N|FILE", help="The strategy that plays by the menus."),
    ],
    at: Annotated[
        str, typer.Option(metavar="BOARD:LINE", help="Ends in the bet, as cr37; LINE alone on a river.")
    ],
    method: NestedMethod = "maxmargin",
    approach: Approach = "inexpensive",
    scale: GiftScale = 1.0,
    iterations: Annotated[int, typer.Option(help="Of each solve, at most.")] = 1000,
    width: Annotated[
        float, typer.Option(help="Of the gadget's value, in pots, at which a solve ends.")
    ] = 1e-3,
    threads: Annotated[int, typer.Option(help="Change no result.")] = 1,
    missing: Missing = "error",
    hands: Annotated[bool, typer.Option("--hands", help="A row for each hand, not each class.")] = False,
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Answer a bet that a strategy's menus lack, with all hands, beside action translation."""
    file = strategy if strategy.lower().endswith((*SUFFIXES,)) else None
    inputs = {"the game": path_of(spec), "--strategy": file}
    written = check_out(out, format, strategies.strategy_format, inputs, as_json=as_json)
    with shown_progress() as progress:
        rules = unlocked_game(spec, progress)
        if out is not None:
            strategies.check_strategy_output(out, written, rules)
        found = answer(
            rules,
            strategy,
            at,
            method,
            approach=approach,
            scale=scale,
            iterations=iterations,
            width=width,
            threads=threads,
            missing=missing,
            progress=progress,
        )
    finish(found.as_json() if as_json else found.blocks(hands=hands), found.strategy, out, format)
    return SUCCESS


def _check(out: Path | None, format: str | None, spec: str, abstraction: str, as_json: bool) -> None:
    inputs = {"the game": path_of(spec), "--abstraction": path_of(abstraction)}
    check_out(out, format, strategies.check_strategy_output, inputs, as_json=as_json)


def _finish(result: OffTreeResult, out: Path | None, format: str | None, as_json: bool) -> int:
    finish(result.as_json() if as_json else result, result.profile, out, format)
    return SUCCESS
