"""Commands run in this process, and what they print."""

import re

from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run

RESULT_KEYS = [
    "game",
    "form",
    "method",
    "solver",
    "why",
    "status",
    "value",
    "lower",
    "upper",
    "exact_value",
    "gains",
    "nash_conv",
    "exploitability",
    "pots",
    "mbb_per_hand",
    "distance_to_value",
    "certified",
    "target",
    "unit",
    "ev",
    "iterations",
    "seconds",
    "n_infosets",
    "completed",
    "absent",
    "lp",
    "storage",
    "fixed_point",
    "split",
    "hash",
    "n_boards",
    "n_real_boards",
    "bytes",
    "abstraction",
    "blueprint",
    "lower_bounds",
    "abstract_nash_conv",
    "seed",
    "note",
]
"""The keys of a result as JSON."""


def printed(capsys, *arguments, code=SUCCESS):
    """Return what a command prints that ends with a code and says nothing on standard error."""
    capsys.readouterr()
    assert run([*map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def rows_of(text):
    """Return the rows of a printed table of two columns."""
    return dict(re.findall(r"^  (\S[\w ]*?)  +(\S.*?) *$", text, re.MULTILINE))
