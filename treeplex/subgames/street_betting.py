"""The betting of one street with every off-tree bet that may be made there, independent of the board.

Betting lines around bets that the defender's menu lacks, and the betting that follows them.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.betting import BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.betting_rows import BettingStreet, betting_street
from treeplex.seqform.trees.poker_deals import narrow

Shape = tuple[object, ...]
"""What two betting trees have in common that differ in the unit of their stakes alone."""


@dataclass(frozen=True)
class Menus:
    """A game and the defender's version of it with fewer sizes of bets.

    Attributes
    ----------
    full, coarse : PokerGame
        Alike but for the menus, the coarse game's sizes among the full game's.
    defender : int
    """

    full: PokerGame
    coarse: PokerGame
    defender: int

    @property
    def opponent(self) -> int:
        """The player who may bet what the coarse game lacks."""
        return 1 - self.defender

    def off_tree(self, line: str) -> list[tuple[str, BettingState]]:
        """Return the bets at a line that the coarse menus lack, and the betting after each."""
        state = self.full.point(line).betting
        known = {label for label, _ in self.coarse.moves(state)}
        return [(label, after) for label, after in self.full.moves(state) if label not in known]

    def betting(self, state: BettingState, board: Cards) -> BettingTree:
        """Return the betting from a state on by the coarse menus."""
        return BettingTree.of(subgame_of(self.coarse, state, board))


def with_move(tree: BettingTree, action: str, after: BettingTree) -> BettingTree:
    """Return a betting tree with one more action at its root, the last, and the betting after that.

    The nodes of ``after`` come last in it.
    """
    shift, den = tree.n_nodes, tree.stake_den * after.stake_den
    parent = after.parent + shift
    parent[0] = 0
    stake = [int(s) * after.stake_den for s in tree.stake] + [int(s) * tree.stake_den for s in after.stake]
    return BettingTree(
        parent=np.concatenate([tree.parent, parent]).astype(np.int32),
        player=np.concatenate([tree.player, after.player]),
        street=np.concatenate([tree.street, after.street]),
        action=(*tree.action, action, *after.action[1:]),
        line=(*tree.line, *after.line),
        showdown=np.concatenate([tree.showdown, after.showdown]),
        stake=narrow(stake),
        stake_den=den,
    )


def shape_of(tree: BettingTree) -> tuple[Shape, Fraction]:
    """Return the shape of a betting tree and the unit of its stakes: the size of its first leaf's."""
    first = int(np.flatnonzero(tree.player == TERMINAL)[0])
    stakes = [int(s) for s in tree.stake]
    unit = Fraction(abs(stakes[first]), tree.stake_den)
    ratios = tuple(Fraction(s, tree.stake_den) / unit for s in stakes)
    arrays = tree.parent, tree.player, tree.street, tree.showdown
    return (*(tuple(one.tolist()) for one in arrays), ratios), unit


class StreetStep(NamedTuple):
    """One of the opponent's choices.

    value : int
        The row of values at the infoset.
    reach : int
        The row of the defender's reach there.
    endings : tuple of int
        The rows of values of the actions after which nobody acts.
    taken : int
        The row of values of the action that was taken; -1 where it is an off-tree bet.
    """

    value: int
    reach: int
    endings: tuple[int, ...]
    taken: int


@dataclass(frozen=True, eq=False)
class StreetLayout:
    """One street of a betting tree as solvers and the judge read it.

    Attributes
    ----------
    tree : FactoredTree
        Of the betting tree; its boards are those of any flop.
    street : BettingStreet
        Actions of the opponent that end the hand have rows of values of their own.
    number : int
        Of the street in the betting tree.
    unit : Fraction
        The unit of the stakes, as ``shape_of`` returns it.
    """

    tree: FactoredTree
    street: BettingStreet
    number: int
    unit: Fraction


@dataclass(frozen=True)
class Bet:
    """An off-tree bet of the opponent.

    Attributes
    ----------
    line : str
        The betting line after it.
    at : StreetStep
        The choice at which it is made.
    own : int
        The row of the opponent's reach there.
    entry : int
        The entry of the street from which the line comes.
    path : tuple of StreetStep
        The opponent's choices on the street before it.
    below : StreetForest
        The betting after it.
    again : StreetLayout
        The betting from the choice on, the bet added as its last action.
    again_unit : float
        Its stakes in the unit of ``again``.
    """

    line: str
    at: StreetStep
    own: int
    entry: int
    path: tuple[StreetStep, ...]
    below: "StreetForest"
    again: StreetLayout
    again_unit: float


@dataclass(frozen=True)
class StreetForest:
    """The betting of one street from one or more lines on, with the off-tree bets in it.

    Attributes
    ----------
    layout : StreetLayout
    unit : float
        Its stakes in the unit of the layout.
    bets : tuple of Bet
        In preorder of the nodes at which they are made, small bets first.
    """

    layout: StreetLayout
    unit: float
    bets: tuple[Bet, ...]


@dataclass(frozen=True)
class Forests:
    """Builder of forests; betting trees that differ in the unit of stakes alone share one layout.

    Attributes
    ----------
    menus : Menus
    board : BoardTree
        Of any one flop.
    layouts : dict from shapes to StreetLayout
        Those made so far.
    """

    menus: Menus
    board: BoardTree
    layouts: dict[Shape, StreetLayout] = field(default_factory=dict)

    def on_street(self, tree: FactoredTree, number: int) -> StreetForest:
        """Return the forest of one street of a factored tree of the coarse menus."""
        kept = frozenset(
            n for node in self._acting(tree.betting, number) for n in endings_of(tree.betting, node)
        )
        street = betting_street(self.menus.full, tree, number, kept)
        layout = StreetLayout(tree, street, number, Fraction(1))
        return StreetForest(layout, 1.0, self._bets(tree.betting, layout))

    def below(self, betting: BettingTree) -> StreetForest:
        """Return the forest of a betting tree of one street."""
        layout, unit = self._layout(betting)
        return StreetForest(layout, unit, self._bets(betting, layout))

    def _layout(self, betting: BettingTree) -> tuple[StreetLayout, float]:
        shape, unit = shape_of(betting)
        if shape not in self.layouts:
            tree = FactoredTree.of(self.menus.coarse, betting, self.board)
            kept = frozenset(n for node in self._acting(betting, 0) for n in endings_of(betting, node))
            street = betting_street(self.menus.full, tree, 0, kept)
            self.layouts[shape] = StreetLayout(tree, street, 0, unit)
        layout = self.layouts[shape]
        return layout, float(unit / layout.unit)

    def _acting(self, betting: BettingTree, number: int) -> list[int]:
        acts = (betting.player == self.menus.opponent) & (betting.street == number)
        return [int(n) for n in acts.nonzero()[0]]

    def _bets(self, betting: BettingTree, layout: StreetLayout) -> tuple[Bet, ...]:
        menus, street, found = self.menus, layout.street, []
        cards = self.board.cards[0]
        for node in self._acting(betting, layout.number):
            for label, after in menus.off_tree(betting.line[node]):
                below = menus.betting(after, cards)
                state = menus.full.point(betting.line[node]).betting
                again = self._layout(with_move(menus.betting(state, cards), label, below))
                path = path_to(betting, street, node, menus)
                found.append(
                    Bet(
                        line=after.line,
                        at=step_at(betting, street, node, -1, menus),
                        own=street.reach_row[menus.opponent][node],
                        entry=entry_of(betting, street, node),
                        path=path,
                        below=self.below(below),
                        again=again[0],
                        again_unit=again[1],
                    )
                )
        return tuple(found)


def path_to(betting: BettingTree, street: BettingStreet, node: int, menus: Menus) -> tuple[StreetStep, ...]:
    """Return the opponent's choices on the street before a node, the last first."""
    path, here = [], node
    while (parent := int(betting.parent[here])) in street.value_row:
        if betting.player[parent] == menus.opponent:
            path.append(step_at(betting, street, parent, street.value_row[here], menus))
        here = parent
    return tuple(path)


def step_at(betting: BettingTree, street: BettingStreet, node: int, taken: int, menus: Menus) -> StreetStep:
    """Return the opponent's choice at a node."""
    rows = tuple(street.value_row[n] for n in endings_of(betting, node))
    return StreetStep(street.value_row[node], street.reach_row[menus.defender][node], rows, taken)


def entry_of(betting: BettingTree, street: BettingStreet, node: int) -> int:
    """Return the entry of the street from which a node comes."""
    while int(betting.parent[node]) in street.value_row:
        node = int(betting.parent[node])
    return int(np.flatnonzero(street.entry == street.value_row[node])[0])


def endings_of(betting: BettingTree, node: int) -> list[int]:
    """Return the children of a node after which nobody acts, whether cards are dealt or not."""
    found = []
    for child in betting.children[node].tolist():
        last = child
        while betting.player[last] == CHANCE:
            last = int(betting.children[last][0])
        if betting.player[last] == TERMINAL:
            found.append(child)
    return found
