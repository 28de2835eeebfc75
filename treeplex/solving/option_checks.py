"""Checks of the options of ``treeplex.solve`` before a game is loaded."""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path

from treeplex.cfr.variants.variant import VARIANTS
from treeplex.games.inputs.parameters import check_kind
from treeplex.outputs.formats import check_file
from treeplex.runs.checkpoint import SUFFIXES
from treeplex.seqform.lp.highs import SOLVERS
from treeplex.solving.choice import LP
from treeplex.solving.methods import FORMS, METHODS, Form
from treeplex.store.completion import check_missing, check_unused
from treeplex.store.strategy_like import StrategyLike


def check_options(
    method: str | None,
    form: str | None,
    solver: str,
    iterations: int | None,
    target: float | None,
    checkpoint: str | Path | None,
) -> Form | None:
    """Refuse bad options before a game is loaded for them; return the form."""
    if method is not None and method not in (LP, *METHODS):
        raise ValueError(f"method must be one of {', '.join((LP, *METHODS))}, got {method!r}")
    if form is not None and form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    if method not in (None, LP) and solver != "auto":
        raise ValueError(f"solver is for lp, got {solver!r} with {method}")
    if iterations is not None:
        check_kind("iterations", iterations, Integral, "an integer")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None:
        check_target(target)
    if checkpoint is not None:
        check_file(checkpoint, SUFFIXES, "a checkpoint")
    return form


def check_target(target: float) -> None:
    """Refuse a NashConv that no strategy can be held to."""
    check_kind("target", target, Real, "a number")
    if not 0 < target < math.inf:
        raise ValueError(f"target must be a NashConv above 0 and finite, got {target}")


def check_warm_start(
    method: str | None,
    form: str | None,
    strategy: "StrategyLike | None",
    iterations: int | None,
    missing: str,
) -> None:
    """Refuse options of warm starts that do not go together, or with the method."""
    check_missing(missing)
    if strategy is None:
        check_unused(missing, "no warm start")
        if iterations is not None:
            raise ValueError(f"warm_iterations are for a warm start, got {iterations} without one")
        return
    if iterations is not None and iterations < 1:
        raise ValueError(f"warm_iterations must be at least 1, got {iterations}")
    if method is not None and method not in VARIANTS:
        raise ValueError(f"a warm start is for {', '.join(VARIANTS)}, got {method}")
    if form not in (None, "tree"):
        raise ValueError(f"a warm start is for the tree, got the form {form}")


def refuse_with_lp(minimiser_options: Iterable[str]) -> None:
    """Refuse options of regret minimisers where the method is the linear program."""
    for key in minimiser_options:
        verb = "are" if key.endswith("s") else "is"
        raise ValueError(f"{key} {verb} for regret minimisers, got method lp")
