"""All planted faults."""

from benchmarks.faults.fault import Fault
from benchmarks.faults.in_cfr import IN_CFR
from benchmarks.faults.in_gadgets import IN_GADGETS
from benchmarks.faults.in_games import IN_GAMES
from benchmarks.faults.in_seqform import IN_SEQFORM

FAULTS: tuple[Fault, ...] = (*IN_GAMES, *IN_SEQFORM, *IN_GADGETS, *IN_CFR)
"""Every fault, floor by floor."""


def named(names: list[str] | None) -> tuple[Fault, ...]:
    """Return the faults of some names, or all.

    Raises
    ------
    ValueError
        If there is none of a name.
    """
    by_name = {fault.name: fault for fault in FAULTS}
    unknown = [name for name in names or () if name not in by_name]
    if unknown:
        raise ValueError(f"there is no fault {unknown[0]!r}; there are {', '.join(by_name)}")
    return FAULTS if names is None else tuple(by_name[name] for name in names)
