"""Results of the sequence-form linear program: merged, guided by a minimiser, or exact; narrow as asked.

The limit on sequences is kept by counting alone where that is enough.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.cfr.engine import average
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import Average, variant_named
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.core.small_form import LPSize, SmallForm
from treeplex.games.base.errors import BadInputError, NotSolvedError
from treeplex.games.base.number_texts import proved_text
from treeplex.games.base.reading import rounded_count
from treeplex.games.counting.game_sizes import GameSizes, RoundSizes
from treeplex.games.poker.game import PokerGame
from treeplex.process.compilation import working_seconds
from treeplex.seqform.certify.certificate import (
    NARROW,
    Certificate,
    Target,
    behaviour_of,
    certify,
    exact_bounds,
)
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.guided_program import solve_guided
from treeplex.seqform.programs.lp_solution import LPSolution, narrowest
from treeplex.seqform.programs.rational_optimum import NotExactError, is_plan, rational_optimum
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.solving.choice import cards_come, walked_or_public
from treeplex.solving.form import is_moderate
from treeplex.solving.on_trees import public_profile

GUIDED_SEQUENCES = 8_000
"""Programs of running sums with more sequences than this are guided unless a solver is named."""
EXACT_ROWS = 40_000
"""Most rows of a program whose exact rational optimum is computed."""
GUIDE_METHOD, GUIDE_ITERATIONS = "hs-dcfr", 8_000
"""The minimiser that guides programs, with a quadratic average, and for how many iterations."""
GUIDE = replace(variant_named(GUIDE_METHOD, horizon=GUIDE_ITERATIONS), average=Average(2.0))
GUIDING = f"{GUIDE_METHOD}, {GUIDE_ITERATIONS:,} iterations"
"""What progress says of it."""
VALUED_SEQUENCES = 5_000
"""Most sequences, both players' together, of a game whose value is computed beside what was asked for."""
MOST_SEQUENCES = 500_000
"""Beyond so many sequences no linear program is tried."""


def solve_best(problem: Problem, progress: Progress = silent) -> Result:
    """Solve exactly, or in floats where the program is too large or no exact optimum is found.

    Raises
    ------
    ValueError, NotSolvedError
        As :func:`solve_program`.
    """
    if _rows(problem.small.form) > EXACT_ROWS:
        return solve_program(problem, progress=progress)
    clock, target = working_seconds(), Target(NARROW, problem.scale)
    solution = _in_floats(problem, "auto", True, target, progress)
    try:
        return _exactly(problem, solution, target, clock)
    except NotExactError:
        return _narrow(problem, solution, target, clock)


def solve_program(
    problem: Problem,
    solver: str = "auto",
    *,
    exact: bool = False,
    target: float | None = None,
    progress: Progress = silent,
) -> Result:
    """Solve the linear program; parameters as for :func:`treeplex.solving.solve.solve`.

    A certificate wider than asked leads to the exact optimum, if the program is small enough.

    Raises
    ------
    ValueError
        If the program is too large.
    treeplex.games.base.errors.NotSolvedError
        If no certificate is as narrow as asked.
    treeplex.seqform.programs.rational_optimum.NotExactError
        If ``exact`` was asked for and no exact optimum was found.
    """
    clock = working_seconds()
    check_program_size(problem, MOST_SEQUENCES)
    asked = Target(NARROW, problem.scale) if target is None else Target(target)
    if exact:
        _check_exact(problem.small.form)
    solution = _in_floats(problem, solver, exact, asked, progress)
    if exact:
        return _exactly(problem, solution, asked, clock)
    try:
        return _narrow(problem, solution, asked, clock)
    except NotSolvedError as width:
        if _rows(problem.small.form) > EXACT_ROWS:
            raise
        progress("exact optimum", solution.certificate.nash_conv)
        try:
            return _exactly(problem, solution, asked, clock)
        except NotExactError:
            raise NotSolvedError(f"{width}; no exact optimum was found either") from width


def _in_floats(problem: Problem, solver: str, exact: bool, target: Target, progress: Progress) -> LPSolution:
    """Return the narrowest solution of the small form in floats."""
    form = problem.small.form
    sequences = sum(form.n_sequences)
    large = len(form.payoff.link) > 0 and sequences > GUIDED_SEQUENCES
    if large and solver == "auto" and not exact and is_moderate(problem):
        return solve_guided(form, program_guide(problem.small, progress), target, progress=progress)
    return narrowest(form, solver, crossover=True if exact else None, target=target)


def _rows(form: SequenceForm) -> int:
    return 2 + (sum(form.n_sequences) + sum(form.n_infosets)) // 2 + len(form.payoff.link)


def _check_exact(form: SequenceForm) -> None:
    rows = _rows(form)
    if rows > EXACT_ROWS:
        raise BadInputError(
            f"an exact optimum takes a program of at most {EXACT_ROWS:,} rows, got about {rows:,}; "
            "without it the value is proved to a narrow interval"
        )


def _narrow(problem: Problem, solution: LPSolution, target: Target, clock: float) -> Result:
    """Make a solution of the small form one of the whole game, proved there as narrow as asked."""
    profile = problem.small.lift(solution.profile)
    certificate = certify(problem.form, profile)
    if not target.is_met(certificate):
        raise NotSolvedError(f"{problem.game.name}: {target.missed(certificate, problem.game.unit)}")
    status = ", ".join(filter(None, (proved_text(certificate.nash_conv, problem.game.unit), solution.note)))
    result = _result(problem, solution, profile, certificate, None, status, clock)
    return replace(result, target=target.allowed(certificate))


def _exactly(problem: Problem, solution: LPSolution, target: Target, clock: float) -> Result:
    """Make the rational optimum of the small form one of the whole game, proved there."""
    optimum = rational_optimum(problem.small.form, solution.runs[0])
    plans = problem.small.lift_exactly(optimum.plans)
    started = working_seconds()
    value, lower, upper = exact_bounds(problem.form, *plans)
    if lower != upper or not all(map(is_plan, problem.form.treeplexes, plans)):
        raise NotExactError(
            f"{problem.game.name}: the optimum of the merged game is not one of the whole game"
        )
    certificate = Certificate(value, lower, upper, 0.0, working_seconds() - started)
    x, y = (
        behaviour_of(t, plan, own)
        for t, plan, own in zip(
            problem.form.treeplexes, plans, problem.small.lift(solution.profile).behaviour, strict=True
        )
    )
    profile = Profile(problem.form.treeplexes, (x, y))
    status, rounded = proved_text(certificate.nash_conv, problem.game.unit), certify(problem.form, profile)
    if not target.is_met(rounded):
        status = f"{status}; its floats are {proved_text(rounded.nash_conv, problem.game.unit)}"
    result = _result(problem, solution, profile, certificate, value, status, clock)
    return replace(result, target=target.allowed(certificate))


def _result(
    problem: Problem,
    solution: LPSolution,
    profile: Profile,
    certificate: Certificate,
    exact_value: Fraction | None,
    status: str,
    clock: float,
) -> Result:
    program, merged = solution.program.program, problem.small.merged_hands
    size = LPSize(program.n_rows, program.n_cols, program.nnz)
    return Result(
        **problem.facts,
        form=walked_or_public(problem),
        method="lp",
        solver=solution.solver,
        status=status,
        strategy=profile,
        certificate=certificate,
        exact_value=exact_value,
        iterations=solution.iterations,
        seconds=working_seconds() - clock,
        n_infosets=sum(problem.form.n_infosets),
        facts=(size,) if merged is None else (size, merged),
    )


def program_guide(small: SmallForm, progress: Progress = silent) -> Profile:
    """Return the profile that guides a game's linear programs, on its small form.

    Poker games play it on their public tree, merged hands at once, other games and locked ones on sequences.
    """
    tree = small.tree if small.merged is None else small.merged.tree
    if tree is None or tree.locks:
        return sequence_guide(small.form, progress)
    progress(GUIDING, math.inf)
    strategies = average(vector_cfr.prepare(tree, GUIDE), GUIDE_ITERATIONS)
    return small.shortened(public_profile(tree, small.whole, strategies))


def sequence_guide(form: SequenceForm, progress: Progress = silent) -> Profile:
    """Return the profile that guides the linear programs of a sequence form."""
    progress(GUIDING, math.inf)
    return average(full_width.prepare(form, GUIDE), GUIDE_ITERATIONS)


def check_program_size(problem: Problem, most: int) -> None:
    """Refuse a linear program of more sequences, once hands are merged and forced moves removed.

    Poker games are counted first, by a bound; then on their public trees; all games on their small forms.

    Raises
    ------
    ValueError
    """
    game = problem.game
    if isinstance(game, PokerGame) and not game.locks:
        _check(game.name, least_sequences(game, problem.sizes), most)
        tree = problem.tree if problem.merged is None else problem.merged.tree
        assert tree is not None
        _check(game.name, _sequences_with_choice(tree), most)
    _check(game.name, sum(problem.small.form.n_sequences), most)


def least_sequences(game: PokerGame, sizes: GameSizes) -> int:
    """Return how many sequences a poker game's linear program has at least.

    A decision of k actions has k sequences, or none if k = 1: k - 1 at least. Hands are merged only where
    they weigh the same on every board; where any card of theirs may come, no two do. In games whose cards
    are all out, or of few cards, each decision is counted for one hand alone.
    """
    hands_differ = cards_come(game) and _every_card_may_come(game)
    return sum(
        _with_choice(one, p) * (one.deals.known[p] if hands_differ else 1)
        for one in sizes.rounds
        for p in (0, 1)
    )


def _with_choice(one: RoundSizes, player: int) -> int:
    return one.betting.actions[player] - one.betting.decisions[player]


def _every_card_may_come(game: PokerGame) -> bool:
    """Return whether each card of a hand may be dealt to the board: two hands are possible without it."""
    waiting = {card for one in game.reach for hand in one for card in hand}
    for first in game.reach[0]:
        for second in game.reach[1]:
            if not waiting:
                return True
            if set(first).isdisjoint(second):
                waiting &= {*first, *second}
    return not waiting


def _sequences_with_choice(tree: PublicTree) -> int:
    """Return both players' sequences at the nodes of several actions."""
    alive = np.array([[int(hands.sum()) for hands in deal.alive] for deal in tree.deals], dtype=np.int64)
    n_children = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    nodes = np.flatnonzero((tree.player >= 0) & (n_children > 1))
    return int((n_children[nodes] * alive[tree.deal[nodes], tree.player[nodes]]).sum())


def _check(name: str, sequences: int, most: int) -> None:
    if sequences > most:
        raise BadInputError(
            f"a linear program takes at most {most:,} sequences, {name} has at least "
            f"{rounded_count(sequences)}; use a regret minimiser"
        )
