"""Fixtures of tests in a real browser, which are skipped where there is none."""

import pytest

from tests.helpers.chromium import CHROMIUM, chromium, servers


@pytest.fixture
def browser():
    """The browser of this machine."""
    pytest.importorskip("starlette", reason="the extra treeplex[browser] is not installed")
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with chromium() as found:
        yield found


@pytest.fixture
def serve(browser):
    """A function that starts a server of some sources and returns its address; all end with the test."""
    with servers() as call:
        yield call
