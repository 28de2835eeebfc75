"""A map of buckets as terminal text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from treeplex.pictures.bucket_grid import BucketGrid
from treeplex.pictures.hand_text import NARROWEST, cell_lines, letters_each, on_colour, text_lines


@dataclass(frozen=True)
class BucketText:
    """A grid as rich prints it: the class, and below it its bucket on the colours of all that it has.

    Attributes
    ----------
    grid : BucketGrid
    title, legend : tuple of str
        Lines above and below.
    """

    grid: BucketGrid
    title: tuple[str, ...]
    legend: tuple[str, ...]

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Print as many columns side by side as the console is wide."""
        yield from text_lines((*self.title, ""), options.max_width)
        yield from cell_lines(self, self.grid.shape, options.max_width)
        yield from text_lines(("", *self.legend), options.max_width)

    def narrowest(self) -> int:
        """Return how wide cells must be for all texts to stay whole."""
        n_rows, n_columns = self.grid.shape
        texts = (self.grid.text(row, column) for row in range(n_rows) for column in range(n_columns))
        return max(NARROWEST, *map(len, texts))

    def head(self, row: int, column: int, width: int) -> Text:
        """Return the class, or a dot where the board leaves none of its hands."""
        if not self.grid.text(row, column):
            return Text("·".ljust(width), Style(dim=True))
        return Text(self.grid.labels[row][column].ljust(width))

    def body(self, row: int, column: int, width: int) -> Text:
        """Return the class's bucket on the colours of its buckets."""
        text = Text(self.grid.text(row, column).ljust(width))
        if not text.plain.strip():
            return text
        parts = self.grid.split(row, column)
        start = 0
        for (_, colour), n in zip(
            parts, letters_each(np.array([share for share, _ in parts]), width), strict=True
        ):
            text.stylize(on_colour(colour), start, start + n)
            start += n
        return text
