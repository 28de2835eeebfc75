"""Subgames of factored trees: the opponent's live hands as tops, a blueprint's reaches and values.

Gifts on the way to a subgame come hand by hand, from values that the judge recorded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, hand_labels
from treeplex.seqform.boards.real_boards import RealBoard, boards_to
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_values import Place, PlaceRecord, played_values
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.tops import SMALLEST_REACH, PerReach, read_only

ROUNDING = 2.0**-40
"""Reach up to this part of all the defender's reach is what differences of sums are wrong by."""


@dataclass(frozen=True)
class BoardSubgame(PerReach):
    """A subtree with what a blueprint says of it; satisfies ``Tops``.

    The T tops are the opponent's hands, in the order of the subtree's range. Weights of the opponent's hands
    are those of the subtree's range (at most 1), of the defender's those of the whole game's.

    Attributes
    ----------
    subtree : Subtree
    blueprint : FactoredStrategy
        Below the public state.
    defender : int
    name : str
        The key of the public state.
    tops : tuple of T str
        The opponent's hands.
    own_reach : (D,) f64
        The weight with which chance and the defender's blueprint bring each of the defender's hands here.
    opponent_reach : (T,) f64
        The opponent's own reach of each hand.
    value : (T,) f64
        The counterfactual best-response value of each top, unnormalised.
    lower_bound_gifts, estimated_gifts : (T,) f64
        As in ``Tops``.
    """

    subtree: Subtree
    blueprint: FactoredStrategy
    defender: int
    name: str
    tops: tuple[str, ...]
    own_reach: Floats
    opponent_reach: Floats
    value: Floats
    lower_bound_gifts: Floats
    estimated_gifts: Floats

    def __post_init__(self) -> None:
        for name in ("own_reach", "opponent_reach", "value", "lower_bound_gifts", "estimated_gifts"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.defender

    @property
    def game(self) -> PokerGame:
        """The subgame's rules."""
        return self.subtree.tree.game

    @property
    def chance(self) -> Floats:
        """The weight of each of the opponent's hands in the subtree's range, (T,)."""
        return self.subtree.tree.boards.hands[self.opponent].weight

    @cached_property
    def met(self) -> Floats:
        """The weight of the defender's hands that each of the opponent's can be dealt with, (T,)."""
        first, second = (self.subtree.tree.boards.hands[p].cards for p in (self.opponent, self.defender))
        return read_only(_met(self.game, 0, first, second, self.own_reach))

    @cached_property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender, (T,)."""
        return read_only(self.chance * self.met)

    @cached_property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""
        played = played_values(self.game, self.blueprint, self.opponent, self.own_reach)
        return read_only(self.chance * played)

    @property
    def comes(self) -> Floats:
        """The part of each of the defender's hands that chance and the blueprint bring here, (D,)."""
        return self.own_reach / self.subtree.tree.boards.hands[self.defender].weight

    @property
    def board_weight(self) -> float:
        """The factor from reaches of tops to probabilities in the whole game, times its pair weight."""
        whole, board = self.subtree.whole, self.subtree.board
        listed, cards = dict(whole.game.flops or ()), whole.boards.cards[board]
        weight = next((w for flop, w in listed.items() if cards[: len(flop)] == flop), 1)
        return (
            self.subtree.scale(self.opponent) * weight / whole.boards.runouts[int(whole.boards.street[board])]
        )

    @property
    def pairs(self) -> float:
        """The factor from sums over tops to payoffs a hand of the whole game, without its pair weight.

        Boards that suits alone tell apart from this one are counted with it: the solution is played on each.
        """
        boards, board = self.subtree.whole.boards, self.subtree.board
        copies, street = 1, int(boards.street[board])
        while board > 0:
            copies *= int(boards.ways[board])
            board = int(boards.parent[board])
        return self.subtree.scale(self.opponent) * copies / boards.runouts[street]


def board_subgame(
    subtree: Subtree,
    blueprint: FactoredStrategy,
    defender: int,
    record: PlaceRecord,
    gifts: tuple[Floats, Floats] | None = None,
    seen: RealBoard | None = None,
) -> BoardSubgame:
    """Return the subgame of a subtree from what the judge recorded at its public state.

    Parameters
    ----------
    subtree : Subtree
    blueprint : FactoredStrategy
        On the whole tree.
    defender : int
    record : PlaceRecord
        Of the blueprint, at the subtree's node and board.
    gifts : pair of (T,) f64, optional
        Lower-bound and estimated gifts at tops; none unless given.
    seen : RealBoard, optional
        The board that names speak of, whose image is the subtree's; the subtree's own unless given.
    """
    whole, opponent = subtree.whole, 1 - defender
    order = [positions(subtree, p) for p in (0, 1)]
    own, theirs = record.reach[defender][order[defender]], record.reach[opponent][order[opponent]]
    chance = subtree.tree.boards.hands[opponent].weight
    board = seen or boards_to(whole.game, whole.boards, whole.boards.cards[subtree.board])[-1]
    labels = np.array(hand_labels(whole.game, whole.boards, opponent, board), dtype=object)
    none = np.zeros(len(chance))
    lower, estimated = (none, none) if gifts is None else gifts
    return BoardSubgame(
        subtree=subtree,
        blueprint=subtree.part(blueprint),
        defender=defender,
        name=whole.game.public_key(board.cards, whole.betting.line[subtree.node]),
        tops=tuple(labels[order[opponent]]),
        own_reach=own,
        opponent_reach=theirs / (chance * subtree.scale(opponent)),
        value=chance * record.value[opponent][order[opponent]],
        lower_bound_gifts=lower,
        estimated_gifts=estimated,
    )


def weight_met(cards: NDArray[np.int64], other_cards: NDArray[np.int64], weight: Floats) -> Floats:
    """Return the weight of the other player's hands that share no card with each hand, (H,).

    It is the weight of all hands minus that of those which share a card; what is left of the subtraction of
    equal numbers is zero.

    Parameters
    ----------
    cards, other_cards : (H, K) and (D, K) int64
        With K one or two; hands of two cards are in increasing order.
    weight : (D,) f64
    """
    most = int(max(cards.max(), other_cards.max())) + 1
    of_card = np.zeros(most)
    for k in range(other_cards.shape[1]):
        np.add.at(of_card, other_cards[:, k], weight)
    met = weight.sum() - of_card[cards].sum(axis=1)
    if cards.shape[1] > 1:
        same = np.zeros((most, most))
        same[other_cards[:, 0], other_cards[:, 1]] = weight
        met = met + same[cards[:, 0], cards[:, 1]]
    return np.asarray(np.where(met > ROUNDING * weight.sum(), met, 0.0))


def positions(subtree: Subtree, player: int) -> NDArray[np.int64]:
    """Return where each hand of the subtree's range is on the whole's board, (H,)."""
    hands = subtree.whole.boards.hands[player]
    return np.argsort(hands.hand[hands.on(subtree.board)], kind="stable").astype(np.int64)


class ChoiceBefore(NamedTuple):
    """A decision of the opponent on the way to a subgame."""

    node: int
    taken: int
    """The node after the action on the way."""
    board: int
    """The board on which it is made, an ancestor of the subgame's or its own."""
    hand: Index
    """The position there of each of the opponent's hands on the subgame's board, (W,)."""


def choices_before(tree: FactoredTree, opponent: int, place: Place) -> Iterator[ChoiceBefore]:
    """Yield the opponent's decisions on the way to a place, the last one first."""
    betting, boards = tree.betting, tree.boards
    node, board = place
    hands = boards.hands[opponent]
    hand = np.arange(int(np.diff(hands.start[board : board + 2])[0]))
    while node > 0:
        above = int(betting.parent[node])
        while boards.street[board] > betting.street[above]:
            hand = hands.above[hands.on(board)][hand].astype(np.int64)
            board = int(boards.parent[board])
        if betting.player[above] == opponent:
            yield ChoiceBefore(above, node, board, hand)
        node = above


def places_for_gifts(tree: FactoredTree, opponent: int, place: Place) -> list[Place]:
    """Return the places of which the judge must record values for :func:`gifts_at`."""
    return [
        (node, choice.board)
        for choice in choices_before(tree, opponent, place)
        for node in (choice.node, *tree.betting.children[choice.node].tolist())
    ]


def gifts_at(
    tree: FactoredTree, opponent: int, place: Place, records: Mapping[Place, PlaceRecord]
) -> tuple[Floats, Floats]:
    """Sum what each of the opponent's hands gave away on the way to a place.

    At each of its decisions it is the best value of an action less that of the action taken, if that is
    positive, per unit of the reach with which the defender and chance come to the decision: of all tops below
    one action none gains more than was given away there (Brown and Sandholm 2017, section 5).

    Parameters
    ----------
    tree : FactoredTree
    opponent : int
    place : (node, board)
        Where the subgame begins.
    records : mapping from places to PlaceRecord
        Of those of :func:`places_for_gifts`.

    Returns
    -------
    pair of (W,) f64
        Lower-bound gifts, where only actions after which nobody acts count beside the one taken, and
        estimated gifts, where all actions do. Hands in the order of the tree's board, in the game's unit.
    """
    hands = tree.boards.hands
    live = len(hands[opponent].hand[hands[opponent].on(place[1])])
    lower, estimated = np.zeros(live), np.zeros(live)
    for choice in choices_before(tree, opponent, place):
        children = tree.betting.children[choice.node].tolist()
        values = np.array([records[child, choice.board].value[opponent] for child in children])
        taken = values[children.index(choice.taken)]
        final = np.isin(children, endings(tree, choice.node))
        reach = _reach(tree, opponent, choice, records[choice.node, choice.board])
        lower += given(values[final], taken, reach)[choice.hand]
        estimated += given(values, taken, reach)[choice.hand]
    return lower, estimated


def given(rivals: Floats, taken: Floats, reach: Floats) -> Floats:
    """Return how much the best of some actions is better than the one taken, per unit of reach, (W,)."""
    better = np.maximum(rivals.max(axis=0, initial=-np.inf) - taken, 0.0)
    return np.asarray(np.divide(better, reach, out=np.zeros(len(taken)), where=reach > SMALLEST_REACH))


def endings(tree: FactoredTree, node: int) -> list[int]:
    """Return the nodes after a decision's actions after which nobody acts."""
    player, end = tree.betting.player, tree.betting.end
    return [n for n in tree.betting.children[node].tolist() if not (player[n : end[n]] >= 0).any()]


def _reach(tree: FactoredTree, opponent: int, choice: ChoiceBefore, record: PlaceRecord) -> Floats:
    """Return the weight of the defender's hands that each hand meets at a decision, (W,)."""
    theirs, own = (tree.boards.hands[p] for p in (opponent, 1 - opponent))
    cards = theirs.cards[theirs.hand[theirs.on(choice.board)]]
    others = own.cards[own.hand[own.on(choice.board)]]
    return _met(tree.game, choice.board, cards, others, record.reach[1 - opponent])


def _met(game: PokerGame, board: int, cards: Index, others: Index, reach: Floats) -> Floats:
    """Return the weight of the other player's hands that each hand can be dealt with on a board, (H,).

    Before listed flops, some of which hold a card of either hand, a pair of hands counts as the weight of the
    flops that it leaves, as a part of the weight of all.
    """
    if game.flops is None or board:
        return weight_met(cards, others, reach)
    met, flops = np.zeros(len(cards)), game.flops
    for flop, weight in flops:
        live = ~np.isin(cards, flop).any(axis=1)
        left = np.where(np.isin(others, flop).any(axis=1), 0.0, reach)
        met += weight * np.where(live, weight_met(cards, others, left), 0.0)
    return met / sum(weight for _, weight in flops)
