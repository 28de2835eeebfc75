"""Games that users wrote: made from classes, functions or objects, and checked to satisfy ``Game``."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

from treeplex.games.inputs.own_code import described, load_object
from treeplex.games.inputs.reading import shown
from treeplex.games.protocol import Game

METHODS = ("root", "player", "actions", "chance", "child", "infoset", "public", "payoff")
"""The methods of a game."""
TEXTS = ("name", "unit")
"""The attributes of a game: texts, or properties that return one."""


def load_own(path: str, values: Mapping[str, object]) -> Game[Any]:
    """Return the game that ``module:Name`` names: a class, a function that returns a game, or a game.

    Parameters
    ----------
    path : str
    values : mapping
        Arguments of the class or function, by name.

    Raises
    ------
    ValueError
        If it cannot be imported, does not take these arguments, raises anything, or is no game.
    """
    found = load_object(path, "game")
    try:
        return as_game(found, repr(path), values)
    except TypeError as error:
        raise ValueError(str(error)) from None


def as_game(found: Any, where: str, values: Mapping[str, object] | None = None) -> Game[Any]:
    """Return a game; a class or function is called with arguments by name.

    Raises
    ------
    ValueError
        If it does not take these arguments, or raises anything; the message begins with ``where``.
    TypeError
        If it lacks members of a game, which the message lists, or its name or unit is no text.
    """
    given = values or {}
    game = _made(found, where, given) if isinstance(found, type) or not hasattr(found, "root") else found
    if game is found and given:
        raise ValueError(f"{where} is a game and no class: it takes no keys, got {', '.join(given)}")
    lacking = [name for name in METHODS if not callable(getattr(game, name, None))]
    lacking += [name for name in TEXTS if not hasattr(game, name)]
    if lacking:
        raise TypeError(f"{where} is no game: it lacks {', '.join(lacking)} (see docs/GAMES.md)")
    for name in TEXTS:
        text = getattr(game, name)
        if not isinstance(text, str):
            hint = "; write @property above it" if callable(text) else ""
            raise TypeError(f"{where} is no game: its {name} must be a text, got {shown(text)}{hint}")
    checked: Game[Any] = game
    return checked


def _made(make: Any, where: str, values: Mapping[str, object]) -> Any:
    if not callable(make):
        raise TypeError(f"{where} is no game: it must be a game, a class or a function, got {shown(make)}")
    _check_keys(make, where, values)
    try:
        return make(**values)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"{where}: {described(error)}") from error


def _check_keys(make: Callable[..., object], where: str, values: Mapping[str, object]) -> None:
    parameters = signature(make).parameters
    named = {
        key: p
        for key, p in parameters.items()
        if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    }
    if all(p.kind is not Parameter.VAR_KEYWORD for p in parameters.values()):
        for key in values:
            if key not in named:
                legal = ", ".join(named) or "none"
                raise ValueError(f"{where}: unknown key {key!r}; legal keys are {legal}")
    for key, parameter in named.items():
        if parameter.default is Parameter.empty and key not in values:
            raise ValueError(f"{where}: {key} is missing; write it as in module:Name({key}=...)")
