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
            check(*cell) if isinstance(cell, tuple) else check(cell)
        except (Exception, pytest.fail.Exception) as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            failed.append(f"{cell!r}: {type(error).__name__}: {error} ({line.filename}:{line.lineno})")
    assert tried, "there is no cell"
    assert not failed, "\n".join([f"{len(failed)} of {tried} cells failed:", *failed])


def over(*axes):
    """Decorate a test: it checks each combination of the axes, which are its first parameters after ``self``.

    An axis holds values, or tuples of values of several parameters. What parameters are left are fixtures, or
    drawn. All combinations are tried in one test, which names those that failed, as `each` does.

    Parameters
    ----------
    *axes : iterable
        Each with at least one value.
    """

    def decorate(test):
        cells = [tuple(chain.from_iterable(map(_spread, cell))) for cell in product(*axes)]
        parameters = list(signature(test).parameters.values())

        @wraps(test)
        def over_all(*instance, **fixtures):
            each(cells, lambda *cell: test(*instance, *cell, **fixtures))

        first = int(parameters[0].name == "self")
        if cells:
            del parameters[first : first + len(cells[0])]
        over_all.__signature__ = signature(test).replace(parameters=parameters)
        return over_all

    return decorate


def _spread(value):
    return value if type(value) is tuple else (value,)


def over_afresh(*axes):
    """Decorate as `over` does; each cell has a folder of its own as ``tmp_path``, and its patches are undone.

    Parameters
    ----------
    *axes : iterable
        As of `over`.
    """

    def decorate(test):
        numbers = count()

        @wraps(test)
        def afresh(*arguments, **fixtures):
            if "tmp_path" in fixtures:
                fixtures["tmp_path"] = fixtures["tmp_path"] / f"cell{next(numbers)}"
                fixtures["tmp_path"].mkdir()
            if patches := fixtures.pop("monkeypatch", None):
                with patches.context() as inner:
                    test(*arguments, **fixtures, monkeypatch=inner)
            else:
                test(*arguments, **fixtures)

        return over(*axes)(afresh)

    return decorate
