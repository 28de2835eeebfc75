"""The Typer application: name, help, version, exit codes, and which module has which commands."""

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperGroup

from treeplex import __version__
from treeplex.games.base.errors import BadInputError

SUCCESS, FAILED = 0, 1
"""Exit codes: all well; a check failed."""
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Solve": ("solve", "race", "methods", "theory"),
        "Judge": ("check", "crosscheck", "match", "play", "acpc", "verify", "examine", "challenge"),
        "Subgames": ("gadget", "depth-limited", "answer", "improve"),
        "Look": ("show", "serve", "draw", "plot"),
        "Games and files": ("games", "abstract", "export", "store"),
        "Papers": ("reproduce", "reference"),
    }
)
"""The commands in the groups in which --help lists them."""
COMMANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "games": ("games", "abstract", "export", "reference"),
        "solve": ("solve", "race", "methods"),
        "verification": ("check", "crosscheck", "theory", "store"),
        "pictures": ("show", "draw", "plot"),
        "subgames": ("gadget", "depth-limited"),
        "answers": ("answer",),
        "play": ("match", "play"),
        "improve": ("improve",),
        "acpc": ("acpc",),
        "serve": ("serve",),
        "bench": ("verify", "challenge", "examine", "reproduce"),
    }
)
"""The commands of each module, which alone is imported for them."""
COMPLETE = "_TREEPLEX_COMPLETE"
"""Set in the environment where a shell asks how a line may go on, with the line in ``COMP_WORDS``."""


class PathsTold(TyperGroup):
    """A command with commands; empty texts are no paths in them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called and its words; an empty path would be the working directory."""
        name, command, words = super().resolve_command(ctx, args)
        kinds = get_type_hints(getattr(command, "callback", None) or _treeplex)
        paths = {name for name, kind in kinds.items() if Path in (kind, *get_args(kind))}
        if command is not None and paths and not ctx.resilient_parsing:
            of_command = command.context_class(command, info_name=name, parent=ctx)
            typed, _, order = command.make_parser(of_command).parse_args([*words])
            for one in order:
                if one.name in paths and "" in _listed(typed[one.name]):
                    what = one.opts[0] if one.param_type_name == "option" else one.metavar
                    raise BadInputError(f"{what} must be a path, got ''")
        return name, command, words


class Grouped(PathsTold):
    """The command itself, whose help lists its commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section a group."""
        longest = max(len(name) for name in self.commands)
        for title, names in GROUPS.items():
            with formatter.section(title):
                rows = [
                    (
                        name.ljust(longest),
                        self.commands[name].get_short_help_str(formatter.width - longest - 6),
                    )
                    for name in names
                    if name in self.commands
                ]
                formatter.write_dl(rows)


def _listed(typed: Any) -> Sequence[object]:
    """Return what was typed for an option or an argument as a sequence, of one unless it may repeat."""
    return typed if isinstance(typed, list | tuple) else (typed,)


app = typer.Typer(
    name="treeplex",
    cls=Grouped,
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
    order = [name for names in GROUPS.values() for name in names]
    app.registered_commands.sort(key=lambda command: order.index(str(command.name)))
