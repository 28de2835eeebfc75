"""The page of all commands and options, written by Typer from the command line when the site is built."""

import subprocess
import sys

from sphinx.application import Sphinx

PAGE = "docs/reference/commands"


def commands() -> str:
    """Return what ``treeplex --help`` and the help of each command say, as Markdown without its title."""
    call = [sys.executable, "-m", "typer", "treeplex.cli.main", "utils", "docs", "--name", "treeplex"]
    written = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    return written.split("\n", 1)[1]


def add_commands(_: Sphinx, docname: str, source: list[str]) -> None:
    """Append the commands to the text of their page."""
    if docname == PAGE:
        source[0] += commands()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the page."""
    app.connect("source-read", add_commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
