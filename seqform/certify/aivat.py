"""AIVAT: what a hand was worth, less the luck of all whose strategies are known, on a game tree.

Where a player's strategy is known, so is what the player might have held: payoffs are averaged over all
histories that the others cannot tell from the one played. And luck is known: every move of chance or of
such a player is worth what it brought, as a value function sees it, less what it brings in the mean (Burch,
Schmid, Moravcik, Morrill and Bowling, AIVAT: a new variance reduction technique for agent evaluation in
imperfect information games, 2018). Estimates are unbiased whatever the value function is, if it is chosen
before the hands are seen.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index

Plans = tuple[Floats | None, Floats | None]
"""Each player's realization plan (S,), or None where the player's strategy is not known."""


@dataclass(frozen=True, repr=False)
class HandEstimates(Shown):
    """Estimates of the game's value to player 0, one for each way that a hand can be played.

    Attributes
    ----------
    game : NumberedTree
    known : pair of bool
        Whose strategies were used.
    leaves : (L,) int64
        The histories at which hands end.
    payoff : (L,) float64
        Player 0's payoff there.
    estimate : (L,) float64
        ``base`` at a leaf, plus the corrections of all moves to it.
    base : (L,) float64
        The mean payoff of the leaves that those with unknown strategies cannot tell from it.
    """

    game: NumberedTree
    known: tuple[bool, bool]
    leaves: Index
    payoff: Floats
    estimate: Floats
    base: Floats

    def brief(self) -> str:
        """Return the game and whose strategies are known."""
        names = [f"player {p}" for p in (0, 1) if self.known[p]]
        return f"{self.game.form.name}: estimates with {' and '.join(['chance', *names])} known"


@dataclass(frozen=True)
class Classes:
    """Histories put into classes that those with unknown strategies cannot tell apart.

    Attributes
    ----------
    of : (N,) int64
        The class of each history. It holds what is public and what each player with an unknown strategy
        knows, now and at all histories before, and who acts.
    before : (N,) int64
        The set in which the history was one possibility of its last move, 0 at the root: all children of a
        class, after the same action where a player with an unknown strategy acts.
    level : tuple of (n,) int64
        The histories after 0, 1, ... moves.
    """

    of: Index
    before: Index
    level: tuple[Index, ...]

    @staticmethod
    def among(game: NumberedTree, known: tuple[bool, bool]) -> "Classes":
        """Return the classes of a game's histories where some players' strategies are known."""
        tree = game.tree
        unknown = [p for p in (0, 1) if not known[p]]
        depth = np.zeros(tree.n_nodes, dtype=np.int64)
        for n in range(1, tree.n_nodes):
            depth[n] = depth[tree.parent[n]] + 1
        order = np.argsort(depth, kind="stable")
        levels = tuple(np.split(order, np.cumsum(np.bincount(depth))[:-1]))
        of, before = np.zeros((2, tree.n_nodes), dtype=np.int64)
        classes = sets = 1
        for nodes in levels[1:]:
            above = tree.parent[nodes]
            actor = tree.player[above]
            chosen = np.where(np.isin(actor, unknown), tree.action[nodes], -1)
            before[nodes], count = _numbered(sets, of[above], chosen)
            sets += count
            seen = [tree.infoset[nodes, p] for p in unknown]
            of[nodes], count = _numbered(
                classes, before[nodes], tree.public[nodes], tree.player[nodes], *seen
            )
            classes += count
        return Classes(of, before, levels)


def _numbered(first: int, *columns: NDArray[Any]) -> tuple[Index, int]:
    """Return a number for each row, from the first on, the same for equal rows; and how many there are."""
    rows, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return first + inverse.reshape(-1), len(rows)


def aivat(game: NumberedTree, plans: Plans, values: Floats) -> HandEstimates:
    """Return AIVAT's estimate of every hand from known strategies and a value of each history.

    Parameters
    ----------
    game : NumberedTree
    plans : pair of (S,) float64 or None
        Realization plans of the players whose strategies are known.
    values : (N,) float64
        What each history is thought to be worth to player 0; exact ones leave the luck of the unknown alone.

    Raises
    ------
    ValueError
        If an array has another shape, or is not finite.

    Examples
    --------
    >>> import treeplex as tp
    >>> from treeplex.seqform.certify.aivat import aivat, history_values
    >>> game = tp.load("kuhn_poker").enumerated
    >>> plans = tuple(t.plan(t.uniform()) for t in game.form.treeplexes)
    >>> found = aivat(game, plans, history_values(game, plans))
    >>> bool(abs(found.estimate - 0.125).max() < 1e-12)  # all luck is taken out: the value of uniform play
    True
    """
    _check(game, plans, values)
    known = plans[0] is not None, plans[1] is not None
    classes = Classes.among(game, known)
    tree, leaves = game.tree, game.tree.leaves
    weight = tree.chance_floats.copy()
    for p, plan in enumerate(plans):
        if plan is not None:
            weight *= plan[game.last[p]]
    # Of the move to each history: the mean value less the value of what happened.
    total = _mean(classes.before, weight, values) - _mean(classes.of, weight, values)
    for nodes in classes.level[1:]:
        total[nodes] += total[tree.parent[nodes]]
    payoff = np.zeros(tree.n_nodes)
    payoff[leaves] = [int(x) / tree.payoff_den for x in tree.payoff[leaves]]
    base = _mean(classes.of, weight, payoff)
    estimate = base[leaves] + total[leaves]
    return HandEstimates(game, known, leaves, payoff[leaves], estimate, base[leaves])


def _check(game: NumberedTree, plans: Plans, values: Floats) -> None:
    expected = [(plan, t.n_sequences) for plan, t in zip(plans, game.form.treeplexes, strict=True)]
    for array, size in (*expected, (values, game.tree.n_nodes)):
        if array is not None and (array.shape != (size,) or not np.isfinite(array).all()):
            raise BadInputError(
                f"plans and values must be {size} finite numbers here, got shape {array.shape}"
            )


def _mean(group: Index, weight: Floats, value: Floats) -> Floats:
    """Return the weighted mean value of each history's group; 0 where nothing there has any weight."""
    mass = np.bincount(group, weight)
    mean = np.bincount(group, weight * value)
    return np.divide(mean, mass, out=np.zeros(len(mass)), where=mass > 0.0)[group]


def reaches(game: NumberedTree, plans: tuple[Floats, Floats]) -> Floats:
    """Return the probability of each history under both players' plans, (N,)."""
    x, y = (plan[last] for plan, last in zip(plans, game.last, strict=True))
    return np.asarray(game.tree.chance_floats * x * y)


def history_values(game: NumberedTree, plans: tuple[Floats, Floats]) -> Floats:
    """Return what each history is worth to player 0 if both go on as their plans say, (N,).

    Where a plan does not come, its player's moves are taken as equally likely.
    """
    tree = game.tree
    values = np.array([int(x) / tree.payoff_den for x in tree.payoff], dtype=np.float64)
    odds = np.ones(tree.n_nodes)
    odds[1:] = _odds(game, plans)[1:]
    for n in range(tree.n_nodes - 1, 0, -1):
        values[tree.parent[n]] += odds[n] * values[n]
    return values


def _odds(game: NumberedTree, plans: tuple[Floats, Floats]) -> Floats:
    """Return the probability of each history's last move given the history before, (N,)."""
    tree, above = game.tree, game.tree.parent
    odds = np.ones(tree.n_nodes)
    actor = np.where(above >= 0, tree.player[above], CHANCE)
    drawn = np.flatnonzero((actor == CHANCE) & (above >= 0))
    odds[drawn] = [int(tree.chance[n]) / int(tree.chance[above[n]]) for n in drawn.tolist()]
    for p, (t, plan) in enumerate(zip(game.form.treeplexes, plans, strict=True)):
        behaviour = t.behaviour(plan)
        moved = np.flatnonzero((actor == p) & (above >= 0))
        odds[moved] = behaviour[game.last[p][moved]]
    return odds
