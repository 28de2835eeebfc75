"""Work in threads comes back in order, and what it raises too."""

import pytest

from tests.helpers.cells import over
from treeplex.games.base.threads import blocks, in_order


@over([1, 2, 5])
def test_results_come_in_order(threads):
    assert list(in_order(lambda x: x * x, range(50), threads)) == [x * x for x in range(50)]


@over([1, 3])
def test_what_the_work_raises_comes_through(threads):
    def work(x):
        if x == 4:
            raise ValueError("four")
        return x

    with pytest.raises(ValueError, match="four"):
        list(in_order(work, range(50), threads))


def test_blocks_cover_all_places():
    assert blocks(5, 2) == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert blocks(0, 2) == []
