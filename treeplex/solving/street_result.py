"""What a regret minimiser on betting times boards gives back."""

from dataclasses import dataclass
from typing import Any

from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.solving.result import Outcome
from treeplex.solving.street_problem import StreetProblem


@dataclass(frozen=True, kw_only=True)
class StreetResult(Outcome):
    """The outcome of a regret minimiser on betting times boards.

    Attributes
    ----------
    problem : StreetProblem
    strategy : StreetStrategy
        The average strategy.
    storage : str
        How averages were kept.
    n_boards, n_real_boards : int
        Boards that were solved, and boards on which the certificate judged them.
    """

    problem: StreetProblem
    strategy: StreetStrategy
    storage: str
    n_boards: int
    n_real_boards: int

    @property
    def exploitability(self) -> float:
        """Half of NashConv: what the players gain by deviating, on average over both seats."""
        return self.nash_conv / 2

    @property
    def pots(self) -> float | None:
        """Exploitability in pots of a spot."""
        return None if self.pot is None else self.exploitability / float(self.pot)

    @property
    def mbb(self) -> float | None:
        """Exploitability of a whole hand in thousandths of a big blind."""
        blind = self.problem.big_blind
        return None if blind is None else 1000 * self.exploitability / float(blind)

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "status": self.status,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "gains": list(self.gains),
            "nash_conv": self.nash_conv,
            "pots": self.pots,
            "mbb_per_hand": self.mbb,
            "unit": self.unit,
            "ev": None if self.ev is None else list(self.ev),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "n_infosets": self.n_infosets,
            "storage": self.storage,
            "n_boards": self.n_boards,
            "n_real_boards": self.n_real_boards,
            "bytes": self.problem.n_bytes,
        }
