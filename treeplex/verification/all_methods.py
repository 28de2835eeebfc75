"""Runs of every method that fits a problem, each until its interval is narrow or has shrunk."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from types import MappingProxyType

from treeplex.cfr.factored.state import Storage, factored_config
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress
from treeplex.core.result import LPSize, Result
from treeplex.games.display.numbers import proved_text
from treeplex.games.poker.game import PokerGame
from treeplex.process.compilation import working_seconds
from treeplex.runs.stopping import Checks, Trace, narrower_than
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.target import NARROW, Target
from treeplex.seqform.forms.tree_form import tree_form
from treeplex.seqform.lp.solve import NotSolvedError, solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError
from treeplex.solving.choice import tree_or_public
from treeplex.solving.engines import fits, prepare
from treeplex.solving.linear_program import MOST_SEQUENCES, solve_best
from treeplex.solving.methods import DECOMPOSED, METHODS, SAMPLERS, Choices, Form, config_of
from treeplex.solving.minimiser import run_minimiser
from treeplex.solving.solve import CFR_WIDTH, MOST_ITERATIONS

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
"""Shrinking is measured from the widest of so many first certificates: one may be narrow by luck."""
FIRST_SAMPLED, FIRST_DECOMPOSED = 1024, 4
"""The same for Monte Carlo methods, whose iterations are short, and for CFR-D, whose iterations are long."""
SECOND_STACK = 1e-3
"""The second stack has given up where its certificate is wider than this part of the scale."""
ARRIVED = 1e-9
"""Widths up to this part of the game's scale count as zero and need not shrink."""


ON_BOARDS: Mapping[str, Choices] = MappingProxyType(
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
    if sum(small.n_sequences) + len(small.payoff.link) <= SMALL_SEQUENCES and _has_clarabel():
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
        engine = prepare(problem, VARIANTS["cfr+"], form)
        yield run_minimiser(problem, "cfr+", engine, form, MOST_ITERATIONS, narrow, progress=progress)


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
        lp=LPSize(program.n_rows, program.n_cols, program.nnz),
    )


def _clarabel(problem: Problem) -> Result:
    """Solve the same program through cvxpy and Clarabel, which share nothing with our path."""
    from treeplex.verification.clarabel import solve_with_clarabel

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
