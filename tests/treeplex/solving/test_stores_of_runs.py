"""Runs on split games in stores: the same hash by every executor, however often stopped or killed."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.helpers.complaints import INTERNALS
from tests.helpers.processes import ran
from tests.helpers.two_tiers import two_tiers
from tests.helpers.worker_calls import LEDUC, RHODE_ISLAND
from treeplex import SplitFacts, check, show, solve
from treeplex.cfr.split.subgame_tables import TablePlace
from treeplex.cli.main import run
from treeplex.files.split_store import RecordedRun, trunk_files
from treeplex.files.store_folder import FileShelf, StoreFolder
from treeplex.solving.store_info import prune_store, store_info
from treeplex.solving.store_proof import verify_store

ITERATIONS = 5


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Return a store of a run that was never stopped, and its result."""
    store = tmp_path_factory.mktemp("solved") / "run"
    return store, solve(LEDUC, store=store, iterations=ITERATIONS, executor="serial")


@pytest.fixture
def store(solved, tmp_path):
    return Path(shutil.copytree(solved[0], tmp_path / "run"))


def said(capsys, *words, code):
    """Return what a command says that ends with a code: an object, or a line where it refuses."""
    capsys.readouterr()
    assert run([*map(str, words)]) == code
    out, err = capsys.readouterr()
    if code < 2:
        return json.loads(out)
    assert (out, err.count("\n")) == ("", 1)
    assert not INTERNALS.search(err)
    return err


@two_tiers(
    [(LEDUC, [("serial", 1, None), ("processes", 1, None)], 2)],
    [(RHODE_ISLAND, [("serial", 1, None), ("processes", 2, None), ("serial", 1, 0.001)], 3)],
    seconds=(3, 5),
)
def test_executors_end_with_the_same_hash(game, ways, iterations, tmp_path):
    runs = [
        solve(game, store=tmp_path / str(k), iterations=iterations, executor=name, workers=n, memory=memory)
        for k, (name, n, memory) in enumerate(ways)
    ]
    assert [one.fact(SplitFacts).in_memory for one in runs] == [memory is None for _, _, memory in ways]
    assert len({one.fact(SplitFacts).hash for one in runs}) == 1
    assert len({(one.value, one.lower, one.upper) for one in runs}) == 1


def test_a_store_is_shown_as_the_strategy_that_was_found(solved):
    store, found = solved
    whole = found.strategy.whole()
    for line, board in (("c", ""), ("cc/", "K"), ("rc/c", "Q")):
        one, other = (show(LEDUC, line, strategy=s, board=board) for s in (store, whole))
        assert one.as_json()["classes"] == other.as_json()["classes"]
        assert one.source == f"store {store}, {ITERATIONS} iterations"


def test_the_bytes_of_all_tables_are_counted(solved):
    split = solved[1].strategy.split
    trees = [
        split.tree(k, line, split.boards(k))
        for k in range(len(split.flops))
        for line in range(len(split.lines))
    ]
    regrets_and_averages = 2 * sum(tree.n_entries for tree in trees)
    assert solved[1].fact(SplitFacts).raw == 4 * regrets_and_averages


def test_a_store_is_certified_from_its_files(solved, capsys):
    store, found = solved
    checked = check(LEDUC, store)
    assert (checked.lower, checked.upper) == (found.lower, found.upper)
    whole = check(LEDUC, found.strategy.whole())
    assert (whole.lower, whole.upper) == pytest.approx((found.lower, found.upper), rel=1e-12)
    assert "a strategy on boards" in said(capsys, "check", LEDUC, store, "--exact", code=2)
    assert "a strategy on boards" in said(capsys, "check", LEDUC, store, "--where", code=2)


def test_what_a_store_cannot_show_is_refused(solved, capsys):
    asked = "show", LEDUC, "--strategy", solved[0]
    assert "read whole" in said(capsys, *asked, "--map", "ev", code=2)
    assert "a store" in said(capsys, *asked, "--missing", "uniform", code=2)
    other = said(capsys, "show", "kuhn_poker", "--strategy", solved[0], code=2)
    assert "is of another game" in other


def test_a_run_that_goes_on_ends_as_one_that_never_stopped(solved, tmp_path):
    for iterations in (1, 2, ITERATIONS):
        found = solve(LEDUC, store=tmp_path / "run", iterations=iterations, executor="serial")
    assert found.fact(SplitFacts).hash == solved[1].fact(SplitFacts).hash
    assert (found.lower, found.upper) == (solved[1].lower, solved[1].upper)
    assert "resumed after 2" in found.status


@pytest.mark.seconds(5)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_killed_runs_leave_whole_stores_and_go_on(solved, tmp_path):
    """Files are renamed in this order: run.json, tables of the iterations written, two of the trunk."""
    store, counts = tmp_path / "run", [4, 16, 17, 9, 18]
    words = json.dumps(["kill", str(store), ITERATIONS, counts])
    program = ran("-m", "tests.helpers.worker_calls", words, cwd=Path(__file__).parents[3])
    assert program.returncode == 0, program.stderr
    report = verify_store(store)
    assert report.is_whole
    assert report.leftovers
    pruned = prune_store(store)
    assert len(pruned.generations) in (0, 2)
    assert not verify_store(store).leftovers
    assert solve(LEDUC, store=store, iterations=ITERATIONS, executor="serial").fact(SplitFacts).hash == (
        solved[1].fact(SplitFacts).hash
    )


def test_what_a_store_says(solved, store, capsys):
    info = said(capsys, "store", "info", store, "--json", code=0)
    assert info["hash"] == solved[1].as_json()["hash"] == solved[1].fact(SplitFacts).hash
    assert info["bytes"] == solved[1].as_json()["bytes"] == StoreFolder(store).n_bytes()
    assert (info["game"], info["iterations"], info["generations"]) == (LEDUC, ITERATIONS, [9, 10])
    assert info["raw"] == 3 * solved[1].fact(SplitFacts).raw // 2  # one player's after half 8, 9 and 10
    report = said(capsys, "store", "verify", store, "--json", code=0)
    assert (report["whole"], report["files"], report["leftovers"]) == (True, 15, [])
    again = said(capsys, "store", "replay", store, "--seed", "3", "--json", code=0)
    assert again["same"] is True
    assert again["stored"] == again["found"] != ""


@pytest.mark.parametrize("pattern", ["run.json", "trunk/*", "subgames/*/*.tables"])
def test_a_flipped_bit_is_found(store, capsys, pattern):
    paths = sorted(store.glob(pattern))
    path = paths[len(paths) // 2]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    if path.name == "run.json":
        assert f"{path} is damaged" in said(capsys, "store", "verify", store, code=2)
        return
    report = said(capsys, "store", "verify", store, "--json", code=1)
    assert not report["whole"]
    assert all(str(path) in line for line in report["damage"])


def test_tables_that_are_missing_stale_or_foreign_are_refused(store, tmp_path, capsys):
    other = tmp_path / "other"
    solve(LEDUC, store=other, iterations=ITERATIONS, executor="serial", scales="8,8")
    name = "subgames/00000/00002.1.0000000010.tables"
    stale = (store / name.replace("10.t", "08.t")).read_bytes()
    for content, words in ((stale, "stale or foreign: its half is 8"), ((other / name).read_bytes(), "run")):
        (store / name).write_bytes(content)
        (line,) = said(capsys, "store", "verify", store, "--json", code=1)["damage"]
        assert str(store / name) in line
        assert words in line
        with pytest.raises(ValueError, match=words):
            solve(LEDUC, store=store, iterations=ITERATIONS + 1, executor="serial")
    (store / name).unlink()
    assert len(said(capsys, "store", "verify", store, "--json", code=1)["damage"]) == 1


def test_a_replay_finds_tables_that_the_update_does_not_make(store, capsys):
    """The tables of the half before are others, in whole files."""
    recorded = RecordedRun.of(store)
    shelf, split = FileShelf(store, recorded.run, in_memory=False), recorded.trunk.split
    boards = split.boards(0)
    for line in range(len(split.lines)):
        tree = split.tree(0, line, boards)
        tables = shelf.read(TablePlace(0, line, 1), 8, tree)
        tables.regret[:] += 1000
        shelf.write(TablePlace(0, line, 1), 8, tree, tables)
    found = said(capsys, "store", "replay", store, "--json", code=1)
    assert found["same"] is False
    assert found["stored"] != found["found"]


def test_prune_keeps_the_generations_of_the_last_iteration(store, capsys):
    (store / "trunk" / "writing.npz").write_text("half written")
    newest = trunk_files(store)[-1]
    orphan = store / "trunk" / newest.path.name.replace("0000000010", "0000000013")
    shutil.copy(newest.path, orphan)
    pruned = said(capsys, "store", "prune", store, "--json", code=0)
    assert pruned["generations"] == [9, 10]
    assert pruned["removed"] == len("half written") + newest.path.stat().st_size
    assert said(capsys, "store", "verify", store, "--json", code=0)["whole"]
    assert store_info(store).iterations == ITERATIONS


def test_nobody_reads_or_tidies_a_store_in_use(store, capsys):
    with StoreFolder(store).locked():
        for action in ("verify", "replay", "prune"):
            assert "is in use by another run" in said(capsys, "store", action, store, code=2)
        words = ("solve", LEDUC, "--store", store, "--iterations", "6", "--executor", "serial")
        assert "is in use by another run" in said(capsys, *words, code=2)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((LEDUC, "--iterations", "4"), "has 5 iterations done, got 4 to do in all"),
        ((LEDUC, "--iterations", "9", "--set", "scales=8,8"), "its scales is [16.0, 16.0], got [8.0, 8.0]"),
        ((LEDUC, "--iterations", "9", "--average", "last"), "its average is 'linear', got 'last'"),
        (("leduc_poker(ranks=4)", "--iterations", "9"), "its game is 'leduc_poker', got 'leduc_poker(ra"),
        (("kuhn_poker", "--iterations", "9"), "must have board cards to come"),
        ((LEDUC, "--iterations", "9", "--set", "memory=0"), "memory must be GiB above 0"),
    ],
)
def test_runs_that_are_not_the_stores_are_refused_in_one_line(store, capsys, words, line):
    assert line in said(capsys, "solve", *words, "--store", store, "--executor", "serial", code=2)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("info",), "is no store of a split run"),
        (("look",), "the action must be one of info, verify, replay, prune, got 'look'"),
        (("info", "--seed", "1"), "a seed is for replay, got 1 with info"),
        (("replay", "--seed", "-1"), "seed must be at least 0, got -1"),
    ],
)
def test_stores_that_are_none_are_refused_in_one_line(tmp_path, capsys, words, line):
    action, *options = words
    assert line in said(capsys, "store", action, tmp_path, *options, code=2)


def test_a_store_takes_no_abstraction(store):
    with pytest.raises(ValueError, match="an abstraction is for a sampled blueprint, got the store"):
        check(LEDUC, store, abstraction="none.npz")
