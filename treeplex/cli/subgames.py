"""The commands gadget and depth-limited: subgames and trunks of a game solved again."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import typer

from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import (
    AsJson,
    At,
    Blueprint,
    Defender,
    Format,
    GiftScale,
    Missing,
    Out,
    Spec,
    settings_of,
)
from treeplex.cli.printing import check_out, finish
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.files import strategies
from treeplex.gadgets import methods_by_name as gadget_methods
from treeplex.gadgets.methods_by_name import ENTERING, EQUILIBRIA, ESTIMATES, GIFTS, GadgetOptions
from treeplex.games.base.display import Block
from treeplex.games.base.errors import BadInputError
from treeplex.solving.options import Option
from treeplex.subgames.depth_limited import CONTINUATIONS, SELF_GENERATED, DepthLimits, depth_limited
from treeplex.subgames.inputs import FORMS, form_of, unlocked_game
from treeplex.subgames.resolution import BoardResolution, Resolution
from treeplex.subgames.resolve import resolve
from treeplex.subgames.resolve_on_boards import BoardEffort

SETTINGS: Mapping[str, Option] = MappingProxyType(
    {
        one.name: one
        for one in (
            Option("gifts", "For reach-: which gifts.", " or ".join(GIFTS), str),
            Option(
                "estimates", "For estimated-: values against which strategy.", " or ".join(ESTIMATES), str
            ),
            Option("deviation", "For distributional: standard deviation of alternatives.", "a number", float),
            Option("atoms", "For distributional: values that stand for a normal.", "an integer", int),
            Option(
                "entering",
                "For distributional: a decision for each of the atoms, or, on boards, for all draws at once.",
                " or ".join(ENTERING),
                str,
            ),
            Option(
                "equilibrium", "Which equilibrium of a gadget game is played.", " or ".join(EQUILIBRIA), str
            ),
        )
    }
)
"""What ``--set`` sets of a gadget."""
SETTINGS_HELP = "; ".join(f"{one.name}: {one.legal}" for one in SETTINGS.values())
SAFE = "safe"
"""The claim that ``gadget`` can be held to."""


@app.command("gadget")
def gadget(
    spec: Spec,
    defender: Defender,
    at: At,
    method: Annotated[
        str,
        typer.Option(metavar="METHOD", help=f"{', '.join(gadget_methods.METHODS)}, or module:Name."),
    ],
    blueprint: Blueprint,
    scale: GiftScale = 1.0,
    settings: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help=f"{SETTINGS_HELP}; may repeat.")
    ] = [],  # noqa: B006 (typer makes a new one for each call)
    form: Annotated[
        str | None,
        typer.Option(metavar="|".join(FORMS), help="Enumerated, or on boards: by size unless given."),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(help="On boards: with a larger error a subgame keeps the blueprint; in pots."),
    ] = None,
    width: Annotated[
        float | None, typer.Option(help="On boards: the width of the gadget's value to prove, in pots.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="On boards: at most so many a subgame.")] = None,
    threads: Annotated[int | None, typer.Option(help="On boards: of the regret minimiser.")] = None,
    hands: Annotated[bool, typer.Option("--hands", help="On boards: a row for each hand.")] = False,
    claim: Annotated[
        str | None, typer.Option(metavar=SAFE, help="Fail if the whole strategy became more exploitable.")
    ] = None,
    missing: Missing = "error",
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Solve subgames of a strategy again, put them back, and measure margins and exploitability."""
    inputs = {"the game": path_of(spec)}
    written = check_out(out, format, strategies.strategy_format, inputs, as_json=as_json)
    told: dict[str, Any] = settings_of(settings, {}, SETTINGS)
    options = GadgetOptions(scale=scale, **told)
    if claim not in (None, SAFE):
        raise BadInputError(f"claim must be {SAFE}, got {claim!r}")
    chosen = {"tolerance": tolerance, "width": width, "iterations": iterations, "threads": threads}
    given = {name: value for name, value in chosen.items() if value is not None}
    with shown_progress() as progress:
        rules = unlocked_game(spec, progress)
        on_boards = form_of(rules, form) == "boards"
        if out is not None:
            kind = strategies.ON_BOARDS if on_boards else strategies.PROFILE
            strategies.check_strategy_output(out, written, rules, kind)
        if hands and not on_boards:
            raise BadInputError(f"hands is for boards, got it with {rules.name}, whose tops are listed")
        found = resolve(
            rules,
            defender,
            at,
            method,
            blueprint=blueprint,
            missing=missing,
            options=options,
            form=form,
            effort=BoardEffort(**given) if given else None,  # type: ignore[arg-type]
            progress=progress,
        )
    finish(found.as_json() if as_json else _table(found, hands), found.strategy, out, format, rules)
    return FAILED if claim == SAFE and not found.safe else SUCCESS


def _table(found: Resolution | BoardResolution, hands: bool) -> tuple[Block, ...]:
    return found.blocks() if isinstance(found, Resolution) else found.blocks(hands=hands)


@app.command("depth-limited")
def depth_limited_command(
    spec: Spec,
    defender: Defender,
    at: At,
    continuations: Annotated[
        list[str] | None,
        typer.Option(metavar="|".join((*CONTINUATIONS, "FILE")), help="The opponent's; files may repeat."),
    ] = None,
    blueprint: Blueprint = "nash",
    factor: Annotated[float, typer.Option(help="For biased: how many times as often.")] = DepthLimits.factor,
    rounds: Annotated[
        int, typer.Option(help="For self-generated: how many games at most.")
    ] = DepthLimits.rounds,
    tolerance: Annotated[
        float, typer.Option(help="For self-generated: the gap at which to stop.")
    ] = DepthLimits.tolerance,
    missing: Missing = "error",
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Solve the top of a game, where below it the opponent chooses how to play on."""
    inputs = {"the game": path_of(spec)}
    written = check_out(out, format, strategies.strategy_format, inputs, as_json=as_json)
    limits = DepthLimits(factor=factor, rounds=rounds, tolerance=tolerance)
    names = [SELF_GENERATED] if continuations is None else continuations
    named = len(names) == 1 and not names[0].lower().endswith((*strategies.SUFFIXES,))
    with shown_progress() as progress:
        rules = unlocked_game(spec, progress)
        if out is not None:
            strategies.check_strategy_output(out, written, rules)
        result = depth_limited(
            rules,
            defender,
            at,
            names[0] if named else names,
            blueprint=blueprint,
            missing=missing,
            limits=limits,
            progress=progress,
        )
    shown = result.as_json() if as_json else result
    finish(shown, result.profile, out, format, rules)
    return SUCCESS
