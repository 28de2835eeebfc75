"""How moves that a defender's menu lacks are answered: by a gadget, from after the move or from before it.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6. Ways to
answer have names: ``reach-maxmargin``, ``unsafe``, ``mymodule:MyGadget``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import signature
from numbers import Real

from treeplex.gadgets.alternatives import Alternatives, BlueprintAlternatives, LowerBoundGifts, NoGifts
from treeplex.gadgets.gadget import Gadget, RootGadget
from treeplex.gadgets.methods_by_name import MOST_SCALE, REACH
from treeplex.gadgets.own_gadgets import METHODS, OwnGadget, as_gadget, call_user
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
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


@dataclass(frozen=True)
class OffTree:
    """A way to answer moves of the opponent that the defender's menu lacks.

    Attributes
    ----------
    make : callable
        From alternative values, those of the opponent's best move in the menu, to a gadget, such as
        ``Resolve`` or ``Maxmargin``.
    approach : {"inexpensive", "expensive"}
        Solve the subgame right after the move, or the one before it again with the move added.
    scale : float
        What lower-bound gifts are multiplied by; 0 for none, 1 for Reach.
    """

    make: Make
    approach: str = "inexpensive"
    scale: float = 0.0

    @property
    def again(self) -> bool:
        """Whether the subgame before the move is solved again."""
        return self.approach == "expensive"

    def on_hands(self) -> RootGadget:
        """Return the gadget as it takes tops that are hands, whose values are those of the menu.

        Raises
        ------
        ValueError
            If a gadget of the user's own has no root decisions.
        """
        gifts = LowerBoundGifts(self.scale) if self.scale else NoGifts()
        gadget = self.make(BlueprintAlternatives(gifts))
        is_published = type(gadget) in (Resolve, Maxmargin, Unsafe)  # a user's may be a subclass
        return gadget if is_published and isinstance(gadget, RootGadget) else OwnGadget(gadget)


def unsafe(_: Alternatives) -> Gadget:
    """Return the gadget of unsafe solving, which takes no alternative values."""
    return Unsafe()


def off_tree_method(method: str | Make, approach: str = "inexpensive", scale: float = 1.0) -> OffTree:
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
        return OffTree(unsafe, approach)
    return OffTree(_make(method), approach, scale if reach else 0.0)


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
    try:
        signature(own).bind(BlueprintAlternatives())
    except (TypeError, ValueError):
        raise BadInputError(
            f"{where} is no gadget for nested solving: it must be called with alternative values, as "
            "subclasses of AlternativesGadget can be"
        ) from None
    return lambda alternatives: as_gadget(call_user(where, lambda: own(alternatives)), where)
