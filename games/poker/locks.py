"""Locks: fixed behaviour of some hands at a betting line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from treeplex.games.cards.deck import Cards, Range
from treeplex.games.cards.ranges import parse_range
from treeplex.games.inputs.reading import shown
from treeplex.games.poker.menus import check_keys
from treeplex.games.protocol import CHANCE

if TYPE_CHECKING:
    from treeplex.games.poker.game import PokerGame

Play = Mapping[str, Fraction]
"""The probability of each action; 0 for absent ones."""
MOST_NAMED = 8
"""The largest number of actions that an error names."""
EXAMPLE = '{ c = "all", r50 = "AA,KK:0.5" }'


@dataclass(frozen=True)
class Lock:
    """Fixed behaviour of some hands of the player who acts at a betting line, on every board.

    Attributes
    ----------
    line : str
        The line as public keys write it: ``c``, ``cr50``, ``rc/``.
    play : mapping from hands to plays
        Exact probabilities greater than 0 that sum to 1, by action. A hand that is absent is free.

    Raises
    ------
    ValueError
        If no hand is locked, or a probability is not exact and greater than 0, or a hand's do not sum to 1.
    """

    line: str
    play: Mapping[Cards, Play]

    def __post_init__(self) -> None:
        if not self.play:
            raise ValueError(f"the lock at line {self.line!r} must name at least one hand, got none")
        for hand, play in self.play.items():
            exact = all(isinstance(share, int | Fraction) and share > 0 for share in play.values())
            if not exact or sum(play.values()) != 1:
                got = ", ".join(f"{action} {share}" for action, share in play.items())
                raise ValueError(
                    f"the lock at line {self.line!r} must give hand {hand} exact probabilities > 0 that sum "
                    f"to 1, got {got or 'none'}"
                )

    @staticmethod
    def of(line: str, weights: Mapping[str, Range]) -> "Lock":
        """Return the lock in which each hand plays actions in proportion to its weights.

        Parameters
        ----------
        line : str
        weights : mapping from actions to mappings from hands to weights
            Exact and greater than 0.

        Raises
        ------
        ValueError
            If there is no hand, or a weight is not exact and greater than 0.
        """
        plays: dict[Cards, dict[str, Fraction]] = {}
        for action, hands in weights.items():
            for hand, weight in hands.items():
                if not (isinstance(weight, int | Fraction) and weight > 0):
                    raise ValueError(
                        f"the lock at line {line!r} must have weights > 0, got {shown(weight)} for {action}"
                    )
                plays.setdefault(hand, {})[action] = Fraction(weight)
        totals = {hand: sum(play.values(), Fraction(0)) for hand, play in plays.items()}
        return Lock(line, {h: {a: w / totals[h] for a, w in play.items()} for h, play in plays.items()})


def check_locks(game: "PokerGame") -> None:
    """Raise ValueError unless the locks fit the game.

    Raises
    ------
    ValueError
        If a line has two locks or is not one where a player acts, or a lock names an action that is not
        legal there, a hand that the player cannot hold, or only some of the hands that look alike.
    """
    seen: set[str] = set()
    for lock in game.locks:
        player = actor(game, lock.line)
        if lock.line in seen:
            raise ValueError(f"line {lock.line!r} must have one lock at most, got two")
        seen.add(lock.line)
        for hand, play in lock.play.items():
            for action in play:
                check_action(game, lock.line, action)
            if hand not in game.reach[player]:
                text = game.deck.text(hand) if {*hand} <= {*game.deck.cards} else hand
                raise ValueError(
                    f"the lock at {lock.line!r} must name hands that player {player} can hold, got {text}"
                )
        _check_alike(game, lock, player)


def actor(game: "PokerGame", line: str) -> int:
    """Return who acts at a betting line.

    Raises
    ------
    ValueError
        If there is no such line, or nobody acts there; the error names the illegal part.
    """
    here = game.longest_line(line)
    point = game.point(here)
    if here == line and point.moves:
        return point.player
    comes = "the hand is over"
    if point.nexts:
        comes = f"comes {point.after!r}" if point.player == CHANCE else f"come {named(point.moves)}"
    what = f"nobody acts at {line!r}" if here == line else f"{line!r} is no betting line"
    raise ValueError(f"a lock must be at a line where a player acts; {what}, after {here!r} {comes}")


def named(actions: Iterable[str]) -> str:
    """Return labels as errors list them, at most ``MOST_NAMED``."""
    labels = [*actions]
    return ", ".join(labels[:MOST_NAMED]) + (", ..." if len(labels) > MOST_NAMED else "")


def check_action(game: "PokerGame", line: str, action: str) -> None:
    """Raise ValueError unless an action is legal at a line."""
    legal = game.point(line).moves
    if action not in legal:
        raise ValueError(f"an action at line {line!r} must be one of {named(legal)}, got {action!r}")


def _check_alike(game: "PokerGame", lock: Lock, player: int) -> None:
    """Raise ValueError unless hands of one infoset are locked alike."""
    if not game.sees_ranks_only:
        return
    first: dict[str, Play | None] = {}
    for hand in game.reach[player]:
        play, label = lock.play.get(hand), game.hand_label(hand)
        if first.setdefault(label, play) != play:
            raise ValueError(f"the lock at line {lock.line!r} must treat all hands {label} alike")


def read_locks(tables: object, game: "PokerGame") -> tuple[Lock, ...]:
    """Return the locks of a file from its TOML tables, each with a line and a range for each action.

    Each entry of a range must have a hand that the player can hold; its other hands are ignored.

    Raises
    ------
    ValueError
        If a table is malformed or does not fit the game; one line that says which and what is legal.
    """
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError(f"locks must be tables [[locks]], got {shown(tables)}")
    locks: list[Lock] = []
    for i, table in enumerate(tables):
        try:
            locks.append(_read_lock(table, game))
        except ValueError as error:
            raise ValueError(f"locks[{i}]: {error}") from None
    return tuple(locks)


def _read_lock(table: dict[str, Any], game: "PokerGame") -> Lock:
    check_keys("a lock", table, ("line", "play"))
    line, play = table.get("line"), table.get("play")
    if not isinstance(line, str):
        raise ValueError(f'line must be text such as "cr50", got {shown(line)}')
    if not isinstance(play, dict) or not play:
        raise ValueError(f"play must be a range for each action such as {EXAMPLE}, got {shown(play)}")
    player = actor(game, line)
    weights: dict[str, Range] = {}
    for action, text in play.items():
        check_action(game, line, action)
        weights[action] = _read_hands(action, text, game, player)
    return Lock.of(line, weights)


def _read_hands(action: str, text: object, game: "PokerGame", player: int) -> Range:
    if not isinstance(text, str):
        raise ValueError(f"play.{action} must be a range such as {EXAMPLE}, got {shown(text)}")
    try:
        for entry in text.split(","):
            if not any(hand in game.reach[player] for hand in parse_range(entry.partition(":")[0])):
                raise ValueError(f"{entry.strip()!r} is no hand that player {player} can hold")
        hands = parse_range(text)
    except ValueError as error:
        raise ValueError(f"play.{action}: {error}") from None
    return {hand: weight for hand, weight in hands.items() if hand in game.reach[player]}
