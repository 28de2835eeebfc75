"""What ``import treeplex`` offers: names, their groups in ``help``, and the version."""

import re
import subprocess
import sys
from collections import Counter

import treeplex as tp
from tests.helpers.paths import ROOT

GROUPS = ("Games", "Solve", "Judge", "Subgames", "Bench", "Abstractions", "Pictures", "Files")


def grouped():
    """Return the names of each group of the help, and the text of each name."""
    groups, texts = {}, {}
    for line in tp.__doc__.splitlines():
        if line in GROUPS:
            names = groups.setdefault(line, [])
        elif entry := re.fullmatch(r"    (\w+) +(\S.*)", line):
            names.append(entry[1])
            texts[entry[1]] = entry[2]
    return groups, texts


def test_help_says_each_public_name_once_by_group():
    groups, texts = grouped()
    assert tuple(groups) == GROUPS
    assert Counter(name for names in groups.values() for name in names) == Counter(tp.__all__)
    assert all(len(text) > 15 for text in texts.values())


def test_dir_shows_public_names_alone():
    import treeplex.solving.solve

    assert treeplex.solving  # a submodule is an attribute, and yet not listed
    assert sorted(dir(tp)) == sorted([*tp.__all__, "__version__"])


def test_every_public_name_has_help_of_its_own():
    for name in tp.__all__:
        assert (getattr(tp, name).__doc__ or "").strip(), name


def test_the_version_is_that_of_the_project():
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", tp.__version__)
    code = "import sys, treeplex; print(treeplex.__version__, len(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    version, modules = done.stdout.split()
    assert version == tp.__version__
    assert int(modules) < 200  # nothing heavy is loaded for it
