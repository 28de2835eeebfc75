"""Interface to HiGHS; the only file that imports it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.threads import run_aside
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.sequence_program import LinearProgram

STATUS: Mapping[object, str] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
    highspy.HighsModelStatus.kUnboundedOrInfeasible: "unbounded or infeasible",
    highspy.HighsModelStatus.kTimeLimit: "time limit",
    highspy.HighsModelStatus.kIterationLimit: "iteration limit",
    highspy.HighsModelStatus.kMemoryLimit: "memory limit",
    highspy.HighsModelStatus.kInterrupt: "interrupted",
    highspy.HighsModelStatus.kHighsInterrupt: "interrupted",  # type: ignore[attr-defined]  # not in the stubs
    highspy.HighsModelStatus.kObjectiveBound: "objective bound",
    highspy.HighsModelStatus.kObjectiveTarget: "objective target",
    highspy.HighsModelStatus.kSolutionLimit: "solution limit",
    highspy.HighsModelStatus.kModelEmpty: "empty model",
    highspy.HighsModelStatus.kNotset: "not run",
    highspy.HighsModelStatus.kLoadError: "load error",
    highspy.HighsModelStatus.kModelError: "model error",
    highspy.HighsModelStatus.kPresolveError: "presolve error",
    highspy.HighsModelStatus.kSolveError: "solve error",
    highspy.HighsModelStatus.kPostsolveError: "postsolve error",
    highspy.HighsModelStatus.kUnknown: "imprecise",
}
"""The names of HiGHS's final statuses. ``optimal`` is HiGHS's claim, not a proof."""

PATIENCE = 1.0
"""Seconds that an interrupted run may take to end; a factorisation of a large program takes longer."""

SOLVERS = ("simplex", "ipm", "hipo")

_OPTIONS: Mapping[str, Mapping[str, str | float]] = {
    "simplex": {"solver": "simplex"},
    "ipm": {"solver": "ipx"},
    # On programs of running sums the augmented system factors several times faster than the normal
    # equations. If HiPO stagnates it passes its point to IPX by itself.
    "hipo": {"solver": "hipo", "hipo_system": "augmented"},
}


@dataclass(frozen=True, repr=False)
class HighsRun(Shown):
    """The result of a run of HiGHS, which is to be certified before use.

    Attributes
    ----------
    solver : str
        One of ``SOLVERS``.
    status : str
        One of ``STATUS``'s values.
    primal : (n,) f64
    dual : (m,) f64
        Row duals: derivatives of the maximum with respect to the row's upper bound.
    objective : float
    basic_cols, basic_rows : (n,) and (m,) bool
        The final basis; no entry is set after an interior-point run without crossover.
    iterations : int
        Of the simplex, interior-point and crossover methods together.
    seconds : float
        Wall time.
    """

    solver: str
    status: str
    primal: Floats
    dual: Floats
    objective: float
    basic_cols: NDArray[np.bool_]
    basic_rows: NDArray[np.bool_]
    iterations: int
    seconds: float

    def brief(self) -> str:
        """Return solver, status and objective."""
        return f"{self.solver}, {self.status}: objective {self.objective:.9g}"

    @property
    def has_basis(self) -> bool:
        """Whether the run ended with a basis."""
        return int(self.basic_cols.sum() + self.basic_rows.sum()) == len(self.basic_rows)


def run_highs(
    program: LinearProgram,
    solver: str,
    *,
    crossover: bool = True,
    tolerance: float = 1e-7,
    pivots: int | None = None,
) -> HighsRun:
    """Maximise a linear program.

    Parameters
    ----------
    program : LinearProgram
        Scaled to entries of order one: HiGHS drops entries up to 1e-9.
    solver : {"simplex", "ipm", "hipo"}
        Simplex; the interior-point method IPX; the interior-point method HiPO followed by IPX.
    crossover : bool
        Whether an interior-point run goes on to a basis.
    tolerance : float
        Primal and dual feasibility tolerance, 1e-10 or more.
    pivots : int, optional
        Iteration limit of the simplex method; none by default.

    Raises
    ------
    ValueError
        If the solver is none of these, or HiPO is not installed.
    KeyboardInterrupt
        If Ctrl-C came, within about ``PATIENCE``.
    """
    if solver not in SOLVERS:
        raise BadInputError(f"solver must be one of {', '.join(SOLVERS)}, got {solver!r}")
    clock = time.perf_counter()
    highs = highspy.Highs()
    options = {
        **_OPTIONS[solver],
        "output_flag": False,
        "random_seed": 0,
        "run_crossover": "on" if crossover else "off",
        "primal_feasibility_tolerance": tolerance,
        "dual_feasibility_tolerance": tolerance,
    }
    if pivots is not None:
        options["simplex_iteration_limit"] = pivots
    for name, value in options.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise BadInputError(f"this HiGHS does not know {name} = {value!r}; install highspy[extras]")
    highs.passModel(_model(program))
    stop = _stop_on_request(highs)
    run_aside(highs.run, stop=stop, patience=PATIENCE)
    info, solution, basis = highs.getInfo(), highs.getSolution(), highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    return HighsRun(
        solver,
        STATUS[highs.getModelStatus()],
        np.array(solution.col_value),
        np.array(solution.row_dual),
        float(info.objective_function_value),
        np.array([basis.valid and s == basic for s in basis.col_status], dtype=np.bool_),
        np.array([basis.valid and s == basic for s in basis.row_status], dtype=np.bool_),
        max(info.simplex_iteration_count, 0)
        + max(info.ipm_iteration_count, 0)
        + max(info.crossover_iteration_count, 0),
        time.perf_counter() - clock,
    )


def _stop_on_request(highs: highspy.Highs) -> Callable[[], None]:
    """Let a run be interrupted: the function returned asks for it, and HiGHS looks between its iterations."""
    asked = Event()

    def look(kind: object, message: str, out: object, to_highs: Any, data: object) -> None:
        to_highs.user_interrupt = asked.is_set()

    highs.setCallback(look, None)
    kinds = highspy.cb.HighsCallbackType
    highs.startCallback(kinds.kCallbackSimplexInterrupt)
    highs.startCallback(kinds.kCallbackIpmInterrupt)
    return asked.set


def _model(program: LinearProgram) -> highspy.HighsLp:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.n_cols, program.n_rows
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = program.cost
    lp.col_lower_, lp.col_upper_ = program.col_lower, program.col_upper
    lp.row_lower_, lp.row_upper_ = program.row_lower, program.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = program.matrix.indptr
    lp.a_matrix_.index_ = program.matrix.indices
    lp.a_matrix_.value_ = program.matrix.data
    return lp
