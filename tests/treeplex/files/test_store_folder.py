"""Folders of split runs: identity, one run at a time, what is kept."""

import json

import pytest

from tests.helpers.complaints import INTERNALS
from tests.helpers.tables import STEPS, flips
from treeplex.cfr.split.subgame_tables import TablePlace
from treeplex.files.store_folder import RUN, StoreFolder, opened_store, read_run, run_digest

IDENTITY = {"game": "leduc_poker", "method": "cfr+", "scale": 16}


def made(path):
    return opened_store(path, IDENTITY, {"environment": {"numpy": "2"}})


def refusal(call, *args):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call(*args)
    line = str(caught.value)
    assert "\n" not in line
    assert not INTERNALS.search(line.split(": ", 1)[-1])
    return line


def test_a_store_is_found_again(tmp_path):
    folder, digest = made(tmp_path / "a" / "b")
    again, same = made(tmp_path / "a" / "b")
    assert (folder, digest) == (again, same)
    assert digest == run_digest(dict(reversed(IDENTITY.items())))
    assert read_run(folder.path)["environment"] == {"numpy": "2"}


def test_other_runs_are_refused_by_what_differs(tmp_path):
    made(tmp_path)
    for other, words in (
        ({**IDENTITY, "scale": 8}, "its scale is 16, got 8"),
        ({**IDENTITY, "more": "x"}, "its more is"),
        ({"game": "leduc_poker", "method": "cfr+"}, "its scale is 16"),
    ):
        line = refusal(opened_store, tmp_path, other, {})
        assert words in line
        assert f"{tmp_path} is of another run" in line


def test_a_store_that_could_not_be_made_is_made_again(tmp_path):
    for name in ("subgames", "trunk"):
        (tmp_path / name).mkdir()
    (tmp_path / ".treeplex-0011").write_text("{")
    assert made(tmp_path)[0].path == tmp_path
    (tmp_path / RUN).unlink()
    (tmp_path / "trunk" / "mine").write_text("")
    assert "got a folder of other files" in refusal(made, tmp_path)


def test_folders_of_other_files_are_refused(tmp_path):
    (tmp_path / "notes").write_text("")
    assert "must be a store of a split run, an empty folder or none" in refusal(made, tmp_path)
    assert "got a file" in refusal(made, tmp_path / "notes")
    assert f"cannot read {tmp_path / RUN}" in refusal(read_run, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes"]


@pytest.mark.parametrize("step", STEPS)
def test_flipped_bits_of_the_identity_are_found(step, tmp_path):
    made(tmp_path)
    path = tmp_path / RUN
    for content in flips(path.read_bytes(), step):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"damaged|of format|not UTF-8"):
            read_run(tmp_path)


def test_other_formats_are_refused(tmp_path):
    made(tmp_path)
    whole = json.loads((tmp_path / RUN).read_text())
    (tmp_path / RUN).write_text(json.dumps({**whole, "format": "treeplex store 9"}))
    assert "is a store of format 'treeplex store 9', got a program for" in refusal(made, tmp_path)


def test_two_runs_are_not_in_one_folder(tmp_path):
    folder, _ = made(tmp_path)
    with folder.locked():
        assert f"{tmp_path} is in use by another run" in refusal(StoreFolder(tmp_path).locked().__enter__)
    with folder.locked():
        pass


def test_a_store_that_cannot_be_locked_is_refused_in_one_line(tmp_path):
    assert "cannot write" in refusal(StoreFolder(tmp_path / "none").locked().__enter__)


def filled(path, halves):
    folder, _ = made(path)
    for half in halves:
        file = folder.tables_path(TablePlace(7, 2, (half - 1) % 2), half)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x" * half)
    return folder


def test_files_of_tables_are_listed(tmp_path):
    folder = filled(tmp_path, (3, 4))
    (tmp_path / "subgames" / "123").write_text("a file where folders are")
    (tmp_path / "subgames" / "00007" / "notes").write_text("")
    assert [(place, half) for place, half, _ in folder.tables_files()] == [
        (TablePlace(7, 2, 0), 3),
        (TablePlace(7, 2, 1), 4),
    ]
    assert all(path == folder.tables_path(place, half) for place, half, path in folder.tables_files())
    assert folder.n_bytes() == sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())


def test_two_generations_are_kept_and_leftovers_go(tmp_path):
    folder = filled(tmp_path, range(1, 8))
    left = (
        "subgames/00007/00002.0.0000000009.part",
        ".treeplex-0011",
        "trunk/writing.npz",
        "trunk/.treeplex-22",
    )
    for name in left:
        (tmp_path / name).write_text("half written")
    assert [path.relative_to(tmp_path).as_posix() for path in folder.leftovers()] == sorted(left)
    folder.prune((5, 6))
    assert [half for _, half, _ in folder.tables_files()] == [5, 4, 6]
    assert folder.leftovers() == []
    assert (tmp_path / RUN).exists()
