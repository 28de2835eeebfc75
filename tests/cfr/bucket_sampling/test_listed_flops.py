"""Blueprints of games with listed flops: the flop is drawn by its weight, hands from the other cards."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cfr.bucket_sampling.sampler_walk import key_of, write_deals
from treeplex.cfr.sampling.poker_deals import card_arrays, empty_deal
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.poker.named import flop_holdem, turn_holdem
from treeplex.seqform.certify.local_response import local_best_response
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.public_tree import compile_public


def closed(flops, suits):
    """Return flops with weights, each with all renamings of its suits."""
    found = {}
    for cards, weight in flops:
        for suit in permutations(range(suits)):
            found[tuple(sorted((c - c % 4 + suit[c % 4] for c in cards), reverse=True))] = weight
    return tuple(found.items())


UNEVEN = replace(
    flop_holdem(4, 2, raises=(0, 1)),
    name="uneven",
    flops=closed((((49, 48, 45), 3), ((48, 45, 40), 2), ((45, 44, 41), 7)), 2),
)
TURN = replace(turn_holdem(3, 3, raises=(0, 1, 0)), flops=closed((((50, 49, 48), 5), ((50, 45, 40), 2)), 3))
DEALS = 60_000


def ways(game):
    """Return the probability of each pair of hands and flop, and what it leaves for the turn."""
    found = {}
    for flop, weight in game.flops:
        left = sorted({*game.deck.cards} - {*flop})
        for g in combinations(left, 2):
            for h in combinations(sorted({*left} - {*g}), 2):
                for turn in sorted({*left} - {*g, *h}) if game.n_board > 3 else (None,):
                    found[g, h, flop, turn] = weight
    # the pairs of hands beside a flop, and the turns, are as many for all flops
    total = sum(found.values())
    return {one: weight / total for one, weight in found.items()}


def drawn(game):
    """Return how often pairs of hands, flop and turn are dealt."""
    cards = card_arrays(game)
    dealt = np.empty((DEALS, 2, 2 + cards.n_dealt), np.int64)
    sign = np.empty(DEALS, np.int8)
    write_deals(cards, empty_deal(cards), np.zeros(3, np.int64), key_of(3), 0, dealt, sign)
    assert (dealt[:, 0, 2:] == dealt[:, 1, 2:]).all()
    return Counter(
        (
            tuple(sorted(mine[:2])),
            tuple(sorted(other[:2])),
            tuple(sorted(mine[2:5], reverse=True)),
            mine[5] if len(mine) > 5 else None,
        )
        for mine, other in dealt.tolist()
    )


@pytest.mark.seconds(2)
@over([UNEVEN, TURN])
def test_deals_are_as_likely_as_the_game_says(game):
    chance, found = ways(game), drawn(game)
    assert found.keys() <= chance.keys()
    expected = DEALS * np.array([*chance.values()])
    counts = np.array([found[one] for one in chance])
    freedom = len(chance) - 1
    assert abs(((counts - expected) ** 2 / expected).sum() - freedom) < 4 * np.sqrt(2 * freedom)


@pytest.mark.seconds(2)
def test_blueprints_come_near_the_optimum():
    value = float(solve_lp(sequence_form(compile_public(UNEVEN))).certificate.value)
    given = {"iterations": 300_000, "batch": 100, "period": 10_000, "clusters": 2}
    one, other = (
        tp.solve(UNEVEN, "mccfr-external", abstraction=lossless(UNEVEN), threads=n, **given) for n in (1, 2)
    )
    assert one.lower <= value <= one.upper
    assert one.nash_conv < 0.03 * float(UNEVEN.betting.invested[1])
    assert one.nash_conv == other.nash_conv


class Even:
    """Every action as likely as another."""

    def __init__(self, game):
        self.game = game

    def play(self, line, board, hands):
        n = len(self.game.point(line).moves)
        return np.full((len(hands), n), 1.0 / n)


def test_local_responses_are_dealt_listed_flops():
    seen = set()

    class Watched(Even):
        def play(self, line, board, hands):
            seen.add(tuple(sorted(board, reverse=True)))
            return super().play(line, board, hands)

    bounds = local_best_response(UNEVEN, Watched(UNEVEN), hands=60)
    assert seen == {(), *(flop for flop, _ in UNEVEN.flops)}
    uniform = tp.check(UNEVEN, {}, missing="uniform")
    assert bounds.nash_conv < uniform.nash_conv + 4 * bounds.error
    assert bounds.nash_conv > 0
