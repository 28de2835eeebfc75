"""Sequence and probability of each row of a strategy table, rows matched to infosets and actions.

From JSON: a list of rows, or infosets nested by player.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import complaint, integer
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = ["player", "infoset", "action", "probability"]
SUM_TOLERANCE = 5e-4
"""Tolerance on the sum of an infoset's probabilities, as files print few digits; sums are normalised."""
Texts = NDArray[np.object_]
Flags = NDArray[np.bool_]


class UnknownInfosetError(BadInputError):
    """A strategy has a key that the game has not; the text shows what keys of the game look like.

    Attributes
    ----------
    key : str
    """

    def __init__(self, key: str, treeplex: Treeplex, owner: str) -> None:
        example = f"; keys here look like {treeplex.infosets[0]!r}" if treeplex.n_infosets else ""
        super().__init__(complaint(f"{owner} has no infoset {key!r}{example}"))
        self.key = key


@dataclass(frozen=True)
class Moves:
    """Both players' infosets one after the other, and all their actions; the empty sequences are left out.

    Attributes
    ----------
    treeplexes : pair of Treeplex
    """

    treeplexes: tuple[Treeplex, Treeplex]

    @cached_property
    def infosets(self) -> tuple[str, ...]:
        """The key of each infoset."""
        return self.treeplexes[0].infosets + self.treeplexes[1].infosets

    @cached_property
    def actions(self) -> Texts:
        """The label of each move."""
        return _texts(self.treeplexes[0].actions[1:] + self.treeplexes[1].actions[1:])

    @cached_property
    def begin(self) -> Index:
        """The first move of each infoset."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def sizes(self) -> Index:
        """How many moves each infoset has."""
        return np.concatenate([t.end - t.begin for t in self.treeplexes])

    @cached_property
    def infoset_of(self) -> Index:
        """The infoset of each move."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def infoset_text(self, infoset: int) -> str:
        """Return an infoset in the words of a complaint."""
        return f"{self.owner(infoset)} infoset {self.infosets[infoset]!r}"

    def move_text(self, move: int) -> str:
        """Return a move in the words of a complaint."""
        infoset = int(self.infoset_of[move])
        return f"{self.owner(infoset)} {self.actions[move]!r} at {self.infosets[infoset]!r}"

    def owner(self, infoset: int) -> str:
        """Return whose an infoset is, in the words of a complaint."""
        return f"player {int(infoset >= self.treeplexes[0].n_infosets)}'s"


def read_rows(table: "pd.DataFrame", moves: Moves, name: str) -> tuple[Index, Floats]:
    """Return for each row the move that it is of, and its probability.

    Raises
    ------
    ValueError
        If a column is missing or there twice, a row is for no player, infoset or action of the game, a move
        has two rows, or a probability is not between 0 and 1; an infoset raises ``UnknownInfosetError``.
    """
    _check_columns(list(table.columns), name)
    keys = _texts(map(str, table["infoset"].tolist()))
    places = [_places(t.infosets, keys) for t in moves.treeplexes]
    player = _players(table["player"], name) if "player" in table.columns else _owners(places, keys, name)
    probability = _probabilities(table["probability"], name)
    own = np.where(player == 0, places[0], places[1])
    if (own < 0).any():
        row = int(np.argmax(own < 0))
        owner = int(player[row])
        raise UnknownInfosetError(
            keys[row], moves.treeplexes[owner], f"{name}, row {row + 1}: player {owner}"
        )
    infoset = own + player * moves.treeplexes[0].n_infosets
    labels = _texts(map(str, table["action"].tolist()))
    move = _moves(infoset, labels, moves)
    _refuse(
        move < 0,
        lambda row: f"player {player[row]} has no action {labels[row]!r} at infoset {keys[row]!r}",
        name,
    )
    again = np.ones(len(move), dtype=np.bool_)
    again[np.unique(move, return_index=True)[1]] = False
    _refuse(again, lambda row: f"{moves.move_text(int(move[row]))} appears twice", name)
    return move, probability


def _check_columns(columns: list[object], name: str) -> None:
    lacking = [column for column in COLUMNS[1:] if column not in columns]
    if lacking:
        raise BadInputError(
            f"{name}: a strategy needs columns {', '.join(COLUMNS)}; {', '.join(lacking)} missing"
        )
    twice = [column for column in COLUMNS if columns.count(column) > 1]
    if twice:
        raise BadInputError(f"{name}: column {twice[0]} appears twice")


def _texts(texts: Iterable[str]) -> Texts:
    """Return texts as Python's own: what a column of pandas holds depends on what else is installed."""
    return np.array(list(texts), dtype=object)


def _places(known: Iterable[str], texts: Texts) -> Index:
    """Return where each text is among the known ones, which are distinct; -1 where it is not."""
    place = {text: n for n, text in enumerate(known)}
    return np.array([place.get(text, -1) for text in texts], dtype=np.int64)


def _players(column: "pd.Series[str]", name: str) -> Index:
    texts = _texts(map(str, column.tolist()))
    player = _places(("0", "1"), texts)
    _refuse(player < 0, lambda row: f"player must be 0 or 1, got {texts[row]!r}", name)
    return player


def _owners(places: list[Index], keys: Texts, name: str) -> Index:
    """Return whose infoset each row's is, where the table does not say."""
    first, second = (place >= 0 for place in places)
    _refuse(
        first & second,
        lambda row: f"both players have an infoset {keys[row]!r}, so that the player must be named",
        name,
    )
    _refuse(~first & ~second, lambda row: f"neither player has an infoset {keys[row]!r}", name)
    return second.astype(np.int64)


def _probabilities(column: "pd.Series[float]", name: str) -> Floats:
    if column.dtype.kind in "fiu":
        numbers = np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)
    else:
        numbers = np.array([_probability(cell) for cell in column.tolist()], dtype=np.float64)
    legal = (numbers >= 0) & (numbers <= 1 + SUM_TOLERANCE)
    _refuse(~legal, lambda row: f"a probability must be between 0 and 1, got {str(column.iloc[row])!r}", name)
    return numbers


def _probability(cell: object) -> float:
    """Return the float nearest to what a cell spells, NaN where it spells none."""
    try:
        return float(str(cell))
    except ValueError:
        return math.nan


def _moves(infoset: Index, labels: Texts, moves: Moves) -> Index:
    """Return the move of each infoset and label, -1 where there is none, by one number for each pair."""
    known = list(dict.fromkeys(moves.actions))
    label = _places(known, labels)
    pairs = moves.infoset_of * len(known) + _places(known, moves.actions)
    codes = np.where(label < 0, -1, infoset * len(known) + label)
    order = np.argsort(pairs)
    nearest = order[np.searchsorted(pairs, codes, sorter=order).clip(max=len(pairs) - 1)]
    return np.where(pairs[nearest] == codes, nearest, -1)


def _refuse(wrong: Flags, what: Callable[[int], str], name: str) -> None:
    """Complain about the first row that is wrong; rows are counted from one, the header left out."""
    if wrong.any():
        row = int(np.argmax(wrong))
        raise BadInputError(complaint(f"{name}, row {row + 1}: {what(row)}"))


PLAYERS = ("0", "1")


def parse_json(text: str) -> "pd.DataFrame":
    """Return the table that a JSON text holds, in one of four shapes.

    A list of objects with the table's columns; an object ``{"0": ..., "1": ...}`` or a list of two, with an
    object of infosets for each player; or one object of infosets, without ``player``. An infoset holds an
    object ``{action: probability}`` or a list of pairs ``[action, probability]``.

    Raises
    ------
    ValueError
        If the text is no JSON, an object has a key twice, or the shape is none of these.
    """
    import pandas as pd

    data = json.loads(text, object_pairs_hook=distinct, parse_int=integer)
    if isinstance(data, dict):
        if data and data.keys() <= set(PLAYERS) and all(map(_holds_infosets, data.values())):
            return _by_player({int(player): infosets for player, infosets in data.items()})
        return pd.DataFrame(list(_moves_in(data)), columns=COLUMNS[1:], dtype=object)
    if not isinstance(data, list) or not all(isinstance(part, dict) for part in data):
        raise BadInputError("neither rows nor infosets")
    if len(data) == len(PLAYERS) and all(map(_holds_infosets, data)):
        return _by_player(dict(enumerate(data)))
    return pd.DataFrame(data, columns=None if data else COLUMNS, dtype=object)


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object that pairs of JSON make; raises ``ValueError`` if a key appears twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadInputError(f"{twice!r} appears twice")
    return found


def _holds_infosets(part: object) -> bool:
    return isinstance(part, dict) and all(isinstance(held, dict | list) for held in part.values())


def _by_player(players: dict[int, dict[str, object]]) -> "pd.DataFrame":
    import pandas as pd

    rows = [(player, *move) for player, infosets in players.items() for move in _moves_in(infosets)]
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object)


def _moves_in(infosets: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    """Yield infoset, action and probability."""
    for infoset, held in infosets.items():
        pairs = list(held.items()) if isinstance(held, dict) else held
        if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
            raise BadInputError(
                f"infoset {infoset!r} has neither an object nor pairs of action and probability"
            )
        for action, probability in pairs:
            yield infoset, action, probability


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2
