"""Solve a poker game of several streets, all hands at once, and prove how well on every real board."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isfinite
from pathlib import Path
from types import MappingProxyType

from treeplex.cfr.factored.cfr import FactoredMinimiser, check_options, factored_variant
from treeplex.cfr.factored.tables import BYTES, FactoredState, Storage, is_predictive, no_state
from treeplex.cfr.variants.variant import Variant
from treeplex.problem import GameLike, Problem, load
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.certificate import FactoredCertificate, certify_factored
from treeplex.solving.board_facts import board_facts
from treeplex.solving.guided import Progress, silent
from treeplex.solving.iterating import (
    AT_THE_END,
    FOR_TARGETS,
    FOR_TRACES,
    Checks,
    Course,
    Trace,
    narrower_than,
)
from treeplex.solving.result import Result, exploitability_text
from treeplex.store.checkpoint import SUFFIXES, FileKeeper, Keeper, NoKeeper
from treeplex.store.files import check_writable
from treeplex.store.street_file import rules_of
from treeplex.store.street_keeping import LiveKeeper

METHODS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr")
"""The minimisers that run on betting times boards."""
SMALL = 1e-3
"""How small exploitability is made, in pots or big blinds, unless a target or iterations are given."""
MOST_ITERATIONS = 100_000
"""Where a run stops when no number of iterations is given."""


def solve_streets(
    game: GameLike,
    method: str = "dcfr",
    *,
    iterations: int | None = None,
    target: float | None = None,
    average: str | None = None,
    storage: Storage = "float32",
    threads: int = 1,
    isomorphism: bool = True,
    traced: bool = False,
    checkpoint: str | Path | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Solve a poker game on betting times boards, and prove how well.

    Whatever the settings, the certificate is computed in float64 on every real board.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A poker game of one or two hole cards.
    method : str
        One of ``METHODS``.
    iterations : int, optional
        How many; with a target, at most how many.
    target : float, optional
        NashConv to reach, in the game's unit. Without a target or iterations, exploitability is brought to a
        thousandth of the pot or of the big blind (of the largest stake where there is neither).
    average : str, optional
        ``uniform``, ``linear``, ``quadratic`` or ``cubic``.
    storage : {"float32", "int16"}
        How regrets and averages are kept.
    threads : int
        Their number changes nothing but the time.
    isomorphism : bool
        Whether boards that suits alone tell apart are solved as one.
    traced : bool
        Certify after 1, 2, 3, ... iterations, then more sparsely, for the trace.
    checkpoint : str or Path, optional
        An .npz file in which the run is kept, and from which it goes on if the file is there.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    progress : callable, optional
        Called with the stage, which says how exploitable the last certified average is, and infinity.

    Raises
    ------
    ValueError
        If the game or an option is not what it must be, or the tables would not fit into memory.
    """
    variant = _checked(method, average, iterations, target, storage, threads, checkpoint)
    tell = progress or silent
    tell("listing boards", float("inf"))
    problem = load(game, bets=bets, raises=raises)
    tree = problem.boards(isomorphism=isomorphism, entry_bytes=_entry_bytes(variant, storage))
    keeper: Keeper = NoKeeper()
    if checkpoint is not None:
        keeper = FileKeeper(Path(checkpoint), _identity(tree, variant, storage))
    if target is None:
        target = 0.0 if iterations is not None else 2 * problem.unit_size * SMALL
    result = run_streets(
        problem,
        method,
        variant,
        iterations or MOST_ITERATIONS,
        narrower_than(target),
        storage=storage,
        threads=threads,
        isomorphism=isomorphism,
        checks=FOR_TRACES if traced else FOR_TARGETS if target > 0 else AT_THE_END,
        keeper=keeper,
        progress=_saying_exploitability(problem, tell),
    )
    asked = {"iterations": iterations, "target": target, "average": average, "threads": threads}
    asked |= {"storage": storage, "isomorphism": isomorphism}
    return replace(result, parameters=MappingProxyType(asked))


def run_streets(
    problem: Problem,
    method: str,
    variant: Variant,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    storage: Storage = "float32",
    threads: int = 1,
    isomorphism: bool = True,
    checks: Checks = FOR_TARGETS,
    keeper: Keeper | None = None,
    progress: Progress | None = None,
) -> Result:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    entry_bytes = _entry_bytes(variant, storage)
    tree = problem.boards(isomorphism=isomorphism, entry_bytes=entry_bytes)
    run = _Run(tree, variant, storage, threads)
    live = LiveKeeper(keeper or NoKeeper())
    start = no_state(variant, storage)
    course = Course(method, start, run.advance, run.judge, progress or silent, live, first_slice=1)
    run.begin(course.state)
    live.follow(run.minimiser)
    status = course.run(iterations, enough, checks)
    certificate = course.trace[-1].certificate
    if not isinstance(certificate, FactoredCertificate):  # one that was read from a file
        certificate = certify_factored(tree.game, run.minimiser.strategy)
    return Result(
        **problem.facts,
        **board_facts(problem, run.minimiser.strategy, certificate),
        method=method,
        status=status,
        n_bytes=tree.n_entries * entry_bytes,
        iterations=course.done,
        seconds=course.seconds,
        trace=course.trace,
    )


class _Run:
    """A minimiser on its way; a course hands its state around, which is the minimiser's own."""

    def __init__(self, tree: FactoredTree, variant: Variant, storage: Storage, threads: int) -> None:
        self._make = partial(FactoredMinimiser, tree, variant, storage=storage, threads=threads)
        self._game = tree.game

    def begin(self, state: FactoredState) -> None:
        """Start from nothing, or from a state that was kept."""
        self.minimiser = self._make(state=state if state.iterations else None)

    def advance(self, _state: FactoredState, iterations: int) -> FactoredState:
        """Go on; the state is the minimiser's."""
        self.minimiser.advance(iterations)
        return self.minimiser.state

    def judge(self, _state: FactoredState) -> tuple[tuple[Floats, ...], Certificate]:
        """Certify the average; its tables are those of the state, and are not kept twice."""
        return (), certify_factored(self._game, self.minimiser.strategy)


def _checked(
    method: str,
    average: str | None,
    iterations: int | None,
    target: float | None,
    storage: str,
    threads: int,
    checkpoint: str | Path | None,
) -> Variant:
    """Refuse bad options before a game is loaded for them."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if average == "last":
        raise ValueError("average must be of all iterations, got 'last'")
    variant = factored_variant(method, average)
    check_options(variant, storage, threads)
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None and not 0 < target < float("inf"):
        raise ValueError(f"target must be a positive and finite NashConv, got {target}")
    if checkpoint is not None:
        check_writable(checkpoint, SUFFIXES, "a checkpoint")
    return variant


def _entry_bytes(variant: Variant, storage: Storage) -> int:
    """Return what tables take for each action of each hand on each board."""
    return BYTES[storage] + (4 if is_predictive(variant) else 0)


def _identity(tree: FactoredTree, variant: Variant, storage: str) -> dict[str, str]:
    """Return what a run is of."""
    return {
        "game": tree.game.name,
        "rules": rules_of(tree.game),
        "boards": f"{tree.boards.n_boards:,} boards",
        "storage": storage,
        "parameters": str(variant),
    }


def _saying_exploitability(problem: Problem, tell: Progress) -> Progress:
    """Return what says exploitability as players count it instead of NashConv."""

    def told(stage: str, width: float) -> None:
        text = exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)
        proved = f", exploitability {text}" if isfinite(width) else ""
        tell(stage + proved, float("inf"))

    return told
