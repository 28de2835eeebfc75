"""Results of all methods on one game compared: intervals must intersect, widths must shrink."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any

from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.core.small_form import MergedHands
from treeplex.games.display.blocks import Block
from treeplex.games.display.shown import Shown
from treeplex.process.compilation import compilation_told, compiling_seconds
from treeplex.runs.stopping import Trace
from treeplex.seqform.lp.solve import NotSolvedError
from treeplex.solving.methods import DECOMPOSED
from treeplex.verification.all_methods import EARLY, all_methods, shrunk


@dataclass(frozen=True, repr=False)
class Crosscheck(Shown):
    """Results of several methods on one game, and whether they agree.

    Attributes
    ----------
    game : str
    rows : tuple of Result
        Each with its certificate.
    stuck : tuple of str
        The methods whose certificates did not shrink as their theory promises.
    gave_up : mapping of str to str
        The methods that ended in an error, and what it said.
    merged : MergedHands or None
        What linear programs merge; None where that changes nothing.
    compile_seconds : float
        What it took to compile kernels, once after installation; the seconds of rows do not contain it.
    """

    game: str
    rows: tuple[Result, ...]
    stuck: tuple[str, ...] = ()
    gave_up: Mapping[str, str] = field(default_factory=dict)
    merged: MergedHands | None = None
    compile_seconds: float = 0.0

    @property
    def agree(self) -> bool:
        """Whether no two proved intervals are disjoint; they are widened by their rounding."""
        return not any(a.proof.disjoint(b.proof) for a, b in combinations(self.rows, 2))

    @property
    def passed(self) -> bool:
        """Whether all agree and none is stuck."""
        return self.agree and not self.stuck

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each method, and the verdict."""
        # Imported late: the table is of this class.
        from treeplex.verification.crosscheck_table import crosscheck_table

        return crosscheck_table(self)

    def brief(self) -> str:
        """Return the game, how many methods were compared, and the verdict."""
        verdict = f"stuck: {', '.join(self.stuck)}" if self.stuck else "agree" if self.agree else "DISAGREE"
        return f"{self.game}: {len(self.rows)} methods, {verdict}"

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "agree": self.agree,
            "stuck": list(self.stuck),
            "gave_up": dict(self.gave_up),
            "compile_seconds": self.compile_seconds,
            "rows": [r.as_json() for r in self.rows],
        }


def crosscheck(
    game: GameLike,
    *,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Crosscheck:
    """Run every method that fits a game and compare what they prove.

    The linear program (exactly, where it is small enough), CFR+ on the sequence form and on the
    public tree; on games of moderate size every regret minimiser there is, and discounted CFR on boards
    with and without suit isomorphism, threads and 16-bit storage; on small games also the explicit tree hand
    by hand, and the program written a second time in cvxpy and solved by Clarabel, if they are installed.

    Regret grows with the square root of the iterations T at most, so that after 256 times as many NashConv
    should be a 16th. A minimiser is stuck, and the check fails, if it is not even a quarter, and still
    more than the spread of payoffs over sqrt(T), which may take longer to fall. Iterations stop as soon as
    it is a quarter. CFR-D is compared and not judged: what it falls to depends on how its subgames are
    solved.

    Raises
    ------
    treeplex.seqform.lp.solve.NotSolvedError
        If no method ends with a narrow certificate.

    Examples
    --------
    >>> import treeplex as tp
    >>> tp.crosscheck("matrix_game(payoff=[[1,-1],[-1,1]])").passed
    True
    """
    problem = load(game, bets=bets, raises=raises, progress=progress)
    gave_up: dict[str, str] = {}
    before = compiling_seconds()
    with compilation_told(lambda text: progress(text, math.inf)):
        rows = tuple(all_methods(problem, gave_up, progress))
    if not rows:
        raise NotSolvedError("; ".join(gave_up.values()))
    judged = (row for row in rows if row.method != DECOMPOSED)
    stuck = tuple(f"{row.method} on {row.form}" for row in judged if _is_stuck(problem, row.trace))
    compiled, merged = compiling_seconds() - before, problem.small.merged_hands
    return Crosscheck(problem.game.name, rows, stuck, MappingProxyType(gave_up), merged, compiled)


def _is_stuck(problem: Problem, trace: Trace) -> bool:
    if len(trace) <= EARLY or shrunk(problem, trace):
        return False
    return trace[-1].certificate.nash_conv > problem.spread / math.sqrt(trace[-1].iterations)
