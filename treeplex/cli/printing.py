"""Printing of a command's output: a table, a path, or one JSON object."""

import json
import os
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

PLAIN_WIDTH = 100
"""Columns of a table that goes to a file or a pipe, unless COLUMNS says otherwise."""


def show(content: dict[str, Any] | Path | RenderableType) -> None:
    """Print an object as JSON, a path as it is, anything else as it renders."""
    if isinstance(content, dict | Path):
        print(json.dumps(content, allow_nan=False) if isinstance(content, dict) else content)
        return
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PLAIN_WIDTH
    console.print(content)
