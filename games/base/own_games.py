"""Games and other objects that users wrote, imported from ``module:Name``, and checked to be games.

Games are made from classes, functions or objects, and checked to satisfy ``Game``. Errors say where in the
users' files they were raised.
"""

import importlib
import inspect
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, get_origin, get_type_hints

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shown

PACKAGE = Path(__file__).parents[2]
"""The folder of this package."""


def load_object(path: str, what: str) -> Any:
    """Import what ``module:Name`` names, for a name that a person typed; none of a file may come here.

    The working directory is searched last: a file in it never hides an installed module. Nothing is called.

    Parameters
    ----------
    path : str
    what : str
        What it is to be, such as ``gadget``, for the errors.

    Raises
    ------
    ValueError
        If the module or the name does not exist, importing it raises anything, or the module, or the class
        or function that is named, is one of Python's own, such as ``os:system``.
    """
    module, _, name = path.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise BadInputError(f"{_with_article(what)} of your own must be module:Name, got {path!r}")
    _check_not_pythons(module, what, path)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    found = _attribute(_imported(module, f"cannot load the {what} {path!r}"), name, what, path)
    if isinstance(found, type) or inspect.isroutine(found):
        _check_not_pythons(getattr(found, "__module__", None), what, path)
    return found


def _with_article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _check_not_pythons(module: object, what: str, path: str) -> None:
    if isinstance(module, str) and (top := module.partition(".")[0]) in sys.stdlib_module_names:
        raise BadInputError(
            f"{_with_article(what)} of your own must not be of Python's own module {top}, got {path!r}"
        )


def _imported(module: str, where: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise BadInputError(f"{where}: there is no module {error.name} in the Python path") from None
        raise BadInputError(f"{where}: {described(error)}") from error
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{where}: {described(error)}") from error


def _attribute(module: Any, name: str, what: str, path: str) -> Any:
    if not hasattr(module, name):
        file = getattr(module, "__file__", None) or "built in"
        raise BadInputError(f"cannot load the {what} {path!r}: {module.__name__} ({file}) has no {name}")
    return getattr(module, name)


def lacking(kind: type, methods: Sequence[str]) -> list[str]:
    """Return which methods a class lacks; none if its objects answer to any name by ``__getattr__``."""
    defined = {name for base in kind.__mro__ for name in vars(base)}
    return [name for name in methods if name not in defined and "__getattr__" not in defined]


def check_class(found: object, methods: Sequence[str], what: str, where: str) -> None:
    """Refuse a class that lacks methods before anything calls it; what is no class is not looked at.

    Raises
    ------
    ValueError
        If it lacks one; the message calls it ``where``.
    """
    if isinstance(found, type) and (missing := lacking(found, methods)):
        raise BadInputError(f"{where} is no {what}: it has no method {missing[0]}")


def called_in(found: object) -> FunctionType | type | None:
    """Return the Python function or the class that a call of an object ends in; None if there is none.

    Partial functions, bound methods, wrappers such as those of ``functools.cache``, and objects with a
    ``__call__`` are followed.
    """
    while not isinstance(found, type):
        wrapped = getattr(found, "__dict__", {}).get("__wrapped__")
        if isinstance(found, partial):
            found = found.func
        elif isinstance(found, MethodType):
            found = found.__func__
        elif wrapped is not None:
            found = wrapped
        elif isinstance(found, FunctionType):
            return found
        else:
            found = getattr(type(found), "__call__", None)  # noqa: B004
            if not isinstance(found, FunctionType):
                return None
    return found


def described(error: BaseException) -> str:
    """Return an error's kind and text, with the place in the user's files where it was raised."""
    text = f"{type(error).__name__}: {error}"
    place = "" if isinstance(error, SyntaxError) else place_of(error)  # its text has file and line
    return f"{text} ({place})" if place else text


def place_of(error: BaseException) -> str:
    """Return file and line of the innermost call in code that is neither ours, installed nor Python's own.

    It is the line of the user's code to look at; empty where there is none.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_users(f.filename)]
    if not frames:
        return ""
    file = Path(frames[-1].filename)
    shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    return f"{shown}, line {frames[-1].lineno}"


def is_users(file: str) -> bool:
    """Return whether a file of code is neither ours, installed nor Python's own."""
    others = {str(PACKAGE), *(sysconfig.get_path(key) for key in ("stdlib", "platlib", "purelib"))}
    return not file.startswith("<") and not any(Path(file).is_relative_to(other) for other in others)


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
        raise BadInputError(str(error)) from None


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
        raise BadInputError(f"{where} is a game and no class: it takes no keys, got {', '.join(given)}")
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
        raise BadInputError(f"{where}: {described(error)}") from error


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
                raise BadInputError(f"{where}: unknown key {key!r}; legal keys are {legal}")
    for key, parameter in named.items():
        if parameter.default is Parameter.empty and key not in values:
            raise BadInputError(f"{where}: {key} is missing; write it as in module:Name({key}=...)")
