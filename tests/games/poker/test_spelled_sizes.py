"""Bet sizes as people type them: spellings, menus in lists and texts, and what spells no size."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.bet_sizes import Chips, Geometric, Multiple, Size, Sizes, Thresholds
from treeplex.games.poker.size_menus import size_menu, size_of, size_text

F = Fraction


@over(
    [
        ("a", "a", "a"),
        (" A ", "a", "a"),
        ("0.5", F(1, 2), "0.5"),
        ("1/3", F(1, 3), "1/3"),
        ("33%", F(33, 100), "0.33"),
        ("112.5%", F(9, 8), "1.125"),
        (".5%", F(1, 200), "0.005"),
        ("100/3%", F(1, 3), "1/3"),
        ("2.5x", Multiple(F(5, 2)), "2.5x"),
        ("3.5X", Multiple(F(7, 2)), "3.5x"),
        ("1.001x", Multiple(F(1001, 1000)), "1.001x"),
        ("15c", Chips(F(15)), "15c"),
        ("123C", Chips(F(123)), "123c"),
        ("7.5c", Chips(F(15, 2)), "7.5c"),
        ("e", Geometric(), "e"),
        ("E", Geometric(), "e"),
        ("1e", Geometric(1), "1e"),
        ("12e", Geometric(12), "12e"),
        ("3e200", Geometric(3, F(2)), "3e200%"),
        ("3e200%", Geometric(3, F(2)), "3e200%"),
        ("e66.6", Geometric(None, F(333, 500)), "e66.6%"),
        ("E37.5%", Geometric(None, F(3, 8)), "e37.5%"),
    ]
)
def test_sizes_are_spelled_as_usual(text: str, size: Size, canonical: str) -> None:
    assert size_of("bets", text) == size
    assert size_text(size) == canonical
    assert size_of("bets", canonical) == size
    assert size_of("bets", size) == size


@pytest.mark.seconds(2)
@over(
    [
        *("", "b", "0", "-1", "0%", "%", "-30%", "+42%", "50%%", "1/0", "nan", "inf", "1_0", "1a", "a1"),
        *("bet", "x", "0x", "1x", "0.9x", "-2x", "2x3", "1/0x", "c", "0c", "-3c", "20c3r", "1c2"),
        *("0e", "02e", "123e", "-1e", "2e0", "2e0.0%", "2e-5", "2.5e", "2e%", "e5%%", "1e2e3", "9" * 100_000),
    ]
)
def test_what_spells_no_size(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^flop\.bets must hold numbers > 0 or percentages .* got "
    ) as caught:
        size_of("flop.bets", text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 500


@over([0, -1, F(0), True, None, float("nan"), float("inf"), -0.5, [1], b"a"])
def test_what_is_no_size(value: object) -> None:
    with pytest.raises(ValueError, match="bets must hold numbers > 0"):
        size_of("bets", value)


def test_floats_stand_for_their_shortest_decimals() -> None:
    assert size_of("bets", 0.1) == F(1, 10)


def test_a_menu_is_a_list_or_one_text() -> None:
    expected = (F(33, 100), Multiple(F(5, 2)), Geometric(), "a")
    assert size_menu("bets", "33%, 2.5x, e, a") == expected
    assert size_menu("bets", " 33% ,2.5x,E,A,") == expected
    assert size_menu("bets", ["33%", "2.5x", "e", "a"]) == expected
    assert size_menu("bets", (0.33, "2.5x", Geometric(), "a")) == expected
    assert size_menu("bets", "") == size_menu("bets", []) == ()


@over([",", "33%,,a", "33%; a", "33% a", "33%,a,,"])
def test_texts_that_are_no_menus(menu: str) -> None:
    with pytest.raises(ValueError, match="raises must hold numbers > 0"):
        size_menu("raises", menu)


@over([0.5, None, {"a": 1}, {"a"}, Geometric()])
def test_what_is_no_menu(menu: object) -> None:
    with pytest.raises(ValueError, match="raises must be a list of sizes or one text such as"):
        size_menu("raises", menu)


POSITIVE = st.fractions(F(1, 100), F(1000), max_denominator=100)
ANY_SIZE = st.one_of(
    st.just("a"),
    POSITIVE,
    st.builds(Multiple, POSITIVE.map(lambda x: 1 + x)),
    st.builds(Chips, POSITIVE),
    st.builds(Geometric, st.none() | st.integers(1, 99), st.none() | POSITIVE),
)


@given(st.lists(ANY_SIZE, max_size=5))
def test_menus_are_read_back_from_their_texts(menu: list[Size]) -> None:
    texts = [size_text(size) for size in menu]
    assert size_menu("bets", texts) == tuple(menu)
    assert size_menu("bets", ", ".join(texts)) == tuple(menu)


@settings(max_examples=15)
@given(st.lists(ANY_SIZE.filter(lambda size: not isinstance(size, Multiple)), min_size=1, max_size=4))
def test_specs_take_the_same_spellings(menu: list[Size]) -> None:
    words = ",".join(map(size_text, menu))
    spelled = load_game(f"small_holdem(stack=9,bets=[{words}],raises=[3x,1/2,2c],max_raises=1)")
    quoted = load_game(f"small_holdem(stack=9,bets='{words}',raises='3x,50%,2c',max_raises=1)")
    assert spelled.betting == quoted.betting
    assert spelled.betting.sizes[0][0].bets == tuple(menu)
    assert spelled.betting.sizes[0][1].raises == (Multiple(F(3)), F(1, 2), Chips(F(2)))
    assert load_game(spelled.name) == spelled
    assert load_game(quoted.name) == quoted


@over(
    [
        (lambda: Geometric(0), "over at least 1 street, got 0"),
        (lambda: Geometric(1, F(0)), "cap of a geometric bet must be greater than 0, got 0"),
        (lambda: Multiple(F(1)), "a multiple of a bet must be greater than 1x, got 1x"),
        (lambda: Chips(F(0)), "a bet of chips must be greater than 0c, got 0c"),
        (lambda: Thresholds(add_allin=F(-1)), "add_allin_threshold must be a number >= 0, got -1"),
        (lambda: Thresholds(force_allin=F(-1)), "force_allin_threshold must be a number >= 0, got -1"),
        (lambda: Thresholds(merging=0.1), "merging_threshold must be a number >= 0, got 0.1"),
        (lambda: Sizes((), (), (F(0),)), "donks must be positive fractions"),
        (lambda: Sizes(("a",) * 1001, ()), "bets must be at most 1000 sizes, got 1001"),
        (lambda: load_game("small_holdem(bets=[2x])"), "bets of round 1 must not be multiples alone"),
        (
            lambda: load_game("no_limit_holdem(bets=[2x],raises=[2x])"),
            "bets of round 2 must not be multiples",
        ),
    ]
)
def test_sizes_made_in_python_are_checked(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
