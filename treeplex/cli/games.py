"""The commands games, abstract, export and reference: what is known and made of games themselves."""

from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from treeplex.bench.reproductions.reference_pack import check_pack, write_pack
from treeplex.bench.reproductions.reference_pack import reference as make_pack
from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import AsJson, Spec, specs
from treeplex.cli.printing import check_out, show
from treeplex.cli.progress import shown_progress
from treeplex.core.loading import load, path_of
from treeplex.files.abstraction_file import check_abstraction_output
from treeplex.files.outputs import STANDARD_OUTPUT
from treeplex.games.base.errors import BadInputError
from treeplex.games.buckets.card_abstraction import RECALLS, Recall
from treeplex.process.standard_streams import complain
from treeplex.views.catalogue import catalogue
from treeplex.views.export import FORMATS, check_export
from treeplex.views.export import export as write_game
from treeplex.views.size import size as count_size


@app.command("games")
def games(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC", autocompletion=specs, help="A poker game whose sizes are counted; else all names."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List the games that have names, or count how big a poker game is, without building it."""
    if spec is not None:
        with shown_progress() as progress:
            sizes = count_size(spec, progress=progress)
        show(sizes.as_json() if as_json else sizes)
        return SUCCESS
    with shown_progress() as progress:
        entries = catalogue(progress)
    show({"games": [game.as_json() for game in entries]} if as_json else entries)
    return SUCCESS


@app.command("abstract")
def abstract_command(
    spec: Spec,
    street: Annotated[
        str,
        typer.Option(
            metavar="STREET:COUNT:KIND,...",
            help="Such as flop:2000:hist,turn:1000:hist; others are lossless.",
        ),
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
    # Imported late: what abstracting uses takes half a second.
    from treeplex.solving.abstract import abstract, estimated, planned

    check_out(out, None, check_abstraction_output, {"the game": path_of(spec)}, as_json=as_json)
    told = cast(Recall, recall)  # which is checked with the rest
    if not street:
        raise BadInputError("street must name a street, such as flop:lossless, got ''")
    with shown_progress() as progress:
        making = planned(spec, street, recall=told, seed=seed, threads=threads, progress=progress)
        complain(f"treeplex: {making.game.name}: {estimated(making)}")
        made = abstract(
            making.problem, street, recall=told, seed=seed, threads=threads, out=out, progress=progress
        )
    for wanted, count in zip(making.streets, made.counts, strict=True):
        if count < wanted.count:
            complain(f"treeplex: {wanted.name}: {count:,} buckets, not {wanted.count:,}: no more differ")
    show(made.head if as_json else made, out)
    return SUCCESS


@app.command("export")
def export(
    spec: Spec,
    format: Annotated[
        str | None,
        typer.Option(metavar="|".join(FORMATS), help="By the file's suffix unless given."),
    ] = None,
    player: Annotated[
        int | None, typer.Option(metavar="0|1", help="For mps and lp: whose plan; 0 unless given.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to; - is standard output, and so it is without it.")
    ] = Path(STANDARD_OUTPUT),
) -> int:
    """Write a game for another program: a linear program, arrays, or a tree for Graphviz or Gambit."""
    check = partial(check_export, player=player)
    name = check_out(out, format, check, {"the game": path_of(spec)})
    with shown_progress() as progress:
        progress("making the game ready", float("inf"))
        problem = load(spec, progress=progress)
        progress("writing", float("inf"))
        write_game(problem, out, name, player=player)
    show(out, out)
    return SUCCESS


@app.command("reference")
def reference(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SPEC...]", help="Games; all with a known value unless given."),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Where to, .json; - is standard output, and so it is without it."),
    ] = Path(STANDARD_OUTPUT),
) -> int:
    """Write games with sizes, exact values and optimal strategies, for the tests of other programs."""
    check_out(out, "json" if str(out) == STANDARD_OUTPUT else None, check_pack, {})
    with shown_progress() as progress:
        pack = make_pack(games or None, progress=progress)
        progress("writing", float("inf"))
    write_pack(pack, out)
    show(out, out)
    return SUCCESS
