"""Abstractions made: counts, nesting, bytes, what is kept, what is refused."""

from itertools import cycle

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.archive_members import members_of, zipped
from tests.helpers.cells import each, over
from tests.helpers.stopped_runs import abstract_until
from tests.helpers.two_tiers import two_tiers
from treeplex.files.abstraction_file import read_abstraction
from treeplex.games.buckets.clusters import ClusterEffort
from treeplex.games.buckets.features import KINDS, Features, deck_hands
from treeplex.games.buckets.perfect_recall import check_nested
from treeplex.games.cards.hand_index import HandIndex
from treeplex.solving import abstraction_making as making
from treeplex.solving.abstract import estimated, planned
from treeplex.solving.street_bucketing import Search, StreetDeals

TURN, FLOP = "turn_holdem(ranks=4)", "flop_holdem(ranks=5,suits=3)"


@two_tiers(
    zip([*KINDS, "emd"], cycle(["imperfect", "perfect"])),
    zip([*KINDS, "emd"], cycle(["perfect", "imperfect"])),
    seconds=(3, 3),
)
def test_hands_that_differ_in_suits_alone_share_a_bucket_and_strong_ones_come_last(kind, recall):
    made = tp.abstract(TURN, f"flop:60:{kind}", recall=recall)
    assert made.streets[1].kind == kind
    assert 40 <= made.counts[1] <= 60
    assert made.of_game(tp.load(TURN).game) is made
    equity = Features.of(made.deck, 4, "equity")
    boards = np.array([[51, 46, 41]])
    deals, points = equity.on(boards)
    bucket = made.buckets(1, boards[0].tolist(), deals[:, :2])
    renamed = deals - deals % 4 + np.array([2, 0, 3, 1])[deals % 4]
    assert (made.of_deals(1, renamed) == bucket).all()
    if recall == "imperfect":
        assert np.corrcoef(bucket, points[:, 0])[0, 1] > 0.7


def test_buckets_rise_with_equity_but_those_of_ochs_with_the_mean_of_its_eight_equities():
    for kind in ("equity", "ehs2", "ochs"):
        made = tp.abstract(TURN, f"turn:12:{kind}")
        index = HandIndex(made.deck, (2, 4))
        boards = np.unique(index.cards(np.arange(index.size))[:, 2:], axis=0)

        def means(kind, made=made, boards=boards):
            deals, points = Features.of(made.deck, 4, kind).on(boards)
            bucket = made.of_deals(2, deals)
            return np.bincount(bucket, points.mean(axis=1)) / np.bincount(bucket)

        assert (np.diff(means(kind)) > 0).all()
        assert (np.diff(means("equity")) > 0).all() == (kind != "ochs")


@over(["imperfect", "perfect"])
def test_counts_are_totals_and_buckets_are_nested_where_they_must_be(recall):
    made = tp.abstract(TURN, "preflop:6:equity,flop:40:hist,turn:90:ochs", recall=recall)
    assert made.counts == (6, 40, 90)
    assert all(one.table is not None and len(set(one.table.tolist())) == one.count for one in made.streets)
    if recall == "perfect":
        check_nested(made)
        parents = made.streets[2].parent
        assert parents is not None
        assert sorted(set(parents.tolist())) == list(range(40))
        assert (np.diff(parents.astype(int)) >= 0).all()


def test_streets_that_are_not_named_are_lossless():
    made = tp.abstract(TURN, "flop:10:equity")
    assert [one.kind for one in made.streets] == ["lossless", "equity", "lossless"]
    assert tp.abstract(TURN, "").counts == tp.abstract(TURN, "turn:lossless").counts


def test_who_asks_for_the_same_in_other_words_gets_the_same():
    made = tp.abstract(TURN, "turn:9:equity,flop:10:equity")
    assert made.text == "flop:10:equity,turn:9:equity"
    assert (
        tp.abstract(TURN, " flop : 10: equity,preflop:lossless, turn:009:equity,").identity == made.identity
    )
    assert tp.abstract(TURN, "flop:lossless").text == tp.abstract(TURN, "").text == "lossless"


def test_as_many_buckets_as_equities_differ_lose_no_equity():
    deals = _deals(FLOP, "equity")
    found = np.unique(deals.whole().points)
    made = tp.abstract(FLOP, f"flop:{deals.index.size}:equity")
    assert made.counts[1] == len(found)


def _deals(game: str, kind: str) -> StreetDeals:
    plan = planned(game, f"flop:5:{kind}")
    cluster = np.arange(len(deck_hands(plan.game.deck))) % KINDS[kind].clusters
    return plan.deals(1, Features(plan.game.deck, plan.n_last, KINDS[kind], cluster), None)


def test_points_of_all_deals_stand_at_their_numbers_with_their_weights():
    deals = _deals(TURN, "hist")
    whole = deals.whole()
    assert whole.weight.sum() == 16 * 15 // 2 * 14 * 13 * 12 // 6
    rng = np.random.default_rng(0)
    for number in rng.integers(deals.index.size, size=5):
        deal = deals.index.cards([number])[0]
        found, points = deals.source.on(deal[None, 2:])
        row = np.flatnonzero((found[:, :2] == deal[:2]).all(axis=1))[0]
        assert whole.points[number].tobytes() == points[row].tobytes()


def test_samples_are_drawn_from_all_deals_alike():
    deals = _deals(TURN, "equity")
    whole, drawn = deals.whole(), deals.sampled(200_000, (1,))
    assert len(drawn.points) == 200_000
    mean = np.average(whole.points[:, 0], weights=whole.weight)
    spread = np.sqrt(np.average((whole.points[:, 0] - mean) ** 2, weights=whole.weight))
    assert drawn.points.mean() == pytest.approx(mean, abs=5 * spread / np.sqrt(200_000))
    assert drawn.points.std() == pytest.approx(spread, rel=0.02)


@two_tiers([("imperfect", 10), ("perfect", 10**9)], [("imperfect", 10**9), ("perfect", 10)], seconds=(3, 3))
def test_the_bytes_are_those_of_the_seed_whatever_the_threads(recall, most, monkeypatch):
    for name in ("USUAL_SEARCH", "SHORT_SEARCH"):
        monkeypatch.setattr(making, name, Search(most, 2_000, ClusterEffort(starts=2)))
    streets = "flop:40:emd,turn:70:ochs"
    one, three = (tp.abstract(TURN, streets, recall=recall, seed=5, threads=n) for n in (1, 3))
    assert one.identity == three.identity
    assert tp.abstract(TURN, streets, recall=recall, seed=6).identity != one.identity
    if recall == "perfect":
        check_nested(one)


@over(["imperfect", "perfect"])
def test_a_run_that_was_ended_goes_on_to_the_same_bytes(recall, tmp_path):
    folder = tmp_path / recall
    folder.mkdir()
    streets, path, other = "flop:40:hist,turn:70:ochs", folder / "a.npz", tmp_path / f"{recall}.npz"
    abstract_until("turn", TURN, streets, out=path, recall=recall)
    kept = list(folder.iterdir())
    assert [file.name.split("-")[0] for file in kept] == ["a.flop"]
    stamp = kept[0].stat().st_mtime_ns
    abstract_until("writing", TURN, streets, out=path, recall=recall)
    assert kept[0].stat().st_mtime_ns == stamp
    assert len(list(folder.iterdir())) == 2
    told: list[str] = []
    made = tp.abstract(TURN, streets, out=path, recall=recall, progress=lambda text, width: told.append(text))
    assert told == ["writing"]
    assert [file.name for file in folder.iterdir()] == ["a.npz"]
    whole = tp.abstract(TURN, streets, out=other, recall=recall)
    assert path.read_bytes() == other.read_bytes()
    assert read_abstraction(path).identity == made.identity == whole.identity


def test_streets_of_other_settings_are_made_anew(tmp_path):
    path = tmp_path / "a.npz"
    abstract_until("turn", TURN, "flop:40:hist,turn:70:ochs", out=path)
    made = tp.abstract(TURN, "flop:41:hist,turn:70:ochs", out=path)
    assert made.counts[1] == 41
    assert tp.abstract(TURN, "flop:40:hist,turn:70:ochs", out=path, seed=3).seed == 3


def test_nothing_is_kept_beside_devices_and_pipes(tmp_path, monkeypatch):
    """Devices have folders of their own, where nobody looks for an abstraction and not all may write."""
    monkeypatch.setattr("treeplex.files.kept.write_arrays", lambda *_: pytest.fail("kept"))
    assert tp.abstract(TURN, "flop:10:equity", out="/dev/null").counts[1] == 10


def test_kept_streets_that_are_damaged_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    abstract_until("turn", TURN, "flop:40:hist,turn:70:ochs", out=path)
    kept = next(tmp_path.iterdir())
    content = kept.read_bytes()

    def refused(damaged):
        kept.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"a\.flop-\w+\.npz is (damaged|no part of a kept run)"):
            tp.abstract(TURN, "flop:40:hist,turn:70:ochs", out=path)

    flipped = [int(part * len(content)) for part in (0.5, 0.7)]
    each([content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :] for at in flipped], refused)
    refused(content[:-40])
    refused(b"")
    refused(zipped([member for member in members_of(content) if member[0] != "table.npy"]))


@over(
    [
        ("river:5:equity", {}, "a street must be one of preflop, flop, turn, got 'river'"),
        ("flop:5:equity,flop:6:equity", {}, "a street may be named once, got flop twice"),
        (
            "flop:0:equity",
            {},
            "flop: the number of buckets must be from 1 to 2,2.., its deals up to suits, got '0'",
        ),
        ("flop:9999:equity", {}, "flop: the number of buckets must be from 1 to 2,2.., .*, got '9999'"),
        ("flop:-3:equity", {}, "flop: the number of buckets must be from 1 to"),
        ("flop:3", {}, "a street must be as in flop:2000:hist.*, got 'flop:3'"),
        (
            "flop:3:best",
            {},
            "flop: the kind of buckets must be one of equity, ehs2, hist, ochs, emd, weva, got 'best'",
        ),
        ("turn:9:emd", {}, "turn: the kind of buckets of the last street must be another, got emd"),
        ("turn:51:hist", {}, "turn: the number of buckets must be from 1 to 50, as on the last street"),
        (
            "flop:12:equity",
            {"recall": "perfect"},
            "flop must have at least the 16 buckets of preflop, got 12",
        ),
        ("flop:12:equity", {"recall": "none"}, "recall must be one of perfect, imperfect, got 'none'"),
        ("flop:12:equity", {"seed": -1}, "seed must be an integer from 0 up, got -1"),
        ("flop:12:equity", {"threads": 0}, "threads must be between 1 and 64, got 0"),
        ("flop:12:equity", {"threads": 65}, "threads must be between 1 and 64, got 65"),
        ("flop:12:equity", {"out": "a.txt"}, r"must end in \.npz, got a\.txt"),
    ]
)
def test_what_cannot_be_is_refused(streets, options, said):
    with pytest.raises(ValueError, match=said):
        tp.abstract(TURN, streets, **options)


@over(
    [
        ("leduc_poker", "features are of hold'em hands of two cards, leduc_poker has others"),
        ("one_card_flop(ranks=4)", "features are of hold'em hands of two cards"),
        ("example:river", "an abstraction is of games without a starting board"),
        ("goofspiel(cards=3)", "abstractions are of poker games, got"),
    ]
)
def test_games_without_hold_em_hands_or_with_a_board_are_refused(game, said):
    with pytest.raises(ValueError, match=said):
        tp.abstract(game, "flop:3:equity")


def test_leduc_is_lossless():
    assert tp.abstract("leduc_poker", "").counts == (3, 15)


def test_the_estimate_is_of_seconds_and_bytes():
    said = estimated(planned(TURN, "preflop:5:emd,flop:40:emd,turn:90:ochs"))
    assert 0.0 < said.seconds < 60.0
    assert 2**28 < said.memory < 2**30
    assert estimated(planned(TURN, "")).seconds == 0.0
