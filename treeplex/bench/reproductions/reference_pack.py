"""The reference pack: every game whose exact value is known, in one file for other projects."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any

from treeplex import __version__
from treeplex.bench.reproductions.reference_entry import ReferenceEntry, entry_of
from treeplex.core.progress import Progress, silent
from treeplex.files.outputs import check_output
from treeplex.files.writing import write_text
from treeplex.games.base.display import Block, Columns, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import fraction_text
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import complaint
from treeplex.games.counting.references import BY_SPEC, REFERENCES, Reference
from treeplex.games.formats.specs import load_game

FORMAT = 1
"""Version of the pack's format: what its keys mean does not change within one."""
HEADERS = ("game", "histories", "infosets", "sequences", "value", "source")
LONGEST_VALUE = 23
"""Most characters of a value in a table."""
SUFFIXES = {".json": "json"}


@dataclass(frozen=True, repr=False)
class ReferencePack(Shown):
    """Games with sizes, exact values and optimal strategies.

    Attributes
    ----------
    entries : tuple of ReferenceEntry
    version : str
        Of the package that computed them.
    """

    entries: tuple[ReferenceEntry, ...]
    version: str

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each game: numbers of infosets and sequences, and the value."""
        rows = tuple(tuple(_cells(entry.reference)) for entry in self.entries)
        return (Columns(None, HEADERS, rows, left=("game", "value", "source")),)

    def brief(self) -> str:
        """Return the games."""
        return ", ".join(entry.reference.spec for entry in self.entries)

    def as_json(self) -> dict[str, Any]:
        """Return the pack as the object that its file holds."""
        return {**self._head, "games": [entry.as_json() for entry in self.entries]}

    def text(self) -> str:
        """Return the pack's file: JSON with one game a line, the same for the same version and solver."""
        games = ",\n".join(json.dumps(entry.as_json(), ensure_ascii=False) for entry in self.entries)
        return f'{json.dumps(self._head)[:-1]}, "games": [\n{games}\n]}}\n'

    @property
    def _head(self) -> dict[str, Any]:
        return {"format": FORMAT, "treeplex": self.version}


def _cells(known: Reference) -> Iterator[str]:
    yield known.spec
    for count in (known.histories, sum(known.infosets), sum(known.sequences)):
        yield f"{count:,}"
    yield fraction_text(known.value, LONGEST_VALUE)
    yield known.source


def reference(games: str | Iterable[str] | None = None, *, progress: Progress = silent) -> ReferencePack:
    """Compute the reference pack: sizes, exact values, one optimal strategy each, and uniform play.

    Nothing is taken over from a table: every value is computed, proved by exact best responses to the
    strategy as it is written, and held against the value and the sizes that are known.

    Parameters
    ----------
    games : str or iterable of str, optional
        A spec, or specs, of games with a known value, as ``docs/GAMES.md`` spells them; all by default, in
        half a minute.
    progress : callable, optional

    Raises
    ------
    ValueError
        If no value of a game is known.
    treeplex.seqform.programs.rational_optimum.NotExactError
        If what is found differs from what is known.

    Examples
    --------
    >>> reference("coin_toss")
    ReferencePack(coin_toss)
    """
    chosen = REFERENCES if games is None else [_known(spec) for spec in _specs(games)]
    progress(f"{len(chosen)} games; all {len(REFERENCES)} take about half a minute", inf)
    entries = []
    for k, known in enumerate(chosen, 1):
        progress(f"{known.spec}, game {k} of {len(chosen)}", inf)
        entries.append(entry_of(known, progress))
    return ReferencePack(tuple(entries), __version__)


def _specs(games: str | Iterable[str]) -> tuple[str, ...]:
    specs = (games,) if isinstance(games, str) or not isinstance(games, Iterable) else tuple(games)
    for spec in specs:
        check_kind("a game of the pack", spec, str, "a spec, such as kuhn_poker")
    return specs


def check_pack(out: str | Path, format: str | None = None) -> str:
    """Return the format of a pack's file; raises ``ValueError`` if it could not be written."""
    return check_output(out, SUFFIXES, "a reference pack", format)


def write_pack(pack: ReferencePack, out: str | Path) -> None:
    """Write a pack's file; raises what :func:`treeplex.files.writing.write_text` raises."""
    text = pack.text()
    write_text(out, lambda file: file.write(text))


def _known(spec: str) -> Reference:
    """Return what is known of a game, however it is spelled: ``kuhn_poker`` is ``kuhn_poker(ranks=3)``."""
    if spec in BY_SPEC:
        return BY_SPEC[spec]
    name = load_game(spec).name
    for known in REFERENCES:
        if load_game(known.spec).name == name:
            return known
    near = get_close_matches(spec, BY_SPEC, n=3, cutoff=0.0)
    raise BadInputError(
        complaint(f"no exact value is listed of {spec}; there are {', '.join(near)} and more")
    )
