"""Forced moves taken out: the same game with fewer sequences, and profiles that go back."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.forms import compiled
from tests.helpers.profiles import mixed_profile
from tests.helpers.twins.games import Wrapped, die
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify, certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.reductions.removed_infosets import without_forced_moves


class OnlyOne(Wrapped):
    """Another game in which players may do nothing but the first thing at about half of their infosets."""

    def actions(self, state):
        actions = self.game.actions(state)
        player = self.game.player(state)
        if player in (CHANCE, TERMINAL):
            return actions
        return actions[: 1 if die(2, self.game.infoset(state, player)) else len(actions)]


def form_of(seed, depth):
    return compiled(OnlyOne(random_game(seed=seed, depth=depth)))


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_payoffs_and_guarantees_stay(seed, depth):
    whole = form_of(seed, depth)
    unforced = without_forced_moves(whole)
    assert all((t.end - t.begin).min(initial=2) > 1 for t in unforced.form.treeplexes)
    profile = mixed_profile(unforced.form, seed)
    a, b = certify_exactly(unforced.form, profile), certify_exactly(whole, unforced.lift(profile))
    assert (a.value, a.lower, a.upper) == (b.value, b.lower, b.upper)
    for there, back in zip(
        profile.behaviour, unforced.restrict(unforced.lift(profile)).behaviour, strict=True
    ):
        np.testing.assert_array_equal(there, back)


def test_what_has_no_forced_moves_is_left_alone():
    form = tp.load("leduc_poker").form
    assert without_forced_moves(form).form is form


def test_half_of_the_infosets_of_liars_dice_are_forced():
    whole = tp.load("liars_dice(faces=4)").form
    small = without_forced_moves(whole).form
    assert whole.n_infosets == (512, 512)
    assert small.n_infosets == (256, 256)
    assert small.payoff.base.nnz < whole.payoff.base.nnz


@over(["lp", "cfr+", "mccfr-external"])
def test_methods_answer_in_the_whole_game(method):
    found = tp.solve("liars_dice(faces=3)", method, **({} if method == "lp" else {"iterations": 500}))
    form = tp.load("liars_dice(faces=3)").form
    assert [len(b) for b in found.profile.behaviour] == list(form.n_sequences)
    assert certify(form, found.profile).nash_conv == found.nash_conv


def test_the_exact_optimum_is_one_of_the_whole_game():
    assert tp.solve("liars_dice(faces=4)", exact=True).exact_value == Fraction(1, 16)


def test_a_game_of_forced_moves_alone():
    class Nothing(Wrapped):
        def actions(self, state):
            return self.game.actions(state)[:1]

    whole = compiled(Nothing(load_game("kuhn_poker")))
    unforced = without_forced_moves(whole)
    assert unforced.form.n_sequences == (1, 1)
    lifted = unforced.lift(Profile(unforced.form.treeplexes, (np.ones(1), np.ones(1))))
    assert certify_exactly(whole, lifted).nash_conv == 0
