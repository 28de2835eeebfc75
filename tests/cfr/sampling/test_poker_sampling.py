"""Sampling poker games unenumerated: a naive twin on one stream, laws of deals, keys, growth, proofs."""

import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, combinations, cycle, permutations

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.twins.sampled import Stream, numbered, regrets
from treeplex.bench.theorems_on_learning.samples import every_sample
from treeplex.cfr.engine import ExhaustedError, average, iterate
from treeplex.cfr.sampling import poker_sampling
from treeplex.cfr.sampling.draws import mixed
from treeplex.cfr.sampling.poker_deals import empty_deal, outcome, shuffle, write_observations
from treeplex.cfr.sampling.poker_infosets import betting_lines, poker_layout
from treeplex.cfr.sampling.poker_kernels import probe
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sampling.table_sampling import profile_of
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import SUITS, held
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_leduc,
    rhode_island,
    small_holdem,
)
from treeplex.seqform.boards import suit_symmetry
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile

METHODS = [
    Sampling(),
    Sampling("outcome"),
    Sampling(floor=0.0, exponent=1.0),
    Sampling(floor=-2.5, regret_exponent=1.0, exponent=1.5),
    Sampling("outcome", 0.1, 0.0, 0.0, 1.0),
    Sampling("outcome", 1.0, regret_exponent=1.0, exponent=1.0),
]
RANGES = ("AhKs:0.5,TsTh,9s9h:0.25,AhQh,KsTs:0.001", "TT:0.3,KsQh,JsTs:0.75,AhKs:0.125")


def ranged(game, first, second):
    """Return a game of one hole card with weights of hands, in the order of the deck."""
    ranges = tuple(
        {(c,): Fraction(w) for c, w in zip(game.deck.cards, one, strict=True)} for one in (first, second)
    )
    return PokerGame(
        "ranged", game.ranks, game.suits, 1, game.board_cards, game.betting, game.ranking, ranges=ranges
    )


GAMES = [
    kuhn_poker(),
    kuhn_poker(20),
    leduc_poker(),
    leduc_poker(suits_visible=True),
    leduc_poker(ranks=2, suits=3, raises=1, suits_visible=True),
    no_limit_leduc(),
    rhode_island(ranks=3, suits=2, raises=1),
    small_holdem(),
    small_holdem("As Kh Qs Jh", ranges=RANGES),
    small_holdem("As Ah Ks Kh", ranks=5, max_raises=1),
    small_holdem("As Ks Qs", ranks=5, suits=3, ranges=("JhJd,AhKh:0.5,AdKd:0.5", "AhJh:0.1,AdJd:0.1,TT")),
    flop_holdem(ranks=4, suits=2, raises=[1, 1]),
    ranged(leduc_poker(raises=1, suits_visible=True), [1, 2, 0, 3, 1, 1], ["1/3", 0, 1, "1e-9", 1, 2]),
]
BIG = [rhode_island(), flop_holdem(), limit_holdem(), kuhn_poker(1000), load_game("examples/river.toml")]


def moved(card, suits):
    return card - card % 4 + suits[card % 4]


def symmetries(game):
    """Return the permutations of suits that leave each street of the board and the ranges as they are."""
    found = []
    for suits in permutations(range(game.suits)):
        streets = game.board[:3], game.board[3:4], game.board[4:]
        same = all({moved(c, suits) for c in street} == set(street) for street in streets)
        for one in (held(one, game.board) for one in game.ranges or ()):
            same &= {tuple(sorted(moved(c, suits) for c in h)): w for h, w in one.items()} == one
        if same:
            found.append(suits)
    return found


def seen_alike(game, hands, board, line, player, symmetric):
    """Return the keys of all infosets that symmetries carry this one to."""
    keys = set()
    for suits in symmetric:
        turned = tuple(tuple(sorted(moved(c, suits) for c in h)) for h in hands)
        n = len(game.board)
        state = PokerState(turned, board[:n] + tuple(moved(c, suits) for c in board[n:]), line)
        keys.add(game.joiner.join([game.hand_label(turned[player]), game.public_key(state.board, line)]))
    return keys


class Naive:
    """The method as it is told: deal all cards, then recursion over the game's rules, dictionaries."""

    def __init__(self, game, sampling, source):
        self.game, self.sampling, self.source = game, sampling, source
        self.symmetric = symmetries(game)
        self.regret, self.total = (defaultdict(lambda: defaultdict(float)) for _ in range(2))
        self.iterations = 0
        one, two = game.reach if game.ranges is not None else ({}, {})
        self.chances = shares(
            [w * sum(v for h, v in two.items() if set(g).isdisjoint(h)) for g, w in one.items()]
        )

    def deal(self):
        """Return both hands and the board cards to come, dealt with ranges or card by card."""
        game, dealt = self.game, []
        if game.ranges is not None:
            g = list(game.reach[0])[self.source.pick(self.chances)]
            answers = [w if set(g).isdisjoint(h) else 0 for h, w in game.reach[1].items()]
            dealt = [*g, *list(game.reach[1])[self.source.pick(shares(answers))]]
        deck = [c for c in game.deck.cards if c not in game.board]
        for k, card in enumerate(dealt):
            at = deck.index(card)
            deck[k], deck[at] = deck[at], deck[k]
        size = 2 * game.hole_cards + sum(game.board_cards)
        for k in range(len(dealt), size):
            at = k + self.source.pick([Fraction(1, len(deck) - k)] * (len(deck) - k))
            deck[k], deck[at] = deck[at], deck[k]
        hole = game.hole_cards
        hands = tuple(tuple(sorted(h)) for h in (deck[:hole], deck[hole : 2 * hole]))
        return hands, tuple(deck[2 * hole : size])

    def iterate(self):
        self.iterations += 1
        for player in (0, 1):
            self.traverse(player)

    def traverse(self, player):
        self.hands, self.board = self.deal()
        state = PokerState(self.hands, self.game.board, self.game.first_line)
        if self.sampling.scheme == "outcome":
            self.outcome(state, player, 1.0)
        else:
            self.walk(state, player)

    def key(self, state, player):
        return min(seen_alike(self.game, state.hands, state.board, state.line, player, self.symmetric))

    def strategy(self, key, actions):
        gains = [max(self.regret[key][a], 0.0) for a in actions]
        return [g / sum(gains) if sum(gains) > 0 else 1 / len(actions) for g in gains]

    def average(self, key, actions, row, weight):
        for a, p in zip(actions, row, strict=True):
            self.total[key][a] += max(self.iterations, 1) ** self.sampling.exponent * weight * p

    def learn(self, key, gains):
        for a, gain in gains.items():
            scaled = gain * max(self.iterations, 1) ** self.sampling.regret_exponent
            self.regret[key][a] = max(self.regret[key][a] + scaled, self.sampling.floor)

    def onward(self, state):
        """Pass over chance, whose cards are dealt, and what leaves no choice."""
        game = self.game
        while game.player(state) == CHANCE or len(game.actions(state)) == 1:
            if game.player(state) == CHANCE:
                given = len(game.board)
                street = self.board[len(state.board) - given : game.point(state.line).n_board - given]
                assert game.deck.text(street) in dict(game.chance(state))
                state = game.child(state, game.deck.text(street))
            else:
                state = game.child(state, game.actions(state)[0])
        return state

    def walk(self, state, player):
        game, state = self.game, self.onward(state)
        who = game.player(state)
        if who == TERMINAL:
            return float(game.payoff(state)) * (1 if player == 0 else -1)
        key, actions = self.key(state, who), game.actions(state)
        row = self.strategy(key, actions)
        if who != player:
            self.average(key, actions, row, 1.0)
            return self.walk(game.child(state, actions[self.source.pick(row)]), player)
        values = [self.walk(game.child(state, a), player) for a in actions]
        value = sum(p * v for p, v in zip(row, values, strict=True))
        self.learn(key, {a: v - value for a, v in zip(actions, values, strict=True)})
        return value

    def outcome(self, state, player, sampled):
        """Return the payoff over the probability of the line, times the strategy's tail from here."""
        game, state = self.game, self.onward(state)
        who = game.player(state)
        if who == TERMINAL:
            return float(game.payoff(state)) * (1 if player == 0 else -1) / sampled
        key, actions = self.key(state, who), game.actions(state)
        row = self.strategy(key, actions)
        if who != player:
            self.average(key, actions, row, 1 / sampled)
            return self.outcome(game.child(state, actions[self.source.pick(row)]), player, sampled)
        explored = self.sampling.exploration
        rates = [explored / len(row) + (1 - explored) * p for p in row]
        k = self.source.pick(rates)
        worth = self.outcome(game.child(state, actions[k]), player, sampled * rates[k])
        self.learn(key, {a: (worth if b == k else 0.0) - row[k] * worth for b, a in enumerate(actions)})
        return row[k] * worth


def shares(weights):
    total = sum(map(Fraction, weights))
    return [Fraction(w) / total for w in weights]


class Fast(Stream):
    """The same numbers, picked from long rows without adding each up from the start."""

    def pick(self, probabilities):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        u = (self.mixed(self.state) >> 11) / 2**53
        return next(k for k, b in enumerate(accumulate(map(float, probabilities))) if u < b)


def row_of(layout, state, key):
    """Return the table's entries at an infoset, with the actions."""
    number = layout.key(key)
    at = state.slots[probe(state.slots, np.uint64(number))]["at"]
    actions = layout.actions(number)
    return actions, state.entries[at : at + len(actions)]


def compare(naive, layout, state):
    """Hold a table against the naive one, infoset by infoset."""
    met = {*naive.regret, *naive.total}
    assert state.n_infosets == (state.slots["at"] > 0).sum() == len(met)
    for key in met:
        actions, row = row_of(layout, state, key)
        for name in ("regret", "total"):
            mine = [getattr(naive, name)[key][a] for a in actions]
            assert row[name] == pytest.approx(mine, rel=1e-12, abs=1e-12)


@over(GAMES, METHODS)
def test_each_iteration_is_the_naive_one(game, sampling):
    naive, state = Naive(game, sampling, Stream(7)), None
    engine, layout = poker_sampling.prepare(game, replace(sampling, seed=7)), poker_layout(game)
    for n in (1, 3):
        for _ in range(n):
            naive.iterate()
        state = iterate(engine, n, state)
        compare(naive, layout, state)


def test_tables_that_grow_are_the_naive_ones():
    game, sampling = rhode_island(ranks=5, raises=2), Sampling()
    naive = Naive(game, sampling, Stream(7))
    state = iterate(poker_sampling.prepare(game, replace(sampling, seed=7)), 20)
    for _ in range(20):
        naive.iterate()
    assert len(state.slots) > 1024
    compare(naive, poker_layout(game), state)


def exact_law(game):
    """Return {(hands, streets): probability} by the game's own chance, streets as sets."""
    law, waiting = defaultdict(Fraction), [(game.root(), Fraction(1), ())]
    while waiting:
        state, p, streets = waiting.pop()
        lies = state.hands is not None and len(state.board) == game.n_board
        if lies:
            law[state.hands, streets] += p
        elif game.player(state) == CHANCE:
            for label, q in game.chance(state):
                child = game.child(state, label)
                street = frozenset(child.board[len(state.board) :])
                waiting.append((child, p * q, (*streets, street) if street else streets))
        else:
            # The last action is a call or a raise: nobody folds.
            waiting.append((game.child(state, game.actions(state)[-1]), p, streets))
    return law


@over(
    [
        g
        for g in GAMES
        if g.name not in ("kuhn_poker(ranks=20)", "small_holdem") and not g.name.startswith("flop")
    ]
)
def test_hands_and_boards_come_as_often_as_the_game_deals_them(game):
    """Every way to deal, weighed exactly; streets are sets, since keys forget the order within them."""
    law = defaultdict(Fraction)

    def run(script):
        hands, board = Naive(game, Sampling(), script).deal()
        streets, at = [], 0
        for n in game.board_cards:
            streets += [frozenset(board[at : at + n])] if n else []
            at += n
        return hands, tuple(streets)

    for script, dealt in every_sample(run, 100_000):
        law[dealt] += math.prod(
            (row[k] for row, k in zip(script.rows, script.picks, strict=True)), start=Fraction(1)
        )
    assert law == exact_law(game)


@over([*GAMES, *BIG[:-1], small_holdem(ranks=13, suits=4, ranges=["88+,AQs", "22+,A2s+,KTo+"])])
def test_deals_are_the_naive_ones_and_win_as_the_game_says(game):
    layout = poker_layout(game)
    cards, deal, counts = layout.cards, empty_deal(layout.cards), np.zeros(3, dtype=np.int64)
    naive, results, hole = Naive(game, Sampling(), Fast(5)), set(), game.hole_cards
    stream = np.uint64(mixed(np.uint64(5)))
    for _ in range(100):
        hands, board = naive.deal()
        shuffle(cards, deal, stream, counts)
        lying = cards.live[deal.deck[: 2 * hole + cards.n_dealt]].tolist()
        assert (tuple(sorted(lying[:hole])), tuple(sorted(lying[hole : 2 * hole]))) == hands
        assert tuple(lying[2 * hole :]) == board
        mine, other = (game.strength(hand, game.board + board) for hand in hands)
        assert outcome(cards, deal) == (mine > other) - (mine < other)
        results.add(outcome(cards, deal))
    assert results >= {-1, 1}


def test_every_hand_of_rhode_island_is_ranked_as_the_game_ranks_it():
    """All hands of a deck with the lowest straight against one of each kind."""
    game = rhode_island()
    layout = poker_layout(game)
    cards, deal = layout.cards, empty_deal(layout.cards)
    rng = np.random.default_rng(0)
    few = [c for c in game.deck.cards if c // 4 in (0, 1, 2, 11, 12)]
    for _ in range(4_000):
        a, b, c, d = rng.choice(few, 4, replace=False).tolist()
        deal.deck[:4] = [cards.live.tolist().index(x) for x in (a, b, c, d)]
        mine, other = game.strength((a,), (c, d)), game.strength((b,), (c, d))
        assert outcome(cards, deal) == (mine > other) - (mine < other)


@pytest.mark.seconds(3)
@over(
    [
        (kuhn_poker(), Sampling()),
        (kuhn_poker(), Sampling("outcome")),
        (leduc_poker(ranks=2, raises=1), Sampling("outcome")),
        (leduc_poker(ranks=2, raises=1, suits_visible=True), Sampling()),
    ]
)
def test_regrets_are_unbiased_over_all_samples(game, sampling):
    """The twin's first traversals: all samples together are the exact regrets against uniform play."""
    enumerated = numbered(game)
    uniform = Profile(enumerated.form.treeplexes, tuple(t.uniform() for t in enumerated.form.treeplexes))
    symmetric = symmetries(game)
    for player, t in enumerate(enumerated.form.treeplexes):
        expected, mass = defaultdict(lambda: defaultdict(float)), 0.0

        def run(script, player=player):
            naive = Naive(game, sampling, script)
            naive.traverse(player)
            return naive.regret

        for script, regret in every_sample(run, 200_000):
            mass += script.probability
            for key, row in regret.items():
                for a, r in row.items():
                    expected[key][a] += script.probability * r
        assert mass == pytest.approx(1, abs=1e-9)
        exact = regrets(enumerated.form, uniform, player)
        merged = defaultdict(lambda: defaultdict(float))
        for i, key in enumerate(t.infosets):
            if t.end[i] - t.begin[i] > 1:
                for s in range(t.begin[i], t.end[i]):
                    merged[orbit_of(game, key, symmetric)][t.actions[s]] += exact[s]
        for key, row in merged.items():
            assert expected[key] == pytest.approx(row, abs=1e-9)
        assert max(abs(r) for row in merged.values() for r in row.values()) > 0.01


def orbit_of(game, key, symmetric):
    """Return the smallest of the keys into which suits' symmetries turn one."""
    if game.sees_ranks_only:
        return key
    turned = []
    for suits in symmetric:
        names = {SUITS[k]: SUITS[s] for k, s in enumerate(suits)}
        seen, _, line = key.partition(":")
        hand, _, board = ("".join(names.get(c, c) for c in seen)).partition("|")
        given = game.public_key(game.board, "")[:-1]
        assert seen.partition("|")[2].startswith(given)
        dealt = game.deck.parse(board[len(given) :])
        assert len(dealt) in (0, 1) or len(game.board) == 0
        full = game.board + dealt
        turned.append(f"{game.deck.text(game.deck.parse(hand))}|{game.public_key(full, line)}")
    return min(turned)


@pytest.mark.seconds(3)
@over(
    [
        *(g for g in GAMES if g.n_board < 2 or len(g.board) == 5),
        rhode_island(ranks=2, suits=2, raises=1),
        flop_holdem(ranks=4, suits=2, raises=[0, 1]),
    ]
)
def test_keys_are_infosets_one_to_one_up_to_suits(game):
    """Every infoset with a choice has an integer, and it is shared by those that suits alone tell apart."""
    form, layout = numbered(game).form, poker_layout(game)
    symmetric, numbers = symmetries(game), {}
    assert sorted(suit_symmetry.symmetries(game)) == sorted(symmetric)
    for player, t in enumerate(form.treeplexes):
        for i, key in enumerate(t.infosets):
            actions = t.actions[t.begin[i] : t.end[i]]
            if len(actions) == 1:
                with pytest.raises(ValueError, match="with a choice"):
                    layout.key(key)
                continue
            number, orbit = layout.key(key), orbit_of(game, key, symmetric)
            assert numbers.setdefault(number, orbit) == orbit
            assert layout.key(layout.text(number)) == number
            assert orbit_of(game, layout.text(number), symmetric) == orbit
            assert (layout.player(number), layout.actions(number)) == (player, actions)
            if len(symmetric) == 1 or game.sees_ranks_only:
                assert layout.text(number) == key
    assert len(set(numbers.values())) == len(numbers)


@pytest.mark.seconds(3)
@over(BIG)
def test_kernels_see_what_keys_say(game):
    """Codes of random deals in every round are those that the text of the infoset stands for."""
    layout = poker_layout(game)
    cards, deal, counts = layout.cards, empty_deal(layout.cards), np.zeros(3, dtype=np.int64)
    lines = {}
    for node, actions in enumerate(layout.lines.actions):
        if actions:
            lines[layout.player(node << layout.shift), int(layout.lines.nodes[node]["round"])] = node
    hole, given = game.hole_cards, len(game.board)
    for _ in range(60):
        shuffle(cards, deal, np.uint64(3), counts)
        write_observations(cards, deal)
        lying = cards.live[deal.deck].tolist()
        hands = [tuple(sorted(lying[p * hole : (p + 1) * hole])) for p in (0, 1)]
        for (player, r), node in lines.items():
            board = game.board + tuple(lying[2 * hole : 2 * hole + sum(game.board_cards[: r + 1])])
            state = PokerState((hands[0], hands[1]), board, layout.lines.names[node])
            assert given <= len(board)
            assert layout.key(game.infoset(state, player)) == node << layout.shift | int(
                deal.codes[player, r]
            )


def test_limit_holdem_names_suits_twenty_four_ways():
    layout = poker_layout(limit_holdem())
    assert len(layout.cards.symbol) == 24
    assert layout.key("AsKs|:") == layout.key("AdKd|:") != layout.key("AsKh|:")
    assert layout.key("AsKs|JsTs2h:cc/") == layout.key("AcKc|JcTc2d:cc/")
    assert layout.key("AsKs|JsTs2h4h:cc/cc/") != layout.key("AsKs|JsTs2h4d:cc/cc/")
    # The flop is a set, but flop, turn and river are not one.
    assert layout.key("AsKs|JsTs2h4h:cc/cc/") != layout.key("AsKs|JsTs4h2h:cc/cc/")
    held = {layout.key(f"{game_hand}|:") for game_hand in all_hands()}
    assert len(held) == 169


def all_hands():
    game = limit_holdem()
    return [game.deck.text(hand) for hand in combinations(game.deck.cards, 2)]


@over([g for g in GAMES if g.n_board < 5 or len(g.board) == 5])
def test_lines_are_those_of_the_game(game):
    """Every decision of the enumerated game is a line with the same actions, or leaves no choice."""
    lines = betting_lines(BettingTree.of(game), game.board_cards)
    nodes, waiting, known = lines.nodes, [game.first_line], set()
    while waiting:
        line = waiting.pop()
        point = game.point(line)
        if point.player == CHANCE:
            waiting.append(point.after)
        elif point.player >= 0:
            waiting += point.moves.values()
            if len(point.moves) > 1:
                node = lines.index[line]
                known.add(line)
                assert (int(nodes[node]["kind"]), lines.actions[node]) == (point.player, tuple(point.moves))
                assert int(nodes[node]["round"]) == point.betting.round
    assert known == set(lines.index)
    assert len(nodes) == 1 + sum(map(len, lines.actions))


def test_too_many_lines_are_refused(monkeypatch):
    monkeypatch.setattr("treeplex.cfr.sampling.poker_infosets.MOST_LINES", 16_000)
    with pytest.raises(ValueError, match=r"at most 16,000 betting lines, got at least 16,\d+"):
        ran(poker_sampling.prepare(limit_holdem(), Sampling()), 1)


def test_keys_and_ranges_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr("treeplex.cfr.sampling.poker_infosets.KEY_BITS", 8)
    with pytest.raises(ValueError, match="must fit into 8 bits, got 11: fewer bets or cards"):
        poker_layout(leduc_poker())
    monkeypatch.setattr("treeplex.cfr.sampling.poker_deals.MOST_PAIRS", 700)
    with pytest.raises(ValueError, match="ranges must have at most 700 pairs, got 784"):
        poker_layout(small_holdem("As Kh Qs Jh"))


def same(a, b):
    numbers = ("iterations", "drawn", "n_infosets")
    return all(getattr(a, n) == getattr(b, n) for n in numbers) and (
        a.slots.tobytes() == b.slots.tobytes() and a.entries.tobytes() == b.entries.tobytes()
    )


@over([*zip(METHODS, cycle([[7, 8, 200], [1], [1, 2, 3, 4]]), strict=False)])
def test_going_on_is_the_same_to_the_last_bit(sampling, stops):
    """Also across growth: the first table has 1,024 places."""
    game = rhode_island(ranks=5, raises=2)
    whole = iterate(poker_sampling.prepare(game, replace(sampling, seed=5)), 400)
    state, done = None, 0
    for stop in [*stops, 400]:
        engine = poker_sampling.prepare(game, replace(sampling, seed=5))
        state, done = iterate(engine, stop - done, state), stop
    assert same(state, whole)
    assert not same(iterate(poker_sampling.prepare(game, replace(sampling, seed=6)), 400), whole)
    assert len(whole.slots) > 1024
    assert 2 * whole.n_infosets <= len(whole.slots)


def test_the_state_handed_in_is_not_changed():
    state = iterate(poker_sampling.prepare(leduc_poker(), Sampling()), 5)
    before = state.slots.copy(), state.entries.copy()
    ran(poker_sampling.prepare(leduc_poker(), Sampling()), 50, state)
    assert state.slots.tobytes() == before[0].tobytes()
    assert state.entries.tobytes() == before[1].tobytes()
    assert state.iterations == 5


def test_a_full_table_loses_nothing():
    game, sampling = rhode_island(ranks=5, raises=2), Sampling()
    with pytest.raises(
        ExhaustedError, match=r"at most 3,000 infosets, got 3,\d+ after \d+ iterations"
    ) as caught:
        ran(poker_sampling.prepare(game, replace(sampling, seed=5), 3000), 400)
    assert caught.value.status == "the table is full: at most 3,000 infosets"
    state = caught.value.state
    assert 3000 < state.n_infosets < 3400
    met = poker_sampling.prepare(game, sampling).strategy(state)
    assert sum(len(list(met.items(p))) for p in (0, 1)) == state.n_infosets
    rest = 400 - state.iterations
    assert same(
        iterate(poker_sampling.prepare(game, replace(sampling, seed=5)), rest, state),
        iterate(poker_sampling.prepare(game, replace(sampling, seed=5)), 400),
    )
    with pytest.raises(ExhaustedError) as again:
        ran(poker_sampling.prepare(game, replace(sampling, seed=5), 3000), 1, state)
    assert same(again.value.state, state)


def test_a_table_that_holds_the_whole_game_is_never_full():
    assert iterate(poker_sampling.prepare(leduc_poker(), Sampling(), 288), 20_000).n_infosets == 288


@pytest.mark.seconds(3)
@over([(leduc_poker(), 0.05), (GAMES[-1], 0.02)])
def test_certificates_narrow(game, width):
    form = numbered(game).form
    run = ran(poker_sampling.prepare(game, Sampling(seed=1)), 300_000)
    certificate = certify(form, profile_of(run.average, form))
    assert certificate.nash_conv < width
    early = certify(form, profile_of(average(poker_sampling.prepare(game, Sampling(seed=1)), 300), form))
    assert certificate.nash_conv < early.nash_conv
    assert early.lower <= certificate.upper
    assert certificate.lower <= early.upper
    if game.name == "leduc_poker":
        assert certificate.contains(LEDUC)


def test_strategies_by_key():
    run = ran(poker_sampling.prepare(kuhn_poker(), Sampling(seed=1)), 100_000)
    weak, strong = run.average.at(1, "J:r"), run.average.at(1, "K:r")
    assert list(weak) == ["f", "c"]
    assert weak["f"] > 0.99
    assert strong["c"] > 0.99
    listed = dict(run.average.items(1))
    assert set(listed) == {f"{card}:{line}" for card in "JQK" for line in "cr"}
    assert listed["J:r"] == weak
    assert average(poker_sampling.prepare(kuhn_poker(), Sampling(seed=1)), 1).at(0, "J:cr") in (
        None,
        {"f": 0.5, "c": 0.5},
    )
    with pytest.raises(ValueError, match="infoset 'J:r' is player 1's, got player 0"):
        run.average.at(0, "J:r")


@pytest.mark.seconds(2)
@over(
    [
        (kuhn_poker(), ["A:r", "JQ:r", "J:rf", "J"]),
        (kuhn_poker(20), ["21:r", ":r"]),
        (leduc_poker(), ["KQ:cr", "K:cc/"]),
        (BIG[2], ["AsKh:", "AsAs|:", "AsKh|2s:", "AsKh|As2h3h:cc/"]),
        (small_holdem(), ["AhKs|AsKhQs9sJh:"]),
    ]
)
def test_what_is_no_infoset_is_refused(game, keys):
    layout = poker_layout(game)
    for key in keys:
        with pytest.raises(ValueError, match="is no infoset of"):
            layout.key(key)


def test_bad_runs_are_refused():
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        ran(poker_sampling.prepare(kuhn_poker(), Sampling()), 0)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=f"seed must be between 0 and 2\\*\\*64 - 1, got {seed}"):
            Sampling(seed=seed)
    with pytest.raises(ValueError, match="max_infosets must be between 1 and 4,294,967,296, got 0"):
        ran(poker_sampling.prepare(kuhn_poker(), Sampling(), 0), 1)
    with pytest.raises(
        ValueError, match="scheme must be one of external, outcome where nothing is enumerated, got 'chance'"
    ):
        ran(poker_sampling.prepare(kuhn_poker(), Sampling("chance")), 1)
    with pytest.raises(ValueError, match="streams must be 1 where nothing is enumerated, got 2"):
        poker_sampling.prepare(kuhn_poker(), Sampling(streams=2))


def test_a_game_without_decisions():
    run = ran(poker_sampling.prepare(small_holdem(stack=0), Sampling()), 10)
    assert run.state.n_infosets == 0
    assert list(run.average.items(0)) == []
