"""Values of matrix games by a program of its own, to stand beside the solvers of the tree."""

from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linprog

from tests.helpers.game_checks import walk
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game


def matrix_value(payoff: np.ndarray) -> float:
    """Return what a mixture of rows guarantees: the largest v with x A >= v in every column."""
    return bayesian_value(payoff[None, None])


def bayesian_value(payoff: np.ndarray) -> float:
    """Return the value where each player first learns a type, all pairs alike; payoff is (V, W, I, J).

    Each type of player 0 mixes its I plans; for each type of player 1, no plan of the J gives less than u.
    """
    v, w, rows, columns = payoff.shape
    guaranteed = payoff.transpose(1, 3, 0, 2).reshape(w * columns, v * rows) / (v * w)
    found = linprog(
        np.r_[np.zeros(v * rows), -np.ones(w)],
        A_ub=np.c_[-guaranteed, np.kron(np.eye(w), np.ones((columns, 1)))],
        b_ub=np.zeros(w * columns),
        A_eq=np.c_[np.kron(np.eye(v), np.ones((1, rows))), np.zeros((v, w))],
        b_eq=np.ones(v),
        bounds=[(0, None)] * (v * rows) + [(None, None)] * w,
    )
    assert found.success
    return -float(found.fun)


def plans_value(game: Game[Any]) -> float:
    """Return the value of a small game over all plans: an action for each key at which a player acts."""
    menus: tuple[dict[str, list[str]], ...] = ({}, {})
    for state, _ in walk(game):
        if game.player(state) >= 0:
            who = game.player(state)
            menus[who][game.infoset(state, who)] = list(game.actions(state))
    plans = [[dict(zip(menu, plan, strict=True)) for plan in product(*menu.values())] for menu in menus]

    def paid(state: Any, pair: tuple[dict[str, str], ...]) -> float:
        who = game.player(state)
        if who == TERMINAL:
            return float(game.payoff(state))
        if who == CHANCE:
            return sum(float(odds) * paid(game.child(state, o), pair) for o, odds in game.chance(state))
        return paid(game.child(state, pair[who][game.infoset(state, who)]), pair)

    return matrix_value(np.array([[paid(game.root(), (x, y)) for y in plans[1]] for x in plans[0]]))
