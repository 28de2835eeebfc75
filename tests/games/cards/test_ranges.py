from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.games.cards.cards import RANKS, cards_text, parse_cards
from treeplex.games.cards.ranges import parse_range


def hand(text):
    return tuple(sorted(parse_cards(text)))


def naive_class(text):
    """Every pair of cards of which a class such as AA, KQs, KQo or KQ tells the truth."""
    suffix = text[2:]
    return {
        (a, b)
        for a, b in combinations(range(52), 2)
        if sorted((RANKS[a // 4], RANKS[b // 4])) == sorted(text[:2])
        if suffix == "" or (suffix == "s") == (a % 4 == b % 4)
    }


def naive_hands(classes):
    return set().union(*map(naive_class, classes.split()))


@over(
    [
        ("AA", "AA"),
        ("KQs", "KQs"),
        ("JTo", "JTo"),
        ("KQ", "KQs KQo"),
        ("99-66", "99 88 77 66"),
        ("66-99", "99 88 77 66"),
        ("AA-AA", "AA"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("K9o-K9o", "K9o"),
        ("Q9-Q8", "Q9s Q9o Q8s Q8o"),
        ("KK+", "KK AA"),
        ("22+", "22 33 44 55 66 77 88 99 TT JJ QQ KK AA"),
        ("A9s+", "A9s ATs AJs AQs AKs"),
        ("K9o+", "K9o KTo KJo KQo"),
        ("ATs+,ATo+", "AT AJ AQ AK"),
        ("AT+", "AT AJ AQ AK"),
        ("T9s+", "T9s JTs QJs KQs AKs"),
        ("QJ+", "QJ KQ AK"),
        ("AKs+", "AKs"),
        ("T8s+", "T8s T9s"),
        ("AA,KQs,JTo,99-66,A5s-A2s", "AA KQs JTo 99 88 77 66 A5s A4s A3s A2s"),
    ]
)
def test_entries_are_the_classes_they_stand_for(text, classes):
    weights = parse_range(text)
    assert set(weights) == naive_hands(classes)
    assert set(weights.values()) == {Fraction(1)}


def test_classes_have_6_4_12_and_16_hands():
    assert [len(parse_range(text)) for text in ("AA", "KQs", "JTo", "KQ")] == [6, 4, 12, 16]


@over(["all", "random", " all "])
def test_all_hands(text):
    weights = parse_range(text)
    assert list(weights) == list(combinations(range(52), 2))
    assert set(weights.values()) == {Fraction(1)}


def test_two_cards_in_either_order():
    assert parse_range("AsKd:0.25") == parse_range("KdAs:0.25") == {hand("AsKd"): Fraction(1, 4)}
    assert parse_range("AsAd") == {hand("AsAd"): Fraction(1)}


@over(
    [
        ("0.1", Fraction(1, 10)),
        ("1", Fraction(1)),
        ("1.", Fraction(1)),
        (".5", Fraction(1, 2)),
        ("0.30000000000000004", Fraction(30000000000000004, 10**17)),
        ("1e-16", Fraction(1, 10**16)),
        ("2.5E-1", Fraction(1, 4)),
        ("1/3", Fraction(1, 3)),
    ]
)
def test_weights_are_the_decimals_spelled(weight, value):
    assert set(parse_range(f"AA:{weight}").values()) == {value}


def test_white_space_around_signs_is_ignored():
    assert parse_range(" AA , KQs : 0.5,\n99 - 66 ,T9s + ") == parse_range("AA,KQs:0.5,99-66,T9s+")


def test_the_last_of_entries_that_share_a_hand_decides():
    weights = parse_range("AK,AsKd:0.25,AcKc:0")
    assert weights[hand("AsKd")] == Fraction(1, 4)
    assert weights[hand("AsKs")] == 1
    assert hand("AcKc") not in weights
    assert len(weights) == 15
    assert parse_range("AsKd:0.25,AK") == parse_range("AK")


def test_hands_come_sorted_with_the_lower_card_first():
    hands = list(parse_range("22+,A2s+,all:0.5"))
    assert hands == sorted(hands)
    assert all(low < high for low, high in hands)


@over(
    [
        # each is named as a whole
        *((text, text) for text in ("AAs", "KQs-T9s", "A5s-K2s", "A5s-A2o", "A5s-A2", "99-A2", "AK-99")),
        *((text, text) for text in ("99-66-33", "XK", "1Ks", "AKx", "ak", "KA", "9Ts", "AsKx", "AA:")),
        ("AA KK", "AA KK"),
        ("AA,77o", "77o"),
        ("99-66+", "66+"),
        ("22++", "22+"),
        ("AsKd+", "AsKd"),
        ("AsKd-AsQd", "AsKd"),
        ("all+", "all"),
        ("AsAs", "As"),
        ("AA,,KK", "''"),
        ("AA,", "''"),
        (",", "''"),
        (":0.5", "''"),
        ("AA:nan", "nan"),
        ("AA:NaN", "NaN"),
        ("AA:inf", "inf"),
        ("AA:-1", "-1"),
        ("AA:-0.0", "-0.0"),
        ("AA:1.5", "1.5"),
        ("AA:1.0000000000000000000001", "1.0000000000000000000001"),
        ("AA:0.5:0.5", "0.5:0.5"),
        ("AA:1/0", "1/0"),
        ("AA:1e-999999999", "1e-999999999"),
        ("AA:" + "9" * 5000, "999"),
        ("AA:half", "half"),
        ("AA:٠.٥", "٠.٥"),
    ]
)
def test_bad_entries_are_named(text, named):
    with pytest.raises(ValueError, match=r"range|card") as error:
        parse_range(text)
    assert named in str(error.value)
    assert "\n" not in str(error.value)


@over(["", "   ", "\n"])
def test_empty_text_is_refused(text):
    with pytest.raises(ValueError, match="empty"):
        parse_range(text)


def test_a_range_without_weight_is_refused():
    with pytest.raises(ValueError, match=r"above 0, got 'AA:0,KK:0\.0'"):
        parse_range("AA:0,KK:0.0")


@given(
    st.dictionaries(st.sampled_from(list(combinations(range(52), 2))), st.decimals("0.001", "1"), min_size=1)
)
def test_hand_by_hand_spelling_reads_back(weights):
    text = ", ".join(f"{cards_text(cards)}: {weight:f}" for cards, weight in weights.items())
    assert parse_range(text) == {cards: Fraction(weight) for cards, weight in weights.items()}
