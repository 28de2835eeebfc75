"""CFR-BR with infosets tied by bucket, on a sequence form and in plain numpy; recall may be imperfect."""

import numpy as np

TIE = 1e-12
"""Values this close are equal: the first action is taken."""


def pure_response(treeplex, gradient):
    """Return the plan that takes the best action at every infoset, the first of equal ones."""
    q, behaviour = gradient.copy(), np.zeros(treeplex.n_sequences)
    behaviour[0] = 1.0
    for i in reversed(range(treeplex.n_infosets)):
        best = treeplex.begin[i]
        for s in range(best + 1, treeplex.end[i]):
            if q[s] > q[best] + TIE:
                best = s
        behaviour[best] = 1.0
        q[treeplex.parent[i]] += q[best]
    return treeplex.plan(behaviour)


def naive_cfr_br(form, player, partition, iterations, weight=lambda t: t):
    """Return a player's average behaviour in buckets, lifted, and the mean of best responses to its plans.

    Infosets of a bucket count equally in its average: chance must reach them equally often.
    """
    t, sequence = partition.treeplex, partition.sequence
    regret, total = (np.zeros(int(sequence.max()) + 1) for _ in range(2))
    responses, weights = np.zeros(form.treeplexes[1 - player].n_sequences), 0.0
    for k in range(1, iterations + 1):
        odds = regret[sequence]
        odds[0] = 1.0
        behaviour = t.behaviour(odds)
        plan = t.plan(behaviour)
        other = form.treeplexes[1 - player]
        response = pure_response(other, form.gradient(1 - player, plan))
        q, value = t.evaluate(behaviour, form.gradient(player, response))
        responses, weights = responses + weight(k) * response, weights + weight(k)
        gain = np.append(0.0, q[1:] - value[t.infoset_of[1:]])
        total += weight(k) * np.bincount(sequence, plan)
        regret = np.maximum(regret + np.bincount(sequence, gain), 0.0)
        regret[regret < TIE] = 0.0
    average = total[sequence]
    average[0] = 1.0
    return t.behaviour(average), responses / weights
