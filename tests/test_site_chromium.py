"""The built site in a browser, wide and narrow: nothing is cut off, pictures have words, search finds."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.helpers.chromium import CHROMIUM, chromium, opened
from tests.helpers.paths import ROOT

pytest.importorskip("playwright", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium")
SITE = ROOT / "build" / "docs"
FAULTS = """() => {
    const page = document.documentElement, found = [];
    const scrolls = element => {
        for (let e = element; e && e.tagName != 'BODY'; e = e.parentElement)
            if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return true;
        return false;
    };
    if (page.scrollWidth > page.clientWidth + 1) found.push(`the page is ${page.scrollWidth} wide`);
    for (const image of document.querySelectorAll('main img, article img'))
        if (!image.alt || /^[0-9a-f]{16,}|\\.(png|svg)$/.test(image.alt))
            found.push(`no words for ${image.src}`);
    for (const code of document.querySelectorAll('pre'))
        if (code.scrollWidth > code.clientWidth + 1 && !scrolls(code))
            found.push(`cut off: ${code.innerText.slice(0, 60)}`);
    for (const table of document.querySelectorAll('table'))
        if (table.getBoundingClientRect().right > page.clientWidth + 1 && !scrolls(table.parentElement))
            found.push(`cut off: ${table.innerText.slice(0, 60)}`);
    return found;
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the built site."""
    if not (SITE / "docs" / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join(10)


def names() -> list[str]:
    """Return the paths of all pages but those that lead on to another."""
    pages = (path for path in SITE.rglob("*.html") if not {"_static", "_modules"} & {*path.parts})
    return sorted(p.relative_to(SITE).as_posix() for p in pages if "http-equiv" not in p.read_text("utf-8"))


@pytest.mark.seconds(60)
@pytest.mark.parametrize("width", [1300, 390])
def test_nothing_is_cut_off_or_asked_of_others(address, width) -> None:
    with chromium() as browser, opened(browser, width) as page:
        faults = {}
        for name in names():
            page.goto(address + name)
            if found := page.evaluate(FAULTS):
                faults[name] = found
        assert not faults
    assert len(names()) > 80


@pytest.mark.seconds(10)
def test_search_finds_what_learners_look_for(address) -> None:
    with chromium() as browser, opened(browser) as page:
        for words in ("CSV", "glossary", "troubleshooting", "exploitability"):
            page.goto(f"{address}search.html?q={words}")
            page.wait_for_selector("#search-results li", timeout=20_000)
        page.goto(f"{address}docs/index.html")
        assert page.locator("link[rel*=icon]").count() == 1
