"""What is asked of an abstraction: the kind and the number of buckets of each street."""

from dataclasses import dataclass
from itertools import pairwise

from treeplex.games.abstraction.card_abstraction import Recall, street_rounds
from treeplex.games.abstraction.game_cards import street_name
from treeplex.games.abstraction.street_buckets import LOSSLESS
from treeplex.games.cards.deck import Deck
from treeplex.games.features.kinds import BINS, KINDS
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.inputs.parameters import check_word
from treeplex.games.inputs.reading import shown

EMD = "emd"
"""Potential-aware buckets, by the earth mover's distance of distributions over the next street's clusters."""
WEVA = "weva"
"""Buckets by what hands win at all decisions of the street, after a few iterations of CFR on the game."""
EXAMPLE = "flop:2000:hist,turn:1000:hist,river:1000:ochs"


@dataclass(frozen=True)
class Wanted:
    """What is asked of one street.

    Attributes
    ----------
    name : str
    kind : str
        ``lossless`` or a kind of features.
    count : int
        Number of buckets; of a lossless street, its deals up to suits.
    """

    name: str
    kind: str
    count: int


def wanted_streets(text: str, deck: Deck, rounds: tuple[int, ...], recall: Recall) -> tuple[Wanted, ...]:
    """Return what is asked of each street of a game; streets that are not named are lossless.

    Parameters
    ----------
    text : str
        Such as ``flop:2000:hist,turn:1000:hist,river:lossless``.
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.
    recall : {"perfect", "imperfect"}

    Raises
    ------
    ValueError
        If a street, a kind or a number of buckets cannot be, or a street is named twice.
    """
    sizes = [HandIndex(deck, one).size for one in street_rounds(rounds, recall)]
    names = tuple(map(street_name, range(len(rounds))))
    wanted = {name: Wanted(name, LOSSLESS, size) for name, size in zip(names, sizes, strict=True)}
    named: set[str] = set()
    for entry in filter(None, map(str.strip, text.split(","))):
        name, *rest = (part.strip() for part in entry.split(":"))
        check_word("a street", name, names)
        if name in named:
            raise ValueError(f"a street may be named once, got {name} twice")
        named.add(name)
        street = names.index(name)
        wanted[name] = _wanted(name, rest, entry, sizes[street])
        if street == len(names) - 1:
            _check_last(wanted[name], recall)
    streets = tuple(wanted.values())
    if recall == "perfect":
        _check_nested(streets)
    return streets


def _wanted(name: str, rest: list[str], entry: str, size: int) -> Wanted:
    if rest == [LOSSLESS]:
        return Wanted(name, LOSSLESS, size)
    if len(rest) != 2:
        raise ValueError(f"a street must be as in {EXAMPLE}, or {name}:{LOSSLESS}, got {shown(entry)}")
    count, kind = rest
    check_word(f"{name}: the kind of buckets", kind, (*KINDS, EMD, WEVA))
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:18]) <= size):
        legal = f"from 1 to {size:,}, its deals up to suits"
        raise ValueError(f"{name}: the number of buckets must be {legal}, got {shown(count)}")
    return Wanted(name, kind, int(count))


def _check_last(one: Wanted, recall: Recall) -> None:
    """Refuse what the last street cannot have: no street comes next, and a histogram is in one bin."""
    if one.kind == EMD:
        raise ValueError(f"{one.name}: the kind of buckets of the last street must be another, got {EMD}")
    if one.kind == "hist" and recall == "imperfect" and one.count > BINS:
        legal = f"from 1 to {BINS}, as on the last street a histogram is in one bin"
        raise ValueError(f"{one.name}: the number of buckets must be {legal}, got {one.count:,}")


def _check_nested(streets: tuple[Wanted, ...]) -> None:
    """Refuse fewer buckets than on the street before, which cannot all be told apart then."""
    for above, one in pairwise(streets):
        if one.count < above.count:
            raise ValueError(
                f"with perfect recall {one.name} must have at least the {above.count:,} buckets of"
                f" {above.name}, got {one.count:,}"
            )
