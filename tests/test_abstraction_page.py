"""The programs of docs/ABSTRACTION.md run as they stand, and its numbers are those of the code."""

import re

import numpy as np

from tests.helpers.paths import ROOT
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.counting.deal_counts import count_deals

PAGE = (ROOT / "docs" / "ABSTRACTION.md").read_text(encoding="utf-8")


def test_the_programs_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for program in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(program, names)
    assert names["flops"].size == 1_286_792
    assert "lossless" in capsys.readouterr().out
    again = names["tp"].read_abstraction("random.npz")
    assert again.identity == names["own"].identity
    assert np.array_equal(again.streets[1].table, names["table"])


def test_sizes_are_those_of_the_code():
    rows = re.findall(
        r"^\| [a-z ,]+ \| ([\d, ]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) (\w+) \|$", PAGE, flags=re.MULTILINE
    )
    assert len(rows) == 6
    for cards, deals, classes, size, unit in rows:
        rounds = tuple(int(n) for n in cards.split(","))
        assert count_deals(52, rounds) == int(deals.replace(",", ""))
        found = HandIndex(Deck(13, 4, False), rounds).size
        assert found == int(classes.replace(",", ""))
        scale = {"B": 1, "MB": 1e6, "GB": 1e9}[unit]
        assert float(f"{2 * found / scale:.{len(size.partition('.')[2])}f}") == float(size)
