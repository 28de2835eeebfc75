"""Where numba keeps compiled kernels if its own folders cannot be written; what is said of damaged ones."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.processes import PIPES, python
from treeplex.process import kernel_folder

KUHN = ("-m", "treeplex", "solve", "kuhn_poker", "--method", "cfr+", "--iterations", "1")
SETTLED = """
import os, sys
from pathlib import Path
from treeplex.process.kernel_folder import settle
settle(Path(sys.argv[1]))
print(os.environ.get("NUMBA_CACHE_DIR", ""))
"""


@pytest.fixture
def nowhere(tmp_path):
    """A path at which nobody can make a folder."""
    (tmp_path / "file").touch()
    return tmp_path / "file" / "folder"


def settled(package, **variables):
    """Return the folder that a process names to numba, empty if none."""
    kept = {name: value for name, value in os.environ.items() if name not in kernel_folder.SETTINGS}
    environment = {**kept, "PYTHONPATH": str(ROOT), **{name: str(value) for name, value in variables.items()}}
    with python("-c", SETTLED, package, env=environment, stdout=subprocess.PIPE) as process:
        name = process.communicate()[0].strip()
    assert process.returncode == 0
    return name


def test_a_folder_is_made_where_there_is_no_other_and_goes_with_the_process(tmp_path, nowhere):
    name = settled(nowhere, XDG_CACHE_HOME=nowhere, TMPDIR=tmp_path)
    assert name.startswith(str(tmp_path / "treeplex-kernels-"))
    assert not Path(name).exists()


def test_none_is_made_where_there_is_another(tmp_path, nowhere):
    assert settled(tmp_path, XDG_CACHE_HOME=nowhere, TMPDIR=tmp_path) == ""
    assert settled(nowhere, XDG_CACHE_HOME=tmp_path / "new", TMPDIR=tmp_path) == ""
    assert settled(nowhere, XDG_CACHE_HOME=nowhere, NUMBA_CACHE_DIR=tmp_path) == str(tmp_path)
    assert not (tmp_path / "new").exists()


@pytest.mark.seconds(12)
def test_damaged_kernels_are_one_line(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != kernel_folder.SETTINGS[1]}
    environment |= {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "whole")}
    with python(*KUHN, env=environment, **PIPES) as process:
        process.communicate()
    assert process.returncode == 0
    for kind, left, says in ((".nbi", 0, "EOFError Ran out of input"), (".nbc", 100, "UnpicklingError")):
        damaged = shutil.copytree(tmp_path / "whole", tmp_path / kind)
        for path in damaged.rglob(f"*{kind}"):
            os.truncate(path, left)
        with python(*KUHN, env={**environment, "NUMBA_CACHE_DIR": str(damaged)}, **PIPES) as process:
            err = process.communicate()[1].strip()
        assert process.returncode == 2
        assert err.startswith(f"treeplex: compiled kernels cannot be kept in or read from {damaged}/")
        assert says in err


def test_other_errors_are_none_of_kernels():
    with pytest.raises(FileNotFoundError) as raised:
        Path("/none/at/all").read_bytes()
    assert kernel_folder.trouble(raised.value) is None
