"""CFR+ on a trunk and subgames apart, against the same iterations on the whole tree."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.split_runs import PLUS, DictShelf, split_engine
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.fixed_point import FixedPoint
from treeplex.cfr.engine import iterate
from treeplex.cfr.split.split_cfr import SplitCFR
from treeplex.cfr.split.workers import Serial, Worker, WorkerLostError
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree, cards_dealt
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored, pair_weight

LEDUC = "leduc_poker(ranks=4)"
RHODE = "rhode_island(ranks=3,raises=1)"
TURN = 'small_holdem(board="As Kh Qs",ranks=5,bets=[1],raises=[1])'
FINE = 65536.0
LAST = factored_config("cfr+", "last", "int32")


def tree_of(game):
    return FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game))


@cache
def whole_run(spec, iterations, config=PLUS):
    engine = factored_cfr.prepare(tree_of(load_game(spec)), config)
    return engine, iterate(engine, iterations)


def root_rows(state, tree, player):
    """Return a player's tables on the starting board."""
    n = tree.base[player][1]
    return [
        np.asarray(kept[:n], np.int64)
        for kept in (state.memories[player].regret, state.memories[player].total)
    ]


def equal(one, other):
    """Whether two states are the same bit for bit."""
    arrays = [
        [
            *(array for memory in (*state.memories, state.earlier) for array in memory),
            *(state.hashes, state.earlier_hashes, state.saturated, state.worth),
        ]
        for state in (one, other)
    ]
    return one.halves == other.halves and all(map(np.array_equal, *arrays))


@over([(LEDUC, 0), (TURN, 0), (TURN, 5)])
def test_the_trunk_learns_what_the_whole_tree_does(spec, warm_up):
    game = load_game(spec)
    fine = (FINE,) * (1 + len(cards_dealt(game)))
    config = replace(PLUS, fixed=FixedPoint(fine, fine, warm_up))
    engine, _ = split_engine(game, config)
    state = iterate(engine, 12)
    _, whole = whole_run(spec, 12, config)
    for player in (0, 1):
        for one, other in zip(
            root_rows(state, engine.trunk.split.trunk, player),
            root_rows(whole, tree_of(game), player),
            strict=True,
        ):
            # Sums of floats are in another order: what is rounded to integers differs at ties alone.
            assert np.abs(one - other).max() <= 1e-5 * other.max()
            assert other.max() > FINE


def test_subgames_round_with_the_scales_of_their_own_streets():
    game, runs, factors = load_game(RHODE), [], np.array([4, 2, 8])
    for factor in (np.ones(3), factors):
        scales = tuple((FINE * factor).tolist())
        engine, shelf = split_engine(game, replace(PLUS, fixed=FixedPoint(scales, scales)), street=1)
        engine.advance(engine.start(), 1)
        runs.append(shelf.files)
    split, large = engine.trunk.split, 0
    for place, half in {(place, half) for place, half in runs[0] if half > 0}:
        tree = split.tree(place.flop, place.line, split.boards(place.flop))
        times = np.repeat(factors[split.street + tree.boards.street], np.diff(tree.base[place.player]))
        for one, other in zip(*(files[place, half] for files in runs), strict=True):
            np.testing.assert_allclose(other, times * one, rtol=1e-3, atol=5)
            large += (one > 100).sum()
    assert large > 1000


@pytest.mark.seconds(2)
@over([RHODE, TURN])
def test_best_responses_come_with_the_walk(spec):
    game = load_game(spec)
    engine, _ = split_engine(game, LAST)
    state = iterate(engine, 9)
    run, kept = whole_run(spec, 8, LAST)
    before = certify_factored(game, run.strategy(kept))
    after = certify_factored(game, run.strategy(iterate(run, 1, kept)))
    found = state.worth / float(pair_weight(game))
    # Player 0 responds to player 1's plan of the iteration before, player 1 to player 0's new one.
    assert found == pytest.approx([before.upper, -after.lower], abs=1e-2)


def test_how_iterations_are_split_over_calls_changes_nothing():
    runs = []
    for calls in ((7,), (1, 4, 2)):
        engine, _ = split_engine(load_game(LEDUC))
        state = engine.start()
        for n in calls:
            state = engine.advance(state, n)
        runs.append(state)
    assert equal(*runs)


def test_tables_are_written_in_the_last_iteration_only():
    engine, shelf = split_engine(load_game(LEDUC))
    engine.advance(engine.start(), 5)
    assert sorted({(place.player, half) for place, half in shelf.files}) == [(0, 9), (1, 8), (1, 10)]


def test_without_memory_they_are_written_in_every_half():
    engine, shelf = split_engine(load_game(LEDUC))
    state = replace(engine, in_memory=False).advance(engine.start(), 3)
    assert {half for _, half in shelf.files} == {1, 2, 3, 4, 5, 6}
    inside, _ = split_engine(load_game(LEDUC))
    assert equal(state, iterate(inside, 3))


def test_a_state_before_its_last_half_has_the_tables_of_then():
    engine, _ = split_engine(load_game(LEDUC))
    state = engine.advance(engine.start(), 4)
    before = engine.advance(engine.start(), 3)
    half = state.half_before()
    assert (half.halves, half.iterations) == (7, 3)
    assert np.array_equal(half.memories[1].regret, before.memories[1].regret)
    assert np.array_equal(half.hashes[1], before.hashes[1])
    assert np.array_equal(half.hashes[0], state.hashes[0])
    assert not np.array_equal(half.hashes[1], state.hashes[1])


@dataclass
class Dying:
    """An executor whose worker dies in some call: what it had in memory is lost."""

    worker: Worker
    shelf: DictShelf
    calls: int

    def map(self, function, tasks):
        for task in tasks:
            self.calls -= 1
            if self.calls == 0:
                self.shelf.tables.clear()
                raise WorkerLostError("gone")
            yield function(self.worker, task)

    def close(self):
        pass


@over([1, 2, 4, 6])
def test_a_lost_worker_changes_nothing(call):
    game = load_game(LEDUC)
    engine, shelf = split_engine(game)
    expected = engine.advance(engine.advance(engine.start(), 2), 3)
    other, shelf = split_engine(game)
    state = other.advance(other.start(), 2)
    worker = Worker(other.trunk.split, PLUS, shelf)
    lossy = SplitCFR(other.trunk, Dying(worker, shelf, call), other.tables)
    found = lossy.advance(state, 3)
    assert lossy.ledger.lost == 1
    assert equal(found, expected)
    assert state.iterations == 2


def test_workers_that_always_die_end_the_run():
    engine, _ = split_engine(load_game(LEDUC))

    class Dead:
        def map(self, function, tasks):
            raise WorkerLostError("gone")
            yield

        def close(self):
            pass

    dead = SplitCFR(engine.trunk, Dead(), engine.tables)
    with pytest.raises(WorkerLostError, match="20 workers were lost in 2 iterations"):
        dead.advance(engine.start(), 2)


def test_tables_that_are_nowhere_are_refused():
    engine, shelf = split_engine(load_game(LEDUC))
    state = engine.advance(engine.start(), 2)
    shelf.tables.clear()
    shelf.files.clear()
    with pytest.raises(ValueError, match="there are no tables"):
        engine.advance(state, 1)


def damaged(state):
    """Yield states that no run has."""
    first, second = state.memories
    yield replace(state, halves=-2)
    yield replace(state, hashes=state.hashes[:, :, :, :8])
    yield replace(state, earlier_hashes=state.hashes)
    yield replace(state, memories=(second, first._replace(regret=first.regret[:3])))
    yield replace(state, memories=(first._replace(regret=first.regret - 10**9), second))
    yield replace(state, saturated=np.array([-1, 0]))
    yield replace(state, worth=np.array([np.nan, 0.0]))


def test_damaged_states_are_refused():
    engine, _ = split_engine(load_game(LEDUC))
    state = iterate(engine, 3)
    engine.check(state)
    for bad in damaged(state):
        with pytest.raises(ValueError, match="must"):
            engine.check(bad)


def test_jobs_of_few_lines_add_up_to_the_same(monkeypatch):
    runs = []
    for lines in (64, 2):
        monkeypatch.setattr("treeplex.cfr.split.split_cfr.LINES_A_JOB", lines)
        engine, _ = split_engine(load_game(LEDUC))
        runs.append((iterate(engine, 3), engine.ledger.jobs))
    assert equal(runs[0][0], runs[1][0])
    assert runs[1][1] > runs[0][1]


def test_layouts_beyond_the_limit_are_made_again(monkeypatch):
    expected = iterate(split_engine(load_game(LEDUC))[0], 2)
    monkeypatch.setattr("treeplex.cfr.split.workers.LAYOUT_BYTES", 0)
    engine, _ = split_engine(load_game(LEDUC))
    assert isinstance(engine.executor, Serial)
    assert equal(iterate(engine, 2), expected)
