"""What is known of a game before anything of it is computed."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Reference:
    """The value and the sizes of a game.

    Attributes
    ----------
    spec : str
    value : Fraction
        Player 0's.
    histories : int
        Nodes of the game's tree, those of chance and the leaves counted.
    infosets, sequences : pair of int
        Of each player, the empty sequence counted.
    nnz : int or None
        Nonzeros of the payoff matrix, one entry a pair of sequences; None where no source counts them.
    source : str
        Where the value is from.
    erratum : str
        What is wrong in a source.
    slow : bool
        Whether its exact optimum takes seconds.
    """

    spec: str
    value: Fraction
    histories: int
    infosets: tuple[int, int]
    sequences: tuple[int, int]
    nnz: int | None
    source: str
    erratum: str = ""
    slow: bool = False

    @property
    def rows(self) -> int:
        """Rows of player 0's program: its flow, and one for each sequence of player 1."""
        return self.sequences[1] + 1 + self.infosets[0]

    @property
    def cols(self) -> int:
        """Columns of player 0's program: its plan, and the values of player 1's infosets and root."""
        return self.sequences[0] + 1 + self.infosets[1]
