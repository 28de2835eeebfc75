"""Files that pages of reports show: what ``verify`` prints, the course of a run, and any JSON."""

import json

import treeplex as tp
from treeplex.files.trace_file import trace_table, write_trace

VERIFIED = {
    "ok": False,
    "seconds": 1.5,
    "checks": [
        {
            "name": "folk-theorem",
            "source": "Burch <b>",
            "instances": 4,
            "checks": 4000,
            "zeros": 0,
            "min_slack": -0.25,
            "tight": 1,
            "violations": 1,
            "false_twin_violations": None,
            "seconds": 0.5,
            "faults": ["1 violation"],
            "worst": [
                {
                    "game": "kuhn_poker",
                    "seed": 0,
                    "seat": None,
                    "choice": "",
                    "at": "",
                    "left": 1.0,
                    "right": 0.75,
                    "slack": -0.25,
                    "error": None,
                }
            ],
        }
    ],
}
"""What ``verify --json`` prints, in short."""


def written(folder, content, name="r.json"):
    """Write a text, or an object as JSON; return the path."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def course(folder):
    """Write the course of a run of Kuhn poker; return the path."""
    path = folder / "t.csv"
    found = tp.solve("kuhn_poker", "cfr+", iterations=20, traced=True)
    write_trace(trace_table(found.game, found.method, found.unit, found.trace), path)
    return path
