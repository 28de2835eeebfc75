"""Answers to spoilt input: a result, or a complaint of one line, and soon."""

import signal
from contextlib import contextmanager

import pytest

from tests.helpers.complaints import INTERNALS
from treeplex.games.base.reading import LONGEST_COMPLAINT

LATEST = 10
"""CPU seconds that spoilt input may take."""


@contextmanager
def soon():
    """Fail what takes more CPU time than spoilt input may, however busy the machine is."""

    def late(*_):
        pytest.fail(f"took more than {LATEST} CPU s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LATEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def answered(call):
    """Return what a call returns, or None if it complains as it should; anything else fails."""
    with soon():
        try:
            return call()
        except ValueError as error:
            text = str(error)
    assert text.strip()
    assert len(text.splitlines()) == 1, text
    assert len(text) <= LONGEST_COMPLAINT, text
    assert not INTERNALS.search(text), text
    return None
