"""AIVAT of hold'em hands by plans of all hands: right in the mean by enumeration; leads pair by pair."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import treeplex as tp
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.ranges import parse_range
from treeplex.play.translated import ByInfosets
from treeplex.seqform.certify.local_response import shares_won
from treeplex.seqform.certify.public_aivat import PublicAivat, can_be_estimated
from treeplex.seqform.certify.public_walk import expected_value
from treeplex.seqform.certify.range_leads import RangeLeads
from treeplex.seqform.forms.profile import Profile

FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"
RIVER = "small_holdem(board='Ah Kh Qs Js',ranks=5,suits=2,bets=[1],raises=[1],max_raises=1,stack=40)"
SPOT = "small_holdem(board='Ah Kh Qs',ranks=5,suits=2,bets=[1],raises=[1],max_raises=1,stack=40)"


@cache
def drawn(spec, seed):
    """Return a game, and plans of it drawn at random, of which some never take an action."""
    problem, rng = tp.load(spec), np.random.default_rng(seed)
    sides = []
    for treeplex in problem.whole.treeplexes:
        behaviour = treeplex.uniform()
        for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
            odds = rng.dirichlet(np.ones(hi - lo)) * (rng.random(hi - lo) < 0.8)
            behaviour[lo:hi] = odds / odds.sum() if odds.sum() else np.eye(hi - lo)[0]
        sides.append(behaviour)
    profile = Profile(problem.whole.treeplexes, (sides[0], sides[1]))
    return problem.game, profile, ByInfosets(problem.game, profile)


def histories(game, profile, state=None, moves=(), likely=1.0):
    """Yield the moves, the probability and the payoff of each history that can be played."""
    state = game.root() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        yield moves, likely, float(game.payoff(state)), state
        return
    if player == CHANCE:
        odds = [(label, float(p)) for label, p in game.chance(state)]
    else:
        odds = [*profile.action_probabilities(player, game.infoset(state, player)).items()]
    for label, p in odds:
        if p > 0:
            yield from histories(game, profile, game.child(state, label), (*moves, label), likely * p)


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(
    "spec", [RIVER, *(pytest.param(one, marks=pytest.mark.seconds(25)) for one in (FLOP, SPOT))]
)
def test_the_mean_over_all_histories_is_the_value_and_the_variance_is_less(spec, known):
    game, profile, plan = drawn(spec, 3)
    aivat = PublicAivat.of(game, tuple(plan if one else None for one in known))
    value = mean = square = plain = 0.0
    found = {}
    for moves, likely, payoff, state in histories(game, profile):
        hidden = tuple(hand for hand, one in zip(state.hands, known, strict=True) if not one)
        key = game.public(state), hidden
        if key not in found:
            found[key] = aivat.estimate(moves)
        value += likely * payoff
        plain += likely * payoff**2
        mean += likely * found[key]
        square += likely * found[key] ** 2
    assert mean == pytest.approx(value, abs=1e-12)
    assert square - mean**2 < (0.4 if all(known) else 0.9) * (plain - value**2)


@pytest.mark.seconds(5)
@pytest.mark.parametrize("spec", [FLOP, SPOT])
def test_the_public_walk_gives_the_value_of_all_histories(spec):
    game, _, plan = drawn(spec, 4)
    _, other, second = drawn(spec, 5)
    problem = tp.load(spec)
    first = drawn(spec, 4)[1]
    mixed = Profile(problem.whole.treeplexes, (first.behaviour[0], other.behaviour[1]))
    value = sum(likely * payoff for _, likely, payoff, _ in histories(game, mixed))
    assert expected_value(game, (plan, second)) == pytest.approx(value, abs=1e-11)


def test_leads_are_those_of_all_pairs():
    game = tp.load("no_limit_turn_holdem(ranks=4,suits=3)").game
    leads, rng = RangeLeads(game), np.random.default_rng(7)
    for board in ("AsKhQs", "AsKhQsJd"):
        dealt = game.deck.parse(board)
        ranges = tuple(rng.random(len(leads.hands)) * leads.off(dealt) for _ in range(2))
        mass = lead = 0.0
        for i, mine in enumerate(leads.hands.tolist()):
            for j, other in enumerate(leads.hands.tolist()):
                held = {*mine, *other, *dealt}
                weight = ranges[0][i] * ranges[1][j]
                if weight == 0.0 or len(held) < 4 + len(dealt):
                    continue
                ends = [*combinations([c for c in game.deck.cards if c not in held], 4 - len(dealt))]
                won = [
                    np.sign(
                        game.strength(tuple(mine), dealt + end) - game.strength(tuple(other), dealt + end)
                    )
                    for end in ends
                ]
                mass += weight
                lead += weight * float(np.mean(won))
        assert leads.mass(ranges) == pytest.approx(mass, rel=1e-12)
        assert leads.lead(dealt, ranges) == pytest.approx(lead, rel=1e-11, abs=1e-11)


WHOLE_DECK = "no_limit_holdem(stack=1000)"


def ranges_of(leads, *texts):
    """Return weights of hands, (H,) each, from ranges as text."""
    found = []
    for text in texts:
        dealt = parse_range(text)
        found.append(np.array([float(dealt.get(hand, 0)) for hand in map(tuple, leads.hands.tolist())]))
    return tuple(found)


@pytest.mark.parametrize(
    "hands", [("AsAh", "A2s+"), ("AsKs", "AQ"), ("AsAh", "AsKs,72o:0.01"), ("AA,72s:0.5", "AA,A2o,KdQh")]
)
def test_leads_before_the_flop_are_over_pairs_that_share_no_card(hands):
    leads = RangeLeads(tp.load(WHOLE_DECK).game)
    first, second = ranges_of(leads, *hands)
    mass = lead = 0.0
    for i in np.flatnonzero(first):
        mine = leads.hands[i].tolist()
        others = np.flatnonzero((second > 0) & leads.off(mine))
        won = 2.0 * shares_won(leads.game, tuple(mine), leads.hands[others], ()) - 1.0
        mass += first[i] * second[others].sum()
        lead += first[i] * float(second[others] @ won)
    assert leads.mass((first, second)) == pytest.approx(mass, rel=1e-12)
    assert leads.lead((), (first, second)) == pytest.approx(lead, rel=1e-11)
    assert abs(lead) <= mass


@pytest.mark.parametrize("small", [1e-3, 1e-15, 1e-30, 1e-150])
def test_the_mass_of_ranges_that_nearly_all_share_cards_is_precise(small):
    leads = RangeLeads(tp.load(WHOLE_DECK).game)
    ranges = ranges_of(leads, f"AhTh,KsTs:{small:.150f}", f"AhTh,KsTs:{small:.150f}")
    assert leads.mass(ranges) == pytest.approx(2.0 * small, rel=1e-12)
    assert leads.mass((ranges[0], np.zeros_like(ranges[0]))) == 0.0


BLOCKED = (
    "small_holdem(board='As Kh Qs',ranks=5,suits=2,bets=[1],raises=[1],max_raises=1,stack=40,"
    "ranges=['JsTs,JhTh','JsJh,JhTh,AhTs'])"
)
"""Of player 1 AhTs meets JhTh alone, which the turn may take, and JsJh no hand at all."""


@pytest.mark.seconds(5)
def test_hands_that_meet_no_hand_of_the_other_are_not_asked_for():
    game, profile, plan = drawn(BLOCKED, 3)
    value = sum(likely * payoff for _, likely, payoff, _ in histories(game, profile))
    assert expected_value(game, (plan, plan)) == pytest.approx(value, abs=1e-12)
    for plans in ((plan, plan), (plan, None), (None, plan)):
        aivat = PublicAivat.of(game, plans)
        found = [likely * aivat.estimate(moves) for moves, likely, _, _ in histories(game, profile)]
        assert sum(found) == pytest.approx(value, abs=1e-12)


def test_hands_that_are_met_are_those_of_a_pair():
    leads, rng = RangeLeads(tp.load("no_limit_turn_holdem(ranks=4,suits=2)").game), np.random.default_rng(2)
    disjoint = (leads.hands[:, None, :, None] != leads.hands[None, :, None, :]).all(axis=(2, 3))
    for _ in range(20):
        ranges = tuple(rng.random(len(leads.hands)) * (rng.random(len(leads.hands)) < 0.1) for _ in range(2))
        for player in (0, 1):
            pairs = disjoint & (ranges[1 - player] > 0)
            expected = (ranges[player] > 0) & pairs.any(axis=1)
            assert (leads.met(player, ranges) == expected).all()


def test_games_that_have_no_such_estimates_are_refused():
    for spec in ("leduc_poker", "flop_holdem(ranks=4,suits=2,flops=1)", "rhode_island(ranks=3)"):
        assert not can_be_estimated(tp.load(spec).game)
        with pytest.raises(BadInputError, match="such estimates are of hold'em"):
            PublicAivat.of(tp.load(spec).game, (None, None))
    with pytest.raises(BadInputError, match="one player at least"):
        PublicAivat.of(tp.load(FLOP).game, (None, None))


def test_a_hand_that_a_plan_never_plays_is_refused():
    game, _, plan = drawn(FLOP, 3)
    aivat = PublicAivat.of(game, (AlwaysFolds(game), plan))
    deal = game.chance(game.root())[0][0]
    with pytest.raises(BadInputError, match="never plays 'c'"):
        aivat.estimate((deal, "c", "c"))


class AlwaysFolds:
    """Plays the first action of the game's order with all hands."""

    def __init__(self, game):
        self.game = game

    def play(self, line, board, hands):
        actions = [*self.game.point(line).moves]
        return np.tile(np.eye(len(actions))[actions.index(actions[-1])], (len(hands), 1))
