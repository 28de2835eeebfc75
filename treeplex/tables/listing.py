"""The games that have names: their keys, and the sizes and exact values of the small ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from inspect import Parameter
from typing import Any

from treeplex.core.problem import load
from treeplex.core.progress import Progress, silent
from treeplex.core.result import LPSize, exact_text
from treeplex.games.inputs.reading import amount_text
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.games.specs.specs import REGISTRY, Entry, load_game
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_compiler import compile_public
from treeplex.solving.solve import solve

SMALL_TREE_BYTES = 2**24
"""Up to this estimate a poker game's public tree is compiled to be counted."""
SMALL_HISTORIES = 20_000
"""Up to so many histories any other game is walked to be counted."""
SMALL_INFOSETS = 2_000
"""Up to so many infosets of both players together a game is solved for its exact value."""


@dataclass(frozen=True)
class Sizes:
    """How big a small game is, and what it is worth.

    Attributes
    ----------
    n_infosets, n_sequences : int
        Of both players together; each player's empty sequence is counted.
    lp : LPSize
        Player 0's program, hands that the game cannot tell apart merged.
    exact_value : Fraction
        Player 0's, proved by exact best responses.
    """

    n_infosets: int
    n_sequences: int
    lp: LPSize
    exact_value: Fraction


@dataclass(frozen=True)
class Listed:
    """A line of the list of games.

    Attributes
    ----------
    name : str
    spec : str
        The shortest spec, whose sizes are given.
    keys : mapping of str to (str or None)
        The default of each key as specs spell it; None where there is none.
    summary : str
    unit : str
    sizes : Sizes or None
        None for games too big to be counted and solved at once.
    """

    name: str
    spec: str
    keys: Mapping[str, str | None]
    summary: str
    unit: str
    sizes: Sizes | None

    def as_json(self) -> dict[str, Any]:
        """Return the line as an object of ``treeplex games --json``."""
        sizes = self.sizes
        return {
            "name": self.name,
            "spec": self.spec,
            "keys": dict(self.keys),
            "summary": self.summary,
            "unit": self.unit,
            "n_infosets": None if sizes is None else sizes.n_infosets,
            "n_sequences": None if sizes is None else sizes.n_sequences,
            "lp": None if sizes is None else sizes.lp.as_json(),
            "exact_value": None if sizes is None else exact_text(sizes.exact_value),
        }


def catalogue(progress: Progress = silent) -> tuple[Listed, ...]:
    """Return every game that specs know by name, counted and solved where it is small."""
    return tuple(_listed(progress))


def _listed(progress: Progress) -> Iterator[Listed]:
    for name, entry in REGISTRY.items():
        progress(name, float("inf"))
        game = load_game(entry.example)
        sizes = _sizes(game) if _enumerable(game) else None
        yield Listed(name, entry.example, _keys(entry), entry.summary, game.unit, sizes)


def spelled_default(value: object) -> str:
    """Return a default as a spec would spell it.

    >>> spelled_default((True, None, Fraction(1, 2), "all"))
    '[true,none,0.5,"all"]'
    """
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, Fraction):
        return amount_text(value)
    if isinstance(value, tuple | list):
        return f"[{','.join(map(spelled_default, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _keys(entry: Entry) -> dict[str, str | None]:
    return {
        key: None if parameter.default is Parameter.empty else spelled_default(parameter.default)
        for key, parameter in entry.keys.items()
    }


def _enumerable(game: Game[Any]) -> bool:
    """Return whether a game can be compiled in a moment; big ones are given up early."""
    try:
        if isinstance(game, PokerGame):
            compile_public(game, memory_limit=SMALL_TREE_BYTES)
        else:
            build_tree(game, max_nodes=SMALL_HISTORIES)
    except ValueError:
        return False
    return True


def _sizes(game: Game[Any]) -> Sizes | None:
    problem = load(game)
    if sum(problem.form.n_infosets) > SMALL_INFOSETS:
        return None
    result = solve(problem, exact=True)
    assert result.lp is not None
    assert result.exact_value is not None
    sequences = sum(problem.form.n_sequences)
    return Sizes(result.n_infosets, sequences, result.lp, result.exact_value)
