"""The command about subgames."""

from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Missing, Out, Spec
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.gadgets.solving import named as gadget_methods
from treeplex.gadgets.solving.named import EQUILIBRIA, ESTIMATES, GIFTS, Options
from treeplex.store import strategy_store
from treeplex.subgames.resolving import resolve
from treeplex.tables.resolution_table import resolution_table


@app.command("gadget")
def gadget(
    spec: Spec,
    defender: Annotated[int, typer.Option(metavar="0|1", help="Who solves subgames again.")],
    at: Annotated[
        list[str],
        typer.Option(metavar="PUBLIC_STATE|all", help="Where a subgame begins; may repeat."),
    ],
    method: Annotated[
        str,
        typer.Option(metavar="METHOD", help=f"{', '.join(gadget_methods.METHODS)}, or module:Name."),
    ],
    blueprint: Annotated[
        str, typer.Option(metavar="uniform|nash|cfr+:N|FILE", help="The strategy to start from.")
    ],
    gifts: Annotated[
        str, typer.Option(metavar="|".join(GIFTS), help="For reach-: which gifts.")
    ] = "lower-bound",
    scale: Annotated[float, typer.Option(help="For reach-: gifts times this; above 1 is not safe.")] = 1.0,
    estimates: Annotated[
        str, typer.Option(metavar="|".join(ESTIMATES), help="For estimated-: values against which strategy.")
    ] = "joint",
    deviation: Annotated[
        float | None, typer.Option(help="For distributional: the standard deviation of alternatives.")
    ] = None,
    atoms: Annotated[int, typer.Option(help="For distributional: values that stand for a normal.")] = 16,
    equilibrium: Annotated[
        str, typer.Option(metavar="|".join(EQUILIBRIA), help="Which equilibrium of the gadget game to play.")
    ] = "any",
    missing: Missing = "error",
    out: Out = None,
    as_json: AsJson = False,
) -> int:
    """Solve subgames of a strategy again, put them back, and measure margins and exploitability."""
    if out is not None:
        strategy_store.check_strategy_writable(out)
    options = Options(gifts, scale, estimates, deviation, atoms, equilibrium)
    with shown_progress() as tell:
        resolution = resolve(
            spec,
            defender,
            at,
            method,
            blueprint=blueprint,
            missing=missing,
            options=options,
            progress=tell,
        )
    shown = resolution.as_json() if as_json else resolution_table(resolution)
    if out is not None:
        strategy_store.write(resolution.profile, out)
    show(shown)
    return SUCCESS
