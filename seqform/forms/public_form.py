"""The sequence form of a public tree, with a pairwise or a factored payoff.

The factored payoff is running sums over hand strength, with nonzeros linear in hands. At a showdown the
value of player 0's hand g is the plan of the disjoint hands that it beats minus that of those that beat it.
Both are running sums of player 1's plan over ascending strength: one chain over all hands, minus one chain
for each card of g (inclusion-exclusion). With t the sums of a chain, beaten minus beating is ``t[below g] +
t[up to g] - t[top]``: three entries instead of one for every hand.

This is the linear program's evaluation of showdowns. The engine (``cfr``) and the judge
(``seqform/certify/judge_kernels.py``) have others, on purpose, as independent checks of each other.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.protocol import TERMINAL
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index, Treeplex
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import Ints, TreeDeal


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


def factored_payoff(
    tree: PublicTree, numberings: tuple[Numbering, Numbering], report: Report = quiet
) -> Payoff:
    """Return a public tree's factored payoff; leaves with one plan of player 1 share running sums.

    ``report`` is told a few times a second how far this is.
    """
    common = int(np.lcm.reduce(np.array([d.den for d in tree.deals], dtype=object)))
    # Player 1's weights are divided by their largest, so that both factors have order one in floats.
    top = max(int(d.weight[1].max()) for d in tree.deals)
    base, left, right = _Entries(), _Entries(), _Entries()
    links = [np.zeros(0, dtype=np.bool_)]
    n_rungs = 0
    groups = _sharing(tree, numberings[1])
    for leaves in reported(groups, report, lambda n: f"{tree.name}: {n:,} of {len(groups):,} running sums"):
        deal = tree.deals[tree.deal[leaves[0]]]
        ladder = _Ladder.of(deal, totals=not tree.showdown[leaves].any())
        y = numberings[1].last[leaves[0]]
        right.add(y[ladder.hand], n_rungs + ladder.rung, ladder.num)
        for z in leaves:
            x, worth = numberings[0].last[z], int(tree.stake[z]) * (common // deal.den)
            for g, rung, num in ladder.terms(deal, showdown=bool(tree.showdown[z])):
                left.add(x[g], n_rungs + rung, num * (worth * top))
            if not tree.showdown[z]:  # the mate was subtracted twice, for both cards
                g = np.flatnonzero((deal.mate >= 0) & (deal.same != 0))
                base.add(x[g], y[deal.mate[g]], deal.same[g].astype(object) * worth)
        links.append(ladder.link)
        n_rungs += len(ladder.link)
    n0, n1 = (numbering.treeplex.n_sequences for numbering in numberings)
    den = common * tree.stake_den
    parts = ((base, den, (n0, n1)), (left, den, (n0, n_rungs)), (right, top, (n1, n_rungs)))
    told = reported(parts, report, lambda n: f"{tree.name}: {n} of {len(parts)} matrices of payoffs")
    matrices = [entries.matrix(unit, shape) for entries, unit, shape in told]
    return Payoff(matrices[0], matrices[1], np.concatenate(links), matrices[2])


def _sharing(tree: PublicTree, numbering: Numbering) -> list[Index]:
    """Return the leaves grouped by board and by the player's last action."""
    groups: dict[tuple[int, int], list[int]] = {}
    for z in tree.nodes_of(TERMINAL):
        groups.setdefault((int(tree.deal[z]), int(numbering.origin[z])), []).append(int(z))
    return [np.array(leaves) for leaves in groups.values()]


@dataclass(frozen=True)
class _Ladder:
    """Running sums over player 1's hands on a board: chain 0 over all hands, chain 1 + k over those of key k.

    A rung is a chain and a strength that occurs in it; rungs are sorted by chain, then strength.

    Attributes
    ----------
    rank : pair of (H,) int64
        Strengths as 0, 1, ... over both players; all zero if only totals are needed.
    n_ranks : int
    code : (R,) int64
        ``chain * n_ranks + rank`` of each rung, rising.
    link : (R,) bool
        Whether the rung below belongs to the same chain.
    hand, rung, num : (entries,) arrays
        Number ``num`` that player 1's hand adds to a rung.
    """

    rank: tuple[Index, Index]
    n_ranks: int
    code: Index
    link: NDArray[np.bool_]
    hand: Index
    rung: Index
    num: Ints

    @staticmethod
    def of(deal: TreeDeal, *, totals: bool) -> "_Ladder":
        n0, n1 = deal.n_hands
        _, rank = np.unique(np.concatenate(deal.strength), return_inverse=True)
        rank = np.zeros(n0 + n1, dtype=np.int64) if totals else rank
        n_ranks = int(rank.max()) + 1
        chain, hand, num = _chains(deal, 1)
        code, rung = np.unique(chain * n_ranks + rank[n0:][hand], return_inverse=True)
        link = np.concatenate(([False], code[1:] // n_ranks == code[:-1] // n_ranks))
        return _Ladder((rank[:n0], rank[n0:]), n_ranks, code, link, hand, rung, num)

    def terms(self, deal: TreeDeal, *, showdown: bool) -> list[tuple[Index, Index, Ints]]:
        """Return (hands of player 0, rungs, factors): the row of each hand in units of stake / den."""
        chain, g, num = _chains(deal, 0)
        signed = np.where(chain == 0, num, -num)
        top = self._under((chain + 1) * self.n_ranks, chain)
        if not showdown:
            return [_present(g, top, signed)]
        at = chain * self.n_ranks + self.rank[0][g]
        below, upto = self._under(at, chain), self._under(at + 1, chain)
        return [_present(g, below, signed), _present(g, upto, signed), _present(g, top, -signed)]

    def _under(self, code: Index, chain: Index) -> Index:
        """Return the highest rung of each chain with a smaller code, -1 where there is none."""
        if len(self.code) == 0:  # the other player has no hand left on this board
            return np.full(len(code), -1)
        rung = np.searchsorted(self.code, code) - 1
        return np.where((rung >= 0) & (self.code[rung] // self.n_ranks == chain), rung, -1)


def _chains(deal: TreeDeal, player: int) -> tuple[Index, Index, Ints]:
    """Return (chain, hand, number) for each chain that a live hand of the player is on."""
    live = np.flatnonzero(deal.alive[player])
    chain, hand, num = [np.zeros(len(live), dtype=np.int64)], [live], [deal.weight[player][live]]
    for slot in range(deal.key[player].shape[1]):
        held = live[deal.key[player][live, slot] >= 0]
        chain.append(1 + deal.key[player][held, slot].astype(np.int64))
        hand.append(held)
        num.append(deal.share[player][held, slot])
    return np.concatenate(chain), np.concatenate(hand), np.concatenate(num).astype(object)


def _present(g: Index, rung: Index, num: Ints) -> tuple[Index, Index, Ints]:
    keep = rung >= 0
    return g[keep], rung[keep], num[keep]


@dataclass
class _Entries:
    """Triples of an exact matrix, collected piece by piece."""

    rows: list[Index] = field(default_factory=list)
    cols: list[Index] = field(default_factory=list)
    nums: list[Ints] = field(default_factory=list)

    def add(self, rows: Index, cols: Index, nums: Ints) -> None:
        """Append triples."""
        self.rows.append(rows)
        self.cols.append(cols)
        self.nums.append(nums)

    def matrix(self, den: int, shape: tuple[int, int]) -> ExactMatrix:
        """Return the matrix of all triples over one denominator."""
        if not self.rows:
            return ExactMatrix.zero(shape)
        return ExactMatrix.of(
            np.concatenate(self.rows), np.concatenate(self.cols), np.concatenate(self.nums), den, shape
        )


DENSE_HANDS = 24
"""The largest number of hands a player for which payoffs are pairwise; beyond, running sums are smaller."""


def sequence_form(tree: PublicTree, *, factored: bool | None = None, report: Report = quiet) -> SequenceForm:
    """Return the sequence form of a public tree.

    Infosets are ordered node by node in preorder, hand by hand within a node; dead hands have none. Locks are
    ignored here: ``locked_form`` removes locked infosets.

    Parameters
    ----------
    tree : PublicTree
    factored : bool, optional
        Whether showdowns are running sums over strength (nonzeros linear in hands) or one entry a pair of
        hands. By default factored beyond ``DENSE_HANDS`` hands a player.
    report : callable, optional
        Told a few times a second how far this is.
    """
    if factored is None:
        factored = max(len(h) for h in tree.hands) > DENSE_HANDS
    numberings = (Numbering.of(tree, 0, report), Numbering.of(tree, 1, report))
    payoff = (factored_payoff if factored else _pairwise)(tree, numberings, report)
    treeplexes = numberings[0].treeplex, numberings[1].treeplex
    return SequenceForm(tree.name, tree.unit, treeplexes, payoff, tree.stakes)


def _pairwise(tree: PublicTree, numberings: tuple[Numbering, Numbering], report: Report) -> Payoff:
    """Return the payoff with one entry for each leaf and pair of hands."""
    common = int(np.lcm.reduce(np.array([d.den for d in tree.deals], dtype=object)))
    weights = [d.matrix() * (common // d.den) for d in tree.deals]
    signs = [np.sign(d.strength[0][:, None] - d.strength[1][None, :]) for d in tree.deals]
    rows, cols, nums = [], [], []
    ends = tree.nodes_of(TERMINAL)
    for z in reported(ends, report, lambda n: f"{tree.name}: payoffs of {n:,} of {len(ends):,} leaves"):
        d = tree.deal[z]
        value = weights[d] * int(tree.stake[z]) * (signs[d] if tree.showdown[z] else 1)
        g, h = np.nonzero(value)
        rows.append(numberings[0].last[z, g])
        cols.append(numberings[1].last[z, h])
        nums.append(value[g, h])
    shape = (numberings[0].treeplex.n_sequences, numberings[1].treeplex.n_sequences)
    return Payoff.sparse(
        ExactMatrix.of(
            np.concatenate(rows), np.concatenate(cols), np.concatenate(nums), common * tree.stake_den, shape
        )
    )
