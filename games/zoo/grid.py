"""Grids of cells that games are played on."""


def grid_cells(rows: int, columns: int) -> dict[str, int]:
    """Return the bit of each cell, row by row: ``a1``, ``b1``, ..., ``a2``; up to nine columns."""
    labels = [f"{letter}{row + 1}" for row in range(rows) for letter in "abcdefghi"[:columns]]
    return {label: 1 << place for place, label in enumerate(labels)}
