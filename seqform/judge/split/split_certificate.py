"""Intervals for the values of split games, by best responses to split strategies on every real board."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.factored.checks import check_strategy
from treeplex.seqform.judge.certificate import FactoredCertificate, pair_weight
from treeplex.seqform.judge.rounding import hand_rounding
from treeplex.seqform.judge.split.flop_values import FlopTask, FlopValues, judge_flop
from treeplex.seqform.judge.split.trunk_walk import GatheringWalk, ReachingWalk
from treeplex.seqform.split.split_strategy import SplitStrategy
from treeplex.seqform.split.split_tree import SplitTree

Run = Callable[[Sequence[FlopTask]], Iterable[FlopValues]]
"""Returns the values of each task in order, as ``judge_flop`` does."""


def certify_split(
    split: SplitTree, strategy: SplitStrategy, run: Run | None = None, report: Report = quiet
) -> FactoredCertificate:
    """Return a proved interval for the value of a split game, from best responses to a split strategy.

    It is the certificate of ``strategy.whole()``, up to the order in which sums are added. The trunk is
    walked over every real board up to the split. A real flop and the flop that represents it differ by a
    permutation of suits, which maps the boards below one to those below the other: what follows both has the
    same values, hand by hand, where both are reached with the same probabilities. So each flop is judged
    once, over every real board below it, and its values are those of all real flops that it represents.
    Where the trunk treats hands differently that suits alone tell apart, real flops are reached with other
    probabilities; then a flop is judged once for each of them. Memory: reaches and values of all hands at
    the ends of all lines on all flops, the boards below one flop, and one subgame.

    Rounding: the bound of ``certify_factored`` for the whole. What a hand gets at the root is a sum of the
    same terms: reaches are products of the same factors in the same order, first the trunk's; the values at a
    subgame's root are added to a zero, which is exact, and go up the trunk as they would in the whole. The
    expected payoff adds subtotals, one for each line of a flop: ``len(split.lines)`` roundings more.

    Parameters
    ----------
    split : SplitTree
    strategy : SplitStrategy
        Of this game. Weights are converted to float64.
    run : callable, optional
        Judges flops; here, one by one, unless given.
    report : callable, optional
        Told a few times a second how many flops are judged.

    Raises
    ------
    ValueError
        If the strategy is not of the game, or a weight is negative, NaN or infinite.
    OverflowError
        If the payoffs are too large for floats.
    """
    clock = time.perf_counter()
    _check(split, strategy)
    reaching = ReachingWalk(split, strategy.trunk)
    tasks, which = reaching.tasks()
    judged = map(partial(judge_flop, split, strategy.tables), tasks) if run is None else run(tasks)
    text = f"of {len(tasks):,} flops judged"
    values = [*reported(judged, report, lambda n: f"{n:,} {text}")]
    _check_values(tasks, values)
    walk = GatheringWalk(split, strategy.trunk, values, which)
    pairs = float(pair_weight(split.game))
    earned, best = ([amount / pairs for amount in both] for both in walk.worth())
    off = _rounding(split) / pairs
    if not np.isfinite([*earned, *best, off]).all():
        raise OverflowError(f"{split.game.name}: payoffs are too large for floats")
    assert abs(earned[0] + earned[1]) <= 2.0 * off, "both players' expected payoffs must be one number"
    return FactoredCertificate(
        earned[0],
        float(np.nextafter(-best[1] - off, -np.inf)),
        float(np.nextafter(best[0] + off, np.inf)),
        off,
        time.perf_counter() - clock,
        walk.n_visited,
    )


def _check(split: SplitTree, strategy: SplitStrategy) -> None:
    mine = strategy.trunk.tree
    same = strategy.split.game == split.game and strategy.split.street == split.street
    if not same or mine.game != split.game or mine.boards.cards != split.trunk.boards.cards:
        raise ValueError(f"the strategy must be of {split.game.name} split after street {split.street}")
    check_strategy(split.game, strategy.trunk)


def _check_values(tasks: Sequence[FlopTask], values: Sequence[FlopValues]) -> None:
    if [task.flop for task in tasks] != [one.flop for one in values]:
        raise ValueError(f"the values of {len(tasks):,} flops must come in order, got {len(values):,}")


def _rounding(split: SplitTree) -> float:
    """Bound the rounding error of either best response, and of the expected payoff, times the pair weight."""
    tree, more = split.trunk, len(split.lines)
    most = [float(hands.weight.sum()) for hands in tree.boards.hands]
    return max(most[p] * hand_rounding(split.game, tree, 1 - p, most[1 - p], more) for p in (0, 1))
