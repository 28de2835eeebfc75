"""Runs that are thrown out of by what is told of their progress."""

import re

import pytest

import treeplex as tp


class StoppedError(Exception):
    """Thrown into a run."""


def stopped_after(iterations):
    """Return a progress callback that throws once so many iterations are done."""

    def progress(stage, width):
        done = re.search(r"([\d,]+) iterations", stage)
        if done and int(done[1].replace(",", "")) >= iterations:
            raise StoppedError

    return progress


def abstract_until(start, *arguments, **options):
    """Make an abstraction, and end at the first stage whose name starts so, as if the process were killed."""

    def progress(stage, width):
        if stage.startswith(start):
            raise StoppedError

    with pytest.raises(StoppedError):
        tp.abstract(*arguments, **options, progress=progress)
