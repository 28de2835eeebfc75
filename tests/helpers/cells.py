"""One test over many cells, which names every cell that fails and not only the first."""

import traceback

import pytest


def each(cells, check):
    """Call ``check(*cell)`` for each tuple, ``check(cell)`` for anything else; tell all that failed.

    Parameters
    ----------
    cells : iterable
        At least one.
    check : callable
        Raises what a test raises.
    """
    tried, failed = 0, []
    for cell in cells:
        tried += 1
        try:
            check(*cell) if isinstance(cell, tuple) else check(cell)
        except (Exception, pytest.fail.Exception) as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            failed.append(f"{cell!r}: {type(error).__name__}: {error} ({line.filename}:{line.lineno})")
    assert tried, "there is no cell"
    assert not failed, "\n".join([f"{len(failed)} of {tried} cells failed:", *failed])
