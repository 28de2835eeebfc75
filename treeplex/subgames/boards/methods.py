"""Methods on boards: which gadgets there are, which of them promise that their error vanishes."""

from treeplex.gadgets.boards.own import OwnGadget
from treeplex.gadgets.core.gadget import Gadget, RootGadget
from treeplex.gadgets.solving.by_name import (
    ESTIMATED,
    REACH,
    Options,
    check_method,
    gadget_of,
)

ENUMERATED = ("joint", "lexicographic")
"""Ends of the names of methods that are linear programs on enumerated games."""
SAFE = ("resolve", "maxmargin")
"""Ends of the names of methods that are safe with the blueprint's values and gifts of scale 1 or less."""


def check_board_method(method: str | Gadget, options: Options | None = None) -> None:
    """Refuse what is no method on boards, and options that are not for it, before time is spent.

    Raises
    ------
    ValueError
        As :func:`treeplex.gadgets.solving.by_name.check_method`, or the method is for enumerated games only.
    """
    check_method(method, options)
    chosen = Options() if options is None else options
    if isinstance(method, str) and method.endswith(ENUMERATED):
        raise ValueError(f"{method} is for games that are enumerated, not for boards")
    if isinstance(method, str) and ESTIMATED in method and chosen.estimates == "joint":
        raise ValueError("on boards estimates must be blueprint, got joint, which needs an enumerated game")
    if _is_own(method):
        OwnGadget(gadget_of(method, dict, chosen))
    if chosen.equilibrium != "any":
        raise ValueError(f"on boards equilibrium must be any, got {chosen.equilibrium}")


def promises(method: str | Gadget, options: Options | None = None) -> bool:
    """Return whether a method by name makes nothing worse once its gadget's game is solved."""
    if not isinstance(method, str) or _is_own(method) or ESTIMATED in method:
        return False
    scale = 1.0 if options is None else options.scale
    return method.endswith(SAFE) and (not method.startswith(REACH) or scale <= 1.0)


def board_gadget(method: str | Gadget, options: Options | None = None) -> RootGadget:
    """Return the gadget of a method on boards.

    Parameters
    ----------
    method : str or Gadget
        As :func:`treeplex.gadgets.solving.by_name.solver_of` takes it, of those that
        :func:`check_board_method` does not refuse.
    options : Options, optional

    Raises
    ------
    ValueError
        If there is no such method on boards.
    """
    check_board_method(method, options)
    chosen = Options() if options is None else options
    gadget = gadget_of(method, dict, chosen)
    return OwnGadget(gadget) if _is_own(method) or not isinstance(gadget, RootGadget) else gadget


def _is_own(method: str | Gadget) -> bool:
    return not isinstance(method, str) or ":" in method
