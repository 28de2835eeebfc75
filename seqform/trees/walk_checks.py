"""What a game's methods returned, checked while it is walked: labels and keys as texts, plays that end."""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from treeplex.games.inputs.reading import shown
from treeplex.games.protocol import Game
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError

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
        raise ValueError(f"actions must be a sequence of labels, such as ('fold', 'call'), got {given!r}")
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
        raise ValueError(f"{what}, got {list(labels)}")
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
        raise ValueError(
            f"chance must return pairs of an outcome and its probability, got {shown(given)}"
        ) from None
    for label, weight in pairs:
        if not isinstance(weight, int | Fraction) or weight <= 0:
            raise ValueError(f"chance weights must be positive exact rationals, got {weight!r} for {label!r}")
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
        raise ValueError(f"{method} must return a text for every state, got None")
    texts = tuple(map(str, given))
    if len(set(texts)) != len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(f"{method} must return different texts for different keys, got {twice!r} for two")
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
            raise ValueError(f"{method} must return a text, got {shown(value)}") from None


def too_long(name: str) -> TooManyHistoriesError:
    """Return the error of a game with a play of more than ``LONGEST_PLAY`` moves."""
    return TooManyHistoriesError(
        f"{name}: no end after {LONGEST_PLAY:,} moves; a play must reach a state whose player is TERMINAL"
    )
