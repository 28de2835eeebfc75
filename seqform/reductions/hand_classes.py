"""Lossless merging of equivalent hands of a public tree, by colour refinement."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import Ints, TreeDeal

Colours = tuple[list[int], list[int]]


@dataclass(frozen=True)
class MergedTree:
    """A public tree whose hands are classes of another's hands, and the map between them.

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
        """Return the sequence of the merged tree for each of the original's, (S,).

        Indexing a behaviour or plan of the merged game with it gives one of the original game.
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


def merge_hands(tree: PublicTree, report: Report = quiet) -> MergedTree:
    """Return a public tree with hands merged by the coarsest equitable partition (colour refinement).

    Hands of one class have equal locks and, on every board, equal weight and strength, and keys whose holders
    have the same colours. Against a plan that is constant on classes they have equal values, so each player
    has an optimal plan that is constant on classes, and the merged game has the same value (equitable
    partitions of a linear program: Grohe, Kersting, Mladenov and Selman 2014). On a river without flushes the
    suits of free cards are interchangeable: 1,081 hands become 91.

    ``report`` is told a few times a second how far this is.
    """
    hands, keys = _refine(tree, report)
    classes = tuple(_number(c) for c in hands)
    sizes = np.bincount(keys)
    boards = reported(tree.deals, report, lambda n: f"{tree.name}: hands merged on {n:,} boards")
    deals = tuple(_merge(d, (classes[0], classes[1]), keys, sizes) for d in boards)
    labels = tuple(
        tuple(tree.hands[p][h] for h in np.unique(classes[p], return_index=True)[1]) for p in (0, 1)
    )
    merged = replace(tree, deals=deals, hands=(labels[0], labels[1]))
    return MergedTree(merged, (classes[0], classes[1]))


def _refine(tree: PublicTree, report: Report) -> tuple[Colours, Index]:
    """Return the stable colours of both players' hands and of the keys."""
    hands: Colours = (_names(_facts(tree, 0)), _names(_facts(tree, 1)))
    keys = [0] * (1 + max(int(k.max(initial=-1)) for d in tree.deals for k in d.key))
    count = -1
    while count != (count := len({*hands[0]}) + len({*hands[1]}) + len({*keys})):
        boards = reported(tree.deals, report, lambda n: f"{tree.name}: hands compared on {n:,} boards")
        keys = _names(list(zip(keys, *(_held(d, hands, len(keys)) for d in boards), strict=True)))
        hands = (_look(tree, hands, keys, 0), _look(tree, hands, keys, 1))
    return hands, np.array(keys, dtype=np.int64)


def _facts(tree: PublicTree, player: int) -> list[Hashable]:
    """Return each hand's own invariants: weight, strength and correction on every board, and locks."""
    columns: list[Sequence[Hashable]] = [_locked(tree, player)]
    for d in tree.deals:
        columns += [d.weight[player].tolist(), d.strength[player].tolist()]
        columns += [d.same.tolist()] if player == 0 else []
    return list(zip(*columns, strict=True))


def _locked(tree: PublicTree, player: int) -> list[Hashable]:
    """Return each hand's locks; nodes with the same plays are one entry."""
    distinct = {id(plays): plays for node, plays in tree.locks.items() if tree.player[node] == player}
    return [
        tuple(frozenset(plays[hand].items()) if hand in plays else None for plays in distinct.values())
        for hand in tree.hands[player]
    ]


def _held(deal: TreeDeal, hands: Colours, n_keys: int) -> list[Hashable]:
    """Return for each key the sorted list of its holders on a board: (player, hand's colour, share)."""
    held: list[list[tuple[int, int, int]]] = [[] for _ in range(n_keys)]
    for p in (0, 1):
        for colour, slots, shares in zip(hands[p], deal.key[p].tolist(), deal.share[p].tolist(), strict=True):
            for k, share in zip(slots, shares, strict=True):
                if k >= 0:
                    held[k].append((p, colour, share))
    return [tuple(sorted(h)) for h in held]


def _look(tree: PublicTree, hands: Colours, keys: list[int], player: int) -> list[int]:
    """Return refined colours of hands: by the colours of their keys, with shares, and of their mates."""
    columns: list[list[Hashable]] = [list(hands[player])]
    for d in tree.deals:
        mate = [-1] * d.n_hands[player]
        for g, h in enumerate(d.mate.tolist()):
            if h >= 0:
                mine, other = (g, hands[1][h]) if player == 0 else (h, hands[0][g])
                mate[mine] = other
        slots = zip(d.key[player].tolist(), d.share[player].tolist(), strict=True)
        held = [tuple(sorted((keys[k], s) for k, s in zip(*pair, strict=True) if k >= 0)) for pair in slots]
        columns += [list(mate), list(held)]
    return _names(list(zip(*columns, strict=True)))


def _names(facts: list[Hashable]) -> list[int]:
    """Return the number of each fact among the distinct ones, in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(f, len(numbers)) for f in facts]


def _number(colours: list[int]) -> Index:
    return np.array(_names(list(colours)), dtype=np.int64)


def _merge(deal: TreeDeal, classes: tuple[Index, Index], keys: Index, sizes: Index) -> TreeDeal:
    """Return a deal summed over classes of hands; a key of the result represents all keys of one colour."""
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
                # Shares are divided evenly among the sizes[k] keys, in one player's factor only.
                key[p][c, j], share[p][c, j] = k, s if p == 0 else s // int(sizes[k])
    mate = np.full(int(classes[0].max()) + 1, -1, dtype=np.int32)
    held = np.flatnonzero(deal.mate >= 0)
    mate[classes[0][held]] = classes[1][deal.mate[held]]
    strength = [_first(deal.strength[p], classes[p]) for p in (0, 1)]
    return TreeDeal(
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
