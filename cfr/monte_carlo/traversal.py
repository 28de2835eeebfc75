"""One sampled traversal with given random numbers: its regrets and sums of strategies."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.cfr.monte_carlo.arrays import PLACE, memory_of, needs, pair_of, sampled_tree
from treeplex.cfr.monte_carlo.config import Sampling, kernel_of
from treeplex.cfr.monte_carlo.kernels import gather
from treeplex.cfr.monte_carlo.streams import StreamState, check_shapes, start_stream
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats


@dataclass(frozen=True)
class Traversal:
    """The result of one sampled traversal of a player.

    Attributes
    ----------
    regret : (S,) f64
        The sampled counterfactual regret of each of the player's sequences; its expectation is the exact
        counterfactual regret, unless pruning is used without weights.
    total : (S,) f64
        Increment of the other player's sum of strategies with weight 1. Its expectation, with the same
        exception, is the plan times chance's reach of the infoset.
    drawn, visited : int
        Numbers of random numbers used and of histories visited.
    """

    regret: Floats
    total: Floats
    drawn: int
    visited: int


def playing(form: SequenceForm, profile: Profile) -> StreamState:
    """Return a state whose regrets are a profile's behaviour, so that regret matching plays the profile.

    Raises
    ------
    ValueError
        If the profile does not fit the game.
    """
    check_profile(form, profile)
    return replace(start_stream(form), regret=profile.behaviour)


def traverse(
    enumerated: NumberedTree, sampling: Sampling, state: StreamState, player: int, draws: Floats
) -> Traversal:
    """Sample one traversal of ``player`` with given random numbers, as in the next iteration.

    Parameters
    ----------
    state : StreamState
        Regrets determine play and pruning, totals average-strategy sampling, and iterations whether
        pruning has begun.
    draws : (K,) f64
        Numbers from [0, 1), used in the order in which the traversal meets what it samples, in preorder;
        each picks the first child whose cumulative probability exceeds it. Where own actions are not surely
        tried, one number for each such action of an infoset in turn: it is tried if its probability
        exceeds the number.

    Raises
    ------
    ValueError
        If the player is not 0 or 1, the state is of another game, a number is out of range or there are
        fewer than a traversal can need.
    OverflowError
        If a payoff is too large for a float.
    """
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, got {player}")
    check_shapes(enumerated.form, state)
    tree, kernel = sampled_tree(enumerated), kernel_of(sampling, state.iterations)
    places, need = needs(tree, kernel.method.scheme, kernel.trials, player)
    numbers = np.array(draws, dtype=np.float64)
    if numbers.ndim != 1 or len(numbers) < need:
        raise ValueError(f"draws must be at least {need} numbers in one row, got shape {numbers.shape}")
    if not ((numbers >= 0.0) & (numbers < 1.0)).all():
        raise ValueError(f"draws must be at least 0 and below 1, got {numbers.min()} to {numbers.max()}")
    memory, scratch = memory_of(state.regret, state.total), np.zeros(places, dtype=PLACE)
    _, used, visited = gather(tree, *kernel, player, memory, 1.0, numbers, 0, scratch)
    regret, total = pair_of(enumerated.form, memory["gain"]), pair_of(enumerated.form, memory["total"])
    return Traversal(regret[player], total[1 - player] - state.total[1 - player], used, visited)
