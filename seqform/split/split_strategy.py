"""Strategies of split games: tables of the trunk, and of subgames where they are asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.display.shown import Shown
from treeplex.seqform.factored.infosets import board_cards, check_suits
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.factored.suit_symmetry import moved, renamed
from treeplex.seqform.forms.profile import Row
from treeplex.seqform.split.conversions import Parts, SubgameTables, joined
from treeplex.seqform.split.places import flop_of, n_trunk_cards
from treeplex.seqform.split.split_tree import SplitTree

__all__ = ["SplitStrategy", "SubgameTables"]


@dataclass(frozen=True, repr=False)
class SplitStrategy(Shown):
    """Both players' strategies on a split game.

    Attributes
    ----------
    split : SplitTree
    trunk : FactoredStrategy
        On the tree of the trunk.
    tables : callable
        Returns both players' tables in the subgame of a flop and a line, by their numbers, laid out as
        ``split.tree`` says; called for one subgame at a time.
    """

    split: SplitTree
    trunk: FactoredStrategy
    tables: SubgameTables

    @staticmethod
    def of(strategy: FactoredStrategy, split: SplitTree) -> "SplitStrategy":
        """Return a strategy of a whole game on its trunk and subgames.

        Raises
        ------
        ValueError
            If the strategy is of another game, or on boards that the split game merges.
        """
        if strategy.tree.game != split.game:
            raise ValueError(
                f"the strategy must be of {split.game.name}, got one of {strategy.tree.game.name}"
            )
        known = {*split.trunk.boards.cards}
        for flop in range(len(split.flops)):
            known.update(split.boards(flop).cards)
        if not known.issuperset(strategy.tree.boards.cards):
            n = strategy.tree.boards.n_boards
            raise ValueError(
                f"the strategy's boards must be merged as the split game's are, got {n:,} boards"
            )
        parts = Parts(strategy, split)
        return SplitStrategy(split, parts.trunk(), parts)

    def brief(self) -> str:
        """Return the game and the number of subgames."""
        return self.split.brief()

    def whole(self) -> FactoredStrategy:
        """Return the strategy on the tree of the whole game; all tables are in memory at once."""
        return joined(self.trunk, self.tables, self.split)

    def subgame(self, flop: int, line: int) -> FactoredStrategy:
        """Return the strategy of a subgame, by the numbers of its flop and its line."""
        tree = self.split.tree(flop, line, self.split.boards(flop))
        return FactoredStrategy(tree, self.tables(flop, line))

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board, all tables loaded.

        Raises
        ------
        ValueError
            If the game hides suits, which the strategy sees.
        """
        yield from self.whole().rows()

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        The tables of at most one subgame are read.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        game, betting = self.split.game, self.split.trunk.betting
        check_suits(game)
        node = betting.node_of.get(infoset.rpartition(":")[2], 0)
        if betting.street[node] <= self.split.street:
            return self.trunk.action_probabilities(player, infoset)
        if betting.player[node] != player:
            raise ValueError(f"player {player} has no infoset {infoset!r}")
        line = int(np.searchsorted(self.split.lines, node, side="right")) - 1
        hand, cards = self._read(player, infoset, betting.line[node])
        flop, before = flop_of(self.split, cards)
        after = renamed(before.permutation, cards[n_trunk_cards(self.split) :])
        image = (*self.split.trunk.boards.cards[self.split.flops[flop]], *after)
        label = game.hand_label(moved(before.permutation, hand))
        key = label + game.joiner + game.public_key(image, betting.line[node])
        return self.subgame(flop, line).action_probabilities(player, key)

    def _read(self, player: int, infoset: str, line: str) -> tuple[Cards, Cards]:
        """Return the hand and the board of an infoset's key.

        Raises
        ------
        ValueError
            If the player has no such infoset.
        """
        game = self.split.game
        for hand in game.reach[player]:
            before = game.hand_label(hand) + game.joiner
            if not infoset.startswith(before):
                continue
            try:
                cards = board_cards(game, infoset.removeprefix(before).removesuffix(f":{line}"))
            except (KeyError, ValueError):
                continue
            dealt = {*hand, *cards}
            whole = len(cards) == game.point(line).n_board and len(dealt) == len(hand) + len(cards)
            if whole and before + game.public_key(cards, line) == infoset:
                return hand, cards
        raise ValueError(f"player {player} has no infoset {infoset!r}")
