"""Random profiles."""

import numpy as np

from treeplex.seqform.forms.profile import Profile


def random_profile(form, seed):
    """Return a profile with probabilities of all magnitudes, zeros included."""
    rng = np.random.default_rng(seed)
    behaviour = []
    for t in form.treeplexes:
        weights = 10.0 ** rng.uniform(-18, 0, t.n_sequences) * (rng.random(t.n_sequences) > 0.2)
        behaviour.append(t.behaviour(t.plan(t.behaviour(weights))))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
