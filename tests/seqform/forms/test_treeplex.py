"""The loops over a treeplex against their recursive definitions, and what a treeplex refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.lp_solution import solve_lp


def make(sizes, parents):
    """Build the treeplex whose infoset i has sizes[i] actions below sequence parents[i], modulo the next."""
    begin = 1 + np.cumsum([0, *sizes[:-1]])[: len(sizes)].astype(np.int64)
    end = begin + np.array(sizes, dtype=np.int64)
    parent = np.array([p % b for p, b in zip(parents, begin, strict=True)], dtype=np.int64)
    labels = [f"{i}.{a}" for i, n in enumerate(sizes) for a in range(n)]
    return Treeplex(begin, end, parent, tuple(f"I{i}" for i in range(len(sizes))), ("", *labels))


@st.composite
def treeplexes(draw):
    """Random treeplexes, also those without an infoset, of one action, and of single long lines."""
    shape = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 10**6)), max_size=12))
    return make([n for n, _ in shape], [p for _, p in shape])


@st.composite
def played(draw):
    """A treeplex and a behaviour; odds are often zero, sometimes tiny."""
    t = draw(treeplexes())
    odds = st.sampled_from([0.0, 0.0, 1e-300, 1e-17, 1e-9, 0.1, 1.0, 3.0])
    behaviour = np.ones(t.n_sequences)
    for lo, hi in zip(t.begin, t.end, strict=True):
        row = np.array(draw(st.lists(odds, min_size=int(hi - lo), max_size=int(hi - lo))))
        behaviour[lo:hi] = row / row.sum() if row.sum() else 1 / (hi - lo)
    return t, behaviour


def naive_plan(t, behaviour, s):
    if s == 0:
        return 1.0
    i = next(i for i in range(t.n_infosets) if t.begin[i] <= s < t.end[i])
    return behaviour[s] * naive_plan(t, behaviour, t.parent[i])


def naive_value(t, gradient, i):
    return max(naive_worth(t, gradient, s) for s in range(t.begin[i], t.end[i]))


def naive_worth(t, gradient, s):
    return gradient[s] + sum(naive_value(t, gradient, i) for i in range(t.n_infosets) if t.parent[i] == s)


def rows(t, behaviour):
    return np.add.reduceat(behaviour, t.begin) if t.n_infosets else np.ones(0)


@given(treeplexes())
def test_maps_of_sequences(t):
    assert t.n_sequences == 1 + int((t.end - t.begin).sum())
    assert t.infoset_of[0] == t.parent_of[0] == -1
    assert t.depth[0] == 0
    for i in range(t.n_infosets):
        for s in range(t.begin[i], t.end[i]):
            assert (t.infoset_of[s], t.parent_of[s]) == (i, t.parent[i])
            assert t.depth[s] == t.depth[t.parent[i]] + 1


@given(played())
def test_plan_is_the_product_along_the_line(case):
    t, behaviour = case
    before = behaviour.copy()
    plan = t.plan(behaviour)
    assert plan.tolist() == pytest.approx([naive_plan(t, behaviour, s) for s in range(t.n_sequences)])
    for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
        assert plan[lo:hi].sum() == pytest.approx(plan[parent], rel=1e-12, abs=1e-300)
    assert (behaviour == before).all()


@given(played(), st.booleans())
def test_plan_to_behaviour_to_plan_is_the_identity(case, with_fallback):
    t, behaviour = case
    plan = t.plan(behaviour)
    before = plan.copy()
    again = t.behaviour(plan, behaviour if with_fallback else None)
    assert rows(t, again) == pytest.approx(1.0)
    assert (again >= 0).all()
    # Below the smallest normal float a product has fewer bits.
    assert t.plan(again) == pytest.approx(plan, rel=1e-12, abs=1e-300)
    reached = plan > 1e-290
    assert again[reached] == pytest.approx(behaviour[reached], rel=1e-12, abs=1e-300)
    if not with_fallback:
        assert (again[plan[t.parent_of] == 0] == t.uniform()[plan[t.parent_of] == 0])[1:].all()
    assert (plan == before).all()


@given(treeplexes(), st.integers(0, 10**6))
def test_any_numbers_become_a_behaviour(t, seed):
    """A solver's plan may break every flow, be negative, or not be numbers at all."""
    rng = np.random.default_rng(seed)
    plan = rng.normal(size=t.n_sequences) * 10.0 ** rng.integers(-300, 300, t.n_sequences)
    plan[rng.random(t.n_sequences) < 0.2] = np.nan
    plan[rng.random(t.n_sequences) < 0.2] = np.inf
    behaviour = t.behaviour(plan)
    assert rows(t, behaviour) == pytest.approx(1.0)
    assert (behaviour >= 0).all()


@given(treeplexes(), st.integers(0, 10**6))
def test_best_response_is_the_recursive_one_at_every_infoset(t, seed):
    gradient = np.random.default_rng(seed).normal(size=t.n_sequences)
    before = gradient.copy()
    best = t.best_response(gradient)
    assert best.total == pytest.approx(naive_worth(t, gradient, 0))
    assert best.q.tolist() == pytest.approx([naive_worth(t, gradient, s) for s in range(t.n_sequences)])
    assert best.value.tolist() == pytest.approx([naive_value(t, gradient, i) for i in range(t.n_infosets)])
    assert (gradient == before).all()
    pure = best.behaviour()
    assert set(pure.tolist()) <= {0.0, 1.0}
    assert rows(t, pure) == pytest.approx(1.0)
    assert t.plan(pure) @ gradient == pytest.approx(best.total)


def test_values_of_infosets_that_the_own_choices_exclude():
    """Sequence 1 pays 10 and ends; below sequence 2, never chosen, the best is 3 and not the first."""
    t = make([2, 2, 3], [0, 2, 4])
    gradient = np.array([0.0, 10, 0, 1, -1, 2, 4, 3])
    best = t.best_response(gradient)
    assert best.total == 10
    assert best.value.tolist() == [10, 3, 4]
    assert best.choice.tolist() == [1, 4, 6]


def test_the_first_among_equals_is_chosen():
    assert make([3], [0]).best_response(np.array([5.0, 1, 2, 2])).choice.tolist() == [2]


def test_uniform():
    assert make([2, 1, 3], [0, 1, 1]).uniform() == pytest.approx([1, 1 / 2, 1 / 2, 1, 1 / 3, 1 / 3, 1 / 3])


def test_a_player_without_any_decision():
    t = make([], [])
    assert (t.n_infosets, t.n_sequences) == (0, 1)
    assert t.uniform().tolist() == t.plan(np.ones(1)).tolist() == t.behaviour(np.ones(1)).tolist() == [1.0]
    best = t.best_response(np.array([-3.5]))
    assert best.total == -3.5
    assert best.behaviour().tolist() == [1.0]
    assert t.depth.tolist() == [0]


@over(
    [
        random_game(0, 0, 1),
        matrix_game([[3]]),
        load_game("coin_toss(heads=2,tails=3)"),
        *(random_game(seed, 4, 3) for seed in range(12)),
    ]
)
def test_games_in_which_someone_never_decides_are_solved(game):
    form = compiled(game)
    solution = solve_lp(form)
    assert solution.certificate.nash_conv <= 1e-9


I64 = np.int64


@over(
    [
        ([1, 4], [3, 6], [0, 0], "ab", 6),
        ([1, 2], [3, 5], [0, 0], "ab", 5),
        ([0], [2], [0], "a", 2),
        ([1, 3], [3, 3], [0, 0], "ab", 3),
        ([1, 3], [3, 2], [0, 0], "ab", 3),
        ([3, 1], [5, 3], [0, 0], "ab", 5),
        ([1], [3], [1], "a", 3),
        ([1, 3], [3, 5], [3, 0], "ab", 5),
        ([1], [3], [-1], "a", 3),
        ([1, 3], [3, 5], [0], "ab", 5),
        ([1, 3], [3], [0, 0], "ab", 5),
        ([1], [3, 5], [0, 0], "ab", 5),
        ([1, 3], [3, 5], [0, 0], "a", 5),
        ([1], [3], [0], "a", 2),
        ([1], [3], [0], "a", 4),
        ([], [], [], "", 2),
    ]
)
def test_malformed_treeplexes_are_refused(begin, end, parent, infosets, actions):
    with pytest.raises(ValueError, match="infoset"):
        Treeplex(*(np.array(a, dtype=I64) for a in (begin, end, parent)), tuple(infosets), ("x",) * actions)


def test_two_infosets_of_one_key_are_refused():
    """Strategies name infosets by key: two of one name could not be told apart."""
    with pytest.raises(ValueError, match="'a'"):
        Treeplex(np.array([1, 3]), np.array([3, 5]), np.array([0, 0]), ("a", "a"), ("", *"xyxy"))


@over([1, 4, 6])
def test_arrays_of_the_wrong_length_are_refused(n):
    """The compiled loops would read, and write, beyond the end of the array."""
    t = make([2, 2], [0, 1])
    wrong, right = np.ones(n), np.ones(5)
    for call in (
        lambda: t.plan(wrong),
        lambda: t.behaviour(wrong),
        lambda: t.behaviour(right, wrong),
        lambda: t.best_response(wrong),
    ):
        with pytest.raises(ValueError, match=r"\(5,\)"):
            call()
