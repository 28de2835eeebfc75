"""Kernels are kept by what they are compiled from: sources that they import count, others do not."""

from pathlib import Path

import pytest

from tests.helpers.cells import over
from treeplex.games.cards import evaluator
from treeplex.process import kernel_cache
from treeplex.process.kernel_cache import PACKAGE, BySources, digest, folder

FILES = {
    "games/low.py": "X = 1\n",
    "games/__init__.py": "",
    "games/room/__init__.py": "",
    "games/room/named.py": "Y = 1\n",
    "cfr/middle.py": "def f():\n    from treeplex.games.low import X\n",
    "cfr/high.py": "from treeplex.cfr.middle import (\n    f,\n)\nfrom treeplex.games.room import named\n",
    "cfr/apart.py": "import numpy\n",
}


@pytest.fixture
def package(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def hashes(package):
    kernel_cache._imported.cache_clear()
    digest.cache_clear()
    return {name: digest(package / name, package) for name in FILES}


@over(
    [
        ("games/low.py", {"games/low.py", "cfr/middle.py", "cfr/high.py"}),
        ("games/room/named.py", {"games/room/named.py", "cfr/high.py"}),
        ("cfr/high.py", {"cfr/high.py"}),
        ("cfr/apart.py", {"cfr/apart.py"}),
    ]
)
def test_what_imports_a_changed_file_is_compiled_again_and_nothing_else(changed, follow, package):
    before = hashes(package)
    assert len({*before.values()}) == len(FILES)
    (package / changed).write_text(FILES[changed] + "Z = 2\n")
    after = hashes(package)
    assert {name for name in FILES if before[name] != after[name]} == follow


def test_the_same_sources_in_another_folder_have_the_same_hashes(package, tmp_path_factory):
    before = hashes(package)
    assert hashes(package.rename(tmp_path_factory.mktemp("other") / "clone")) == before


def test_kernels_of_this_package_have_a_place_outside_of_it_and_others_none(monkeypatch, tmp_path):
    monkeypatch.setenv("TREEPLEX_KERNELS", str(tmp_path))
    file = evaluator.__file__
    place = BySources.from_function(digest.__wrapped__, file)
    assert Path(place.get_cache_path()) == tmp_path / digest(Path(file), PACKAGE)
    assert place.get_source_stamp() == digest(Path(file), PACKAGE)
    assert BySources.from_function(hashes, __file__) is None
    monkeypatch.delenv("TREEPLEX_KERNELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert folder() == Path("/caches/treeplex/kernels")
