"""Whether a poker game is legal: its cards, ranking, flops, ranges and locks."""

from collections.abc import Iterable
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards, Range
from treeplex.games.poker.locks import Lock, Play
from treeplex.games.poker.rankings import CARDS_RANKED, HOLE_CARDS, RANKINGS, SUITLESS_RANKINGS
from treeplex.games.poker.rules import PokerRules

MOST_NAMED = 8
"""The largest number of actions that an error names."""
LEAST_PAIR = Fraction(1, 10**300)
"""Of hands that can be dealt together, beside all pairs: smaller products are no floats."""
MOST_WEIGHT = 2**62
"""Weights of flops add up to less: sums of them stay within 64 bits."""


def check_cards(game: PokerRules) -> None:
    """Raise ValueError if the deck has too few cards or the board has cards that are not of the deck."""
    if not isinstance(game.hole_cards, int) or game.hole_cards < 1:
        raise BadInputError(f"hole_cards must be an integer of at least 1, got {shown(game.hole_cards)}")
    rounds, got = game.betting.n_rounds, shown(game.board_cards)
    if len(game.board_cards) != rounds:
        raise BadInputError(f"board_cards must have {rounds} entries, one a round, got {got}")
    if any(not isinstance(n, int) or n < 0 for n in game.board_cards):
        raise BadInputError(f"board_cards must be integers of at least 0, got {got}")
    game.deck.require("the board", game.board)
    needed, there = 2 * game.hole_cards + game.n_board, len(game.deck.cards)
    if there < needed:
        raise BadInputError(
            f"too few ranks or suits: two hands and the board need {needed} cards, but the deck has {there}"
        )


def check_ranking(game: PokerRules) -> None:
    """Raise ValueError if the ranking cannot compare the hands of the game."""
    if game.ranking not in RANKINGS:
        raise BadInputError(f"ranking must be one of {', '.join(RANKINGS)}, got {game.ranking!r}")
    few, many = CARDS_RANKED.get(game.ranking, (0, len(game.deck.cards)))
    count = game.hole_cards + game.n_board
    if not few <= count <= many:
        raise BadInputError(f"ranking {game.ranking} compares {few} to {many} cards of a player, got {count}")
    hole_cards = HOLE_CARDS.get(game.ranking, game.hole_cards)
    if game.hole_cards != hole_cards:
        raise BadInputError(f"ranking {game.ranking} takes {hole_cards} hole card(s), got {game.hole_cards}")
    if not isinstance(game.suits_visible, bool):
        raise BadInputError(f"suits_visible must be true or false, got {shown(game.suits_visible)}")
    suitless = game.ranking in SUITLESS_RANKINGS and game.hole_cards == 1
    if not game.suits_visible and not suitless:
        raise BadInputError("suits can be invisible only with one hole card and a ranking of ranks alone")
    if game.deck.is_numbered and not (suitless and game.sees_ranks_only and game.n_board <= 1):
        raise BadInputError(f"ranks must be at most 13 in a game that sees suits, got {game.ranks}")


def check_flops(game: PokerRules, flops: tuple[tuple[Cards, int], ...]) -> None:
    """Raise ValueError unless listed flops are different deals of the first board cards, weights positive."""
    if game.board:
        raise BadInputError(f"flops are listed for games without a starting board, got {shown(game.board)}")
    if game.sees_ranks_only:
        raise BadInputError(f"flops are listed for games whose suits are seen, got {game.name}")
    n_cards = next((n for n in game.board_cards if n), 0)
    if not (flops and n_cards):
        raise BadInputError(f"flops must be at least one deal of board cards, got {shown(flops)}")
    for cards, weight in flops:
        if len(cards) != n_cards or list(cards) != sorted({*cards}, reverse=True):
            raise BadInputError(
                f"each flop must be {n_cards} different cards, high to low, got {shown(cards)}"
            )
        game.deck.require("a flop", cards)
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
            raise BadInputError(f"the weight of a flop must be an integer of at least 1, got {shown(weight)}")
    if len(dict(flops)) < len(flops) or sum(dict(flops).values()) >= MOST_WEIGHT:
        raise BadInputError(f"flops must be different, with weights below {MOST_WEIGHT:,} in all")


def check_ranges(game: PokerRules, ranges: tuple[Range, Range]) -> None:
    """Raise ValueError if a range has an illegal hand or weight, or every pair of hands shares a card."""
    for player, one in enumerate(ranges):
        game.deck.require_range(one, game.hole_cards)
        if not game.reach[player]:
            raise BadInputError(f"the range of player {player} has no hand that the board leaves possible")
    flops = [{*cards} for cards, _ in game.flops] if game.flops else [set[int]()]
    pairs = ((flop, {*g}, {*h}) for flop in flops for g in game.reach[0] for h in game.reach[1])
    if all(g & h or flop & (g | h) for flop, g, h in pairs):
        raise BadInputError("the ranges hold no two hands that can be dealt together")
    most = max(game.reach[0].values()) * max(game.reach[1].values())
    if min(game.reach[0].values()) * min(game.reach[1].values()) >= LEAST_PAIR * most:
        return
    several = ((g, h, w * v) for g, w in game.reach[0].items() for h, v in game.reach[1].items())
    if max((weight for g, h, weight in several if not {*g} & {*h}), default=most) < LEAST_PAIR * most:
        raise BadInputError(
            "two hands that can be dealt together must have a weight of 1e-300 of the largest of all pairs"
        )


def check_locks(game: PokerRules) -> None:
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
            raise BadInputError(f"line {lock.line!r} must have one lock at most, got two")
        seen.add(lock.line)
        for hand, play in lock.play.items():
            for action in play:
                check_action(game, lock.line, action)
            if hand not in game.reach[player]:
                text = game.deck.text(hand) if {*hand} <= {*game.deck.cards} else hand
                raise BadInputError(
                    f"the lock at {lock.line!r} must name hands that player {player} can hold, got {text}"
                )
        _check_alike(game, lock, player)


def actor(game: PokerRules, line: str) -> int:
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
    raise BadInputError(f"a lock must be at a line where a player acts; {what}, after {here!r} {comes}")


def named(actions: Iterable[str]) -> str:
    """Return labels as errors list them, at most ``MOST_NAMED``."""
    labels = [*actions]
    return ", ".join(labels[:MOST_NAMED]) + (", ..." if len(labels) > MOST_NAMED else "")


def check_action(game: PokerRules, line: str, action: str) -> None:
    """Raise ValueError unless an action is legal at a line."""
    legal = game.point(line).moves
    if action not in legal:
        raise BadInputError(f"an action at line {line!r} must be one of {named(legal)}, got {action!r}")


def _check_alike(game: PokerRules, lock: Lock, player: int) -> None:
    """Raise ValueError unless hands of one infoset are locked alike."""
    if not game.sees_ranks_only:
        return
    first: dict[str, Play | None] = {}
    for hand in game.reach[player]:
        play, label = lock.play.get(hand), game.hand_label(hand)
        if first.setdefault(label, play) != play:
            raise BadInputError(f"the lock at line {lock.line!r} must treat all hands {label} alike")
