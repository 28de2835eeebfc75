"""Watch over a walk through a game: how far it has come, and the memory that it takes."""

from collections.abc import Iterator, Sequence
from itertools import islice
from sys import getsizeof

from treeplex.games.reporting import Report, Ticker
from treeplex.seqform.trees.memory import GIB, resident_memory

BYTES_PER_HISTORY = 90
"""Memory of a history in the columns of a tree and of its sequence form, without its keys."""
BYTES_PER_KEY = 120
"""Memory of a key beside its text: places in a dictionary and in a tuple."""
BYTES_PER_OUTCOME = 70
"""Memory of an outcome of a chance node with its label."""
BYTES_PER_PENDING = 300
"""Memory of a history that is still to be visited, with a small state."""


class TooManyHistoriesError(ValueError):
    """A game has more histories than the walk was allowed to enumerate."""


class WalkWatch:
    """Reports how many histories were visited, and stops a walk that takes too much memory.

    The memory is estimated from what the tree and its sequence form will take, or measured where the system
    tells, whichever is more: a game may have large states and caches of its own.

    Parameters
    ----------
    name : str
        The game's.
    most : int
        The limit on histories, which is reported.
    memory : int
        The limit on bytes.
    keys : sequence of dict
        All keys so far, which grow.
    outcomes : dict of int to tuple of str
        The labels at each chance node so far, which grows.
    report : callable
    """

    def __init__(
        self,
        name: str,
        most: int,
        memory: int,
        keys: Sequence[dict[str, int]],
        outcomes: dict[int, tuple[str, ...]],
        report: Report,
    ) -> None:
        self._name, self._most, self._memory = name, most, memory
        self._keys, self._outcomes = keys, outcomes
        self._ticker = Ticker(report)
        self._known, self._nodes = [0] * len(keys), 0
        self._of_texts = 0
        self._others = resident_memory()

    def look(self, visited: int, pending: int) -> int:
        """Report, and return after how many histories to look again.

        Raises
        ------
        TooManyHistoriesError
            If the memory is more than the limit.
        """
        bytes_taken = max(self._estimate(visited, pending), resident_memory() - self._others)
        if bytes_taken > self._memory:
            raise TooManyHistoriesError(
                f"{self._name}: {visited:,} histories so far, of at most {self._most:,}, take "
                f"{bytes_taken / GIB:,.3g} GiB, more than {self._memory / GIB:,.3g} GiB"
            )
        return self._ticker.tell(visited, f"{self._name}: {visited:,} histories so far, limit {self._most:,}")

    def _estimate(self, visited: int, pending: int) -> int:
        self._of_texts += sum(self._of_new_keys()) + sum(self._of_new_outcomes())
        return visited * BYTES_PER_HISTORY + pending * BYTES_PER_PENDING + self._of_texts

    def _of_new_keys(self) -> Iterator[int]:
        for place, keys in enumerate(self._keys):
            new, self._known[place] = len(keys) - self._known[place], len(keys)
            # From the last one backwards, so that those seen before are not passed again.
            yield from (BYTES_PER_KEY + getsizeof(key) for key in islice(reversed(keys), new))

    def _of_new_outcomes(self) -> Iterator[int]:
        new, self._nodes = len(self._outcomes) - self._nodes, len(self._outcomes)
        for labels in islice(reversed(self._outcomes.values()), new):
            yield BYTES_PER_KEY + BYTES_PER_OUTCOME * len(labels)
