"""Numbers as texts: intervals are rounded outward, long fractions cut in the middle."""

from fractions import Fraction

from treeplex.games.base.number_texts import (
    fixed,
    fraction_text,
    interval_texts,
    proved_text,
    scientific,
)
from treeplex.games.base.reading import shortened

LEDUC_VALUE = "-1454920850547486749701863871533/16995463438839962469905132501930"


def test_intervals_are_rounded_outward():
    third = Fraction(1, 3)
    assert [fixed(third, 3, r) for r in ("down", "near", "up")] == ["0.333", "0.333", "0.334"]
    assert [fixed(-third, 3, r) for r in ("down", "near", "up")] == ["-0.334", "-0.333", "-0.333"]
    assert [scientific(-third, 2, r) for r in ("down", "near", "up")] == ["-3.4e-1", "-3.3e-1", "-3.3e-1"]
    assert scientific(0.0, 5, "up") == "0"
    value, lower, upper = interval_texts(0.12345678905, 0.123456789, 0.1234567891)
    assert Fraction(lower) <= Fraction(0.123456789)
    assert Fraction(upper) >= Fraction(0.1234567891)
    assert lower != upper  # a width of 1e-10 can be seen
    assert lower <= value <= upper
    assert interval_texts(1.5e20, 1e20, 2e20) == (
        "1.500e+20",
        "1.000e+20",
        "2.000e+20",
    )


def test_long_fractions_are_cut_in_the_middle():
    assert shortened("123456789", 5) == "12…89"
    assert shortened("12345", 5) == "12345"
    text = fraction_text(Fraction(LEDUC_VALUE), 60)
    assert len(text) <= 60
    numerator, denominator = text.split("/")
    assert numerator.startswith("-14549208")
    assert denominator.endswith("132501930")
    assert fraction_text(Fraction(-1, 18), 60) == "-1/18"
    huge = Fraction(10**9000 + 1, 10**9000)
    assert len(fraction_text(huge, 60)) <= 60


def test_widths_are_rounded_up():
    assert proved_text(0.0, "chips") == "exact"
    assert proved_text(3.01e-12, "chips") == "proved to 3.1e-12 chips"
