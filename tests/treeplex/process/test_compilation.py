"""The clock that stands still while numba compiles, and who is told of it."""

import time

import numba
import pytest

from treeplex.cfr.local_rule import LocalRule
from treeplex.process.compilation import (
    COMPILING,
    compilation_told,
    compiling_seconds,
    working_seconds,
)


def compiled():
    """Compile two functions, one within the other, which nothing has run before."""

    @numba.njit
    def inner(x):
        return x + 1

    @numba.njit
    def outer(x):
        return inner(x) * 2

    return outer(1)


def test_the_clock_stands_still_while_kernels_are_compiled():
    compiled(), working_seconds()  # what numba does at its first compilation is no kernel's
    wall, clock, before = time.perf_counter(), working_seconds(), compiling_seconds()
    assert compiled() == 4
    passed, worked, took = time.perf_counter() - wall, working_seconds() - clock, compiling_seconds() - before
    assert took > 0
    assert passed == pytest.approx(worked + took, abs=0.01)
    assert worked < passed / 5


def test_the_clock_goes_on_where_nothing_is_compiled():
    wall, clock = time.perf_counter(), working_seconds()
    time.sleep(0.05)
    assert working_seconds() - clock == pytest.approx(time.perf_counter() - wall, abs=0.01)


def test_the_clock_stands_still_while_a_rule_is_compiled():
    def observe(memory, values, value, t, noise):
        memory.regret[0] += values[0] - value

    def strategy(memory, play):
        play[0] = memory.regret[0]

    rule = LocalRule(numba.njit(observe), numba.njit(strategy), ("regret",))
    working_seconds()
    wall, clock = time.perf_counter(), working_seconds()
    assert len(rule.compiled) == 2
    assert working_seconds() - clock < (time.perf_counter() - wall) / 5


def test_each_compilation_is_told_once_to_the_innermost_block():
    outer, inner = [], []
    with compilation_told(outer.append):
        with compilation_told(inner.append):
            compiled()
        compiled()
    compiled()
    assert (outer, inner) == ([COMPILING], [COMPILING])


def test_a_report_that_raises_does_not_stop_a_compilation():
    def stop(text):
        raise KeyboardInterrupt

    with compilation_told(stop):
        assert compiled() == 4
    before = compiling_seconds()
    time.sleep(0.01)
    assert compiling_seconds() == before
