"""Types of the options that commands share, each with its metavar and help."""

from collections.abc import Mapping, Sequence
from glob import escape, glob
from pathlib import Path
from typing import Annotated

import typer

from treeplex.cfr.variant import AVERAGES
from treeplex.files import strategies
from treeplex.files.completion import MISSING
from treeplex.files.figure_file import PICTURES
from treeplex.games.base.errors import BadInputError
from treeplex.games.formats.spec_text import EXAMPLE, example_names
from treeplex.games.formats.specs import REGISTRY, file_of
from treeplex.solving.choice import LP
from treeplex.solving.methods import FORMS, METHODS
from treeplex.solving.options import Option, read_setting

ORDERS = {None: None, True: "alternating", False: "simultaneous"}
"""Order of updates by the value of ``--alternating/--simultaneous``."""
OF_OUT = "Of --out, by its suffix unless given: for -, devices, pipes."


def settings_of(
    settings: Sequence[str], options: Mapping[str, object], known: Mapping[str, Option]
) -> dict[str, object]:
    """Return the options given, with those of ``NAME=VALUE``; raises ``ValueError`` if one comes twice."""
    found = {name: value for name, value in options.items() if value is not None}
    for setting in settings:
        name, value = read_setting(setting, known)
        if name in found:
            raise BadInputError(f"a setting is given once, got {name} twice")
        found[name] = value
    return found


def specs(incomplete: str) -> list[str]:
    """Return the specs and files of games that begin so, for a shell's completion."""
    known = (*REGISTRY, *(EXAMPLE + name for name in example_names()))
    files = (path for path in glob(f"{escape(incomplete)}*") if Path(path).is_dir() or file_of(path))
    return [*(spec for spec in known if spec.startswith(incomplete)), *files]


Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        autocompletion=specs,
        help="A name, name(key=value,...), mymodule:MyGame or a .toml, .game, .efg or .txt path.",
    ),
]
Strategy = Annotated[
    Path, typer.Argument(metavar="STRATEGY", help="A strategy file, .csv, .json, .parquet or .npz.")
]
Missing = Annotated[
    str,
    typer.Option(metavar="|".join(MISSING), help="Infosets without rows: refused, or played uniformly."),
]
Abstraction = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Of a sampled blueprint: its card abstraction.")
]
Defender = Annotated[int, typer.Option(metavar="0|1", help="Whose strategy it is.")]
At = Annotated[
    list[str],
    typer.Option(metavar="BOARD:LINE|all", help="Where a subgame begins; may repeat."),
]
Blueprint = Annotated[
    str, typer.Option(metavar="uniform|nash|METHOD:N|FILE", help="The strategy to start from.")
]
Method = Annotated[
    str | None,
    typer.Option(
        metavar="|".join((LP, *METHODS, "MODULE:RULE")), help="Chosen by size unless given; why is said."
    ),
]
OnForm = Annotated[
    str | None,
    typer.Option("--form", metavar="|".join(FORMS), help="Where it runs: chosen by size unless given."),
]
Solver = Annotated[str, typer.Option(metavar="auto|simplex|ipm|hipo", help="How the program is solved.")]
Exact = Annotated[bool, typer.Option("--exact", help="Certify in rationals; with lp, the exact optimum.")]
Iterations = Annotated[int | None, typer.Option(help="For minimisers: how many; with a target, at most.")]
Target = Annotated[float | None, typer.Option(metavar="NASHCONV", help="Exit 1 unless this is proved.")]
Average = Annotated[
    str | None, typer.Option(metavar="|".join(AVERAGES), help="For minimisers: weights of plans.")
]
Alternating = Annotated[
    bool | None, typer.Option("--alternating/--simultaneous", help="For minimisers: the order of updates.")
]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="NAME=VALUE", help="An option of the method, see treeplex methods; may repeat."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the strategy: .csv, .json, .parquet; .npz on boards; - is stdout."
    ),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="|".join(strategies.SUFFIXES.values()), help=OF_OUT),
]
PictureOut = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw it as .png, .svg or .pdf, - is stdout; without it, as text."),
]
PictureFormat = Annotated[
    str | None, typer.Option("--format", metavar="|".join(PICTURES.values()), help=OF_OUT)
]
GiftScale = Annotated[float, typer.Option(help="For reach-: gifts times this; above 1 is not safe.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="For minimisers: keep the run in an .npz file and go on from it; what is over 100 MiB is said.",
    ),
]
