"""Executors by name, and the shelf of workers in a store's files."""

import socket
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.helpers.tables import drawn_tables
from tests.helpers.worker_calls import plan_for
from treeplex.cfr.split.subgame_tables import TablePlace
from treeplex.files.store_folder import FileShelf
from treeplex.solving import executors
from treeplex.solving.executors import check_executor

DEAD = "127.0.0.1:1"
"""An address at which nothing answers."""
PLACE = TablePlace(0, 1, 0)


@pytest.mark.parametrize(
    ("name", "workers", "words"),
    [
        ("threads", 1, "executor must be one of serial, processes, ray, got 'threads'"),
        ("serial", 2, "workers must be 1 with the executor serial, got 2"),
        ("processes", 0, "workers must be between 1 and 4,096, got 0"),
        ("processes", 5000, "workers must be between 1 and 4,096, got 5000"),
    ],
)
def test_executors_that_are_none_are_refused(name, workers, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        check_executor(name, workers)


def test_without_ray_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"needs the package ray: pip install 'treeplex\[cluster\]'"):
        check_executor("ray", 2)


def none_found(address):
    raise ConnectionError


def test_a_cluster_that_does_not_answer_or_is_too_small_is_refused(monkeypatch, capsys):
    services = SimpleNamespace(canonicalize_bootstrap_address_or_die=none_found)
    ended, free = [], {"CPU": 2.0}
    ray = SimpleNamespace(
        _private=SimpleNamespace(services=services),
        init=lambda address, **options: asked.append(address),
        is_initialized=lambda: bool(asked),
        cluster_resources=lambda: {"CPU": 2.0},
        available_resources=lambda: free,
        shutdown=lambda: ended.append(True),
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        live = f"127.0.0.1:{server.getsockname()[1]}"
        for named, found, joins in (
            ("", none_found, "local"),
            ("auto", lambda address: live, live),
            ("", lambda address: DEAD, "local"),
            (live, none_found, live),
        ):
            asked = []
            monkeypatch.setenv("RAY_ADDRESS", named)
            monkeypatch.setattr(services, "canonicalize_bootstrap_address_or_die", found)
            assert executors._joined(ray, 2)
            assert asked == [joins]
        assert capsys.readouterr().err == ""
        free.clear()  # as Ray says that no core is free
        assert not executors._joined(ray, 2)  # a cluster of the user's own is not ended
        told = "treeplex: 0 of the cluster's 2 cores are free, 2 are waited for\n"
        assert capsys.readouterr().err == told
        for begun in (live,), ():
            asked = [*begun]
            with pytest.raises(
                ValueError, match=r"^workers must be at most 2, the cores of the cluster, got 3$"
            ):
                executors._joined(ray, 3)
        assert ended == [True]
    for dead in (DEAD, f"ray://{DEAD}", "garbage", "127.0.0.1:x"):
        asked = []
        monkeypatch.setenv("RAY_ADDRESS", dead)
        with pytest.raises(ValueError, match=f"RAY_ADDRESS must be HOST:PORT .* that answers, got '{dead}'"):
            executors._joined(ray, 2)
        assert not asked


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_shelf_finds_what_it_was_given(tmp_path, in_memory):
    plan = plan_for(tmp_path)
    tree = plan.split.tree(0, 1, plan.split.boards(0))
    shelf = FileShelf(tmp_path, plan.run, in_memory=in_memory)
    old, new = (drawn_tables(int(tree.base[0][-1]), seed) for seed in (1, 2))
    for half, tables in ((3, old), (5, new)):
        assert shelf.write(PLACE, half, tree, tables).n_bytes > 0
        shelf.put(PLACE, half, tables, written=True)
    for half, tables in ((3, old), (5, new)):
        found = shelf.take(PLACE, half, tree)
        assert all(np.array_equal(*pair) for pair in zip(found, tables, strict=True))
    assert (shelf.take(PLACE, 5, tree) is new) == in_memory
    with pytest.raises(ValueError, match=r"cannot read .*: No such file or directory"):
        shelf.take(PLACE, 7, tree)
    with pytest.raises(ValueError, match=r"is of another run$"):
        FileShelf(tmp_path, "1" * 32, in_memory=False).read(PLACE, 3, tree)
    shelf.folder.tables_path(PLACE, 3).rename(shelf.folder.tables_path(PLACE, 7))
    with pytest.raises(ValueError, match=r"stale or foreign: its half is 3, not 7$"):
        shelf.take(PLACE, 7, tree)
