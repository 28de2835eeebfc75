"""Pages of the strategy browser as tests ask for them: a client without a network, and numbers in HTML."""

import warnings
from html.parser import HTMLParser

import pytest

pytest.importorskip("starlette", reason="the extra treeplex[browser] is not installed")

from treeplex.browser.pages import application
from treeplex.browser.reports import reports_of
from treeplex.browser.solutions import solutions_of
from treeplex.core.progress import silent

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette prefers another client, which does the same
    from starlette.testclient import TestClient


def client(*sources, reports=(), **options):
    """Return a client of an application that shows some solutions, as a browser on this machine asks."""
    solutions = solutions_of(sources, progress=silent, has_others=bool(reports), **options)
    app = application(solutions, reports_of(reports))
    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=True)


class _Numbers(HTMLParser):
    """Collects the exact numbers that a page holds: of actions, and of each row of its table."""

    def __init__(self):
        super().__init__()
        self.actions, self.rows, self.classes = [], [], []
        self._within = None

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "data":
            self.actions.append(_number(given["value"]))
        elif tag == "tr" and "data-class" in given:
            self.rows.append((given["data-class"], []))
        elif tag == "td" and "data-v" in given:
            self.rows[-1][1].append(_number(given["data-v"]))
        elif tag == "td" and "data-class" in given:
            self.classes.append((given["data-class"], given.get("class", "")))


def _number(text):
    return float(text) if text else None


def numbers(html):
    """Return the numbers of a page: its actions' shares, its table's rows, the classes of its grid."""
    found = _Numbers()
    found.feed(html)
    return found
