"""Regrets of buckets added up: how far an average of CFR-BR is at most from the best strategy in buckets."""

from treeplex.cfr.buckets.abstract_gains import best_total
from treeplex.cfr.buckets.bucket_br import BucketBR
from treeplex.cfr.buckets.state import BucketMemory, BucketState
from treeplex.cfr.state_checks import sum_of_weights
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.certificate import pair_weight


def regret_bounds(engine: BucketBR, state: BucketState) -> tuple[float, float] | None:
    """Return how much more each player's average concedes, at most, than the best strategy in its buckets.

    With best responses y_t to the plans x_t the average concedes at most ``v - sum_t w_t u(x_t, y_t) / W``,
    and no strategy in buckets guarantees more than ``(sum_t w_t u(x_t, y_t) + R) / W``, where R is the
    player's regret for strategies in buckets (theorem ``cfr-br-finds-the-price``). R is at most the largest
    sum along a plan of the regrets of buckets, as each decision's regrets sum up along plans if recall is
    perfect (Zinkevich et al. 2008). With weights that never decrease the weighted regret of an action is at
    most ``w_T`` times what regret matching+ stores, which is at least its regret since any iteration.

    In floats, without a bound on their rounding. In the game's unit.

    Returns
    -------
    pair of float, or None
        None with imperfect recall, where regrets of buckets bound nothing, and before the first iteration.
    """
    tree = engine.learning.tree
    if tree.recall != "perfect" or state.iterations == 0:
        return None
    exponent = engine.learning.config.variant.average.exponent
    weight = float(state.iterations) ** exponent / sum_of_weights(exponent, state.iterations)
    pairs = float(pair_weight(tree.tree.game))
    first, second = (
        weight * engine.learning.arrays.units[p] * best_total(tree, p, _stored(tree, p, memory)) / pairs
        for p, memory in enumerate(state.memories)
        if isinstance(memory, BucketMemory)
    )
    return first, second


def _stored(tree: BucketTree, player: int, memory: BucketMemory) -> tuple[Floats, ...]:
    """Return for each street the stored regrets times the weights of their buckets, (slots, buckets)."""
    base = tree.base[player]
    return tuple(
        memory.regret[base[s] : base[s + 1]].reshape(len(weight), -1).T * weight
        for s, weight in enumerate(tree.weight(player))
    )
