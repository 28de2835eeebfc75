"""Certificates of split strategies against those of the same strategies on the whole tree."""

import pickle
import re
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.split_strategies import random_strategy
from tests.helpers.two_tiers import two_tiers
from treeplex.games.poker.named import (
    flop_holdem,
    leduc_poker,
    limit_holdem,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.split_tree import SplitTree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.board_values import range_values
from treeplex.seqform.certify.split_certificate import ReachingWalk, certify_split, judge_flop

LEDUC = leduc_poker(suits_visible=True, raises=1)
FLOP = flop_holdem(3, 3, raises=(1, 1))
TURN = turn_holdem(3, 3, raises=(0, 0, 1))
SPOT = small_holdem("As Ks Qs", 4, 3)
GAMES = [
    (LEDUC, 0),
    (leduc_poker(), 0),
    (rhode_island(3, 2, raises=1), 0),
    (rhode_island(3, 3, raises=1), 1),
    (FLOP, 0),
    (TURN, 0),
    (TURN, 1),
    (SPOT, 0),
    (SPOT, 1),
    (small_holdem("As Ks Qs", 4, 4, ranges=("AA,KJs:0.5,QJ:1/3", "AJ,QJ:2/7,JJ")), 1),
    (small_holdem("As Ks Qh", 4, 4, ranges=("AhAd,KhJd,JcJd:1/3", "AA,KJ:0.9,QJs")), 1),
    (replace(TURN, name="listed", flops=(((50, 49, 48), 5), ((50, 45, 40), 2))), 1),
]

CELLS = [(k, s) for k in range(len(GAMES)) for s in (True, False) if k < 5 or s == k % 2]
LARGER = (5, 6, 8, 10)


def check_equal(found, other):
    size = 1e-12 * max(1.0, abs(other.lower), abs(other.upper))
    for name in ("value", "lower", "upper", "rounding"):
        assert abs(getattr(found, name) - getattr(other, name)) <= size, name
    assert found.n_boards == other.n_boards


@two_tiers(
    [cell for cell in CELLS if cell[0] not in LARGER],
    [cell for cell in CELLS if cell[0] in LARGER],
    seconds=(2, 3),
)
def test_equal_to_the_certificate_of_the_whole(number, symmetric):
    """The small games with both kinds of trunk, the others with one or the other by turns."""
    case = GAMES[number]
    strategy = random_strategy(*case, symmetric=symmetric)
    strategy = replace(strategy, tables=cache(strategy.tables))
    check_equal(certify_split(strategy.split, strategy), certify_factored(case[0], strategy.whole()))


@over(GAMES)
def test_a_symmetric_trunk_needs_one_task_a_flop(game, seed):
    strategy = random_strategy(game, seed, symmetric=True)
    tasks, which = ReachingWalk(strategy.split, strategy.trunk).tasks()
    assert [task.flop for task in tasks] == sorted({task.flop for task in tasks})
    assert len(tasks) == len(strategy.split.flops)
    assert {*which} == {*range(len(tasks))}


def test_flops_may_be_judged_elsewhere():
    strategy = random_strategy(*GAMES[4])

    def run(tasks):
        return (pickle.loads(pickle.dumps(judge(pickle.loads(pickle.dumps(task))))) for task in tasks)

    judge = partial(judge_flop, strategy.split, strategy.tables)
    found, other = certify_split(strategy.split, strategy, run), certify_split(strategy.split, strategy)
    assert (found.value, found.lower, found.upper) == (other.value, other.lower, other.upper)


def test_values_out_of_order_are_refused():
    strategy = random_strategy(*GAMES[6])
    judge = partial(judge_flop, strategy.split, strategy.tables)
    for wrong in (lambda tasks: [*map(judge, tasks)][::-1], lambda tasks: [judge(tasks[0])]):
        with pytest.raises(ValueError, match=r"^the values of \d+ flops must come in order"):
            certify_split(strategy.split, strategy, wrong)


@over(["f8", "f4", "u2", "i8"])
def test_tables_of_any_real_type(dtype):
    plain = random_strategy(LEDUC, 0)
    other = random_strategy(LEDUC, 0, dtype)
    found, other = certify_split(plain.split, plain), certify_split(other.split, other)
    assert (found.value, found.lower, found.upper) == (other.value, other.lower, other.upper)


def test_reports_how_many_flops_are_judged(monkeypatch):
    monkeypatch.setattr("treeplex.games.base.reporting.SECONDS", 0.0)
    strategy, told = random_strategy(*GAMES[6], symmetric=True), []
    certify_split(strategy.split, strategy, report=told.append)
    assert re.fullmatch(rf"\d+ of {len(strategy.split.flops)} flops judged", told[0])


def test_refuses_strategies_of_other_games_and_bad_tables():
    strategy = random_strategy(LEDUC, 0)
    split, tables = strategy.split, strategy.tables
    with pytest.raises(ValueError, match=r"^the strategy must be of leduc_poker.* split after street 0$"):
        certify_split(SplitTree.of(leduc_poker(suits_visible=True)), strategy)
    with pytest.raises(ValueError, match=r"^the strategy must be of turn_holdem.* split after street 1$"):
        certify_split(SplitTree.of(TURN, 1), random_strategy(TURN, 0))
    short = replace(strategy, tables=lambda f, line: (tables(f, line)[0], tables(f, line)[1][1:]))
    with pytest.raises(ValueError, match=r"^the table of player 1 on line 0 of flop 0 must have shape"):
        certify_split(split, short)
    below = replace(strategy, tables=lambda f, line: (-tables(f, line)[0], tables(f, line)[1]))
    with pytest.raises(ValueError, match=r"^weights must be at least 0 and finite"):
        certify_split(split, below)
    trunk = replace(strategy.trunk, weight=(-strategy.trunk.weight[0], strategy.trunk.weight[1]))
    with pytest.raises(ValueError, match=r"^weights must be at least 0 and finite"):
        certify_split(split, replace(strategy, trunk=trunk))


@pytest.mark.seconds(20)
def test_equal_for_limit_holdem_on_four_ranks():
    game = limit_holdem(4, 3, raises=[0, 1, 0, 0])
    strategy = random_strategy(game, 1, symmetric=True)
    check_equal(certify_split(strategy.split, strategy), certify_factored(game, strategy.whole()))


@over([0, 1000, 10**9])
def test_lines_may_be_judged_in_groups_of_any_size(most):
    strategy = random_strategy(SPOT, 1, symmetric=True)
    split, tables = strategy.split, strategy.tables
    for task in ReachingWalk(split, strategy.trunk).tasks()[0][:3]:
        found, other = judge_flop(split, tables, task, most), judge_flop(split, tables, task)
        assert all(map(np.array_equal, found.best, other.best))
        assert found.earned == pytest.approx(other.earned, rel=1e-12)
        assert found.n_boards == other.n_boards


def test_a_line_is_worth_what_its_subgame_is():
    strategy = random_strategy(SPOT, 1)
    split = strategy.split
    for task in ReachingWalk(split, strategy.trunk).tasks()[0][:4]:
        found = judge_flop(split, strategy.tables, task)
        for line in range(len(split.lines)):
            reaches = task.reaches[0][line], task.reaches[1][line]
            tree = strategy.subgame(task.flop, line).tree
            played = FactoredStrategy(tree, strategy.tables(task.flop, line))
            best = range_values(split.subgame(task.flop, line), played, reaches)
            assert all(map(np.array_equal, best, (found.best[0][line], found.best[1][line])))
