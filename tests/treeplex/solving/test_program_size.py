"""Linear programs of too many sequences are refused by counting, and no others."""

from time import process_time

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.core.loading import unwalked
from treeplex.core.problem import Problem
from treeplex.solving import linear_program as program_size
from treeplex.solving.linear_program import MOST_SEQUENCES, check_program_size, least_sequences

EXAMPLES = ROOT / "examples"
GAMES = [
    "kuhn_poker(ranks=30)",
    "leduc_poker",
    "leduc_poker(ranks=5,raises=3,suits_visible=true)",
    "leduc_poker(suits=1,ranks=6)",
    "rhode_island(ranks=3,suits=2,raises=1)",
    "rhode_island(ranks=5,suits=1,raises=1)",
    "no_limit_leduc(max_raises=[0,2],bets=[1])",
    "small_holdem",
    'small_holdem(board="As Kh Qs Jh",ranks=6,suits=2,ranges=["all","TT,QJ"])',
    'small_holdem(board="As Kh Qs Jh",ranks=13,suits=4,ranges=["AhAd,JsTs","QhQd,9s8s"])',
    'small_holdem(board="As Kh Qs Jh",ranks=6,suits=2,ranges=["Ts9s","QhJs"])',
    "one_card_flop(ranks=3,suits=2)",
]


@over(GAMES)
def test_the_bound_is_below_what_is_left_of_a_game(spec):
    problem = unwalked(spec)
    left = sum(problem.small.form.n_sequences)
    assert 0 < least_sequences(problem.game, problem.sizes) <= left
    tree = problem.tree if problem.merged is None else problem.merged.tree
    assert program_size._sequences_with_choice(tree) == left - 2
    check_program_size(problem, left)
    with pytest.raises(ValueError, match="a linear program takes at most"):
        check_program_size(problem, left - 3)


@over(["goofspiel", EXAMPLES / "locked_river.toml"])
def test_other_games_are_measured_on_their_forms(spec):
    problem = unwalked(spec)
    left = sum(problem.small.form.n_sequences)
    check_program_size(problem, left)
    with pytest.raises(ValueError, match=f"at least {left:,}; use a regret minimiser"):
        check_program_size(problem, left - 1)


def test_a_turn_is_refused_before_anything_is_compiled(monkeypatch):
    monkeypatch.setattr(Problem, "tree", property(lambda self: pytest.fail("it was compiled")))
    began = process_time()
    with pytest.raises(ValueError, match=r"turn.toml has at least 2,720,736; use a regret minimiser"):
        tp.solve(EXAMPLES / "turn.toml", "lp")
    assert process_time() - began < 5.0


def test_a_river_of_too_many_sequences_is_refused_on_its_public_tree(monkeypatch):
    monkeypatch.setattr(Problem, "form", property(lambda self: pytest.fail("its form was built")))
    spec = 'small_holdem(ranks=13,suits=4,stack=300,bets=[0.5,1,2,a],raises=[0.5,1,a],board="As Kh Qs Jh 9s")'
    problem = unwalked(spec)
    assert least_sequences(problem.game, problem.sizes) <= MOST_SEQUENCES
    with pytest.raises(ValueError, match="has at least"):
        tp.solve(problem, "lp")
