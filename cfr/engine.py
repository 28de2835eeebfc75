"""The protocol of iterative engines: prepared for a game and a config, they take a state to a later state."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Generic, Protocol, TypeVar


class State(Protocol):
    """Everything that a later iteration depends on; going on from it equals never having stopped.

    A frozen dataclass or named tuple of arrays, integers and floats, nested as one likes.
    """

    @property
    def iterations(self) -> int:
        """How many are done."""


S = TypeVar("S", bound=State)
"""An engine's state."""
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
"""What strategies are: a profile, arrays by node, tables on boards, a table of infosets."""
U = TypeVar("U")
M = TypeVar("M")


class Engine(Protocol[S, T_co]):
    """An iterative method made ready for a game: ``prepare(form, config)`` of its module returns it.

    The same form and config give the same bits, however iterations are split over calls.
    """

    @property
    def config(self) -> object:
        """The parameters that identify the run: a frozen dataclass whose ``repr`` says all of them."""

    def start(self) -> S:
        """Return the state before the first iteration."""

    def advance(self, state: S, iterations: int) -> S:
        """Return the state after some more iterations.

        Engines that say so overwrite the arrays of ``state``, so that callers go on with what is returned.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or the state's arrays are of another game.
        """

    def strategy(self, state: S) -> T_co:
        """Return the average strategy."""


@dataclass(frozen=True)
class PairState(Generic[M]):
    """The state of engines that differ only in what a player's local minimisers remember.

    Attributes
    ----------
    iterations : int
        Done so far.
    memories : pair of M
    """

    iterations: int
    memories: tuple[M, M]


@dataclass(frozen=True)
class Mapped(Generic[S, T, U]):
    """An engine whose strategies are those of another, carried over to another form of the game.

    Attributes
    ----------
    engine : Engine
    carry : callable
        From a strategy of ``engine`` to one on the other form.
    """

    engine: Engine[S, T]
    carry: Callable[[T], U]

    @property
    def config(self) -> object:
        """That of the engine."""
        return self.engine.config

    def start(self) -> S:
        """Return the engine's first state."""
        return self.engine.start()

    def advance(self, state: S, iterations: int) -> S:
        """Let the engine advance."""
        return self.engine.advance(state, iterations)

    def strategy(self, state: S) -> U:
        """Return the engine's strategy on the other form."""
        return self.carry(self.engine.strategy(state))


class ExhaustedError(ValueError, Generic[S]):
    """An engine has come to a limit before the last iteration asked for.

    Attributes
    ----------
    state : State
        What was done, to be read or gone on from.
    status : str
        The limit, as a run's status.
    """

    def __init__(self, message: str, state: S, status: str) -> None:
        super().__init__(message)
        self.state, self.status = state, status


def iterate(engine: Engine[S, T], iterations: int, state: S | None = None) -> S:
    """Return an engine's state after some iterations from the start, or from a state."""
    return engine.advance(engine.start() if state is None else state, iterations)


def average(engine: Engine[S, T], iterations: int) -> T:
    """Return an engine's average strategy after some iterations from the start."""
    return engine.strategy(iterate(engine, iterations))


def check_iterations(iterations: int) -> None:
    """Refuse a number of iterations that is not positive; raises ``ValueError``."""
    if index(iterations) < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")


def check_done(state: State) -> None:
    """Refuse a state of fewer than no iterations; raises ``ValueError``."""
    if state.iterations < 0:
        raise ValueError(f"a state's iterations must not be negative, got {state.iterations}")


def check_seed(seed: int) -> None:
    """Refuse seeds that are no 64-bit words; raises ``ValueError``."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be between 0 and 2**64 - 1, got {seed}")
