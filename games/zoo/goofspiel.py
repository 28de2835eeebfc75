"""Goofspiel, or the game of pure strategy: cards bid for prizes, both players at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from treeplex.games.base.parameters import check_integer, check_word, spec
from treeplex.games.base.protocol import TERMINAL, histories_of_widths
from treeplex.games.zoo.texts import bids_text, comparison, sign

Cards = tuple[int, ...]
"""A history: round by round the prize, where chance draws it, player 0's bid and player 1's."""
MAX_CARDS = 13
"""Ace to king, as with playing cards."""
CHOICES = {
    "order": ("descending", "ascending", "random"),
    "information": ("winner", "bids"),
    "payoff": ("win_loss", "points"),
}


@dataclass(frozen=True)
class Goofspiel:
    """Each player bids every card from 1 to n once; the higher bid wins the round's prize, a tie discards it.

    Player 1 bids without seeing player 0's bid of the same round. The last round, in which all cards are
    forced, is scored but not played: leaves lie after n - 1 rounds. Chance does not draw the last prize. The
    rules are those of OpenSpiel (Lanctot et al. 2019), except that points are paid as the difference, twice
    the points above the mean.

    Keys are rounds in order, player 0's bid first: ``3>?/1=?`` has won a prize with 3 and then tied with 1;
    ``?`` is a bid not seen. A bid still unanswered stands alone, ``3>?/1``. A prize drawn by chance comes
    first, ``2:3>?``. Everything is ``start`` before the first card.

    Attributes
    ----------
    cards : int
        How many cards a hand and the prizes have, 2 to 13.
    order : {"descending", "ascending", "random"}
        How the prizes come up.
    information : {"winner", "bids"}
        What a round reveals: who won it or that it was tied, or both bids.
    scoring : {"win_loss", "points"}
        Whether the winner of more points is paid 1, or the difference in points.
    """

    cards: int = 3
    order: str = "descending"
    information: str = "winner"
    scoring: str = "win_loss"

    @property
    def name(self) -> str:
        """The spec of this game."""
        fields = {"cards": "cards", "order": "order", "information": "information", "payoff": "scoring"}
        values = {key: getattr(self, field) for key, field in fields.items()}
        return spec("goofspiel", values, {key: getattr(Goofspiel, field) for key, field in fields.items()})

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "wins" if self.scoring == "win_loss" else "points"

    @property
    def width(self) -> int:
        """How many cards of a history make a round."""
        return 3 if self.order == "random" else 2

    @cached_property
    def texts(self) -> dict[int, dict[Cards, str]]:
        """The text of every complete or started round, as each player and the public see it."""
        numbers = range(1, self.cards + 1)
        rounds = [cards for k in range(1, self.width + 1) for cards in product(numbers, repeat=k)]
        return {who: {cards: self._text(cards, who) for cards in rounds} for who in (0, 1, TERMINAL)}

    @property
    def least_histories(self) -> int:
        """The number of histories: in each round as many prizes and bids are possible as cards are left."""
        return histories_of_widths(left for left in range(self.cards, 1, -1) for _ in range(self.width))

    def root(self) -> Cards:
        """Return the state before the first card."""
        return ()

    def player(self, state: Cards) -> int:
        """Return who acts: chance where it draws the prize, player 0, then player 1."""
        width = self.width
        if len(state) == width * (self.cards - 1):
            return TERMINAL
        # Chance is player -1: a round of three cards starts with player -1 instead of 0.
        return len(state) % width - (width - 2)

    def actions(self, state: Cards) -> Sequence[str]:
        """Return the cards that the player who acts still holds."""
        return [str(card) for card in self._left(state)]

    def chance(self, state: Cards) -> Sequence[tuple[str, Fraction]]:
        """Return the prizes left, equally likely."""
        left = self._left(state)
        return [(str(card), Fraction(1, len(left))) for card in left]

    def child(self, state: Cards, action: str) -> Cards:
        """Return the state after a bid or a prize."""
        return (*state, int(action))

    def infoset(self, state: Cards, player: int) -> str:
        """Return what ``player`` knows: the own bids, the prizes drawn, and what rounds revealed."""
        width, texts = self.width, self.texts[player]
        return "/".join([texts[state[k : k + width]] for k in range(0, len(state), width)]) or "start"

    def public(self, state: Cards) -> str:
        """Return what both have seen: the prizes drawn and what rounds revealed."""
        return self.infoset(state, TERMINAL)

    def payoff(self, state: Cards) -> Fraction:
        """Return player 0's points less player 1's, or the sign of the difference; forced bids included."""
        width, total = self.width, self.cards * (self.cards + 1) // 2
        first, second = state[width - 2 :: width], state[width - 1 :: width]
        # The last round takes the last card of each hand and the last prize.
        first, second = (*first, total - sum(first)), (*second, total - sum(second))
        points = 0
        for prize, mine, other in zip(self._prizes(state), first, second, strict=True):
            if mine != other:
                points += prize if mine > other else -prize
        return Fraction(points if self.scoring == "points" else sign(points))

    def _text(self, cards: Cards, player: int) -> str:
        """Return the text of a complete or started round for a player, or with ``TERMINAL`` the public."""
        prize, bids = cards[: self.width - 2], cards[self.width - 2 :]
        text = bids_text(bids, player, self.information == "bids", comparison(bids))
        return "".join(f"{card}:" for card in prize) + text

    def _left(self, state: Cards) -> list[int]:
        """Return the cards that have not yet been played at this place of a round."""
        played = state[len(state) % self.width :: self.width]
        return [card for card in range(1, self.cards + 1) if card not in played]

    def _prizes(self, state: Cards) -> Cards:
        if self.order == "random":
            drawn = state[::3]
            return (*drawn, self.cards * (self.cards + 1) // 2 - sum(drawn))
        rising = tuple(range(1, self.cards + 1))
        return rising if self.order == "ascending" else rising[::-1]


def goofspiel(
    cards: int = 3, order: str = "descending", information: str = "winner", payoff: str = "win_loss"
) -> Goofspiel:
    """Return Goofspiel with hands of 1 to ``cards``.

    Parameters
    ----------
    cards : int
        How many cards each player and the prizes have, 2 to 13.
    order : {"descending", "ascending", "random"}
        How the prizes come up: known from the start, or drawn by chance each round.
    information : {"winner", "bids"}
        What both learn of a round: who won it or that it was tied, or both bids.
    payoff : {"win_loss", "points"}
        1 for more points, 0 for as many, -1 for fewer; or the difference in points.

    Raises
    ------
    ValueError
        If ``cards`` is not an integer from 2 to 13, or another parameter is not one of its words.
    """
    check_integer("goofspiel: cards", cards, 2, MAX_CARDS)
    for key, word in (("order", order), ("information", information), ("payoff", payoff)):
        check_word(f"goofspiel: {key}", word, CHOICES[key])
    return Goofspiel(cards, order, information, payoff)
