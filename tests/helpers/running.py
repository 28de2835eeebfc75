"""An engine run for some iterations: the state and the average together."""

from typing import Any, NamedTuple

from treeplex.cfr.engine import iterate


class Ran(NamedTuple):
    """What an engine has come to."""

    state: Any
    average: Any


def ran(engine, iterations, state=None):
    """Return the state and the average after some more iterations."""
    after = iterate(engine, iterations, state)
    return Ran(after, engine.strategy(after))


def gains_after(engine, iterations):
    """Return what an engine's average guarantees and is worth after some iterations."""
    return engine.gains(iterate(engine, iterations))
