"""Results that print themselves: as text, as one line, and as HTML in notebooks."""

import os
import sys
from abc import ABC, abstractmethod

from treeplex.games.display.blocks import Block, Line
from treeplex.games.inputs.reading import shortened

PLAIN_WIDTH = 100
"""Columns of what goes to a file, a pipe or a notebook, unless COLUMNS says otherwise."""
LONGEST = 90
"""Most characters between the parentheses of ``repr``."""
MOST_DIGITS = 5
"""Of a width that COLUMNS gives."""


class Shown(ABC):
    """Base of results: ``print`` shows the command line's table, a notebook the same in HTML."""

    @abstractmethod
    def brief(self) -> str:
        """Return what is most worth knowing in a few words, for ``repr``."""

    def blocks(self) -> tuple[Block, ...]:
        """Return the lines and tables that are shown, from top to bottom; the brief text by default."""
        return (Line(self.brief()),)

    def __str__(self) -> str:
        width = shown_width()
        return "\n".join(line for block in self.blocks() for line, _ in block.lines(width))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shortened(' '.join(self.brief().split()), LONGEST)})"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{"".join(block.html() for block in self.blocks())}</div>'


def shown_width() -> int:
    """Return the width that is printed to: that of COLUMNS, of the terminal, or 100."""
    return _asked_width(os.environ.get("COLUMNS", "")) or _terminal_width() or PLAIN_WIDTH


def _asked_width(columns: str) -> int:
    """Return the width that COLUMNS gives, 0 where it is no integer of at least 1."""
    return int(columns) if columns.isascii() and columns.isdigit() and len(columns) <= MOST_DIGITS else 0


def _terminal_width() -> int:
    """Return the width of the terminal on standard output, 0 where there is none."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, OSError, ValueError):
        return 0
