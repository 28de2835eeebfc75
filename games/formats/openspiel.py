"""Loading of games of OpenSpiel (Lanctot et al. 2019) by OpenSpiel's own specs."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from treeplex.games.formats.openspiel_game import OpenSpielGame, one_line
from treeplex.games.inputs.exact_floats import exact_payoff

PREFIX = "openspiel:"
MISSING = "openspiel: needs the open_spiel package: pip install 'treeplex[openspiel]'"
UNKNOWN = re.compile(r"Unknown game '(?P<name>[^']*)'")


def read_openspiel(text: str) -> OpenSpielGame:
    """Load a game of OpenSpiel.

    Parameters
    ----------
    text : str
        What ``pyspiel.load_game`` takes, such as ``liars_dice(numdice=1)``.

    Raises
    ------
    ValueError
        If open_spiel is not installed, OpenSpiel refuses the text, or the game is not one of two players
        whose payoffs have a constant sum, with explicit chance and information state strings: one line.
    """
    try:
        import pyspiel
    except ImportError:
        raise ValueError(MISSING) from None
    try:
        with _quiet():
            loaded = pyspiel.load_game(text)
            name = PREFIX + _spec(loaded, text, pyspiel.registered_names())
            _check_players(loaded, name)
            simultaneous = loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
            walked = pyspiel.convert_to_turn_based(loaded) if simultaneous else loaded
            walked.new_initial_state()
    except pyspiel.SpielError as error:
        raise ValueError(f"openspiel: {one_line(error)}{_hint(error, pyspiel.registered_names())}") from None
    _check_form(walked, name)
    return OpenSpielGame(name, walked, exact_payoff(walked.utility_sum()))


def _spec(spiel: Any, text: str, names: Sequence[str]) -> str:
    """Return OpenSpiel's spec of a game; for games from .nfg files, which do not know theirs, the text."""
    spec = str(spiel)
    return spec if spec.split("(", maxsplit=1)[0] in names else text


def _check_players(spiel: Any, name: str) -> None:
    """Raise ValueError unless a game has two players, not populations (mean field games)."""
    if spiel.get_type().dynamics.name == "MEAN_FIELD":
        raise ValueError(f"{name} is a mean field game; games must have two players")
    if spiel.num_players() != 2:
        raise ValueError(f"{name}: games must have two players, got {spiel.num_players()}")


def _check_form(spiel: Any, name: str) -> None:
    """Raise ValueError unless payoffs, chance and keys are as a sequence form requires."""
    kind = spiel.get_type()
    if kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"):
        words = kind.utility.name.lower().replace("_", "-")
        raise ValueError(f"{name}: payoffs must be zero-sum or constant-sum, got {words}")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise ValueError(f"{name}: chance must list its outcomes, got outcomes that are only sampled")
    if not kind.provides_information_state_string:
        raise ValueError(
            f"{name}: OpenSpiel has no information_state_string for it, which names the infosets"
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the standard error, on which OpenSpiel's C++ repeats the text of its exceptions."""
    stderr, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(sink)


def _hint(error: RuntimeError, names: Sequence[str]) -> str:
    unknown = UNKNOWN.search(str(error))
    close = get_close_matches(unknown["name"], names, n=3, cutoff=0.5) if unknown else []
    return f" Did you mean {' or '.join(close)}?" if close else ""
