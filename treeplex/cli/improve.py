"""The command improve: answers to the bets that opponents made and an agent's menus lack."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Format, Missing, Out
from treeplex.cli.printing import check_out, finish
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.files import strategies
from treeplex.files.outputs import place_of
from treeplex.play.agents import file_and_menus
from treeplex.play.improve import METHODS, improve
from treeplex.play.kept_hands import HANDS
from treeplex.process.standard_streams import complain
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.inputs import unlocked_game


@app.command("improve")
def improve_command(
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="A strategy file with its game, as 'FILE(game=\"SPEC\")'."),
    ],
    matches: Annotated[
        list[Path],
        typer.Option("--from", metavar="DIR", help="A folder of treeplex match --out; may be repeated."),
    ],
    k: Annotated[int, typer.Option(help="How many bets are answered, at most.")] = 3,
    game: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="That was played; by its name in the folders unless given."),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="|".join(METHODS), help="The gadget behind which branches are solved.")
    ] = METHODS[0],
    without_sibling: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="Add a branch as solved without the menus' actions beside it, if more than this part of the "
            "opponents' decisions there were the bet; never unless given.",
        ),
    ] = 1.0,
    iterations: Annotated[int, typer.Option(help="Of each solve, at most.")] = 1000,
    width: Annotated[
        float, typer.Option(help="Of the gadget's value, in pots, at which a branch has converged.")
    ] = 1e-3,
    threads: Annotated[int, typer.Option(help="Change no result.")] = 1,
    missing: Missing = "error",
    out: Out = None,
    format: Format = None,
    as_json: AsJson = False,
) -> int:
    """Answer the bets of opponents that an agent's menus lack, and add the answers to its strategy."""
    path, menus = file_and_menus(agent)
    inputs = {"AGENT": path, "its game": path_of(menus), **{f"--from {one}": one / HANDS for one in matches}}
    written = check_out(out, format, strategies.strategy_format, inputs, as_json=as_json)
    with shown_progress() as progress:
        rules = unlocked_game(menus, progress)
        if out is not None:
            strategies.check_strategy_output(out, written, rules, strategies.ON_BOARDS)
        kept = list[str]()

        def keep(strategy: FactoredStrategy) -> None:
            if out is not None and not place_of(out).is_standard_output:
                strategies.write(strategy, out, format)
                kept.append(strategy.tree.game.name)

        try:
            found = improve(
                path,
                rules,
                matches,
                k=k,
                game=game,
                method=method,
                without_sibling=without_sibling,
                iterations=iterations,
                width=width,
                threads=threads,
                missing=missing,
                keep=keep,
                progress=progress,
            )
        except KeyboardInterrupt:
            if kept:
                complain(f"treeplex: {out} has what was added so far, a strategy of {kept[-1]}")
            raise
    finish(found.as_json() if as_json else found, found.strategy, out, format, found.strategy.tree.game)
    return SUCCESS
