"""Hands that the game cannot tell apart, merged without loss."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from seqform.deal import Deal, Ints
from seqform.public_tree import PublicTree
from seqform.treeplex import Index

Colours = tuple[list[int], list[int]]


@dataclass(frozen=True)
class MergedTree:
    """A public tree whose hands are classes of another's, and the way back.

    Attributes
    ----------
    tree : PublicTree
        One hand a class.
    class_of : pair of (H,) int64
        The class of each hand of the original tree.
    """

    tree: PublicTree
    class_of: tuple[Index, Index]

    def sequences(self, original: PublicTree, player: int) -> Index:
        """Return which sequence of the merged tree each of the original's (S,) plays like.

        Indexing a behaviour or a plan of the merged game with it gives the original game's.
        """
        pieces, at = [np.zeros(1, dtype=np.int64)], 1
        for n in original.nodes_of(player):
            k, d = len(original.children[n]), original.deal[n]
            row = np.cumsum(self.tree.deals[d].alive[player]) - 1
            hands = np.flatnonzero(original.deals[d].alive[player])
            first = at + k * row[self.class_of[player][hands]]
            pieces.append((first[:, None] + np.arange(k)).ravel())
            at += k * (int(row[-1]) + 1)
        return np.concatenate(pieces)


def merge_hands(tree: PublicTree) -> MergedTree:
    """Merge hands by colour refinement: the coarsest partition that the game cannot look into.

    Hands of one class have, on every board, equal weight and strength, and cards that are held alike by the
    hands of every class. Against a plan that treats classes alike they then earn the same, so each player
    has an optimal plan that does so, and the merged game has the same value (equitable partitions of a
    linear program: Grohe, Kersting, Mladenov and Selman 2014). On a river without flushes the suits of
    free cards are interchangeable: 1,081 hands become 91.
    """
    hands, keys = _refine(tree)
    classes = tuple(_number(c) for c in hands)
    sizes = np.bincount(keys)
    deals = tuple(_merge(d, (classes[0], classes[1]), keys, sizes) for d in tree.deals)
    labels = tuple(
        tuple(tree.hands[p][h] for h in np.unique(classes[p], return_index=True)[1]) for p in (0, 1)
    )
    merged = replace(tree, deals=deals, hands=(labels[0], labels[1]))
    return MergedTree(merged, (classes[0], classes[1]))


def _refine(tree: PublicTree) -> tuple[Colours, Index]:
    """Return the stable colours of both players' hands and of the keys."""
    first = tree.deals[0]
    n_keys = 1 + max((int(k.max(initial=-1)) for k in first.key), default=-1)
    hands: Colours = (_names(_facts(tree, 0)), _names(_facts(tree, 1)))
    keys = [0] * n_keys
    mate_of_1 = {int(h): g for g, h in enumerate(first.mate) if h >= 0}
    count = -1
    while count != len(set(hands[0])) + len(set(hands[1])) + len(set(keys)):
        count = len(set(hands[0])) + len(set(hands[1])) + len(set(keys))
        held: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for p in (0, 1):
            for h, slots in enumerate(first.key[p].tolist()):
                for k in slots:
                    held[k].append((p, hands[p][h]))
        keys = _names([(keys[k], tuple(sorted(held[k]))) for k in range(n_keys)])
        mates = (
            [hands[1][m] if m >= 0 else -1 for m in first.mate.tolist()],
            [hands[0][mate_of_1[h]] if h in mate_of_1 else -1 for h in range(first.n_hands[1])],
        )
        hands = tuple(  # type: ignore[assignment]
            _names(
                [
                    (hands[p][h], mates[p][h], tuple(sorted(keys[k] for k in slots if k >= 0)))
                    for h, slots in enumerate(first.key[p].tolist())
                ]
            )
            for p in (0, 1)
        )
    return hands, np.array(keys, dtype=np.int64)


def _facts(tree: PublicTree, player: int) -> list[Hashable]:
    """Return what each hand shows by itself on every board: weight, strength, shares, own correction."""
    n = tree.deals[0].n_hands[player]
    facts: list[list[Hashable]] = [[] for _ in range(n)]
    for d in tree.deals:
        same = d.same if player == 0 else np.zeros(n, dtype=np.int64)
        for h in range(n):
            facts[h] += [int(d.weight[player][h]), int(d.strength[player][h]), int(same[h])]
            facts[h] += sorted(int(s) for s in d.share[player][h])
    return [tuple(f) for f in facts]


def _names(facts: list[Hashable]) -> list[int]:
    """Number equal facts alike, in the order of first appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(f, len(seen)) for f in facts]


def _number(colours: list[int]) -> Index:
    return np.array(_names(list(colours)), dtype=np.int64)


def _merge(deal: Deal, classes: tuple[Index, Index], keys: Index, sizes: Index) -> Deal:
    """Sum a deal over classes; a key of the result stands for all keys of one colour."""
    key, share = [], []
    for p in (0, 1):
        n = int(classes[p].max()) + 1
        total: list[dict[int, int]] = [{} for _ in range(n)]
        for (h, j), key_of in np.ndenumerate(deal.key[p]):
            if key_of >= 0:
                at, colour = total[classes[p][h]], int(keys[key_of])
                at[colour] = at.get(colour, 0) + int(deal.share[p][h, j])
        width = max(len(t) for t in total)
        key.append(np.full((n, width), -1, dtype=np.int32))
        share.append(np.zeros((n, width), dtype=object))
        for c, t in enumerate(total):
            for j, (k, s) in enumerate(sorted(t.items())):
                # Each of the sizes[k] keys gets an equal part; the product over all of them keeps one size.
                key[p][c, j], share[p][c, j] = k, s if p == 0 else s // int(sizes[k])
    mate = np.full(int(classes[0].max()) + 1, -1, dtype=np.int32)
    held = np.flatnonzero(deal.mate >= 0)
    mate[classes[0][held]] = classes[1][deal.mate[held]]
    strength = [_first(deal.strength[p], classes[p]) for p in (0, 1)]
    return Deal(
        (_sum(deal.weight[0], classes[0]), _sum(deal.weight[1], classes[1])),
        (key[0], key[1]),
        (share[0], share[1]),
        mate,
        _sum(deal.same, classes[0]),
        (strength[0], strength[1]),
        deal.den,
    )


def _sum(values: Ints, classes: Index) -> Ints:
    out = np.zeros(int(classes.max()) + 1, dtype=object)
    np.add.at(out, classes, values.astype(object))
    return out


def _first(values: Index, classes: Index) -> Index:
    return values[np.unique(classes, return_index=True)[1]]
