"""The course of runs as curves: traces of any program, results, theories with their bounds."""

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.files.trace_file import COLUMNS

HEAD = ",".join(COLUMNS) + "\n"


@pytest.fixture(scope="module")
def kuhn():
    """Traced runs of two methods on Kuhn poker."""
    return {method: tp.solve("kuhn_poker", method, iterations=60, traced=True) for method in ("cfr", "dcfr")}


def trace(path, rows, **columns):
    table = pd.DataFrame(rows, columns=["iterations", "nash_conv"]).assign(**columns)
    table.to_csv(path, index=False)
    return path


# what is drawn


def test_curves_are_what_was_proved(kuhn):
    drawn = tp.plot(list(kuhn.values()))
    assert [curve.label for curve in drawn.curves] == ["cfr", "dcfr"]
    assert (drawn.title, drawn.x_label) == ("kuhn_poker", "iterations")
    for curve, found in zip(drawn.curves, kuhn.values(), strict=True):
        assert curve.x.tolist() == [point.iterations for point in found.trace]
        assert curve.y.tolist() == [point.certificate.nash_conv for point in found.trace]
        assert curve.unit == "chips"
    axes = drawn.figure().axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("iterations", "NashConv, chips")
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    looks = [(line.get_color(), line.get_marker()) for line in axes.lines]
    assert all(a != b for a, b in zip(*looks, strict=True))


def test_a_file_of_any_program_will_do(tmp_path):
    path = trace(tmp_path / "mine.csv", [(1, 0.5), (10, 0.05), (100, 0.0)])
    drawn = tp.plot([path])
    assert [(curve.label, curve.unit) for curve in drawn.curves] == [("mine", "")]
    axes = drawn.figure().axes[0]
    assert axes.get_ylabel() == "NashConv"
    assert axes.lines[0].get_ydata()[:2].tolist() == [0.5, 0.05]
    assert np.isnan(axes.lines[0].get_ydata()[2])  # logarithms know no 0
    assert axes.get_legend().get_texts()[0].get_text() == "mine (1 of 3 points are 0)"


def test_by_seconds_and_touched_nodes(tmp_path, kuhn):
    by_time = tp.plot([kuhn["cfr"]], x="seconds")
    assert by_time.curves[0].x.tolist() == [point.seconds for point in kuhn["cfr"].trace]
    assert by_time.figure().axes[0].get_xlabel() == "seconds"
    path = trace(tmp_path / "mine.csv", [(1, 0.5), (2, 0.3)], nodes=[30, 60])
    by_nodes = tp.plot([path], x="nodes")
    assert by_nodes.curves[0].x.tolist() == [30, 60]
    assert by_nodes.figure().axes[0].get_xlabel() == "touched nodes"


def test_units_have_a_panel_each(tmp_path, kuhn):
    coins = tp.solve("coin_toss", "cfr", iterations=20, traced=True)
    two = tp.plot([kuhn["cfr"], coins])
    assert [axes.get_ylabel() for axes in two.figure().axes] == ["NashConv, chips", "NashConv, dollars"]
    assert [curve.label for curve in two.curves] == ["cfr, kuhn_poker", "cfr, coin_toss"]
    mine = trace(tmp_path / "mine.csv", [(1, 0.5)])
    (axes,) = tp.plot([mine, kuhn["cfr"]]).figure().axes
    assert axes.get_ylabel() == "NashConv, chips where a run names its unit"
    assert len(tp.plot([mine, kuhn["cfr"], coins]).figure().axes) == 3


def test_runs_that_are_alike_are_told_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    slow, fast = (trace(tmp_path / f"{n}.csv", [(1, 0.5)], game="g", method="cfr") for n in ("slow", "fast"))
    assert [curve.label for curve in tp.plot([slow, fast]).curves] == ["slow", "fast"]
    same = [trace(tmp_path / folder / "x.csv", [(1, 0.5)]) for folder in ("a", "b")]
    assert [curve.label for curve in tp.plot(same).curves] == ["x (1)", "x (2)"]


@over(["cfr", "cfr+", "dcfr"])
def test_a_theory_is_drawn_below_its_bounds(method):
    theory = tp.theory("kuhn_poker", method, 40)
    drawn = tp.plot([theory])
    (curve,) = drawn.curves
    names = ["proved bound, steps seen", "proved bound, a priori"]
    assert [bound.label for bound in curve.bounds] == names
    assert curve.y.tolist() == [row.nash_conv for row in theory.log.rows]
    for bound in curve.bounds:
        assert (bound.x[0], bound.x[-1]) == (1, 40)
        assert np.all(bound.y >= curve.y[bound.x.astype(int) - 1])
    (last,) = [bound.right for bound in theory.bounds if bound.name == "NashConv: a priori"]
    assert curve.bounds[1].y[-1] == pytest.approx(last, rel=1e-12)
    axes = drawn.figure().axes[0]
    lines = [line for line in axes.lines if len(line.get_xdata())]
    assert len({line.get_linestyle() for line in lines}) == 3
    assert len({line.get_color() for line in lines}) == 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [method, *names]


def test_kinds_of_bounds_are_named_once():
    axes = tp.plot([tp.theory("kuhn_poker", method, 10) for method in ("cfr", "dcfr")]).figure().axes[0]
    named = [text.get_text() for text in axes.get_legend().get_texts()]
    assert named == ["cfr", "dcfr", "proved bound, steps seen", "proved bound, a priori"]


def test_bounds_of_a_shorter_run_are_those_on_the_way():
    """The course of a run of 40 iterations has at iteration 7 what a run of 7 ends with."""
    long, short = (tp.theory("kuhn_poker", "cfr", n) for n in (40, 7))
    for course, end in zip(long.courses, short.courses, strict=True):
        place = course.iteration.tolist().index(7)
        assert course.bound[place] == pytest.approx(end.bound[-1], rel=1e-12)


def test_no_bound_is_drawn_where_none_is_proved():
    assert tp.theory("kuhn_poker", "pcfr+", 10).courses == ()


# files


@pytest.mark.seconds(3)
@over(["png", "svg", "pdf"])
def test_the_command_writes_a_picture(suffix, tmp_path, capsys):
    path = trace(tmp_path / "a.csv", [(1, 0.5), (2, 0.2)], seconds=[0.5, 0.75], game="kuhn_poker")
    out = tmp_path / f"a.{suffix}"
    assert run(["plot", str(path), "--x", "seconds", "--out", str(out)]) == SUCCESS
    assert capsys.readouterr().out == f"{out}\n"
    assert out.stat().st_size > 5000
    first = out.read_bytes()
    tp.plot([path], out, x="seconds")
    assert out.read_bytes() == first


def test_a_picture_shows_itself(kuhn):
    assert tp.plot([kuhn["cfr"]])._repr_png_()[0].startswith(b"\x89PNG")


# what goes wrong is one line


@pytest.mark.seconds(2)
@over(
    [
        (f"{HEAD}kuhn_poker,cfr,3,1,0,0,0,0,chips", "has nothing to draw: no NashConv above 0"),
        (f"{HEAD}kuhn_poker,cfr,3,1,0,0,0,inf,chips", "nash_conv must be finite numbers"),
        (f"{HEAD}kuhn_poker,cfr,many,1,0,0,0,0.5,chips", "iterations must be finite numbers"),
        (f"{HEAD}kuhn_poker,cfr,3,-1,0,0,0,0.5,chips", "seconds must be finite numbers of at least 0"),
        ("a,b\n1,2\n", "is no trace: it lacks iterations, nash_conv"),
        (HEAD, "is no trace: it lacks rows"),
    ]
)
def test_what_is_no_trace_is_refused(text, says, tmp_path, complaint):
    (tmp_path / "t.csv").write_text(text)
    assert says in complaint("plot", tmp_path / "t.csv", "--out", tmp_path / "a.png")


def test_columns_that_a_file_lacks_are_named(tmp_path, complaint):
    path = trace(tmp_path / "t.csv", [(1, 0.5)])
    said = complaint("plot", path, "--x", "seconds", "--out", tmp_path / "a.png")
    assert "t.csv has no column seconds: it has iterations, nash_conv" in said
    said = complaint("plot", path, "--x", "years", "--out", tmp_path / "a.png")
    assert "x must be one of iterations, seconds, nodes, got 'years'" in said
    assert "cannot read" in complaint("plot", tmp_path / "none.csv", "--out", tmp_path / "a.png")
    assert "must end in .png or .svg or .pdf" in complaint("plot", path, "--out", tmp_path / "a.gif")


def test_what_is_no_run_is_refused(kuhn):
    with pytest.raises(ValueError, match="at least one run, got none"):
        tp.plot([])
    never = pd.DataFrame({"iterations": [1], "nash_conv": [0.0], "method": "mine"})
    with pytest.raises(ValueError, match=r"^mine has nothing to draw"):
        tp.plot([kuhn["cfr"], never])
    with pytest.raises(TypeError, match="Results or Theories, got int"):
        tp.plot([3])
    with pytest.raises(ValueError, match="lp on public has no trace"):
        tp.plot([tp.solve("kuhn_poker", "lp")])
    with pytest.raises(ValueError, match="cfr in theory has no column seconds"):
        tp.plot([tp.theory("kuhn_poker", "cfr", 3)], x="seconds")


def test_tables_are_runs_like_files():
    table = pd.DataFrame({"iterations": [1, 2], "nash_conv": [0.5, 0.25], "nodes": [7, 14]})
    (curve,) = tp.plot([table], x="nodes").curves
    assert curve.label == "a table"
    for wrong in ({"iterations": [1]}, {"iterations": ["a"], "nash_conv": [1.0]}):
        with pytest.raises(ValueError, match="a table is no trace: "):
            tp.plot([pd.DataFrame(wrong)])
    with pytest.raises(TypeError, match="runs must be a list of paths of traces, tables like them"):
        tp.plot(table)
