"""Tests over grids of cells, written like parametrised ones."""

from functools import wraps
from inspect import signature

from tests.helpers.cells import each


def grid(names, cells):
    """Return a decorator that makes a test of one cell a test over all of them, which tells all that failed.

    Written like ``pytest.mark.parametrize``, stacked too, on functions and methods; the other arguments stay
    fixtures. What a cell patches is undone before the next.

    Parameters
    ----------
    names : str
        Names of the arguments that a cell holds, parted by commas: of a single one the cell is the argument.
    cells : iterable
        Read when the test is made.
    """
    names, cells = [name.strip() for name in names.split(",")], [*cells]

    def made(test):
        @wraps(test)
        def over_all(*instance, **fixtures):
            def check(cell):
                if patch := fixtures.get("monkeypatch"):
                    with patch.context() as inner:
                        test(*instance, **{**fixtures, **cell.given, "monkeypatch": inner})
                else:
                    test(*instance, **fixtures, **cell.given)

            each([_Cell(names, cell) for cell in cells], check)

        left = [one for name, one in signature(test).parameters.items() if name not in names]
        over_all.__signature__ = signature(test).replace(parameters=left)
        return over_all

    return made


class _Cell:
    """The arguments of one cell, told by their names: games and functions by their own."""

    def __init__(self, names, values):
        self.given = dict(zip(names, values if len(names) > 1 else (values,), strict=True))

    def __repr__(self):
        called = ((n, getattr(v, "__name__", getattr(v, "name", repr(v)))) for n, v in self.given.items())
        return ", ".join(f"{name}={str(what)[:80]}" for name, what in called)


def kept(make):
    """Return the function, whose result is kept for each object it was called with: games have no hash."""
    results = {}

    @wraps(make)
    def get(thing):
        if id(thing) not in results:
            results[id(thing)] = thing, make(thing)
        return results[id(thing)][1]

    return get
