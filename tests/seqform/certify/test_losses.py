"""Losses by infoset: exact against histories, their sum, what they leave out and what they refuse."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.profiles import drawn_profile
from tests.helpers.twins.games import bounds, leaves, moves_of, probabilities
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.losses import losses
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs.lp_solution import solve_lp

RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 4))
SEEDS = st.integers(0, 10**9)


def exact_losses(game, form, profile):
    """Return {(player, infoset): loss} in fractions, from the leaves alone; those of 0 too."""
    ends, found = leaves(game), {}
    played = [probabilities(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True)]
    for player, (t, sign) in enumerate(zip(form.treeplexes, (1, -1), strict=True)):
        q = [Fraction(0)] * t.n_sequences
        moves = moves_of(t)
        for leaf in ends:
            worth = sign * leaf.weight * leaf.payoff
            for move in leaf.past[1 - player]:
                worth *= played[1 - player][move]
            own = leaf.past[player]
            q[moves[own[-1]] if own else 0] += worth
        plan = [Fraction(1)] * t.n_sequences
        for lo, hi, up in zip(t.begin, t.end, t.parent, strict=True):
            for s in range(lo, hi):
                plan[s] = plan[up] * played[player][t.infosets[t.infoset_of[s]], t.actions[s]]
        for i in reversed(range(t.n_infosets)):
            own = range(t.begin[i], t.end[i])
            best, up = max(q[s] for s in own), t.parent[i]
            found[player, t.infosets[i]] = plan[up] * best - sum(plan[s] * q[s] for s in own)
            q[up] += best
    return found


@given(RANDOM, SEEDS)
def test_they_are_those_of_exact_arithmetic_which_sum_to_the_gains_exactly(game, seed):
    form = compiled(game)
    profile = drawn_profile(form, seed)
    exact = exact_losses(game, form, profile)
    value, lower, upper = bounds(game, form, profile.behaviour)
    assert sum(loss for (player, _), loss in exact.items() if player == 0) == upper - value
    assert sum(loss for (player, _), loss in exact.items() if player == 1) == value - lower
    found = losses(form, profile)
    listed = {(one.player, one.infoset): one.loss for one in found}
    assert len(listed) == len(found)
    for key, loss in exact.items():
        assert listed.get(key, 0.0) == pytest.approx(float(loss), abs=1e-12)
    assert [one.loss for one in found] == sorted((one.loss for one in found), reverse=True)


@over(["kuhn_poker(ranks=13)", "leduc_poker"])
def test_forms_of_histories_and_of_public_trees_agree(spec):
    game = load_game(spec)
    public, walked = public_form(game), compiled(game)
    profile = drawn_profile(public, 7)
    found = {(one.player, one.infoset): one for one in losses(public, profile)}
    again = losses(walked, profile.transfer(walked.treeplexes))
    assert {(one.player, one.infoset) for one in again if one.loss > 1e-12} <= found.keys()
    for one in again:
        other = found.get((one.player, one.infoset))
        assert one.loss == pytest.approx(other.loss if other else 0.0, abs=1e-12)
    gains = certify(public, profile).gains
    sums = [sum(one.loss for one in again if one.player == p) for p in (0, 1)]
    assert sums == pytest.approx(gains, abs=1e-9)


def test_one_wrong_infoset_of_a_best_response_is_named_with_what_was_played_and_what_is_best():
    form = compiled(kuhn_poker())
    first, second = form.treeplexes
    answer = form.best_response(1, first.plan(first.uniform())).behaviour()
    lo = second.begin[second.index["K:r"]]
    answer[lo : lo + 2] = 1.0, 0.0
    (worst,) = (
        one for one in losses(form, Profile(form.treeplexes, (first.uniform(), answer))) if one.player == 1
    )
    assert (worst.infoset, worst.best) == ("K:r", "c")
    assert worst.played == {"f": 1.0, "c": 0.0}
    assert worst.loss == pytest.approx(1 / 6 * 2 * 1 / 2 * 3)


def test_an_equilibrium_loses_nothing_but_rounding():
    form = compiled(kuhn_poker())
    assert sum(one.loss for one in losses(form, solve_lp(form).profile)) < 1e-12


def test_infosets_that_their_own_player_does_not_reach_lose_nothing():
    form = compiled("leduc_poker(raises=1)")
    profile = drawn_profile(form, 3)
    for one in losses(form, profile):
        t = form.treeplexes[one.player]
        assert profile.plans[one.player][t.parent[t.index[one.infoset]]] > 0.0


def test_a_player_who_never_acts_and_a_profile_of_another_game():
    alone = compiled(random_game(0, 0, 1))
    assert losses(alone, drawn_profile(alone, 1)) == ()
    form = compiled(kuhn_poker())
    with pytest.raises(ValueError, match="other infosets or actions"):
        losses(form, drawn_profile(alone, 1))
