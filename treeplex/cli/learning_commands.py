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
    every: Annotated[int, typer.Option(help="A row of the books every so many iterations.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the books as .csv.")] = None,
    seed: Annotated[int, typer.Option(help="For mccfr-: of the random numbers.")] = 0,
    p: Annotated[
        float, typer.Option("--p", help="For mccfr-: how likely bounds are to fail by mere chance.")
    ] = measuring.UNLIKELY,
    as_json: AsJson = False,
) -> int:
    """Run a regret minimiser and measure its theory: exact regrets, the NashConv identity, bounds."""
    order = ORDERS[alternating]
    if out is not None:
        check_writable(out, traces.SUFFIXES, "books")
    found: measuring.Theory | measuring.SampledTheory
    with shown_progress() as tell:
        tell(f"keeping the books of {method}", float("inf"))
        if method in measuring.SAMPLED:
            if (average, order, out) != (None, None, None):
                raise ValueError(f"--average, --alternating and --out are not for the theory of {method}")
            found = measuring.sampled_theory(spec, method, iterations, seed=seed, p=p)
        else:
            found = measuring.theory(spec, method, iterations, average=average, order=order, every=every)
    if out is not None and isinstance(found, measuring.Theory):
        write_text(out, lambda file: file.write(found.ledger.csv()))
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
    traces.plot_traces(files, out)
    print(out)
    return SUCCESS
