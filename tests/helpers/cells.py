"""One test over many cells, which names every cell that fails and not only the first."""

import traceback
from functools import wraps
from inspect import signature
from itertools import chain, count, product

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
            check(*_spread(cell))
        except (Exception, pytest.fail.Exception) as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            told = ", ".join(map(_told, _spread(cell)))
            failed.append(f"{told}: {type(error).__name__}: {error} ({line.filename}:{line.lineno})")
    assert tried, "there is no cell"
    assert not failed, "\n".join([f"{len(failed)} of {tried} cells failed:", *failed])


def over(*axes):
    """Decorate a test: it checks each combination of the axes, which are its first parameters after ``self``.

    An axis holds values, or tuples of values of several parameters. What parameters are left are fixtures, or
    drawn. All combinations are tried in one test, which names those that failed, as `each` does. Each has a
    folder of its own as ``tmp_path``, and what it patches with ``monkeypatch`` is undone before the next.

    Parameters
    ----------
    *axes : iterable
        Each with at least one value.
    """

    def decorate(test):
        cells = [tuple(chain.from_iterable(map(_spread, cell))) for cell in product(*axes)]
        parameters = list(signature(test).parameters.values())
        numbers = count()

        @wraps(test)
        def over_all(*instance, **fixtures):
            def check(*cell):
                own = {**fixtures}
                if "tmp_path" in own:
                    own["tmp_path"] /= f"cell{next(numbers)}"
                    own["tmp_path"].mkdir()
                with pytest.MonkeyPatch.context() as patches:
                    if "monkeypatch" in own:
                        own["monkeypatch"] = patches
                    test(*instance, *cell, **own)

            each(cells, check)

        first = int(parameters[0].name == "self")
        if cells:
            del parameters[first : first + len(cells[0])]
        over_all.__signature__ = signature(test).replace(parameters=parameters)
        return over_all

    return decorate


def kept(make):
    """Return the function, whose result is kept for each object it was called with: games have no hash."""
    results = {}

    @wraps(make)
    def get(thing, *more):
        key = id(thing), *more
        if key not in results:
            results[key] = thing, make(thing, *more)
        return results[key][1]

    return get


def _spread(value):
    return value if type(value) is tuple else (value,)


def _told(value):
    """Return what a value is called: games and functions have names."""
    return str(getattr(value, "__name__", getattr(value, "name", repr(value))))[:80]
