"""Reproductions: printed figures beside ours, settings refused, tables in three formats."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.bench.reproductions.coin_toss import ALWAYS_TAILS, BETTER, COIN_TOSS, GUESSES
from treeplex.bench.reproductions.leduc_nested import LEDUC_NESTED
from treeplex.bench.reproductions.nips2017_table2 import NIPS2017_TABLE2, PRINTED
from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable
from treeplex.bench.reproductions.registry import REPRODUCTIONS, reproduction
from treeplex.bench.reproductions.reproduction import Settings
from treeplex.bench.reproductions.table_picture import TablePicture
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.games.base.number_texts import Estimate


@pytest.fixture(scope="module")
def coin_toss():
    return tp.reproduce("coin-toss")


def test_coin_toss_agrees_with_print_except_for_the_erratum(coin_toss):
    (table,) = coin_toss.tables
    assert [row.name for row in table.rows] == [*COIN_TOSS.rows]
    differing = [
        row.name
        for row in table.rows
        for ours, paper in zip(row.ours, row.printed, strict=True)
        if paper is not None and abs(ours - paper) > 1e-9
    ]
    assert differing == [BETTER] * 3
    assert sum(paper is not None for row in table.rows for paper in row.printed) == 21
    erratum = next(row for row in table.rows if row.name == BETTER)
    assert erratum.ours == pytest.approx((0.5, -0.5, 0.5), abs=1e-9)
    assert "erratum" in erratum.note


def test_methods_end_where_they_were_derived_to(coin_toss):
    found = {row.name: row.ours[0] for row in coin_toss.tables[0].rows}
    assert found["4: Unsafe on Figure 2"] == pytest.approx(3 / 4, abs=1e-9)
    assert found["5: Reach-Maxmargin on Figure 2"] == pytest.approx(1 / 4, abs=1e-9)
    assert [found[row] for row in ALWAYS_TAILS] == pytest.approx([1 / 4, 0, 1 / 4], abs=1e-9)


def test_rows_are_those_asked_for_in_the_order_of_the_table():
    first, *_, last = GUESSES
    found = tp.reproduce("coin-toss", rows=[last, first])
    assert [row.name for row in found.tables[0].rows] == [first, last]


@pytest.mark.seconds(20)
def test_nested_answers_on_leduc_keep_the_order_of_the_paper():
    (table,) = tp.reproduce("leduc-nested").tables
    assert [row.name for row in table.rows] == [*LEDUC_NESTED.rows]
    found = {row.name: row for row in table.rows}
    assert found["translation"].printed == (1465.0,)
    for method in ("resolve", "maxmargin", "reach-maxmargin"):
        assert all(3 * a < b for a, b in zip(found[method].ours, found["translation"].ours, strict=True))


@pytest.mark.seconds(20)
def test_unsafe_solving_harms_good_blueprints_and_helps_bad_ones():
    (table,) = tp.reproduce("leduc-subgames", rows=["unsafe", "maxmargin", "joint optimum"]).tables
    unsafe, maxmargin, joint = (row.ours for row in table.rows)
    assert unsafe[0] < maxmargin[0] < 1 < 50 < unsafe[-1]
    assert all(best < safe < 1 for best, safe in zip(joint, maxmargin, strict=True))


def test_table_2_names_the_rows_of_the_paper():
    assert [*PRINTED.values()] == sorted(PRINTED.values(), reverse=True)
    assert NIPS2017_TABLE2.rows[: len(PRINTED)] == (*PRINTED,)
    part, whole = (NIPS2017_TABLE2.estimate(Settings(flops=n)) for n in (30, None))
    assert part.seconds < whole.seconds / 10
    assert part.memory < whole.memory


def test_the_list_says_what_each_takes(capsys):
    listed = json.loads(printed(capsys, "reproduce", "--json"))["reproductions"]
    assert [one["name"] for one in listed] == [*REPRODUCTIONS]
    assert all(one["source"] and one["rows"] and one["estimate"]["seconds"] > 0 for one in listed)
    text = printed(capsys, "reproduce")
    assert all(name in text for name in REPRODUCTIONS)


def test_a_command_says_what_it_takes_first(capsys):
    assert run(["reproduce", "coin-toss", "--rows", "2: always tails,2: always heads"]) == SUCCESS
    out, err = capsys.readouterr()
    assert err == "treeplex: coin-toss: about 2 s, 300 MiB of memory\n"
    assert out.index("2: always heads") < out.index("2: always tails")
    assert "5: " not in out


@over(["md", "json"])
def test_tables_are_written(suffix, capsys, tmp_path):
    out = Path(tmp_path, f"coin.{suffix}")
    assert run(["reproduce", "coin-toss", "--json", "--out", str(out)]) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    text = out.read_text(encoding="utf-8")
    if suffix == "json":
        assert json.loads(text)["tables"] == found["tables"]
    else:
        assert "| 2: always heads | 0.750 | 0.750 | -1.000 | - | 1.000 | 1.000 |" in text
    assert found["tables"][0]["rows"][0]["printed"] == {"best response": 0.75, "heads": None, "tails": 1.0}


@pytest.mark.seconds(2)
def test_tables_are_drawn_as_bars(tmp_path):
    """A bar for each number that there is, of each column and beside it what is printed of it."""
    found = tp.reproduce("coin-toss")
    bars = TablePicture.of(found.tables)
    for axes, table in zip(bars.figure().axes, bars.tables, strict=True):
        widths = [[bar.get_width() for bar in one] for one in axes.containers]
        assert len(widths) == len(table.columns) + len({*table.columns} & {*table.printed})
        assert widths[0] == [row.ours[0] for row in table.rows]
        at = table.printed.index(table.columns[0])
        printed = [row.printed[at] for row in table.rows]
        np.testing.assert_array_equal(widths[1], [np.nan if one is None else one for one in printed])
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert labels[:2] == [table.columns[0], f"{table.columns[0]} (paper)"]
        assert [text.get_text() for text in axes.get_yticklabels()] == [row.name for row in table.rows]
        assert axes.get_xscale() == "linear"
        assert sum(one[0].get_height() for one in axes.containers) < 1.0  # bars of two rows do not overlap
    out = tmp_path / "coin.svg"
    assert run(["reproduce", "coin-toss", "--out", str(out)]) == SUCCESS
    assert out.read_text(encoding="utf-8").startswith("<?xml")
    rows = PrintedRow("r", (1.0,)), PrintedRow("s", (99.0,))
    wide = PrintedTable(title="wide", source="", unit="x", columns=("a",), rows=rows)
    assert [axes.get_xscale() for axes in TablePicture.of([wide]).figure().axes] == ["log"]


def test_tables_by_iterations_are_drawn_as_curves():
    """A curve a row through the numbers that there are, by iterations; other columns are bars below."""
    rows = PrintedRow("r", (40.0, 2.0, 1.0, 5.0)), PrintedRow("s", (3.0, None, 2.0, None))
    table = PrintedTable(title="t", source="", unit="x", columns=("10", "40", "20", "MB"), rows=rows)
    curves, bars = TablePicture.of([table]).figure().axes
    assert [line.get_label() for line in curves.lines] == ["r", "s"]
    assert [line.get_xydata().tolist() for line in curves.lines] == [
        [[10.0, 40.0], [20.0, 1.0], [40.0, 2.0]],
        [[10.0, 3.0], [20.0, 2.0]],
    ]
    assert (curves.get_xscale(), curves.get_yscale(), curves.get_xlabel()) == ("log", "log", "iterations")
    assert {line.get_marker() for line in curves.lines} == {"."}  # a single number is seen too
    assert bars.get_xlabel() == "MB"
    np.testing.assert_array_equal([bar.get_width() for bar in bars.patches], [5.0, np.nan])
    assert [(text.get_text(), text.xy[1]) for text in bars.texts] == [("-", 1)]
    only = PrintedTable(title="t", source="", unit="x", columns=("10",), rows=(PrintedRow("r", (None,)),))
    assert [line.get_xydata().size for line in TablePicture.of([only]).figure().axes[0].lines] == [0]
    beside = PrintedTable(
        title="b",
        source="",
        unit="x",
        columns=("a",),
        printed=("a",),
        rows=(PrintedRow("r", (1.0,), (2.0,)),),
    )
    assert TablePicture.of([table, beside]).tables == (table, beside)
    zero = replace(only, columns=("0", "10"), rows=(PrintedRow("r", (4.0, 3.0)),), along="gifts times")
    (axes,) = TablePicture.of([zero]).figure().axes
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()) == ("symlog", "linear", "gifts times")
    assert axes.lines[0].get_xydata().tolist() == [[0.0, 4.0], [10.0, 3.0]]
    # Bars have an axis of their own.
    large = replace(zero, columns=("0", "10", "MB"), rows=(PrintedRow("r", (4.0, 3.0, 900.0)),))
    assert TablePicture.of([large]).figure().axes[0].get_yscale() == "linear"
    negative = replace(zero, rows=(PrintedRow("r", (-1.0, 50.0)),))  # a logarithm would hide a point
    assert TablePicture.of([negative]).figure().axes[0].get_yscale() == "linear"


@over(
    [
        (["coin-tos"], "name must be one of coin-toss, leduc-subgames"),
        (["coin-toss", "--flops", "30"], "coin-toss takes no flops, got 30"),
        (["coin-toss", "--checkpoint", "runs"], "coin-toss takes no checkpoint, got 'runs'"),
        (["coin-toss", "--keep", "plans"], "coin-toss takes no keep"),
        (["coin-toss", "--rows", "3"], "rows of coin-toss must be of 2: always heads"),
        (["coin-toss", "--rows", ""], "rows must be names with commas between them, got ''"),
        (["coin-toss", "--columns", ""], "columns must be names with commas between them, got ''"),
        (["nips2017-table2", "--flops", "0"], "flops must be an integer from 1 up, got 0"),
        (["nips2017-table2", "--threads", "0"], "threads must be an integer from 1 up, got 0"),
        (["--flops", "30"], "options are for the reproduction that NAME says"),
        (
            ["coin-toss", "--out", "coin.csv"],
            "a reproduction must end in .json or .md or .png or .svg or .pdf, got coin.csv",
        ),
    ]
)
def test_bad_settings_are_refused_in_one_line(arguments, said, complaint):
    assert said in complaint("reproduce", *arguments)


def test_texts_of_estimates_and_tables():
    assert str(Estimate(90, 2**30, 5 * 2**20)) == "about 2 min, 1.0 GiB of memory, 5 MiB on disk"
    assert str(Estimate(5000, 1)) == "about 1.4 h, 1 MiB of memory"
    table = PrintedTable(
        title="T", source="S", unit="U", columns=("a", "b"), printed=("b", "c"),
        rows=(PrintedRow("r", (1.0, -1e-9), (2.0, 3.5), "why"),), decimals=2,
    )  # fmt: skip
    assert table.headers == ("", "a", "b", "(paper)", "c")
    assert table.cells(table.rows[0]) == ("r", "1.00", "0.00", "2.00", "3.5")
    assert table.sentences == ("r: why",)
    with pytest.raises(ValueError, match="must have 2 and 0 numbers, got 1 and 0"):
        PrintedTable(title="", source="", unit="", columns=("a", "b"), rows=(PrintedRow("r", (1.0,)),))
    with pytest.raises(ValueError, match="name must be one of"):
        reproduction("")
