"""Every kind of page as axe-core sees it: no violation of its rules, in light and dark."""

import pytest

from tests.helpers.chromium import opened
from tests.helpers.report_files import VERIFIED, course, written
from tests.helpers.sampled_blueprints import written_blueprint

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""All rules that axe-core has as default, its best practices too, and how large a link must be."""
LEDUC = "leduc_poker(ranks=2,raises=1)"
NODES = "/s/leduc_poker-ranks-2-raises-1"
MOST_ROWS = 20
"""Rows of a table that are looked at: others are alike, and a thousand take a minute."""
SHORTENED = f"""
document.querySelectorAll("#table tbody tr:nth-child(n + {MOST_ROWS + 1})").forEach(row => row.remove())
"""
FLOP = "flop_holdem(ranks=4,suits=2,raises=[0,1])"
PAGES = {
    "index": "/",
    "node": f"{NODES}?line=c",
    "values": f"{NODES}?map=ev",
    "grid and hands": "/s/example-river?line=cr50",
    "next cards": f"{NODES}?line=cc/",
    "beside": f"{NODES}/beside?other-line=c",
    "states beside": "/s/coin_toss/beside?other-line=:Play",
    "public state": "/s/coin_toss?line=:Play",
    "buckets": "/s/flop_holdem-ranks-4-suits-2-raises-0-1-b-npz/buckets?line=cc/&board=AhKsQh",
    "report": "/r/r-json",
    "trace": "/r/t-csv",
    "seat": f"{NODES}/seat",
    "end of a hand": f"{NODES}/seat?moves=r,r",
    "training": f"{NODES}/train?line=r",
    "training answered": f"{NODES}/train?line=r&action=c",
}


def violations(page):
    """Return what axe-core finds on a page: the rule, what it asks for, and where that is not so."""
    page.evaluate(SHORTENED)
    found = axe.Axe().run(page, options=OPTIONS).response
    assert len(found["passes"]) > 20
    return [
        (one["id"], one["help"], [node["html"] for node in one["nodes"]][:3]) for one in found["violations"]
    ]


@pytest.mark.seconds(25)
def test_axe_finds_no_violation(serve, browser, tmp_path):
    strategy, buckets = written_blueprint(tmp_path, FLOP, (None, 6))
    blueprint = (f"{FLOP}={strategy}", "--abstraction", buckets)
    reports = (written(tmp_path, VERIFIED), course(tmp_path))
    server = serve("example:river", LEDUC, "coin_toss", *blueprint, *reports).rstrip("/")
    found = {}
    for scheme, width in (("light", 1200), ("dark", 390)):
        with opened(browser, width, color_scheme=scheme) as page:
            for kind, place in PAGES.items():
                page.goto(f"{server}{place}")
                if wrong := violations(page):
                    found[kind, scheme] = wrong
    assert found == {}


@pytest.mark.seconds(5)
def test_axe_finds_a_planted_violation(serve, browser):
    server = serve("coin_toss")
    with opened(browser) as page:
        page.goto(server)
        page.evaluate("document.querySelector('h1').style.color = 'light-dark(#bbb, #444)'")
        page.evaluate("document.documentElement.removeAttribute('lang')")
        assert {rule for rule, _, _ in violations(page)} == {"color-contrast", "html-has-lang"}
