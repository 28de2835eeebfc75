"""What the best strategy in a player's buckets guarantees at most, by the regrets of CFR-BR."""

from treeplex.cfr.buckets.abstract_gains import best_total, by_slot
from treeplex.cfr.buckets.bucket_br import BucketBR
from treeplex.cfr.buckets.response_state import ResponseState
from treeplex.cfr.state_checks import sum_of_weights
from treeplex.seqform.judge.certificate import pair_weight


def guarantee_bounds(engine: BucketBR, state: ResponseState) -> tuple[float, float] | None:
    """Return what no strategy in a player's buckets guarantees more than, for each player.

    With best responses y_t to the plans x_t of weights w_t, no strategy in buckets guarantees more than its
    best response to their mean: ``max_x sum_t w_t u(x, y_t) / W = (sum_t w_t u(x_t, y_t) + R) / W``. R, the
    player's regret, is the most that weighted regrets of buckets add up to along a plan in buckets, as
    regrets of decisions add up along plans if recall is perfect (Zinkevich et al. 2008, Theorem 3).
    The first term is what the average guarantees at least.

    In floats, without a bound on their rounding. In the game's unit, each in the player's own payoff.

    Returns
    -------
    pair of float, or None
        None with imperfect recall, where regrets of buckets bound nothing, and before the first iteration.
    """
    tree, arrays = engine.learning.tree, engine.learning.arrays
    if tree.recall != "perfect" or state.iterations == 0:
        return None
    weight = sum_of_weights(engine.learning.config.variant.average.exponent, state.iterations)
    mass = weight * float(pair_weight(tree.tree.game))
    first, second = (
        arrays.units[p] * best_total(tree, p, by_slot(tree, p, memory.gained)) / mass
        - arrays.units[1 - p] * float(memory.earned[0]) / mass
        for p, memory in enumerate(state.memories)
    )
    return first, second
