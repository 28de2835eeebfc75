"""Numbering of one player's infosets and sequences in a public tree."""

from dataclasses import dataclass

import numpy as np

from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.trees.public_tree import PublicTree


@dataclass(frozen=True)
class Numbering:
    """A player's treeplex, and each hand's last sequence at each node.

    Attributes
    ----------
    treeplex : Treeplex
    last : (N, H) int64
        The player's last sequence before each node with each hand.
    origin : (N,) int64
        The node right after the player's last action: nodes of one origin share their ``last``.
    """

    treeplex: Treeplex
    last: Index
    origin: Index

    @staticmethod
    def of(tree: PublicTree, player: int, report: Report = quiet) -> "Numbering":
        """Number a player's infosets and sequences, node by node in preorder, hand by hand.

        ``report`` is told a few times a second how far this is.
        """
        hands = tree.hands[player]
        last = np.zeros((tree.n_nodes, len(hands)), dtype=np.int64)
        origin = np.zeros(tree.n_nodes, dtype=np.int64)
        sizes: list[Index] = []
        parents: list[Index] = []
        infosets: list[str] = []
        labels = [""]
        every = tree.n_nodes
        for n in reported(range(every), report, lambda n: f"{tree.name}: {n:,} of {every:,} nodes numbered"):
            if tree.player[n] == player:
                live = np.flatnonzero(tree.deals[tree.deal[n]].alive[player])
                actions = tree.actions(n)
                ids = len(labels) + len(actions) * np.arange(len(live))
                sizes.append(np.full(len(live), len(actions)))
                parents.append(last[n, live])
                infosets += [tree.infoset_key(hands[h], n) for h in live]
                labels += list(actions) * len(live)
            for a, c in enumerate(tree.children[n]):
                last[c], origin[c] = last[n], origin[n]
                if tree.player[n] == player:
                    last[c, live], origin[c] = ids + a, c
        size = np.concatenate([np.zeros(0, dtype=np.int64), *sizes])
        end = 1 + np.cumsum(size)
        parent = np.concatenate([np.zeros(0, dtype=np.int64), *parents])
        return Numbering(Treeplex(end - size, end, parent, tuple(infosets), tuple(labels)), last, origin)

    def after_deal(self, tree: PublicTree, player: int) -> "Numbering":
        """Return the numbering in which the player's first infoset is the deal of its own hand.

        It has an action a hand, so that sequence ``1 + h`` is that of hand h before any other action, and
        every later sequence follows one hand's.
        """
        own, hands = self.treeplex, tree.hands[player]
        hand = np.zeros(own.n_infosets, dtype=np.int64)
        for n in tree.nodes_of(player).tolist():
            live = np.flatnonzero(tree.deals[tree.deal[n]].alive[player])
            hand[own.infoset_of[self.last[tree.children[n][0], live]]] = live
        shift = len(hands)
        treeplex = Treeplex(
            np.concatenate(([1], own.begin + shift)),
            np.concatenate(([1 + shift], own.end + shift)),
            np.concatenate(([0], np.where(own.parent == 0, 1 + hand, own.parent + shift))),
            (f"hand of player {player}", *own.infosets),
            ("", *hands, *own.actions[1:]),
        )
        last = np.where(self.last == 0, 1 + np.arange(shift), self.last + shift)
        return Numbering(treeplex, last, self.origin)
