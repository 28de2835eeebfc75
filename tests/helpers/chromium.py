"""A real browser without a window, and servers of sources that it asks: what tests of pages are made of."""

import os
import signal
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.helpers.processes import PIPES, python

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()


@contextmanager
def servers():
    """Yield a function that starts a server of some sources and returns its address; all end with it."""
    with ExitStack() as stack:

        def call(*sources):
            process = stack.enter_context(python("-m", "treeplex", "serve", *sources, **PIPES))
            stack.callback(process.communicate, timeout=60)
            stack.callback(process.send_signal, signal.SIGINT)
            return process.stdout.readline().strip()

        yield call


@contextmanager
def chromium():
    """Start the browser of this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tools:
        found = tools.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            yield found
        finally:
            found.close()


@contextmanager
def opened(browser, width=1200, **options):
    """Open a page that says nothing on its console and asks nobody but the server."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    try:
        page, said, asked = context.new_page(), [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.extend(_failed(request)))
        page.on("request", lambda request: asked.append(urlsplit(request.url).hostname))
        yield page
        assert said == [], said
        assert {*asked} == {"127.0.0.1"}, asked
    finally:
        context.close()


def _failed(request):
    """Return a request that failed, but not one that the next page cut off."""
    return [] if "ERR_ABORTED" in request.failure else [request.url]


def told(page, address):
    """Return the object that the server of a page has at an address."""
    return page.evaluate("address => fetch(address).then(answer => answer.json())", address)
