"""Targets of claims from objects and ``module:Name``; calls that name the case where they fail."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from treeplex.bench.challenges.case import Case
from treeplex.files.strategies import StrategyLike, profile_on
from treeplex.gadgets.own_gadgets import call_user
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import check_class, load_object
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile

T = TypeVar("T")


def loaded(given: object, what: str, needs: Sequence[str] = ("__call__",), *, made: bool = True) -> Any:
    """Return a target from itself or ``module:Name``; if it is a class, and is to be made, an instance.

    A class that is named and lacks one of the methods is not called.

    Raises
    ------
    ValueError
        If it cannot be imported or made, or lacks one of the methods in ``needs``.
    """
    found = load_object(given, what) if isinstance(given, str) else given
    if made and isinstance(given, str):
        check_class(found, needs, what, given)
    if made and isinstance(found, type):
        found = call_user(name_of(given), found)
    for method in needs:
        if not callable(getattr(found, method, None)):
            raise BadInputError(f"{name_of(given)} is no {what}: it has no method {method}")
    return found


def called(target: object, where: str, code: Callable[[], T]) -> T:
    """Return what a target's code returns; what it raises becomes a ValueError that names target and case."""
    return call_user(f"{name_of(target)} on {where}", code)


def profile_from(target: object, case: Case, returned: StrategyLike) -> Profile:
    """Return what a target returned as a profile of a case's game.

    Raises
    ------
    ValueError
        If it is no strategy of the game; the message names target and case.
    """

    def read() -> Profile:
        profile = profile_on(case.game, case.form, returned).strategy
        check_profile(case.form, profile)
        return profile

    return called(target, case.origin, read)


def name_of(target: object) -> str:
    """Return what reports call a target: its text, or ``module:Name`` of it or of its class.

    >>> name_of("resolve")
    'resolve'
    """
    if isinstance(target, str):
        return target
    named = target if isinstance(target, type) or hasattr(target, "__qualname__") else type(target)
    return f"{named.__module__}:{named.__qualname__}"
