"""Blueprints judged: by exact best responses where these fit into memory, else by a local best response."""

from treeplex.cfr.blueprint.on_boards import on_boards
from treeplex.cfr.blueprint.strategy import BlueprintStrategy
from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.process.compilation import working_seconds
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.solving.engines import blueprint_tree
from treeplex.solving.minimiser import bounded

SEED = 0
"""Of the hands that a local best response plays."""


def expanded(problem: Problem, blueprint: BlueprintStrategy) -> FactoredStrategy | None:
    """Return a blueprint hand by hand on boards; None where that does not fit into memory."""
    tree = blueprint_tree(problem, blueprint.layout)
    return None if tree is None else on_boards(tree, blueprint).expanded()


def checked_by_bounds(problem: Problem, blueprint: BlueprintStrategy) -> Result:
    """Return what a local best response wins from a blueprint; nothing is certified."""
    clock = working_seconds()
    facts = bounded(problem, blueprint, SEED)
    return Result(
        **problem.facts,
        **facts,
        form="buckets",
        method="file",
        status="not certified",
        strategy=blueprint,
        certificate=None,
        n_bytes=blueprint.total.nbytes,
        seconds=working_seconds() - clock,
        seed=SEED,
    )
