"""Games that users wrote: made from classes, functions or objects, and checked to satisfy ``Game``."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, get_origin, get_type_hints

from treeplex.games.inputs.own_code import called_in, described, is_users, lacking, load_object
from treeplex.games.inputs.reading import shown
from treeplex.games.protocol import Game

METHODS = ("root", "player", "actions", "chance", "child", "infoset", "public", "payoff")
"""The methods of a game."""
TEXTS = ("name", "unit")
"""The attributes of a game: texts, or properties that return one."""


def load_own(path: str, values: Mapping[str, object]) -> Game[Any]:
    """Return the game that ``module:Name`` names: a class, a function that returns a game, or a game.

    Nothing else is called: a class must have the methods of a game, and a function must be in a file of the
    user's or say in its return annotation that it returns a game.

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
        _check_callable(found, repr(path))
        return as_game(found, repr(path), values)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _check_callable(found: Any, where: str) -> None:
    """Refuse to call what neither has the methods of a game nor is a function that returns one."""
    if not isinstance(found, type) and (hasattr(found, "root") or not callable(found)):
        return
    made_in = called_in(found)
    if isinstance(made_in, type):
        if missing := lacking(made_in, METHODS):
            raise TypeError(f"{where} is no game: it lacks {', '.join(missing)} (see docs/GAMES.md)")
    elif made_in is None or not (is_users(made_in.__code__.co_filename) or _returns_game(made_in)):
        raise TypeError(
            f"{where} is no game: it must be a game, a class with its methods, or a function of your own or "
            f"annotated to return a game, got {shown(found)}"
        )


def _returns_game(function: FunctionType) -> bool:
    try:
        hint = get_type_hints(function).get("return")
    except Exception:  # a name that is there for type checkers alone
        return False
    kind = get_origin(hint) or hint
    return isinstance(kind, type) and not lacking(kind, METHODS)


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
    missing = [name for name in METHODS if not callable(getattr(game, name, None))]
    missing += [name for name in TEXTS if not hasattr(game, name)]
    if missing:
        raise TypeError(f"{where} is no game: it lacks {', '.join(missing)} (see docs/GAMES.md)")
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
