"""Examples in docstrings do what they say."""

import doctest
import importlib
import inspect
from importlib.util import find_spec

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT

FLOORS = ("games", "seqform", "gadgets", "cfr", "treeplex")
OF_OPENSPIEL = "treeplex.files.openspiel_policy"
"""The module whose examples need OpenSpiel."""


def modules():
    """Yield the names of the modules with examples; links in ``treeplex/`` are not followed."""
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            inside = path.relative_to(ROOT).with_suffix("").parts
            linked = floor == "treeplex" and inside[1] in FLOORS
            if not linked and ">>> " in path.read_text(encoding="utf-8"):
                parts = inside if floor == "treeplex" else ("treeplex", *inside)
                name = ".".join(part for part in parts if part != "__init__")
                if name != OF_OPENSPIEL or find_spec("pyspiel") is not None:
                    yield name


@pytest.mark.seconds(8)
@over([*modules()])
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
    assert found.attempted > 0


def test_every_public_function_has_an_example():
    """Which runs above, as do all of the modules; one that is skipped is none."""
    functions = [found for name in tp.__all__ if inspect.isfunction(found := getattr(tp, name))]
    assert functions
    for function in functions:
        examples = [
            each for each in doctest.DocTestFinder(recurse=False).find(function) for each in each.examples
        ]
        runs = [each for each in examples if not each.options.get(doctest.SKIP)]
        assert any(f"{function.__name__}(" in each.source for each in runs), function.__name__
