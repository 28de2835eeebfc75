"""What a night of the self-improver added to a strategy, and what is proved of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.number_texts import six_decimals
from treeplex.play.opponent_bets import OpponentBet
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.certificate import Certificate

WITH, WITHOUT = "with sibling", "without"
"""How a branch is added: as solved where the opponent may choose its menus' best action, or may not."""
NOT_CONVERGED, WORSE = "not converged", "loses more than translated"
"""Why one is not added."""


@dataclass(frozen=True)
class Solved:
    """A branch after a bet, solved.

    Attributes
    ----------
    gadget_value : pair of float
        The proved interval of the gadget's value to the opponent, per unit of reach, in the game's unit.
    loss : float
        What the bet can gain on the best action of the menus, summed over the opponent's hands as they come
        to the line, in the game's unit a hand; proved by best responses.
    iterations : int
    seconds : float
    """

    gadget_value: tuple[float, float]
    loss: float
    iterations: int
    seconds: float


@dataclass(frozen=True)
class Branch:
    """A bet that was chosen, and the branch after it, solved both ways.

    Attributes
    ----------
    bet : OpponentBet
    sibling, alone : Solved
        With the best action of the menus beside the bet, behind a gadget; and without it, as if every hand
        that comes to the line made the bet.
    translation_loss : float or None
        The loss if the bet is read as sizes of the menus; None where it cannot be.
    added : str
        ``WITH`` or ``WITHOUT``, the solution that is played; empty if none is.
    why : str
        ``NOT_CONVERGED`` or ``WORSE`` if none is played, else empty.
    """

    bet: OpponentBet
    sibling: Solved
    alone: Solved
    translation_loss: float | None
    added: str
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the branch as JSON has it."""
        return {
            **asdict(self.bet),
            "sibling": asdict(self.sibling) | {"gadget_value": list(self.sibling.gadget_value)},
            "alone": asdict(self.alone) | {"gadget_value": list(self.alone.gadget_value)},
            "translation_loss": self.translation_loss,
            "added": self.added,
            "why": self.why,
        }


@dataclass(frozen=True, repr=False)
class Improvement(Shown):
    """What :func:`treeplex.play.improve.improve` returns.

    Attributes
    ----------
    menus : str
        The game of the strategy as it was.
    game : str
        The game of the improved strategy: ``menus``, + and each line that was added.
    unit : str
    hands : int
        How many were looked at.
    made : int
        In how many of them an opponent made a bet that the menus lack.
    branches : tuple of Branch
        The bets that were chosen, the best score first.
    before : Certificate
        Of the strategy as it was, in ``menus``.
    translated : Certificate or None
        Of the same in ``game``, where it reads the added bets as sizes that it knew; None where it cannot.
    after : Certificate
        Of the improved strategy in ``game``.
    strategy : FactoredStrategy
        The improved one.
    seconds : float
    """

    menus: str
    game: str
    unit: str
    hands: int
    made: int
    branches: tuple[Branch, ...]
    before: Certificate
    translated: Certificate | None
    after: Certificate
    strategy: FactoredStrategy
    seconds: float

    def brief(self) -> str:
        """Return the game of the improved strategy, and how exploitable it is."""
        return f"{self.game}: exploitability {self.after.nash_conv / 2:.6g} {self.unit}"

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each bet that was chosen, and the exploitabilities."""
        title = f"{self.menus}: {self.made:,} of {self.hands:,} hands had a bet that the menus lack"
        head = "bet", "hands", "share", "score", "translated", "with sibling", "without", "added"
        rows = tuple(self._row(one) for one in self.branches)
        return Columns(title, head, rows, left=("bet", "added")), *map(Line, self._footer())

    def _row(self, one: Branch) -> tuple[str, ...]:
        lost = "" if one.translation_loss is None else f"{one.translation_loss:.6g}"
        return (
            one.bet.after,
            f"{one.bet.count:,}",
            f"{100 * one.bet.share:.1f}%",
            f"{one.bet.score:.6g}",
            lost,
            f"{one.sibling.loss:.6g}",
            f"{one.alone.loss:.6g}",
            one.added or one.why,
        )

    def _footer(self) -> Iterator[str]:
        yield f"losses in {self.unit} a hand: what the bet gains on the best action of the menus"
        before, after = (six_decimals(one.nash_conv / 2) for one in (self.before, self.after))
        yield f"exploitability     {before} {self.unit}, in the menus as they were"
        if self.translated is not None:
            yield f"  with the bets    {six_decimals(self.translated.nash_conv / 2)}, read as known sizes"
        yield f"  improved         {after}"
        yield f"game               {self.game}"

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints."""
        translated = self.translated
        return {
            "menus": self.menus,
            "game": self.game,
            "unit": self.unit,
            "hands": self.hands,
            "made": self.made,
            "bets": [one.as_json() for one in self.branches],
            "exploitability": {
                "before": self.before.nash_conv / 2,
                "translated": None if translated is None else translated.nash_conv / 2,
                "after": self.after.nash_conv / 2,
            },
            "seconds": self.seconds,
        }
