"""Solvers by their names: a user's ``module:name``, methods of treeplex, OpenSpiel, LiteEFG and Gambit."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from treeplex.cfr.local_rule import LocalRule, name_of
from treeplex.gadgets.own_gadgets import call_user
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import load_object
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shown

Solver: TypeAlias = Callable[[Game[Any], int], object]
"""Called with a game and a number of iterations; returns a strategy."""


def solver_named(text: str) -> Solver:
    """Return the solver that a text names.

    ``treeplex:cfr+`` is a method of this package, ``openspiel:cfr``, ``liteefg:cfr`` and ``gambit:lp`` are
    those of others, and anything else is ``module:name`` of the user's own, a solver or a ``LocalRule``. With
    ``openspiel:`` in front of that, the user's solver takes games of OpenSpiel.

    Raises
    ------
    ValueError
        If nothing of that name can be imported, or it is no solver.
    """
    package, _, name = text.partition(":")
    # Each package is imported where its solver is asked for: a child process imports no other.
    match package:
        case "treeplex":
            from treeplex.bench.examination.own_solvers import own_solver

            return own_solver(name)
        case "openspiel":
            from treeplex.bench.examination.openspiel_solvers import (
                OpenSpielSolver,
                openspiel_solver,
            )

            if ":" in name:
                return OpenSpielSolver(as_solver(load_object(name, "solver"), repr(name)))
            return openspiel_solver(name)
        case "liteefg":
            from treeplex.bench.examination.other_solvers import liteefg_solver

            return liteefg_solver(name)
        case "gambit":
            from treeplex.bench.examination.other_solvers import gambit_solver

            return gambit_solver(name)
    solver: Solver = as_solver(load_object(text, "solver"), repr(text))
    return solver


def as_solver(solver: Any, where: str) -> Any:
    """Return a function of a game and a number of iterations: the solver, or its method ``solve``.

    Of a ``LocalRule`` it runs the rule. A class is called without arguments, before every call of its method.

    Raises
    ------
    ValueError
        If it is neither; the message calls it ``where``.
    """
    if isinstance(solver, LocalRule):
        from treeplex.bench.examination.own_solvers import own_solver

        return own_solver(name_of(solver))
    if isinstance(solver, type):
        if not callable(getattr(solver, "solve", None)):
            raise BadInputError(f"{where} is no solver: a class needs a method solve(game, iterations)")
        return partial(_solve_afresh, solver, where)
    method = getattr(solver, "solve", None)
    chosen = method if callable(method) else solver
    if not callable(chosen):
        raise BadInputError(
            f"{where} is no solver: it must be called with a game and a number of iterations, "
            f"got {shown(solver)}"
        )
    return chosen


def _solve_afresh(kind: type[Any], where: str, game: Game[Any], iterations: int) -> object:
    """Return what a new object of a class answers."""
    return call_user(where, kind).solve(game, iterations)
