"""The Typer application: name, help, version, exit codes, and which module has which commands."""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Annotated

import typer

from treeplex import __version__

SUCCESS, FAILED = 0, 1
"""Exit codes: all well; a check failed."""
COMMANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "games": ("games", "size", "abstract", "export", "reference"),
        "solve": ("solve", "methods"),
        "verification": ("check", "crosscheck", "theory", "store"),
        "pictures": ("show", "draw", "plot"),
        "subgames": ("gadget", "depth-limited"),
        "off_tree": ("nested", "translate", "answer"),
        "bench": ("verify", "challenge", "examine", "reproduce"),
    }
)
"""The commands of each module, in the order in which --help lists them."""
COMPLETE = "_TREEPLEX_COMPLETE"
"""Set in the environment where a shell asks how a line may go on, with the line in ``COMP_WORDS``."""

app = typer.Typer(
    name="treeplex",
    help="Solve two-player zero-sum games of imperfect information exactly, and prove it.",
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


def register(arguments: Sequence[str]) -> None:
    """Import the module of the command that is called, which registers it; all where none is named."""
    words = os.environ.get("COMP_WORDS", "").split()[1:] if COMPLETE in os.environ else arguments
    called = next((word for word in words if not word.startswith("-")), "")
    for module in [module for module, names in COMMANDS.items() if called in names] or COMMANDS:
        import_module(f"treeplex.cli.{module}")
    order = [name for names in COMMANDS.values() for name in names]
    app.registered_commands.sort(key=lambda command: order.index(str(command.name)))
