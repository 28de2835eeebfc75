"""Sampling a game's rules: draw by draw what the kernels do on the enumerated game, and beyond it."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.sampled_games import GAMES, METHODS
from tests.helpers.twins.games import Wrapped
from tests.helpers.twins.sampled import Generic, numbered
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling import table_sampling as table
from treeplex.cfr.sampling.history_sampling import prepare as prepare_enumerated
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sampling.table_sampling import profile_of
from treeplex.games.base.protocol import CHANCE
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker, small_holdem
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify


def compare(enumerated, run, compiled):
    """Hold a table against the kernels' arrays, infoset by infoset."""
    (stream,) = compiled.state.streams
    assert (run.state.iterations, run.state.drawn) == (stream.iterations, stream.drawn)
    for p, t in enumerate(enumerated.form.treeplexes):
        for name in ("regret", "total"):
            mine, theirs = getattr(run.state, name)[p], getattr(stream, name)[p]
            met = np.zeros(t.n_sequences, dtype=bool)
            for key, (begin, actions) in run.state.slots[p].items():
                i = t.index[key]
                rows = slice(t.begin[i], t.end[i])
                assert actions == t.actions[rows]
                assert mine[begin : begin + len(actions)] == pytest.approx(theirs[rows], rel=1e-12, abs=1e-12)
                met[rows] = True
            choices = np.repeat(t.end - t.begin > 1, t.end - t.begin)
            assert not theirs[1:][choices & ~met[1:]].any()
    profile = profile_of(run.average, enumerated.form)
    for mine, theirs in zip(profile.behaviour, compiled.average.behaviour, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-12)


@pytest.mark.seconds(3)
@over([(game, numbered(game)) for game in map(Generic, [*GAMES, small_holdem()])], METHODS)
def test_the_same_seed_gives_the_compiled_table(game, enumerated, sampling):
    compare(
        enumerated,
        ran(table.prepare(game, replace(sampling, seed=3)), 30),
        ran(prepare_enumerated(enumerated, replace(sampling, seed=3)), 30),
    )


@given(st.integers(0, 10**6), st.sampled_from(METHODS))
def test_so_do_random_games(seed, sampling):
    """Chance follows chance there, and much leaves no choice."""
    game = Generic(random_game(seed, 5, 3))
    enumerated = numbered(game)
    compare(
        enumerated,
        ran(table.prepare(game, replace(sampling, seed=seed)), 10),
        ran(prepare_enumerated(enumerated, replace(sampling, seed=seed)), 10),
    )


@pytest.mark.seconds(3)
@over(["external", "outcome", "chance"])
def test_so_do_long_runs(scheme):
    """Numbers are laid out 4,096 at a time."""
    game, sampling = Generic(kuhn_poker()), Sampling(scheme)
    enumerated, run = numbered(game), ran(table.prepare(game, replace(sampling, seed=11)), 2500)
    assert run.state.drawn > 4096
    compare(enumerated, run, ran(prepare_enumerated(enumerated, replace(sampling, seed=11)), 2500))


@dataclass(frozen=True)
class Counted(Wrapped):
    """Counts which states were looked at."""

    seen: Counter

    def player(self, state):
        self.seen[state] += 1
        return self.game.player(state)


def test_nothing_is_enumerated():
    """One iteration of outcome sampling looks at the deals, and at two histories after them."""
    game = Counted(leduc_poker(), Counter())
    ran(table.prepare(game, Sampling("outcome")), 1)
    assert len(game.seen) < 1 + 30 + 2 * (8 + 4)
    assert len(numbered(leduc_poker()).tree.player) > 100 * len(game.seen)


def same(a, b):
    return (
        (a.iterations, a.drawn) == (b.iterations, b.drawn)
        and a.slots == b.slots
        and all(
            x.tobytes() == y.tobytes()
            for x, y in zip((*a.regret, *a.total), (*b.regret, *b.total), strict=True)
        )
    )


@pytest.mark.seconds(3)
@over(METHODS)
def test_going_on_is_the_same_to_the_last_bit(sampling):
    game = leduc_poker(raises=1)
    whole = iterate(table.prepare(game, replace(sampling, seed=5)), 60)
    state = None
    for n in (1, 6, 1, 52):
        before = state
        state = iterate(table.prepare(game, replace(sampling, seed=5)), n, state)
        assert before is None or before.iterations + n == state.iterations
    assert same(state, whole)
    assert same(iterate(table.prepare(game, replace(sampling, seed=5)), 60), whole)
    assert not same(iterate(table.prepare(game, replace(sampling, seed=6)), 60), whole)


def test_the_state_handed_in_is_not_changed():
    game = leduc_poker(raises=1)
    state = iterate(table.prepare(game, Sampling()), 5)
    slots, arrays = [dict(s) for s in state.slots], [a.copy() for a in (*state.regret, *state.total)]
    ran(table.prepare(game, Sampling()), 50, state)
    assert slots == [*state.slots]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(arrays, (*state.regret, *state.total), strict=True))


@over(["kuhn_poker", "coin_toss"])
def test_certificates_narrow(spec):
    game = load_game(spec)
    form, state, widths = numbered(game).form, None, []
    for n in (30, 3000):
        run = ran(table.prepare(game, Sampling(seed=1)), n, state)
        state = run.state
        widths.append(certify(form, profile_of(run.average, form)).nash_conv)
    assert widths[1] < 0.1 < widths[0]


def test_what_was_never_met_is_played_uniformly():
    game = leduc_poker()
    form = numbered(game).form
    run = ran(table.prepare(game, Sampling("outcome", seed=1)), 1)
    profile, met = profile_of(run.average, form), 0
    for p, t in enumerate(form.treeplexes):
        for i, key in enumerate(t.infosets):
            row = profile.behaviour[p][t.begin[i] : t.end[i]]
            if run.average.at(p, key) is None:
                assert row.tolist() == [1 / len(row)] * len(row)
            else:
                met += 1
                assert dict(zip(t.actions[t.begin[i] : t.end[i]], row, strict=True)) == run.average.at(p, key)
    assert 0 < met == sum(len(list(run.average.items(p))) for p in (0, 1)) < 20


def test_forced_moves_have_no_place():
    """The last step of a game in which one may only pass."""

    class Passing(Wrapped):
        def actions(self, state):
            return self.game.actions(state)[:1]

    run = ran(table.prepare(Passing(kuhn_poker()), Sampling()), 5)
    assert run.state.slots == ({}, {})
    assert run.average.at(0, "K:") is None


def test_bad_runs_are_refused():
    game = kuhn_poker()
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        ran(table.prepare(game, Sampling()), 0)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=f"seed must be between 0 and 2\\*\\*64 - 1, got {seed}"):
            Sampling(seed=seed)
    with pytest.raises(ValueError, match="streams must be 1 where nothing is enumerated, got 2"):
        table.prepare(game, Sampling(streams=2))


def test_bad_games_are_refused():
    class Short(Wrapped):
        def chance(self, state):
            return [(a, p / 2) for a, p in self.game.chance(state)]

    class Renamed(Wrapped):
        def actions(self, state):
            return tuple(f"{a}{sum(map(sum, state.hands))}" for a in self.game.actions(state))

        def child(self, state, action):
            return self.game.child(state, action if self.player(state) == CHANCE else action[0])

    with pytest.raises(ValueError, match=r"must sum to 1, got 1/2"):
        ran(table.prepare(Short(kuhn_poker()), Sampling()), 1)
    with pytest.raises(ValueError, match="must have the same actions everywhere"):
        ran(table.prepare(Renamed(kuhn_poker()), Sampling()), 100)
    run = ran(table.prepare(kuhn_poker(), Sampling()), 100)
    other = numbered(Renamed(kuhn_poker(2))).form
    with pytest.raises(ValueError, match=r"must have actions .*, got c, r"):
        profile_of(run.average, other)
