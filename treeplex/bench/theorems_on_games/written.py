"""Games written down as trees: those that only a trembling equilibrium plays well, and one of no recall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL


class Chance(NamedTuple):
    """A chance node: the probability of each outcome and what follows."""

    outcomes: Mapping[str, tuple[Fraction, "Node"]]


class Decision(NamedTuple):
    """A decision: who acts, what that player knows, and what follows each action."""

    player: int
    key: str
    actions: Mapping[str, "Node"]


Node: TypeAlias = Chance | Decision | int
"""An integer is player 0's payoff."""


@dataclass(frozen=True)
class WrittenGame:
    """A game that is written down; states are the labels so far.

    Attributes
    ----------
    name : str
    tree : Node
    """

    name: str
    tree: Node
    unit: str = "points"

    def root(self) -> tuple[str, ...]:
        """Return the state before any move."""
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        """Return who acts."""
        node = self._at(state)
        return CHANCE if isinstance(node, Chance) else node.player if isinstance(node, Decision) else TERMINAL

    def actions(self, state: tuple[str, ...]) -> Sequence[str]:
        """Return the labels of the actions; none where nobody acts."""
        node = self._at(state)
        return tuple(node.actions) if isinstance(node, Decision) else ()

    def chance(self, state: tuple[str, ...]) -> Sequence[tuple[str, Fraction]]:
        """Return the outcomes of a chance node with their probabilities."""
        node = self._at(state)
        return (
            [(label, odds) for label, (odds, _) in node.outcomes.items()] if isinstance(node, Chance) else []
        )

    def child(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        """Return the state after a label."""
        return (*state, action)

    def infoset(self, state: tuple[str, ...], player: int) -> str:
        """Return the key of the decision for the player who acts, the labels so far for the other."""
        node = self._at(state)
        return node.key if isinstance(node, Decision) and node.player == player else "/".join(state)

    def public(self, state: tuple[str, ...]) -> str:
        """Return the number of moves so far."""
        return str(len(state))

    def payoff(self, state: tuple[str, ...]) -> Fraction:
        """Return player 0's payoff at a leaf."""
        node = self._at(state)
        if not isinstance(node, int):
            raise BadInputError(
                f"{self.name}: a payoff is asked for at {'/'.join(state)!r}, which is no leaf"
            )
        return Fraction(node)

    def _at(self, state: tuple[str, ...]) -> Node:
        node = self.tree
        for label in state:
            if isinstance(node, Chance):
                node = node.outcomes[label][1]
            elif isinstance(node, Decision):
                node = node.actions[label]
        return node


def guess_the_ace(cards: int) -> WrittenGame:
    """Return the game in which player 1 guesses, if player 0 does not stop, whether a card is the ace.

    A right guess costs player 0 1,000 and a wrong one nothing. Stopping is optimal, so that every guess of
    player 1 is part of an equilibrium (Miltersen and Sørensen 2010).
    """

    def play(ace: bool) -> Decision:
        guess = Decision(1, "guess", {"ace": -1000 if ace else 0, "not ace": 0 if ace else -1000})
        return Decision(0, "start", {"stop": 0, "play": guess})

    outcomes = {"ace": (Fraction(1, cards), play(True)), "other": (Fraction(cards - 1, cards), play(False))}
    return WrittenGame(f"guess_the_ace(cards={cards})", Chance(outcomes))


def slips(prize: int) -> WrittenGame:
    """Return the game in which player 1 is asked after one slip of player 0 or after two, and cannot tell.

    Guessing "left", after one slip, wins 1; guessing "right", after two, wins the prize.
    """

    def ask(left: int, right: int) -> Decision:
        return Decision(1, "asked", {"left": left, "right": right})

    slipped = Decision(0, "slipped", {"back": 1, "on": ask(0, -prize)})
    start = Decision(0, "start", {"stop": 1, "left": ask(-1, 0), "further": slipped})
    return WrittenGame(f"slips(prize={prize})", start)


def forgetful() -> WrittenGame:
    """Return the game in which player 0 chooses a side and then, not remembering it, has to repeat it."""

    def repeat(side: str) -> Decision:
        return Decision(0, "again", {"left": int(side == "left"), "right": int(side == "right")})

    return WrittenGame("forgetful", Decision(0, "first", {side: repeat(side) for side in ("left", "right")}))
