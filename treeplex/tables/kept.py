"""Kept answers that were judged again, as a table."""

from treeplex.subgames.flops.kept import KeptCheck
from treeplex.tables.layout import Columns


def kept_table(found: KeptCheck) -> Columns:
    """Return what best responses earn against either part, and the exploitability."""
    rows = [
        (f"against player {d}", f"{seat.best_response:.6f}", f"{seat.within_menu:.6f}")
        for d, seat in enumerate(found.seats)
    ]
    within = sum(seat.within_menu for seat in found.seats) / 2
    rows.append(("exploitability", f"{found.exploitability:.6f}", f"{within:.6f}"))
    title = f"{found.game}, blueprint of {found.blueprint}, {found.row}; in {found.unit}"
    return Columns(
        title, ("best response", "all bets", "within the menu"), tuple(rows), left=("best response",)
    )
