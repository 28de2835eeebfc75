"""Pages of reports in a real browser: nothing on the console, no other site, tables that keys can read."""

import pytest

import treeplex as tp
from tests.helpers.chromium import opened, told
from tests.helpers.report_files import VERIFIED, course, written

ESTIMATED = {
    "estimator": "mine:estimate",
    "verdict": "biased",
    "trials": [
        {"game": f"kuhn_poker({k})", "known": "both", "bias": k / 8, "term": "chance"} for k in range(40)
    ],
}
"""What ``examine --estimator --json`` prints, in short."""
TABLES = {
    "verify-json": ["Theorems", "The comparison with the least slack", "Sources"],
    "examine-json": ["Games"],
    "challenge-json": ["Strategies", "The game"],
    "estimator-json": ["Trials"],
    "t-csv": ["Points"],
}
"""The tables of each page."""


@pytest.fixture
def files(tmp_path):
    """A file of each kind of report."""
    examined = tp.examine("treeplex:cfr+", ["kuhn_poker"], iterations=16).as_json()
    challenged = tp.challenge("treeplex.examples.faults:TripledGifts", "safe", games=63).as_json()
    found = {"verify": VERIFIED, "examine": examined, "challenge": challenged, "estimator": ESTIMATED}
    return [*(written(tmp_path, one, f"{name}.json") for name, one in found.items()), course(tmp_path)]


@pytest.mark.seconds(20)
def test_reports_are_read_by_keys(serve, browser, files):
    server = serve(*files)
    for name, titles in TABLES.items():
        with opened(browser, 390) as page:
            page.goto(f"{server}r/{name}")
            assert told(page, f"/r/{name}.json")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert [one.inner_text() for one in page.locator("section h2").all()] == titles
            reached = tabbed(page)
            regions = [one for one in reached if one.startswith("Table: ")]
            assert regions == [f"Table: {title}" for title in titles]
            heads = page.locator("#table thead button").all_inner_texts()
            assert [one for one in reached if one in heads] == heads  # each heading, in order
            first = page.locator("#table thead th").first
            page.locator("#table thead button").first.focus()
            page.keyboard.press("Enter")
            assert first.get_attribute("aria-sort") == "descending"
            cells = page.locator("#table tbody tr th").all_inner_texts()
            assert cells == sorted(cells, key=sorting(cells), reverse=True)
            page.keyboard.press("/")
            page.keyboard.type(cells[0].lower())
            assert cells[0] in page.locator("#table tbody tr:visible th").all_inner_texts()
            page.keyboard.press("Escape")
            assert page.locator("#table tbody tr:visible").count() == len(cells)


def tabbed(page):
    """Return the names of what the key Tab stops at, from the top of the page to its end."""
    name = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    found = []
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        found.append(page.evaluate(name))
    return found


def sorting(cells):
    """Return by what cells are sorted: numbers as numbers, else as the browser compares words."""
    numbers = all(one.replace(",", "").replace(".", "").isdigit() for one in cells)
    return (lambda text: float(text.replace(",", ""))) if numbers else str.casefold


@pytest.mark.seconds(10)
def test_wide_tables_are_moved_by_keys(serve, browser, tmp_path):
    # Frames are awaited in the page: what polls from outside evaluates texts there, which the page forbids.
    scrolled = """async region => {
        for (let n = 0; n < 300 && region.scrollLeft === 0; n++) await new Promise(requestAnimationFrame)
        return region.scrollLeft
    }"""
    server = serve(written(tmp_path, VERIFIED))
    with opened(browser, 390) as page:
        page.goto(f"{server}r/r-json")
        page.focus("[role=region] >> nth=0")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        assert page.eval_on_selector("[role=region]", scrolled) > 0


@pytest.mark.seconds(10)
def test_the_picture_of_a_course_is_drawn(serve, browser, tmp_path):
    server = serve(course(tmp_path))
    with opened(browser) as page:
        page.goto(f"{server}r/t-csv")
        assert page.evaluate("document.querySelector('.curve').naturalWidth") > 100
        assert page.get_attribute(".curve", "alt").startswith("NashConv by iterations")
        page.goto(f"{server}r/t-csv/curve.svg")  # which the browser has, and is told to be as it was
        assert page.evaluate("document.documentElement.tagName") == "svg"
