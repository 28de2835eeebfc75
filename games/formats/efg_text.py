"""Parser of Gambit's extensive-form files (``.efg``) to flat records, with its lexer.

The lexer knows strings, numbers and braces, with line numbers.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import MAX_DIGITS
from treeplex.games.base.reporting import Report, quiet, reported

MAX_EXPONENT = 400
"""Exponents beyond this are refused, either way."""
SHOWN = 30
"""Most characters of the text that an error quotes."""


def _token(body: str) -> re.Pattern[str]:
    return re.compile(rf"({body})\s*+", re.ASCII | re.DOTALL)


# All quantifiers are possessive: matching is linear in the length of the text.
QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
SPACE = re.compile(r"\s*+", re.ASCII)
FIXED = {word: _token(re.escape(word)) for word in ("EFG", "2", "{", "}", ",")}
TYPE = _token(r"[RD]\b")
NODE = _token(r'[cpt](?=[\s"])')
STRING = _token(QUOTED)
INTEGER = _token(r"\d{1,18}+(?![\w./])")
NUMBER = _token(r"[+-]?+(?:\d++/\d++|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?+\d++)?+)(?![\w./])")
BRACES = _token(rf'\{{[^"{{}}]*+(?:{QUOTED}[^"{{}}]*+)*+\}}')
WORD = re.compile(r"[{}]|[^\s{}]++", re.ASCII)
ESCAPE = re.compile(r'\\(["\\])')


class EfgCursor:
    """A position in a text that advances word by word, skipping white space.

    Attributes
    ----------
    text : str
    at : int
        How many characters have been read; the next one begins a word.
    """

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.at = 0
        self._line = 1
        self._counted = 0
        self.take(SPACE, "text")

    def number(self, expected: str) -> Fraction:
        """Return the number that comes next, exactly."""
        begin = self.at
        text = self.take(NUMBER, expected)
        mantissa, _, exponent = text.lower().partition("e")
        if (
            max(map(len, mantissa.split("/"))) > MAX_DIGITS
            or len(exponent) > 9
            or abs(int(exponent or 0)) > MAX_EXPONENT
        ):
            self.at = begin
            raise self.wrong(
                f"a number of at most {MAX_DIGITS:,} digits and an exponent up to {MAX_EXPONENT}"
            )
        try:
            return Fraction(text)
        except ZeroDivisionError:
            self.at = begin
            raise self.wrong("a denominator other than 0") from None

    def string(self, expected: str) -> str:
        """Return the quoted string that comes next, without quotes."""
        text = self.take(STRING, expected)[1:-1]
        return ESCAPE.sub(r"\1", text) if "\\" in text else text

    def sees(self, *begins: str) -> bool:
        """Return whether the text continues with one of ``begins``."""
        return self.text.startswith(begins, self.at)

    def take(self, token: re.Pattern[str], expected: str) -> str:
        """Return the next word, which must match ``token``, and advance."""
        match = token.match(self.text, self.at)
        if match is None:
            raise self.wrong(expected)
        self.at = match.end()
        return match[token.groups and 1]

    def line(self) -> int:
        """Return the current line number, from 1."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def wrong(self, expected: str) -> ValueError:
        """Return the error for an unexpected next word."""
        return self.error(f"expected {expected}{self.got()}")

    def got(self) -> str:
        """Return the end of an error message: the text found."""
        word = WORD.match(self.text, self.at)
        if word is None:
            return ", got the end of the file"
        return f", got {word[0] if len(word[0]) <= SHOWN else word[0][:SHOWN] + '…'!r}"

    def error(self, message: str) -> ValueError:
        """Return an error that names the line."""
        return BadInputError(f"line {self.line()}: {message}")


T = TypeVar("T")


class EfgNode(NamedTuple):
    """A node as it stands in a file; numbers are the file's own, players are counted from 0.

    Attributes
    ----------
    line : int
        Where it begins, from 1.
    name : str
    parent, action : int
        The node above, and which of its actions leads here; -1 at the root.
    player : int
        Who acts: a player, ``CHANCE`` or ``TERMINAL``.
    infoset : int
        Its number among the player's; 0 at a leaf.
    outcome : int
        The number of what is paid here; 0 for nothing.
    """

    line: int
    name: str
    parent: int
    action: int
    player: int
    infoset: int
    outcome: int


class EfgInfoset(NamedTuple):
    """What a file says of an infoset.

    Attributes
    ----------
    line : int
        Where it is first described.
    label : str
    actions : tuple of str
    weights : tuple of Fraction
        The probability of each action; empty unless chance moves.
    """

    line: int
    label: str
    actions: tuple[str, ...]
    weights: tuple[Fraction, ...]


class EfgOutcome(NamedTuple):
    """What a file says of an outcome: where first, its label, and what each player is paid."""

    line: int
    label: str
    payoffs: tuple[Fraction, ...]


@dataclass(frozen=True)
class EfgText:
    """A file's content; nothing is checked here but the grammar.

    Attributes
    ----------
    title, comment : str
    players : tuple of str
    nodes : tuple of EfgNode
        Parents before children, each subtree contiguous.
    infosets : mapping of (player, number) to EfgInfoset
        Chance's too, with player ``CHANCE``.
    outcomes : mapping of int to EfgOutcome
    """

    title: str
    comment: str
    players: tuple[str, ...]
    nodes: tuple[EfgNode, ...]
    infosets: Mapping[tuple[int, int], EfgInfoset]
    outcomes: Mapping[int, EfgOutcome]


def parse_efg_text(text: str, report: Report = quiet) -> EfgText:
    r"""Parse an ``.efg`` file.

    Infosets and outcomes are described where they first appear, and later again in the same way or not at
    all. Payoffs may be separated by commas. In strings ``\"`` is a quote and ``\\`` a backslash; any other
    backslash stands for itself. Numbers are integers, decimals or fractions, all exact.

    ``report`` is told a few times a second how many histories were read.

    Raises
    ------
    ValueError
        If the text breaks the grammar: one line with the line number, what was expected and what was found.
    """
    return _Parser(text, report).parse()


class _Parser(EfgCursor):
    """A position in a text, and the nodes, infosets and outcomes read so far."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report
        self.players: tuple[str, ...] = ()
        self.infosets: dict[tuple[int, int], EfgInfoset] = {}
        self.outcomes: dict[int, EfgOutcome] = {}
        self.lists: dict[tuple[object, str], object] = {}

    def parse(self) -> EfgText:
        self.take(FIXED["EFG"], "EFG")
        self.take(FIXED["2"], "version 2")
        self.take(TYPE, "R or D")
        title = self.string("the game's title in quotes")
        self.players = self._list(_Parser._labels)
        comment = self.string("a comment in quotes") if self.sees('"') else ""
        nodes = self._nodes()
        if self.at < len(self.text):
            raise self.wrong("the end of the file, all actions having their nodes")
        return EfgText(title, comment, self.players, nodes, self.infosets, self.outcomes)

    def _nodes(self) -> tuple[EfgNode, ...]:
        read = reported(self._each_node(), self.report, lambda n: f"{n:,} histories read")
        return tuple(read)

    def _each_node(self) -> Iterator[EfgNode]:
        count = 0
        above = [(-1, -1, 0)]  # a node, which of its actions comes next, and how many it has
        while above:
            parent, action, actions = above.pop()
            if action + 1 < actions:
                above.append((parent, action + 1, actions))
            node, below = self._node(parent, action)
            if below:
                above.append((count, 0, below))
            yield node
            count += 1

    def _node(self, parent: int, action: int) -> tuple[EfgNode, int]:
        """Return a node, and how many actions it has."""
        line = self.line()
        kind = self.take(NODE, "a node (c, p or t)")
        name = self.string("the node's name in quotes")
        if kind == "t":
            return EfgNode(line, name, parent, action, TERMINAL, 0, self._outcome(line)), 0
        player = CHANCE
        if kind == "p":
            begin = self.at
            player = int(self.take(INTEGER, "the number of a player")) - 1
            if not 0 <= player < len(self.players):
                self.at = begin
                raise self.error(f"expected a player from 1 to {len(self.players)}, got {player + 1}")
        number, n_actions = self._infoset(player, line)
        return EfgNode(line, name, parent, action, player, number, self._outcome(line)), n_actions

    def _infoset(self, player: int, line: int) -> tuple[int, int]:
        begin = self.at
        number = int(self.take(INTEGER, "the number of an infoset"))
        known = self.infosets.get((player, number))
        who = "chance" if player == CHANCE else f"player {player + 1}"
        if not self.sees('"', "{"):
            if known is None:
                raise self.error(
                    f"infoset {number} of {who} comes first here: expected its actions{self.got()}"
                )
            return number, len(known.actions)
        label = self.string("the infoset's label") if self.sees('"') else ""
        actions, weights = self._list(_Parser._weighted if player == CHANCE else _Parser._actions)
        if known is None:
            self.infosets[player, number] = EfgInfoset(line, label, actions, weights)
        elif known[1:] != (label, actions, weights):
            self.at = begin
            raise self.error(f"infoset {number} of {who} differs from what line {known.line} says of it")
        return number, len(actions)

    def _outcome(self, line: int) -> int:
        begin = self.at
        number = int(self.take(INTEGER, "the number of an outcome"))
        known = self.outcomes.get(number)
        if not self.sees('"', "{"):
            if number and known is None:
                raise self.error(f"outcome {number} comes first here: expected its payoffs{self.got()}")
            return number
        if number == 0:
            raise self.error("outcome 0 stands for no payoffs: expected no more of it" + self.got())
        label = self.string("the outcome's label") if self.sees('"') else ""
        payoffs = self._list(_Parser._payoffs)
        if known is None:
            self.outcomes[number] = EfgOutcome(line, label, payoffs)
        elif known[1:] != (label, payoffs):
            self.at = begin
            raise self.error(f"outcome {number} differs from what line {known.line} says of it")
        return number

    def _list(self, content: Callable[["_Parser"], T]) -> T:
        """Return a list in braces; the same characters are parsed once only."""
        braces = BRACES.match(self.text, self.at)
        key = content, braces[1] if braces else ""
        if braces and key in self.lists:
            self.at = braces.end()
            return self.lists[key]  # type: ignore[return-value]
        self.take(FIXED["{"], "'{'")
        found = content(self)
        self.take(FIXED["}"], "'}'")
        self.lists[key] = found
        return found

    def _labels(self) -> tuple[str, ...]:
        labels = []
        while self.sees('"'):
            labels.append(self.string("a label"))
        return tuple(labels)

    def _actions(self) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        first = self.string("the label of an action in quotes")
        return (first, *self._labels()), ()

    def _weighted(self) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        labels = [self.string("the label of an action in quotes")]
        weights = [self.number("a probability")]
        while self.sees('"'):
            labels.append(self.string("a label"))
            weights.append(self.number("a probability"))
        return tuple(labels), tuple(weights)

    def _payoffs(self) -> tuple[Fraction, ...]:
        payoffs = []
        for player in range(len(self.players)):
            payoffs.append(self.number(f"the payoff of player {player + 1}"))
            if self.sees(","):
                self.take(FIXED[","], "','")
        return tuple(payoffs)
