"""The command abstract: card abstractions made and written."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.abstracting.abstract import abstract, planned
from treeplex.abstracting.wanted import EXAMPLE
from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Spec
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import path_of
from treeplex.games.abstraction.card_abstraction import RECALLS
from treeplex.process.streams import complain
from treeplex.store.abstractions.abstraction_file import check_abstraction


@app.command("abstract")
def abstract_command(
    spec: Spec,
    street: Annotated[
        str,
        typer.Option(metavar="STREET:COUNT:KIND,...", help=f"Such as {EXAMPLE}; others are lossless."),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to, .npz; a run goes on beside it.")],
    recall: Annotated[
        str, typer.Option(metavar="|".join(RECALLS), help="Whether a bucket implies the one before.")
    ] = "imperfect",
    seed: Annotated[int, typer.Option(help="Of clusters.")] = 0,
    threads: Annotated[int, typer.Option(help="Change no byte.")] = 1,
    as_json: AsJson = False,
) -> int:
    """Put hands and boards into buckets, by clusters of what they win over the cards to come."""
    check_out(out, None, check_abstraction, {"the game": path_of(spec)}, as_json=as_json)
    with shown_progress() as progress:
        making = planned(spec, street, recall=recall, seed=seed, threads=threads, progress=progress)
        complain(f"treeplex: {making.game.name}: {making.estimate()}")
        made = abstract(
            making.game, street, recall=recall, seed=seed, threads=threads, out=out, progress=progress
        )
    show(made.head if as_json else made, out)
    return SUCCESS
