"""Public trees: betting and boards as nodes, private hands as a vector at each node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.games.display.shown import Shown
from treeplex.games.poker.locks import Play
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.deal import Deal, Ints
from treeplex.seqform.trees.preorder import children_of
from treeplex.seqform.trees.stakes import stakes_of


@dataclass(frozen=True, repr=False)
class PublicTree(Shown):
    """The public states of a game whose only private information is one hand a player, in preorder.

    Chance nodes deal boards; private hands are dealt at the root and are the vector axis. Probabilities of
    boards are included in the weights of the deals: nothing is multiplied at chance nodes.

    Attributes
    ----------
    name : str
        The spec of the game.
    unit : str
        The unit of payoffs.
    parent : (N,) int32
        The parent of each node, -1 for the root.
    player : (N,) int8
        Who acts: 0, 1, ``CHANCE`` or ``TERMINAL``.
    action : tuple of N str
        The label of the edge from the parent, empty at the root.
    public : tuple of N str
        The public state's key, shared by all hands: board and betting line.
    deal : (N,) int32
        Index into ``deals``: the board in force at the node.
    showdown : (N,) bool
        Whether a leaf is a showdown.
    stake : (N,) exact integers, in units of 1 / stake_den
        At a showdown the winner's payoff; at any other leaf player 0's payoff.
    stake_den : int
        The positive common denominator of the stakes.
    deals : tuple of Deal
        The deals of all boards, with the probability of the board in their weights: over the full boards the
        weights sum to one.
    hands : pair of tuples of str
        The label of each hand, one order for the whole tree.
    joiner : str
        The separator of a hand's label and the public key in an infoset's key.
    locks : mapping from nodes to mappings from labels of hands to plays
        Fixed behaviour of hands at nodes; empty if there is none.
    """

    name: str
    unit: str
    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: tuple[str, ...]
    public: tuple[str, ...]
    deal: NDArray[np.int32]
    showdown: NDArray[np.bool_]
    stake: Ints
    stake_den: int
    deals: tuple[Deal, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    joiner: str
    locks: Mapping[int, Mapping[str, Play]] = field(default_factory=dict)

    def brief(self) -> str:
        """Return the game, and numbers of public states and hands."""
        return "{}: {:,} public states, {:,} and {:,} hands".format(
            self.name, len(self.parent), *map(len, self.hands)
        )

    @property
    def n_nodes(self) -> int:
        """Number of public nodes."""
        return len(self.parent)

    @cached_property
    def stakes(self) -> tuple[float, float]:
        """The smallest payoff of a leaf that is not zero and the largest, in absolute value."""
        return stakes_of(self.stake, self.stake_den)

    @cached_property
    def children(self) -> tuple[NDArray[np.int32], ...]:
        """The children of each node in the order of its actions."""
        return children_of(self.parent)

    def nodes_of(self, player: int) -> NDArray[np.int64]:
        """Return the nodes where ``player`` acts, in preorder."""
        return np.flatnonzero(self.player == player)

    def infoset_key(self, hand: str, node: int) -> str:
        """Return the key of the infoset of a hand at a node."""
        return f"{hand}{self.joiner}{self.public[node]}"

    def actions(self, node: int) -> Sequence[str]:
        """Return the labels of a node's actions."""
        return [self.action[c] for c in self.children[node]]

    def __post_init__(self) -> None:
        if self.n_nodes == 0 or self.parent[0] != -1 or np.any(self.parent[1:] >= np.arange(1, self.n_nodes)):
            raise ValueError("a public tree's nodes must be in preorder, the root first with parent -1")
        leaves = np.isin(np.arange(self.n_nodes), self.parent, invert=True)
        if np.any(leaves != (self.player == TERMINAL)):
            raise ValueError("a public tree's leaves must be exactly its nodes of player TERMINAL")
        if not np.isin(self.player, (0, 1, CHANCE, TERMINAL)).all():
            raise ValueError("a public node's player must be 0, 1, CHANCE or TERMINAL")
