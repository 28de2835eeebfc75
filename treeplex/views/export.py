"""Export of a game as linear program, arrays, Graphviz or Gambit file."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO

from treeplex.core.loading import GameLike, load, path_of
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.outputs import check_apart, check_output
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.programs.program_writing import write_lp, write_mps
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.views.export_arrays import write_form
from treeplex.views.graphviz import dot_text

SUFFIXES: Mapping[str, str] = {
    ".mps": "mps",
    ".lp": "lp",
    ".npz": "npz",
    ".dot": "dot",
    ".gv": "dot",
    ".efg": "efg",
}
"""Formats by suffix."""
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))
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
    """Write a game for another program; a file appears whole or not at all.

    Parameters
    ----------
    game : str, Path, Game or Problem
    path : str or Path
        Its suffix says the format: .mps, .lp, .npz, .dot, .gv or .efg. Symbolic links are followed; devices
        and FIFOs are written straight; ``-`` is standard output.
    format : {"mps", "lp", "npz", "dot", "efg"}, optional
        Needed where no suffix says it: the sequence-form program of a player, unscaled, as free-format MPS or
        as CPLEX LP text; the sequence form as arrays; the tree for Graphviz, or as Gambit's extensive game.
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
        nor 1, the path cannot be written or is the game's own, or the tree is too large for its format.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "coin_toss.efg")
    ...     export("coin_toss", path)
    ...     print(path.read_text().splitlines()[0])
    EFG 2 R "coin_toss" { "Player 1" "Player 2" }
    """
    chosen = check_export(path, format, player)
    check_apart({"the export": path}, {"the game": path_of(game)})
    problem = load(game, bets=bets, raises=raises, progress=progress)
    if chosen == "npz":
        write_form(problem.form, path)
    else:
        write_text(path, lambda file: _write_text(problem, chosen, file, player))


def check_export(path: str | Path, format: str | None = None, player: int | None = None) -> str:
    """Return the format of an export, or refuse what could not be written.

    Raises
    ------
    ValueError
        As :func:`treeplex.files.outputs.check_output`, or if the player is none, or the format has no place
        for one.
    """
    chosen = check_output(path, SUFFIXES, "an export", format)
    if player is not None and (type(player) is not int or player not in (0, 1)):
        raise BadInputError(f"player must be 0 or 1, got {player!r}")
    if player is not None and chosen not in PROGRAMS:
        raise BadInputError(f"player is for {' and '.join(PROGRAMS)} only; {chosen} holds both players")
    return chosen


def _write_text(problem: Problem, format: str, file: IO[str], player: int | None = None) -> None:
    """Write a game as text in one of the formats but npz."""
    if format == "mps":
        write_mps(problem.form, player or 0, file, problem.report)
    elif format == "lp":
        write_lp(problem.form, player or 0, file, problem.report)
    elif format == "dot":
        file.writelines(dot_text(problem.enumerated.tree))
    else:
        file.write(efg_text(problem.enumerated.tree, problem.constant, problem.report))
