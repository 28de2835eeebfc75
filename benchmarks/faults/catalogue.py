"""All planted faults."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.faults.fault import Fault
from benchmarks.faults.in_abstractions import IN_ABSTRACTIONS
from benchmarks.faults.in_blueprints import IN_BLUEPRINTS
from benchmarks.faults.in_cfr import IN_CFR
from benchmarks.faults.in_gadgets import IN_GADGETS
from benchmarks.faults.in_games import IN_GAMES
from benchmarks.faults.in_seqform import IN_SEQFORM
from benchmarks.faults.in_treeplex import IN_TREEPLEX
from benchmarks.faults.operators import operator_named

ROOT = Path(__file__).parents[2]

FAULTS: tuple[Fault, ...] = (*IN_GAMES, *IN_SEQFORM, *IN_GADGETS, *IN_CFR)
"""Every fault that theorems and certificates must notice, floor by floor."""
FOR_TESTS: tuple[Fault, ...] = (*IN_ABSTRACTIONS, *IN_BLUEPRINTS, *IN_TREEPLEX)
"""Every fault in what no theorem is about, which the tests must notice."""


def named(names: Sequence[str] | None) -> tuple[Fault, ...]:
    """Return the faults of some names, or all of the catalogue.

    Random edits have names such as ``operator-0007``.

    Raises
    ------
    ValueError
        If there is none of a name.
    """
    by_name = {fault.name: fault for fault in (*FAULTS, *FOR_TESTS)}
    found = []
    for name in by_name if names is None else names:
        fault = by_name.get(name) or operator_named(ROOT, name)
        if fault is None:
            raise ValueError(f"there is no fault {name!r}; there are {', '.join(by_name)}")
        found.append(fault)
    return tuple(found)
