"""Locks: hands whose behaviour at a betting line is fixed, as part of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards, Range

Play = Mapping[str, Fraction]
"""The probability of each action; 0 for absent ones."""


@dataclass(frozen=True)
class Lock:
    """Fixed behaviour of some hands of the player who acts at a betting line, on every board.

    Attributes
    ----------
    line : str
        The line as public keys write it: ``c``, ``cr50``, ``rc/``.
    play : mapping from hands to plays
        Exact probabilities greater than 0 that sum to 1, by action. A hand that is absent is free.

    Raises
    ------
    ValueError
        If no hand is locked, or a probability is not exact and greater than 0, or a hand's do not sum to 1.
    """

    line: str
    play: Mapping[Cards, Play]

    def __post_init__(self) -> None:
        if not self.play:
            raise BadInputError(f"the lock at line {self.line!r} must name at least one hand, got none")
        for hand, play in self.play.items():
            exact = all(isinstance(share, int | Fraction) and share > 0 for share in play.values())
            if not exact or sum(play.values()) != 1:
                got = ", ".join(f"{action} {share}" for action, share in play.items())
                raise BadInputError(
                    f"the lock at line {self.line!r} must give hand {hand} exact probabilities > 0 that sum "
                    f"to 1, got {got or 'none'}"
                )

    @staticmethod
    def of(line: str, weights: Mapping[str, Range]) -> Lock:
        """Return the lock in which each hand plays actions in proportion to its weights.

        Parameters
        ----------
        line : str
        weights : mapping from actions to mappings from hands to weights
            Exact and greater than 0.

        Raises
        ------
        ValueError
            If there is no hand, or a weight is not exact and greater than 0.
        """
        plays: dict[Cards, dict[str, Fraction]] = {}
        for action, hands in weights.items():
            for hand, weight in hands.items():
                if not (isinstance(weight, int | Fraction) and weight > 0):
                    raise BadInputError(
                        f"the lock at line {line!r} must have weights > 0, got {shown(weight)} for {action}"
                    )
                plays.setdefault(hand, {})[action] = Fraction(weight)
        totals = {hand: sum(play.values(), Fraction(0)) for hand, play in plays.items()}
        return Lock(line, {h: {a: w / totals[h] for a, w in play.items()} for h, play in plays.items()})
