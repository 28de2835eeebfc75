"""Strategies as files: how other people's solvers are judged, and how ours are handed on."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd

from seqform.profile import Profile
from seqform.sequence_form import SequenceForm
from seqform.treeplex import Floats, Treeplex
from treeplex.files import check_suffix, write_text

SUFFIXES = (".csv", ".json")
COLUMNS = ["player", "infoset", "action", "probability"]
SUM_TOLERANCE = 5e-4
"""How far an infoset's probabilities may be from one, as files print few digits; they are normalised."""


def write_strategy(profile: Profile, path: str | Path) -> None:
    """Write a profile as CSV or JSON, by the path's suffix; the file appears whole or not at all.

    Probabilities are written with as many digits as it takes to read the same floats back.

    Raises
    ------
    ValueError
        If the suffix is neither ``.csv`` nor ``.json``, or the file cannot be written.
    """
    table = profile.table()
    if _suffix(Path(path)) == ".csv":
        write_text(path, lambda file: table.to_csv(file, index=False))
    else:
        write_text(path, lambda file: json.dump(table.to_dict(orient="records"), file, indent=0))


def read_strategy(path: str | Path, form: SequenceForm) -> Profile:
    """Read a profile for a game from CSV or JSON with columns player, infoset, action, probability.

    The form is a problem's ``whole``, which has the infosets of locked hands too.

    Raises
    ------
    ValueError
        If the file cannot be read, a row is for no player, infoset or action of the game, appears twice or
        is missing, or an infoset's probabilities are negative, not finite or do not sum to one within 5e-4.
    """
    table = _read_table(Path(path))
    behaviour = [_behaviour(table[table["player"] == p], form.treeplexes[p], p, path) for p in (0, 1)]
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def _suffix(path: Path) -> str:
    check_suffix(path, SUFFIXES, "a strategy file")
    return path.suffix.lower()


def _read_table(path: Path) -> pd.DataFrame:
    try:
        if _suffix(path) == ".csv":
            table = pd.read_csv(path, dtype=str, keep_default_na=False)
        else:
            table = pd.DataFrame(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ValueError(f"cannot read {path}: {reason}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if "strategy file" in str(error):
            raise
        raise ValueError(f"{path} is not a table: {str(error).splitlines()[0]}") from error
    missing = [c for c in COLUMNS if c not in table.columns]
    if missing:
        raise ValueError(
            f"{path}: a strategy needs columns {', '.join(COLUMNS)}; {', '.join(missing)} missing"
        )
    return _typed(table, path)


def _typed(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    players = table["player"].astype(str)
    wrong = ~players.isin(["0", "1"])
    if wrong.any():
        raise ValueError(f"{path}, row {_row(wrong)}: player must be 0 or 1, got {players[wrong].iloc[0]!r}")
    numbers = table["probability"].map(_probability)
    wrong = ~((numbers >= 0) & (numbers <= 1 + SUM_TOLERANCE))
    if wrong.any():
        bad = str(table["probability"][wrong].iloc[0])
        raise ValueError(f"{path}, row {_row(wrong)}: a probability must be between 0 and 1, got {bad!r}")
    return pd.DataFrame(
        {
            "player": players.astype(int),
            "infoset": table["infoset"].astype(str),
            "action": table["action"].astype(str),
            "probability": numbers.astype(float),
        }
    )


def _probability(value: object) -> float:
    """Return the float nearest to what a cell spells, NaN where it spells none."""
    try:
        return float(str(value))
    except ValueError:
        return math.nan


def _row(wrong: "pd.Series[bool]") -> int:
    return int(np.flatnonzero(wrong)[0]) + 1


def _behaviour(table: pd.DataFrame, treeplex: Treeplex, player: int, path: str | Path) -> Floats:
    keys = [treeplex.infosets[i] for i in treeplex.infoset_of[1:]]
    index = {key: s for s, key in enumerate(zip(keys, treeplex.actions[1:], strict=True), start=1)}
    behaviour = np.full(treeplex.n_sequences, np.nan)
    behaviour[0] = 1.0
    for infoset, action, probability in zip(
        table["infoset"], table["action"], table["probability"], strict=True
    ):
        s = index.get((infoset, action))
        if s is None:
            what = f"action {action!r} at infoset" if infoset in set(keys) else "infoset"
            raise ValueError(f"{path}: player {player} has no {what} {infoset!r}")
        if not np.isnan(behaviour[s]):
            raise ValueError(f"{path}: player {player}'s {action!r} at {infoset!r} appears twice")
        behaviour[s] = probability
    _check_rows(behaviour, treeplex, player, path)
    return behaviour


def _check_rows(behaviour: Floats, treeplex: Treeplex, player: int, path: str | Path) -> None:
    gone = np.flatnonzero(np.isnan(behaviour))
    if len(gone):
        infoset = treeplex.infosets[treeplex.infoset_of[gone[0]]]
        raise ValueError(
            f"{path}: player {player}'s {treeplex.actions[gone[0]]!r} at {infoset!r} is missing "
            f"({len(gone):,} rows are)"
        )
    if treeplex.n_infosets == 0:
        return
    totals = np.add.reduceat(behaviour, treeplex.begin)
    off = np.flatnonzero(np.abs(totals - 1.0) > SUM_TOLERANCE)
    if len(off):
        raise ValueError(
            f"{path}: player {player}'s probabilities at {treeplex.infosets[off[0]]!r} must sum to 1 within "
            f"{SUM_TOLERANCE}, got {totals[off[0]]}"
        )
    behaviour[1:] /= totals[treeplex.infoset_of[1:]]
