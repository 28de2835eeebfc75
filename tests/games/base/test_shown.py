"""What prints itself: width, the brief text, results without tables of their own."""

from dataclasses import dataclass

import pytest

from tests.helpers.cells import over
from treeplex.games.base.display import LONGEST, PLAIN_WIDTH, Line, Shown, shown_width


@dataclass(frozen=True, repr=False)
class Brief(Shown):
    text: str

    def brief(self):
        return self.text


@dataclass(frozen=True, repr=False)
class Long(Brief):
    def blocks(self):
        return Line(self.text), Line(""), Line("end")


def test_what_is_brief_is_all_that_is_shown_by_default():
    one = Brief("a <b>")
    assert (str(one), repr(one)) == ("a <b>", "Brief(a <b>)")
    assert "a &lt;b&gt;" in one._repr_html_()


def test_blocks_stand_below_each_other():
    assert str(Long("begin")) == "begin\n\nend"


def test_the_representation_is_one_short_line():
    text = repr(Brief("word\n" * 100))
    assert "\n" not in text
    assert "…" in text
    assert len(text) == len("Brief()") + LONGEST


@over([("40", 40), ("0", PLAIN_WIDTH), ("x", PLAIN_WIDTH), ("", PLAIN_WIDTH)])
def test_columns_give_the_width(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert shown_width() == width
    assert len(str(Brief("word " * 100)).splitlines()[0]) <= width


def test_what_is_shown_must_say_something_brief():
    with pytest.raises(TypeError, match="abstract"):
        Shown()
