"""The command serve: pages of solutions for a browser on this machine."""

import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from treeplex.cli.app import SUCCESS, app
from treeplex.cli.options import Abstraction, Missing, specs
from treeplex.cli.progress import shown_progress
from treeplex.games.base.errors import BadInputError
from treeplex.play.acpc_lines import listen
from treeplex.process.interruption import current
from treeplex.process.standard_streams import printing

NEEDED = ("starlette", "uvicorn", "jinja2")
"""Packages of the extra ``browser``."""


@app.command("serve")
def serve(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            autocompletion=specs,
            help="A SPEC, solved if it is small; SPEC=FILE, a strategy file; the folder of a split run; "
            "JSON of verify, examine or challenge; or the CSV of a trace.",
        ),
    ],
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The strategy file of the one SPEC there is.")
    ] = None,
    missing: Missing = "error",
    abstraction: Abstraction = None,
    port: Annotated[int, typer.Option(help="Where is listened; 0 takes any that is free.")] = 0,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The default is reached from this machine alone.")
    ] = "127.0.0.1",
) -> int:
    """Serve solutions, and what is proved of them, as pages for a browser; prints the address."""
    if any(find_spec(package) is None for package in NEEDED):
        needed = " and ".join((", ".join(NEEDED[:-1]), NEEDED[-1]))
        raise BadInputError(f"serve needs {needed}: pip install 'treeplex[browser]'")
    from treeplex.browser.pages import application
    from treeplex.browser.reports import is_report, reports_of
    from treeplex.browser.serving import is_loopback, run_server
    from treeplex.browser.solutions import solutions_of

    stream = sys.stdout

    def tell(address: str) -> None:
        with redirect_stdout(stream), printing():
            stream.write(f"{address}\n")

    with listen(host, port) as listener:  # before anything is solved: a bad port is known at once
        with shown_progress() as progress:
            files = [source for source in sources if is_report(source)]
            reports = reports_of(files)
            solutions = solutions_of(
                [source for source in sources if source not in files],
                strategy=strategy,
                missing=missing,
                abstraction=abstraction,
                progress=progress,
                has_others=bool(files),
            )
        pages = application(solutions, reports, is_local=is_loopback(host))
        with redirect_stdout(sys.stderr):  # what users' code prints
            run_server(pages, listener, tell, current())
    return SUCCESS
