"""Abstractions of a poker game from a game with fewer sizes, or from the sizes to keep."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from treeplex.core.loading import GameLike
from treeplex.games.inputs.reading import Number
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.sizes import Size, Sizes
from treeplex.games.poker.spelled_sizes import size_of, size_text
from treeplex.subgames.inputs import unlocked_game

ABSTRACTION = "the abstraction"
AbstractionLike: TypeAlias = GameLike | Sequence[Number]
"""A game with fewer bet sizes, or the sizes to keep, also as text: ``1/2,1``."""


def abstraction_of(full: PokerGame, abstraction: AbstractionLike) -> PokerGame:
    """Return a game with fewer bet sizes: as given, or the full game with only some sizes in its menus.

    Raises
    ------
    ValueError
        If what is given is no poker game, or a size to keep is in no menu of the full game.
    """
    if isinstance(abstraction, str) and (pieces := _sizes(abstraction.split(","))) is not None:
        return _with_sizes(full, pieces)
    if isinstance(abstraction, Sequence) and not isinstance(abstraction, str):
        return _with_sizes(full, [size_of(ABSTRACTION, size) for size in abstraction])
    return game_with_menus(abstraction)


def game_with_menus(game: GameLike) -> PokerGame:
    """Return a poker game with menus of bet sizes.

    Raises
    ------
    ValueError
        If the game is no such game, or hands are locked in it.
    """
    rules = unlocked_game(game)
    if not isinstance(rules, PokerGame) or rules.betting.sizes is None:
        raise ValueError(f"an abstraction is of a poker game with menus of bet sizes, got {rules.name}")
    return rules


def _sizes(texts: Sequence[str]) -> list[Size] | None:
    """Return the sizes that all of some texts spell, or None, as for a game's spec."""
    try:
        return [size_of(ABSTRACTION, text) for text in texts]
    except ValueError:
        return None


def _with_sizes(full: PokerGame, sizes: Sequence[Size]) -> PokerGame:
    """Return the game with menus of those of its sizes that are among the given ones."""
    menus = full.betting.sizes
    assert menus is not None
    known = list(dict.fromkeys(s for pair in menus for menu in pair for s in menu.all_sizes))
    unknown = [size_text(size) for size in sizes if size not in known]
    if unknown:
        raise ValueError(
            f"sizes of the abstraction must be among those of {full.name}: "
            f"{', '.join(map(size_text, known))}; got {', '.join(unknown)}"
        )
    fewer = tuple((_restricted(first, sizes), _restricted(second, sizes)) for first, second in menus)
    name = f"{full.name} with sizes {', '.join(map(size_text, sizes))}"
    return replace(full, name=name, betting=replace(full.betting, sizes=fewer))


def _restricted(menu: Sizes, sizes: Sequence[Size]) -> Sizes:
    parts = (menu.bets, menu.raises, menu.donk_bets)
    bets, raises, donks = (tuple(s for s in part if s in sizes) for part in parts)
    return Sizes(bets, raises, None if menu.donks is None else donks)
