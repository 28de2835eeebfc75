"""Gadgets that users wrote, imported from ``module:Name`` or taken as objects and classes."""

from typing import Any

from treeplex.gadgets.core.checks import call_user
from treeplex.gadgets.core.gadget import Gadget
from treeplex.games.inputs.own_code import check_class, load_object

METHODS = ("apply", "invert", "alternative_values")
"""The methods of a gadget."""


def load_gadget(path: str) -> Gadget:
    """Import a gadget written as ``module:Name``, a class without arguments or an object.

    The working directory is searched too. A class that lacks a method of gadgets is not called.

    Raises
    ------
    ValueError
        If the module or the name cannot be imported, or what it names is no gadget.
    """
    found = load_object(path, "gadget")
    check_class(found, METHODS, "gadget", repr(path))
    return as_gadget(found, repr(path))


def as_gadget(loaded: Any, where: str) -> Gadget:
    """Return an object that satisfies :class:`Gadget`; a class is called without arguments.

    Raises
    ------
    ValueError
        If it has not the members of a gadget; the message calls it ``where``.
    """
    gadget = call_user(where, loaded) if isinstance(loaded, type) else loaded
    for method in METHODS:
        if not callable(getattr(gadget, method, None)):
            raise ValueError(f"{where} is no gadget: it has no method {method}")
    if not isinstance(call_user(f"{where}.name", lambda: getattr(gadget, "name", None)), str):
        raise ValueError(f"{where} is no gadget: it has no name")
    checked: Gadget = gadget
    return checked
