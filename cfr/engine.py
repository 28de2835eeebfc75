"""The protocol of iterative engines: ``prepare``, then ``start``, ``check``, ``advance`` and ``strategy``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import index
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError


class State(Protocol):
    """The state of an engine between iterations; a run continued from it is bitwise that of an unbroken run.

    A frozen dataclass or named tuple of arrays, integers and floats, possibly nested. The arrays of a field
    have the same shape in every state, unless it was declared as ``field(metadata=GROWING)``.
    """

    @property
    def iterations(self) -> int:
        """Number of iterations done."""


GROWING: Mapping[str, bool] = MappingProxyType({"grows": True})
"""Metadata of fields whose arrays become longer during a run."""
PACKED: Mapping[str, bool] = MappingProxyType({"packed": True})
"""Metadata of fields worth compressing when a state is written: an array of integers, many of them 0; of
fields that hold more than an array, those of int32 are."""
S = TypeVar("S", bound=State)
"""Type of an engine's state."""
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
"""Type of an engine's strategies: a profile, arrays by node, arrays by board, a hash table of infosets."""
U = TypeVar("U")
M = TypeVar("M")


class Engine(Protocol[S, T_co]):
    """An iterative method prepared for a game; ``prepare(form, config)`` of its module returns it.

    The same form and config give the same bits, however iterations are split over calls.
    """

    @property
    def config(self) -> object:
        """The parameters that identify the run: a frozen dataclass with all of them in its ``repr``."""

    def start(self) -> S:
        """Return the state before the first iteration."""

    def check(self, state: S) -> None:
        """Refuse a state from a damaged file: afterwards it can be continued, whatever its numbers are.

        Raises
        ------
        ValueError
            If an array is of another game, a number is out of its range, or they contradict each other; the
            message names it. What no range tells apart, such as another finite regret, is not noticed.
        """

    def advance(self, state: S, iterations: int) -> S:
        """Return the state after some more iterations.

        Some engines overwrite the arrays of ``state``; their docs say so.

        Raises
        ------
        ValueError
            If ``iterations`` is not positive, or the state's arrays are of another game.
        """

    def strategy(self, state: S) -> T_co:
        """Return the average strategy."""


@dataclass(frozen=True, repr=False)
class PairState(Generic[M], Shown):
    """A state that consists of the memory of each player's local minimisers.

    Attributes
    ----------
    iterations : int
        Number of iterations done.
    memories : pair of M
    """

    iterations: int
    memories: tuple[M, M]

    def brief(self) -> str:
        """Return the number of iterations."""
        return f"{self.iterations:,} iterations"


@dataclass(frozen=True)
class Mapped(Generic[S, T, U]):
    """An engine whose strategies are mapped to another form of the game.

    Attributes
    ----------
    engine : Engine
    carry : callable
        Maps a strategy of ``engine`` to one on the other form.
    """

    engine: Engine[S, T]
    carry: Callable[[T], U]

    @property
    def config(self) -> object:
        """The engine's config."""
        return self.engine.config

    def start(self) -> S:
        """Return the engine's first state."""
        return self.engine.start()

    def check(self, state: S) -> None:
        """Refuse a state as the engine does."""
        self.engine.check(state)

    def advance(self, state: S, iterations: int) -> S:
        """Return the engine's state after some more iterations."""
        return self.engine.advance(state, iterations)

    def strategy(self, state: S) -> U:
        """Return the engine's strategy on the other form."""
        return self.carry(self.engine.strategy(state))


class ExhaustedError(BadInputError, Generic[S]):
    """Raised when an engine reaches a limit before the last iteration requested.

    Attributes
    ----------
    state : State
        The state at the limit; its strategy can be read and the run continued.
    status : str
        The limit, as the status of a result.
    """

    def __init__(self, message: str, state: S, status: str) -> None:
        super().__init__(message)
        self.state, self.status = state, status


def iterate(engine: Engine[S, T], iterations: int, state: S | None = None) -> S:
    """Return an engine's state after some iterations, from the start unless a state is given."""
    return engine.advance(engine.start() if state is None else state, iterations)


def average(engine: Engine[S, T], iterations: int) -> T:
    """Return an engine's average strategy after some iterations from the start."""
    return engine.strategy(iterate(engine, iterations))


def check_iterations(iterations: int) -> None:
    """Raise ``ValueError`` unless a number of iterations is positive."""
    if index(iterations) < 1:
        raise BadInputError(f"iterations must be at least 1, got {iterations}")


def check_done(state: State) -> None:
    """Raise ``ValueError`` if a state's number of iterations is negative."""
    if state.iterations < 0:
        raise BadInputError(f"a state's iterations must not be negative, got {state.iterations}")


def check_seed(seed: int) -> None:
    """Raise ``ValueError`` unless a seed is in [0, 2**64)."""
    if not 0 <= seed < 1 << 64:
        raise BadInputError(f"seed must be between 0 and 2**64 - 1, got {seed}")
