"""Best responses to card-blind strategies: streamed boards against the whole game, and the closed form."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.bench.theorems_in_papers.johanson_2011 import STRATEGIES, blind_plan
from treeplex.bench.theorems_on_games.card_blind import (
    BLIND_STRATEGIES,
    BlindStrategy,
    best_response_to_blind,
    mean_advantages,
)
from treeplex.bench.theorems_on_games.card_blind_betting import blind_betting
from treeplex.bench.theorems_on_games.card_blind_boards import (
    sort_by_strength,
    stream_boards,
    wins_less_losses,
)
from treeplex.core.loading import load
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    limit_holdem,
    no_limit_holdem,
    rhode_island,
)
from treeplex.seqform.certify.certificate import exact_bounds

NAMES = tuple(BLIND_STRATEGIES)
SMALL = (
    "kuhn_poker(ranks=5)",
    "leduc_poker",
    "leduc_poker(suits_visible=true)",
    "no_limit_leduc",
    "flop_holdem(ranks=4,suits=2,raises=[1,1])",
)
MIDDLE = (
    "rhode_island(ranks=3,suits=3,raises=1)",
    "rhode_island(ranks=4,suits=2,raises=2)",
    "flop_holdem(ranks=3,suits=3,raises=[1,2])",
)
LARGER = (
    "turn_holdem(ranks=4,suits=2,raises=[1,1,1])",
    "turn_holdem(ranks=3,suits=3,raises=[0,1,1])",
    "limit_holdem(ranks=3,suits=3,raises=[0,0,0,1])",
    "no_limit_holdem(ranks=3,suits=3,stack=400,bets=[],raises=[1])",
)
FOUR_STREETS = (
    "limit_holdem(ranks=5,suits=2)",
    "limit_holdem(ranks=3,suits=3)",
    "limit_holdem(ranks=3,suits=4)",
)

CHANGES = (
    {"board_cards": (2, 0, 0)},
    {"board_cards": (0, 0, 2)},
    {"board_cards": (0, 2, 0)},
    {"board_cards": (1, 1, 0)},
    {"board_cards": (0, 4, 0), "ranking": "holdem"},
)


def values_in_the_whole_game(form, mix):
    """Return what each player wins at most against the strategy, exactly, by the sequence form."""
    x, y = (blind_plan(treeplex, BlindStrategy("", mix)) for treeplex in form.treeplexes)
    _, lower, upper = exact_bounds(form, x, y)
    return upper, -lower


def check_against_the_whole_game(game, strategy, form):
    for seat, exact in enumerate(values_in_the_whole_game(form, strategy.mix)):
        answer = best_response_to_blind(game, strategy, seat)
        assert answer.lower <= exact <= answer.upper
        assert answer.lower <= answer.value <= answer.upper
        assert answer.upper - answer.lower <= 1e-9 * float(answer.blind)


@two_tiers(SMALL, MIDDLE, seconds=(3, 7))
def test_the_interval_contains_the_exact_value(spec):
    """Of the strategies with names and of one that a user writes."""
    game, form = load_game(spec), load(spec).form
    for strategy in (*(BLIND_STRATEGIES[name] for name in NAMES), STRATEGIES["uneven"]):
        check_against_the_whole_game(game, strategy, form)


@pytest.mark.seconds(30)
@over(LARGER)
def test_the_interval_contains_the_exact_value_of_larger_games(spec):
    game, form = load_game(spec), load(spec).form
    for name in NAMES:
        check_against_the_whole_game(game, BLIND_STRATEGIES[name], form)


@two_tiers(CHANGES[:2], CHANGES[2:], seconds=(1, 3))
def test_cards_may_come_before_any_round_or_none(change):
    check_changed(change, (BLIND_STRATEGIES["uniform"], STRATEGIES["uneven"]))


@pytest.mark.seconds(10)
def test_two_hole_cards_and_a_round_without_new_cards():
    change = {"ranks": 4, "suits": 2, "hole_cards": 2, "board_cards": (0, 1, 2), "ranking": "holdem"}
    check_changed(change, BLIND_STRATEGIES.values())


def check_changed(change, strategies):
    game = replace(rhode_island(ranks=3, suits=3, raises=1), **change)
    form = load(game).form
    for strategy in strategies:
        check_against_the_whole_game(game, strategy, form)


@pytest.mark.seconds(3)
@over([*SMALL, *MIDDLE[::2], *FOUR_STREETS[1:]], [0, 1])
def test_boards_that_suits_carry_into_each_other_may_be_visited_once(spec, seat):
    game = load_game(spec)
    streets = blind_betting(game, STRATEGIES["uneven"].mix, seat).streets
    merged = stream_boards(game, streets)
    every = stream_boards(game, streets, [tuple(range(game.suits))])
    assert merged.values == pytest.approx(every.values, abs=1e-10)
    streets_of_cards = [n for n in game.board_cards if n]
    left, boards = len(game.deck.cards), 1
    for size in streets_of_cards:
        boards, left = boards * math.comb(left, size), left - size
    assert every.boards == boards
    assert merged.boards < boards or game.suits == 1 or not streets_of_cards


def test_always_call_by_its_closed_form_on_all_flops():
    """Two blinds of 10 and 5, bets of 10: only the advantages count, in big blinds, whoever is the dealer."""
    closed = 1000 * sum(mean_advantages(flop_holdem()))
    for seat in (0, 1):
        answer = best_response_to_blind(flop_holdem(), BLIND_STRATEGIES["always-call"], seat)
        assert answer.mbb == pytest.approx(closed, abs=1e-6)
        assert answer.boards == 1755


def test_advantages_are_those_of_enumerated_hands():
    game = rhode_island(ranks=3, suits=2)
    deck = game.deck.cards

    def edge(hand, board, dealt=2):
        """Return 2 e - 1 by listing everything."""
        if len(board) < dealt:
            left = [c for c in deck if c != hand and c not in board]
            return sum(edge(hand, (*board, c)) for c in left) / Fraction(len(left))
        others = [c for c in deck if c != hand and c not in board]
        mine = game.strength((hand,), board)
        signs = [np.sign(mine - game.strength((other,), board)) for other in others]
        return Fraction(int(sum(signs)), len(others))

    boards = [[()], [(b,) for b in deck], [(b, c) for b in deck for c in deck if b != c]]
    for level, found in enumerate(mean_advantages(game)):
        edges = [edge(h, board) for board in boards[level] for h in deck if h not in board]
        assert found == pytest.approx(float(sum(max(e, 0) for e in edges) / len(edges)), abs=1e-12)


@over([limit_holdem(), no_limit_holdem(bets=[1, "a"], raises=[1, "a"])])
def test_against_folds_no_card_matters(game):
    """The dealer takes the big blind, the big blind takes the small one: 750 thousandths on average."""
    first, second = (best_response_to_blind(game, BLIND_STRATEGIES["always-fold"], seat) for seat in (0, 1))
    assert (first.mbb, second.mbb) == (500.0, 1000.0)
    assert first.boards == second.boards == 0
    assert first.lower <= first.value <= first.upper


def naive_edges(strengths, hands):
    """Return wins less losses of each living hand, pair by pair."""
    living = [h for h in range(len(hands)) if strengths[h] >= 0]
    return {
        h: sum(
            np.sign(int(strengths[h]) - int(strengths[g]))
            for g in living
            if not set(hands[h]) & set(hands[g])
        )
        for h in living
    }


@given(st.integers(0, 10**9), st.integers(1, 2), st.integers(5, 9), st.sampled_from([1, 2, 5, 300, 65_535]))
def test_wins_less_losses_pair_by_pair(seed, hole, n_cards, strongest):
    rng = np.random.default_rng(seed)
    hands = np.array(list(combinations(range(n_cards), hole)))
    board = rng.choice(n_cards, rng.integers(0, n_cards - 2 * hole + 1), replace=False)
    strengths = rng.integers(0, strongest, len(hands), endpoint=True).astype(np.int32)
    strengths[np.isin(hands, board).any(axis=1)] = -1
    order, spare, edges = np.zeros((3, len(hands)), dtype=np.int64)
    below, up_to = np.zeros((2, n_cards), dtype=np.int64)
    alive = sort_by_strength(strengths, order, spare)
    sorted_strengths = strengths[order[:alive]]
    assert sorted(order[:alive].tolist()) == np.flatnonzero(strengths >= 0).tolist()
    assert (np.diff(sorted_strengths) >= 0).all()
    others = math.comb(n_cards - len(board) - hole, hole)
    wins_less_losses(strengths, hands, order[:alive], others, below, up_to, edges)
    assert {h: edges[h] for h in order[:alive].tolist()} == naive_edges(strengths, hands.tolist())


@over(
    [
        (replace(flop_holdem(), hole_cards=3, board_cards=(0, 2)), "1 or 2 cards, got 3"),
        (load_game("small_holdem"), "got ranges"),
        (replace(load_game("small_holdem"), ranges=None), "no board may lie"),
        (no_limit_holdem(), "at most 20,000 states"),
    ]
)
def test_games_that_do_not_fit_are_refused(game, message):
    with pytest.raises(ValueError, match=message):
        best_response_to_blind(game, BLIND_STRATEGIES["uniform"], 0)


def test_seats_are_0_and_1():
    with pytest.raises(ValueError, match="seat must be 0 or 1, got 2"):
        best_response_to_blind(kuhn_poker(), BLIND_STRATEGIES["uniform"], 2)


@over([(1,), (Fraction(1, 2), Fraction(1, 3)), (2, -1)])
def test_probabilities_must_be_some(*odds):
    with pytest.raises(ValueError, match=r"f, c probabilities|c, r probabilities"):
        best_response_to_blind(kuhn_poker(), BlindStrategy("odd", lambda labels: odds), 0)
