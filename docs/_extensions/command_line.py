"""The page of all commands and options, written by Typer from the command line when the site is built."""

import re
import subprocess
import sys

from sphinx.application import Sphinx

PAGE = "docs/reference/commands"


def commands() -> str:
    """Return what the help of each command says, as Markdown without its title and its list of commands."""
    call = [sys.executable, "-m", "typer", "treeplex.cli.main", "utils", "docs", "--name", "treeplex"]
    written = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    return re.sub(r"\*\*Commands\*\*:\n\n(\* .*\n)+", "", written.split("\n", 1)[1])


def add_commands(_: Sphinx, docname: str, source: list[str]) -> None:
    """Append the commands to the text of their page."""
    if docname == PAGE:
        source[0] += commands()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the page."""
    app.connect("source-read", add_commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
