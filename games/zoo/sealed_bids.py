"""Rounds in which both players bid at once, written as players see them."""

from collections.abc import Sequence


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def bids_text(bids: Sequence[int], player: int, revealed: bool, mark: str) -> str:
    """Return how a player sees a round of two bids, or its first bid alone.

    Parameters
    ----------
    bids : one or two int
        Player 0's first.
    player : int
        Who sees the own bid; ``TERMINAL`` for the public.
    revealed : bool
        Whether a complete round shows both bids; else the other's is ``?``.
    mark : str
        What stands between the bids of a complete round.
    """
    complete = len(bids) == 2
    texts = [str(bid) if (complete and revealed) or who == player else "?" for who, bid in enumerate(bids)]
    return (mark if complete else "").join(texts)


def comparison(bids: Sequence[int]) -> str:
    """Return ``<``, ``=`` or ``>`` as the first bid is to the second; nothing for a single bid."""
    return "<=>"[1 + sign(bids[0] - bids[1])] if len(bids) == 2 else ""
