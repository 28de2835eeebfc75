"""Lines and tables: as lines of any width, texts wrapped and numbers whole, and as HTML."""

from rich.cells import cell_len

from tests.helpers.cells import over
from treeplex.games.base.display import Columns, Line, Rows, longest_word, width_of, wrapped

TABLE = Columns("a game", ("name", "value"), (("one\nmore", "1,024"), ("a <b>", "-0.5")), left=("name",))
LIST = Rows("a game", (("method", "lp"), ("why", "it is quick")))


def texts(block, width):
    return [text for text, _ in block.lines(width)]


def test_a_table_stands_side_by_side_where_it_fits():
    assert [*TABLE.lines(40)] == [
        ("a game", "title"),
        ("name   value", "header"),
        ("one    1,024", ""),
        ("more", ""),
        ("a <b>   -0.5", ""),
    ]


def test_a_table_that_does_not_fit_is_a_list():
    assert texts(TABLE, 8) == [
        "a game",
        "name",
        "  one",
        "  more",
        "value",
        "  1,024",
        "",
        "name",
        "  a <b>",
        "value",
        "  -0.5",
    ]


def test_a_list_wraps_texts_beside_their_names():
    assert texts(LIST, 40) == ["a game", "  method    lp", "  why       it is quick"]
    assert texts(LIST, 18) == ["a game", "  method    lp", "  why       it is", "            quick"]
    assert texts(LIST, 10) == ["a game", "method", "  lp", "why", "  it is", "  quick"]


def test_lines_wrap_between_words():
    assert texts(Line("off by 0.0625, at most"), 10) == ["off by", "0.0625, at", "most"]
    assert texts(Line(""), 10) == [""]


def test_html_has_heads_bodies_and_titles():
    html = TABLE.html()
    assert html.startswith("<table><caption ")
    assert html.count("<tr>") == 3
    assert '<td style="text-align: left">one<br>more</td>' in html
    assert '<td style="text-align: right; white-space: nowrap">1,024</td>' in html
    assert "a &lt;b&gt;" in html
    assert "<caption" not in Columns(None, ("x",), (), left=None).html()
    assert '<th style="text-align: left">why</th><td style="text-align: left">it is quick</td>' in LIST.html()
    assert Line("").html() == ""
    assert ">1 &lt; 2</div>" in Line("1 < 2").html()


@over(["", "abc", "−1/2", "A♠K♥", "漢字 wide", "e\u0301", "├── c: −1", "▁▂▃"])
def test_widths_are_those_of_rich(text):
    assert width_of(text) == cell_len(text)


def test_words():
    assert wrapped("f(a=[1,2],b=3) 1,024", 1) == ["f(", "a=[1,2],", "b=3)", "1,024"]
    assert longest_word("f(a=[1,2],b=3) 1,024") == len("a=[1,2],")
    assert wrapped("one two\nthree", 7) == ["one two", "three"]
