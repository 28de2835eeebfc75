"""Files of card abstractions: read back as written; other and damaged ones are refused in one line."""

import numpy as np
import pytest

from tests.helpers.abstractions import drawn
from tests.helpers.answers import answered
from tests.helpers.archive_members import changed, head_of, members_of, put, told, zipped
from tests.helpers.archive_mutations import spoilt
from tests.helpers.cells import over
from treeplex.files.abstraction_file import read_abstraction, write_abstraction
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.cards.cards import Deck
from treeplex.games.poker.named import turn_holdem

SHORT = Deck(4, 2, False)
ROUNDS = (2, 2, 1)


@over(["perfect", "imperfect"], [((None, None, None),), ((None, 5, 4),), ((6, None, 4),), ((6, 5, 4),)])
def test_an_abstraction_comes_back(recall, counts, tmp_path):
    written = drawn(SHORT, ROUNDS, counts, recall)
    write_abstraction(tmp_path / "a.npz", written)
    read = read_abstraction(tmp_path / "a.npz")
    assert read.identity == written.identity
    assert read.head == written.head
    assert read.arrays.keys() == written.arrays.keys()
    for name, array in read.arrays.items():
        assert array.dtype == written.arrays[name].dtype
        assert np.array_equal(array, written.arrays[name])


def test_the_same_abstraction_gives_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        write_abstraction(tmp_path / name, drawn(SHORT, ROUNDS, (6, 5, 4), "perfect"))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_lossless_abstraction_is_a_small_file(tmp_path):
    write_abstraction(tmp_path / "a.npz", lossless(turn_holdem()))
    assert (tmp_path / "a.npz").stat().st_size < 2_000
    assert read_abstraction(tmp_path / "a.npz").counts == (169, 1_286_792, 55_190_538)


@pytest.fixture
def data(tmp_path):
    write_abstraction(tmp_path / "a.npz", drawn(SHORT, ROUNDS, (6, 5, 4), "perfect"))
    return (tmp_path / "a.npz").read_bytes()


def test_altered_arrays_and_heads_are_refused(tmp_path, data):
    members, path = members_of(data), tmp_path / "b.npz"
    table = np.uint16(dict(head_of(members))["counts"][2])
    for spoilt_members, complaint in (
        (changed(members, "table2", lambda t: put(0, t[0] ^ 1)(t)), "its identity is not the digest"),
        (changed(members, "table2", put(0, table)), "buckets must be below"),
        (told(members, seed=1), "its identity is not the digest"),
        (told(members, ranks=5), "must have .* deals up to suits"),
        (told(members, ranks=99), "at most 13 ranks"),
        (told(members, recall="imperfect"), "it must hold 3 arrays, got also 'parent1'"),
        (told(members, kinds=["equity", "equity"]), "must be equally many"),
        (told(members, counts="6 5 4"), "counts must be a list"),
        (told(members, rounds=[2, 2, "1"]), "cards of a round must be an integer from 1 up"),
        (told(members, kinds=[["equity"], "equity", "equity"]), "kind of buckets must be one of"),
        (told(members, more=1), "its head must have the keys"),
    ):
        path.write_bytes(zipped(spoilt_members))
        with pytest.raises(ValueError, match=f"b.npz is damaged: .*{complaint}"):
            read_abstraction(path)
    path.write_bytes(zipped(told(members, format="treeplex streets 1")))
    with pytest.raises(ValueError, match=r"b.npz is no card abstraction that treeplex wrote"):
        read_abstraction(path)


@over([None, "1", [1], {}, True, 0])
def test_rounds_of_no_integers_are_refused_where_order_is_forgotten(cards, tmp_path):
    path = tmp_path / "a.npz"
    write_abstraction(path, drawn(SHORT, ROUNDS, (6, 5, 4), "imperfect"))
    path.write_bytes(zipped(told(members_of(path.read_bytes()), rounds=[2, 2, cards])))
    with pytest.raises(ValueError, match="is damaged: cards of a round must be an integer from 1 up"):
        read_abstraction(path)


def test_truncated_files_are_refused(tmp_path, data):
    path = tmp_path / "b.npz"
    for length in range(0, len(data), 37):
        path.write_bytes(data[:length])
        with pytest.raises(ValueError, match=r"b\.npz is (no card abstraction|damaged)"):
            read_abstraction(path)


@pytest.mark.seconds(3)
def test_spoilt_files_are_refused_in_one_line(tmp_path, data):
    path, identity = tmp_path / "b.npz", drawn(SHORT, ROUNDS, (6, 5, 4), "perfect").identity
    refused = 0
    for seed in range(300):
        path.write_bytes(spoilt(str(seed), data))
        found = answered(lambda: read_abstraction(path).identity)
        refused += found is None
        assert found in (None, identity), seed
    assert refused > 200


def test_paths_that_cannot_be(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.npz"):
        write_abstraction(tmp_path / "a.csv", drawn(SHORT, ROUNDS, (6, 5, 4), "perfect"))
    with pytest.raises(ValueError, match="cannot read"):
        read_abstraction(tmp_path / "none.npz")
