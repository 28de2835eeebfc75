"""Local best responses: a twin that enumerates all hands exactly, and best responses above them."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import numbered
from tests.helpers.twins.games import die
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.preflop import equity
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.named import flop_holdem, kuhn_poker, leduc_poker, no_limit_holdem
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.local_response import local_best_response, shares_won
from treeplex.seqform.forms.profile import Profile

SEEN = leduc_poker(suits_visible=True)
GAMES = [kuhn_poker(), SEEN]
CHIPS = replace(
    SEEN,
    name="leduc of whole chips",
    betting=Betting((0, 0), (Fraction(1),) * 2, (Fraction(2),) * 2, None, (None, None), min_bet=Fraction(1)),
)
"""Leduc in which a raise is to any whole number of chips."""


class Dice:
    """Every hand's actions by dice, as fractions of 12."""

    def __init__(self, game):
        self.game, self.rows = game, {}

    def row(self, line, board, hand):
        key = line, board, tuple(hand)
        if key not in self.rows:
            parts = [1 + die(6, (*key, a)) for a in self.game.point(line).moves]
            self.rows[key] = [Fraction(p, sum(parts)) for p in parts]
        return self.rows[key]

    def play(self, line, board, hands):
        return np.array([[float(p) for p in self.row(line, board, hand)] for hand in hands.tolist()])


class Exact:
    """Expected winnings of the responder over all deals, in fractions; its raises are all, or by pots."""

    def __init__(self, game, strategy, player, first, pots=None):
        self.game, self.strategy, self.player, self.first = game, strategy, player, first
        self.pots = pots

    def own(self, point):
        """Return the responder's actions: fold, call, and the whole-chip raises nearest to its pots."""
        if self.pots is None:
            return [*point.moves]
        raises = sorted(int(label[1:]) for label in point.moves if label[0] == "r")
        top = max(point.betting.put)
        near = {min(raises, key=lambda n: (abs(n - top - 2 * pot * top), -n)) for pot in self.pots if raises}
        return [*(label for label in point.moves if label in "fc"), *(f"r{n}" for n in sorted(near))]

    def winnings(self):
        cards = self.game.deck.cards
        hands = [*combinations(cards, self.game.hole_cards)]
        total, pairs = Fraction(0), 0
        for mine in hands:
            weight = {h: Fraction(1) for h in hands if not {*h} & {*mine}}
            pairs += len(weight)
            total += self.below(mine, (), self.game.first_line, weight)
        return total / pairs

    def below(self, mine, board, line, weight):
        """Return the sum over the opponent's hands of weight times winnings."""
        game, point = self.game, self.game.point(line)
        if point.player == TERMINAL:
            return sum(w * self.payoff(point, mine, h, board) for h, w in weight.items())
        if point.player == CHANCE:
            due, total = point.n_board - len(board), Fraction(0)
            ways = len([*combinations(range(len(game.deck.cards) - 2 * game.hole_cards - len(board)), due)])
            for cards in combinations(sorted({*game.deck.cards} - {*mine, *board}), due):
                live = {h: w / ways for h, w in weight.items() if not {*h} & {*cards}}
                total += self.below(mine, board + cards, point.after, live)
            return total
        if point.player != self.player:
            rows = {h: dict(zip(point.moves, self.strategy.row(line, board, h), strict=True)) for h in weight}
            played = {a: {h: w * rows[h][a] for h, w in weight.items()} for a in point.moves}
            return sum(self.below(mine, board, point.moves[a], played[a]) for a in point.moves)
        action = "c"
        if sum(n > 0 for n in game.board_cards[: point.betting.round + 1]) >= self.first:
            action = max(self.own(point), key=lambda a: self.worth(point, a, mine, board, weight))
        return self.below(mine, board, point.moves[action], weight)

    def payoff(self, point, mine, other, board):
        if not point.betting.is_showdown:
            return point.wins[0] * (1 if self.player == 0 else -1)
        one, two = self.game.strength(mine, board), self.game.strength(other, board)
        return point.wins[2] * ((one > two) - (one < two))

    def worth(self, point, action, mine, board, weight):
        """Return what an action earns if the opponent answers and both check and call from then on."""
        after, put = self.game.point(point.moves[action]), self.game.point(point.moves[action]).betting.put
        if action == "f":
            return -put[self.player] * sum(weight.values())
        earned = Fraction(0)
        for other, w in weight.items():
            fold = Fraction(0)
            stake = min(put)
            if action != "c":
                fold = dict(
                    zip(after.moves, self.strategy.row(point.moves[action], board, other), strict=True)
                )["f"]
                stake = max(put)
            earned += w * (fold * put[1 - self.player] + (1 - fold) * stake * self.lead(mine, other, board))
        return earned

    def lead(self, mine, other, board):
        left = sorted({*self.game.deck.cards} - {*mine, *other, *board})
        ends = [(*board, *cards) for cards in combinations(left, self.game.n_board - len(board))]
        signs = [
            (self.game.strength(mine, end) > self.game.strength(other, end))
            - (self.game.strength(mine, end) < self.game.strength(other, end))
            for end in ends
        ]
        return Fraction(sum(signs), len(signs))


@pytest.mark.seconds(6)
@over(
    [
        (GAMES[0], 0, None),
        (GAMES[1], 1, None),
        (CHIPS, 0, ()),
        (CHIPS, 0, (Fraction(1), Fraction(9))),
        (CHIPS, 1, (Fraction(1, 9), Fraction(1, 2))),
    ]
)
def test_winnings_are_those_of_all_hands(game, first, pots):
    """The twin's own values, below a best response's where the responder has fewer bets than the rules."""
    strategy = Dice(game)
    exact = [float(Exact(game, strategy, player, first, pots).winnings()) for player in (0, 1)]
    sizes = None if pots is None else Sizes(pots, pots)
    found = local_best_response(
        game, strategy, hands=600 if pots is None else 200, seed=2, first_street=first, sizes=sizes
    )
    for won, error, value in zip(found.winnings, found.errors, exact, strict=True):
        assert abs(won - value) < 4 * error
        assert error < 0.5
    behaviour = []
    form = numbered(game).form
    for t in form.treeplexes:
        row = t.uniform()
        for key, lo, hi in zip(t.infosets, t.begin, t.end, strict=True):
            hand, board, line = _parsed(game, key)
            row[lo:hi] = [float(p) for p in strategy.row(line, board, hand)]
        behaviour.append(row)
    proof = certify(form, Profile(form.treeplexes, tuple(behaviour)))
    assert exact[0] < proof.upper
    assert exact[1] < -proof.lower
    assert sum(exact) < proof.nash_conv
    if first == 0 and pots is None:
        assert sum(exact) > proof.nash_conv / 2


def _parsed(game, key):
    """Return hand, board and line of a key such as "Ks|Qh:cr" or "K:cr"."""
    cards, line = key.split(":")
    hand, _, board = cards.partition("|")
    return game.deck.parse(hand) if "|" in cards else _by_rank(game, hand), game.deck.parse(board), line


def _by_rank(game, rank):
    return tuple(c for c in game.deck.cards if game.deck.rank_text[c] == rank)


def test_the_same_seed_gives_the_same_numbers():
    strategy = Dice(SEEN)
    one, two, other = (local_best_response(SEEN, strategy, hands=20, seed=s) for s in (1, 1, 2))
    assert one == two
    assert one.winnings != other.winnings
    longer = local_best_response(SEEN, strategy, hands=21, seed=1)
    assert longer.as_json()["lower_bounds"]["standard_error"] == longer.error


def test_shares_of_holdem_hands_are_counted_over_the_boards_to_come():
    game = flop_holdem(4, 3, (1, 1))
    cards = game.deck.cards
    mine, board = (cards[0], cards[5]), (cards[2], cards[7], cards[9])
    hands = np.array([h for h in combinations(cards, 2) if not {*h} & {*mine, *board}])
    naive = [
        (
            1
            + (game.strength(mine, board) > game.strength(h, board))
            - (game.strength(mine, board) < game.strength(h, board))
        )
        / 2
        for h in map(tuple, hands.tolist())
    ]
    np.testing.assert_array_equal(shares_won(game, mine, hands, board), naive)
    before = np.array([h for h in combinations(cards, 2) if not {*h} & {*mine}])
    shares = shares_won(game, mine, before, ())
    found = Exact(game, Dice(game), 0, 0)
    for k in (0, 7, 20):
        assert shares[k] == pytest.approx(float(found.lead(mine, tuple(before[k].tolist()), ()) + 1) / 2)


def test_shares_before_the_flop_are_those_of_the_table():
    """Against all hands together the exact equity."""
    mine = parse_cards("AsKd")
    hands = np.array([h for h in combinations(range(52), 2) if not {*h} & {*mine}])
    shares = shares_won(no_limit_holdem(), tuple(sorted(mine)), hands, ())
    assert shares.mean() == pytest.approx(float(equity("AsKd", "random").equity), abs=1e-12)


def test_sizes_are_refused_in_games_with_a_menu():
    with pytest.raises(ValueError, match="sizes are a responder's in games of every whole number of chips"):
        local_best_response(SEEN, Dice(SEEN), hands=2, sizes=Sizes((), ()))


def test_spots_are_refused():
    with pytest.raises(ValueError, match="whole hands without ranges and locks, got 'example:river'"):
        local_best_response(load_game("example:river"), Dice(SEEN), hands=2)


@over([({"hands": 1}, "hands"), ({"seed": -1}, "seed"), ({"first_street": 2}, "first_street")])
def test_numbers_out_of_range_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        local_best_response(SEEN, Dice(SEEN), **({"hands": 2} | given))
