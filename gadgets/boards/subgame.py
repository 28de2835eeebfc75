"""Subgames of factored trees: the opponent's live hands as tops, with a blueprint's reaches and values."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.infosets import hand_labels
from treeplex.seqform.factored.real_boards import RealBoard, boards_to
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.factored.subtree import Subtree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.recorded import Record
from treeplex.seqform.judge.values import played_values
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.tops import PerReach

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
        """The weight of the defender's hands that share no card with each of the opponent's, (T,)."""
        first, second = (self.subtree.tree.boards.hands[p].cards for p in (self.opponent, self.defender))
        return weight_met(first, second, self.own_reach)

    @cached_property
    def reach(self) -> Floats:
        """The reach of each top by chance and the defender, (T,)."""
        return self.chance * self.met

    @cached_property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""
        played = played_values(self.game, self.blueprint, self.opponent, self.own_reach)
        return self.chance * played

    def roots(self, opponent: RootDecisions) -> tuple[RootDecisions, RootDecisions]:
        """Return both players' root decisions: the defender's hands come with the blueprint's reach."""
        weight = self.subtree.tree.boards.hands[self.defender].weight
        own = RootDecisions.fixed(self.own_reach / weight)
        return (own, opponent) if self.defender == 0 else (opponent, own)

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
    record: Record,
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
    record : Record
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
