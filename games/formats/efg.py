"""Two-player constant-sum games from Gambit's extensive-form files (``.efg``), with infoset keys.

Infoset keys are unique labels; there are keys at nodes where a player does not act, too.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import exact_decimals, read_text
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.formats.efg_text import EfgNode, EfgText, parse_efg_text

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


NEARLY = Fraction(1, 10**6)
"""Probabilities with a sum this close to one are taken for rounded decimals."""


@dataclass(frozen=True)
class EfgMoves:
    """The actions of one infoset, or the outcomes of a chance node.

    Attributes
    ----------
    labels : tuple of str
        All different.
    weights : tuple of Fraction
        The probability of each where chance moves, all positive; else empty.
    """

    labels: tuple[str, ...]
    weights: tuple[Fraction, ...] = ()

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The index of each label."""
        return {label: n for n, label in enumerate(self.labels)}


NO_MOVES = EfgMoves(())
NOTHING = Fraction(0)
UNPAID = (NOTHING, NOTHING)


class EfgPosition(NamedTuple):
    """A node of the game: who acts, the actions, the children, and player 0's payoff."""

    player: int
    moves: EfgMoves
    children: tuple[int, ...]
    payoff: Fraction


@dataclass(frozen=True)
class EfgGame:
    """A game read from an ``.efg`` file. States are numbers of nodes, the root is 0.

    The game is zero-sum: with u player 0's payoff, player 1 gets -u, and ``constant - u`` in the file.

    The key of a player who acts is the infoset's label, or ``#number`` where that is empty or not unique
    among the player's. The keys of a player who does not act are those of :func:`known_keys`.
    All nodes have the same public key: cuts derive public states from the players' keys.

    Attributes
    ----------
    name : str
        The file's path.
    constant : Fraction
        The sum of both players' payoffs in the file.
    positions : tuple of EfgPosition
        In the file's order, without branches of probability 0.
    keys : pair of tuples of str, (N,)
        What each player knows at each node.
    decimal : pair of Fraction or None
        The first probability that is not the decimal written: (value, decimal).
    """

    name: str
    constant: Fraction
    positions: tuple[EfgPosition, ...] = field(repr=False)
    keys: tuple[tuple[str, ...], tuple[str, ...]] = field(repr=False)
    decimal: tuple[Fraction, Fraction] | None = None

    @property
    def unit(self) -> str:
        """The unit of payoffs, which the file does not name."""
        return "payoff units"

    @property
    def note(self) -> str:
        """A remark on the constant sum, if not 0, and on rounded probabilities, if any."""
        notes = []
        if self.constant:
            sum_ = _text(self.constant)
            notes.append(f"the file's payoffs add up to {sum_}: player 1 gets {sum_} less what player 0 gets")
        if self.decimal:
            read, written = self.decimal
            as_written = Decimal(written.numerator) / Decimal(written.denominator)
            notes.append(
                f"chance written as decimals was read as fractions, such as {read} for {as_written:f}"
            )
        return "; ".join(notes)

    def root(self) -> int:
        """Return the first node."""
        return 0

    def player(self, state: int) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``."""
        return self.positions[state].player

    def actions(self, state: int) -> Sequence[str]:
        """Return the labels of the legal actions of the player who acts."""
        return self.positions[state].moves.labels

    def chance(self, state: int) -> Sequence[tuple[str, Fraction]]:
        """Return outcomes and their probabilities at a chance node."""
        moves = self.positions[state].moves
        return tuple(zip(moves.labels, moves.weights, strict=True))

    def child(self, state: int, action: str) -> int:
        """Return the node after an action's or an outcome's label."""
        position = self.positions[state]
        return position.children[position.moves.place[action]]

    def infoset(self, state: int, player: int) -> str:
        """Return what ``player`` knows here."""
        return self.keys[player][state]

    def public(self, state: int) -> str:
        """Return nothing: a file names no public states."""
        return ""

    def payoff(self, state: int) -> Fraction:
        """Return player 0's payoff at a leaf, as in the file."""
        return self.positions[state].payoff


def read_efg(path: str | Path, report: Report = quiet) -> EfgGame:
    """Read an ``.efg`` file; its path becomes the game's name. ``report`` is told how far this is.

    Raises
    ------
    ValueError
        If the file cannot be read, or as :func:`parse_efg`.
    """
    return parse_efg(read_text(path), str(path), report)


def parse_efg(text: str, name: str, report: Report = quiet) -> EfgGame:
    """Parse a game in Gambit's extensive-form format.

    Numbers are exact: 0.1 is 1/10. If the probabilities of a chance node sum to one only nearly, they are
    taken for rounded decimals, see :func:`exact_decimals`, and the game's note says so.
    Branches of probability 0 are left out. Repeated action labels of an infoset are numbered (``a``,
    ``a#2``); an empty label becomes the action's number.

    Parameters
    ----------
    text : str
        The file's content.
    name : str
        The name of the game, and the start of each error.
    report : callable, optional
        Told a few times a second how far this is.

    Raises
    ------
    ValueError
        If the text breaks the grammar, there are not exactly two players, probabilities are negative or do
        not sum to one, or payoffs do not add up to one constant at all leaves: one line with the line
        number. Imperfect recall is not refused here but by the sequence form.
    """

    def say(what: str) -> None:
        report(f"{name}: {what}")

    try:
        return _game(parse_efg_text(text, say), name, say)
    except ValueError as error:
        raise BadInputError(f"{name}: {error}") from None


def _game(text: EfgText, name: str, report: Report) -> EfgGame:
    if len(text.players) != 2:
        raise BadInputError(f"needs exactly two players, got {len(text.players)}")
    moves, decimal = {}, None
    for (player, number), infoset in text.infosets.items():
        weights = _weights(infoset.line, infoset.weights) if player == CHANCE else ()
        moves[player, number] = EfgMoves(distinct(infoset.actions), weights)
        pairs = zip(weights, infoset.weights, strict=True)
        decimal = decimal or next(((read, written) for read, written in pairs if read != written), None)
    report("adding up payoffs")
    nodes = _possible(text)
    paid = _paid(text, nodes)
    children: list[list[int]] = [[] for _ in nodes]
    for n, node in enumerate(nodes[1:], start=1):
        children[node.parent].append(n)
    report("linking histories")
    likely = {key: _without_zeros(moves[key]) for key in moves}
    positions = tuple(
        EfgPosition(
            node.player,
            likely.get((node.player, node.infoset), NO_MOVES),
            tuple(below),
            total[0] if node.player == TERMINAL else NOTHING,
        )
        for node, below, total in zip(nodes, children, paid, strict=True)
    )
    parent = [node.parent for node in nodes]
    move = [""] * len(nodes)
    for n, node in enumerate(nodes[1:], start=1):
        above = nodes[node.parent]
        move[n] = moves[above.player, above.infoset].labels[node.action]
    keys = []
    for player in (0, 1):
        report(f"deriving what player {player} knows")
        keys.append(_keys(text, nodes, parent, move, player))
    report("comparing payoffs")
    return EfgGame(name, _constant(nodes, paid), positions, (keys[0], keys[1]), decimal)


def _weights(line: int, written: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return probabilities that sum to exactly one; raise ValueError if those written do not nearly."""
    least, total = min(written), sum(written, NOTHING)
    if least < 0:
        raise BadInputError(f"line {line}: a probability must be at least 0, got {_text(least)}")
    if total == 1:
        return written
    nearly = abs(total - 1) <= NEARLY
    if nearly and sum(read := exact_decimals(written)) == 1:
        return read
    hint = "; write fractions such as 1/3" if nearly else ""
    raise BadInputError(
        f"line {line}: a chance node's probabilities must sum to exactly 1, got {_text(total)}{hint}"
    )


def _without_zeros(moves: EfgMoves) -> EfgMoves:
    if all(moves.weights):
        return moves
    labels, weights = zip(
        *[(a, w) for a, w in zip(moves.labels, moves.weights, strict=True) if w], strict=True
    )
    return EfgMoves(labels, weights)


def _possible(text: EfgText) -> Sequence[EfgNode]:
    """Return the nodes that are reached with positive probability of chance, parents renumbered."""
    if all(all(infoset.weights) for infoset in text.infosets.values()):
        return text.nodes
    possible: list[EfgNode] = []
    number = {-1: -1}
    for n, node in enumerate(text.nodes):
        if node.parent not in number:
            continue
        if node.parent >= 0:
            above = text.nodes[node.parent]
            if above.player == CHANCE and not text.infosets[CHANCE, above.infoset].weights[node.action]:
                continue
        number[n] = len(possible)
        possible.append(node._replace(parent=number[node.parent]))
    return possible


def _paid(text: EfgText, nodes: Sequence[EfgNode]) -> list[tuple[Fraction, ...]]:
    """Return both players' payoffs at each node: the sum of the outcomes on its path."""
    paid: list[tuple[Fraction, ...]] = []
    for node in nodes:
        before = paid[node.parent] if node.parent >= 0 else UNPAID
        if node.outcome == 0:
            paid.append(before)
        elif before is UNPAID:
            paid.append(text.outcomes[node.outcome].payoffs)
        else:
            more = text.outcomes[node.outcome].payoffs
            paid.append(tuple(a + b for a, b in zip(before, more, strict=True)))
    return paid


def _constant(nodes: Sequence[EfgNode], paid: Sequence[tuple[Fraction, ...]]) -> Fraction:
    """Return the constant sum of payoffs; raise ValueError if leaves differ."""
    leaves = [n for n, node in enumerate(nodes) if node.player == TERMINAL]
    first = leaves[0]
    constant = sum(paid[first], NOTHING)
    for leaf in leaves:
        total = sum(paid[leaf], NOTHING)
        if total != constant:
            raise BadInputError(
                f"payoffs must add up to one constant at all leaves, got {_text(constant)} on line "
                f"{nodes[first].line} and {_text(total)} on line {nodes[leaf].line}"
            )
    return constant


def _keys(
    text: EfgText, nodes: Sequence[EfgNode], parent: Sequence[int], move: Sequence[str], player: int
) -> tuple[str, ...]:
    labels = {number: infoset.label for (who, number), infoset in text.infosets.items() if who == player}
    acting = [node.infoset if node.player == player else -1 for node in nodes]
    return known_keys(parent, move, acting, infoset_keys(labels))


def _text(value: Fraction) -> str:
    """Return the text of a number for a message: exact if that is short."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= 64:
        return str(value)
    return f"about {Decimal(value.numerator) / Decimal(value.denominator):.10g}"
