"""Ways to answer off-tree moves by name: ``reach-maxmargin``, ``unsafe``, ``mymodule:MyGadget``."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from numbers import Real

from treeplex.gadgets.alternatives import Alternatives
from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.methods_by_name import MOST_SCALE, REACH
from treeplex.gadgets.off_tree.nested_solving import (
    Expensive,
    ExpensiveUnsafe,
    Inexpensive,
    OffTreeMethod,
)
from treeplex.gadgets.own_gadgets import METHODS, as_gadget, call_user
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import called_in, check_class, load_object
from treeplex.games.base.parameters import check_kind

Make = Callable[[Alternatives], Gadget]
"""A gadget from where its alternative values come from."""
GADGETS: Mapping[str, Make] = {"resolve": Resolve, "maxmargin": Maxmargin}
UNSAFE = "unsafe"
NESTED_METHODS = (*GADGETS, *(REACH + name for name in GADGETS), UNSAFE)
"""Every method of nested solving with a name."""
APPROACHES = ("inexpensive", "expensive")
"""Solve from right after the off-tree move, or again from before it, the move added."""


def off_tree_method(method: str | Make, approach: str = "inexpensive", scale: float = 1.0) -> OffTreeMethod:
    """Return the way to answer off-tree moves of a method's name.

    Parameters
    ----------
    method : str or callable
        One of ``NESTED_METHODS``; or a gadget of your own as a callable that takes alternative values, such
        as a subclass of :class:`treeplex.gadgets.gadget.AlternativesGadget`, or ``module:Name`` of one.
    approach : {"inexpensive", "expensive"}
        As Brown and Sandholm (2017) call them.
    scale : float
        For ``reach-``: what lower-bound gifts are multiplied by; above 1 nothing is promised.

    Raises
    ------
    ValueError
        If there is no such method or approach, or the scale is out of its range or not for the method.
    """
    if approach not in APPROACHES:
        raise BadInputError(f"approach must be {' or '.join(APPROACHES)}, got {approach!r}")
    check_kind("scale", scale, Real, "a number")
    if not 0.0 <= scale <= MOST_SCALE:
        raise BadInputError(f"scale must be between 0 and {MOST_SCALE:g}, got {scale}")
    reach = isinstance(method, str) and method.startswith(REACH)
    if scale != 1.0 and not reach:
        raise BadInputError(f"scale is for the methods with {REACH}, got {scale} for {method}")
    if method == UNSAFE:
        if approach != "expensive":
            raise BadInputError(
                "unsafe takes the approach expensive: nobody knows how often the move is made"
            )
        return ExpensiveUnsafe()
    make, gifts = _make(method), scale if reach else 0.0
    return Inexpensive(make, gifts) if approach == "inexpensive" else Expensive(make, gifts)


def _make(method: str | Make) -> Make:
    if isinstance(method, str) and method.removeprefix(REACH) in GADGETS:
        return GADGETS[method.removeprefix(REACH)]
    if isinstance(method, str) and ":" not in method:
        near = get_close_matches(method, NESTED_METHODS, n=3) or NESTED_METHODS
        raise BadInputError(
            f"there is no method {method!r} of nested solving; there is {', '.join(near)}, or module:Name"
        )
    where = repr(method)
    own = load_object(method, "gadget") if isinstance(method, str) else method
    if isinstance(method, str):
        check_class(called_in(own), METHODS, "gadget", where)
    if not callable(own):
        raise BadInputError(
            f"{where} is no gadget for nested solving: it cannot be called with alternative values"
        )
    return lambda alternatives: as_gadget(call_user(where, lambda: own(alternatives)), where)
