"""The folder of a split run: what it is of, one run at a time, names of files, generations that are kept."""

import fcntl
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xxhash

from treeplex.cfr.split.tables import Place
from treeplex.games.inputs.reading import shown
from treeplex.outputs.place import cannot_write
from treeplex.outputs.writing import write_text
from treeplex.store.json_table import distinct

RUN, LOCK, SUBGAMES, TRUNK = "run.json", "lock", "subgames", "trunk"
FORMAT = "treeplex store 1"
TABLES = re.compile(r"(\d{5})\.([01])\.(\d{10})\.tables")
LEFTOVERS = ("*.part", ".treeplex-*", "writing.npz")
"""Names of files that were being written when a run was killed: tables, others, the trunk."""
WHAT = "store of a split run"
IN_USE = "is in use by another run"


@dataclass(frozen=True)
class StoreFolder:
    """A store: a folder with the files of one run.

    Attributes
    ----------
    path : Path
    """

    path: Path

    def tables_path(self, place: Place, half: int) -> Path:
        """Return where tables are: ``subgames/FLOP/LINE.PLAYER.HALF.tables``."""
        return (
            self.path / SUBGAMES / f"{place.flop:05d}" / f"{place.line:05d}.{place.player}.{half:010d}.tables"
        )

    def tables_files(self) -> Iterator[tuple[Place, int, Path]]:
        """Yield the place and the half of each file of tables, in order."""
        folder = self.path / SUBGAMES
        for flop in sorted(folder.iterdir()) if folder.is_dir() else ():
            for path in sorted(flop.iterdir()) if flop.name.isdecimal() and flop.is_dir() else ():
                if (name := TABLES.fullmatch(path.name)) is not None:
                    yield Place(int(flop.name), int(name[1]), int(name[2])), int(name[3]), path

    def n_bytes(self) -> int:
        """Return the bytes of all files."""
        return sum(path.stat().st_size for path in self.path.rglob("*") if path.is_file())

    def settle(self) -> None:
        """Wait until all files that were written are safe on the disk."""
        os.sync()

    def prune(self, halves: Collection[int]) -> None:
        """Remove the files of tables that are of none of the generations after some halves, and leftovers.

        A generation after half h has the tables of one player from half h, of the other from half h - 1.
        """
        needed = {half - back for half in halves for back in (0, 1)}
        for _, half, path in list(self.tables_files()):
            if half not in needed:
                path.unlink()
        for path in self.leftovers():
            path.unlink()

    def leftovers(self) -> list[Path]:
        """Return the files that a killed run was writing; another run must not be in the folder."""
        return sorted({path for name in LEFTOVERS for path in self.path.rglob(name)})

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder.

        Raises
        ------
        ValueError
            If a run is in it, or it cannot be written to.
        """
        try:
            lock = (self.path / LOCK).open("w")
        except OSError as error:
            raise ValueError(cannot_write(self.path / LOCK, error)) from None
        with lock as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ValueError(f"{self.path} {IN_USE}") from None
            yield

    def check_free(self) -> None:
        """Refuse a folder in which a run is under way, with ``ValueError``: it removes what is read."""
        try:
            with (self.path / LOCK).open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path} {IN_USE}") from None
        except FileNotFoundError:  # of a store that was copied without it
            return
        except OSError as error:
            raise ValueError(f"cannot read {self.path / LOCK}: {error.strerror}") from None


def opened_store(
    path: Path, identity: Mapping[str, Any], facts: Mapping[str, Any]
) -> tuple[StoreFolder, str]:
    """Return the store of a run, made if it is not there, and the digest that its files carry.

    Parameters
    ----------
    path : Path
        A folder of this run, an empty one, or none.
    identity : mapping to JSON
        What the run is of.
    facts : mapping to JSON
        What else a new store tells its readers, such as versions.

    Raises
    ------
    ValueError
        If the folder is of another run or of none, or cannot be made; in one line.
    """
    if (path / RUN).exists():
        _check_same(path, read_run(path), json.loads(json.dumps({"identity": dict(identity), **facts})))
    else:
        _make(path, {"format": FORMAT, "identity": dict(identity), **facts})
    return StoreFolder(path), run_digest(identity)


def run_digest(identity: Mapping[str, Any]) -> str:
    """Return the xxh3_128 of what a run is of."""
    return xxhash.xxh3_128_hexdigest(json.dumps(dict(identity), sort_keys=True).encode())


def read_run(path: Path) -> dict[str, Any]:
    """Return what a store's ``run.json`` says.

    Raises
    ------
    ValueError
        If there is no such file, or it is damaged or of another format.
    """
    try:
        text = (path / RUN).read_text(encoding="utf-8")
        found = json.loads(text, object_pairs_hook=distinct)
    except OSError as error:
        raise ValueError(f"{path} is no {WHAT}: cannot read {RUN}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path / RUN} is damaged: it is no JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("identity"), dict):
        raise ValueError(f"{path / RUN} is damaged: it must say what the run is of")
    if found.get("format") != FORMAT:
        raise ValueError(
            f"{path} is a store of format {shown(found.get('format'))}, got a program for {FORMAT}"
        )
    digest = found.pop("digest", None)
    if digest != run_digest(found) or _text(found, str(digest)) != text:
        raise ValueError(f"{path / RUN} is damaged: its digest is not that of its contents")
    return found


def _text(contents: Mapping[str, Any], digest: str) -> str:
    return json.dumps({**contents, "digest": digest}, indent=1, sort_keys=True) + "\n"


def _make(path: Path, contents: Mapping[str, Any]) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ValueError(f"{path} must be a {WHAT}, an empty folder or none, got {_kind(path)}")
    try:
        (path / SUBGAMES).mkdir(parents=True)
        (path / TRUNK).mkdir()
    except OSError as error:
        raise ValueError(cannot_write(path, error)) from None
    write_text(path / RUN, lambda file: file.write(_text(contents, run_digest(contents))))


def _kind(path: Path) -> str:
    return "a folder of other files" if path.is_dir() else "a file"


def _check_same(path: Path, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Refuse a store of another identity; by the game or a single parameter rather than all together."""
    if found["identity"] == expected["identity"]:
        return
    one, other = (_told(contents) for contents in (found, expected))
    key = next(key for key in {**other, **one} if one.get(key) != other.get(key))
    got = f"its {key} is {shown(one.get(key))}, got {shown(other.get(key))}"
    raise ValueError(f"{path} is of another run: {got}")


def _told(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells runs apart by what users give, the game first, the digest of its rules last."""
    identity, config = contents["identity"], contents.get("config")
    return {"game": identity.get("game"), **(config if isinstance(config, dict) else {}), **identity}
