"""Lists of flops that stand for all: classes up to suits, drawn evenly from every texture."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, lcm

from treeplex.games.base.apportionment import apportioned
from treeplex.games.base.parameters import check_integer
from treeplex.games.cards.cards import Cards, Deck

FLOP = 3
Texture = tuple[int, int]
"""Number of different ranks and of different suits."""


def listed_flops(ranks: int, suits: int, classes: int) -> tuple[tuple[Cards, int], ...]:
    """Return flops of some classes up to suits with weights, as ``PokerGame.flops``; always the same.

    A texture is the number of ranks and of suits of a flop: six for a whole deck, from three suits on three
    different ranks to three cards of one rank. The number of classes of each is apportioned by the method of
    Huntington and Hill to the number of flops of the texture: one goes to each texture first, the largest
    first. Within a texture, classes are ordered by ranks from high to low, then by cards, and every k-th is
    taken from the middle of the first k on (systematic sampling). All flops of a chosen class are listed with
    equal weight, classes of a texture share what all its flops weigh: as many as there are. Textures without
    a class are left out. With all classes, every flop has weight 1.

    Parameters
    ----------
    ranks, suits : int
        The deck; the highest ranks.
    classes : int
        How many classes are chosen, from 1 to their number, 1,755 for a whole deck.

    Raises
    ------
    ValueError
        If the number is out of range.
    """
    deck = Deck(ranks, suits, top_is_king=False)
    textures = _textures(deck)
    check_integer("flops", classes, 1, sum(map(len, textures.values())), ", the classes up to suits")
    sizes = {texture: sum(map(len, found)) for texture, found in textures.items()}
    order = sorted(sizes)
    seats = apportioned([sizes[t] for t in order], [len(textures[t]) for t in order], classes)
    numbers = {texture: number for texture, number in zip(order, seats, strict=True) if number}
    weights: dict[Cards, Fraction] = {}
    for texture, number in numbers.items():
        for orbit in _every(textures[texture], number):
            weights |= dict.fromkeys(orbit, Fraction(sizes[texture], number * len(orbit)))
    scale = Fraction(lcm(*(w.denominator for w in weights.values())))
    common = gcd(*(int(w * scale) for w in weights.values()))
    return tuple((cards, int(weights[cards] * scale) // common) for cards in sorted(weights, reverse=True))


def _textures(deck: Deck) -> Mapping[Texture, Sequence[Sequence[Cards]]]:
    """Return the classes of each texture, each as its flops, high to low."""
    renamings = list(permutations(range(deck.suits)))
    textures: dict[Texture, list[tuple[Cards, ...]]] = defaultdict(list)
    seen: set[Cards] = set()
    for flop in combinations(reversed(deck.cards), FLOP):
        if flop in seen:
            continue
        images = {tuple(sorted((c - c % 4 + p[c % 4] for c in flop), reverse=True)) for p in renamings}
        seen |= images
        texture = len({card // 4 for card in flop}), len({card % 4 for card in flop})
        textures[texture].append(tuple(sorted(images, reverse=True)))
    return {
        texture: sorted(found, key=lambda orbit: ([card // 4 for card in orbit[0]], orbit[0]), reverse=True)
        for texture, found in textures.items()
    }


def _every(found: Sequence[Sequence[Cards]], number: int) -> list[Sequence[Cards]]:
    """Return ``number`` of the classes at equal distances, from the middle of the first part on."""
    return [found[(2 * k + 1) * len(found) // (2 * number)] for k in range(number)]
