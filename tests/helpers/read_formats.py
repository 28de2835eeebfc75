"""Every format that is read: a small good file, how it is read, and the file with each text replaced."""

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import treeplex as tp
from tests.helpers.acpc_files import KUHN
from tests.helpers.archive_members import head_of, members_of, signed, with_head, zipped
from tests.helpers.libratus_files import text as endgame
from tests.helpers.paths import ROOT
from tests.helpers.tables import LEDUC, drawn_tables, subgame_blocks
from tests.helpers.twins.factored import uniform_strategy
from treeplex.bench.challenges.case_drawing import case_of
from treeplex.bench.challenges.case_file import case_object, read_case
from treeplex.browser.reports import read_report
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.cfr.bucket_sampling.sampler_layout import blueprint_layout
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.core.problem import Problem
from treeplex.files.board_files import read_blueprint, read_boards, write_blueprint, write_boards
from treeplex.files.checkpoint import Position, identity_of, read_checkpoint, write_checkpoint
from treeplex.files.generation_files import TablesFile, TablesHead, check_head, write_tables
from treeplex.files.kept import IDENTITY, Kept
from treeplex.files.split_store import file_digest, trunk_files
from treeplex.files.store_folder import RUN, run_digest
from treeplex.files.trace_file import read_trace
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.published_gadgets import Maxmargin
from treeplex.games.base.reporting import quiet
from treeplex.games.buckets.card_abstraction import StreetBuckets
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import leduc_poker
from treeplex.play.kept_hands import HANDS
from treeplex.seqform.boards.bucket_tree import BucketStrategy
from treeplex.solving.abstraction_making import KeptStreet
from treeplex.solving.split_run import SplitOptions, split_run
from treeplex.solving.store_info import store_info
from treeplex.subgames.blueprints import buckets_of
from treeplex.subgames.composed_value import KeptFlops, SolvedFlop
from treeplex.subgames.flop_by_flop import Store
from treeplex.subgames.kept_answers import (
    UNUSED,
    check_kept,
    identity,
    keep_blueprint,
    place_of_seat,
)
from treeplex.subgames.nested_value import nested_value
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.street_answers import Nested
from treeplex.subgames.street_betting import Menus

GAME, VISIBLE = leduc_poker(), "leduc_poker(suits_visible=true)"
FLOPS = "no_limit_flop_holdem(ranks=4,suits=2,bets=[{}],max_raises=[1,1])"


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes
    ----------
    readers : tuple of str
        The modules that open and parse it, without ``.py``.
    write : callable
        Writes a good file in an empty folder; returns its path.
    replaced : callable
        Yields the content of the file with one of the specs in the place of each text, one after the other,
        whatever checksum the format has renewed.
    read : callable
        Reads the file from its path.
    """

    readers: tuple[str, ...]
    write: Callable[[Path], Path]
    replaced: Callable[[bytes, Iterator[str]], Iterator[bytes]]
    read: Callable[[Path], object]


@cache
def problem(spec: str) -> Problem:
    return Problem(load_game(spec))


@cache
def on_boards(spec: str) -> Any:
    return uniform_strategy(problem(spec).boards())


@cache
def form() -> Any:
    return problem("kuhn_poker").form


def tokens(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield a text with each of its words replaced, where it first stands; words in quotes stay in them."""
    text = content.decode()
    for word in dict.fromkeys(re.findall(r'"[^"\n]*"|[^\s"=,{}\[\]]+', text)):
        spec = f'"{next(specs)}"' if word.startswith('"') else next(specs)
        yield text.replace(word, spec, 1).encode()


def cells(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield a CSV file with each name of a column and each cell of the first row replaced."""
    lines = [line.split(",") for line in content.decode().splitlines()]
    for row in (0, 1):
        for column in range(len(lines[0])):
            new = [[*line] for line in lines]
            new[row][column] = f'"{next(specs)}"'
            yield ("\n".join(map(",".join, new)) + "\n").encode()


def parquet(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield a table with the first cell of each column of texts replaced."""
    table = pd.read_parquet(io.BytesIO(content))
    for column in [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]:
        new = table.copy()
        new.loc[0, column] = next(specs)
        yield new.to_parquet(index=False)


def leaves(value: Any, specs: Iterator[str]) -> Iterator[Any]:
    """Yield an object of JSON with each of its texts and keys replaced."""
    if isinstance(value, str):
        yield next(specs)
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from ([*value[:k], new, *value[k + 1 :]] for new in leaves(part, specs))
    elif isinstance(value, dict):
        for key, part in value.items():
            spec = next(specs)
            yield {spec if one == key else one: held for one, held in value.items()}
            yield from ({**value, key: new} for new in leaves(part, specs))


def objects(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    for new in leaves(json.loads(content), specs):
        yield json.dumps(new).encode()


def lines(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield lines of JSON with each text of the first replaced."""
    first, rest = content.split(b"\n", 1)
    for new in leaves(json.loads(first), specs):
        yield json.dumps(new).encode() + b"\n" + rest


def sealed(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield the ``run.json`` of a store with each text replaced and its digest renewed."""
    known = json.loads(content)
    del known["digest"]
    for new in leaves(known, specs):
        yield (json.dumps({**new, "digest": run_digest(new)}, indent=1, sort_keys=True) + "\n").encode()


def heads(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield an .npz file with each text of its head replaced, its digest renewed if it has such a one."""
    members = members_of(content)
    for new in leaves(head_of(members), specs):
        changed = with_head(members, new)
        yield zipped(signed(changed) if "digest" in new else changed)


def file(name: str, content: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(content)
        return folder / name

    return write


def strategy(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        tp.write(tp.solve("kuhn_poker", "cfr+", iterations=1).strategy, folder / name)
        return folder / name

    return write


def boards(folder: Path) -> Path:
    write_boards(on_boards(VISIBLE), folder / "boards.npz")
    return folder / "boards.npz"


def by_bucket(folder: Path) -> Path:
    table = buckets_of(problem(VISIBLE).boards(), bucket_table())
    weights = tuple(np.ones(table.length(p), np.float32) for p in (0, 1))
    write_boards(BucketStrategy(table, weights), folder / "buckets.npz")
    return folder / "buckets.npz"


def read_match(path: Path) -> object:
    return tp.match("uniform", "always-call", "kuhn_poker", hands=2, out=path.parent)


def hands(folder: Path) -> Path:
    read_match(folder / HANDS)
    return folder / HANDS


def bucket_table() -> pd.DataFrame:
    rows = [("", hand, hand[0]) for hand in ("Ks", "Kh", "Qs", "Qh", "Js", "Jh")]
    return pd.DataFrame(rows, columns=["board", "hand", "bucket"])


def bucket_file(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        table, path = bucket_table(), folder / name
        table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path, index=False)
        return path

    return write


def abstraction(folder: Path) -> Path:
    tp.write_abstraction(folder / "abstraction.npz", lossless(GAME))
    return folder / "abstraction.npz"


def blueprint(folder: Path) -> Path:
    layout = blueprint_layout(GAME, lossless(GAME), 1)
    write_blueprint(
        BlueprintStrategy(layout, np.ones((1, layout.length), np.int32)), folder / "blueprint.npz"
    )
    return folder / "blueprint.npz"


def engine_and_identity() -> tuple[Any, Any]:
    engine = full_width.prepare(form(), VARIANTS["cfr+"])
    return engine, identity_of(problem("kuhn_poker").game, "cfr+", "tree", VARIANTS["cfr+"], form())


def checkpoint(folder: Path) -> Path:
    engine, run = engine_and_identity()
    write_checkpoint(folder / "run.npz", run, Position(iterate(engine, 2), (), 1.0))
    return folder / "run.npz"


def read_run(path: Path) -> object:
    engine, run = engine_and_identity()
    return read_checkpoint(path, run, engine.start(), lambda _: None)


def street(path: Path) -> KeptStreet:
    return KeptStreet.of(path.parent / "out.npz", {"street": "flop", "kind": "equity", "above": None}, 2)


def kept_street(folder: Path) -> Path:
    kept = street(folder / "x")
    kept.write(StreetBuckets("equity", 2, np.array([0, 1], np.uint16), None))
    return kept.kept.path(kept.part)


def solved_flops(path: Path) -> KeptFlops:
    return KeptFlops(Kept(path.parent, "0" * 64), (1, 2), (1,), (0,))


def solved_flop(folder: Path) -> Path:
    now = SolvedFlop(np.zeros((1, 2)), np.zeros(1), np.ones(1, bool), np.zeros(0, np.float32), np.zeros(()))
    solved_flops(folder / "x").or_run(lambda _: now)(0)
    return folder / "flop0000.npz"


def run_of_flops(folder: Path) -> Path:
    Kept.open(folder, {"game": "kuhn_poker", "row": "resolve"})
    return folder / IDENTITY


def kept_answers(folder: Path) -> Path:
    """Keep a blueprint and both seats' answers on a deck of eight cards; return player 0's ``run.json``."""
    coarse, full = load_game(FLOPS.format("1")), load_game(FLOPS.format("0.5,1"))
    for defender in (0, 1):
        seat = NestedSeat.of(Menus(full, coarse, defender), on_boards(coarse.name), UNUSED)
        keep_blueprint(folder, seat.base.strategy)
        place = place_of_seat(folder, "resolve", defender)
        store = Store.open(place, identity(seat, "resolve", 1), plans=True)
        nested_value(seat, Nested(OffTree(Maxmargin), 1), store)
    return folder / "resolve" / "player0" / IDENTITY


def check_answers(path: Path) -> object:
    return check_kept(problem(FLOPS.format("0.5,1")), path.parent.parent)


def split_store(folder: Path) -> Path:
    config, options = (
        factored_config("cfr+", storage="int32"),
        SplitOptions.of(folder / "store", "serial", 1, 2.0),
    )
    with split_run(load_game(LEDUC), config, options, quiet) as run:
        state = run.engine.advance(run.engine.start(), 1)
        run.checkpoint.write(Position(state, (), 0.0))
    return folder / "store" / RUN


def trunk(folder: Path) -> Path:
    return trunk_files(split_store(folder).parent)[-1].path


def read_trunk(path: Path) -> object:
    """Read a store after its newest file of the trunk got the name of its content."""
    for other in path.parent.glob(f"{path.name[:18]}*"):
        if other != path:
            other.unlink()
    path.rename(path.with_name(f"{path.name[:18]}{file_digest(path)}.npz"))
    return store_info(path.parent.parent)


TABLES = TablesHead("0" * 32, 0, 0, 0, 2, 0, 0)


@cache
def blocks() -> Any:
    return subgame_blocks(LEDUC)


def tables(folder: Path, run: str = TABLES.run) -> Path:
    found = drawn_tables(blocks().n_entries, 1)
    head = replace(TABLES, run=run, entries=len(found.regret), averages=len(found.average))
    write_tables(folder / "one.tables", head, blocks(), found)
    return folder / "one.tables"


def other_run(content: bytes, specs: Iterator[str]) -> Iterator[bytes]:
    """Yield a file of tables of the run that a spec is."""
    with TemporaryDirectory() as folder:
        yield tables(Path(folder), next(specs)).read_bytes()


def read_tables(path: Path) -> object:
    opened = TablesFile.opened(path)
    check_head(opened, replace(opened.head, run=TABLES.run))
    return opened.tables(blocks())


def example(name: str) -> str:
    return (ROOT / "examples" / name).read_text()


TABLE, ARCHIVE = "treeplex/files/strategy_tables", "treeplex/files/archives"
STRATEGY = (TABLE, "treeplex/files/strategies")
BOARDS, KEPT = "treeplex/files/board_files", "treeplex/files/kept"


def read_game(path: Path) -> object:
    return load_game(str(path))


def read_strategy(path: Path) -> object:
    return tp.read(problem("kuhn_poker"), path)


def read_on_boards(path: Path) -> object:
    return read_boards(problem(VISIBLE), path)


def read_buckets(path: Path) -> object:
    return buckets_of(problem(VISIBLE).boards(), path)


ESTIMATED = {
    "estimator": "mine:estimate",
    "verdict": "biased",
    "trials": [{"game": "kuhn_poker", "known": "both", "bias": 0.25, "term": "chance"}],
}
"""What ``examine --estimator --json`` prints, in short."""
FORMATS = {
    "spot.toml": Format(
        ("games/formats/toml_files",),
        file("spot.toml", example("locked_river.toml")),
        tokens,
        read_game,
    ),
    "hand.toml": Format(
        ("games/formats/toml_files",), file("hand.toml", example("whole_hand.toml")), tokens, read_game
    ),
    "acpc.game": Format(("games/formats/acpc",), file("acpc.game", KUHN), tokens, read_game),
    "gambit.efg": Format(
        ("games/formats/efg",), file("gambit.efg", example("night_crossing.efg")), tokens, read_game
    ),
    "endgame.txt": Format(
        ("games/formats/libratus",),
        file("endgame.txt", endgame()),
        tokens,
        lambda p: load_game(str(p), bets="1", raises="1"),
    ),
    "strategy.csv": Format(STRATEGY, strategy("strategy.csv"), cells, read_strategy),
    "strategy.json": Format(
        (*STRATEGY, "treeplex/files/strategy_rows"), strategy("strategy.json"), objects, read_strategy
    ),
    "strategy.parquet": Format(STRATEGY, strategy("strategy.parquet"), parquet, read_strategy),
    "strategy on boards": Format((ARCHIVE, BOARDS), boards, heads, read_on_boards),
    "strategy by bucket": Format((ARCHIVE, BOARDS), by_bucket, heads, read_on_boards),
    "buckets.csv": Format((TABLE, "treeplex/subgames/blueprints"), bucket_file("b.csv"), cells, read_buckets),
    "buckets.parquet": Format(
        (TABLE, "treeplex/subgames/blueprints"), bucket_file("b.parquet"), parquet, read_buckets
    ),
    "card abstraction": Format(
        (ARCHIVE, "treeplex/files/abstraction_file"), abstraction, heads, tp.read_abstraction
    ),
    "street of one": Format((ARCHIVE, KEPT), kept_street, heads, lambda p: street(p).read()),
    "sampled blueprint": Format(
        (ARCHIVE, "treeplex/files/board_files"),
        blueprint,
        heads,
        lambda p: read_blueprint(p, GAME, lossless(GAME)),
    ),
    "checkpoint": Format((ARCHIVE, "treeplex/files/checkpoint"), checkpoint, heads, read_run),
    "trace.csv": Format(
        ("treeplex/files/trace_file",),
        file("t.csv", "game,method,unit,iterations,nash_conv\nkuhn_poker,cfr+,chips,1,0.5\n"),
        cells,
        read_trace,
    ),
    "counterexample.json": Format(
        ("treeplex/bench/challenges/case_file",),
        file(
            "c.json", json.dumps({"claim": "safe", "target": "resolve", **case_object(case_of("coin_toss"))})
        ),
        objects,
        read_case,
    ),
    "report.json": Format(
        ("treeplex/browser/reports",),
        file("r.json", json.dumps(ESTIMATED)),
        objects,
        lambda p: read_report("r", str(p)),
    ),
    "kept answers": Format(("treeplex/subgames/kept_answers", KEPT), kept_answers, objects, check_answers),
    "hands of a match": Format(("treeplex/play/kept_hands", KEPT), hands, lines, read_match),
    "run of flops": Format(
        (KEPT,),
        run_of_flops,
        objects,
        lambda p: Kept.open(p.parent, {"game": "kuhn_poker", "row": "resolve"}),
    ),
    "flop solved again": Format(
        (ARCHIVE, KEPT),
        solved_flop,
        heads,
        lambda p: solved_flops(p).or_run(lambda _: None)(0),
    ),
    "store": Format(("treeplex/files/store_folder",), split_store, sealed, lambda p: store_info(p.parent)),
    "trunk": Format(("treeplex/files/split_store", ARCHIVE), trunk, heads, read_trunk),
    "tables": Format(("treeplex/files/generation_files",), tables, other_run, read_tables),
}
"""Every format, by a name of its own."""
