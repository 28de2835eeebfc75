"""Export of a game as linear program, arrays, Graphviz or Gambit file."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO

from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.exports.arrays import write_form
from treeplex.exports.dot import dot_text
from treeplex.seqform.lp.lp_writing import write_lp, write_mps
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.store.files import check_writable, write_text

FORMATS = ("mps", "lp", "npz", "dot", "efg")
SUFFIXES: Mapping[str, str] = {
    ".mps": "mps",
    ".lp": "lp",
    ".npz": "npz",
    ".dot": "dot",
    ".gv": "dot",
    ".efg": "efg",
}
"""Formats by suffix."""
PROGRAMS = ("mps", "lp")
"""Formats that hold the program of one player."""


def export(
    game: GameLike,
    path: str | Path,
    format: str | None = None,
    *,
    player: int | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> None:
    """Write a game for another program; the file appears whole or not at all.

    Parameters
    ----------
    game : str, Path, Game or Problem
    path : str or Path
        Its suffix says the format: .mps, .lp, .npz, .dot, .gv or .efg.
    format : {"mps", "lp", "npz", "dot", "efg"}, optional
        The sequence-form program of a player, unscaled, as free-format MPS or as CPLEX LP text; the sequence
        form as arrays; the tree for Graphviz, or as Gambit's extensive game.
    player : int, optional
        Whose plan a program finds, 0 unless given; for mps and lp only.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    progress : callable, optional
        Called with what is being done.

    Raises
    ------
    ValueError
        If the game is none, the format is unknown or another than the suffix says, the player is neither 0
        nor 1, the file cannot be written, or the tree is too large for its format.
    """
    chosen = format_of(path, format)
    check_export(chosen, player)
    check_writable(path, (Path(path).suffix.lower(),), "an export")
    problem = load(game, bets=bets, raises=raises, progress=progress)
    if chosen == "npz":
        write_form(problem.form, path)
    else:
        write_text(path, lambda file: write_export(problem, chosen, file, player))


def format_of(path: str | Path | None, format: str | None) -> str:
    """Return the format that is asked for, by name or by suffix.

    Raises
    ------
    ValueError
        If there is none, it is unknown, the two differ, or npz is to go nowhere.
    """
    if format is not None and format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    suffix = "" if path is None else Path(path).suffix.lower()
    chosen = format or SUFFIXES.get(suffix)
    if chosen is None:
        raise ValueError(
            f"an export needs a format ({', '.join(FORMATS)}) or a file that ends in one "
            f"({', '.join(SUFFIXES)}), got {path or 'neither'}"
        )
    if SUFFIXES.get(suffix, chosen) != chosen:
        raise ValueError(f"the file {path} says {SUFFIXES[suffix]}, and the format is {chosen}")
    if path is None and chosen == "npz":
        raise ValueError("npz is no text; it needs a file to be written to")
    return chosen


def check_export(format: str, player: int | None) -> None:
    """Refuse a player that is none, or where the format has no place for one.

    Raises
    ------
    ValueError
    """
    if player is None:
        return
    if type(player) is not int or player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, got {player!r}")
    if format not in PROGRAMS:
        raise ValueError(f"player is for {' and '.join(PROGRAMS)} only; {format} holds both players")


def write_export(problem: Problem, format: str, file: IO[str], player: int | None = None) -> None:
    """Write a game as text in one of the formats but npz; raises what :func:`export` raises."""
    if format == "mps":
        write_mps(problem.form, player or 0, file, problem.report)
    elif format == "lp":
        write_lp(problem.form, player or 0, file, problem.report)
    elif format == "dot":
        file.writelines(dot_text(problem.enumerated.tree))
    else:
        file.write(efg_text(problem.enumerated.tree, problem.constant, problem.report))
