"""One seat of a game that ends on the flop: the exact best response to a strategy that answers every bet."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.factored.state import FactoredConfig
from treeplex.core.progress import Progress, silent
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.layout.flop import Flop, one_board
from treeplex.subgames.flops.layout.forest import Forests
from treeplex.subgames.flops.layout.lines import Menus
from treeplex.subgames.flops.layout.orbits import NextBoards
from treeplex.subgames.flops.part import Part
from treeplex.subgames.flops.workers import flop_by_flop


@dataclass(frozen=True)
class Seat:
    """A defender with a blueprint of the coarse game, against an opponent with the full game's menu.

    Attributes
    ----------
    menus : Menus
    forests : Forests
    flops : NextBoards
    base : Part
        The blueprint.
    config : FactoredConfig
        Of the regret minimisers that answer bets.
    threads : int
        Flops at a time; results do not depend on it.
    progress : Progress
    """

    menus: Menus
    forests: Forests
    flops: NextBoards
    base: Part
    config: FactoredConfig
    threads: int
    progress: Progress

    @staticmethod
    def of(
        menus: Menus,
        blueprint: FactoredStrategy,
        config: FactoredConfig,
        threads: int = 1,
        progress: Progress = silent,
    ) -> "Seat":
        """Return a seat.

        Raises
        ------
        ValueError
            If the blueprint is of another game than the coarse one, or cards are dealt but once to a flop.
        """
        boards = blueprint.tree.boards
        if blueprint.tree.game != menus.coarse:
            raise ValueError(f"the blueprint must be of {menus.coarse.name}, got {blueprint.tree.game.name}")
        if menus.coarse.board or int(boards.street.max()) != 1:
            raise ValueError(f"one flop must be dealt and nothing after it, got {menus.coarse.name}")
        flops = NextBoards.of(menus.coarse, boards, menus.opponent)
        forests = Forests(menus, one_board(boards, int(flops.boards[0])))
        weight = boards.hands[menus.defender].weight
        ones = np.ones(len(boards.hands[menus.opponent].weight))
        entering = (weight, ones) if menus.defender == 0 else (ones, weight)
        return Seat(menus, forests, flops, Part.of(forests, blueprint, entering), config, threads, progress)

    def flop(self, number: int) -> Flop:
        """Return the flop of a number, counted from 0."""
        boards = self.base.strategy.tree.boards
        return Flop.of(self.menus.coarse, boards, int(self.flops.boards[number]), self.config)

    def total(self, stage: str, run: Callable[[int], Floats]) -> Floats:
        """Return the sum over all flops of what a function returns on each, (., H)."""
        found = flop_by_flop(run, len(self.flops.boards), self.threads, stage, self.progress)
        return self.flops.total(found)

    def on_range(self, flop: Flop, values: Floats) -> Floats:
        """Return values (., T) of the opponent's hands on a flop as those of its range, (., H), 0 if dead."""
        whole = np.zeros((len(values), self.flops.images.shape[1]))
        whole[:, flop.hand[self.menus.opponent]] = values
        return whole
