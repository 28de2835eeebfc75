"""Two-player poker from Kuhn to hold'em: one class for deck, deals, betting and ranking."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards, Deck, Range, held
from treeplex.games.cards.ranges import parse_range
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState, follow
from treeplex.games.poker.drawn_deals import HandDraws, drawn_street, is_street
from treeplex.games.poker.locks import Lock, Play
from treeplex.games.poker.rankings import CARDS_RANKED, HOLE_CARDS, RANKINGS, SUITLESS_RANKINGS
from treeplex.games.poker.size_menus import check_keys

MOST_NAMED = 8
"""The largest number of actions that an error names."""
MOST_REMEMBERED = 100_000
"""Betting lines, boards and strengths that are kept from hand to hand: about 80 MB."""
EXAMPLE = '{ c = "all", r50 = "AA,KK:0.5" }'


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
    raise BadInputError(f"a lock must be at a line where a player acts; {what}, after {here!r} {comes}")


def named(actions: Iterable[str]) -> str:
    """Return labels as errors list them, at most ``MOST_NAMED``."""
    labels = [*actions]
    return ", ".join(labels[:MOST_NAMED]) + (", ..." if len(labels) > MOST_NAMED else "")


def check_action(game: "PokerGame", line: str, action: str) -> None:
    """Raise ValueError unless an action is legal at a line."""
    legal = game.point(line).moves
    if action not in legal:
        raise BadInputError(f"an action at line {line!r} must be one of {named(legal)}, got {action!r}")


def _check_alike(game: "PokerGame", lock: Lock, player: int) -> None:
    """Raise ValueError unless hands of one infoset are locked alike."""
    if not game.sees_ranks_only:
        return
    first: dict[str, Play | None] = {}
    for hand in game.reach[player]:
        play, label = lock.play.get(hand), game.hand_label(hand)
        if first.setdefault(label, play) != play:
            raise BadInputError(f"the lock at line {lock.line!r} must treat all hands {label} alike")


def read_locks(tables: object, game: "PokerGame") -> tuple[Lock, ...]:
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


def _read_lock(table: dict[str, Any], game: "PokerGame") -> Lock:
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


def _read_hands(action: str, text: object, game: "PokerGame", player: int) -> Range:
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


class PokerState(NamedTuple):
    """A history: both private hands (None before they are dealt), the board, the betting line."""

    hands: tuple[Cards, Cards] | None
    board: Cards
    line: str


class Point(NamedTuple):
    """A node of the betting: who acts, the board cards due, and the lines that follow."""

    betting: BettingState
    player: int
    """Who acts once the board cards are dealt: 0, 1, ``CHANCE`` or ``TERMINAL``."""
    n_board: int
    """Number of board cards that must be dealt first."""
    after: str
    """The line after they are dealt."""
    moves: dict[str, str]
    """The line after each legal action, in order."""
    wins: tuple[Fraction, Fraction, Fraction]
    """Player 0's payoff if the hand ends here, with the weaker, an equal and the stronger hand."""

    @property
    def nexts(self) -> list[str]:
        """The lines that may follow: one where cards are dealt, none where the hand is over."""
        return [self.after] if self.player == CHANCE else [*self.moves.values()]


class _Caches(NamedTuple):
    """Points, betting states, labels of boards and strengths computed so far."""

    points: dict[str, Point]
    bettings: dict[str, BettingState]
    board_labels: dict[Cards, str]
    strengths: dict[tuple[Cards, Cards], int]


@dataclass(frozen=True)
class PokerGame:
    """A two-player poker game, or a spot of one; satisfies ``Game``, one state for each pair of hands.

    The explicit game deals both private hands in one chance node (ordered pairs of physical hands) and the
    board cards of each round in one more. Infosets are keyed "K:cr" or "KQ:crc/r" (hand, board, betting)
    where only ranks are seen, "AsKd|KsTh7s4d2c:cr50" elsewhere: the hand from high to low, the board in
    the order of dealing with each street from high to low. What is locked is played by chance.

    Attributes
    ----------
    name : str
        The spec of this game.
    ranks, suits : int
        The deck: the highest ranks up to the king with the rankings of Kuhn and Leduc, up to the ace
        with those of Rhode Island and hold'em. More than 13 ranks, numbered from 1, may be had with one
        hole card whose suit is not seen.
    hole_cards : int
        Private cards of each player.
    board_cards : tuple of int
        Board cards dealt before each round.
    betting : Betting
    ranking : str
        Who wins a showdown, a key of ``treeplex.games.poker.rankings.RANKINGS``.
    suits_visible : bool
        Whether the players see suits; without them hands of one rank are one infoset.
    board : tuple of int
        The board before the first action, as in a spot.
    ranges : pair of mappings from hands to weights, or None
        The weight of each hand before the deal, up to a factor; absent hands and hands that share a card
        with the board have probability 0. None gives all hands equal weight.
    unit : str
        The unit of payoffs.
    locks : tuple of Lock
        Fixed behaviour of some hands at some lines.
    flops : tuple of pairs of cards and int, or None
        The possible first deals of board cards with their weights, high to low. The deal is drawn first and
        lies face down until it is due, then hands from the other cards: two hands g, h and a flop f that
        share no card have probability proportional to weight(g) weight(h) weight(f). A hand that ends before
        is paid once it is turned up, so that flops can be taken one by one. None: all sets of cards.
    """

    name: str
    ranks: int
    suits: int
    hole_cards: int
    board_cards: tuple[int, ...]
    betting: Betting
    ranking: str
    suits_visible: bool = True
    board: Cards = ()
    ranges: tuple[Range, Range] | None = None
    unit: str = "chips"
    locks: tuple[Lock, ...] = ()
    flops: tuple[tuple[Cards, int], ...] | None = None

    def __post_init__(self) -> None:
        check_cards(self)
        check_ranking(self)
        if self.flops is not None:
            check_flops(self, self.flops)
        if self.ranges is not None:
            check_ranges(self, self.ranges)
        check_locks(self)

    @cached_property
    def deck(self) -> Deck:
        """The cards of the game."""
        return Deck(self.ranks, self.suits, self.ranking in SUITLESS_RANKINGS)

    @property
    def sees_ranks_only(self) -> bool:
        """Whether players see the ranks of cards only."""
        return self.hole_cards == 1 and (self.suits == 1 or not self.suits_visible)

    @property
    def n_board(self) -> int:
        """Number of cards of a full board."""
        return len(self.board) + sum(self.board_cards)

    @cached_property
    def joiner(self) -> str:
        """The separator of a hand's label and the public key."""
        ambiguous = self.deck.is_numbered and self.n_board > 0
        return "" if self.sees_ranks_only and not ambiguous else "|"

    @cached_property
    def reach(self) -> tuple[Range, Range]:
        """The weight of each hand that a player can hold on the starting board, for both players."""
        if self.ranges is None:
            live = [card for card in self.deck.cards if card not in self.board]
            every_hand = dict.fromkeys(combinations(live, self.hole_cards), Fraction(1))
            return every_hand, every_hand
        return held(self.ranges[0], self.board), held(self.ranges[1], self.board)

    def streets(self, board: Cards, n_cards: int) -> Iterator[tuple[Cards, int]]:
        """Yield the sets of cards that may be dealt after a board, high to low, each with its weight."""
        if self.flops is not None and not board:
            yield from self.flops
            return
        live = [card for card in reversed(self.deck.cards) if card not in board]
        yield from ((cards, 1) for cards in combinations(live, n_cards))

    def hand_label(self, hand: Cards) -> str:
        """Return the text of a hand in an infoset's key."""
        return self.deck.key_text(hand, (len(hand),), self.sees_ranks_only)

    def public_key(self, board: Cards, line: str) -> str:
        """Return the key of a public state, "board:line"."""
        label = self._caches.board_labels.get(board)
        if label is None:
            label = self.deck.key_text(board, self._streets, self.sees_ranks_only)
            self._caches.board_labels[board] = label
        return f"{label}:{line}"

    def point(self, line: str) -> Point:
        """Return the node of the betting at a line."""
        point = self._caches.points.get(line)
        if point is None:
            point = self._caches.points[line] = self._look_up(line)
        return point

    def longest_line(self, line: str) -> str:
        """Return the longest betting line of the game that is a prefix of a text."""
        return follow(line, self.first_line, lambda here: self.point(here).nexts, str)

    def strength(self, hand: Cards, board: Cards) -> int:
        """Return the strength of a hand on a full board; larger wins."""
        strength = self._caches.strengths.get((hand, board))
        if strength is None:
            strength = self._caches.strengths[hand, board] = RANKINGS[self.ranking](hand, board)
        return strength

    def root(self) -> PokerState:
        """Return the state before the private hands are dealt."""
        return PokerState(None, self.board, self.first_line)

    def player(self, state: PokerState) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``; chance where the hand is locked."""
        hands, board, line = state
        point = self.point(line)
        if hands is None or len(board) < point.n_board:
            return CHANCE
        return CHANCE if self.locks and self._play(state) is not None else point.player

    def actions(self, state: PokerState) -> Sequence[str]:
        """Return the labels of the legal actions: fold, check or call, raises; none where nobody acts."""
        return () if self.player(state) < 0 else tuple(self.point(state.line).moves)

    def chance(self, state: PokerState) -> Sequence[tuple[str, Fraction]]:
        """Return the possible deals (physical cards), or the actions of a locked hand, with probabilities."""
        if state.hands is None:
            return self._deals
        if len(state.board) == self.point(state.line).n_board:
            return [*(self._play(state) or {}).items()]
        held, due = {*state.hands[0], *state.hands[1]}, self.point(state.line).n_board - len(state.board)
        streets = [
            (cards, weight) for cards, weight in self.streets(state.board, due) if held.isdisjoint(cards)
        ]
        total = sum(weight for _, weight in streets)
        return [(self.deck.text(cards), Fraction(weight, total)) for cards, weight in streets]

    @property
    def least_histories(self) -> int:
        """The root, and a history for each deal of both hands; 1 where deals cannot be drawn."""
        return 1 + (0 if self.hand_draws is None else self.hand_draws.n_pairs)

    @cached_property
    def hand_draws(self) -> HandDraws | None:
        """Both hands drawn without listing all deals; None for decks of numbered cards."""
        if self.deck.is_numbered:
            return None
        return HandDraws.of(*self.reach, self.flops)

    def drawn(self, state: PokerState, number: float) -> str | None:
        """Return the deal whose share of [0, 1) a number lies in; None where :meth:`chance` must be asked.

        Deals have the order and, up to rounding, the probabilities that :meth:`chance` lists.
        """
        hands, board, line = state
        if hands is None:
            if self.hand_draws is None:
                return None
            return "|".join(map(self.deck.text, self.hand_draws.drawn(number)))
        if (due := self.point(line).n_board - len(board)) <= 0:
            return None
        return self.deck.text(drawn_street(self.deck, self.flops, hands, board, due, number))

    def is_dealt(self, state: PokerState, label: str) -> bool | None:
        """Return whether a label is a deal that may come; None where :meth:`chance` must be asked."""
        hands, board, line = state
        if hands is None:
            if self.hand_draws is None:
                return None
            first, _, second = label.partition("|")
            mine, other = self._hand_of.get(first), self._hand_of.get(second)
            return mine is not None and other is not None and self.hand_draws.has(mine, other)
        if (due := self.point(line).n_board - len(board)) <= 0:
            return None
        return is_street(self.deck, self.flops, hands, board, due, label)

    def forget(self) -> None:
        """Drop lines, boards and strengths that were looked up if they are more than ``MOST_REMEMBERED``."""
        caches: tuple[dict[Any, Any], ...] = self._caches
        if sum(map(len, caches)) > MOST_REMEMBERED:
            for cache in caches:
                cache.clear()

    def child(self, state: PokerState, action: str) -> PokerState:
        """Return the state after an action's or a deal's label."""
        hands, board, line = state
        if hands is None:
            first, _, second = action.partition("|")
            return PokerState((self._hand_of[first], self._hand_of[second]), board, line)
        point = self.point(line)
        if len(board) < point.n_board:
            return PokerState(hands, board + self.deck.parse(action), point.after)
        return PokerState(hands, board, point.moves[action])

    def infoset(self, state: PokerState, player: int) -> str:
        """Return what a player knows: the own hand, the board and the betting."""
        hand = "" if state.hands is None else self._hand_labels[state.hands[player]]
        return f"{hand}{self.joiner}{self.public_key(state.board, state.line)}"

    def public(self, state: PokerState) -> str:
        """Return what both players know, "board:line"; nothing before the hands are dealt."""
        return "" if state.hands is None else self.public_key(state.board, state.line)

    def payoff(self, state: PokerState) -> Fraction:
        """Return what player 0 wins at a leaf."""
        hands, board, line = state
        point = self.point(line)
        if hands is None or point.player != TERMINAL:
            raise BadInputError(f"the hand is not over at {state}")
        if point.betting.folded >= 0:
            return point.wins[0]
        mine, other = self.strength(hands[0], board), self.strength(hands[1], board)
        return point.wins[1 + (mine > other) - (mine < other)]

    @cached_property
    def locked(self) -> dict[str, Lock]:
        """The lock of each betting line that has one."""
        return {lock.line: lock for lock in self.locks}

    def _play(self, state: PokerState) -> Play | None:
        """Return the locked behaviour of the hand that acts; None if it is free."""
        lock = self.locked.get(state.line)
        if lock is None or state.hands is None:
            return None
        return lock.play.get(state.hands[self.point(state.line).player])

    @cached_property
    def first_line(self) -> str:
        """The betting line at which play starts: empty, unless nobody has chips to bet."""
        return self.start().line

    @cached_property
    def _streets(self) -> tuple[int, ...]:
        return (*map(len, self.starting_streets), *self.board_cards)

    @cached_property
    def starting_streets(self) -> tuple[Cards, ...]:
        """The cards of the starting board by the street on which they were dealt."""
        start = len(self.board)
        flop = 3 if self.ranking == "holdem" and start >= 3 else min(start, 1)
        return (self.board[:flop], *((card,) for card in self.board[flop:]))

    @cached_property
    def _caches(self) -> _Caches:
        return _Caches({}, {}, {}, {})

    @cached_property
    def _hand_labels(self) -> dict[Cards, str]:
        return {hand: self.hand_label(hand) for one in self.reach for hand in one}

    @cached_property
    def _hand_of(self) -> dict[str, Cards]:
        return {self.deck.text(hand): hand for one in self.reach for hand in one}

    @cached_property
    def _deals(self) -> list[tuple[str, Fraction]]:
        pairs = list(self._pairs())
        total = sum(weight for _, weight in pairs)
        text = self.deck.text
        return [(f"{text(g)}|{text(h)}", weight / total) for (g, h), weight in pairs]

    def _pairs(self) -> Iterator[tuple[tuple[Cards, Cards], Fraction]]:
        for (g, of_g), (h, of_h) in product(self.reach[0].items(), self.reach[1].items()):
            if set(g).isdisjoint(h) and (flops := self._flops_off({*g, *h})):
                yield (g, h), of_g * of_h * flops

    def _flops_off(self, held: set[int]) -> int:
        """Return the total weight of the flops without some cards; 1 where flops are not listed."""
        if self.flops is None:
            return 1
        return sum(weight for cards, weight in self.flops if held.isdisjoint(cards))

    def _look_up(self, line: str) -> Point:
        betting = self._caches.bettings.get(line) or self.betting.at(line)
        moves = {}
        for label, after in self.moves(betting):
            self._caches.bettings[after.line] = after
            moves[label] = after.line
        n_board, dealt = self.dealt(betting)
        self._caches.bettings[dealt.line] = dealt
        player = {HAND_OVER: TERMINAL, ROUND_OVER: CHANCE}.get(betting.player, betting.player)
        return Point(betting, player, n_board, dealt.line, moves, _wins(betting))

    def start(self) -> BettingState:
        """Return the betting before the first action."""
        return self._skip(self.betting.root())

    def moves(self, betting: BettingState, menu: Sizes | None = None) -> list[tuple[str, BettingState]]:
        """Return the labels of the legal actions and the betting after each, raises by a menu if given."""
        return [(label, self._skip(after)) for label, after in self.betting.moves(betting, menu)]

    def dealt(self, betting: BettingState) -> tuple[int, BettingState]:
        """Return the number of board cards that must be dealt first, and the betting after they are.

        Listed flops are turned up before a hand that has ended is paid.
        """
        over = betting.player == ROUND_OVER
        n_board = len(self.board) + sum(self.board_cards[: betting.round + 1 + over])
        if self.flops is not None and betting.player == HAND_OVER:
            n_board = max(n_board, len(self.flops[0][0]))
        return n_board, self._skip(self.betting.next_round(betting)) if over else betting

    def _skip(self, betting: BettingState) -> BettingState:
        """Return the betting at the next round while no board card is dealt between rounds."""
        while betting.player == ROUND_OVER and self.board_cards[betting.round + 1] == 0:
            betting = self.betting.next_round(betting)
        return betting


def _wins(betting: BettingState) -> tuple[Fraction, Fraction, Fraction]:
    """Return player 0's payoff if the hand ends here, with the weaker, an equal and the stronger hand."""
    stake = betting.stake
    return (stake, stake, stake) if betting.folded >= 0 else (-stake, Fraction(0), stake)


MOST_WEIGHT = 2**62
"""Weights of flops add up to less: sums of them stay within 64 bits."""


def check_cards(game: "PokerGame") -> None:
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


def check_ranking(game: "PokerGame") -> None:
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


def check_flops(game: "PokerGame", flops: tuple[tuple[Cards, int], ...]) -> None:
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


def check_ranges(game: "PokerGame", ranges: tuple[Range, Range]) -> None:
    """Raise ValueError if a range has an illegal hand or weight, or every pair of hands shares a card."""
    for player, one in enumerate(ranges):
        game.deck.require_range(one, game.hole_cards)
        if not game.reach[player]:
            raise BadInputError(f"the range of player {player} has no hand that the board leaves possible")
    if all(set(g) & set(h) for g in game.reach[0] for h in game.reach[1]):
        raise BadInputError("the ranges hold no two hands that can be dealt together")
