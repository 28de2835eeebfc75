"""Buckets of hands from tables with columns board, hand and bucket."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.inputs.reading import complaint, shown
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.buckets.bucket_tree import BucketTree
from treeplex.seqform.factored.infosets import board_cards, check_suits
from treeplex.seqform.factored.real_boards import RealBoard, boards_to, real_hands
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.seqform.forms.treeplex import Index
from treeplex.store.table_file import read_table

if TYPE_CHECKING:
    import pandas as pd

BucketsLike: TypeAlias = "str | Path | pd.DataFrame"
"""What is taken wherever buckets are: a file's path or a table."""
COLUMNS = ["board", "hand", "bucket"]
SUFFIXES: Mapping[str, str] = {".csv": "csv", ".parquet": "parquet"}
WHAT = "a table of buckets"
Texts = NDArray[np.object_]


def buckets_of(tree: FactoredTree, table: BucketsLike, report: Report = quiet) -> BucketTree:
    """Return the buckets that a table says hands are in, on the boards of a tree.

    Parameters
    ----------
    tree : FactoredTree
    table : str, Path or DataFrame
        A row for each hand on a board: ``board`` as in infosets' keys (``AsKsQs2c``, empty before any card),
        ``hand`` by its cards in any order (``AhKd``), ``bucket`` any text or number. Of boards that suits
        alone tell apart one is enough. On boards that are not listed every hand learns by itself; on those
        that are, each live hand of either range must have one row. Both players have the same buckets.
    report : callable, optional
        Told a few times a second how many boards are done.

    Raises
    ------
    ValueError
        If the table cannot be read or lacks a column, a board or a hand is none of the game or not live, has
        no row or two, the game hides suits, two boards that suits alone tell apart have different buckets, or
        a permutation of suits that fixes a board does not map buckets to buckets.
    """
    game, name = tree.game, str(table) if isinstance(table, str | Path) else "the table"
    check_suits(game)
    rows = read_table(Path(table), COLUMNS, SUFFIXES, WHAT) if isinstance(table, str | Path) else table
    if missing := [column for column in COLUMNS if column not in rows.columns]:
        raise ValueError(f"{name}: buckets need columns {', '.join(COLUMNS)}; {', '.join(missing)} missing")
    board, hand, bucket = (np.array([*map(str, rows[column].tolist())], object) for column in COLUMNS)
    labels = tuple(_lossless(tree, player) for player in (0, 1))
    given: dict[int, tuple[str, tuple[Index, Index]]] = {}
    for text, at in reported(_groups(board), report, lambda n: f"buckets of {n:,} boards"):
        try:
            real = _real_board(tree, text)
            own = _bucket_of_hand(game, real, hand[at], bucket[at])
            found = _labels(tree, real, own, 0), _labels(tree, real, own, 1)
            _check_alike(text, found, given.setdefault(real.image, (text, found)))
        except ValueError as error:
            raise ValueError(complaint(f"{name}: {error}")) from None
        for player, label in enumerate(found):
            labels[player][tree.boards.hands[player].on(real.image)] = label
    return BucketTree.by_board(tree, (labels[0], labels[1]), report)


def _lossless(tree: FactoredTree, player: int) -> Index:
    """Return labels that part all hands."""
    return np.arange(len(tree.boards.hands[player].hand))


def _groups(board: Texts) -> list[tuple[str, Index]]:
    """Return each board's text with its rows."""
    found: dict[str, list[int]] = {}
    for row, text in enumerate(board.tolist()):
        found.setdefault(text, []).append(row)
    return [(text, np.array(rows)) for text, rows in found.items()]


def _real_board(tree: FactoredTree, text: str) -> RealBoard:
    try:
        return boards_to(tree.game, tree.boards, board_cards(tree.game, text))[-1]
    except (KeyError, ValueError):
        raise ValueError(f"a board must be one of {tree.game.name}, got {shown(text)}") from None


def _bucket_of_hand(game: PokerGame, board: RealBoard, hand: Texts, bucket: Texts) -> dict[Cards, str]:
    """Return the bucket of each hand of a board."""
    found: dict[Cards, str] = {}
    on = game.deck.text(board.cards) or "no board"
    for text, label in zip(hand.tolist(), bucket.tolist(), strict=True):
        try:
            cards = tuple(sorted(game.deck.parse(text)))
        except (KeyError, ValueError):
            cards = ()
        if len({*cards} - {*board.cards}) != game.hole_cards or len(cards) != game.hole_cards:
            raise ValueError(f"a hand on {on} must be {game.hole_cards} live cards, got {shown(text)}")
        if cards in found:
            raise ValueError(f"hand {text} on {on} appears twice")
        found[cards] = label
    return found


def _labels(tree: FactoredTree, board: RealBoard, bucket: dict[Cards, str], player: int) -> Index:
    """Return the number of the bucket of each live hand, in the order of the board that stands for it."""
    hands = [tuple(sorted(hand)) for hand in real_hands(tree.boards, player, board).tolist()]
    lacking = next((hand for hand in hands if hand not in bucket), None)
    if lacking is not None:
        text = tree.game.deck.text
        raise ValueError(f"hand {text(lacking)} on {text(board.cards) or 'no board'} has no row")
    if not hands:
        return np.zeros(0, np.int64)
    _, label = np.unique([bucket[hand] for hand in hands], return_inverse=True)
    return label.astype(np.int64)


def _check_alike(text: str, found: tuple[Index, Index], before: tuple[str, tuple[Index, Index]]) -> None:
    """Refuse two boards that suits alone tell apart with different buckets."""
    for label, other in zip(found, before[1], strict=True):
        n_pairs = len(np.unique(np.stack([label, other]), axis=1).T)
        if len(label) and n_pairs > min(label.max(), other.max()) + 1:
            raise ValueError(f"boards {before[0]} and {text} are one but for suits, and their buckets differ")
