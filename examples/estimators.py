"""Estimators of strength, hand by hand from the rules: AIVAT, and faults that are easily made in it.

``treeplex examine --estimator treeplex.examples.estimators:sign_reversed`` says what is wrong with one. Each
returns for every hand its parts: the payoff that it starts from, and a correction for each move.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from treeplex.bench.estimators.setting import Setting
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.play.hand import Hand

Moves = tuple[str, ...]


@dataclass(frozen=True)
class History:
    """A history, and how likely chance and those with known strategies make it.

    Attributes
    ----------
    moves : tuple of str
    state : hashable
    seen : tuple
        What is public and what the others know, at each history on the way.
    before : tuple
        The same before its last move, and that move where it was one of the others'.
    weight : float
    """

    moves: Moves
    state: Any
    seen: tuple[Any, ...]
    before: tuple[Any, ...]
    weight: float


Odds = Callable[[Setting, Any], Mapping[str, float] | None]
"""From a setting and a state to how likely each move is, None where that is not known."""


def true_odds(setting: Setting, state: Any) -> Mapping[str, float] | None:
    """Return how likely each move is, None where a player with an unknown strategy acts."""
    game, player = setting.game, setting.game.player(state)
    if player == CHANCE:
        return {label: float(weight) for label, weight in game.chance(state)}
    return setting.strategy(player, game.infoset(state, player)) if player in setting.known else None


def uniform_odds(setting: Setting, state: Any) -> Mapping[str, float] | None:
    """Return the same, with even odds where a player with an unknown strategy acts: they are not known."""
    actions = setting.game.actions(state) if setting.game.player(state) >= 0 else ()
    return true_odds(setting, state) or dict.fromkeys(actions, 1 / max(len(actions), 1))


def histories(setting: Setting, odds: Odds, watched: Sequence[int]) -> Iterator[History]:
    """Yield all histories of a game, with what some players know of them."""
    game: Game[Any] = setting.game
    stack = [History((), game.root(), _seen(game, game.root(), watched), (), 1.0)]
    while stack:
        one = stack.pop()
        yield one
        if game.player(one.state) == TERMINAL:
            continue
        known = odds(setting, one.state)
        moves = [label for label, _ in game.chance(one.state)] if game.player(one.state) == CHANCE else None
        for label in moves or game.actions(one.state):
            child = game.child(one.state, label)
            before = (*one.seen, label if known is None else None)
            weight = one.weight * (1.0 if known is None else known[label])
            seen = (*before, *_seen(game, child, watched))
            stack.append(History((*one.moves, label), child, seen, before, weight))


def _seen(game: Game[Any], state: Any, watched: Sequence[int]) -> tuple[Any, ...]:
    return game.public(state), game.player(state), *(game.infoset(state, p) for p in watched)


def parts(
    setting: Setting,
    hands: Sequence[Hand],
    value: Callable[[Moves], float],
    odds: Odds = true_odds,
    sign: float = 1.0,
    blind: bool = False,
) -> list[list[float]]:
    """Return the parts of each hand's estimate.

    Parameters
    ----------
    setting : Setting
    hands : sequence of Hand
    value : callable
        From moves to what a history is thought to be worth.
    odds : callable
        How likely moves are.
    sign : float
        Of corrections.
    blind : bool
        Whether what the others know is forgotten where hands are averaged.
    """
    watched = [p for p in (0, 1) if p not in setting.known and not blind]
    game = setting.game
    after: dict[Any, list[float]] = {}
    before: dict[Any, list[float]] = {}
    ends: dict[Any, list[float]] = {}
    found: dict[Moves, History] = {}
    for one in histories(setting, odds, watched):
        found[one.moves] = one
        worth = value(one.moves)
        _add(after, one.seen, one.weight, worth)
        _add(before, one.before, one.weight, worth)
        if game.player(one.state) == TERMINAL:
            _add(ends, one.seen, one.weight, float(game.payoff(one.state)))
    answers = []
    for hand in hands:
        path = [found[hand.moves[:k]] for k in range(1, len(hand.moves) + 1)]
        luck = [_mean(after[one.seen]) - _mean(before[one.before]) for one in path]
        answers.append([_mean(ends[found[hand.moves].seen]), *(-sign * x for x in luck)])
    return answers


def _add(table: dict[Any, list[float]], key: Any, weight: float, worth: float) -> None:
    sums = table.setdefault(key, [0.0, 0.0])
    sums[0] += weight
    sums[1] += weight * worth


def _mean(sums: list[float]) -> float:
    return sums[1] / sums[0] if sums[0] > 0.0 else 0.0


def aivat(setting: Setting, hands: Sequence[Hand]) -> list[list[float]]:
    """Estimate by AIVAT (Burch et al. 2018)."""
    return parts(setting, hands, setting.value)


def payoffs(setting: Setting, hands: Sequence[Hand]) -> list[float]:
    """Estimate by what was won: unbiased, and with all the luck."""
    return [float(hand.payoff) for hand in hands]


def sign_reversed(setting: Setting, hands: Sequence[Hand]) -> list[list[float]]:
    """Estimate with luck added where it should be subtracted: unbiased, with more variance than payoffs."""
    return parts(setting, hands, setting.value, sign=-1.0)


def opponent_as_if_known(setting: Setting, hands: Sequence[Hand]) -> list[list[float]]:
    """Correct the moves of players with unknown strategies too, by odds that are not theirs."""
    return parts(setting, hands, setting.value, odds=uniform_odds)


def card_removal_forgotten(setting: Setting, hands: Sequence[Hand]) -> list[list[float]]:
    """Average over hands that the others' cards exclude."""
    return parts(setting, hands, setting.value, blind=True)


def mean_subtracted(setting: Setting, hands: Sequence[Hand]) -> list[float]:
    """Subtract from each hand's luck the mean luck of the hands evaluated."""
    luck = [sum(row) - float(hand.payoff) for row, hand in zip(aivat(setting, hands), hands, strict=True)]
    middle = sum(luck) / len(luck)
    return [float(hand.payoff) + x - middle for hand, x in zip(hands, luck, strict=True)]


def fitted_to_the_hands(setting: Setting, hands: Sequence[Hand]) -> list[list[float]]:
    """Take as values the mean payoffs of the hands evaluated."""

    @cache
    def value(moves: Moves) -> float:
        through = [float(hand.payoff) for hand in hands if hand.moves[: len(moves)] == moves]
        return sum(through) / len(through) if through else 0.0

    return parts(setting, hands, value)
