"""Parser of ranges of hold'em hands: ``AA,KQs:0.5,JTo,99-66,A5s-A2s,T9s+``.

Entries are separated by commas; white space around commas, dashes, colons and plus signs is ignored. An
entry is a set of hands, then ``:weight`` unless the weight is 1:

==================  ====================================================================================
``AA``              the 6 pairs of aces
``KQs`` ``JTo``     4 suited, 12 offsuit hands
``KQ``              both, 16 hands
``AsKd``            these two cards, in either order
``99-66``           pairs from one rank to the other, in either direction
``A5s-A2s``         the high card stays, the low card runs; both ends alike in high card and suffix
``22+``             this pair and every higher one
``A9s+``            the high card stays, the low card rises to just under it: A9s, ATs, AJs, AQs, AKs
``T9s+``            connectors rise together: T9s, JTs, QJs, KQs, AKs
``all`` ``random``  every hand
==================  ====================================================================================

Programs disagree about ``+`` after connectors. Followed here is PioSOLVER's format, with the weight after a
colon, as postflop-solver reads it; readers in PokerStove's manner (eval7, OMPEval, PokerKit) keep the high
card, where ``T9s+`` is T9s alone. A dash between connectors (``KQs-T9s``) is refused. Of entries that share a
hand the last one counts: exceptions come after rules, as in ``AK,AsKd:0.25``; weight 0 removes a hand.
(In postflop-solver the first one counts.)
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import N_CARDS, RANKS, SUITS, parse_cards

Hand = tuple[int, int]
"""Two card ids, the lower one first."""

_SEPARATOR = re.compile(r"\s*([-:,+])\s*")
_SUIT_PAIRS = {
    "s": [(s, s) for s in range(len(SUITS))],
    "o": list(permutations(range(len(SUITS)), 2)),
    "": [(s, t) for s in range(len(SUITS)) for t in range(len(SUITS))],
}
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)")
_TWO_CARDS = re.compile(rf"(?:[{RANKS}][{SUITS}]){{2}}")
# exponents have at most three digits: a typing error must not give a number of a billion digits
_WEIGHT = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?|\d+/\d+", re.ASCII)


def parse_range(text: str) -> dict[Hand, Fraction]:
    """Return the hands of a range and their weights, exactly as written.

    Parameters
    ----------
    text : str
        The grammar is this module's docstring.

    Returns
    -------
    dict
        (lower card id, higher card id) to a weight in (0, 1], sorted by hand.

    Raises
    ------
    ValueError
        If an entry is malformed, a weight is not a number in [0, 1] or no hand is left; the entry is named.
    """
    if not text.strip():
        raise BadInputError("a range is empty; write hands such as AA,KQs:0.5 or all")
    weights: dict[Hand, Fraction] = {}
    for entry in _SEPARATOR.sub(r"\1", text.strip()).split(","):
        hands, colon, weight = entry.partition(":")
        share = _parse_weight(weight, entry) if colon else Fraction(1)
        weights.update((hand, share) for hand in _hands(hands, entry))
    positive = {hand: weights[hand] for hand in sorted(weights) if weights[hand]}
    if not positive:
        raise BadInputError(f"a range must leave at least one hand a weight above 0, got {text!r}")
    return positive


def _parse_weight(text: str, entry: str) -> Fraction:
    """Return a weight in [0, 1] written as a decimal or as p/q."""
    weight = _fraction(text) if _WEIGHT.fullmatch(text) else None
    if weight is None or weight > 1:
        raise BadInputError(f"a weight is a number from 0 to 1, got {text!r} in range entry {entry!r}")
    return weight


def _fraction(text: str) -> Fraction | None:
    """Return the number; None for 1/0 and for more digits than Python reads."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _hands(text: str, entry: str) -> list[Hand]:
    """Return the hands of an entry without its weight."""
    if text in ("random", "all"):
        return list(combinations(range(N_CARDS), 2))
    if _TWO_CARDS.fullmatch(text):
        low, high = sorted(parse_cards(text))
        return [(low, high)]
    first, dash, last = text.partition("-")
    if dash:
        classes = _between(_parse_class(first, entry), _parse_class(last, entry), entry)
    elif text.endswith("+"):
        classes = _upwards(*_parse_class(text[:-1], entry))
    else:
        classes = iter([_parse_class(text, entry)])
    return [hand for cls in classes for hand in _class_hands(*cls)]


def _parse_class(text: str, entry: str) -> tuple[int, int, str]:
    """Return high rank, low rank and suffix ("s", "o" or "" for both) of a class such as ``KQs``."""
    match = _CLASS.fullmatch(text)
    if match is None:
        raise BadInputError(
            f"{text!r} in range entry {entry!r} is no hand; write AA, KQs, JTo, AsKd, 99-66 or 22+"
        )
    high, low, suffix = RANKS.index(match[1]), RANKS.index(match[2]), match[3]
    if high < low:
        raise BadInputError(f"the higher rank of {text!r} in range entry {entry!r} must come first")
    if high == low and suffix:
        raise BadInputError(f"a pair is neither suited nor offsuit, got {text!r} in range entry {entry!r}")
    return high, low, suffix


def _between(
    first: tuple[int, int, str], last: tuple[int, int, str], entry: str
) -> Iterator[tuple[int, int, str]]:
    """Yield the classes of an entry with a dash: of pairs both ranks vary, else the low rank alone."""
    (high, low, suffix), (last_high, last_low, last_suffix) = first, last
    pairs = (high == low, last_high == last_low)
    if suffix != last_suffix or pairs[0] != pairs[1] or (high != last_high and not pairs[0]):
        raise BadInputError(
            f"both ends of {entry!r} must be pairs, or share high card and suffix as A5s-A2s does"
        )
    for rank in range(min(low, last_low), max(low, last_low) + 1):
        yield (rank if pairs[0] else high), rank, suffix


def _upwards(high: int, low: int, suffix: str) -> Iterator[tuple[int, int, str]]:
    """Yield the classes of an entry with a plus: pairs and connectors raise both ranks, others the low."""
    if high - low <= 1:
        for step in range(len(RANKS) - high):
            yield high + step, low + step, suffix
    else:
        for rank in range(low, high):
            yield high, rank, suffix


def _class_hands(high: int, low: int, suffix: str) -> list[Hand]:
    """Return the 6, 4, 12 or 16 hands of a class."""
    if high == low:
        return list(combinations(range(len(SUITS) * high, len(SUITS) * (high + 1)), 2))
    return [(len(SUITS) * low + t, len(SUITS) * high + s) for s, t in _SUIT_PAIRS[suffix]]
