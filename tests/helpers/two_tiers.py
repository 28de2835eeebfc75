"""Tests of two tiers: some cells by default, others, which take longer, in a slow test of the same name."""

from functools import wraps
from inspect import Parameter, signature

import pytest

from tests.helpers.cells import over


def two_tiers(some, others, *axes, seconds):
    """Decorate a test of one cell: it becomes one of some cells and one of others, as `over` makes them.

    Parameters
    ----------
    some, others : iterable
        Values of the first parameter, or tuples of values of the first ones.
    *axes : iterable
        What either test combines its cells with, as in `over`.
    seconds : (float, float)
        What either test declares, CPU seconds.
    """

    def decorate(test):
        tests = {"some": over(some, *axes)(test), "others": over(others, *axes)(test)}
        marked = zip(tests, map(pytest.mark.seconds, seconds), strict=True)

        @pytest.mark.parametrize("tier", [pytest.param(tier, marks=mark) for tier, mark in marked])
        @wraps(test)
        def of_tier(tier, **fixtures):
            tests[tier](**fixtures)

        left = signature(tests["some"]).parameters.values()
        first = Parameter("tier", Parameter.POSITIONAL_OR_KEYWORD)
        of_tier.__signature__ = signature(test).replace(parameters=[first, *left])
        return of_tier

    return decorate
