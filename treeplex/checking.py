"""Judge a strategy from any source, and hold all methods against each other."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

from cfr.variant import VARIANTS
from games.poker import PokerGame
from games.protocol import Game
from seqform.certificate import Certificate, certify
from seqform.exact_certificate import certify_exactly
from seqform.game_tree import TooManyHistoriesError, build_tree
from seqform.profile import Profile
from seqform.rational_optimum import NotExactError
from seqform.sequence_form import SequenceForm
from seqform.solve import NotSolvedError, solve_lp
from seqform.tree_form import tree_form
from treeplex.guided import Progress
from treeplex.iterating import FOR_TARGETS, run_minimiser, treeplex_runner, vector_runner
from treeplex.problem import Problem, load
from treeplex.result import LPSize, Result
from treeplex.solving import CFR_WIDTH, EXACT_ROWS, MOST_ITERATIONS, MOST_SEQUENCES, natural_size, solve
from treeplex.strategy_file import read_strategy

SMALL_SEQUENCES = 5_000
"""Up to so many sequences a second stack (cvxpy and Clarabel) solves the same program."""
SMALL_HISTORIES = 50_000
"""Up to so many histories a poker game is also enumerated hand by hand."""


def check(
    game: str | Game[Any] | Problem,
    strategy: str | Path | Profile,
    *,
    exact: bool = False,
    bets: str | None = None,
    raises: str | None = None,
) -> Result:
    """Certify a strategy from a file or a profile; nothing is solved to judge it.

    On games small enough to be solved at once, exploitability is measured against the proved value.

    Raises
    ------
    ValueError
        If the game or the strategy is not what it must be.
    """
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    form = problem.form
    profile = strategy if isinstance(strategy, Profile) else read_strategy(strategy, form)
    clock = time.perf_counter()
    certificate = certify_exactly(form, profile) if exact else certify(form, profile)
    seconds = time.perf_counter() - clock
    return Result(
        game=problem.game.name,
        method="file",
        status="certified",
        profile=profile,
        certificate=certificate,
        reference=_value(problem),
        unit=problem.game.unit,
        pot=problem.pot,
        seconds=seconds,
        n_infosets=sum(form.n_infosets),
    )


def _value(problem: Problem) -> Certificate | None:
    """Return a proof of the exact value of a game that is solved in a moment."""
    if _n_sequences(problem.small_form) > SMALL_SEQUENCES:
        return None
    try:
        return _program(problem, exact=True, progress=None).certificate
    except NotSolvedError:
        return None


def _n_sequences(form: SequenceForm) -> int:
    return sum(t.n_sequences for t in form.treeplexes)


@dataclass(frozen=True)
class Crosscheck:
    """What several methods proved of one game.

    Attributes
    ----------
    game : str
    rows : tuple of Result
    """

    game: str
    rows: tuple[Result, ...]

    @property
    def agree(self) -> bool:
        """Whether no two proved intervals are disjoint; they are widened by their rounding."""
        return not any(a.certificate.disjoint(b.certificate) for a, b in combinations(self.rows, 2))

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as the object that ``--json`` prints."""
        return {"game": self.game, "agree": self.agree, "rows": [r.as_json() for r in self.rows]}


def crosscheck(
    game: str | Game[Any] | Problem,
    *,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress | None = None,
) -> Crosscheck:
    """Run every method that fits a game and compare what they prove.

    The linear program (exactly, where it is small enough), CFR+ on the sequence form, vector CFR+ on the
    public tree; on small games also the explicit tree hand by hand, and the program written a second time in
    cvxpy and solved by Clarabel, if they are installed.
    """
    problem = game if isinstance(game, Problem) else load(game, bets=bets, raises=raises)
    return Crosscheck(problem.game.name, tuple(_runs(problem, progress)))


def _runs(problem: Problem, progress: Progress | None) -> Iterator[Result]:
    sequences = _n_sequences(problem.small_form)
    rows = sequences + len(problem.small_form.payoff.link)
    if sequences <= MOST_SEQUENCES:
        yield _program(problem, exact=rows <= EXACT_ROWS, progress=progress)
    if isinstance(problem.game, PokerGame) and (explicit := _explicit(problem.game, problem.pot)) is not None:
        yield explicit
    runners = {"cfr+": treeplex_runner(problem.form, VARIANTS["cfr+"])}
    if problem.tree is not None:
        runners["vector-cfr+"] = vector_runner(problem.tree, problem.form)
    target = CFR_WIDTH * natural_size(problem)
    for method, runner in runners.items():
        yield run_minimiser(
            problem,
            runner,
            method,
            MOST_ITERATIONS,
            target,
            exact=False,
            progress=progress,
            checks=FOR_TARGETS,
        )
    if rows <= SMALL_SEQUENCES and find_spec("cvxpy") and find_spec("clarabel"):
        yield from _clarabel(problem)


def _program(problem: Problem, *, exact: bool, progress: Progress | None) -> Result:
    """Solve the linear program, in floats where no basis is optimal in exact arithmetic."""
    try:
        return solve(problem, exact=exact, progress=progress)
    except NotExactError:
        return solve(problem, progress=progress)


def _explicit(game: PokerGame, pot: Fraction | None) -> Result | None:
    """Solve a poker game from its histories, hand by hand; None where there are too many."""
    clock = time.perf_counter()
    if len(game.reach[0]) * len(game.reach[1]) > SMALL_HISTORIES:
        return None
    try:
        form = tree_form(build_tree(game, max_nodes=SMALL_HISTORIES))
    except TooManyHistoriesError:
        return None
    solution = solve_lp(form)
    program = solution.program.program
    return Result(
        game=game.name,
        method="lp-explicit",
        solver=solution.solver,
        status=solution.status,
        profile=solution.profile,
        certificate=solution.certificate,
        unit=game.unit,
        pot=pot,
        iterations=solution.iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(form.n_infosets),
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
    )


def _clarabel(problem: Problem) -> Iterator[Result]:
    """Solve the same program through cvxpy and Clarabel, which share nothing with our path, if they can."""
    from treeplex.second_opinion import solve_with_clarabel  # noqa: PLC0415 - cvxpy is optional

    clock = time.perf_counter()
    try:
        status, iterations, profile = solve_with_clarabel(problem.small_form)
    except NotSolvedError:
        return
    lifted = problem.lift(profile)
    yield Result(
        game=problem.game.name,
        method="clarabel",
        solver="clarabel",
        status=status,
        profile=lifted,
        certificate=certify(problem.form, lifted),
        unit=problem.game.unit,
        pot=problem.pot,
        iterations=iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(problem.form.n_infosets),
    )
