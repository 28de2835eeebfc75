"""Games with histories without end."""

from fractions import Fraction

from treeplex.games.protocol import CHANCE


class Endless:
    """Player 0 goes on and on."""

    name, unit = "endless", "points"

    def root(self):
        return 0

    def player(self, state):
        return 0

    def actions(self, state):
        return ("on",)

    def chance(self, state):
        return ()

    def child(self, state, action):
        return state + 1

    def infoset(self, state, player):
        return str(state)

    def public(self, state):
        return str(state)

    def payoff(self, state):
        return Fraction(0)


class LongKeys(Endless):
    """The same, and all keys grow by a kilobyte with each move."""

    name = "long_keys"

    def infoset(self, state, player):
        return f"{state}" + "x" * 1024 * state

    public = Endless.public


class WideChance(Endless):
    """The same, and chance has a thousand outcomes at each state."""

    name = "wide_chance"

    def player(self, state):
        return CHANCE

    def chance(self, state):
        return [(str(outcome), Fraction(1, 1000)) for outcome in range(1000)]
