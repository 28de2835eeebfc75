"""Flops that were solved again are kept, and read by the run that kept them alone."""

import numpy as np
import pytest

from treeplex.files.kept import Kept
from treeplex.subgames.composed_value import KeptFlops, OnFlop


def solved(number):
    return OnFlop(np.full((1, 2), number + 0.5), np.full(3, 0.25), np.array([True, False, True]))


def test_what_another_run_or_flop_left_is_refused(tmp_path):
    runs, tried = [], []

    def run(number):
        tried.append(number)
        return solved(number)

    for name in ("first", "second"):
        runs.append(KeptFlops(Kept(tmp_path, name), (1, 2), (3, 3)).or_run(run))
    for number in (0, 1, 0, 1):
        for one, other in zip(runs[0](number), solved(number), strict=True):
            np.testing.assert_array_equal(one, other)
    assert tried == [0, 1]
    with pytest.raises(ValueError, match=r"flop0000.npz must be flop0000 of this run, got .*first"):
        runs[1](0)
    files = sorted(tmp_path.iterdir())
    files[1].write_bytes(files[0].read_bytes())
    with pytest.raises(ValueError, match=r"flop0001.npz must be flop0001 of this run, got"):
        runs[0](1)
