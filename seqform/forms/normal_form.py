"""Normal forms: the exact payoff of each pair of reduced pure strategies.

Reduced pure strategies of a treeplex: how many there are, and all of them as realization plans.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log10, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Block, Columns, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import complaint
from treeplex.games.zoo.textbook import MatrixGame
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.trees.tree_arrays import Ints

if TYPE_CHECKING:
    import pandas as pd


Plans = NDArray[np.int8]
"""Realization plans of zeros and ones, one a row, (N, S)."""


def n_pure(treeplex: Treeplex) -> int:
    """Return the number of pure strategies, one action at every infoset: the product of their numbers."""
    return prod((treeplex.end - treeplex.begin).tolist())


def n_reduced(treeplex: Treeplex) -> int:
    """Return the number of reduced pure strategies, which choose only where own earlier choices lead.

    ``N(s)``, the number of ways to play on after sequence s, is the product over the infosets i right below s
    of the sum of ``N`` over the sequences of i; a sequence without infosets below has one way.
    """
    ways = [1] * treeplex.n_sequences
    for lo, hi, parent in _upwards(treeplex):
        ways[parent] *= sum(ways[lo:hi])
    return ways[0]


def reduced_strategies(treeplex: Treeplex) -> Plans:
    """Return all reduced pure strategies as realization plans, (n_reduced, S) of int8.

    The first infoset's choice varies slowest. Each plan occurs once: pure strategies that differ only where
    they never arrive have one plan and are one row.
    """
    ways: list[list[tuple[int, ...]]] = [[()] for _ in range(treeplex.n_sequences)]
    for lo, hi, parent in _upwards(treeplex):
        choices = [(s, *below) for s in range(lo, hi) for below in ways[s]]
        ways[parent] = [(*choice, *rest) for choice in choices for rest in ways[parent]]
    plans = np.zeros((len(ways[0]), treeplex.n_sequences), dtype=np.int8)
    plans[:, 0] = 1
    for plan, chosen in zip(plans, ways[0], strict=True):
        plan[list(chosen)] = 1
    return plans


def _upwards(treeplex: Treeplex) -> list[tuple[int, int, int]]:
    """Return begin, end and parent of each infoset, children before parents."""
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True)
    return list(spans)[::-1]


MOST_ENTRIES = 1_000_000
"""Most entries of a payoff matrix that is written out."""
MOST_SHOWN = 8
"""Most strategies of a player in a table."""
LARGEST_IN_FULL = 10**15
"""Larger counts are told by their order of magnitude."""


@dataclass(frozen=True, repr=False)
class NormalForm(Shown):
    """A game as a matrix: player 0 picks a row, player 1 a column, each a reduced pure strategy.

    Attributes
    ----------
    form : SequenceForm
        The game in sequence form.
    plans : pair of (R, S0) and (C, S1) int8
        The strategies of each player as realization plans of zeros and ones.
    numerators : (R, C) exact integers
        Player 0's expected payoff times ``denominator``.
    denominator : int
        Positive.
    """

    form: SequenceForm
    plans: tuple[Plans, Plans]
    numerators: Ints
    denominator: int

    def blocks(self) -> tuple[Block, ...]:
        """Return a table of the payoffs where it is small."""
        if max(self.shape) > MOST_SHOWN:
            return super().blocks()
        headers = ("", *self.names[1])
        rows = tuple(
            (name, *map(str, row)) for name, row in zip(self.names[0], self.matrix.tolist(), strict=True)
        )
        return (Columns(self.brief(), headers, rows, left=("",)),)

    def brief(self) -> str:
        """Return the game and the numbers of strategies."""
        rows, cols = self.shape
        return f"{self.form.name}: {rows:,} x {cols:,} reduced pure strategies"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of reduced pure strategies of each player."""
        return len(self.plans[0]), len(self.plans[1])

    @property
    def n_pure(self) -> tuple[int, int]:
        """Number of pure strategies of each player, one action at every infoset."""
        first, second = map(n_pure, self.form.treeplexes)
        return first, second

    @cached_property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The name of each strategy: its choices, each an infoset and an action."""
        first, second = map(_names, self.form.treeplexes, self.plans)
        return first, second

    @cached_property
    def matrix(self) -> Ints:
        """Player 0's expected payoffs, (R, C) Fractions."""
        entries = [[Fraction(a, self.denominator) for a in row] for row in self.numerators.tolist()]
        return np.array(entries, dtype=object)

    @property
    def payoffs(self) -> Floats:
        """The matrix in f64, each entry rounded once."""
        return self.matrix.astype(np.float64)

    def plan(self, player: int, weights: Floats) -> Floats:
        """Return the realization plan of a mixed strategy, (S,): the mean of its pure strategies' plans.

        Parameters
        ----------
        player : int
        weights : (R,) or (C,) f64
            The probability of each reduced pure strategy.

        Raises
        ------
        ValueError
            If there is not one weight a strategy.
        """
        mixed = np.asarray(weights, dtype=np.float64)
        if mixed.shape != (self.shape[player],):
            raise BadInputError(
                f"a mixed strategy must have shape ({self.shape[player]},), got {mixed.shape}"
            )
        return np.asarray(mixed @ self.plans[player])

    def as_game(self) -> MatrixGame:
        """Return the matrix as a game, to be solved as any other."""
        return MatrixGame(tuple(map(tuple, self.matrix.tolist())))

    def table(self) -> "pd.DataFrame":
        """Return the matrix as a DataFrame of Fractions, rows and columns named."""
        import pandas as pd

        return pd.DataFrame(self.matrix, index=list(self.names[0]), columns=list(self.names[1]))


def normal_form_of(form: SequenceForm) -> NormalForm:
    """Return the normal form of a sequence form.

    Raises
    ------
    ValueError
        If the matrix would have more than ``MOST_ENTRIES`` entries; they are counted before any is written.
    """
    rows, cols = map(n_reduced, form.treeplexes)
    if rows * cols > MOST_ENTRIES:
        text = (
            f"{form.name} has {_count(rows)} x {_count(cols)} reduced pure strategies; "
            f"a normal form may have at most {MOST_ENTRIES:,} entries"
        )
        raise BadInputError(complaint(text))
    own, other = map(reduced_strategies, form.treeplexes)
    earned = [form.payoff.against_exact(1, plan) for plan in own.astype(object)]
    numerators = np.array([num for num, _ in earned], dtype=object) @ other.T.astype(object)
    return NormalForm(form, (own, other), numerators, earned[0][1])


def _names(treeplex: Treeplex, plans: Plans) -> tuple[str, ...]:
    infosets = [treeplex.infosets[i] for i in treeplex.infoset_of[1:]]
    choices = ["", *(f"{i} {a}" for i, a in zip(infosets, treeplex.actions[1:], strict=True))]
    return tuple(", ".join(choices[s] for s in np.flatnonzero(plan)[1:]) for plan in plans)


def _count(n: int) -> str:
    return f"{n:,}" if n < LARGEST_IN_FULL else f"about 10^{log10(n):.1f}"
