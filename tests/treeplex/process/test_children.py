"""Calls in child processes: answers come, and no child outlives what it was made for."""

import os
import signal
import sys
import time
from contextlib import closing

import pytest

from tests.helpers.cells import over
from tests.helpers.child_calls import doubled, told
from tests.helpers.processes import PIPES, children_of, ended, python
from treeplex.process.children import Ended, answers_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def ignore():
    """Look at nothing."""


@over([1, 3])
def test_every_task_is_answered_once(children):
    before = children_of(os.getpid())
    with closing(answers_of(doubled, range(7), children, ignore)) as answers:
        assert sorted(answers) == [(k, 2 * k) for k in range(7)]
    assert children_of(os.getpid()) == before


def test_what_children_print_is_no_answer(capfd):
    with closing(answers_of(told, ["a", "b"], 1, ignore)) as answers:
        assert dict(answers) == {0: "a", 1: "b"}
    out, err = capfd.readouterr()
    assert (out, err) == ("", "a\nb\n")


def test_a_child_that_ends_is_followed_by_another(capfd):
    with closing(answers_of(os._exit, [3, 0], 1, ignore)) as answers:
        assert dict(answers) == {0: Ended(3), 1: Ended(0)}
    with closing(answers_of(signal.raise_signal, [signal.SIGKILL], 1, ignore)) as answers:
        assert dict(answers) == {0: Ended(-signal.SIGKILL)}
    assert capfd.readouterr() == ("", "")


def test_what_looking_raises_ends_the_children():
    before, seen = children_of(os.getpid()), set()

    def stop():
        seen.update(children_of(os.getpid()) - before)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        [*answers_of(time.sleep, [600, 600], 2, stop)]
    assert len(seen) == 2
    assert ended(seen)


def test_an_answer_is_enough():
    """Those that are not waited for any more are ended."""
    with closing(answers_of(time.sleep, [0, 600, 600], 2, ignore)) as answers:
        assert next(answers) == (0, None)
        there = children_of(os.getpid())
        assert there
    assert ended(there)


def test_children_end_with_a_parent_that_is_killed():
    script = (
        "import time\n"
        "from treeplex.process.children import answers_of\n"
        "[*answers_of(time.sleep, [600, 600], 2, lambda: print('there', flush=True))]"
    )
    with python("-c", script, **PIPES) as process:
        while len(started := children_of(process.pid)) < 2:
            assert process.stdout.readline() == "there\n"
        process.kill()
        assert ended(started)
