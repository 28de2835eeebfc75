"""Objects that users wrote, imported from ``module:Name``; where in their files an error was raised."""

import importlib
import os
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[2]
"""The folder of this package."""


def load_object(path: str, what: str) -> Any:
    """Import what ``module:Name`` names.

    The working directory is searched last: a file in it never hides an installed module.

    Parameters
    ----------
    path : str
    what : str
        What it is to be, such as ``gadget``, for the errors.

    Raises
    ------
    ValueError
        If the module or the name does not exist, or importing it raises anything.
    """
    module, _, name = path.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise ValueError(f"a {what} of your own must be module:Name, got {path!r}")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return _attribute(_imported(module, f"cannot load the {what} {path!r}"), name, what, path)


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


def described(error: BaseException) -> str:
    """Return an error's kind and text, with the place in the user's files where it was raised."""
    text = f"{type(error).__name__}: {error}"
    place = "" if isinstance(error, SyntaxError) else place_of(error)  # its text has file and line
    return f"{text} ({place})" if place else text


def place_of(error: BaseException) -> str:
    """Return file and line of the innermost call in code that is neither ours, installed nor Python's own.

    It is the line of the user's code to look at; empty where there is none.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_users(f.filename)]
    if not frames:
        return ""
    file = Path(frames[-1].filename)
    shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    return f"{shown}, line {frames[-1].lineno}"


def _is_users(file: str) -> bool:
    others = {str(PACKAGE), *(sysconfig.get_path(key) for key in ("stdlib", "platlib", "purelib"))}
    return not file.startswith("<") and not any(Path(file).is_relative_to(other) for other in others)
