"""What is installed is one name, treeplex, whatever files a user keeps beside a script."""

import os
import re
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.processes import ran

README = (ROOT / "README.md").read_text(encoding="utf-8")
TEN_LINES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
SOLVER = """
import treeplex as tp


def solve(game, iterations):
    return tp.solve(game, method="cfr+", iterations=iterations).profile
"""
PACKAGES = ("cfr", "gadgets", "games", "seqform")


def python(*arguments: str, folder: Path, path: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with a folder of packages before all installed ones."""
    environment = {**os.environ, "PYTHONPATH": str(path), "PYTHONWARNINGS": "error"}
    return ran(*arguments, cwd=folder, env=environment)


def built(kind: str, source: Path, to: Path) -> Path:
    """Build a wheel or a source distribution of a folder; return the file."""
    pytest.importorskip("hatchling", reason="hatchling builds the packages")
    done = python("-m", "hatchling", "build", "-t", kind, "-d", str(to), folder=source, path=source)
    assert done.returncode == 0, done.stderr
    (found,) = to.iterdir()
    return found


def contents(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if "__pycache__" not in name}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A folder in which the wheel's packages lie."""
    folder = tmp_path_factory.mktemp("site")
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def crowded(tmp_path) -> Path:
    """A user's folder, with files and a folder that are named like parts of treeplex."""
    for name in ("cfr", "gadgets", "seqform"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('this is the user\\'s own')\n")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "__init__.py").write_text("raise RuntimeError('this is the user\\'s own')\n")
    return tmp_path


def test_the_wheel_holds_one_package_and_all_that_it_needs(wheel) -> None:
    names = contents(wheel)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"treeplex"}
    needed = {f"treeplex/{package}/__init__.py" for package in PACKAGES}
    needed |= {"treeplex/__init__.pyi", "treeplex/py.typed", "treeplex/games/cards/data/preflop.npz"}
    browser = [
        path
        for path in (ROOT / "treeplex/browser").rglob("*.*")
        if path.suffix in (".html", ".css", ".js", ".svg")
    ]
    assert len(browser) == 17
    examples = [path for path in (ROOT / "examples").rglob("*.*") if path.parent.name != "__pycache__"]
    needed |= {f"treeplex/{path.relative_to(ROOT).as_posix()}" for path in examples}
    needed |= {path.relative_to(ROOT).as_posix() for path in browser}
    assert needed <= names


@pytest.mark.seconds(3)
def test_a_wheel_from_the_source_distribution_is_the_same(wheel, tmp_path) -> None:
    archive = built("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert contents(built("wheel", source, tmp_path / "again")) == contents(wheel)


@pytest.mark.seconds(4)
@pytest.mark.parametrize("how", ["wheel", "checkout"])
def test_ten_lines_beside_files_of_the_same_names(how, installed, crowded) -> None:
    path = installed if how == "wheel" else ROOT
    script = f"{TEN_LINES}\nprint(r.exact_value, tp.__file__)"
    (crowded / "mine.py").write_text(script)
    done = python(str(crowded / "mine.py"), folder=crowded, path=path)
    assert done.returncode == 0, done.stderr
    assert "\n-1454920850547486749701863871533/16995463438839962469905132501930 " in done.stdout
    assert str(path) in done.stdout


@pytest.mark.seconds(3)
@pytest.mark.parametrize("how", ["wheel", "checkout"])
def test_the_command_line_beside_files_of_the_same_names(how, installed, crowded) -> None:
    path = installed if how == "wheel" else ROOT
    done = python("-m", "treeplex", "solve", "example:night_crossing", "--json", folder=crowded, path=path)
    assert done.returncode == 0, done.stderr
    assert '"game": "example:night_crossing"' in done.stdout


@pytest.mark.seconds(20)  # kernels are compiled anew
def test_a_solver_is_examined_beside_files_of_the_same_names(installed, crowded) -> None:
    (crowded / "mine.py").write_text(SOLVER)
    call = ("-m", "treeplex", "examine", "mine:solve", "--games", "kuhn_poker")
    done = python(*call, folder=crowded, path=installed)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "correct on kuhn_poker" in done.stdout


@pytest.mark.seconds(3)
def test_a_game_is_drawn_beside_files_of_the_same_names(installed, crowded) -> None:
    done = python("-m", "treeplex", "draw", "kuhn_poker", "--out", "kuhn.svg", folder=crowded, path=installed)
    assert done.returncode == 0, done.stderr
    assert (crowded / "kuhn.svg").read_text().lstrip().startswith("<?xml")


@pytest.mark.seconds(3)
def test_a_game_of_ones_own_beside_files_of_the_same_names(installed, crowded) -> None:
    (crowded / "mine.py").write_text(
        "import treeplex as tp\n\n\ndef small():\n    return tp.load('coin_toss').game\n"
    )
    done = python("-m", "treeplex", "solve", "mine:small", "--json", folder=crowded, path=installed)
    assert done.returncode == 0, done.stderr
    assert '"game": "coin_toss"' in done.stdout


@pytest.mark.seconds(3)
def test_the_repository_itself_runs_as_a_module() -> None:
    done = python("-m", "treeplex", "--version", folder=ROOT, path=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("package", PACKAGES)
def test_folders_at_the_top_are_no_second_copies(package, tmp_path) -> None:
    done = python("-c", f"import {package}", folder=tmp_path, path=ROOT)
    assert f"ImportError: {package} is a part of treeplex: import treeplex.{package}" in done.stderr


def test_a_part_loads_no_solver_and_no_face(tmp_path) -> None:
    found = "[m for m in sys.modules if m.startswith('treeplex')]"
    lines = f"import sys, treeplex.games.base.protocol; print({found})"
    done = python("-c", lines, folder=tmp_path, path=ROOT)
    folders = {"treeplex", "treeplex.games", "treeplex.games.base", "treeplex.process"}
    assert {*eval(done.stdout)} == folders | {
        "treeplex.games.base.protocol",
        "treeplex.process.kernel_folder",
    }
    lines = "import sys, treeplex.games.formats.specs; print({'highspy', 'pandas'} & {*sys.modules})"
    assert python("-c", lines, folder=tmp_path, path=ROOT).stdout == "set()\n"
