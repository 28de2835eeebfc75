"""A strategy of a game with few bet sizes, played in a game with more: what all hands do at a betting line.

Opponents' bets are read by the pseudo-harmonic mapping (Ganzfried and Sandholm, Action translation in
extensive-form games with large action spaces, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from treeplex.core.strategy import Strategy
from treeplex.gadgets.off_tree.translation import check_alike, reading, readings
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import CALL, line_steps
from treeplex.seqform.boards.factored_strategy import check_suits
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.forms.treeplex import Floats, Index


def live_hands(game: PokerGame, board: Cards) -> Index:
    """Return the hands, (H, K), that the deck leaves on a board, their cards ascending."""
    live = [card for card in game.deck.cards if card not in board]
    return np.array([*combinations(live, game.hole_cards)], np.int64)


@dataclass(frozen=True)
class ByInfosets:
    """How all hands play by a strategy that is asked infoset by infoset.

    Attributes
    ----------
    game : PokerGame
    strategy : Strategy
    """

    game: PokerGame
    strategy: Strategy

    @cached_property
    def dealt(self) -> tuple[frozenset[Cards], frozenset[Cards]]:
        """The hands that each player may be dealt."""
        draws = self.game.hand_draws
        if draws is None:
            return frozenset(self.game.reach[0]), frozenset(self.game.reach[1])
        first, second = (
            frozenset(
                hand for hand, weight in zip(hands, draws.weights.sum(axis=1 - p), strict=True) if weight
            )
            for p, hands in enumerate(draws.hands)
        )
        return first, second

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions; even ones for hands that the strategy's player cannot hold.

        Raises
        ------
        ValueError
            If the strategy lacks the infoset of a hand.
        """
        point, public = self.game.point(line), self.game.public_key(board, line)
        found = np.full((len(hands), len(point.moves)), 1.0 / len(point.moves))
        possible = self.dealt[point.player]
        for k, hand in enumerate(hands.tolist()):
            if (mine := tuple(hand)) in possible:
                key = f"{self.game.hand_label(mine)}{self.game.joiner}{public}"
                odds = self.strategy.action_probabilities(point.player, key)
                found[k] = [odds.get(action, 0.0) for action in point.moves]
        return found


@dataclass(frozen=True)
class Reading:
    """A line of the game with few sizes for which a line of the game with more is taken.

    Attributes
    ----------
    line : str
    chance : float
        How likely bets are read so.
    reach : pair of (H,) float64
        How likely each player's strategy plays each hand so; hands are those that the deck and the starting
        board leave.
    """

    line: str
    chance: float
    reach: tuple[Floats, Floats]


@dataclass
class Translated:
    """A strategy of a game with few sizes, in a game with more.

    A reading is drawn once and remembered for the rest of the hand. That is a mixture of strategies, whose
    behaviour is computed here: at a line, readings count by their chance and by how likely the player's own
    actions so far were under them. So nothing has to be remembered, and what is played is what ranges are
    computed from.

    Attributes
    ----------
    game : PokerGame
        That is played.
    few : PokerGame
        The strategy's own: alike but for sizes and stacks.
    strategy : HandPlay
        Of ``few``.
    hands : (H, K) int64
        All hands of the deck that the starting board leaves.
    """

    game: PokerGame
    few: PokerGame
    strategy: HandPlay
    hands: Index = field(init=False, repr=False)
    _known: dict[tuple[str, Cards], tuple[Reading, ...]] = field(default_factory=dict, repr=False)
    _played_by: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        check_suits(self.game)
        if self.few != self.game:
            check_alike(self.few, self.game)
        self.hands = live_hands(self.game, self.game.board)

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of the game's actions at a line, (hands, actions), as ``HandPlay`` does.

        Raises
        ------
        ValueError
            If both games fall out of step there, or the strategy lacks an infoset.
        """
        point = self.game.point(line)
        moves = [*point.moves]
        at = self.places(hands)
        played, mass = np.zeros((len(hands), len(moves))), np.zeros(len(hands))
        even, chances = np.zeros((len(hands), len(moves))), 0.0
        for one in self.readings(line, board):
            shown = self._shown(one.line, line, board, hands)
            weight = one.chance * one.reach[point.player][at]
            played += weight[:, None] * shown
            mass += weight
            even += one.chance * shown
            chances += one.chance
        # Hands that no reading ever plays so far go on as if each reading were as likely as its bets are.
        return np.where(mass[:, None] > 0, played / np.where(mass > 0, mass, 1.0)[:, None], even / chances)

    def _shown(self, other: str, line: str, board: Cards, hands: Index) -> Floats:
        """Return what hands do at a line that is taken for another, (hands, actions)."""
        moves, image = [*self.game.point(line).moves], self._images(other, line)
        shown = np.zeros((len(hands), len(moves)))
        if not image:  # the pot was all in as bets were read: whatever comes is called
            shown[:, moves.index(CALL)] = 1.0
            return shown
        odds = self.strategy.play(other, board, hands)
        for k, action in enumerate(self.few.point(other).moves):
            shown[:, moves.index(image[action])] += odds[:, k]
        return shown

    def reaches(self, line: str, board: Cards) -> tuple[Floats, Floats]:
        """Return how likely each player plays each hand to a line, (H,) each, mixed over readings."""
        found = self.readings(line, board)
        first, second = (np.sum([one.chance * one.reach[p] for one in found], axis=0) for p in (0, 1))
        return first, second

    def places(self, hands: Index) -> Index:
        """Return where hands are among all hands, (n,)."""
        wanted = np.sort(hands, axis=1) @ self._powers
        return np.searchsorted(self._codes, wanted)

    @cached_property
    def _powers(self) -> Index:
        """What cards of a hand are multiplied by, so that codes of hands ascend as the hands do."""
        size = 1 + int(self.hands.max())
        return size ** np.arange(self.hands.shape[1])[::-1]

    @cached_property
    def _codes(self) -> Index:
        return np.asarray(self.hands @ self._powers)

    def readings(self, line: str, board: Cards) -> tuple[Reading, ...]:
        """Return what a line on a board is taken for.

        Parameters
        ----------
        line : str
        board : tuple of int
            At least the cards that are dealt at the line.
        """
        dealt = board[: self.game.point(line).n_board]
        key = line, dealt
        if key not in self._known:
            found = self._found(line, dealt)
            # What lies on the way is known too by now, and of about the same size.
            if len(self._known) * len(self.hands) >= MOST_KEPT:
                self._known.clear()
            self._known[key] = found
        return self._known[key]

    def _found(self, line: str, board: Cards) -> tuple[Reading, ...]:
        if line == self.game.first_line:
            ones = np.ones(len(self.hands))
            return (Reading(self.few.first_line, 1.0, (ones, ones)),)
        *_, (before, action, _) = line_steps(self.game, line)
        player = self.game.point(before).player
        above = self.readings(before, board)
        if action is None:  # cards were dealt
            return tuple(self._dealt(one) for one in above)
        board = board[: self.game.point(before).n_board]
        live = ~np.isin(self.hands, board).any(axis=1)
        found: list[Reading] = []
        for one in above:
            moves = self.few.point(one.line).moves
            if not moves:
                # All in as bets were read: what is called goes on, and bets say nothing.
                found.append(one)
                continue
            odds = self.strategy.play(one.line, board, self.hands[live])
            for label, chance in self._readings(one.line, before, action).items():
                # The reading says what was played: that part of the player's hands goes on.
                own = np.zeros(len(self.hands))
                own[live] = odds[:, [*moves].index(label)]
                reach = [*one.reach]
                reach[player] = reach[player] * own
                found.append(Reading(moves[label], one.chance * chance, (reach[0], reach[1])))
        return tuple(found)

    def _dealt(self, reading: Reading) -> Reading:
        """Return a reading after cards are dealt; a hand that is over as bets were read stays so."""
        point = self.few.point(reading.line)
        return replace(reading, line=point.after) if point.player == CHANCE else reading

    def _readings(self, other: str, line: str, action: str) -> dict[str, float]:
        """Return what an action of the game's is read as at a line of the few sizes, with chances.

        It is what is played by it where there is such an action, which may be several.
        """
        meant = [label for label, played in self._images(other, line).items() if played == action]
        if meant:
            return dict.fromkeys(meant, 1.0)
        return reading(self.few, other, self.game, line, action)

    def _images(self, other: str, line: str) -> dict[str, str]:
        """Return by which action of the game each of the few sizes is played; none where nobody acts."""
        if not self.few.point(other).moves:
            return {}
        if self.few == self.game:
            return {action: action for action in self.game.point(line).moves}
        if (other, line) not in self._played_by:
            if len(self._played_by) >= MOST_LINES:
                self._played_by.clear()
            self._played_by[other, line] = self._found_images(other, line)
        return self._played_by[other, line]

    def _found_images(self, other: str, line: str) -> dict[str, str]:
        read = readings(self.few, other, self.game, line, own=True)
        found = {label: action for action, labels in read.items() for label in labels}
        lacking = [label for label in self.few.point(other).moves if label not in found]
        if lacking:
            raise BadInputError(
                f"{self.game.name} at {line!r} has nothing for {lacking[0]} of {self.few.name} at {other!r}"
            )
        return found


MOST_KEPT = 2**21
"""Lines on boards of which readings are kept, times hands."""
MOST_LINES = 20_000
"""Pairs of lines of which it is kept by which actions the few sizes are played."""
