"""Tables of rows from JSON: a list of rows, or infosets nested by player."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treeplex.games.inputs.reading import integer
from treeplex.store.rows import COLUMNS

if TYPE_CHECKING:
    import pandas as pd

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
        return pd.DataFrame(list(_moves(data)), columns=COLUMNS[1:], dtype=object)
    if not isinstance(data, list) or not all(isinstance(part, dict) for part in data):
        raise ValueError("neither rows nor infosets")
    if len(data) == len(PLAYERS) and all(map(_holds_infosets, data)):
        return _by_player(dict(enumerate(data)))
    return pd.DataFrame(data, columns=None if data else COLUMNS, dtype=object)


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object that pairs of JSON make; raises ``ValueError`` if a key appears twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"{twice!r} appears twice")
    return found


def _holds_infosets(part: object) -> bool:
    return isinstance(part, dict) and all(isinstance(held, dict | list) for held in part.values())


def _by_player(players: dict[int, dict[str, object]]) -> "pd.DataFrame":
    import pandas as pd

    rows = [(player, *move) for player, infosets in players.items() for move in _moves(infosets)]
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object)


def _moves(infosets: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    """Yield infoset, action and probability."""
    for infoset, held in infosets.items():
        pairs = list(held.items()) if isinstance(held, dict) else held
        if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
            raise ValueError(f"infoset {infoset!r} has neither an object nor pairs of action and probability")
        for action, probability in pairs:
            yield infoset, action, probability


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2
