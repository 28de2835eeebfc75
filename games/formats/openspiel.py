"""Games of OpenSpiel (Lanctot et al. 2019) as games of the protocol, by OpenSpiel's own specs.

They are walked through OpenSpiel's states.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.base.reading import exact_chance, exact_payoff

OPENSPIEL_TERMINAL = -4
"""The player of a leaf in OpenSpiel."""
LONGEST_PLAY = 1_000
"""The longest history, in moves: keys that contain longer ones would fill the memory."""


@dataclass(frozen=True, eq=False)
class OpenSpielState:
    """A state of OpenSpiel; two states are equal if their histories are.

    Attributes
    ----------
    spiel : pyspiel.State
    past : pair of str
        Each player's last own action and the key at which it was taken, as ``[1 at 0pb]``.
    """

    spiel: Any
    past: tuple[str, str] = ("[yet to act]", "[yet to act]")

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """Every action and outcome so far."""
        return tuple(self.spiel.history())

    @cached_property
    def player(self) -> int:
        """Who acts."""
        player = int(self.spiel.current_player())
        return TERMINAL if player == OPENSPIEL_TERMINAL else player

    @cached_property
    def acting_key(self) -> str:
        """The key of the player who acts."""
        return str(self.spiel.information_state_string(self.player))

    def key(self, player: int) -> str:
        """Return a player's key: OpenSpiel's where the player acts, with ``past`` appended elsewhere."""
        if player == self.player:
            return self.acting_key
        return f"{self.spiel.information_state_string(player)} {self.past[player]}"

    def child(self, action: str) -> "OpenSpielState":
        """Return the state after an action or an outcome."""
        after = self.spiel.child(int(action))
        if self.player < 0:
            return OpenSpielState(after, self.past)
        past = f"[{action} at {self.acting_key}]"
        return OpenSpielState(after, (past, self.past[1]) if self.player == 0 else (self.past[0], past))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.moves == other.moves

    def __hash__(self) -> int:
        return hash(self.moves)


@dataclass(frozen=True)
class OpenSpielGame:
    """A two-player zero- or constant-sum game of OpenSpiel; simultaneous moves are made in turn, unseen.

    Labels are OpenSpiel's integer actions as text, since its own names of actions may collide. The key of
    the player who acts is OpenSpiel's ``information_state_string``. Elsewhere, leaves and chance nodes
    included, that string may forget what the player did (goofspiel, Go Fish, dark hex), so the last own
    action and the key at which it was taken are appended: ``0p [0 at 0]``. All states have the same public
    key: public states are derived from the players' keys.

    Attributes
    ----------
    name : str
        ``openspiel:`` and OpenSpiel's spec of the game.
    spiel : pyspiel.Game
        The game that is walked: where players move at once, OpenSpiel's turn-based form of it.
    constant : Fraction
        What both players' payoffs sum to at every leaf.
    """

    name: str
    spiel: Any = field(compare=False)
    constant: Fraction

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "utility"

    @property
    def note(self) -> str:
        """A remark on the constant sum of payoffs; empty if it is 0."""
        if self.constant == 0:
            return ""
        total = self.constant
        return f"OpenSpiel's payoffs add up to {total}: player 1 gets {total} less what player 0 gets"

    def root(self) -> OpenSpielState:
        """Return the state at which play starts."""
        return OpenSpielState(self.spiel.new_initial_state())

    def player(self, state: OpenSpielState) -> int:
        """Return who acts."""
        return state.player

    def actions(self, state: OpenSpielState) -> Sequence[str]:
        """Return OpenSpiel's legal actions as text, ascending."""
        return tuple(map(str, state.spiel.legal_actions()))

    def chance(self, state: OpenSpielState) -> Sequence[tuple[str, Fraction]]:
        """Return the outcomes that have a positive probability; see :func:`exact_chance`."""
        outcomes = [(str(outcome), p) for outcome, p in state.spiel.chance_outcomes() if p != 0]
        try:
            weights = exact_chance([p for _, p in outcomes])
        except ValueError as error:
            raise BadInputError(f"{self.name}: {error} after {_moves_text(state)}") from None
        return tuple((label, weight) for (label, _), weight in zip(outcomes, weights, strict=True))

    def child(self, state: OpenSpielState, action: str) -> OpenSpielState:
        """Return the state after an action or an outcome.

        Raises
        ------
        ValueError
            If a play is longer than ``LONGEST_PLAY`` moves, as in chess; such games are not enumerated.
        """
        if state.spiel.move_number() >= LONGEST_PLAY:
            raise BadInputError(
                f"{self.name} has plays of more than {LONGEST_PLAY:,} moves, too many to enumerate"
            )
        return state.child(action)

    def infoset(self, state: OpenSpielState, player: int) -> str:
        """Return what ``player`` knows: OpenSpiel's information state, with ``past`` where it does not act.

        Raises
        ------
        ValueError
            If OpenSpiel has none here.
        """
        try:
            return state.key(player)
        except RuntimeError as error:
            raise BadInputError(
                f"{self.name}: player {player} has no information state after {_moves_text(state)}: "
                f"{one_line(error)}"
            ) from None

    def public(self, state: OpenSpielState) -> str:
        """Return the one public key of all states."""
        return ""

    def payoff(self, state: OpenSpielState) -> Fraction:
        """Return player 0's payoff at a leaf; see :func:`exact_payoff`.

        Raises
        ------
        ValueError
            If both players' payoffs do not sum to ``constant``, exactly.
        """
        first, second = (exact_payoff(value) for value in state.spiel.returns())
        if first + second != self.constant:
            raise BadInputError(
                f"{self.name}: payoffs must sum to {self.constant}, got {first} and {second} after "
                f"{_moves_text(state)}"
            )
        return first


def one_line(error: RuntimeError) -> str:
    """Return OpenSpiel's error message without its list of all games."""
    lines = str(error).split(" Available games are:")[0].splitlines()
    return "; ".join(line.strip() for line in lines if line.strip())


def _moves_text(state: OpenSpielState) -> str:
    return f"actions {', '.join(map(str, state.moves))}" if state.moves else "no action"


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
        raise BadInputError(MISSING) from None
    try:
        with _quiet():
            loaded = pyspiel.load_game(text)
            name = PREFIX + _spec(loaded, text, pyspiel.registered_names())
            _check_players(loaded, name)
            simultaneous = loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
            walked = pyspiel.convert_to_turn_based(loaded) if simultaneous else loaded
            walked.new_initial_state()
    except pyspiel.SpielError as error:
        raise BadInputError(
            f"openspiel: {one_line(error)}{_hint(error, pyspiel.registered_names())}"
        ) from None
    _check_form(walked, name)
    return OpenSpielGame(name, walked, exact_payoff(walked.utility_sum()))


def _spec(spiel: Any, text: str, names: Sequence[str]) -> str:
    """Return OpenSpiel's spec of a game; for games from .nfg files, which do not know theirs, the text."""
    spec = str(spiel)
    return spec if spec.split("(", maxsplit=1)[0] in names else text


def _check_players(spiel: Any, name: str) -> None:
    """Raise ValueError unless a game has two players, not populations (mean field games)."""
    if spiel.get_type().dynamics.name == "MEAN_FIELD":
        raise BadInputError(f"{name} is a mean field game; games must have two players")
    if spiel.num_players() != 2:
        raise BadInputError(f"{name}: games must have two players, got {spiel.num_players()}")


def _check_form(spiel: Any, name: str) -> None:
    """Raise ValueError unless payoffs, chance and keys are as a sequence form requires."""
    kind = spiel.get_type()
    if kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"):
        words = kind.utility.name.lower().replace("_", "-")
        raise BadInputError(f"{name}: payoffs must be zero-sum or constant-sum, got {words}")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise BadInputError(f"{name}: chance must list its outcomes, got outcomes that are only sampled")
    if not kind.provides_information_state_string:
        raise BadInputError(
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
