"""Terminals of any width: no number is cut or broken over lines; widths that are none are ignored."""

import re
from collections import Counter

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from tests.helpers.two_tiers import two_tiers
from treeplex.cli.printing import show
from treeplex.solving.theory import theory
from treeplex.views.catalogue import catalogue
from treeplex.views.size import size

WIDTHS = 1, 5, 20, 40, 60, 80, 100
WIDE = 200
NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?:/\d+)?")
CRAMPED = "no_limit_leduc(ranks=2,suits=2,bets=[1/2,3/4,1])"


def crosschecked():
    return tp.crosscheck("matrix_game(payoff=[[3,-1],[-2,4/7]])")


CONTENTS = {
    "result": lambda: tp.solve("leduc_poker", target=1e-3),
    "result of sampling": lambda: tp.solve("leduc_poker", "mccfr-external", iterations=1000),
    "theory": lambda: theory("kuhn_poker", "cfr+", 10),
    "sampled theory": lambda: theory("kuhn_poker", "mccfr-outcome", 10),
    "resolution": lambda: tp.resolve("leduc_poker", 0, blueprint="uniform"),
    "depth-limited": lambda: tp.depth_limited("leduc_poker", 0),
    "nested": lambda: tp.nested(CRAMPED, "1/2,1", 1),
    "translation": lambda: tp.translate(CRAMPED, "1/2,1", 1),
    "games": catalogue,
    "tree": lambda: tp.draw("kuhn_poker"),
    "gadget game": lambda: tp.draw("coin_toss", at="all", defender=1, gadget="resolve"),
}
COSTLY = {
    "crosscheck": crosschecked,
    "sizes": lambda: size("no_limit_holdem"),
    "expected values": lambda: tp.show("push_fold(stack=20000)", map="ev"),
}


def text_at(width, content, monkeypatch, capsys):
    """Return what is printed in a terminal of a width."""
    monkeypatch.setenv("COLUMNS", str(width))
    show(content)
    return capsys.readouterr().out


@two_tiers(CONTENTS, COSTLY, seconds=(3, 3))
def test_numbers_stay_whole_and_lines_short(name, monkeypatch, capsys):
    content = (CONTENTS | COSTLY)[name]()
    wide = Counter(NUMBER.findall(text_at(WIDE, content, monkeypatch, capsys)))
    assert len(wide) > 4
    for width in WIDTHS:
        text = text_at(width, content, monkeypatch, capsys)
        narrow = Counter(NUMBER.findall(text))
        assert set(narrow) == set(wide), width
        assert narrow >= wide, width  # a list says headers, and their numbers, in every row
        for line in text.splitlines():
            assert len(line) <= width or len(re.sub(r"[│├└─ ]+", " ", line).split()) <= 1, line


def test_frequencies_in_a_legend_stay_whole(monkeypatch, capsys):
    content = tp.show("leduc_poker")
    entries = re.findall(r"[\d.]+%", text_at(WIDE, content, monkeypatch, capsys))
    assert len(entries) == 2
    for width in WIDTHS:
        assert re.findall(r"[\d.]+%", text_at(width, content, monkeypatch, capsys)) == entries


@over(["0", "abc", "-5", "1e9", "", " ", "²", "1000000000", "9" * 5000])
def test_widths_that_are_none_are_ignored(columns, monkeypatch, capsys):
    usual = printed(capsys, "games", "leduc_poker")
    monkeypatch.setenv("COLUMNS", columns)
    assert re.sub(r"seconds.*", "", printed(capsys, "games", "leduc_poker")) == re.sub(
        r"seconds.*", "", usual
    )


def test_a_table_that_does_not_fit_is_a_list(monkeypatch, capsys):
    content = crosschecked()
    assert "method" in text_at(WIDE, content, monkeypatch, capsys).splitlines()[1]
    lines = text_at(40, content, monkeypatch, capsys).splitlines()
    assert lines[1].split() == ["method", "lp", "(simplex)"]
    assert lines[lines.index("") - 1].split()[0] == "seconds"
