"""What runs keep part by part: read back as it was, refused in one line where damaged or of another run."""

import numpy as np
import pytest

from treeplex.files.archives import ExpectedArray
from treeplex.files.kept import IDENTITY, Kept
from treeplex.games.base.errors import BadInputError

ARRAYS = {"values": np.array([[0.5, -1.0]]), "plan0": np.array([1, 2, 3], np.uint16)}


def kept_in(folder, **identity):
    return Kept.open(folder, {"game": "leduc_poker", "row": "resolve", **identity})


def test_parts_are_read_back_as_they_were(tmp_path):
    kept = kept_in(tmp_path / "run")
    assert kept.get("flop0001") is None
    kept.put("flop0001", ARRAYS)
    for found in (kept.get("flop0001"), kept_in(tmp_path / "run").get("flop0001", needed=("values",))):
        assert found.keys() == ARRAYS.keys()
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(found[name], array)
            assert found[name].dtype == array.dtype
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["flop0001.npz", IDENTITY]


def test_a_folder_is_of_one_run(tmp_path):
    kept_in(tmp_path)
    with pytest.raises(BadInputError, match="holds another run: its row is 'resolve', not 'maxmargin'"):
        kept_in(tmp_path, row="maxmargin")
    for text in ("", "[1", "3", "null", "[" * 200_000):
        (tmp_path / IDENTITY).write_text(text)
        with pytest.raises(BadInputError, match="must say what run"):
            kept_in(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadInputError, match=r"^cannot make the folder \S*file: File exists$"):
        kept_in(tmp_path / "file")


def test_what_is_damaged_or_of_another_part_is_refused(tmp_path):
    kept = kept_in(tmp_path)
    kept.put("a", ARRAYS)
    whole = kept.path("a").read_bytes()
    for spoilt in (b"", whole[: len(whole) // 2], whole[:-1], whole + b"x", b"PK" + bytes(200)):
        kept.path("a").write_bytes(spoilt)
        with pytest.raises(BadInputError, match=r"a\.npz is (no part of a kept run|damaged)"):
            kept.get("a")
    kept.path("b").write_bytes(whole)
    with pytest.raises(BadInputError, match=r"b\.npz must be b of this run"):
        kept.get("b")
    kept.put("c", {"values": np.array([np.nan])})
    with pytest.raises(BadInputError, match="its values must be finite"):
        kept.get("c")
    with pytest.raises(BadInputError, match="it has no array error"):
        kept.get("c", needed=("error",))
    np.savez(kept.path("d"), **ARRAYS)  # as runs were kept once
    with pytest.raises(BadInputError, match=r"d\.npz is no part of a kept run"):
        kept.get("d")


def test_shapes_and_dtypes_are_those_that_are_expected(tmp_path):
    kept = kept_in(tmp_path)
    kept.put("a", ARRAYS)
    expected = {
        "values": ExpectedArray((np.dtype(float),), (1, 2)),
        "plan0": ExpectedArray((np.dtype(np.uint16),), (3,)),
    }
    assert kept.get("a", expected).keys() == ARRAYS.keys()
    for wrong in (ExpectedArray((np.dtype(float),), (2, 1)), ExpectedArray((np.dtype(np.uint16),), (1, 2))):
        with pytest.raises(BadInputError, match="is damaged"):
            kept.get("a", {**expected, "values": wrong})
