"""Printing of a command's output: a table, a path, or one JSON object."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

PLAIN_WIDTH, PLAIN_HEIGHT = 100, 25
"""Size of what goes to a file or a pipe, unless COLUMNS says otherwise."""
MOST_DIGITS = 5
"""Of a width that COLUMNS gives."""


def show(content: dict[str, Any] | Path | RenderableType) -> None:
    """Print an object as JSON, a path as it is, anything else as it renders."""
    if isinstance(content, dict | Path):
        print(json.dumps(content, allow_nan=False) if isinstance(content, dict) else content)
        return
    width = _asked_width(os.environ.get("COLUMNS", "")) or _terminal_width() or PLAIN_WIDTH
    console = Console(width=width, height=PLAIN_HEIGHT, markup=False, highlight=False, emoji=False)
    # A word wider than the terminal, such as a number, stays whole: rich would crop the line.
    console.print(content, crop=False)


def _asked_width(columns: str) -> int:
    """Return the width that COLUMNS gives, 0 where it is no integer of at least 1."""
    return int(columns) if columns.isascii() and columns.isdigit() and len(columns) <= MOST_DIGITS else 0


def _terminal_width() -> int:
    """Return the width of the terminal on standard output, 0 where there is none."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 0
