"""Locks read from the tables of a TOML file."""

from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Range
from treeplex.games.cards.ranges import parse_range
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.game_checks import actor, check_action
from treeplex.games.poker.locks import Lock
from treeplex.games.poker.size_menus import check_keys

EXAMPLE = '{ c = "all", r50 = "AA,KK:0.5" }'


def read_locks(tables: object, game: PokerGame) -> tuple[Lock, ...]:
    """Return the locks of a file from its TOML tables, each with a line and a range for each action.

    Each entry of a range must have a hand that the player can hold; its other hands are ignored.

    Raises
    ------
    ValueError
        If a table is malformed or does not fit the game; one line that says which and what is legal.
    """
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInputError(f"locks must be tables [[locks]], got {shown(tables)}")
    locks: list[Lock] = []
    for i, table in enumerate(tables):
        try:
            locks.append(_read_lock(table, game))
        except ValueError as error:
            raise BadInputError(f"locks[{i}]: {error}") from None
    return tuple(locks)


def _read_lock(table: dict[str, Any], game: PokerGame) -> Lock:
    check_keys("a lock", table, ("line", "play"))
    line, play = table.get("line"), table.get("play")
    if not isinstance(line, str):
        raise BadInputError(f'line must be text such as "cr50", got {shown(line)}')
    if not isinstance(play, dict) or not play:
        raise BadInputError(f"play must be a range for each action such as {EXAMPLE}, got {shown(play)}")
    player = actor(game, line)
    weights: dict[str, Range] = {}
    for action, text in play.items():
        check_action(game, line, action)
        weights[action] = _read_hands(action, text, game, player)
    return Lock.of(line, weights)


def _read_hands(action: str, text: object, game: PokerGame, player: int) -> Range:
    if not isinstance(text, str):
        raise BadInputError(f"play.{action} must be a range such as {EXAMPLE}, got {shown(text)}")
    try:
        for entry in text.split(","):
            if not any(hand in game.reach[player] for hand in parse_range(entry.partition(":")[0])):
                raise BadInputError(f"{entry.strip()!r} is no hand that player {player} can hold")
        hands = parse_range(text)
    except ValueError as error:
        raise BadInputError(f"play.{action}: {error}") from None
    return {hand: weight for hand, weight in hands.items() if hand in game.reach[player]}
