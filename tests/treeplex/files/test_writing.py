"""Files are written whole where links lead, streams straight; what cannot be written is one line."""

import fcntl
import io
import json
import os
import resource
import secrets
import signal
import socket
import stat
import subprocess
import tempfile
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.places import NOBODY, device, read_from, round_link
from tests.helpers.processes import python
from tests.helpers.profiles import random_profile

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, FIFOs, devices and descriptors")


@pytest.fixture(scope="module")
def profile():
    return random_profile(tp.load("kuhn_poker").form, 3)


@pytest.fixture(scope="module")
def content(profile, tmp_path_factory):
    """What a file of the profile holds, by format."""
    folder = tmp_path_factory.mktemp("content")
    for format in ("csv", "json", "parquet"):
        tp.write(profile, folder / f"kuhn.{format}")
    return {path.suffix[1:]: path.read_bytes() for path in folder.iterdir()}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# files


def test_a_link_is_followed(profile, content, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "real.csv").write_text("old")
    (tmp_path / "there" / "link.csv").symlink_to("real.csv")
    (tmp_path / "link.csv").symlink_to("there/link.csv")
    tp.write(profile, tmp_path / "link.csv")
    assert (tmp_path / "there" / "real.csv").read_bytes() == content["csv"]
    assert not (tmp_path / "there" / "real.csv").is_symlink()
    assert os.readlink(tmp_path / "link.csv") == "there/link.csv"
    assert names(tmp_path / "there") == ["link.csv", "real.csv"]


def test_a_dangling_link_gets_its_target(profile, content, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link.csv").symlink_to("there/new.csv")
    tp.write(profile, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "there" / "new.csv").read_bytes() == content["csv"]
    (tmp_path / "lost.csv").symlink_to("gone/new.csv")
    with pytest.raises(ValueError, match=f"there is no directory {tmp_path}/gone"):
        tp.write(profile, tmp_path / "lost.csv")


def test_links_that_go_round_are_refused(profile, tmp_path):
    path = round_link(tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"cannot write .*: Too many levels of symbolic links"):
        tp.write(profile, path)
    with pytest.raises(ValueError, match=r"cannot read .*: Too many levels of symbolic links"):
        tp.read("kuhn_poker", path)
    run = round_link(tmp_path / "run.npz")
    with pytest.raises(ValueError, match="Too many levels of symbolic links"):
        tp.solve("kuhn_poker", "cfr+", iterations=3, checkpoint=run)
    assert path.is_symlink()
    assert run.is_symlink()
    assert names(tmp_path) == ["a.csv", "round-a.csv", "round-run.npz", "run.npz"]


@over([0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_umask_says(umask, profile, tmp_path):
    before = os.umask(umask)
    try:
        tp.write(profile, tmp_path / "kuhn.csv")
        tp.export("coin_toss", tmp_path / "coin.npz")
    finally:
        os.umask(before)
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


@over([0o600, 0o664, 0o4755])
def test_a_file_that_is_there_keeps_its_mode(mode, profile, content, tmp_path):
    path = tmp_path / "kuhn.csv"
    path.touch()
    path.chmod(mode)
    tp.write(profile, path)
    assert path.read_bytes() == content["csv"]
    assert stat.S_IMODE(path.stat().st_mode) == mode & 0o777


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser writes for others")
def test_a_file_that_is_there_keeps_its_owner(profile, tmp_path):
    path = tmp_path / "kuhn.csv"
    path.touch()
    os.chown(path, NOBODY, NOBODY)
    tp.write(profile, path)
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser mounts")
def test_a_mounted_file_gets_the_content(profile, content, tmp_path):
    inside, outside = tmp_path / "inside.csv", tmp_path / "outside.csv"
    inside.touch()
    outside.write_text("old")
    mount = ["mount", "--bind", str(outside), str(inside)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        tp.write(profile, inside)
    finally:
        subprocess.run(["umount", str(inside)], check=True)
    assert outside.read_bytes() == content["csv"]
    assert names(tmp_path) == ["inside.csv", "outside.csv"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser mounts")
@over([("size=8k", "No space left"), ("ro", "is not writable")])
def test_a_full_or_read_only_file_system_is_one_line(options, says, tmp_path):
    large = random_profile(tp.load("leduc_poker").form, 3)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        for name in ("s.csv", "s.parquet"):
            with pytest.raises(ValueError, match=f"cannot write .*{says}"):
                tp.write(large, tmp_path / name)
        assert names(tmp_path) == []
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_no_other_name_loses_its_content(profile, tmp_path):
    (tmp_path / "old.csv").write_text("old")
    os.link(tmp_path / "old.csv", tmp_path / "new.csv")
    tp.write(profile, tmp_path / "new.csv")
    assert (tmp_path / "old.csv").read_text() == "old"


def test_long_and_odd_names(profile, content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = ["a" * 251 + ".csv", "-x.csv", "--.csv", os.fsdecode(b"\xff\xfe.csv"), "a\nb.csv", " .csv"]
    for name in written:
        tp.write(profile, name)
        assert Path(name).read_bytes() == content["csv"]
    assert names(tmp_path) == sorted(written)
    for name, says in (
        ("a" * 252 + ".csv", "File name too long"),
        ("a/" * 3000 + "a.csv", "File name too long"),
        ("a\0.csv", "null"),
        ("\ud800.csv", "surrogates not allowed"),
    ):
        with pytest.raises(ValueError, match=f"^cannot write .*{says}") as refusal:
            tp.write(profile, name)
        assert "Errno" not in str(refusal.value)


def test_directories_and_sockets_are_refused(profile, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "link.csv").symlink_to("folder.csv")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.csv")
        for name, says in (
            ("folder.csv", "it is a directory"),
            ("link.csv", "it is a directory"),
            ("socket.csv", "it is a socket"),
            ("gone/kuhn.csv", "there is no directory gone"),
            ("socket.csv/kuhn.csv", "there is no directory socket.csv"),
        ):
            with pytest.raises(ValueError, match=f"cannot write {name}: {says}"):
                tp.write(profile, name)
    assert names(tmp_path) == ["folder.csv", "link.csv", "socket.csv"]


@over(["kuhn.csv", "kuhn.json", "kuhn.parquet", "run.npz", "coin.npz", "kuhn.svg"])
def test_a_file_that_grows_too_large_leaves_the_old_one(name, profile, tmp_path):
    path = tmp_path / name
    write = {
        "run.npz": lambda: tp.solve("kuhn_poker", "cfr+", iterations=3, checkpoint=path),
        "coin.npz": lambda: tp.export("coin_toss", path),
        "kuhn.svg": lambda: tp.draw("kuhn_poker").write(path),
    }.get(name, lambda: tp.write(profile, path))
    if name != "run.npz":
        path.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(ValueError, match=f"cannot write {path}: File too large"):
            write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == ({} if name == "run.npz" else {name: "old"})


def test_an_interrupted_write_leaves_nothing(profile, tmp_path, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        tp.write(profile, tmp_path / "strategy.csv")
    assert names(tmp_path) == []


KILLED = """
import os, signal
import treeplex as tp
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
tp.write(tp.solve("kuhn_poker"), "kuhn.csv")
"""


@pytest.mark.seconds(2)
def test_what_a_killed_run_was_writing_goes_with_the_next(profile, content, tmp_path):
    with python("-c", KILLED, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        assert process.wait() == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".treeplex-")
    tp.write(profile, tmp_path / "other.csv")
    (tmp_path / f"{left.name}-link").symlink_to(tmp_path / "none")
    os.mkfifo(tmp_path / f"{left.name}-fifo")
    with left.open("rb") as living:
        fcntl.flock(living, fcntl.LOCK_SH)
        tp.write(profile, tmp_path / "kuhn.csv")
        assert names(tmp_path)[0] == left.name
    tp.write(profile, tmp_path / "kuhn.csv")
    assert names(tmp_path) == [f"{left.name}-fifo", f"{left.name}-link", "kuhn.csv", "other.csv"]
    assert (tmp_path / "kuhn.csv").read_bytes() == content["csv"]


REFUSED_TO_NOBODY = """
import json, os, sys
import treeplex as tp
kuhn = tp.solve("kuhn_poker")
tp.write(kuhn, "first.csv")  # imports all that it takes
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(int(sys.argv[1]))
    os.setuid(int(sys.argv[1]))
said = {}
for name in ("kept.csv", "closed/new.csv", "sticky/theirs.csv", "sticky/mine.csv", "hidden/new.csv"):
    try:
        said[name] = tp.write(kuhn, name)
    except ValueError as error:
        said[name] = str(error)
print(json.dumps(said))
"""


@pytest.mark.seconds(3)
def test_what_is_not_ones_own_is_refused():
    """As a user without rights, whoever runs the tests."""
    superuser = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for inside in ("closed", "sticky", "hidden"):
            (folder / inside).mkdir()
        (folder / "kept.csv").write_text("old")
        (folder / "sticky" / "theirs.csv").write_text("old")
        (folder / "sticky" / "theirs.csv").chmod(0o666)
        if superuser:
            os.chown(folder, NOBODY, -1)
            os.chown(folder / "kept.csv", NOBODY, -1)
        (folder / "kept.csv").chmod(0o444)
        (folder / "closed").chmod(0o555)
        (folder / "sticky").chmod(0o1777)
        (folder / "hidden").chmod(0o600)
        arguments = ("-c", REFUSED_TO_NOBODY, NOBODY)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with python(*arguments, cwd=folder, env=environment, stdout=subprocess.PIPE) as process:
            said = json.loads(process.communicate()[0])
        (folder / "hidden").chmod(0o700)
        assert said["kept.csv"] == "cannot write kept.csv: it is not writable"
        assert said["closed/new.csv"] == "cannot write closed/new.csv: the directory closed is not writable"
        assert said["sticky/mine.csv"] is None
        assert "cannot write hidden/new.csv" in said["hidden/new.csv"]
        if superuser:  # else the file is one's own
            assert "another user's, and the directory sticky is sticky" in said["sticky/theirs.csv"]
            assert (folder / "sticky" / "theirs.csv").read_text() == "old"
        assert (folder / "kept.csv").read_text() == "old"
        assert not list(folder.rglob(".treeplex-*"))


# streams


@over(["csv", "json", "parquet"], [True, False])
def test_a_fifo_stays_one(format, has_suffix, profile, content, tmp_path):
    path = tmp_path / (f"pipe.{format}" if has_suffix else "pipe")
    with read_from(path) as read:
        tp.write(profile, path, *(() if has_suffix else (format,)))
    assert read == [content[format]]
    assert path.is_fifo()
    assert names(tmp_path) == [path.name]


def test_arrays_and_pictures_go_through_a_fifo(tmp_path):
    with read_from(tmp_path / "coin.npz") as read:
        tp.export("coin_toss", tmp_path / "coin.npz")
    assert {"head", "E", "base_num"} & {*np.load(io.BytesIO(read[0]))} == {"head", "base_num"}
    with read_from(tmp_path / "coin.svg") as read:
        tp.draw("coin_toss").write(tmp_path / "coin.svg")
    assert b"</svg>" in read[0]


def test_a_device_stays_one(profile, tmp_path):
    path = device(tmp_path, "null")
    (tmp_path / "link.csv").symlink_to(path)
    tp.write(profile, path, "csv")
    tp.write(profile, path, format="parquet")
    tp.write(profile, tmp_path / "link.csv")
    tp.export("coin_toss", path, "npz")
    tp.draw("coin_toss").write(path, "png")
    assert stat.S_ISCHR(os.stat(path).st_mode)
    assert (tmp_path / "link.csv").is_symlink()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux's full device")
def test_a_full_device_is_one_line(profile, tmp_path):
    path = device(tmp_path, "full")
    for format in ("csv", "parquet"):
        with pytest.raises(ValueError, match=f"^cannot write {path}: No space left on device$"):
            tp.write(profile, path, format)


def test_a_fifo_whose_reader_goes_away_is_one_line(tmp_path):
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    large = random_profile(tp.load("leduc_poker(ranks=13)").form, 3)  # more than a pipe holds
    reader = threading.Thread(target=lambda: os.close(os.open(path, os.O_RDONLY)), daemon=True)
    reader.start()
    with pytest.raises(ValueError, match=f"^cannot write {path}: Broken pipe$"):
        tp.write(large, path)
    reader.join(timeout=30)
    assert names(tmp_path) == ["pipe.csv"]


@over(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"], ["csv", "parquet"])
def test_standard_output_by_its_names(name, format, profile, content, tmp_path, capfdbinary):
    if name.startswith("/") and not os.path.exists(name):
        return
    if name == "/dev/stdout" and os.access("/dev", os.W_OK):
        return  # who may write in /dev could replace it
    (tmp_path / "link").symlink_to("/dev/fd/1")
    print("before", flush=False)
    tp.write(profile, str(tmp_path / "link") if name == "link" else name, format)
    assert capfdbinary.readouterr().out == b"before\n" + content[format]
    assert (tmp_path / "link").is_symlink()


def test_open_descriptors_are_written_to_and_stay_open(profile, content, tmp_path):
    """Also those that cannot be opened by name: deleted files, sockets; a file where it has come to."""
    with tempfile.TemporaryFile() as deleted:
        tp.write(profile, f"/dev/fd/{deleted.fileno()}", "parquet")
        deleted.seek(0)
        assert deleted.read() == content["parquet"]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        tp.write(profile, f"/dev/fd/{ours.fileno()}", "csv")
        assert theirs.recv(2**16) == content["csv"]
    with (tmp_path / "log").open("ab") as log:
        log.write(b"before\n")
        log.flush()
        tp.write(profile, f"/dev/fd/{log.fileno()}", "parquet")
    head, rest = (tmp_path / "log").read_bytes().split(b"\n", 1)
    assert (head, len(pd.read_parquet(io.BytesIO(rest)))) == (b"before", len(profile.table()))


def test_descriptors_that_cannot_be_written_are_refused(profile, tmp_path):
    (tmp_path / "old.csv").write_text("old")
    with (tmp_path / "old.csv").open() as file:
        number = file.fileno()
        with pytest.raises(ValueError, match=f"cannot write /dev/fd/{number}: it is not open for writing"):
            tp.write(profile, f"/dev/fd/{number}", "csv")
    with pytest.raises(ValueError, match=f"cannot write /dev/fd/{number}: Bad file descriptor"):
        tp.write(profile, f"/dev/fd/{number}", "csv")
    with pytest.raises(ValueError, match="cannot write /dev/fd/"):
        tp.write(profile, f"/dev/fd/{10**30}", "csv")
    assert (tmp_path / "old.csv").read_text() == "old"


def test_nothing_goes_to_a_stream_before_all_is_there(tmp_path, monkeypatch):
    problem = tp.load("coin_toss")
    monkeypatch.setattr(np, "savez", lambda file, **arrays: file.write(b"half") and secrets.choice([]))
    with read_from(tmp_path / "coin.npz") as read, pytest.raises(IndexError):
        tp.export(problem, tmp_path / "coin.npz")
    assert read == [b""]


@over(["fifo", "device", "link"])
def test_a_checkpoint_is_a_regular_file(kind, tmp_path, tmp_path_factory):
    path = tmp_path / "run.npz"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to(device(tmp_path_factory.mktemp("device"), "null"))
    else:
        path.symlink_to("/dev/fd/1")
    with pytest.raises(ValueError, match="a checkpoint is read again and must be a regular file"):
        tp.solve("kuhn_poker", "cfr+", iterations=3, checkpoint=path)
    assert names(tmp_path) == ["run.npz"]
    real = tmp_path / "real.npz"
    path.unlink()
    path.symlink_to("real.npz")
    tp.solve("kuhn_poker", "cfr+", iterations=3, checkpoint=path)
    assert tp.solve("kuhn_poker", "cfr+", iterations=4, checkpoint=path).status.endswith("resumed after 3")
    assert path.is_symlink()
    assert real.is_file()
