"""Table 2 of Lisy and Bowling (2017): menus, rows beside print, and what needs few hands."""

from dataclasses import replace
from fractions import Fraction

import pytest

from treeplex.bench.reproductions import lisy2017_table2
from treeplex.bench.reproductions.lisy2017_table2 import (
    BIG_BLIND,
    LISY2017_TABLE2,
    MENUS,
    PLAYERS,
    PRINTED,
    ROWS,
    beside,
    measured,
)
from treeplex.bench.reproductions.reproduction import Settings
from treeplex.core.progress import silent
from treeplex.games.poker.named import no_limit_holdem


def test_menus_are_those_of_the_paper():
    assert [len(MENUS[name].bets) for name in ("fc", "fcpa", "56 bets")] == [0, 2, 56]
    assert MENUS["56 bets"].bets[:2] == (Fraction(1, 20), Fraction(23, 400))
    game = no_limit_holdem()
    labels = {name: [label for label, _ in game.moves(game.start(), menu)] for name, menu in MENUS.items()}
    assert labels["fc"] == ["f", "c"]
    assert labels["fcpa"] == ["f", "c", "r300", "r20000"]
    # Small sizes are the least raise, sizes are whole chips, and the largest is 94.9 pots of 200.
    assert labels["56 bets"][2:4] == ["r200", "r208"]
    assert labels["56 bets"][-2:] == ["r19053", "r20000"]


def test_rows_and_columns_are_those_of_the_paper_and_some_by_name():
    assert LISY2017_TABLE2.chosen(Settings()) == ("fc 1-4", "fc 3-4", "fcpa 1-4", "fcpa 3-4")
    assert LISY2017_TABLE2.chosen_columns(Settings()) == ("call", "half call, half raise", "random")
    assert {row for row, _ in PRINTED} <= {*ROWS}
    assert {column for _, column in PRINTED} <= {*PLAYERS}
    one, all_ = (LISY2017_TABLE2.estimate(Settings(rows=rows)) for rows in (("fc 3-4",), ()))
    assert one.seconds < all_.seconds / 2


def test_a_table_says_whether_it_agrees_with_print(monkeypatch):
    few = {name: replace(row, hands=5) for name, row in ROWS.items()}
    monkeypatch.setattr(lisy2017_table2, "ROWS", few)
    (table,) = LISY2017_TABLE2.run(Settings(rows=("fcpa 3-4",), columns=("fold",)), silent)
    (row,) = table.rows
    assert row.ours[:3] == (0.75, 0.0, 10.0)
    assert row.printed == (0.75, 0.0)
    assert row.note.startswith("agrees with print")
    assert beside(10.0, 0.5, (12.0, 0.98)).startswith("differs from print, 2.8")
    assert beside(11.0, 0.5, (12.0, 0.98)).startswith("agrees with print, 1.4")


def test_more_bets_than_all_in_are_useless_against_always_call():
    """Against who never folds the largest bet is best: all menus with all-in win the same."""
    pot, many = (measured(row, "call", 20, silent).ours[:2] for row in ("fcpa 3-4", "56 bets 3-4"))
    assert pot == pytest.approx(many, rel=1e-12)


def test_big_blinds_are_the_unit():
    assert no_limit_holdem().betting.min_bet == BIG_BLIND
