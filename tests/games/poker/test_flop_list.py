"""Lists of flops: how many classes of each texture, their weights, and what is refused."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import pytest

from tests.helpers.cells import over
from treeplex.games.cards.cards import Deck
from treeplex.games.poker.flop_list import listed_flops
from treeplex.games.poker.named import flop_holdem, no_limit_flop_holdem


def texture(flop):
    return len({card // 4 for card in flop}), len({card % 4 for card in flop})


def class_of(flop, suits=4):
    return min(tuple(sorted(c - c % 4 + p[c % 4] for c in flop)) for p in permutations(range(suits)))


def shares(flops):
    total, found = sum(dict(flops).values()), Counter()
    for flop, weight in flops:
        found[texture(flop)] += Fraction(weight, total)
    return found


@over([(13, 4), (5, 3), (4, 2)])
def test_all_classes_are_all_flops(ranks, suits):
    every = list(combinations(reversed(Deck(ranks, suits, top_is_king=False).cards), 3))
    n_classes = len({class_of(flop, suits) for flop in every})
    assert listed_flops(ranks, suits, n_classes) == tuple((flop, 1) for flop in every)
    with pytest.raises(ValueError, match=f"flops must be an integer from 1 to {n_classes}, the classes"):
        listed_flops(ranks, suits, n_classes + 1)


@over([6, 30])
def test_a_list_is_closed_under_suits_and_keeps_the_shares_of_textures(n_classes):
    flops = listed_flops(13, 4, n_classes)
    weights = dict(flops)
    found = {}
    for flop, weight in flops:
        found.setdefault(class_of(flop), []).append(weight)
        for p in permutations(range(4)):
            image = tuple(sorted((c - c % 4 + p[c % 4] for c in flop), reverse=True))
            assert weights[image] == weight
    assert len(found) == n_classes
    assert shares(flops) == shares(listed_flops(13, 4, 1755))
    of_texture = {}
    for flop, weight in flops:
        of_texture.setdefault(texture(flop), set()).add(weight)
    assert all(len(one) == 1 for one in of_texture.values())


def test_the_one_class_of_a_texture_is_its_middle_one():
    trips = {flop[0] // 4 for flop, _ in listed_flops(13, 4, 6) if texture(flop) == (1, 3)}
    assert trips == {13 // 2}


def test_thirty_classes_are_apportioned_by_huntington_and_hill():
    classes = Counter(texture(flop) for flop in {class_of(flop) for flop, _ in listed_flops(13, 4, 30)})
    sizes = {(3, 3): 6864, (3, 2): 10296, (3, 1): 1144, (2, 3): 1872, (2, 2): 1872, (1, 3): 52}
    assert sum(sizes.values()) == 22100
    for (gains, more), (gives, less) in permutations(sizes.items(), 2):
        # One class more for the one and one less for the other is no better by the method's measure.
        n, m = classes[gains], classes[gives]
        assert m == 1 or more**2 * m * (m - 1) <= less**2 * n * (n + 1)


def test_few_classes_are_of_the_largest_textures():
    assert {texture(flop) for flop, _ in listed_flops(13, 4, 2)} == {(3, 2), (3, 3)}


def test_classes_of_a_texture_lie_at_equal_distances():
    ranks = sorted(
        {tuple(card // 4 for card in flop) for flop, _ in listed_flops(13, 4, 30) if texture(flop) == (3, 3)}
    )
    every = sorted(combinations(range(12, -1, -1), 3))
    places = [every.index(one) for one in ranks]
    gaps = {b - a for a, b in pairwise(places)}
    assert max(gaps) - min(gaps) <= 1


def test_names_say_the_list():
    assert no_limit_flop_holdem(flops=30).name == "no_limit_flop_holdem(flops=30)"
    assert no_limit_flop_holdem(flops=30).flops == listed_flops(13, 4, 30)
    assert no_limit_flop_holdem().flops is None
    assert no_limit_flop_holdem().betting.stacks == (19_900, 19_950)  # 20,000 less the blinds
    assert flop_holdem(5, 2, flops=4).name == "flop_holdem(ranks=5,suits=2,flops=4)"
    for wrong in (0, 1756):
        with pytest.raises(ValueError, match=r"flops must be an integer from 1 to 1,?755"):
            no_limit_flop_holdem(flops=wrong)
