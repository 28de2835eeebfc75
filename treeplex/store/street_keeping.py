"""What keeps a run on betting times boards: the tables that are written are those of the iterations done."""

from dataclasses import replace

from treeplex.cfr.factored.cfr import FactoredMinimiser
from treeplex.store.checkpoint import Keeper, Position


class LiveKeeper:
    """Keeps the position of a minimiser whose tables change when it goes on.

    A run may be stopped between two positions: what is kept in the end is where the minimiser stands then,
    for the tables of the last position are no longer what they were.

    Parameters
    ----------
    keeper : Keeper
        Where positions go.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._minimiser: FactoredMinimiser | None = None
        self._last: Position | None = None
        self._seconds = 0.0

    def follow(self, minimiser: FactoredMinimiser) -> None:
        """Say whose tables are kept."""
        self._minimiser = minimiser

    def found(self, start: Position) -> Position:
        """Return where an earlier run stopped, or ``start``."""
        self._last = self._keeper.found(start)
        return self._last

    def keep(self, position: Position) -> None:
        """Take note of a position."""
        self._last = position
        if self._minimiser is not None:
            self._seconds = self._minimiser.seconds
        self._keeper.keep(position)

    def close(self) -> None:
        """Make sure that the minimiser is kept as it stands."""
        last, one = self._last, self._minimiser
        if last is not None and one is not None and one.iterations != last.state.iterations:
            seconds = last.seconds + one.seconds - self._seconds
            self._keeper.keep(replace(last, state=one.state, seconds=seconds))
        self._keeper.close()
