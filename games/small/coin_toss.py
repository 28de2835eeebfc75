"""Coin Toss, the running example of "Safe and Nested Subgame Solving" (Brown and Sandholm, NIPS 2017)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.inputs.reading import exact, shown
from treeplex.games.poker.names import spec_of
from treeplex.games.protocol import CHANCE, TERMINAL

HALF = Fraction(1, 2)

Toss = tuple[str, ...]
"""A history: the coin, Sell or Play, the subgame's label if there are two, the guess."""


@dataclass(frozen=True)
class CoinToss:
    """A coin only player 0 sees; player 0 sells it or plays, and then player 1 guesses how it landed.

    A right guess pays player 0 -1, a wrong one or Forfeit +1 (Figure 1a). With two subgames a fair coin
    that both see decides between S1 and S2 after Play (Figure 4).

    Keys are coin, colon, public line: ``Heads:Play/S1`` for player 0, ``?:Play/S1`` for player 1 and
    ``:Play/S1`` for the public state; everything is ``start`` before the toss.

    Attributes
    ----------
    heads, tails : Fraction
        Player 0's payoff for selling a coin that landed heads or tails.
    forfeit : bool
        Whether player 1 may forfeit instead of guessing.
    subgames : int
        1, or 2 for the variant of Figure 4.
    """

    heads: Fraction = HALF
    tails: Fraction = -HALF
    forfeit: bool = True
    subgames: int = 1

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("coin_toss", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs, as in the paper."""
        return "dollars"

    def root(self) -> Toss:
        """Return the state before the toss."""
        return ()

    def player(self, state: Toss) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``."""
        if not state:
            return CHANCE
        line = state[1:]
        if not line:
            return 0
        # One move before the guess, Play, or with two subgames two: Play and the public coin.
        ahead = self.subgames - len(line)
        if line[0] == "Sell" or ahead < 0:
            return TERMINAL
        return 1 if ahead == 0 else CHANCE

    def actions(self, state: Toss) -> Sequence[str]:
        """Return the labels of the legal actions of the player who acts."""
        if self.player(state) == 0:
            return ("Sell", "Play")
        return ("Heads", "Tails", "Forfeit") if self.forfeit else ("Heads", "Tails")

    def chance(self, state: Toss) -> Sequence[tuple[str, Fraction]]:
        """Return the two sides of the private coin, or of the public one."""
        first, second = ("S1", "S2") if state else ("Heads", "Tails")
        return ((first, HALF), (second, HALF))

    def child(self, state: Toss, action: str) -> Toss:
        """Return the state after an action's or an outcome's label."""
        return (*state, action)

    def infoset(self, state: Toss, player: int) -> str:
        """Return what ``player`` knows: player 0 the coin, both the public line."""
        if not state:
            return "start"
        return (state[0] if player == 0 else "?") + self.public(state)

    def public(self, state: Toss) -> str:
        """Return the public line: Sell or Play, the subgame, the guess."""
        return ":" + "/".join(state[1:]) if state else "start"

    def payoff(self, state: Toss) -> Fraction:
        """Return player 0's payoff in dollars at a leaf."""
        coin, guess = state[0], state[-1]
        if guess == "Sell":
            return self.heads if coin == "Heads" else self.tails
        return Fraction(-1 if guess == coin else 1)


def coin_toss(
    heads: Fraction | float = HALF,
    tails: Fraction | float = -HALF,
    forfeit: bool = True,
    subgames: int = 1,
) -> CoinToss:
    """Return Coin Toss with the given sell values.

    Parameters
    ----------
    heads, tails : Fraction, int or float
        What Sell pays player 0 after Heads and after Tails; 1/2 and -1/2 in the paper. A float stands for
        its shortest decimal.
    forfeit : bool
        Whether player 1 may forfeit; Figure 4 has no such action.
    subgames : int
        1 for the game of Figure 1a, 2 for that of Figure 4.

    Raises
    ------
    ValueError
        If a sell value is not a finite number, ``forfeit`` is not a bool or ``subgames`` is neither 1 nor 2.
    """
    if not isinstance(forfeit, bool):
        raise ValueError(f"coin_toss: forfeit must be true or false, got {shown(forfeit)}")
    if isinstance(subgames, bool) or subgames not in (1, 2):
        raise ValueError(f"coin_toss: subgames must be 1 or 2, got {shown(subgames)}")
    sell = [exact(value, f"coin_toss: {key}") for key, value in (("heads", heads), ("tails", tails))]
    return CoinToss(sell[0], sell[1], forfeit, int(subgames))
