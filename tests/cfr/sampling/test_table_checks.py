"""Checks of hash tables: those of runs pass; no index or key of another table does."""

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling import poker_sampling as sampling
from treeplex.cfr.sampling.poker_sampling import check_keys
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.games.formats.specs import load_game

GAMES = (
    "leduc_poker",
    "kuhn_poker(ranks=4)",
    "rhode_island(ranks=3,suits=3)",
    "small_holdem(board='As Kh Qs Jh',ranks=6,pot=2,stack=2,bets=[1],ranges=['AT+,99','KT+,QQ'])",
    "limit_holdem",
)


def table(game, iterations):
    engine = sampling.prepare(load_game(game), Sampling())
    return engine, iterate(engine, iterations)


@pytest.mark.seconds(3)
@over(GAMES, [1, 50, 400])
def test_tables_of_runs_pass(game, iterations):
    engine, state = table(game, iterations)
    engine.check(engine.start())
    engine.check(state)


def is_key(layout, number):
    """Return whether an integer is what the text that it stands for is numbered by."""
    try:
        return layout.key(layout.text(number)) == number
    except (KeyError, IndexError, ValueError):
        return False


@pytest.mark.seconds(3)
@over(GAMES)
def test_keys_are_those_of_infosets(game):
    """All integers one or two bits away from keys that were met."""
    engine, state = table(game, 60)
    met = state.slots["key"][state.slots["at"] > 0][:12].tolist()
    numbers = {
        key ^ 1 << a ^ 1 << b for key in met for a in range(64) for b in (a, a - 1, a - 3, 0) if b >= 0
    }
    legal = 0
    for number in {*met, *numbers}:
        if is_key(engine.layout, number):
            check_keys(engine.layout, np.array([number], np.uint64))
            legal += 1
            continue
        with pytest.raises(ValueError, match=f"keys must be of infosets of .*, got {number}"):
            check_keys(engine.layout, np.array([number], np.uint64))
    assert len(met) < legal < len(numbers) / 2


def test_entries_that_are_shared_or_left_out_are_refused():
    engine, state = table("leduc_poker", 30)
    full = np.flatnonzero(state.slots["at"])
    for change in (-1, 1, 2, 10**15, -(10**15)):
        slots = state.slots.copy()
        slots["at"][full[3]] += change
        with pytest.raises(ValueError, match="entries of an infoset must begin at"):
            engine.check(replace(state, slots=slots))
    for entries in (state.entries[:-1], np.append(state.entries, state.entries[:1])):
        with pytest.raises(ValueError, match=r"there must be .* entries, got"):
            engine.check(replace(state, entries=entries))


def test_full_tables_are_refused_before_they_are_searched():
    """A search of a table without a free slot would not end."""
    engine, state = table("leduc_poker", 30)
    slots = state.slots.copy()
    slots["at"] = 1
    with pytest.raises(ValueError, match="n_infosets must be between 0 and 512, got 1,024"):
        engine.check(replace(state, slots=slots, n_infosets=1024))
    with pytest.raises(ValueError, match="the number of slots must be a power of two, got 0"):
        engine.check(replace(state, slots=slots[:0]))
