"""Blueprints as .npz files: a head of JSON, and weights of actions by betting line and bucket, compressed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.blueprint.config import MOST_CLUSTERS
from treeplex.cfr.blueprint.state import DTYPES
from treeplex.cfr.blueprint.strategy import BlueprintStrategy
from treeplex.cfr.blueprint.tables.layout import BlueprintLayout, blueprint_layout
from treeplex.games.abstraction.card_abstraction import CardAbstraction
from treeplex.games.inputs.digests import digest_of
from treeplex.games.inputs.packed_arrays import n_blocks, pack, unpack
from treeplex.games.inputs.reading import complaint, shown
from treeplex.games.poker.game import PokerGame
from treeplex.outputs.formats import check_output, check_suffix
from treeplex.store.archives import opened
from treeplex.store.array_headers import Expected
from treeplex.store.boards_file import BLUEPRINT, SUFFIXES, rules_of
from treeplex.store.files import write_arrays

WHAT = "blueprint that treeplex wrote"
WRITTEN = "a blueprint"
KEYS = {"format", "digest", "game", "rules", "abstraction", "clusters", "dtype"}


def write_blueprint(strategy: BlueprintStrategy, path: str | Path, format: str | None = None) -> None:
    """Write a blueprint; the file appears whole or not at all. The abstraction has a file of its own.

    Raises
    ------
    ValueError
        As :func:`treeplex.outputs.formats.check_output`.
    """
    check_output(path, SUFFIXES, WRITTEN, format)
    blocks, index = pack(strategy.total)
    head = _head(strategy.layout, strategy.total.dtype.name)
    digest = digest_of(head, {"total": strategy.total})
    write_arrays(path, {"format": BLUEPRINT, "digest": digest, **head}, {"blocks": blocks, "index": index})


def read_blueprint(path: str | Path, game: PokerGame, abstraction: CardAbstraction) -> BlueprintStrategy:
    """Read a blueprint of a game in an abstraction.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, is of another game or abstraction, or is damaged.
    """
    check_suffix(path, SUFFIXES, WRITTEN)
    with opened(Path(path), WHAT) as archive:
        head = archive.head
        if head.get("format") != BLUEPRINT:
            raise ValueError(f"{path} is no {WHAT}, and nothing else is read with an abstraction")
        if head.keys() != KEYS or head["clusters"] not in range(1, MOST_CLUSTERS + 1):
            raise archive.damaged(f"its head must have {', '.join(sorted(KEYS))}, of up to 1,024 clusters")
        _check_same(path, head, game, abstraction)
        layout = blueprint_layout(game, abstraction, head["clusters"])
        kinds = {kind.name: kind for kind in DTYPES.values()}
        if head["dtype"] not in [*kinds]:
            raise archive.damaged(f"its dtype must be {' or '.join(kinds)}, got {shown(head['dtype'])}")
        total = np.empty((layout.clusters.count, layout.length), kinds[head["dtype"]])
        arrays = archive.arrays(
            {
                "blocks": Expected((np.dtype(np.uint8),), (0,), grows=True),
                "index": Expected((np.dtype(np.int64),), (n_blocks(total.nbytes), 2)),
            }
        )
        try:
            unpack(arrays["blocks"], arrays["index"], total)
        except ValueError as error:
            raise archive.damaged(str(error)) from error
        said = _head(layout, head["dtype"])
        if head["digest"] != digest_of(said, {"total": total}) or not (total >= 0).all():
            raise archive.damaged("its digest is not that of its contents")
    return BlueprintStrategy(layout, total)


def _head(layout: BlueprintLayout, dtype: str) -> dict[str, Any]:
    game = layout.game
    return {
        "game": game.name,
        "rules": rules_of(game),
        "abstraction": layout.abstraction.identity,
        "clusters": layout.clusters.most,
        "dtype": dtype,
    }


def _check_same(
    path: str | Path, head: Mapping[str, Any], game: PokerGame, abstraction: CardAbstraction
) -> None:
    """Refuse a file of another game or abstraction."""
    if head["rules"] != rules_of(game):
        other = f"of another game, {shown(head['game'])}, or of other rules than {game.name}"
        raise ValueError(complaint(f"{path} is {other}"))
    if head["abstraction"] != abstraction.identity:
        raise ValueError(f"{path} is of another card abstraction, {shown(head['abstraction'])}")
