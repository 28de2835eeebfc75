"""The poker family hand by hand: sizes, keys, chances, payoffs, specs, and what it refuses."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.cfr.sampling.poker_deals import empty_deal, outcome
from treeplex.cfr.sampling.poker_infosets import poker_layout
from treeplex.core.loading import load
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.named import (
    exact,
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    limit_holdem_subgame,
    no_limit_holdem,
    one_card_flop,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.games.poker.rankings import pair_with_board, trips_or_pair
from treeplex.solving.solve import solve

F = Fraction


def walk(game):
    """Yield every state of the explicit game."""
    stack = [game.root()]
    while stack:
        state = stack.pop()
        yield state
        labels = game.actions(state)
        if game.player(state) == CHANCE:
            labels = [label for label, _ in game.chance(state)]
        stack.extend(game.child(state, label) for label in labels)


def play(game, *labels):
    state = game.root()
    for label in labels:
        state = game.child(state, label)
    return state


@over(
    [
        (kuhn_poker(), 55, 30, 6),
        (kuhn_poker(4), 109, 60, 8),
        (kuhn_poker(13), 1405, 780, 26),
        (leduc_poker(), 9451, 5520, 144),
        (leduc_poker(suits_visible=True), 9451, 5520, 468),
        (leduc_poker(raises=1), 3511, 1860, 60),
        (leduc_poker(ranks=5), 55_351, 32_760, 390),
    ]
)
def test_sizes_are_the_published_ones(game, nodes, leaves, infosets):
    count, keys = Counter(), (set(), set())
    for state in walk(game):
        player = game.player(state)
        count[player] += 1
        if player >= 0:
            keys[player].add(game.infoset(state, player))
    assert (count.total(), count[TERMINAL]) == (nodes, leaves)
    assert [len(one) for one in keys] == [infosets, infosets]


@over(
    [kuhn_poker(4), leduc_poker(), rhode_island(2, 2, raises=1), small_holdem(board="As Ks Qh Jh", ranks=5)]
)
def test_chance_sums_to_one_and_no_card_comes_twice(game):
    for state in islice(walk(game), 20_000):
        if game.player(state) == CHANCE:
            outcomes = game.chance(state)
            assert sum(weight for _, weight in outcomes) == 1
            assert len({label for label, _ in outcomes}) == len(outcomes)
        if state.hands is not None:
            cards = [*state.hands[0], *state.hands[1], *state.board]
            assert len(set(cards)) == len(cards)


def test_kuhn_keys_are_card_and_betting():
    game = kuhn_poker()
    state = play(game, "Js|Ks", "c", "r")
    assert game.infoset(state, 0) == "J:cr"
    assert game.infoset(state, 1) == "K:cr"
    assert game.public(state) == ":cr"
    assert game.actions(state) == ("f", "c")


def test_leduc_keys_are_card_board_and_betting():
    game = leduc_poker()
    before = play(game, "Ks|Jh", "c", "r", "c")
    assert game.player(before) == CHANCE
    assert game.infoset(before, 0) == "K:crc"
    state = play(game, "Ks|Jh", "c", "r", "c", "Qh", "r")
    assert game.infoset(state, 1) == "JQ:crc/r"
    assert game.public(state) == "Q:crc/r"
    assert (game.hand_label(state.hands[0]), game.joiner) == ("K", "")
    other = play(game, "Kh|Js", "c", "r", "c", "Qs", "r")
    assert game.infoset(state, 1) == game.infoset(other, 1)


def test_holdem_keys_sort_the_hand_and_each_street():
    game = small_holdem(board="Qs As Kh Jh 9s", stack=4)
    state = play(game, "AhTs|Ks9h", "r2")
    assert game.infoset(state, 0) == "AhTs|AsKhQsJh9s:r2"
    assert game.infoset(state, 1) == "Ks9h|AsKhQsJh9s:r2"
    # As Kh Qs is the flop in any order; the river stays last though it is higher than the turn.
    assert small_holdem(board="Qs As Kh 9s Jh").public_key(parse_cards("QsAsKh9sJh"), "") == "AsKhQs9sJh:"


def test_streets_dealt_in_the_game_are_sorted_too():
    game = flop_holdem(4, 2, raises=(0, 0))
    state = play(game, "JhJs|QhQs", "c", "c", "AsKhKs")
    assert game.infoset(state, 1) == "QhQs|AsKhKs:cc/"
    assert game.public_key(parse_cards("KsAsKh"), "cc/") == "AsKhKs:cc/"


def test_long_decks_have_numbers_for_ranks():
    game = kuhn_poker(100)
    state = play(game, "57s|100s", "r")
    assert game.infoset(state, 0) == "57:r"
    assert game.infoset(state, 1) == "100:r"
    leduc = leduc_poker(ranks=20)
    assert leduc.infoset(play(leduc, "1s|11s", "c", "c", "20h"), 1) == "11|20:cc/"


def test_short_decks_end_with_king_or_ace():
    assert kuhn_poker(12).deck.text(kuhn_poker(12).deck.cards) == "KsQsJsTs9s8s7s6s5s4s3s2s"
    assert kuhn_poker(13).deck.text(kuhn_poker(13).deck.cards)[:4] == "AsKs"
    assert rhode_island(2, 2).deck.text(rhode_island(2, 2).deck.cards) == "AhAsKhKs"
    assert len(limit_holdem().deck.cards) == 52


SPOT = small_holdem(pot=7, stack=F(1, 2), bets=("a",))
SHORT_BLIND = Betting((1,), (F(10), F(2)), (F(90), F(3)), None, (None,), min_bet=F(10))
SHORT = replace(kuhn_poker(), name="short", betting=SHORT_BLIND)


@over(
    [
        (kuhn_poker(), ("Ks|Qs", "c", "c"), 1),
        (kuhn_poker(), ("Js|Qs", "c", "c"), -1),
        (kuhn_poker(), ("Ks|Qs", "r", "c"), 2),
        (kuhn_poker(), ("Js|Qs", "r", "f"), 1),
        (kuhn_poker(), ("Ks|Qs", "c", "r", "f"), -1),
        (leduc_poker(), ("Js|Ks", "c", "c", "Jh", "c", "c"), 1),
        (leduc_poker(), ("Qs|Ks", "c", "c", "Jh", "c", "c"), -1),
        (leduc_poker(), ("Qs|Qh", "r", "r", "c", "Jh", "r", "r", "c"), 0),
        (leduc_poker(), ("Qs|Ks", "r", "r", "c", "Qh", "r", "r", "c"), 13),
        (leduc_poker(), ("Qs|Ks", "r", "r", "c", "Qh", "r", "r", "f"), -9),
        # Half the pot of a spot is each player's.
        (SPOT, ("AhTs|Ks9h", "c", "c"), F(7, 2)),
        (SPOT, ("AhTs|Ks9h", "r0.5", "f"), F(7, 2)),
        (SPOT, ("AhTs|Ks9h", "r0.5", "c"), 4),
        # The surplus over a short call is returned.
        (SHORT, ("Ks|Qs", "c"), 5),
        (SHORT, ("Ks|Qs", "f"), 2),
        (SHORT, ("Js|Qs", "c"), -5),
    ]
)
def test_payoffs_by_hand(game, labels, payoff):
    assert game.payoff(play(game, *labels)) == payoff


def test_an_all_in_is_dealt_out_street_by_street():
    game = small_holdem(board="As Ks Qh", ranks=5, stack=1, bets=("a",))
    state = play(game, "AhKh|JhJs", "r1", "c")
    assert game.player(state) == CHANCE
    state = game.child(state, "Qs")
    assert (game.player(state), game.public(state)) == (CHANCE, "AsKsQhQs:r1c/")
    assert game.chance(state) == [("Th", F(1, 2)), ("Ts", F(1, 2))]
    state = game.child(state, "Th")
    assert (game.player(state), game.public(state)) == (TERMINAL, "AsKsQhQsTh:r1c//")
    assert game.payoff(state) == -2


def test_streets_without_cards_follow_at_once():
    betting = Betting((0, 0), (F(1), F(1)), None, (F(1), F(1)), (1, 1))
    game = replace(kuhn_poker(), name="two rounds", betting=betting, board_cards=(0, 0))
    state = play(game, "Ks|Qs", "c", "c")
    assert (game.player(state), game.public(state)) == (0, ":cc/")
    assert game.payoff(play(game, "Ks|Qs", "r", "c", "r", "c")) == 3


def test_cards_may_come_before_the_first_round():
    betting = Betting((0,), (F(1), F(1)), None, (F(1),), (1,))
    game = replace(leduc_poker(), name="one round", betting=betting, board_cards=(1,))
    state = play(game, "Ks|Qs")
    assert game.player(state) == CHANCE
    assert game.actions(state) == ()
    state = game.child(state, "Qh")
    assert (game.player(state), game.infoset(state, 0)) == (0, "KQ:")


def test_ranges_weigh_the_deal():
    first, second = parse_range("AA:0.25,KQs:0.5"), parse_range("AA,QQ:0.1")
    game = replace(no_limit_holdem(), name="ranges", ranges=(first, second))
    chances = dict(game.chance(game.root()))
    assert sum(chances.values()) == 1
    # Disjoint pairs: AA with AA 6, AA with QQ 36, KQs with AA 24, KQs with QQ 12.
    total = 6 * F(1, 4) + 36 * F(1, 40) + 24 * F(1, 2) + 12 * F(1, 20)
    assert chances["AhAs|AcAd"] == F(1, 4) / total
    assert chances["KsQs|QdQh"] == F(1, 20) / total
    assert "KsQs|QhQs" not in chances
    assert "AhAs|AdAs" not in chances


def test_hands_that_cannot_be_held_are_left_out():
    aces, kings = parse_cards("AsAh"), parse_cards("KsKh")
    one = {tuple(sorted(aces)): F(0), tuple(sorted(kings)): F(1), parse_cards("QsQh"): F(1)}
    other = {parse_cards("JsJh"): F(1, 2)}
    game = replace(no_limit_holdem(), name="r", board=parse_cards("Qs9h8h"), board_cards=(0, 0, 1, 1))
    game = replace(game, ranges=(one, other))
    assert list(game.reach[0]) == [tuple(sorted(kings))]


def test_payoff_is_for_leaves():
    with pytest.raises(ValueError, match="not over"):
        kuhn_poker().payoff(kuhn_poker().root())
    with pytest.raises(ValueError, match="not over"):
        kuhn_poker().payoff(play(kuhn_poker(), "Ks|Qs", "c"))


def test_cards_that_are_not_in_the_deck_cannot_be_dealt():
    game = leduc_poker()
    with pytest.raises(ValueError, match="'Ah' is not in the deck"):
        game.child(play(game, "Ks|Qs", "c", "c"), "Ah")


@over(
    [
        (kuhn_poker(), "kuhn_poker"),
        (kuhn_poker(ranks=4), "kuhn_poker(ranks=4)"),
        (leduc_poker(bets=[2, 4]), "leduc_poker"),
        (leduc_poker(bets=(0.1, 1)), "leduc_poker(bets=[0.1,1])"),
        (leduc_poker(suits_visible=True, raises=1), "leduc_poker(raises=1,suits_visible=true)"),
        (rhode_island(3, 2), "rhode_island(ranks=3,suits=2)"),
        (flop_holdem(4, raises=(1, 1)), "flop_holdem(ranks=4,raises=[1,1])"),
        (turn_holdem(), "turn_holdem"),
        (one_card_flop(), "one_card_flop"),
        (one_card_flop(6, 2), "one_card_flop(ranks=6,suits=2)"),
        (
            no_limit_holdem(bets=("2e",), raises=("3e150", "a")),
            'no_limit_holdem(bets=["2e"],raises=["3e150",a])',
        ),
        (no_limit_holdem(stack=400, blinds=(2, 1)), "no_limit_holdem(stack=400,blinds=[2,1])"),
        (no_limit_holdem(bets=(0.5, "a"), raises=[F(1, 3)]), "no_limit_holdem(bets=[0.5,a],raises=[1/3])"),
    ]
)
def test_names_are_specs(game, spec):
    assert game.name == spec
    assert load_game(game.name) == game


@pytest.mark.seconds(7)
def test_one_card_flop_is_worth_what_slumbots_best_responses_allow():
    """Slumbot's notes/approx_rgbr: best responses to its CFR+ win -0.135173 and 0.146597 chips."""
    problem = load("one_card_flop")
    assert sum(problem.form.n_infosets) == 4 * 1326 + 3 * 4 * 52 * 1275
    certificate = solve(problem, "cfr+", iterations=500).certificate
    assert -0.146597 <= certificate.lower <= certificate.upper <= -0.135173


def test_the_lowest_pair_with_the_board_beats_the_highest_card():
    """However many ranks there are: hands that pair the board rank above all that do not."""
    for board in range(52):
        paired, others = [], []
        for hole in set(range(52)) - {board}:
            hands = paired if hole // 4 == board // 4 else others
            hands.append(pair_with_board((hole,), (board,)))
        assert (len(paired), len(others)) == (3, 48)
        assert min(paired) > max(others)


def test_trips_or_pair_ranks_every_hand_on_every_board():
    """Of the 22,100 hands of three cards: 52 trips, 3,744 pairs; straights and flushes are high cards."""
    strength = {cards: trips_or_pair(cards[1:], cards[:1]) for cards in combinations(range(52), 3)}
    assert Counter(value >> 12 for value in strength.values()) == {0: 18_304, 1: 3_744, 2: 52}
    for cards, value in strength.items():
        assert value == trips_or_pair(cards[:2], cards[2:])
        assert value == trips_or_pair((cards[2], cards[0]), cards[1:2])
    ranks = {
        value: Counter(sorted(card // 4 for card in cards)).most_common() for cards, value in strength.items()
    }
    assert len(ranks) == 286 + 156 + 13
    # The twin: the most frequent rank first, then the highest; more copies win, then ranks one by one.
    twin = sorted(ranks.items(), key=lambda item: sorted(((n, rank) for rank, n in item[1]), reverse=True))
    assert [value for value, _ in twin] == sorted(ranks)


def test_trips_or_pair_knows_neither_straights_nor_flushes():
    ascending = ["4s3s2s", "QsKsJs", "AsKsQs", "2s2d3c", "2s2dAc", "AsAdKc", "2s2d2c", "AsAdAc"]
    strengths = [trips_or_pair(c[:2], c[2:]) for c in map(parse_cards, ascending)]
    assert strengths == sorted(set(strengths))
    with pytest.raises(ValueError, match="trips_or_pair needs 2"):
        trips_or_pair((0,), (1, 2))
    with pytest.raises(ValueError, match="trips_or_pair needs 1"):
        trips_or_pair((0, 1), (2, 3))


def test_samplers_rank_trips_or_pair_as_the_game_does():
    game = one_card_flop()
    cards = poker_layout(game).cards
    deal, rng = empty_deal(cards), np.random.default_rng(0)
    few = [place for place, card in enumerate(cards.live.tolist()) if card // 4 in (0, 1, 11, 12)]
    for _ in range(5000):
        drawn = rng.choice(few, 5, replace=False).tolist()
        deal.deck[:5] = drawn
        a, b, c, d, e = cards.live[drawn].tolist()
        mine, other = game.strength((a, b), (e,)), game.strength((c, d), (e,))
        assert outcome(cards, deal) == (mine > other) - (mine < other)


@over([float("nan"), float("inf"), "x", None, True, "1/0"])
def test_numbers_must_be_finite(value):
    with pytest.raises(ValueError, match="stack must be a finite number"):
        exact(value, "stack")


def test_floats_stand_for_the_decimals_they_print():
    assert exact(0.1, "x") == F(1, 10)
    assert exact("2.5", "x") == F(5, 2)


def small(**changes):
    return replace(small_holdem(), **changes)


HAND = tuple(sorted(parse_cards("AhTs")))


@over(
    [
        (lambda: kuhn_poker(0), "ranks must be an integer of at least 1, got 0"),
        (lambda: kuhn_poker(2.5), "ranks must be an integer"),
        (lambda: kuhn_poker(1), "need 2 cards, but the deck has 1"),
        (lambda: leduc_poker(suits=5), "suits must be an integer from 1 to 4, got 5"),
        (lambda: leduc_poker(ranks=1), "need 3 cards, but the deck has 2"),
        (lambda: leduc_poker(bets=(2,)), "bets must be 2 numbers"),
        (lambda: leduc_poker(bets=(2, float("nan"))), "bets must be a finite number"),
        (lambda: leduc_poker(bets=(2, -4)), "bets must be 2 numbers above 0"),
        (lambda: leduc_poker(raises=-1), "raises must be an integer from 0 up, got -1"),
        (lambda: leduc_poker(suits_visible="maybe"), "suits_visible must be true or false"),
        (lambda: leduc_poker(ranks=14, suits_visible=True), "ranks must be at most 13"),
        (lambda: rhode_island(14), "ranks must be at most 13"),
        (lambda: limit_holdem(raises=3), "raises must be a list of integers"),
        (lambda: flop_holdem(raises=(3, 4, 4)), "raises must be 2 integers"),
        (lambda: no_limit_holdem(stack=float("nan")), "stack must be a finite number"),
        (lambda: no_limit_holdem(stack=10), "stack must be at least the blinds"),
        (lambda: no_limit_holdem(blinds=(100,)), "blinds must be 2 numbers"),
        (lambda: small_holdem(board="As"), "board must have 3, 4 or 5 cards, got As"),
        (lambda: limit_holdem_subgame(board="As Ks"), "board must have 3 cards, got AsKs"),
        (lambda: limit_holdem_subgame(line="rc/rc/"), "line must be the betting up to the turn"),
        (lambda: limit_holdem_subgame(line="rc"), "line must be the betting up to the turn"),
        (lambda: limit_holdem_subgame(line="rc/rf"), "line must be the betting up to the turn"),
        (
            lambda: limit_holdem_subgame(ranks=5),
            "board must be different cards of the deck of 5 ranks and 4 suits, got 7s",
        ),
        (lambda: limit_holdem_subgame(ranges=("all",)), "ranges must be 2 texts"),
        (lambda: small_holdem(board="2s Ks Qs Js Ts"), "the board must be different cards of the deck"),
        (lambda: small_holdem(pot=0), "pot must be above 0"),
        (lambda: small_holdem(pot=-1), "pot must be above 0"),
        (lambda: small_holdem(bets=(-1,)), "bets must hold numbers > 0"),
        (lambda: small_holdem(ranges=("22", "all")), "range of player 0 has no hand"),
        (lambda: small_holdem(ranges=("all", "AhKs", "all")), "ranges must be 2 texts"),
        (lambda: small_holdem(ranges=("AhTs", "AhTh")), "no two hands that can be dealt together"),
        (lambda: small(hole_cards=0), "hole_cards must be an integer of at least 1"),
        (lambda: small(board_cards=(0, 0)), "board_cards must have 1 entries"),
        (lambda: small(board_cards=(-1,)), "board_cards must be integers of at least 0"),
        (lambda: small_holdem(bets=("0e",)), "bets must hold numbers > 0 .* got '0e'"),
        (lambda: replace(rhode_island(), hole_cards=2, board_cards=(0, 1, 0)), "three_card takes 1 hole"),
        (lambda: replace(one_card_flop(), hole_cards=1, board=(48,)), "trips_or_pair takes 2 hole card"),
        (lambda: small(ranking="lowball"), "ranking must be one of high_card"),
        (lambda: small(board=parse_cards("AsKs")), "compares 5 to 7 cards of a player, got 4"),
        (lambda: small(board=parse_cards("As Ks Qs Js") + parse_cards("As")), "got As"),
        (lambda: small(suits_visible=False), "suits can be invisible only"),
        (lambda: small(ranges=({(0, 1): F(1)}, {HAND: F(1)})), "a hand must be different cards of the deck"),
        (lambda: small(ranges=({HAND[:1]: F(1)}, {HAND: F(1)})), "a hand must be 2 cards in increasing"),
        (lambda: small(ranges=({HAND[::-1]: F(1)}, {HAND: F(1)})), "a hand must be 2 cards in increasing"),
        (lambda: small(ranges=({HAND: F(-1)}, {HAND: F(1)})), "weight of AhTs must be exact and at least 0"),
        (lambda: small(ranges=({HAND: float("nan")}, {HAND: F(1)})), "weight of AhTs must be exact"),
        (lambda: small(ranges=({}, {HAND: F(1)})), "range of player 0 has no hand"),
    ]
)
def test_bad_games_are_refused(make, message):
    with pytest.raises(ValueError, match=message) as error:
        make()
    assert "\n" not in str(error.value)
