"""Damaged checkpoints: each kind of damage is one line that says where and what, with a digest to match."""

import zipfile

import numpy as np
import pytest

from tests.helpers.answers import soon
from tests.helpers.archive_members import (
    changed,
    exchanged,
    header,
    loaded,
    members_of,
    moved,
    numbered,
    put,
    saved,
    signed,
    told,
    with_head,
    zipped,
)
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run

GAME = "leduc_poker(ranks=2,raises=1)"
RUN = f"solve {GAME} --method cfr+ --form tree --iterations 4 --checkpoint".split()
TABLE = f"solve {GAME} --method mccfr-external --form table --iterations 30 --checkpoint".split()


def repeat_key(slots):
    """Give the last full slot the key of the first one."""
    first, *_, last = np.flatnonzero(slots["at"])
    slots["key"][last] = slots["key"][first]


REGRET, TOTAL = "memories.0.regret", "memories.1.total"
POINT = [1, 0.5, [0.0, -1.0, 1.0, 0.0, 0.1]]
DAMAGED = {
    "junk in the head": (lambda m: exchanged(m, "head", b"junk"), "'head' must be an array as numpy writes"),
    "junk in an array": (lambda m: exchanged(m, REGRET, b"junk"), "'memories.0.regret' must be an array as"),
    "a list as head": (lambda m: with_head(m, [1]), "is no checkpoint of a run"),
    "a deep head": (lambda m: with_head(m, b"[" * 100_000), "its head is no JSON of distinct keys"),
    "a key twice": (
        lambda m: with_head(m, b'{"format": 3, "format": 3}'),
        "its head is no JSON of distinct keys",
    ),
    "no number": (lambda m: told(m, seconds=float("nan")), "its head is no JSON of distinct keys and finite"),
    "an identity that is none": (
        lambda m: told(m, identity=[1]),
        "its identity must be texts of game, method",
    ),
    "a huge integer": (lambda m: told(m, seconds=10**400), "its seconds must be a finite number, got 1000"),
    "a format that is none": (lambda m: told(m, format=[3]), "is no checkpoint of a run"),
    "seconds before the start": (lambda m: told(m, seconds=-1.0), "its seconds must be at least 0, got -1.0"),
    "no trace": (lambda m: told(m, trace={}), "its trace must be a list, got {}"),
    "a point that is none": (
        lambda m: told(m, trace=[[1, 2]]),
        "its trace must be of iterations, seconds, cert",
    ),
    "an empty interval": (
        lambda m: told(m, trace=[[1, 0.5, [0, 1, -1, 0, 0]]]),
        "must have lower <= upper, got",
    ),
    "a trace backwards": (lambda m: told(m, trace=[[2, *POINT[1:]], POINT]), "got 1 iterations after 2"),
    "a trace of later iterations": (
        lambda m: told(m, trace=[[9, *POINT[1:]]]),
        "must end by iteration 4, got 9",
    ),
    "numbers of another state": (lambda m: numbered(m, drawn=1), "its numbers must be iterations, got"),
    "a number of another type": (
        lambda m: numbered(m, iterations=4.0),
        "iterations must be an integer, got 4.0",
    ),
    "iterations below zero": (lambda m: numbered(m, iterations=-4), "iterations must be between 0 and"),
    "iterations not done": (
        lambda m: numbered(m, iterations=5),
        "player 0's total must be between 15 and 15, got 10",
    ),
    "NaN": (
        lambda m: changed(m, REGRET, put(3, np.nan)),
        "player 0's regret must be between -1e+180 and 1e+180",
    ),
    "an infinity": (
        lambda m: changed(m, REGRET, put(3, np.inf)),
        "player 0's regret must be between -1e+180",
    ),
    "a negative average": (
        lambda m: changed(m, TOTAL, put(3, -1.0)),
        "player 1's total must be between 0 and",
    ),
    "no plan": (lambda m: changed(m, "memories.0.plan", put(3, 0.9)), "player 0's plan must be between"),
    "another length": (
        lambda m: exchanged(m, REGRET, saved(np.zeros(3))),
        "'memories.0.regret' must have shape (57,), got (3,)",
    ),
    "another dtype": (
        lambda m: exchanged(m, REGRET, saved(np.zeros(57, ">f8"))),
        "'memories.0.regret' must have dtype '<f8', got \"'>f8'\"",
    ),
    "objects": (
        lambda m: exchanged(m, REGRET, header(m, REGRET, descr=("'<f8'", "'|O'"))),
        "'memories.0.regret' must have dtype '<f8', got \"'|O'\"",
    ),
    "Fortran's order": (
        lambda m: exchanged(m, REGRET, header(m, REGRET, order=("False", "True"))),
        "'memories.0.regret' must be an array as numpy writes it, in C order",
    ),
    "a claim of 1e11 floats": (
        lambda m: exchanged(m, REGRET, header(m, REGRET, shape=("(57,)", "(100000000000,)"))),
        "'memories.0.regret' must have shape (57,), got (100000000000,)",
    ),
    "bytes behind the entries": (
        lambda m: exchanged(m, REGRET, dict(m)[f"{REGRET}.npy"] + b"more"),
        "'memories.0.regret' must have 584 bytes, got 588",
    ),
    "no array": (
        lambda m: [one for one in m if one[0] != f"{REGRET}.npy"],
        "it has no array memories.0.regret",
    ),
    "another array": (lambda m: [*m, ("x.npy", saved(np.zeros(3)))], "it must hold 12 arrays, got also 'x'"),
    "an array twice": (
        lambda m: [*m, m[1]],
        "its members must be arrays, each once, got 'memories.0.regret.npy'",
    ),
    "a member that is none": (
        lambda m: [*m, ("x.txt", b"")],
        "its members must be arrays, each once, got 'x.txt'",
    ),
}
DAMAGED_TABLES = {
    "a claim of 1e11 entries": (
        lambda m: exchanged(m, "entries", header(m, "entries", shape=("(111,)", "(100000000000,)"))),
        "'entries' must have 1,600,000,000,137 bytes, got 1,913",
    ),
    "other fields": (
        lambda m: exchanged(m, "entries", saved(np.zeros(9, [("regret", "f8"), ("sum", "f8")]))),
        "'entries' must have dtype [('regret', '<f8'), ('total', '<f8')], got",
    ),
    "slots that are no power of two": (
        lambda m: exchanged(m, "slots", saved(np.append(*[loaded(dict(m)["slots.npy"])] * 2)[:-1])),
        "the number of slots must be a power of two, got 2,047",
    ),
    "no free slot": (
        lambda m: changed(m, "slots", put(slice(None), 1, "at")),
        "slots must hold 55 infosets, got 1,024",
    ),
    "another number of infosets": (
        lambda m: numbered(m, n_infosets=54),
        "slots must hold 54 infosets, got 55",
    ),
    "more infosets than half of the slots": (
        lambda m: numbered(m, n_infosets=513),
        "n_infosets must be between 0 and 512, got 513",
    ),
    "an entry beyond the last": (lambda m: moved(m, "at", 10**12), "entries of an infoset must begin at"),
    "an entry before the first": (lambda m: moved(m, "at", -5), "entries of an infoset must begin at"),
    "entries of two infosets": (lambda m: moved(m, "at", 1), "entries of an infoset must begin at"),
    "a key of no infoset": (lambda m: moved(m, "key", 2**64 - 1), "keys must be of infosets of leduc_poker"),
    "a key twice": (lambda m: changed(m, "slots", repeat_key), "slots must have a key once and where it"),
    "a negative average": (
        lambda m: changed(m, "entries", put(3, -1.0, "total")),
        "total must be between 0 and",
    ),
    "NaN": (
        lambda m: changed(m, "entries", put(3, np.nan, "regret")),
        "regret must be between -1e+180 and 1e+180",
    ),
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The members of a checkpoint of each command."""
    folder, found = tmp_path_factory.mktemp("kept"), []
    for k, command in enumerate((RUN, TABLE)):
        path = folder / f"{k}.npz"
        assert run([*command, str(path)]) == SUCCESS
        found.append(members_of(path.read_bytes()))
    return found


@over(DAMAGED)
def test_a_damaged_run_is_one_line(name, kept, tmp_path, complaint):
    path, (damage, says) = tmp_path / "run.npz", DAMAGED[name]
    path.write_bytes(zipped(signed(damage(kept[0]))))
    with soon():
        assert says in complaint(*RUN, path)


@over(DAMAGED_TABLES)
def test_a_damaged_table_is_one_line(name, kept, tmp_path, complaint):
    path, (damage, says) = tmp_path / "run.npz", DAMAGED_TABLES[name]
    path.write_bytes(zipped(signed(damage(kept[1]))))
    with soon():
        assert says in complaint(*TABLE, path)


def test_what_no_range_tells_is_told_by_the_digest(kept, tmp_path, complaint):
    path = tmp_path / "run.npz"
    path.write_bytes(zipped(changed(kept[0], REGRET, put(3, 0.125))))
    assert "is damaged: its digest is not that of its contents" in complaint(*RUN, path)
    path.write_bytes(zipped(told(kept[0], seconds=1e6)))
    assert "is damaged: its digest is not that of its contents" in complaint(*RUN, path)


def test_compressed_encrypted_and_wrapped_archives_are_refused(kept, tmp_path, complaint):
    path, whole = tmp_path / "run.npz", zipped(kept[0])
    at = whole.rfind(b"PK\1\2") + 8
    for content, says in (
        (zipped(kept[0], zipfile.ZIP_DEFLATED), "'head' must be neither compressed nor encrypted"),
        (whole[:at] + b"\1" + whole[at + 1 :], "'memories.1.total' must be neither compressed nor encrypted"),
        (whole + b"more", "there is something behind its end"),
        (whole[:200] + b"more" + whole[200:], "'head' cannot be read, or has another checksum"),
    ):
        path.write_bytes(content)
        assert f"{path} is damaged: {says}" in complaint(*RUN, path)


def test_a_bomb_is_refused_before_it_is_inflated(kept, tmp_path, complaint):
    """A directory that says that a member is stored, and of a size that it has not."""
    path, whole = tmp_path / "run.npz", bytearray(zipped(kept[0]))
    at = whole.rfind(b"PK\1\2") + 20
    whole[at : at + 8] = (2**32 - 2).to_bytes(4, "little") * 2
    path.write_bytes(whole)
    assert "'memories.1.total' must lie within the file, got 4,294,967,294 bytes" in complaint(*RUN, path)


def test_what_is_no_regular_file_is_refused(tmp_path, complaint):
    (tmp_path / "run.npz").mkdir()
    assert "it is a directory" in complaint(*RUN, tmp_path / "run.npz")
