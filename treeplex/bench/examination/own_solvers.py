"""Methods of this package as solvers to be examined."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from treeplex.cfr.local_rule import is_own
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.choice import LP
from treeplex.solving.methods import METHODS
from treeplex.solving.on_trees import DECOMPOSED, fits
from treeplex.solving.solve import solve

CLARABEL = "clarabel"
"""The linear program in cvxpy, solved by Clarabel."""
NAMES = (LP, CLARABEL, *METHODS)
DECOMPOSED_INFOSETS = 100
"""Most infosets of a game for CFR-D, which solves every subgame anew in each of its iterations."""


def own_solver(name: str) -> Callable[[Game[Any], int], object]:
    """Return a method of this package as a function of a game and a number of iterations.

    Raises
    ------
    ValueError
        If there is no method of that name.
    """
    if name not in NAMES and not is_own(name):
        raise BadInputError(f"treeplex has no solver {name!r}; it has {', '.join(NAMES)}")
    return OwnSolver(name)


@dataclass
class OwnSolver:
    """A method of this package; linear programs take no iterations.

    Attributes
    ----------
    name : str
        ``lp``, ``clarabel``, one of ``treeplex.solving.methods.METHODS``, or ``module:name`` of a rule.
    takes_spots : bool
        Whether it is also called with spots, whose histories are too many to be walked.
    """

    name: str
    takes_spots: bool = True
    _problem: Problem | None = field(default=None, repr=False)

    def __call__(self, game: Any, iterations: int) -> Profile:
        """Return the strategy after so many iterations.

        Raises
        ------
        NotImplementedError
            If the method is not for such games, or too slow for them.
        """
        problem = self._loaded(game)
        if self.name == LP:
            return solve(problem, LP).profile
        if self.name == CLARABEL:
            return _by_clarabel(problem)
        if not fits(problem, self.name):
            raise NotImplementedError(f"{self.name} is not for such games")
        if self.name == DECOMPOSED and sum(problem.form.n_infosets) > DECOMPOSED_INFOSETS:
            raise NotImplementedError(f"{self.name} is slow: not tried above {DECOMPOSED_INFOSETS} infosets")
        return solve(problem, self.name, iterations=iterations).profile

    def _loaded(self, game: Any) -> Problem:
        """Return a game made ready; a solver is called with one game again and again."""
        if self._problem is None or self._problem.game is not game:
            self._problem = load(game)
        return self._problem


def _by_clarabel(problem: Problem) -> Profile:
    try:
        from treeplex.solving.clarabel import solve_with_clarabel
    except ImportError:
        raise BadInputError("clarabel needs cvxpy and clarabel: pip install 'treeplex[cvxpy]'") from None
    if problem.form.payoff.link.size:
        raise NotImplementedError("for Clarabel the payoff matrix of showdowns would be multiplied out")
    return problem.complete(problem.small.lift(solve_with_clarabel(problem.small.form)[1]))
