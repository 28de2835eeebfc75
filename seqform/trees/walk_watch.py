"""Watch over a walk through a game: how far it has come, its memory, and what games return.

Labels and keys are checked to be texts, plays to end.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from sys import getsizeof
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shown
from treeplex.games.base.reporting import Report, Ticker
from treeplex.seqform.trees.memory import GIB, resident_memory

BYTES_PER_HISTORY = 90
"""Memory of a history in the columns of a tree and of its sequence form, without its keys."""
BYTES_PER_KEY = 120
"""Memory of a key beside its text: places in a dictionary and in a tuple."""
BYTES_PER_OUTCOME = 70
"""Memory of an outcome of a chance node with its label."""
BYTES_PER_PENDING = 300
"""Memory of a history that is still to be visited, with a small state."""


class TooManyHistoriesError(BadInputError):
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


LONGEST_PLAY = 5_000
"""Most moves of a play, those of chance included; a longer one is taken for a play that never ends."""


def menu_of(given: Any) -> tuple[Hashable, ...]:
    """Return the labels of actions as a game gives them, which may be any hashable objects, such as integers.

    Raises
    ------
    ValueError
        If they are no sequence.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInputError(f"actions must be a sequence of labels, such as ('fold', 'call'), got {given!r}")
    return tuple(given)


def label_texts(labels: Sequence[Hashable], what: str) -> tuple[str, ...]:
    """Return labels as texts, by which trees and strategies name them.

    Parameters
    ----------
    labels : sequence
    what : str
        What the labels must be, for the error, such as ``actions must be distinct``.

    Raises
    ------
    ValueError
        If there are none, or two have one text.
    """
    texts = tuple(map(str, labels))
    if not texts or len(set(texts)) != len(texts):
        raise BadInputError(f"{what}, got {list(labels)}")
    return texts


def outcomes_of(given: Any) -> list[tuple[Hashable, Fraction | int]]:
    """Return outcomes of chance and their exact probabilities.

    Raises
    ------
    ValueError
        If these are no pairs, or a probability is no positive exact rational.
    """
    try:
        pairs = [(label, weight) for label, weight in given]
    except (TypeError, ValueError):
        raise BadInputError(
            f"chance must return pairs of an outcome and its probability, got {shown(given)}"
        ) from None
    for label, weight in pairs:
        if not isinstance(weight, int | Fraction) or weight <= 0:
            raise BadInputError(
                f"chance weights must be positive exact rationals, got {weight!r} for {label!r}"
            )
    return pairs


def key_texts(keys: Iterable[Hashable], method: str) -> tuple[str, ...]:
    """Return what a game's ``infoset`` or ``public`` returned, in order, as texts.

    Raises
    ------
    ValueError
        If one is None, as where a method lacks a ``return``, or two have one text.
    """
    given = tuple(keys)
    if None in given:
        raise BadInputError(f"{method} must return a text for every state, got None")
    texts = tuple(map(str, given))
    if len(set(texts)) != len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise BadInputError(f"{method} must return different texts for different keys, got {twice!r} for two")
    return texts


def check_hashable(game: Game[Any], state: Any) -> None:
    """Raise ValueError if what a game says of a state cannot be hashed, as lists and sets cannot."""
    for method, value in (
        ("infoset", game.infoset(state, 0)),
        ("infoset", game.infoset(state, 1)),
        ("public", game.public(state)),
    ):
        try:
            hash(value)
        except TypeError:
            raise BadInputError(
                f"{method} must return a text or another hashable value, got {shown(value)}"
            ) from None


def too_long(name: str) -> TooManyHistoriesError:
    """Return the error of a game with a play of more than ``LONGEST_PLAY`` moves."""
    return TooManyHistoriesError(
        f"{name}: no end after {LONGEST_PLAY:,} moves; a play must reach a state whose player is TERMINAL"
    )
