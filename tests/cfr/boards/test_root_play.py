"""Regret matching on root decisions beside a loop over infosets in Python, and whole runs in threads."""

import numpy as np

from tests.helpers.cells import over
from tests.helpers.twins.factored import factored_tree
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_layout import root_arrays
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.boards.root_play import enter, learn_root
from treeplex.cfr.engine import iterate
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.subgames.tops import Entry, RootDecisions, in_steps

TOPS = 11
RULES = [Rule(0.7, 0.4, 0.0, 1.0, 2.0), Rule(1.0, 0.0, 1.0, 0.8, 0.5)]


def two_ways_in(n_tops, seed=2):
    """Two levels of decisions; each top can be entered twice, two tops once, one top never."""
    rng = np.random.default_rng(seed)
    begin, end = np.array([1, 4, 4 + n_tops]), np.array([4, 4 + n_tops, 4 + 2 * n_tops])
    header = Treeplex(begin, end, np.array([0, 1, 2]), ("way", "left", "right"), ("",) * int(end[-1]))
    first, second = (np.asarray(b + rng.permutation(n_tops)) for b in begin[1:])
    first[:2], second[0] = -1, -1
    entries = tuple(Entry(at, rng.random(n_tops), str(k)) for k, at in enumerate((first, second)))
    return RootDecisions(header, entries, (np.array([3, 5, 9]), rng.normal(size=3)))


def memory_of(n, seed):
    rng, none, ones = np.random.default_rng(seed), np.zeros(0, np.float32), np.ones(0, np.float32)
    regret = rng.normal(size=n)
    regret[1:4] = [-1.0, -2.0, 0.0]
    return FactoredMemory(none, none, none, ones, ones, regret, rng.random(n), rng.normal(size=n))


def matched(regrets):
    """Return play in proportion to positive regrets, uniform where there are none."""
    positive = [max(r, 0.0) for r in regrets]
    return [p / sum(positive) if sum(positive) > 0 else 1.0 / len(positive) for p in positive]


def plan_of(header, memory, prediction):
    """Return behaviour and plan of a header, infoset by infoset."""
    behaviour, plan = np.ones(header.n_sequences), np.ones(header.n_sequences)
    for begin, end, parent in zip(header.begin, header.end, header.parent, strict=True):
        behaviour[begin:end] = matched(
            memory.root_regret[begin:end] + prediction * memory.root_gain[begin:end]
        )
        plan[begin:end] = plan[parent] * behaviour[begin:end]
    return behaviour, plan


@over(RULES)
def test_plans_on_entering(rule):
    rng, root = np.random.default_rng(7), two_ways_in(TOPS)
    weight, order = rng.random(TOPS), rng.permutation(TOPS)
    arrays, memory = root_arrays(root, weight, order, 2.0), memory_of(root.header.n_sequences, 8)
    total = memory.root_total.copy()
    plans, play = np.zeros((2, TOPS)), np.zeros(root.header.n_sequences)
    enter(arrays, memory, rule.prediction, rule.keep, rule.weight, plans, play)
    behaviour, plan = plan_of(root.header, memory, rule.prediction)
    np.testing.assert_allclose(play[1:], behaviour[1:], rtol=1e-14)
    summed = rule.keep * total[1:] + rule.weight * plan[1:]
    np.testing.assert_allclose(memory.root_total[1:], summed, rtol=1e-14)
    np.testing.assert_allclose(plans[1], (weight * root.entered(plan))[order], rtol=1e-14)
    most = root.most_weight
    own = np.where(most > 0, root.entered(plan) / np.where(most > 0, most, 1.0), 1.0)
    np.testing.assert_allclose(plans[0], own[order], rtol=1e-14)


@over(RULES)
def test_regrets_on_leaving(rule):
    rng, root = np.random.default_rng(9), two_ways_in(TOPS)
    weight, order, unit = rng.random(TOPS), rng.permutation(TOPS), 4.0
    arrays, memory = root_arrays(root, weight, order, unit), memory_of(root.header.n_sequences, 10)
    plans, play = np.zeros((2, TOPS)), np.zeros(root.header.n_sequences)
    enter(arrays, memory, rule.prediction, 1.0, 0.0, plans, play)
    regret, values = memory.root_regret.copy(), rng.normal(size=TOPS)
    learn_root(arrays, memory, rule, play, values[order])
    paid, header = root.paid(weight * values) - root.paid(np.zeros(TOPS)), root.header
    worth = paid + root.paid(np.zeros(TOPS)) / unit
    for i in range(header.n_infosets - 1, -1, -1):
        own = slice(int(header.begin[i]), int(header.end[i]))
        mean = play[own] @ worth[own]
        worth[header.parent[i]] += mean
        gain = worth[own] - mean
        kept = regret[own] + gain
        kept *= np.where(kept > 0, rule.positive, rule.negative)
        np.testing.assert_allclose(memory.root_regret[own], kept, rtol=1e-12, atol=1e-13)
        if rule.prediction:
            np.testing.assert_allclose(memory.root_gain[own], gain, rtol=1e-12, atol=1e-13)


@over(["dcfr", "pcfr+"])
def test_threads_change_no_bit_of_root_decisions(variant):
    tree = factored_tree("small_holdem(board=AsKhQs,ranks=4,suits=3)")
    hands = tree.boards.hands
    opponent = in_steps(two_ways_in(len(hands[1].weight), 3), np.arange(float(len(hands[1].weight))), 4)
    roots = RootDecisions.fixed(np.linspace(0.2, 1.0, len(hands[0].weight))), opponent.decisions
    found = []
    for threads in (1, 2, 3):
        engine = factored_cfr.prepare(tree, factored_config(variant), threads, roots)
        state = iterate(engine, 30)
        found.append([*(np.concatenate([m.total, m.regret]).tobytes() for m in state.memories)])
        found[-1].append(engine.root_behaviour(state, 1).tobytes())
        found[-1].append(state.memories[1].root_regret.tobytes())
    assert found[0] == found[1] == found[2]
    mass = np.frombuffer(found[0][2])
    assert mass.min() >= 0.0
    assert len({*np.round(mass, 6).tolist()}) > 10, "the root must have learned something"
