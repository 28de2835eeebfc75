"""Printing of a command's output: a table, a path, or one JSON object."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console, Group, RenderableType
from rich.text import Text

from treeplex.core.loading import GameLike
from treeplex.core.strategy import Strategy
from treeplex.files import strategies
from treeplex.files.outputs import STANDARD_OUTPUT, Paths, check_apart, place_of
from treeplex.games.base.display import Block, Shown, shown_width
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import visible
from treeplex.process.standard_streams import printing

Content: TypeAlias = dict[str, Any] | Path | Shown | tuple[Block, ...] | RenderableType
"""What commands print: JSON, a path, a result or its parts, a picture."""
PLAIN_HEIGHT = 25
"""Lines of what goes to a file or a pipe."""


def check_out(
    out: Path | None,
    format: str | None,
    check: Callable[[Path, str | None], str],
    inputs: Paths,
    *,
    beside: Paths | None = None,
    as_json: bool = False,
) -> str | None:
    """Return the format of ``--out``, or refuse what could not be written, before any time is spent.

    Parameters
    ----------
    out, format : optional
    check : callable
        Returns the format of a path, or refuses it, for what is written.
    inputs : mapping
        Paths of what is read and is to stay, by what it is.
    beside : mapping, optional
        Paths of other outputs, by option.
    as_json : bool
        Whether an object is printed to standard output.

    Raises
    ------
    ValueError
        If one of the checks fails, or there is a format without a path.
    """
    if out is None and format is not None:
        raise BadInputError(f"format is of what --out writes, got {format!r} without it")
    chosen = None if out is None else check(out, format)
    _check_apart({"--out": out, **(beside or {})}, inputs, as_json)
    return chosen


def finish(
    content: Content, strategy: Strategy, out: Path | None, format: str | None, game: GameLike | None = None
) -> None:
    """Write a strategy and show what was found, which is shown even if the strategy cannot be written."""
    try:
        if out is not None:
            strategies.write(strategy, out, format, game)
    finally:
        show(content, out)


def _check_apart(outputs: Paths, inputs: Paths, as_json: bool) -> None:
    """Refuse outputs in one file, what is printed included, or in the file of an input.

    A table gives way to an output that goes to standard output; a JSON object, which was asked for, does not.
    """
    printed = "--json" if as_json else "standard output"
    gives_way = not as_json and any(map(_is_standard_output, outputs.values()))
    check_apart({**outputs, printed: None if gives_way else STANDARD_OUTPUT}, inputs)


def show(content: Content, *outputs: Path | None) -> None:
    """Print an object as JSON, a path as it is, a result as its tables, a picture as it renders.

    Nothing is printed where one of the command's outputs goes to standard output.
    """
    if not any(map(_is_standard_output, outputs)):
        with printing():
            sys.stdout.write(_text(content))


def _is_standard_output(path: str | Path | None) -> bool:
    return path is not None and place_of(path).is_standard_output


def _text(content: Content) -> str:
    if isinstance(content, dict):
        return json.dumps(content, allow_nan=False) + "\n"
    if isinstance(content, Path):
        return f"{visible(str(content))}\n"
    width = shown_width()
    console = Console(width=width, height=PLAIN_HEIGHT, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:  # rich would end the process where nobody reads
        # A word wider than the terminal, such as a number, stays whole: rich would crop the line.
        console.print(_rendered(content, width), crop=False)
    return captured.get()


def _rendered(content: Shown | tuple[Block, ...] | RenderableType, width: int) -> RenderableType:
    """Return what rich prints: the lines of a result with their styles, a picture as it is."""
    if isinstance(content, Shown):
        return Group(*_styled(content.blocks(), width))
    return Group(*_styled(content, width)) if isinstance(content, tuple) else content


def _styled(blocks: Iterable[Block], width: int) -> Iterator[Text]:
    for block in blocks:
        for line, style in block.lines(width):
            yield Text(line, f"table.{style}" if style else "", no_wrap=True, overflow="ignore")
