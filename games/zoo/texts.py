"""Texts that several games share: rounds of simultaneous bids, and cells of grids.

Rounds are told as each player sees them.
"""

from collections.abc import Sequence


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def bids_text(bids: Sequence[int], player: int, revealed: bool, mark: str) -> str:
    """Return the text of a round of two bids, or of its first bid alone, as a player sees it.

    Parameters
    ----------
    bids : one or two int
        Player 0's first.
    player : int
        Who sees the own bid; ``TERMINAL`` for the public.
    revealed : bool
        Whether a complete round shows both bids; else the other's is ``?``.
    mark : str
        The separator of the bids of a complete round.
    """
    complete = len(bids) == 2
    texts = [str(bid) if (complete and revealed) or who == player else "?" for who, bid in enumerate(bids)]
    return (mark if complete else "").join(texts)


def comparison(bids: Sequence[int]) -> str:
    """Return ``<``, ``=`` or ``>`` for the first bid against the second; empty for a single bid."""
    return "<=>"[1 + sign(bids[0] - bids[1])] if len(bids) == 2 else ""


def grid_cells(rows: int, columns: int) -> dict[str, int]:
    """Return the bit of each cell, row by row: ``a1``, ``b1``, ..., ``a2``; up to nine columns."""
    labels = [f"{letter}{row + 1}" for row in range(rows) for letter in "abcdefghi"[:columns]]
    return {label: 1 << place for place, label in enumerate(labels)}
