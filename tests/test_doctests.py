"""Examples in docstrings do what they say."""

import doctest
import importlib

from tests.helpers.cells import over
from tests.helpers.paths import ROOT

FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex")


def modules():
    """Yield the names of the modules with examples; links in ``treeplex/`` are not followed."""
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            inside = path.relative_to(ROOT).with_suffix("").parts
            linked = floor == "treeplex" and inside[1] in FLOORS
            if not linked and ">>> " in path.read_text(encoding="utf-8"):
                parts = inside if floor == "treeplex" else ("treeplex", *inside)
                yield ".".join(part for part in parts if part != "__init__")


@over([*modules()])
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
    assert found.attempted > 0
