"""Infoset keys for extensive-form files: unique labels, and keys at nodes where a player does not act."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

MARK = "~"
"""The prefix of the number of a class of nodes at which a player does not act."""


def distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels made unique and nonempty.

    A repeated label gets the suffix ``#2``, ``#3``, ...; an empty one becomes its position, from 1.

    >>> distinct(["a", "", "a"])
    ('a', '2', 'a#2')
    """
    original = set(labels)
    found: dict[str, None] = {}
    copies: Counter[str] = Counter()
    for place, label in enumerate(labels, start=1):
        stem = label or str(place)
        name = stem
        # A new name must differ from all original labels, also from later ones.
        while name in found or (name != label and name in original):
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
    """Return a player's key at each node, (N,): that of the infoset, or a derived one where it does not act.

    A file does not say what a player knows where it does not act. The derived keys are the finest that
    perfect recall allows. The stretch of a node is the path to it from the player's own last action, or from
    the root. If all stretches of an infoset are equally long, their first nodes share a key, their second
    nodes, and so on: with perfect recall, nodes that lead to one infoset cannot be distinguished before. If
    not, all nodes of these stretches share one key. Every other node has its own.

    A derived key is the player's last infoset and action, ``~`` and a number: ``Q:/bet~17``; before the first
    action it is ``~17``. If infoset keys contain ``~``, the mark is one ``~`` longer than their longest run.

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
    """Return the first node of each node's stretch, and the node's index in it, from 0."""
    start: list[int] = []
    place: list[int] = []
    for n, above in enumerate(parent):
        begins = above < 0 or acting[above] >= 0
        start.append(n if begins else start[above])
        place.append(0 if begins else place[above] + 1)
    return start, place


def _classes(parent: Sequence[int], place: Sequence[int], acting: Sequence[int]) -> list[int]:
    """Return classes of nodes as a union-find forest: each node's parent in its class, (N,)."""
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


# Both walks stop at the first pair already joined: the pairs above it were joined with it. So the total
# number of steps is at most the number of nodes plus the number of histories.


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
