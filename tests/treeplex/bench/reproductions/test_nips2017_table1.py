"""Table 1 on games with one or two classes of flops: cells, kept flops, refusals."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import treeplex as tp
from treeplex.bench.reproductions import nips2017_table1
from treeplex.bench.reproductions.blueprints import scaled
from treeplex.bench.reproductions.nips2017_table1 import game_of
from treeplex.bench.reproductions.nips2017_table1_printed import (
    BLUEPRINT,
    COLUMNS,
    FLOP_COLUMNS,
    GIFTS,
    PRINTED,
    TURN_BUCKETS,
    ordered_pairs,
    printed_parts,
)
from treeplex.bench.reproductions.nips2017_table1_tables import Cell, tables_of
from treeplex.bench.reproductions.registry import reproduction
from treeplex.bench.reproductions.reproduction import Settings
from treeplex.games.poker.named import no_limit_flop_holdem, no_limit_turn_holdem
from treeplex.subgames.composed_value import Composed

NAME = "nips2017-table1"
ROWS = ["blueprint", "unsafe", "reach-maxmargin", "reach-estimated-distributional (no split)"]


@pytest.fixture
def hand_by_hand(monkeypatch):
    """Blueprints are short runs without abstraction, which take a moment; responses are others."""

    def blueprint(game, buckets, threads, folder, progress, name="cfr+"):
        solved = tp.solve(game, name, form="boards", iterations=max(5, buckets // 40)).strategy
        return SimpleNamespace(expanded=lambda: solved, game=game, buckets=buckets)

    def response(strategy, threads):
        return blueprint(strategy.game, strategy.buckets, threads, None, None, "dcfr")

    monkeypatch.setattr(nips2017_table1, "bucket_blueprint", blueprint)

    def last(strategy, game, buckets, threads, folder, progress):
        return blueprint(game, buckets, threads, folder, progress, "lcfr")

    monkeypatch.setattr(nips2017_table1, "last_street_response", response)
    monkeypatch.setattr(nips2017_table1, "last_iterate", last)


def run(rows=ROWS, columns=("small/200",), iterations=15, flops=1, **more):
    return tp.reproduce(NAME, rows=rows, columns=columns, iterations=iterations, flops=flops, **more).tables


@pytest.mark.seconds(3)
def test_tables_show_what_is_left_of_the_blueprint(hand_by_hand):
    whole, parts, lost = run()
    assert [row.name for row in whole.rows] == ROWS
    assert whole.columns == parts.columns == ("small/200",)
    for one, part, both in zip(whole.rows, parts.rows, lost.rows, strict=True):
        assert one.ours[0] == pytest.approx(sum(both.ours) / 2)
        assert part.ours[0] == pytest.approx(one.ours[0] / whole.rows[0].ours[0])
    assert parts.rows[0].ours[0] == 1.0
    assert 0.0 < parts.rows[2].ours[0] < 1.0
    assert whole.rows[1].printed == (14.68,)
    assert "6 of 6 solutions are played" in whole.rows[1].note
    assert any(note.endswith("of 6 pairs of rows are in the paper's order.") for note in whole.notes)


def test_gifts_scaled_are_a_table_by_their_factor():
    """Figure 8: a row for each column of the table, beside Maxmargin at 0 and Reach-Maxmargin at 1."""
    found = {
        column: {row: Cell((base + 3.0 * k, base - k)) for k, row in enumerate((BLUEPRINT, *GIFTS.values()))}
        for column, base in (("small/200", 50.0), ("large/200", 90.0))
    }
    rows = (BLUEPRINT, "maxmargin", "reach-maxmargin", "reach-maxmargin (x100)")
    gifts = tables_of(found, rows, ())[-1]
    assert gifts.columns == ("0", "1", "100")
    assert gifts.along == "gifts times"
    assert [(row.name, row.ours) for row in gifts.rows] == [
        ("small/200", (51.0, 52.0, 54.0)),
        ("large/200", (91.0, 92.0, 94.0)),
    ]
    assert len(tables_of(found, rows[:-1], ())) == len(tables_of(found, rows, ())) - 1


def test_distances_from_the_value_hold_it_between_them(hand_by_hand, monkeypatch):
    monkeypatch.setattr(nips2017_table1, "unabstracted", lambda *_: (30.0, -20.0))
    *_, lost, far = run(["blueprint", "no abstraction"])
    assert lost.rows[1].ours == (300.0, -200.0)
    (row,) = far.rows
    first, second = lost.rows[0].ours
    assert row.ours == pytest.approx((first - 300, first - 200, second + 200, second + 300))


@pytest.fixture
def solved_again(hand_by_hand, monkeypatch):
    """Each seat's branching, gadget and trunk; nothing is solved, seats lose 3 and 5 chips."""
    asked, again, real = [], [], nips2017_table1.ResolveConfig

    def recorded(**given):
        again.append(given["gadget"])
        return real(**given)

    def composed(blueprint, run):
        defender, gadget = blueprint.trunk.menus.defender, again.pop(0)
        asked.append((defender, blueprint.branching, gadget, blueprint.trunk))
        return Composed(before=9.0, after=3.0 + 2.0 * defender, error=0.0, solved=1, subgames=1, seconds=30.0)

    tiny = partial(no_limit_flop_holdem, 4, 2, bets=(1,), max_raises=(1, 1), stack=700)
    monkeypatch.setattr(nips2017_table1, "GAMES", {"small": tiny})
    monkeypatch.setattr(nips2017_table1, "ResolveConfig", recorded)
    monkeypatch.setattr(nips2017_table1, "composed", composed)
    return asked


def test_exploitability_is_half_of_what_both_seats_lose(solved_again):
    whole, parts, lost = run(["unsafe"])
    before = {row.name: row for row in run(["blueprint"])[2].rows}["blueprint"].ours
    assert lost.rows[0].ours == (30.0, 50.0)
    assert whole.rows[0].ours == (40.0,)
    assert whole.rows[0].note.endswith(": 2 of 2 solutions are played, errors add up to 0.000, 60 CPU s")
    assert parts.rows[0].ours[0] == pytest.approx(80.0 / sum(before))


def test_gifts_that_are_not_split_are_whole_on_every_board(solved_again):
    """The row without split has gifts times the number of boards that may come, its twin has them once."""
    run(["reach-maxmargin", "reach-maxmargin (no split)", "reach-maxmargin (x100)"], flops=3)
    scales = [(seat, gadget.alternatives.gifts.scale) for seat, _, gadget, _ in solved_again]
    branching = solved_again[0][1]
    assert branching == 3.0
    assert scales == [(0, 1.0), (1, 1.0), (0, branching), (1, branching), (0, 100.0), (1, 100.0)]


def test_rows_are_the_methods_and_estimates_that_they_are_called(solved_again):
    named = ["estimated-resolve", "estimated-distributional", "estimated-resolve (average)"]
    ways = [f"estimated-distributional ({way})" for way in ("average", "last", "atoms", "theorem 3")]
    run([*named, *ways])
    gadgets, trunks = zip(*((one[2], one[3]) for one in solved_again if one[0] == 0), strict=True)
    assert [type(gadget).__name__ for gadget in gadgets] == [
        "Resolve",
        "DrawnDistributional",
        "Resolve",
        "DrawnDistributional",
        "DrawnDistributional",
        "Distributional",
        "DrawnDistributional",
    ]
    assert [gadgets[k].by_hedge for k in (1, 3, 4, 6)] == [True, True, True, False]
    assert [trunk.estimating is trunk.strategy for trunk in trunks] == [
        False,
        False,
        True,
        True,
        False,
        False,
        False,
    ]
    assert trunks[4].estimating is not trunks[5].estimating is trunks[0].estimating


def test_a_folder_goes_on_with_its_iterations_alone(solved_again, tmp_path):
    for _ in range(2):
        run(["maxmargin"], checkpoint=tmp_path)
    with pytest.raises(ValueError, match="holds another run: its iterations is 15, not 16"):
        run(["maxmargin"], iterations=16, checkpoint=tmp_path)


@pytest.mark.seconds(20)
def test_rows_and_columns_are_computed_alone_to_the_same_bits(hand_by_hand):
    both = run(["reach-maxmargin"], ["small/200", "small/2000"])[0].rows[0].ours
    assert run(["reach-maxmargin"], ["small/2000"])[0].rows[0].ours == both[1:]
    assert both[0] > both[1]


@pytest.mark.seconds(4)
def test_kept_strategies_are_judged_as_the_table_says(hand_by_hand, monkeypatch, tmp_path):
    tiny = partial(no_limit_flop_holdem, 4, 2, bets=(1,), max_raises=(1, 2), stack=700)
    monkeypatch.setattr(nips2017_table1, "GAMES", {"small": tiny})
    rows, game = ["blueprint", "unsafe", "reach-maxmargin (no split)"], game_of("small", 2)
    first = run(rows, flops=2, keep=tmp_path, checkpoint=tmp_path / "run")
    files = {path.stem: path for path in (tmp_path / "small-200").iterdir()}
    assert sorted(files) == ["blueprint", "reach-maxmargin-no-split", "unsafe"]
    kept = [tp.read(game, files[name]) for name in ("blueprint", "unsafe")]
    for p, base in enumerate(kept[0].tree.base):  # before the flop play is the blueprint's
        assert np.array_equal(*(one.weight[p][: base[1]] for one in kept))
    judged = [tp.check(game, files[name]) for name in ("blueprint", "unsafe", "reach-maxmargin-no-split")]
    for row, proved in zip(first[2].rows, judged, strict=True):
        lost = -10.0 * float(proved.certificate.lower), 10.0 * float(proved.certificate.upper)
        assert row.ours == pytest.approx(lost, abs=1e-3)
    content = {name: path.read_bytes() for name, path in files.items()}
    assert run(rows, flops=2, keep=tmp_path, checkpoint=tmp_path / "run") == first
    assert {name: path.read_bytes() for name, path in files.items()} == content


def timeless(tables):
    """Return tables whose notes end before the seconds."""
    return [
        replace(one, rows=tuple(replace(row, note=row.note.rpartition(", ")[0]) for row in one.rows))
        for one in tables
    ]


@pytest.mark.seconds(20)
def test_kept_flops_are_read_checked_and_of_one_run(hand_by_hand, tmp_path):
    first = run(["maxmargin"], checkpoint=tmp_path)
    files = sorted(tmp_path.rglob("flop*.npz"))
    assert len(files) == 2
    assert run(["maxmargin"], checkpoint=tmp_path, threads=2) == first
    files[0].unlink()  # its seconds are others then
    assert timeless(run(["maxmargin"], checkpoint=tmp_path)) == timeless(first)
    content = bytearray(files[0].read_bytes())
    content[len(content) // 2] ^= 1
    files[0].write_bytes(content)
    with pytest.raises(ValueError, match=r"flop0000.npz is damaged"):
        run(["maxmargin"], checkpoint=tmp_path)
    files[0].write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=r"flop0000.npz is no part of a kept run"):
        run(["maxmargin"], checkpoint=tmp_path)
    files[0].write_bytes(files[1].read_bytes())
    with pytest.raises(ValueError, match=r"flop0000.npz must be flop0000 of this run"):
        run(["maxmargin"], checkpoint=tmp_path)
    with pytest.raises(ValueError, match="holds another run: its iterations is 15, not 16"):
        tp.reproduce(
            NAME, rows=["maxmargin"], columns=COLUMNS[:1], iterations=16, flops=1, checkpoint=tmp_path
        )


def test_where_nothing_can_be_kept_nothing_is_computed(monkeypatch, tmp_path):
    monkeypatch.setattr(nips2017_table1, "bucket_blueprint", lambda *_: pytest.fail("a blueprint is solved"))
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        run(["unsafe"], keep=tmp_path / "file")


def test_other_columns_and_rows_are_refused():
    with pytest.raises(ValueError, match=r"columns of nips2017-table1 must be .*, got 'small/1'"):
        tp.reproduce(NAME, columns=["small/1"])
    with pytest.raises(ValueError, match=r"rows of nips2017-table1 must be .*, got 'all'"):
        tp.reproduce(NAME, rows=["all"])
    with pytest.raises(ValueError, match="coin-toss takes no columns"):
        tp.reproduce("coin-toss", columns=["small/200"])
    with pytest.raises(ValueError, match="coin-toss takes no iterations"):
        tp.reproduce("coin-toss", iterations=3)
    with pytest.raises(ValueError, match="iterations must be"):
        tp.reproduce(NAME, iterations=0)


def test_estimates_grow_with_cells():
    found = reproduction(NAME)
    one = found.estimate(Settings(rows=("unsafe",), columns=("small/200",)))
    more = found.estimate(Settings(rows=("unsafe",), columns=("small/200", "large/200")))
    assert 0 < one.seconds < more.seconds < found.estimate(Settings()).seconds
    few = found.estimate(Settings(rows=("unsafe",), columns=("small/200",), flops=30))
    assert one.seconds / 60 < few.seconds < one.seconds / 50


def test_what_a_checkpoint_holds_is_not_estimated_again(tmp_path):
    found, none = reproduction(NAME), tmp_path / "none"
    rows = ("unsafe", "reach-maxmargin (no split)", "estimated-resolve (last)", "no abstraction")
    asked = Settings(rows=rows, columns=("small/200", "large/200"), iterations=300, flops=5, checkpoint=none)

    def seconds(folder=none, **other):
        return found.estimate(replace(asked, checkpoint=folder, **other)).seconds

    folder = tmp_path / "small-200"
    assert seconds(tmp_path) == seconds() == seconds(None)
    folder.mkdir()
    names = ("blueprint", "last-iteration", "no-abstraction")
    for name, iterations in zip(names, (1, 250, 1000), strict=True):
        tp.solve("kuhn_poker", "cfr+", iterations=iterations, checkpoint=folder / f"{name}.npz")
    pass_ = (seconds(rows=("no abstraction",)) - seconds(rows=("blueprint",))) / (1000 * 430 / 114 + 1000)
    assert seconds() - seconds(tmp_path) == pytest.approx(1251 * pass_)
    row = seconds(rows=("unsafe",), columns=("small/200",)) - 1000 * pass_
    left = seconds(tmp_path)
    for player, name in ((0, "flop0000"), (1, "flop0004"), (1, "plan0001")):
        kept = folder / "reach-maxmargin-no-split" / f"player{player}"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"{name}.npz").touch()
    assert left - seconds(tmp_path) == pytest.approx(0.2 * row)
    assert left - seconds(tmp_path, keep=tmp_path / "plans") == pytest.approx(0.1 * row)
    (folder / "blueprint.npz").write_bytes(b"")
    with pytest.raises(ValueError, match=r"blueprint.npz is no checkpoint of a run"):
        seconds(tmp_path)


def test_printed_parts_are_those_of_either_edition():
    # Both versions differ by ten in the small game's last column; parts of the blueprint's do not.
    assert printed_parts("unsafe", ("small/30000",))[0] == pytest.approx(5.514 / 91.28)
    assert printed_parts("resolve", ("former-small/200",)) == printed_parts("resolve", ("small/200",))
    assert printed_parts(BLUEPRINT, COLUMNS) == (1.0,) * len(COLUMNS)
    assert {len(numbers) for numbers in PRINTED.values()} == {len(FLOP_COLUMNS) + len(TURN_BUCKETS)}


def test_short_decks_stand_beside_the_whole_decks_numbers():
    assert printed_parts("unsafe", ("turn5/2000", "turn6/2000", "turn6/20000")) == pytest.approx(
        (85.95 / 465.1, 85.95 / 465.1, 79.34 / 345.5)
    )
    for column in COLUMNS:
        name, _, buckets = column.partition("/")
        count = scaled(int(buckets), game_of(name, None))
        on_flop = column.removeprefix("former-") in FLOP_COLUMNS
        assert count == int(buckets) if on_flop else 1 <= count < int(buckets) / 20


def test_menus_have_the_sizes_that_the_paper_prints():
    """1.1 and 4 GB in doubles, of 1,286,792 infosets a line; our former menus are larger."""
    actions = {}
    for name in ("small", "large", "former-small", "former-large"):
        actions[name] = round(nips2017_table1._size(name, None) / (1755 * 1176))
    assert actions == {"small": 114, "large": 430, "former-small": 264, "former-large": 608}
    sizes = [actions[name] * 1_286_792 * 8 / 2**30 for name in ("small", "large")]
    assert [round(size, 2) for size in sizes] == [1.09, 4.12]


def test_pairs_of_rows_in_the_papers_order():
    found = {row: float(k) for k, row in enumerate(PRINTED)}
    assert ordered_pairs("small/200", found)[2] == 45
    printed = {row: numbers[0] for row, numbers in PRINTED.items()}
    assert ordered_pairs("small/200", printed) == (45, 0, 45)
    assert ordered_pairs("small/200", {row: -one for row, one in printed.items()}) == (0, 0, 45)
    assert ordered_pairs("small/200", {"estimated-maxmargin": 1.0, "unsafe": 2.0}) == (0, 0, 0)
    assert ordered_pairs("small/200", {**printed, "maxmargin": printed["reach-maxmargin"]}) == (44, 1, 45)


@pytest.mark.seconds(20)
def test_turn_subgames_are_solved_again_and_kept_by_flop(hand_by_hand, monkeypatch, tmp_path):
    small = partial(no_limit_turn_holdem, 4, bets=(1,), max_raises=(1, 1, 1), stack=700)
    monkeypatch.setattr(nips2017_table1, "GAMES", {"turn4": small})
    rows = ["blueprint", "resolve", "reach-maxmargin (no split)"]
    first = run(rows, ("turn4/20000",), checkpoint=tmp_path)
    assert [path.name for path in sorted(tmp_path.rglob("flop*.npz"))] == ["flop0000.npz"] * 4
    assert run(rows, ("turn4/20000",), checkpoint=tmp_path, threads=2) == first
    whole, parts, _ = first
    assert whole.rows[0].note == "turn4/20000: 8 buckets on this deck"
    assert whole.rows[1].printed == (251.8,)
    assert parts.rows[1].ours[0] < 1.0
