"""Sheriff of Nottingham: a smuggler loads in secret and offers bribes; the sheriff lets pass or inspects."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, spec_of
from treeplex.games.base.protocol import TERMINAL, histories_of_widths
from treeplex.games.base.reading import exact, shown

Talk = tuple[str, ...]
"""A history: the load, then offer, answer, offer, answer and so on."""
MOST = {"items": 1000, "bribes": 1000, "rounds": 20}


@dataclass(frozen=True)
class Sheriff:
    """Sheriff of Nottingham: player 0 loads illegal items and offers bribes; only the last answer binds.

    ``yes`` in the last round lets the cargo pass: player 0 gets the items' value less the last bribe.
    ``no`` inspects it: player 0 pays the penalty for each item, or is paid the fine where there is none.
    Earlier answers and offers are talk. Moves and what the smuggler gets are those of Farina, Ling, Fang
    and Sandholm (Correlation in extensive-form games, 2019) and of OpenSpiel (Lanctot et al. 2019).
    There a sheriff who lets pass gets the bribe and loses nothing by the items: the game is general-sum.
    Here the sheriff loses whatever the smuggler gets. An inspection is zero-sum in both.

    In the zero-sum game offers have no value. In equilibrium the smuggler offers 0 throughout and loads all
    or nothing, the sheriff treats all offers alike; the value is N v f / (N (v + p) + f) for N items, value
    v, penalty p and fine f, or 0 where that divides by zero.

    Keys are load, colon, public line: ``2:0/no/1`` for the smuggler with two items, ``?:0/no/1`` for the
    sheriff, ``:0/no/1`` for the public state; everything is ``start`` before the loading.

    Attributes
    ----------
    items : int
        The most that can be loaded, 0 to 1000.
    bribes : int
        The highest bribe, 0 to 1000; each integer from 0 can be offered.
    rounds : int
        How often a bribe is offered and answered, 1 to 20.
    value, penalty : Fraction
        The smuggler's gain for an item that passes, and loss for one that is found.
    fine : Fraction
        What the sheriff pays for inspecting a cargo without illegal items.
    """

    items: int = 3
    bribes: int = 2
    rounds: int = 2
    value: Fraction = Fraction(5)
    penalty: Fraction = Fraction(1)
    fine: Fraction = Fraction(1)

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("sheriff", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "coins"

    @property
    def least_histories(self) -> int:
        """The number of histories: after the loading each round is an offer and one of two answers."""
        return histories_of_widths((1 + self.items, *(1 + self.bribes, 2) * self.rounds))

    def root(self) -> Talk:
        """Return the state before the loading."""
        return ()

    def player(self, state: Talk) -> int:
        """Return who acts: the smuggler, then smuggler and sheriff in turn until all rounds are over."""
        moves = len(state)
        return TERMINAL if moves == 1 + 2 * self.rounds else int(moves > 0 and moves % 2 == 0)

    def actions(self, state: Talk) -> Sequence[str]:
        """Return the numbers that can be loaded or offered, or ``yes`` and ``no``."""
        if self.player(state):
            return ("yes", "no")
        return [str(number) for number in range(1 + (self.bribes if state else self.items))]

    def chance(self, state: Talk) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return ()

    def child(self, state: Talk, action: str) -> Talk:
        """Return the state after a loading, an offer or an answer."""
        return (*state, action)

    def infoset(self, state: Talk, player: int) -> str:
        """Return what ``player`` knows: the load, if the smuggler, and the public line."""
        return (state[0] if player == 0 else "?") + self.public(state) if state else "start"

    def public(self, state: Talk) -> str:
        """Return the offers and answers."""
        return ":" + "/".join(state[1:]) if state else "start"

    def payoff(self, state: Talk) -> Fraction:
        """Return what the smuggler gets by the last offer and its answer."""
        load, offer, answer = int(state[0]), state[-2], state[-1]
        if answer == "yes":
            return load * self.value - int(offer)
        return -load * self.penalty if load else self.fine


def sheriff(
    items: int = 3,
    bribes: int = 2,
    rounds: int = 2,
    value: Fraction | float = 5,
    penalty: Fraction | float = 1,
    fine: Fraction | float = 1,
) -> Sheriff:
    """Return the zero-sum game of the smuggler and the sheriff.

    Parameters
    ----------
    items, bribes : int
        The most items and the highest bribe, 0 to 1000.
    rounds : int
        How often a bribe is offered and answered, 1 to 20; only the last round binds.
    value, penalty : number
        What each item is worth if it passes, and costs the smuggler if it is found; at least 0.
    fine : number
        What the sheriff pays for a vain inspection; at least 0.

    Raises
    ------
    ValueError
        If a parameter is not of its range.
    """
    for key, number, least in (("items", items, 0), ("bribes", bribes, 0), ("rounds", rounds, 1)):
        check_integer(f"sheriff: {key}", number, least, MOST[key])
    amounts = {}
    for key, amount in (("value", value), ("penalty", penalty), ("fine", fine)):
        amounts[key] = exact(amount, f"sheriff: {key}")
        if amounts[key] < 0:
            raise BadInputError(f"sheriff: {key} must be at least 0, got {shown(amount)}")
    return Sheriff(items, bribes, rounds, **amounts)
