"""One full board as the judge sees it: reaches and best-response values over any betting on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.cards import Cards
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.certify.betting_rows import BettingStreet
from treeplex.seqform.certify.judge_kernels import (
    JudgedHands,
    LeafBuffers,
    respond,
    spread_reach,
    value_leaves,
)
from treeplex.seqform.forms.treeplex import Floats, Index

Table = NDArray[np.generic]


@dataclass(frozen=True)
class LastBoard:
    """Both players' live hands of two cards on a board after which none is dealt, W hands each.

    The betting on it comes as ``BettingStreet``s, whose stakes and rows belong to no board: those of many
    subgames on one board, or of one on many boards, are made once. Work arrays are overwritten by each call:
    one thread at a time.

    Attributes
    ----------
    cards : pair of (W, 2) int64
    mate : pair of (W,) int64
        As in ``value_leaves``.
    order, strength : pair of (W,) int64
        As in ``JudgedHands``; empty where nothing is compared.
    buffers : LeafBuffers
    """

    cards: tuple[Index, Index]
    mate: tuple[Index, Index]
    order: tuple[Index, Index]
    strength: tuple[Index, Index]
    buffers: LeafBuffers

    @staticmethod
    def of(game: PokerGame, board: Cards, cards: tuple[Index, Index]) -> "LastBoard":
        """Return the board for both players' hands, (W, 2) each, cards in increasing order.

        Before all board cards are dealt no hands are compared: leaves must be folds.
        """
        orders, strengths = [], []
        for hands in cards:
            strength = _strength(game, board, hands)
            order = np.argsort(strength, kind="stable")
            orders.append(order)
            strengths.append(strength[order])
        n_codes = game.deck.cards[-1] + 3
        buffers = LeafBuffers.of(max(map(len, cards)), n_codes)
        mates = [_mates(cards[p], cards[1 - p], n_codes) for p in (0, 1)]
        return LastBoard(
            cards, (mates[0], mates[1]), (orders[0], orders[1]), (strengths[0], strengths[1]), buffers
        )

    def reach(self, street: BettingStreet, player: int, entering: Floats, table: Table) -> Floats:
        """Return a player's reach at each row of a street, (rows, W).

        Parameters
        ----------
        street : BettingStreet
        player : int
        entering : (entries, W) float64
            Where the street begins.
        table : (actions, W)
            Weights of the player's actions.
        """
        reach = np.empty((street.n_entries + street.n_actions[player], entering.shape[1]))
        reach[: street.n_entries] = entering
        spread_reach(street.decisions[player], street.n_entries, table, reach)
        return reach

    def leaf_values(self, street: BettingStreet, player: int, reach: Floats) -> Floats:
        """Return a player's values at the leaves of a street in the rows of ``street``, (V, W).

        Rows of the player's decisions begin at minus infinity, as :meth:`respond` takes them.

        Parameters
        ----------
        street : BettingStreet
        player : int
        reach : (rows, W) float64
            The other player's.
        """
        width = len(self.cards[player])
        values = np.zeros((len(street.into), width))
        values[street.chooses[player]] = -np.inf
        own = np.zeros((street.n_entries + street.n_actions[player], width))
        reaches = (own, reach) if player == 0 else (reach, own)
        hands = [JudgedHands(reaches[p], self.cards[p], self.order[p], self.strength[p]) for p in (0, 1)]
        leaves, chooses = street.leaves[player], street.chooses[player]
        mate = self.mate[player]
        value_leaves(leaves, chooses, hands[player], hands[1 - player], mate, self.buffers, values)
        return values


def best_responses(street: BettingStreet, player: int, values: Floats) -> Floats:
    """Return best-response values from those at leaves and at rows that were raised to what else is there."""
    best = values.copy()
    respond(street.into, street.chooses[player], best)
    return best


def _strength(game: PokerGame, board: Cards, hands: Index) -> Index:
    if len(board) < game.n_board:
        return np.zeros(0, np.int64)
    if game.ranking == "holdem":
        return holdem_strength(board, hands)
    rank = RANKINGS[game.ranking]
    return np.array([rank(tuple(hand), board) for hand in hands.tolist()], np.int64)


def _mates(own: Index, other: Index, n_codes: int) -> Index:
    place = np.full(n_codes * n_codes, len(other))
    place[other @ np.array([n_codes, 1])] = np.arange(len(other))
    return np.asarray(place[own @ np.array([n_codes, 1])])
