"""Endgames in the format of the authors of Libratus."""

from collections.abc import Mapping

from treeplex.games.cards.cards import parse_cards
from treeplex.games.formats.libratus import HANDS


def hand(cards: str) -> tuple[int, ...]:
    return tuple(sorted(parse_cards(cards)))


def reaches(first: Mapping[str, str], second: Mapping[str, str]) -> str:
    words = []
    for given in (first, second):
        by_hand = {hand(cards): word for cards, word in given.items()}
        words += [by_hand.get(cards, "0.0") for cards in HANDS]
    return " ".join(words)


GOOD = {
    "round": "4",
    "board": "4s8hTc9h2s",
    "pot": "500",
    "reach": reaches({"AsAh": "0.25", "KdQd": "2.8E-10"}, {"2h2d": "1.0", "AdAc": "1e-16"}),
}


def text(**keys: str | None) -> str:
    return "\n".join(f"-{key} {value}" for key, value in {**GOOD, **keys}.items() if value is not None)
