"""Profiles of a form: drawn, and uniform."""

import numpy as np

from tests.helpers.twins.games import random_behaviour
from treeplex.seqform.forms.profile import Profile


def random_profile(form, seed):
    """Return a profile with probabilities of all magnitudes, zeros included."""
    rng = np.random.default_rng(seed)
    behaviour = []
    for t in form.treeplexes:
        weights = 10.0 ** rng.uniform(-18, 0, t.n_sequences) * (rng.random(t.n_sequences) > 0.2)
        behaviour.append(t.behaviour(t.plan(t.behaviour(weights))))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def drawn_profile(form, seed, smallest=0):
    """Return a profile in which one action in four is never played, others by odds down to 10 ** smallest."""
    rng = np.random.default_rng(seed)
    first, second = (random_behaviour(t, rng, smallest) for t in form.treeplexes)
    return Profile(form.treeplexes, (first, second))


def mixed_profile(form, seed):
    """Return a profile in which every action is played."""
    rng = np.random.default_rng(seed)
    first, second = (t.behaviour(rng.random(t.n_sequences) + 0.01) for t in form.treeplexes)
    return Profile(form.treeplexes, (first, second))


def uniform_profile(form):
    return Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes))
