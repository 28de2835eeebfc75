"""The command answer: a strategy of fewer bet sizes against bets that it lacks, of a whole game or one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Format, GiftScale, Missing, Out, Spec
from treeplex.cli.printing import check_out, finish
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.files import strategies
from treeplex.files.strategies import SUFFIXES
from treeplex.gadgets.off_tree.off_tree import APPROACHES, NESTED_METHODS
from treeplex.games.base.errors import BadInputError
from treeplex.subgames.answer import answer
from treeplex.subgames.inputs import unlocked_game
from treeplex.subgames.off_tree import TRANSLATION, nested, translate

NESTED = "nested"
"""Nested solving by the usual method: resolve of whole games, maxmargin of one bet."""


@app.command("answer")
def answer_command(
    spec: Spec,
    by: Annotated[
        str,
        typer.Option(
            metavar="METHOD", help=f"{TRANSLATION}, {NESTED}, {', '.join(NESTED_METHODS)}, or module:Name."
        ),
    ] = NESTED,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="uniform|nash|METHOD:N|FILE",
            help="The strategy that lacks bets; with --abstraction nash unless given.",
        ),
    ] = None,
    abstraction: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC|SIZES",
            help="Answer every bet: the game with fewer bet sizes, or which to keep, as 1/2,1.",
        ),
    ] = None,
    defender: Annotated[
        int | None, typer.Option(metavar="0|1", help="With --abstraction: whose strategy it is.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD:LINE", help="Answer one: a line that ends in the bet, as cr37; on a river alone."
        ),
    ] = None,
    approach: Annotated[
        str | None,
        typer.Option(metavar="|".join(APPROACHES), help="Solve from after the bet, or from before it."),
    ] = None,
    scale: GiftScale = 1.0,
    iterations: Annotated[int | None, typer.Option(help="With --at: of each solve, at most; 1,000.")] = None,
    width: Annotated[
        float | None,
        typer.Option(help="With --at: of the gadget's value, in pots, at which a solve ends; 0.001."),
    ] = None,
    threads: Annotated[int | None, typer.Option(help="With --at: change no result.")] = None,
    missing: Missing = "error",
    hands: Annotated[
        bool, typer.Option("--hands", help="With --at: a row for each hand, not each class.")
    ] = False,
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Answer bets that a strategy's menus lack: by action translation, or by subgames solved again."""
    on_boards = {"iterations": iterations, "width": width, "threads": threads, "hands": hands or None}
    if (at is None) == (abstraction is None):
        got = "both" if at is not None else "none"
        raise BadInputError(f"answer takes --abstraction, for every bet, or --at, for one, got {got}")
    told: dict[str, Any] = {name: value for name, value in on_boards.items() if value is not None}
    if at is None and told:
        raise BadInputError(f"--{next(iter(told))} is for --at, got it with --abstraction")
    if at is not None and defender is not None:
        raise BadInputError(f"--defender is for --abstraction, got {defender} with --at")
    if by == TRANSLATION and at is not None:
        raise BadInputError(f"--by {TRANSLATION} of one bet stands beside every other method")
    if by == TRANSLATION and (approach is not None or scale != 1.0):
        raise BadInputError(f"--by {TRANSLATION} has no {'--scale' if approach is None else '--approach'}")
    strategy_file = strategy if strategy and strategy.lower().endswith((*SUFFIXES,)) else None
    inputs = {
        "the game": path_of(spec),
        "--abstraction": None if abstraction is None else path_of(abstraction),
        "--strategy": strategy_file,
    }
    written = check_out(out, format, strategies.strategy_format, inputs, as_json=as_json)
    if approach is not None:
        told["approach"] = approach
    told |= {"missing": missing} if by == TRANSLATION else {"missing": missing, "scale": scale}
    if at is None:
        assert abstraction is not None
        shown, played, rules = _every_bet(
            spec, abstraction, defender, by, strategy or "nash", told, (out, written)
        )
    else:
        told.pop("hands", None)
        shown, played, rules = _one_bet(spec, at, by, strategy, told, (out, written))
    content = shown.as_json() if as_json else shown.blocks(hands=True) if hands else shown
    finish(content, played, out, format, rules)
    return SUCCESS


def _every_bet(
    spec: str,
    abstraction: str,
    defender: int | None,
    by: str,
    strategy: str,
    told: dict[str, Any],
    output: tuple[Path | None, str | None],
) -> Any:
    """Answer every bet of an enumerated game; return what is shown, the strategy, and the game."""
    if defender is None:
        raise BadInputError("--abstraction needs --defender, 0 or 1: whose strategy it is")
    out, written = output
    with shown_progress() as progress:
        rules = unlocked_game(spec, progress)
        if out is not None:
            strategies.check_strategy_output(out, written, rules)
        told |= {"blueprint": strategy, "progress": progress}
        if by == TRANSLATION:
            found = translate(rules, abstraction, defender, **told)
        else:
            found = nested(rules, abstraction, defender, "resolve" if by == NESTED else by, **told)
    return found, found.profile, rules


def _one_bet(
    spec: str,
    at: str,
    by: str,
    strategy: str | None,
    told: dict[str, Any],
    output: tuple[Path | None, str | None],
) -> Any:
    """Answer one bet of a poker game on boards; return what is shown, the strategy after it, and the game."""
    if strategy is None:
        raise BadInputError("--at needs --strategy: uniform, nash, METHOD:N or a file")
    out, written = output
    with shown_progress() as progress:
        rules = unlocked_game(spec, progress)
        if out is not None:
            strategies.check_strategy_output(out, written, rules, strategies.ON_BOARDS)
        found = answer(rules, strategy, at, "maxmargin" if by == NESTED else by, progress=progress, **told)
    return found, found.strategy, rules
