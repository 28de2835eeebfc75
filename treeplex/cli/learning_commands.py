"""Commands about regret minimisers: what theory says of runs, and pictures of their traces."""

from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import FAILED, SUCCESS, app
from treeplex.cli.options import ORDERS, Alternating, AsJson, Average, Spec
from treeplex.cli.progress import shown_progress
from treeplex.cli.showing import show
from treeplex.store import trace as traces
from treeplex.store.files import check_writable, write_text
from treeplex.tables.theory_table import theory_table
from treeplex.verification import theory as measuring


@app.command("theory")
def theory(
    spec: Spec,
    method: Annotated[str, typer.Option(metavar="|".join(measuring.METHODS), help="A regret minimiser.")],
    iterations: Annotated[int, typer.Option(help="How many.")],
    average: Average = None,
    alternating: Alternating = None,
    every: Annotated[
        int | None, typer.Option(help="A row of the regret log every so many iterations.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the regret log as .csv.")] = None,
    seed: Annotated[int | None, typer.Option(help="For mccfr-: of the random numbers.")] = None,
    p: Annotated[
        float | None, typer.Option("--p", help="For mccfr-: how likely bounds are to fail by mere chance.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run a regret minimiser and measure its theory: exact regrets, the NashConv identity, bounds."""
    if out is not None:
        check_writable(out, traces.SUFFIXES, "a regret log")
        if method in measuring.SAMPLED:
            raise ValueError(f"--out is not for the theory of {method}")
    with shown_progress() as tell:
        tell(f"logging the regrets of {method}", float("inf"))
        order = ORDERS[alternating]
        found = measuring.theory(
            spec, method, iterations, average=average, order=order, every=every, seed=seed, p=p
        )
    if out is not None and isinstance(found, measuring.Theory):
        log = found.log.csv()
        write_text(out, lambda file: file.write(log))
    show(found.as_json() if as_json else theory_table(found))
    return FAILED if found.broken else SUCCESS


@app.command("plot")
def plot(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Traces that solve --trace wrote.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The picture, .png, .svg or .pdf.")] = Path(
        "trace.png"
    ),
) -> int:
    """Draw the course of runs: NashConv against iterations, both logarithmic."""
    traces.plot(files, out)
    print(out)
    return SUCCESS
