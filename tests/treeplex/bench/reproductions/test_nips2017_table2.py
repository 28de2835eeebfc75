"""Table 2 on a game with one class of flops: orderings, and kept answers judged again without a solver."""

import json
from functools import partial
from pathlib import Path

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.bench.reproductions import nips2017_table2
from treeplex.bench.reproductions.nips2017_table2 import COARSE, FULL
from treeplex.bench.reproductions.reproduction import Settings
from treeplex.games.poker.named import no_limit_flop_holdem
from treeplex.subgames.nested_value import SeatValue

pytestmark = pytest.mark.seconds(20)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    rows = ["translation", "reach-maxmargin", "unsafe (expensive)"]
    (found,) = tp.reproduce("nips2017-table2", rows=rows, flops=1, keep=folder, threads=2).tables
    return folder, {row.name: row.ours for row in found.rows}, found


def test_unsafe_answers_lose_most(table):
    # With one flop, face down but known, translation loses next to nothing: see docs/SUBGAMES.md.
    _, rows, _ = table
    assert rows["unsafe (expensive)"][0] > 5 * rows["reach-maxmargin"][0]
    assert rows["unsafe (expensive)"][0] > 5 * rows["translation"][0]
    assert all(row[0] == pytest.approx((row[1] + row[2]) / 2) for row in rows.values())


@over(["reach-maxmargin", "unsafe-expensive"])
def test_kept_answers_are_judged_to_the_same(row, table, capsys):
    folder, rows, _ = table
    game = no_limit_flop_holdem(bets=FULL, flops=1).name
    found = json.loads(printed(capsys, "check", game, str(folder / row), "--json"))
    name = row.replace("-expensive", " (expensive)")
    # The same bits in chips; the table's unit is a thousandth of a big blind.
    assert 10 * found["exploitability"] == pytest.approx(rows[name][0], rel=1e-14)
    assert [10 * one for one in found["best_response"]] == pytest.approx(rows[name][1:], rel=1e-14)


def test_kept_answers_of_another_game_are_refused(table, complaint):
    folder, _, _ = table
    game = no_limit_flop_holdem(bets=COARSE, flops=1).name
    assert "holds answers of" in complaint("check", game, str(folder / "reach-maxmargin"))
    assert "must hold kept answers" in complaint("check", game, str(Path(folder)))


@pytest.mark.seconds(1)
def test_rows_are_of_both_seats_and_of_the_answers_they_name(monkeypatch):
    asked = []

    def value(seat, answers, store=None):
        assert answers.iterations == 7
        asked.append((seat.menus.defender, answers.way.approach, answers.way.on_hands().name))
        return SeatValue(best_response=1.0 + 2.0 * seat.menus.defender, within_menu=0.0)

    tiny = partial(no_limit_flop_holdem, 4, 2)
    monkeypatch.setattr(nips2017_table2, "no_limit_flop_holdem", tiny)
    monkeypatch.setattr(nips2017_table2, "nested_value", value)
    monkeypatch.setattr(nips2017_table2, "BLUEPRINT_ITERATIONS", 3)
    rows = ["resolve", "unsafe (expensive)", "reach-maxmargin (expensive)"]
    (found,) = tp.reproduce("nips2017-table2", rows=rows, flops=1, iterations=7).tables
    assert "averages of 7 iterations of discounted CFR, the blueprint of 3" in found.notes[-1]
    assert sorted(asked, key=lambda one: one[::-2]) == [
        *((seat, "expensive", "reach-maxmargin") for seat in (0, 1)),
        *((seat, "inexpensive", "resolve") for seat in (0, 1)),
        *((seat, "expensive", "unsafe") for seat in (0, 1)),
    ]
    assert [row.ours for row in found.rows] == [(20.0, 10.0, 30.0)] * 3


@pytest.mark.seconds(2)
def test_a_folder_goes_on_with_its_iterations_alone(monkeypatch, tmp_path):
    tiny = partial(no_limit_flop_holdem, 4, 2, stack=500)
    monkeypatch.setattr(nips2017_table2, "no_limit_flop_holdem", tiny)
    monkeypatch.setattr(nips2017_table2, "BLUEPRINT_ITERATIONS", 3)
    run = partial(tp.reproduce, "nips2017-table2", flops=1, checkpoint=tmp_path)
    first, again = (run(rows=["maxmargin"], iterations=2) for _ in range(2))
    assert first.tables == again.tables
    assert first.estimate.seconds > 0.0 == again.estimate.seconds
    more = [run(rows=rows, iterations=2).estimate.seconds for rows in (["resolve"], ["resolve", "maxmargin"])]
    assert first.estimate.seconds > more[0] > 0.0 == more[1]
    rows = ["translation", "maxmargin"]
    with pytest.raises(ValueError, match="maxmargin/player0 holds another run: its iterations is 2, not 3"):
        run(rows=rows, iterations=3)
    assert not [*(tmp_path / "translation").rglob("flop*")]  # it is refused before any row is computed
    run(rows=rows, iterations=2)
    run(rows=["translation"], iterations=3)  # which takes none


@pytest.mark.seconds(1)
def test_more_iterations_of_answers_take_longer():
    rows = [row for row in nips2017_table2.NIPS2017_TABLE2.rows if row != "translation"]
    hours = [
        nips2017_table2.NIPS2017_TABLE2.estimate(Settings(rows=tuple(rows), iterations=n)).seconds / 3600
        for n in (None, 300, 600, 900)
    ]
    assert hours[0] == hours[1]
    assert hours[2] - hours[1] == pytest.approx(hours[3] - hours[2])
    assert hours[2] < 2 * hours[1]  # the blueprint takes what it took
