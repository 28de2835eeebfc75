"""Objects that users wrote, imported from ``module:Name``; where in their files an error was raised."""

import importlib
import inspect
import os
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

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
        raise ValueError(f"a {what} of your own must be module:Name, got {path!r}")
    _check_not_pythons(module, what, path)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    found = _attribute(_imported(module, f"cannot load the {what} {path!r}"), name, what, path)
    if isinstance(found, type) or inspect.isroutine(found):
        _check_not_pythons(getattr(found, "__module__", None), what, path)
    return found


def _check_not_pythons(module: object, what: str, path: str) -> None:
    if isinstance(module, str) and (top := module.partition(".")[0]) in sys.stdlib_module_names:
        raise ValueError(f"a {what} of your own must not be of Python's own module {top}, got {path!r}")


def _imported(module: str, where: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(f"{where}: there is no module {error.name} in the Python path") from None
        raise ValueError(f"{where}: {described(error)}") from error
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"{where}: {described(error)}") from error


def _attribute(module: Any, name: str, what: str, path: str) -> Any:
    if not hasattr(module, name):
        file = getattr(module, "__file__", None) or "built in"
        raise ValueError(f"cannot load the {what} {path!r}: {module.__name__} ({file}) has no {name}")
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
        raise ValueError(f"{where} is no {what}: it has no method {missing[0]}")


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
