"""Bets that opponents made in kept hands and an agent's menus lack, counted, scored and chosen.

Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats top professionals (2017), the
self-improver: bets of the first betting round, all opponents together, by frequency and by distance from the
nearest size of the abstraction. The paper does not print the score; this one is ours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import log1p

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import shown
from treeplex.games.poker.game import PokerGame
from treeplex.play.hand import Dealer, Hand

MatchHands = Iterable[tuple[int, Hand]]
"""The hands of a match, each with the seat of A."""


@dataclass(frozen=True)
class OpponentBet:
    """A bet of the first betting round that menus lack, and how often opponents made it.

    Attributes
    ----------
    line : str
        The line before it, all of whose actions the menus have.
    label : str
        Such as ``r37``, as keys spell it.
    player : int
        Who bets.
    count : int
        Hands in which it was made.
    share : float
        The part of the opponents' decisions at the line that it is.
    distance : float
        By how much its part of the pot is off the nearest action of the menus: the least
        abs(log((1 + x) / (1 + y))), x and y chips beyond a call over the pot after it, 0 for a call.
    stake : float
        Chips in the pot if it is called.
    score : float
        What adding it takes from the sum, over the bets that were made at the line, of ``stake`` times
        distance. Where one size is made alone, count times distance times stake.
    """

    line: str
    label: str
    player: int
    count: int
    share: float
    distance: float
    stake: float
    score: float

    @property
    def after(self) -> str:
        """The line that ends in the bet."""
        return self.line + self.label


@dataclass
class Observed:
    """What opponents did in the first betting round, as far as an agent's menus reach.

    Attributes
    ----------
    game : PokerGame
        That was played.
    few : PokerGame
        With the agent's menus.
    hands : int
        How many were looked at.
    bets : Counter of (line, label)
        Bets that the menus lack, the first of each hand.
    decisions : Counter of line
        How often those who made such bets acted at lines.
    """

    game: PokerGame
    few: PokerGame
    hands: int = 0
    bets: Counter[tuple[str, str]] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)

    def add(self, match: MatchHands) -> None:
        """Count the hands of a match; whoever makes a bet that the menus lack is an opponent in it.

        Raises
        ------
        ValueError
            If a hand is none of the game.
        """
        dealer = Dealer(self.game)
        acted: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        opponents = set[int]()
        for seat, hand in match:
            self.hands += 1
            if dealer.payoff(hand.moves) != hand.payoff:
                told = shown("/".join(hand.moves))
                raise BadInputError(f"the moves {told} do not pay {shown(hand.payoff)}")
            bet = self._look(hand, seat, acted)
            if bet is not None:
                opponents.add(bet[2] ^ seat)
                self.bets[bet[:2]] += 1
            self.game.forget()
        for who in opponents:
            self.decisions.update(acted[who])

    def _look(
        self, hand: Hand, seat: int, acted: tuple[Counter[str], Counter[str]]
    ) -> tuple[str, str, int] | None:
        """Return the line, the label and the player of the first bet that the menus lack, if there is one.

        Adds each decision of the first round up to it to those of A or B.
        """
        game, state = self.game, self.game.root()
        for move in hand.moves:
            if game.player(state) == TERMINAL:
                break
            if game.player(state) != CHANCE:
                point = game.point(state.line)
                if point.betting.round:
                    break
                acted[point.player ^ seat][state.line] += 1
                if move not in self.few.point(state.line).moves:
                    return state.line, move, point.player
            state = game.child(state, move)
        return None

    def chosen(self, k: int) -> tuple[OpponentBet, ...]:
        """Return the k bets that are worth most, the best first; each is scored with those before it added.

        Bets that the rules of ``few`` do not allow, as where its stacks are less, are never chosen.

        Parameters
        ----------
        k : int
            At least 1; fewer are returned where opponents made fewer.
        """
        made, added = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        found = list[OpponentBet]()
        for line, label in sorted(self.bets):
            made[line].append(label)
        best = {line: self._best(line, labels, []) for line, labels in made.items()}
        while len(found) < k and any(best.values()):
            found.append(max(filter(None, best.values()), key=lambda one: one.score))
            line = found[-1].line
            added[line].append(found[-1].label)
            best[line] = self._best(line, made[line], added[line])
        return tuple(found)

    def _best(self, line: str, labels: list[str], added: list[str]) -> OpponentBet | None:
        """Return which bet made at a line is worth most where some were added; None if none is left."""
        state = self.few.point(line).betting
        top, totals = max(state.put), [self._total(label) for label in labels]
        left = [k for k, label in enumerate(labels) if label not in added and self._is_legal(line, label)]
        if not left:
            return None
        menu = [top, *self.few.betting.totals(state), *map(self._total, added)]
        parts, known = (np.array([_part(one, top) for one in several]) for several in (totals, menu))
        off = np.min([abs(parts - part) for part in known], axis=0)
        stakes = 2.0 * np.array([float(total) for total in totals])
        weight = stakes * [self.bets[line, label] for label in labels]
        scores = [float((weight * np.maximum(off - abs(parts - parts[k]), 0.0)).sum()) for k in left]
        k, score = max(zip(left, scores, strict=True), key=lambda one: one[1])
        count = self.bets[line, labels[k]]
        share = count / self.decisions[line]
        return OpponentBet(
            line, labels[k], state.player, count, share, float(off[k]), float(stakes[k]), score
        )

    def _is_legal(self, line: str, label: str) -> bool:
        """Return whether the rules of ``few`` allow a bet at a line."""
        betting = self.few.betting
        legal, total = betting.raise_range(self.few.point(line).betting), self._total(label)
        if legal is None or not legal[0] <= total <= legal[1]:
            return False
        return betting.chip is None or total == legal[1] or not Fraction(label[1:]) % betting.chip

    def _total(self, label: str) -> Fraction:
        """Return the chips of whoever raises in the pot after it."""
        return Fraction(label[1:]) + self.few.betting.dead_money


def _part(total: Fraction, top: Fraction) -> float:
    """Return log(1 + x), where x is a raise's chips beyond a call over the pot after the call."""
    return log1p(float((total - top) / (2 * top))) if top else 0.0
