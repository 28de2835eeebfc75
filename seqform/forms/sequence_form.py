"""The sequence form: two treeplexes and the payoff between them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.games.display.shown import Shown
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Treeplex

Support = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""Which sequences may be played, (S0,) and (S1,)."""


@dataclass(frozen=True, repr=False)
class SequenceForm(Shown):
    """A two-player zero-sum game of perfect recall in sequence form.

    Attributes
    ----------
    name : str
        The spec of the game.
    unit : str
        The unit of payoffs.
    treeplexes : pair of Treeplex
    payoff : Payoff
        Player 0's, (S0, S1).
    stakes : pair of float
        The smallest payoff of a leaf that is not zero and the largest, in absolute value and without the
        probabilities of chance; zeros if every payoff is zero. Games made of parts of others have theirs.
    """

    name: str
    unit: str
    treeplexes: tuple[Treeplex, Treeplex]
    payoff: Payoff
    stakes: tuple[float, float]

    def brief(self) -> str:
        """Return the game, and numbers of infosets and sequences."""
        return "{}: {:,} and {:,} infosets, {:,} and {:,} sequences".format(
            self.name, *self.n_infosets, *self.n_sequences
        )

    @property
    def n_infosets(self) -> tuple[int, int]:
        """Number of infosets of each player."""
        return self.treeplexes[0].n_infosets, self.treeplexes[1].n_infosets

    @property
    def n_sequences(self) -> tuple[int, int]:
        """Number of sequences of each player, the empty ones included."""
        return self.treeplexes[0].n_sequences, self.treeplexes[1].n_sequences

    @cached_property
    def largest(self) -> tuple[float, float]:
        """The best-response value of each player for the payoff's magnitude, the other's plan all ones.

        Certificates use it to bound the error of products that underflow.
        """
        sizes = self.payoff.magnitude
        factors = float(sizes.left.csr.sum() + sizes.right.csr.sum())
        all_played = [np.ones(t.n_sequences) for t in self.treeplexes]
        first, second = (
            t.best_response(sizes.against(p, all_played[1 - p])).total + factors
            for p, t in enumerate(self.treeplexes)
        )
        return first, second

    def best_response(self, player: int, plan: Floats) -> BestResponse:
        """Return ``player``'s best response to the other player's plan, in the player's own payoff.

        Every infoset maximises, also those that the response itself does not reach (counterfactual values).

        Parameters
        ----------
        player : int
            The player who responds, 0 or 1.
        plan : (S,) f64
            The other player's realization plan.
        """
        return self.treeplexes[player].best_response(self.gradient(player, plan))

    def gradient(self, player: int, plan: Floats) -> Floats:
        """Return ``player``'s gradient against the other's plan, (S,): ``A @ y`` or ``-A.T @ x``."""
        earned = self.payoff.against(player, plan)
        return earned if player == 0 else -earned

    def restrict(self, support: Support) -> "SequenceForm":
        """Return the game in which only the sequences of ``support`` may be played.

        Sequences below an excluded one are excluded. The order of the others remains; :func:`closed` returns
        which these are.

        Raises
        ------
        ValueError
            If a reachable infoset has no action left.
        """
        kept = [np.flatnonzero(closed(t, s)) for t, s in zip(self.treeplexes, support, strict=True)]
        treeplexes = [_restrict(t, k) for t, k in zip(self.treeplexes, kept, strict=True)]
        return replace(self, treeplexes=(treeplexes[0], treeplexes[1]), payoff=self.payoff.select(kept))


def closed(treeplex: Treeplex, support: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a sequence and all its ancestors are in a support, (S,); the empty one always is."""
    keep = np.array(support, dtype=np.bool_)
    if keep.shape != (treeplex.n_sequences,):
        raise ValueError(f"a support must have shape ({treeplex.n_sequences},), got {keep.shape}")
    keep[0] = True
    for i in range(treeplex.n_infosets):
        if not keep[treeplex.parent[i]]:
            keep[treeplex.begin[i] : treeplex.end[i]] = False
    return keep


def _restrict(treeplex: Treeplex, kept: NDArray[np.int64]) -> Treeplex:
    to = np.full(treeplex.n_sequences, -1)
    to[kept] = np.arange(len(kept))
    reachable = to[treeplex.parent] >= 0
    sizes = np.bincount(treeplex.infoset_of[kept[1:]], minlength=treeplex.n_infosets)
    bare = np.flatnonzero(reachable & (sizes == 0))
    if len(bare):
        raise ValueError(
            f"a support must keep an action at every infoset it reaches; it keeps none at "
            f"{treeplex.infosets[bare[0]]!r}"
        )
    live = np.flatnonzero(reachable)
    end = 1 + np.cumsum(sizes[live])
    return Treeplex(
        end - sizes[live],
        end,
        to[treeplex.parent[live]],
        tuple(treeplex.infosets[i] for i in live),
        tuple(treeplex.actions[s] for s in kept),
    )


def spread(values: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return values of the sequences with ``kept`` set as values of all sequences, zero elsewhere, (S,)."""
    full = np.zeros(len(kept))
    full[kept] = values
    return full
