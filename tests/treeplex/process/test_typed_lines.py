"""Lines from pipes, files and texts in memory; a wait for a line ends when a stop is asked for."""

import io
import os
from threading import Timer

import pytest

from tests.helpers.cells import over
from treeplex.process.interruption import Interruption, heed
from treeplex.process.typed_lines import MOST_READ, TypedLines


def from_pipe(content: bytes) -> list[str]:
    """Return the lines of what comes out of a pipe."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    with open(reading, encoding="utf-8") as stream:
        return [*iter(TypedLines(stream).read, None)]


@over(
    [
        (b"", []),
        (b"c\nq\n", ["c", "q"]),
        (b"c\r\n\nq", ["c", "", "q"]),
        (b"\xff\n", ["\ufffd"]),
    ]
)
def test_lines(content, lines) -> None:
    assert from_pipe(content) == lines
    memory = io.StringIO(content.decode("utf-8", "replace"))
    assert [*iter(TypedLines(memory).read, None)] == lines


def test_a_line_without_an_end_comes_in_pieces(tmp_path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"x" * (2 * MOST_READ + 1))
    with path.open(encoding="utf-8") as stream:
        assert {*iter(TypedLines(stream).read, None)} <= {"x" * MOST_READ, "x"}


def test_a_stop_ends_the_wait() -> None:
    reading, writing = os.pipe()
    interruption = Interruption()
    heed(interruption)
    timer = Timer(0.1, interruption.request)
    timer.start()
    try:
        with open(reading, encoding="utf-8") as stream, pytest.raises(KeyboardInterrupt):
            TypedLines(stream).read()
    finally:
        timer.join()
        os.close(writing)
        heed(Interruption())
