"""Pages of what the bench and traced runs wrote: the numbers of the files, and what is refused."""

import csv
import re

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.pages import client
from tests.helpers.report_files import VERIFIED, course, written
from treeplex.browser.reports import is_report, read_report
from treeplex.files.figure_file import figure_bytes


def cells(text):
    """Return the exact values and texts of the cells of a page."""
    return re.findall(r'<t[dh](?: scope="row")? data-v="([^"]*)"(?: class="word")?>([^<]*)<', text)


def test_a_verification_is_shown_with_its_measures(tmp_path):
    path = written(tmp_path, VERIFIED)
    with client(reports=(path, path)) as asked:
        text = asked.get("/r/r-json").text
        assert 'href="/r/r-json-2"' in asked.get("/").text
        assert asked.get("/r/r-json.json").json() == VERIFIED
    found = cells(text)
    assert found[:5] == [
        ("folk-theorem", "folk-theorem"),
        ("4", "4"),
        ("4000", "4,000"),
        ("0", "0"),
        ("-0.25", "-0.25"),
    ]
    assert ("0.75", "0.75") in found
    assert "Burch &lt;b&gt;" in text
    assert "not all" in text


def test_an_examination_is_shown(tmp_path):
    found = tp.examine("treeplex:cfr+", ["kuhn_poker"], iterations=64).as_json()
    with client(reports=(written(tmp_path, found),)) as asked:
        text = asked.get("/r/r-json").text
    (rung,) = found["rungs"]
    shown = {exact for exact, _ in cells(text)}
    assert {repr(rung["nash_conv"]), repr(rung["slope"]), rung["verdict"]} <= shown


@pytest.mark.seconds(8)
def test_a_challenge_is_shown_with_its_counterexample(tmp_path):
    found = tp.challenge("treeplex.examples.faults:TripledGifts", "safe", games=63).as_json()
    case = found["counterexample"]
    paths = (written(tmp_path, found), written(tmp_path, case, "case.json"))
    with client(reports=paths) as asked:
        pages = [asked.get(f"/r/{name}").text for name in ("r-json", "case-json")]
    assert "BROKEN" in pages[0]
    for text in pages:
        assert case["replay"] in text
        assert ("1", "1") in cells(text)
        for history in ("the start", "Heads", "Tails/Play/Heads"):
            assert (history, history) in cells(text)


@pytest.mark.seconds(2)
def test_the_course_of_a_run_is_the_picture_and_the_rows_of_its_trace(tmp_path):
    path = course(tmp_path)
    with client(reports=(str(path),)) as asked:
        text, picture = asked.get("/r/t-csv").text, asked.get("/r/t-csv/curve.svg")
        told = asked.get("/r/t-csv.json").json()
        again = asked.get("/r/t-csv/curve.svg", headers={"if-none-match": picture.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == picture.headers["content-security-policy"]
    assert picture.content == figure_bytes(tp.plot([path]).figure(), "svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    rows = [*csv.DictReader(path.read_text("utf-8").splitlines())]
    assert [row[told["columns"].index("nash_conv")] for row in told["rows"]] == [
        float(row["nash_conv"]) for row in rows
    ]
    shown = {exact for exact, _ in cells(text)}
    assert {repr(float(row[key])) for row in rows for key in ("lower", "upper", "nash_conv")} <= shown
    assert re.search(
        r'<img class="curve" src="/r/t-csv/curve.svg" alt="NashConv by iterations, [^"]+">', text
    )


@over(
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ('{"verdict": NaN}', "it is no JSON"),
        ([1], "must be what challenge --json, examine --json or verify --json printed, got list"),
        ({"a": 1, "b": 2}, "got 'a', 'b'; a strategy is SPEC=FILE"),
        ({**VERIFIED, "checks": [{}]}, "but 'name' is missing"),
        ({**VERIFIED, "checks": 3}, "but a value is of another kind"),
        ({"verdict": "wrong", "rungs": [3]}, "but a value is of another kind"),
    ]
)
def test_what_is_no_report(content, says, tmp_path):
    path = written(tmp_path, content)
    assert is_report(path)
    with pytest.raises(ValueError, match="is no report") as caught:
        read_report("x", path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_strategy_is_no_trace(tmp_path):
    assert not is_report(written(tmp_path, "player,infoset,action,probability\n", "s.csv"))
    assert is_report(written(tmp_path, "iterations,nash_conv\n1,2\n", "t.csv"))
    assert not is_report(str(tmp_path))
    assert not is_report("kuhn_poker")


def test_reports_that_are_not_there(tmp_path):
    with client(reports=(written(tmp_path, VERIFIED),)) as asked:
        for address, code in (
            ("/r/x", 404),
            ("/r/r-json/curve.svg", 404),
            ("/r/r-json?a=b", 400),
            ("/r/r-json/curve.svg?a", 400),
        ):
            answer = asked.get(address)
            assert (answer.status_code, answer.text.count("\n")) == (code, 1)
