"""Games with far too many histories to be walked, although every play ends."""

from fractions import Fraction

from treeplex.games.base.protocol import CHANCE, TERMINAL

DEPTH = 60
"""Binary digits of the longest play."""


class Vast:
    """Player 0 turns left or right, sixty times; a state is the turns so far in binary digits after a one."""

    name, unit = "vast", "points"

    def root(self):
        return 1

    def player(self, state):
        return 0 if state.bit_length() <= DEPTH else TERMINAL

    def actions(self, state):
        return ("left", "right")

    def chance(self, state):
        return ()

    def child(self, state, action):
        return 2 * state + (action == "right")

    def infoset(self, state, player):
        return str(state)

    def public(self, state):
        return str(state)

    def payoff(self, state):
        return Fraction(0)


class LongKeys(Vast):
    """The same, and keys grow by a kilobyte with each move."""

    name = "long_keys"

    def infoset(self, state, player):
        return f"{state}" + "x" * 1024 * state.bit_length()

    public = Vast.public


class WideChance(Vast):
    """Chance has a thousand outcomes at each state."""

    name = "wide_chance"

    def player(self, state):
        return CHANCE if state.bit_length() <= DEPTH else TERMINAL

    def chance(self, state):
        return [(str(outcome), Fraction(1, 1000)) for outcome in range(1000)]

    def child(self, state, action):
        return 1000 * state + int(action)
