"""Walks are refused before they begin, or stopped with a count: by histories and by memory."""

import pytest

from tests.helpers.cells import over
from tests.helpers.vast_games import LongKeys, Vast, WideChance
from treeplex.games.base import reporting
from treeplex.games.formats.specs import load_game
from treeplex.seqform.trees import walk_watch
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.memory import GIB
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError


def test_a_game_that_knows_to_have_too_many_histories_is_not_walked(monkeypatch):
    game = load_game("goofspiel(cards=10)")
    monkeypatch.setattr(type(game), "root", lambda self: pytest.fail("it was walked"))
    says = r"goofspiel\(cards=10\) has at least 2.4e13 histories, and at most 20,000,000 are walked"
    with pytest.raises(TooManyHistoriesError, match=says):
        build_tree(game)


def test_a_vast_game_is_stopped_by_the_limit():
    with pytest.raises(TooManyHistoriesError, match="vast has more than 100,000 histories"):
        build_tree(Vast(), max_nodes=100_000)


@over([Vast(), LongKeys(), WideChance()])
def test_memory_stops_a_walk_with_a_count(game, monkeypatch):
    monkeypatch.setattr(walk_watch, "resident_memory", lambda: 0)
    says = rf"{game.name}: [\d,]+ histories so far, of at most 20,000,000, take [\d.]+ GiB, more than 0.0093"
    with pytest.raises(TooManyHistoriesError, match=says):
        build_tree(game, memory=10_000_000)


def test_memory_that_is_measured_stops_a_walk_too(monkeypatch):
    taken = iter(range(3 * GIB, 100 * GIB, GIB))  # three at the start
    monkeypatch.setattr(walk_watch, "resident_memory", lambda: next(taken))
    with pytest.raises(TooManyHistoriesError, match="take 5 GiB, more than 4 GiB"):
        build_tree(Vast(), memory=4 * GIB)


def test_a_walk_reports_how_many_histories_there_are_so_far(monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)
    told = []
    tree = build_tree(load_game("goofspiel"), report=told.append)
    assert told[0] == "goofspiel: 1 histories so far, limit 20,000,000"
    assert len(told) == tree.n_nodes - 1


def test_a_report_may_end_a_walk(monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)

    def stop(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_tree(Vast(), report=stop)
