"""Results of all methods on one game compared: intervals must intersect, widths must shrink.

Every method that fits a problem runs until its interval is narrow or has shrunk. Shown is one row a method,
the proved intervals side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from types import MappingProxyType
from typing import Any

from treeplex.cfr.variant import RULES
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result, ev_text
from treeplex.core.small_form import LPSize, MergedHands
from treeplex.files.run_loop import Checks, Trace, narrower_than
from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import NotSolvedError
from treeplex.games.base.number_texts import LONGEST, fraction_text, interval_texts, proved_text
from treeplex.games.base.reading import shortened
from treeplex.games.poker.game import PokerGame
from treeplex.process.compilation import compilation_told, compiling_seconds, working_seconds
from treeplex.seqform.certify.certificate import NARROW, Target, certify
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError
from treeplex.solving.choice import tree_or_public
from treeplex.solving.form import CFR_WIDTH, MOST_ITERATIONS, run_minimiser
from treeplex.solving.linear_program import MOST_SEQUENCES, solve_best
from treeplex.solving.methods import FORMS, METHODS, engine_of
from treeplex.solving.on_trees import DECOMPOSED, SAMPLERS, fits


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
    """Run every method that fits a game, but local rules, and compare what they prove.

    The linear program (exactly, where it is small enough), CFR+ on the sequence form and on the
    public tree; on games of moderate size every regret minimiser there is, and discounted CFR on boards
    with and without suit isomorphism, threads and 16-bit storage; on small games also the explicit tree hand
    by hand, and the program written a second time in cvxpy and solved by Clarabel, if they are installed.

    Regret grows with the square root of the iterations T at most, so that after 256 times as many NashConv
    should be a 16th. A minimiser is stuck, and the check fails, if it is not even a quarter, and still
    more than the spread of payoffs (of a sampling method twice the largest payoff, if that is more) over
    sqrt(T), which may take longer to fall. Iterations stop as soon as it is a quarter. CFR-D is compared
    and not judged: what it falls to depends on how its subgames are solved.

    Raises
    ------
    treeplex.games.base.errors.NotSolvedError
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
    stuck = tuple(f"{row.method} on {row.form}" for row in judged if _is_stuck(problem, row))
    compiled, merged = compiling_seconds() - before, problem.small.merged_hands
    return Crosscheck(problem.game.name, rows, stuck, MappingProxyType(gave_up), merged, compiled)


def _is_stuck(problem: Problem, row: Result) -> bool:
    """Return whether NashConv neither shrinks nor is as small as learning makes it.

    What samples are worth is as noisy as payoffs are large, that of full width as they are unlike.
    """
    if len(row.trace) <= EARLY or shrunk(problem, row.trace):
        return False
    last, most = row.trace[-1], problem.spread
    if row.method in SAMPLERS:
        most = max(most, 2.0 * problem.form.stakes[1])
    return last.certificate.nash_conv > most / math.sqrt(last.iterations)


LONGEST_REASON = 160
"""Most characters of why a method gave up."""


def crosscheck_table(crosscheck: Crosscheck) -> tuple[Block, ...]:
    """Return the comparison: a row for each method, what they share below, the verdict last."""
    spot = crosscheck.rows[0].pot is not None
    headers = (
        "method",
        "form",
        "value",
        "proved interval",
        "width",
        *(["in pots"] if spot else []),
        "iterations",
        "seconds",
    )
    rows = tuple(tuple(_crosscheck_row(row)) for row in crosscheck.rows)
    table = Columns(crosscheck.game, headers, rows, left=("method", "form", "proved interval"))
    return table, *map(Line, _footer(crosscheck))


def _crosscheck_row(row: Result) -> Iterator[str]:
    value, lower, upper = interval_texts(row.proof.value, row.proof.lower, row.proof.upper)
    width = row.proof.nash_conv
    yield row.method if row.solver in (None, row.method) else f"{row.method} ({row.solver})"
    yield row.form
    yield value
    yield "exact" if width == 0 else f"[{lower}, {upper}]"
    yield f"{width:.2g}"
    if row.pot is not None:
        yield f"{width / float(row.pot):.2g}"
    yield f"{row.iterations:,}"
    yield f"{row.seconds:.2f}"


def _footer(crosscheck: Crosscheck) -> Iterator[str]:
    yield ""
    narrowest = min(crosscheck.rows, key=lambda row: row.proof.nash_conv)
    yield f"values and widths in {narrowest.unit}"
    for row in crosscheck.rows:
        if row.exact_value is not None:
            yield f"exact value {fraction_text(row.exact_value, LONGEST)}"
    if narrowest.pot is not None:
        yield f"EV {ev_text(narrowest.proof, narrowest.pot, narrowest.unit)}"
    if crosscheck.merged is not None:
        yield str(crosscheck.merged)
    if narrowest.note:
        yield narrowest.note
    if crosscheck.compile_seconds >= 0.1:
        yield f"kernels compiled in {crosscheck.compile_seconds:.1f} seconds, which no row contains"
    for method, why in crosscheck.gave_up.items():
        yield shortened(f"{method} gave up: {why}", LONGEST_REASON)
    if crosscheck.stuck:
        yield f"DO NOT SHRINK: {', '.join(crosscheck.stuck)}"
    yield "agree" if crosscheck.agree else "DISAGREE"


SECOND_STACK_SEQUENCES = 5_000
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
"""Shrinking is measured from the widest of so many first certificates: one may be narrow by luck."""
FIRST_SAMPLED, FIRST_DECOMPOSED = 1024, 4
"""The same for Monte Carlo methods, whose iterations are short, and for CFR-D, whose iterations are long."""
SECOND_STACK = 1e-3
"""The second stack has given up where its certificate is wider than this part of the scale."""
ARRIVED = 1e-9
"""Widths up to this part of the game's scale count as zero and need not shrink."""


ON_BOARDS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "dcfr": {},
        "dcfr, every board": {"isomorphism": False},
        "dcfr, 2 threads": {"threads": 2},
        "dcfr, int16": {"storage": "int16"},
    }
)
"""The ways in which the engine on boards is run: with suit isomorphism or not, threads, storage."""


def all_methods(problem: Problem, gave_up: dict[str, str], progress: Progress) -> Iterator[Result]:
    """Yield the results of all methods that fit a problem; those that end in an error join ``gave_up``."""
    small, game = problem.small.form, problem.game
    if sum(small.n_sequences) <= MOST_SEQUENCES:
        yield from _unless_it_fails("lp", partial(solve_best, problem, progress), gave_up)
    if isinstance(game, PokerGame):
        yield from _unless_it_fails("lp-explicit", partial(_explicit, problem, game), gave_up)
    yield from _to_the_end(problem, progress)
    if sum(small.n_sequences) + len(small.payoff.link) <= SECOND_STACK_SEQUENCES and _has_clarabel():
        yield from _unless_it_fails("clarabel", partial(_clarabel, problem), gave_up)
    yield from _family(problem, gave_up, progress)
    yield from _on_boards(problem, progress)


def shrunk(problem: Problem, trace: Trace) -> bool:
    """Whether the last width is a quarter of the widest early one, or so small that it need not be."""
    widths, last = [point.certificate.nash_conv for point in trace], trace[-1].certificate
    arrived = Target(ARRIVED, problem.scale).allowed(last)
    return widths[-1] <= max(arrived, 4 * last.rounding, max(widths[:EARLY]) / 4)


def _unless_it_fails(
    name: str, solve: Callable[[], Result | None], gave_up: dict[str, str]
) -> Iterator[Result]:
    """Yield the result of a linear program; what has none, or is proved too wide, joins ``gave_up``."""
    try:
        result = solve()
    except NotSolvedError as error:
        gave_up[name] = str(error)
        return
    if result is not None:
        yield result


def _to_the_end(problem: Problem, progress: Progress) -> Iterator[Result]:
    """Run CFR+ until its certificate is as narrow as ``solve`` asks for."""
    narrow = narrower_than(Target(CFR_WIDTH, problem.scale))
    for form in _forms_to_the_end(problem) if fits(problem, "cfr+") else ():
        engine = engine_of(problem, "cfr+", form)
        yield run_minimiser(problem, "cfr+", engine, FORMS[form], MOST_ITERATIONS, narrow, progress=progress)


def _forms_to_the_end(problem: Problem) -> tuple[str, ...]:
    return ("tree",) if problem.vector_tree is None else ("tree", "public")


def _family(problem: Problem, gave_up: dict[str, str], progress: Progress) -> Iterator[Result]:
    """Run every other minimiser until its certificate has shrunk, or long enough to call it stuck."""
    if sum(problem.form.n_sequences) > FAMILY_SEQUENCES:
        return
    for name in METHODS:
        if name == "cfr+" or name in RULES or not fits(problem, name):  # rules are compiled anew
            continue
        form = tree_or_public(problem, name)
        first = FIRST_SAMPLED if name in SAMPLERS else FIRST_DECOMPOSED if name == DECOMPOSED else FIRST
        try:
            yield run_minimiser(
                problem,
                name,
                engine_of(problem, name, form),
                FORMS[form],
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
        longest = SOONEST if "storage" in how else LATEST  # rounding to 16 bits ends what shrinks
        yield run_minimiser(
            problem,
            name,
            engine_of(problem, "dcfr", "boards", how),
            FORMS["boards"],
            FIRST * longest,
            lambda trace: trace[-1].iterations >= SOONEST * trace[0].iterations and shrunk(problem, trace),
            checks=Checks(FIRST, 2.0),
            progress=progress,
        )


def _has_clarabel() -> bool:
    return find_spec("cvxpy") is not None and find_spec("clarabel") is not None


def _explicit(problem: Problem, game: PokerGame) -> Result | None:
    """Solve a poker game from its histories, hand by hand; None where there are too many."""
    clock = working_seconds()
    if len(game.reach[0]) * len(game.reach[1]) > SMALL_HISTORIES:
        return None
    try:
        form = tree_form(build_tree(game, max_nodes=SMALL_HISTORIES))
    except TooManyHistoriesError:
        return None
    solution = solve_lp(form, target=Target(NARROW, problem.scale))
    program = solution.program.program
    return Result(
        **problem.facts,
        method="lp-explicit",
        solver=solution.solver,
        status=proved_text(solution.certificate.nash_conv, problem.game.unit),
        strategy=solution.profile,
        certificate=solution.certificate,
        iterations=solution.iterations,
        seconds=working_seconds() - clock,
        n_infosets=sum(form.n_infosets),
        facts=(LPSize(program.n_rows, program.n_cols, program.nnz),),
    )


def _clarabel(problem: Problem) -> Result:
    """Solve the same program through cvxpy and Clarabel, which share nothing with our path."""
    from treeplex.solving.clarabel import solve_with_clarabel

    clock = working_seconds()
    iterations, profile = solve_with_clarabel(problem.small.form)
    lifted = problem.small.lift(profile)
    certificate = certify(problem.form, lifted)
    target = Target(SECOND_STACK, problem.scale)
    if not target.is_met(certificate):
        raise NotSolvedError(f"{problem.game.name}: {target.missed(certificate, problem.game.unit)}")
    return Result(
        **problem.facts,
        method="clarabel",
        solver="clarabel",
        status=proved_text(certificate.nash_conv, problem.game.unit),
        strategy=lifted,
        certificate=certificate,
        iterations=iterations,
        seconds=working_seconds() - clock,
        n_infosets=sum(problem.form.n_infosets),
    )
