"""Keys for extensive-form files: their labels made distinct, and what players know where they do not act."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

MARK = "~"
"""Stands before the number of a class of nodes at which a player does not act."""


def distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels of which no two are equal and none is empty.

    A label that was there before gets ``#2``, ``#3``, ... behind it, an empty one is the number of its
    place, counted from 1.

    >>> distinct(["a", "", "a"])
    ('a', '2', 'a#2')
    """
    given = set(labels)
    found: dict[str, None] = {}
    copies: Counter[str] = Counter()
    for place, label in enumerate(labels, start=1):
        stem = label or str(place)
        name = stem
        # A name that is made here must differ from all that are given, also from those further on.
        while name in found or (name != label and name in given):
            copies[stem] += 1
            name = f"{stem}#{copies[stem] + 1}"
        found[name] = None
    return tuple(found)


def infoset_keys(labels: Mapping[int, str]) -> dict[int, str]:
    """Return the key of each of a player's infosets: its label, or ``#number`` where that is not unique.

    Parameters
    ----------
    labels : mapping of int to str
        The label of each infoset by its number.
    """
    count = Counter(labels.values())
    keys = {}
    for number, label in labels.items():
        key = label if label and count[label] == 1 else f"#{number}"
        while key != label and key in count:
            key = "#" + key
        keys[number] = key
    return keys


def known_keys(
    parent: Sequence[int], move: Sequence[str], acting: Sequence[int], keys: Mapping[int, str]
) -> tuple[str, ...]:
    """Return what a player knows at each node: a key of its own kind where the player does not act.

    A file says nothing of a player who does not act. These keys are the finest that perfect recall allows.
    The stretch of a node is the path to it from the player's own last action, or from the root. Where all
    stretches of an infoset are equally long, their first nodes share a key, their second nodes, and so on:
    the player cannot have told apart before what it cannot tell apart later. Where they are not, all of
    their nodes share one. All other nodes have keys of their own.

    Such a key is the player's last infoset and action, ``~`` and a number: ``Q:/bet~17``; before the first
    action it is ``~17``. Where an infoset's key holds ``~``, there is one ``~`` more than it holds in a row.

    Parameters
    ----------
    parent : (N,) int
        Parents before children; -1 at the root.
    move : (N,) str
        The label that leads to each node.
    acting : (N,) int
        The number of the infoset in which the player acts, -1 where it does not.
    keys : mapping of int to str
        The key of each infoset.
    """
    start, place = _stretches(parent, acting)
    classes = _classes(parent, place, acting)
    runs = (run for key in keys.values() for run in re.findall(f"{MARK}+", key))
    mark = MARK * (1 + max(map(len, runs), default=0))
    named: dict[int, str] = {}
    found = []
    for n, infoset in enumerate(acting):
        if infoset >= 0:
            found.append(keys[infoset])
            continue
        root = _root(classes, n)
        if root not in named:
            above = parent[start[n]]
            before = f"{keys[acting[above]]}/{move[start[n]]}" if above >= 0 else ""
            named[root] = f"{before}{mark}{len(named) + 1}"
        found.append(named[root])
    return tuple(found)


def _stretches(parent: Sequence[int], acting: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return where the stretch of each node begins, and the node's place in it, from 0."""
    start: list[int] = []
    place: list[int] = []
    for n, above in enumerate(parent):
        begins = above < 0 or acting[above] >= 0
        start.append(n if begins else start[above])
        place.append(0 if begins else place[above] + 1)
    return start, place


def _classes(parent: Sequence[int], place: Sequence[int], acting: Sequence[int]) -> list[int]:
    """Return classes of nodes as trees: each node's entry is one further up in its class."""
    histories: dict[int, list[int]] = {}
    for n, infoset in enumerate(acting):
        if infoset >= 0:
            histories.setdefault(infoset, []).append(n)
    classes = list(range(len(parent)))
    for nodes in histories.values():
        if len({place[n] for n in nodes}) == 1:
            for n in nodes[1:]:
                _join_abreast(classes, parent, nodes[0], n, place[n])
        else:
            inner = [n for n in nodes if place[n]]
            for n in inner:
                _join_stretch(classes, parent, parent[n], place[n] - 1)
                _join(classes, parent[inner[0]], parent[n])
    return classes


# Both walks stop at the first pair that is joined already: all above it was joined together with it. So the
# walks take no more steps than there are nodes and histories, however deep the tree.


def _join_abreast(classes: list[int], parent: Sequence[int], a: int, b: int, steps: int) -> None:
    for _ in range(steps):
        a, b = parent[a], parent[b]
        if not _join(classes, a, b):
            break


def _join_stretch(classes: list[int], parent: Sequence[int], node: int, steps: int) -> None:
    for _ in range(steps):
        if not _join(classes, node, parent[node]):
            break
        node = parent[node]


def _join(classes: list[int], a: int, b: int) -> bool:
    """Make two classes one; return whether they were two."""
    first, second = sorted((_root(classes, a), _root(classes, b)))
    classes[second] = first
    return first != second


def _root(classes: list[int], node: int) -> int:
    while classes[node] != node:
        classes[node] = classes[classes[node]]
        node = classes[node]
    return node
