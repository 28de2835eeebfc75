"""Strategies on betting times boards and blueprints as .npz files.

On boards one table of weights a player, by hand or by bucket. Blueprints: a head of JSON, and weights of
actions by betting line and bucket, compressed.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.cfr.bucket_sampling.sampler_config import MOST_CLUSTERS
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout, blueprint_layout
from treeplex.cfr.bucket_sampling.sampler_tables import DTYPES
from treeplex.core.problem import Problem
from treeplex.files.archives import ExpectedArray, opened, write_arrays
from treeplex.files.outputs import check_output, check_suffix
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import digest_of, n_blocks, pack, unpack
from treeplex.games.base.reading import complaint, shown
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_strategy
from treeplex.seqform.certify.board_walk import n_real_boards

SUFFIXES: Mapping[str, str] = {".npz": "npz"}
FORMAT, BY_BUCKET = "treeplex streets 1", "treeplex buckets 1"
"""Formats of strategies by hand and by bucket."""
BLUEPRINT = "treeplex blueprint 1"
"""Format of sampled blueprints, which :func:`read_blueprint` reads."""
TABLES, LABELS = ("player0", "player1"), ("label0", "label1")
REAL = tuple(map(np.dtype, "efdbBhHiIlL"))
"""Dtypes of tables."""
WIDTHS = np.dtype(np.uint16), np.dtype(np.uint32)
"""Dtypes of labels."""
WHAT = "strategy on boards that treeplex wrote"
WRITTEN = "a strategy on boards"


def rules_of(game: PokerGame) -> str:
    """Return a digest of a game's rules and ranges, whatever its name: that says little about its content."""
    return hashlib.sha256(repr(replace(game, name="")).encode()).hexdigest()


def write_boards(
    strategy: FactoredStrategy | BucketStrategy, path: str | Path, format: str | None = None
) -> None:
    """Write a strategy, one by bucket with the bucket of each hand; the file appears whole or not at all.

    Raises
    ------
    ValueError
        As :func:`treeplex.files.outputs.check_output`.
    """
    check_output(path, SUFFIXES, WRITTEN, format)
    tables = dict(zip(TABLES, strategy.weight, strict=True))
    if isinstance(strategy, FactoredStrategy):
        write_arrays(path, _head(FORMAT, strategy.tree), tables)
        return
    tree = strategy.tree
    buckets = {"counts": [count.tolist() for count in tree.count], "abstraction": tree.identity}
    labels = {
        name: label.astype(np.uint16 if label.max(initial=0) < 1 << 16 else np.uint32)
        for name, label in zip(LABELS, tree.label, strict=True)
        if label is not None
    }
    write_arrays(path, {**_head(BY_BUCKET, tree.tree), **buckets}, {**tables, **labels})


def read_boards(problem: Problem, path: str | Path) -> FactoredStrategy:
    """Read a strategy of a poker game; one by bucket is returned hand by hand.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, or is of another game.
    """
    check_suffix(path, SUFFIXES, WRITTEN)
    game = problem.poker(f"{WRITTEN} is of a poker game")
    with opened(Path(path), WHAT) as archive:
        head = archive.head
        if head.get("format") == BLUEPRINT:
            needs = f"a blueprint in the card abstraction {shown(str(head.get('abstraction'))[:12])}"
            raise BadInputError(
                complaint(f"{path} is {needs}: check and show read it with --abstraction FILE")
            )
        if head.get("format") not in (FORMAT, BY_BUCKET):
            raise BadInputError(f"{path} is no {WHAT}")
        if head.get("rules") != rules_of(game):
            other = f"of another game, {shown(head.get('game'))}, or of other rules than {game.name}"
            raise BadInputError(complaint(f"{path} is {other}"))
        isomorphism = head.get("boards") != n_real_boards(game)
        tree = problem.boards(isomorphism=isomorphism, entry_bytes=1)
        if head.get("boards") != tree.boards.n_boards:
            legal = f"{tree.boards.n_boards:,} or {n_real_boards(game):,}"
            raise archive.damaged(f"its number of boards must be {legal}, got {shown(head.get('boards'))}")
        try:
            expected = _expected(tree, head)
        except ValueError as error:
            raise archive.damaged(str(error)) from error
        arrays = archive.arrays(expected)
        try:
            strategy = _strategy(tree, head, arrays)
            check_strategy(game, strategy)
        except ValueError as error:
            raise archive.damaged(str(error)) from error
    return strategy


def _head(format: str, tree: FactoredTree) -> dict[str, Any]:
    game = tree.game
    return {"format": format, "game": game.name, "rules": rules_of(game), "boards": tree.boards.n_boards}


def _expected(tree: FactoredTree, head: Mapping[str, Any]) -> dict[str, ExpectedArray]:
    """Return what the arrays of a file must be; raises ``ValueError`` if the head does not say."""
    if head["format"] == FORMAT:
        return {
            name: ExpectedArray(REAL, (int(base[-1]),)) for name, base in zip(TABLES, tree.base, strict=True)
        }
    expected = {}
    for p, count in enumerate(_counts(tree, head)):
        tied, betting = sum(count) > 0, tree.betting
        nodes = np.flatnonzero(betting.player == p).tolist()
        by_bucket = sum(len(betting.children[node]) * count[betting.street[node]] for node in nodes)
        length = by_bucket if tied else int(tree.base[p][-1])
        expected[TABLES[p]] = ExpectedArray((np.dtype(np.float32),), (length,))
        if tied:
            expected[LABELS[p]] = ExpectedArray(WIDTHS, tree.boards.hands[p].hand.shape)
    return expected


def _strategy(
    tree: FactoredTree, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> FactoredStrategy:
    """Return the strategy of the arrays of a file; raises ``ValueError`` if they are not of one."""
    weights = arrays[TABLES[0]], arrays[TABLES[1]]
    if head["format"] == FORMAT:
        return FactoredStrategy(tree, weights)
    labels = arrays.get(LABELS[0]), arrays.get(LABELS[1])
    return BucketStrategy(BucketTree.of(tree, labels, _counts(tree, head)), weights).expanded()


def _counts(tree: FactoredTree, head: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """Return each player's numbers of buckets by street, zeros for a player without buckets."""
    given = head.get("counts")
    both = given if isinstance(given, list) and len(given) == len(TABLES) else []
    for one in both:
        integers = isinstance(one, list) and all(type(count) is int and count >= 0 for count in one)
        if not integers or len(one) != tree.betting.n_streets:
            both = []
    if not both:
        must = f"two lists of {tree.betting.n_streets} numbers of buckets"
        raise BadInputError(f"its counts must be {must}, got {shown(given)}")
    return both[0], both[1]


WHAT_BLUEPRINT = "blueprint that treeplex wrote"
BLUEPRINT_WRITTEN = "a blueprint"
KEYS = {"format", "digest", "game", "rules", "abstraction", "clusters", "dtype"}


def write_blueprint(strategy: BlueprintStrategy, path: str | Path, format: str | None = None) -> None:
    """Write a blueprint; the file appears whole or not at all. The abstraction has a file of its own.

    Raises
    ------
    ValueError
        As :func:`treeplex.files.outputs.check_output`.
    """
    check_output(path, SUFFIXES, BLUEPRINT_WRITTEN, format)
    blocks, index = pack(strategy.total)
    head = _blueprint_head(strategy.layout, strategy.total.dtype.name)
    digest = digest_of(head, {"total": strategy.total})
    write_arrays(path, {"format": BLUEPRINT, "digest": digest, **head}, {"blocks": blocks, "index": index})


def read_blueprint(path: str | Path, game: PokerGame, abstraction: CardAbstraction) -> BlueprintStrategy:
    """Read a blueprint of a game in an abstraction.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, is of another game or abstraction, or is damaged.
    """
    check_suffix(path, SUFFIXES, BLUEPRINT_WRITTEN)
    with opened(Path(path), WHAT_BLUEPRINT) as archive:
        head = archive.head
        if head.get("format") != BLUEPRINT:
            raise BadInputError(
                f"{path} is no {WHAT_BLUEPRINT}, and nothing else is read with an abstraction"
            )
        if head.keys() != KEYS or head["clusters"] not in range(1, MOST_CLUSTERS + 1):
            raise archive.damaged(f"its head must have {', '.join(sorted(KEYS))}, of up to 1,024 clusters")
        if head["rules"] != rules_of(game):
            other = f"of another game, {shown(head['game'])}, or of other rules than {game.name}"
            raise BadInputError(complaint(f"{path} is {other}"))
        if head["abstraction"] != abstraction.of_game(game).identity:
            raise BadInputError(f"{path} is of another card abstraction, {shown(head['abstraction'])}")
        layout = blueprint_layout(game, abstraction, head["clusters"])
        kinds = {kind.name: kind for kind in DTYPES.values()}
        if head["dtype"] not in [*kinds]:
            raise archive.damaged(f"its dtype must be {' or '.join(kinds)}, got {shown(head['dtype'])}")
        total = np.empty((layout.clusters.count, layout.length), kinds[head["dtype"]])
        arrays = archive.arrays(
            {
                "blocks": ExpectedArray((np.dtype(np.uint8),), (0,), grows=True),
                "index": ExpectedArray((np.dtype(np.int64),), (n_blocks(total.nbytes), 2)),
            }
        )
        try:
            unpack(arrays["blocks"], arrays["index"], total)
        except ValueError as error:
            raise archive.damaged(str(error)) from error
        said = _blueprint_head(layout, head["dtype"])
        if head["digest"] != digest_of(said, {"total": total}) or not (total >= 0).all():
            raise archive.damaged("its digest is not that of its contents")
    return BlueprintStrategy(layout, total)


def _blueprint_head(layout: BlueprintLayout, dtype: str) -> dict[str, Any]:
    game = layout.game
    return {
        "game": game.name,
        "rules": rules_of(game),
        "abstraction": layout.abstraction.identity,
        "clusters": layout.clusters.most,
        "dtype": dtype,
    }
