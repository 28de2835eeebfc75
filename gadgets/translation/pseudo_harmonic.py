"""What a bet is taken for by a player who knows fewer sizes: the pseudo-harmonic mapping (IJCAI 2013)."""

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from treeplex.games.poker.game import PokerGame

CALL = "c"
"""The label of checks and calls."""


def pseudo_harmonic(lower: float | Fraction, size: float | Fraction, upper: float | Fraction) -> float:
    """Return how likely a bet is taken for the next smaller one that the defender knows.

    ``f = (B - x) (1 + A) / ((B - A) (1 + x))`` for a bet of x between A and B; it is taken for B with
    ``1 - f``. A caller who makes a bluff of any size s indifferent calls with 1 / (1 + s), and f is what
    keeps that true of x: ``f / (1 + A) + (1 - f) / (1 + B) = 1 / (1 + x)``.

    Source: Ganzfried and Sandholm, Action translation in extensive-form games with large action spaces
    (IJCAI 2013), the randomized pseudo-harmonic mapping.

    Parameters
    ----------
    lower, size, upper : float or Fraction
        A, x and B, as fractions of the pot.

    Raises
    ------
    ValueError
        Unless 0 <= lower <= size <= upper < infinity and lower < upper.
    """
    if not 0 <= lower < upper < math.inf:
        raise ValueError(f"lower and upper must satisfy 0 <= lower < upper < inf, got {lower} and {upper}")
    if not lower <= size <= upper:
        raise ValueError(f"size must be from lower {lower} to upper {upper}, got {size}")
    return float((upper - size) * (1 + lower) / ((upper - lower) * (1 + size)))


def readings(
    abstract: PokerGame, other: str, full: PokerGame, line: str, *, own: bool
) -> dict[str, dict[str, float]]:
    """Return what each action of the full game at a line stands for at an abstract line.

    Fold, check and call are themselves; a raise is that of the same size. An opponent's raise of another size
    is drawn by :func:`pseudo_harmonic`, all-in is all-in where both games have that, and a raise of an
    opponent who can but call in the abstract game is a call. Of the defender's own raises each abstract one
    is played by one action: where stacks leave none of its size, all-in for all-in, else the nearest, else a
    call.

    Parameters
    ----------
    abstract, full : PokerGame
    other, line : str
        Lines of these at which the same player acts.
    own : bool
        Whether that is the defender.

    Returns
    -------
    mapping
        For each action of the full game the abstract labels, with their probabilities if it is the
        opponent's, with 1 if it is the defender's.
    """
    known, sizes = raise_sizes(abstract, other), raise_sizes(full, line)
    same = _rounding(abstract, other) + _rounding(full, line)
    read: dict[str, dict[str, float]] = {a: {} if a in sizes else {a: 1.0} for a in full.point(line).moves}
    all_in = _all_in(abstract, other, known), _all_in(full, line, sizes)
    if own:
        for label, size in known.items():
            action = _nearest(size, sizes)
            if action is None or (abs(sizes[action] - size) > same and label == all_in[0]):
                action = all_in[1] or action or CALL
            read[action][label] = 1.0
        return read
    for action, size in sizes.items():
        nearest = _nearest(size, known)
        if nearest is None:
            read[action] = {CALL: 1.0}
        elif abs(known[nearest] - size) <= same:
            read[action] = {nearest: 1.0}
        elif action == all_in[1] and all_in[0] is not None:
            read[action] = {all_in[0]: 1.0}
        else:
            read[action] = _drawn(known, size)
    return read


def _drawn(known: dict[str, Fraction], size: Fraction) -> dict[str, float]:
    """Return the labels between whose sizes a size lies, drawn from; the nearest where it is beyond all."""
    labels = {worth: label for label, worth in known.items()}
    lower = max((worth for worth in labels if worth < size), default=None)
    upper = min((worth for worth in labels if worth > size), default=None)
    if lower is None or upper is None:
        nearest = upper if lower is None else lower
        assert nearest is not None
        return {labels[nearest]: 1.0}
    chance = pseudo_harmonic(lower, size, upper)
    return {labels[lower]: chance, labels[upper]: 1.0 - chance}


def _nearest(size: Fraction, sizes: dict[str, Fraction]) -> str | None:
    """Return the label of the size nearest to another one, the smaller of two; None if there is none."""
    return min(sizes, key=lambda label: (abs(sizes[label] - size), sizes[label]), default=None)


def _rounding(game: PokerGame, line: str) -> Fraction:
    """Return by how much rounding to chips may move a raise, as a fraction of the pot after calling."""
    chip = game.betting.chip if game.betting.sizes is not None else None
    return Fraction(0) if chip is None else chip / (4 * max(game.point(line).betting.put))


def _all_in(game: PokerGame, line: str, raises: Iterable[str]) -> str | None:
    """Return the label of the raise that is all-in; None if there is none."""
    point = game.point(line)
    for label in raises:
        if game.point(point.moves[label]).betting.put[point.player] == game.betting.effective:
            return label
    return None


def raise_sizes(game: PokerGame, line: str) -> dict[str, Fraction]:
    """Return the size of each raise at a line, by its label, as a fraction of the pot after calling."""
    point = game.point(line)
    top, me = max(point.betting.put), point.player
    totals = {label: game.point(after).betting.put[me] for label, after in point.moves.items()}
    return {label: (total - top) / (2 * top) for label, total in totals.items() if total > top}


def check_alike(abstract: PokerGame, full: PokerGame) -> None:
    """Refuse games that differ in more than sizes and stacks, and pots that have no fractions."""
    betting = replace(
        abstract.betting,
        stacks=full.betting.stacks,
        raise_sizes=full.betting.raise_sizes,
        sizes=full.betting.sizes,
        added=full.betting.added,
    )
    if replace(abstract, name=full.name, betting=betting) != full:
        raise ValueError(
            f"the games may differ in sizes and stacks alone, got {abstract.name} and {full.name}"
        )
    if max(full.betting.invested) <= 0:
        raise ValueError(f"a pot must be there before the first bet, got {full.name} without antes or blinds")
