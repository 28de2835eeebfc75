"""Counterexamples as files: what is needed to replay them, the game for other programs, a picture."""

import json
from pathlib import Path

from treeplex.bench.challenges.outcome import Challenge
from treeplex.files.outputs import check_output, check_path
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.trees.efg_writer import efg_text

STEM = "counterexample"


def json_path(folder: str | Path) -> Path:
    """Return where a counterexample's own file lies in a folder."""
    return Path(folder) / f"{STEM}.json"


def check_folder(folder: str | Path) -> None:
    """Make a folder, unless there is one, and refuse it if a counterexample could not be written there.

    Raises
    ------
    ValueError
        One line.
    """
    check_path(folder, "a counterexample")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot make the folder {folder}: {error.strerror}") from None
    for suffix in ("json", "efg", "svg"):
        check_output(Path(folder) / f"{STEM}.{suffix}", {f".{suffix}": suffix}, "a counterexample")


def write_counterexample(outcome: Challenge, folder: str | Path) -> None:
    """Write a counterexample as JSON, as Gambit's extensive game, and unless too large as a picture."""
    found = outcome.counterexample
    assert found is not None
    content = {"claim": outcome.claim, "target": outcome.target, **found.as_json()}
    text = json.dumps(content, indent=1, allow_nan=False) + "\n"
    write_text(json_path(folder), lambda file: file.write(text))
    game = efg_text(found.case.numbered.tree)
    write_text(Path(folder) / f"{STEM}.efg", lambda file: file.write(game))
    if found.picture is not None:
        found.picture.write(Path(folder) / f"{STEM}.svg")
