"""Texts of rounds of simultaneous bids, as each player sees them."""

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
