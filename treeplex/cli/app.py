"""The Typer application: name, help, version, exit codes."""

from typing import Annotated

import typer

from treeplex import __version__

SUCCESS, FAILED = 0, 1
"""Exit codes: all well; a check failed."""

app = typer.Typer(
    name="treeplex",
    help="Solve two-player zero-sum games of imperfect information exactly, and prove it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(requested: bool) -> None:
    if requested:
        print(f"treeplex {__version__}")
        raise typer.Exit


@app.callback()
def _treeplex(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Solve two-player zero-sum games of imperfect information exactly, and prove it."""
