"""Results of all methods on one game compared: intervals must intersect, widths must shrink."""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import combinations
from types import MappingProxyType
from typing import Any

from treeplex.cfr.factored.tables import Storage, factored_config
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import LPSize, Result
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.tree_form import tree_form
from treeplex.seqform.lp.solve import NotSolvedError, solve_lp
from treeplex.seqform.trees.game_tree import TooManyHistoriesError, build_tree
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.solving.choice import tree_or_public
from treeplex.solving.engines import fits, prepare
from treeplex.solving.linear_program import MOST_SEQUENCES, natural_size, solve_best
from treeplex.solving.methods import DECOMPOSED, METHODS, SAMPLERS, Choices, Form, config_of
from treeplex.solving.minimiser import run_minimiser
from treeplex.solving.solve import CFR_WIDTH, MOST_ITERATIONS
from treeplex.solving.stopping import Checks, Trace, narrower_than

SMALL_SEQUENCES = 5_000
"""Up to so many sequences a second stack (cvxpy and Clarabel) solves the same program."""
SMALL_HISTORIES = 50_000
"""Up to so many histories a poker game is also enumerated hand by hand."""
FAMILY_SEQUENCES = 100_000
"""Up to so many sequences every regret minimiser is run, beyond it CFR+ alone."""
BOARDS_SEQUENCES = 30_000
"""Up to so many sequences the engine on betting times boards is run in each of its ways."""
FIRST, SOONEST, LATEST = 64, 16, 256
"""Minimisers are certified after so many iterations and each doubling, and judged after 16 to 256 times as
many."""
EARLY = 3
"""How many certificates shrinking is measured from: the widest of them, since one may be narrow by luck."""
FIRST_SAMPLED, FIRST_DECOMPOSED = 1024, 4
"""The same for Monte Carlo methods, whose iterations are short, and for CFR-D, whose iterations are long."""
ARRIVED = 1e-9
"""What counts as zero beside the game's natural size: it need not shrink any more."""


ON_BOARDS: Mapping[str, Choices] = MappingProxyType(
    {
        "dcfr": {},
        "dcfr, every board": {"isomorphism": False},
        "dcfr, 2 threads": {"threads": 2},
        "dcfr, int16": {"storage": "int16"},
    }
)
"""The ways in which the engine on boards is run: with suit isomorphism or not, threads, storage."""


@dataclass(frozen=True)
class Crosscheck:
    """What several methods proved of one game.

    Attributes
    ----------
    game : str
    rows : tuple of Result
        Each with its certificate.
    stuck : tuple of str
        The methods whose certificates did not shrink as their theory promises.
    gave_up : mapping of str to str
        The methods that ended in an error, and what it said.
    """

    game: str
    rows: tuple[Result, ...]
    stuck: tuple[str, ...] = ()
    gave_up: Mapping[str, str] = field(default_factory=dict)

    @property
    def agree(self) -> bool:
        """Whether no two proved intervals are disjoint; they are widened by their rounding."""
        return not any(a.proof.disjoint(b.proof) for a, b in combinations(self.rows, 2))

    @property
    def passed(self) -> bool:
        """Whether all agree and none is stuck."""
        return self.agree and not self.stuck

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "agree": self.agree,
            "stuck": list(self.stuck),
            "gave_up": dict(self.gave_up),
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
    """
    problem = load(game, bets=bets, raises=raises)
    gave_up: dict[str, str] = {}
    rows: tuple[Result, ...] = (
        *_runs(problem, progress),
        *_family(problem, gave_up, progress),
        *_on_boards(problem, progress),
    )
    judged = (row for row in rows if row.method != DECOMPOSED)
    stuck = tuple(f"{row.method} on {row.form}" for row in judged if _is_stuck(problem, row.trace))
    return Crosscheck(problem.game.name, rows, stuck, MappingProxyType(gave_up))


def shrunk(problem: Problem, trace: Trace) -> bool:
    """Whether the last width is a quarter of the widest early one, or so small that it need not be."""
    widths, rounding = [point.certificate.nash_conv for point in trace], trace[-1].certificate.rounding
    return widths[-1] <= max(ARRIVED * natural_size(problem), 4 * rounding, max(widths[:EARLY]) / 4)


def _is_stuck(problem: Problem, trace: Trace) -> bool:
    if len(trace) <= EARLY or shrunk(problem, trace):
        return False
    return trace[-1].certificate.nash_conv > problem.spread / math.sqrt(trace[-1].iterations)


def _runs(problem: Problem, progress: Progress) -> Iterator[Result]:
    """Run what narrows the value down."""
    sequences = sum(problem.small.form.n_sequences)
    if sequences <= MOST_SEQUENCES:
        yield solve_best(problem, progress)
    if isinstance(problem.game, PokerGame) and (explicit := _explicit(problem, problem.game)) is not None:
        yield explicit
    narrow = narrower_than(CFR_WIDTH * natural_size(problem))
    for form in _forms_to_the_end(problem) if fits(problem, "cfr+") else ():
        engine = prepare(problem, VARIANTS["cfr+"], form)
        yield run_minimiser(problem, "cfr+", engine, form, MOST_ITERATIONS, narrow, progress=progress)
    if sequences + len(problem.small.form.payoff.link) <= SMALL_SEQUENCES and _has_clarabel():
        yield from _clarabel(problem)


def _forms_to_the_end(problem: Problem) -> tuple[Form, ...]:
    return ("tree",) if problem.vector_tree is None else ("tree", "public")


def _family(problem: Problem, gave_up: dict[str, str], progress: Progress) -> Iterator[Result]:
    """Run every other minimiser until its certificate has shrunk, or long enough to call it stuck."""
    if sum(problem.form.n_sequences) > FAMILY_SEQUENCES:
        return
    for name in METHODS:
        if name == "cfr+" or not fits(problem, name):
            continue
        form = tree_or_public(problem, name)
        first = FIRST_SAMPLED if name in SAMPLERS else FIRST_DECOMPOSED if name == DECOMPOSED else FIRST
        try:
            yield run_minimiser(
                problem,
                name,
                prepare(problem, config_of(name, {}, form), form),
                form,
                first * (SOONEST if name == DECOMPOSED else LATEST),
                lambda trace: (
                    trace[-1].iterations >= SOONEST * trace[0].iterations and shrunk(problem, trace)
                ),
                progress=progress,
                checks=Checks(first, 2.0),
            )
        except NotSolvedError as error:  # CFR-D solves its subgames again by linear programs
            gave_up[name] = str(error)


def _on_boards(problem: Problem, progress: Progress) -> Iterator[Result]:
    """Run the engine on boards in each of its ways until its certificate has shrunk."""
    few = sum(problem.form.n_sequences) <= BOARDS_SEQUENCES and fits(problem, "cfr+")
    if not few or not isinstance(problem.game, PokerGame) or problem.game.hole_cards > MAX_HOLE_CARDS:
        return
    for name, how in ON_BOARDS.items():
        storage: Storage = "int16" if how.get("storage") == "int16" else "float32"
        yield run_minimiser(
            problem,
            name,
            prepare(problem, factored_config("dcfr", storage=storage), "boards", how),
            "boards",
            FIRST * (LATEST if storage == "float32" else SOONEST),  # rounding to 16 bits ends what shrinks
            lambda trace: trace[-1].iterations >= SOONEST * trace[0].iterations and shrunk(problem, trace),
            checks=Checks(FIRST, 2.0),
            progress=progress,
        )


def _has_clarabel() -> bool:
    return find_spec("cvxpy") is not None and find_spec("clarabel") is not None


def _explicit(problem: Problem, game: PokerGame) -> Result | None:
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
        **problem.facts,
        method="lp-explicit",
        solver=solution.solver,
        status=solution.status,
        strategy=solution.profile,
        certificate=solution.certificate,
        iterations=solution.iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(form.n_infosets),
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
    )


def _clarabel(problem: Problem) -> Iterator[Result]:
    """Solve the same program through cvxpy and Clarabel, which share nothing with our path, if they can."""
    from treeplex.verification.clarabel import solve_with_clarabel

    clock = time.perf_counter()
    try:
        status, iterations, profile = solve_with_clarabel(problem.small.form)
    except NotSolvedError:
        return
    lifted = problem.small.lift(profile)
    yield Result(
        **problem.facts,
        method="clarabel",
        solver="clarabel",
        status=status,
        strategy=lifted,
        certificate=certify(problem.form, lifted),
        iterations=iterations,
        seconds=time.perf_counter() - clock,
        n_infosets=sum(problem.form.n_infosets),
    )
