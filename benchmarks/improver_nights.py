"""Nights of the self-improver against an opponent of one size beside the menus: exploitability after each.

    python -m benchmarks.improver_nights

Flop hold'em of five ranks and two suits on listed flops; the blueprint is an equilibrium of its menus, pot
alone. The opponent bets half the pot whenever it can before the flop, else calls. Each night answers one bet.
Exploitability, in chips (the big blind is 100), is by best responses: in the menus as they were at first, and
in the game that also has each half-pot bet before the flop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import treeplex as tp
from benchmarks.nested_agents import nash_conv_of
from treeplex.core.problem import Problem
from treeplex.core.strategy import Strategy, certificate_of
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.games.poker.game import PokerGame
from treeplex.play.hand import View
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree

RULES = "no_limit_flop_holdem(ranks=5,suits=2,bets=[1],max_raises=[2,2],stack=2000,flops={flops})"
HALF_POTS = "r200", "cr200", "r300r600", "cr300r600"
"""Lines before the flop that end in a bet of half the pot, or raise by as much."""
HANDS, NIGHTS, FLOPS = 400, 4, (1, 3)


@dataclass(frozen=True)
class HalfPot:
    """Bets half the pot before the flop where it can, else calls."""

    name: str = "half-pot"

    def plan(self, view: View) -> dict[str, float]:
        """Return the bet or the call."""
        line = view.infoset.rpartition(":")[2]
        bet = next((action for action in view.actions if line + action in HALF_POTS), "c")
        return {bet: 1.0}

    def act(self, view: View, draw: float) -> str:
        """Return it."""
        return next(iter(self.plan(view)))


@dataclass(frozen=True)
class Night:
    """What stands after a night.

    Attributes
    ----------
    bet : str
        The line that was added, empty before the first night.
    in_menus, with_bets : float
        Exploitability of the strategy as far as its first menus go, and in the game with all half-pot bets.
    """

    bet: str
    in_menus: float
    with_bets: float


def nights(menus: str, hands: int, count: int, iterations: int = 2000) -> Iterator[Night]:
    """Yield the exploitabilities before the first night and after each."""
    first, many = tp.load(menus), tp.load(" + ".join((menus, *HALF_POTS)))
    game = menus
    with TemporaryDirectory() as folder:
        path = Path(folder, "night.npz")
        tp.write(tp.solve(menus, "lp"), path, game=menus)
        yield _night("", tp.read(menus, path), first, many)
        for number in range(count):
            kept = Path(folder, f"{number}")
            tp.match(f'{path}(game="{game}")', HalfPot(), many, hands=hands, seed=number, out=kept)
            found = tp.improve(path, game, kept, k=1, game=many, iterations=iterations, width=1e-4)
            tp.write(found.strategy, path)
            game = found.game
            added = [one.bet.after for one in found.branches if one.added]
            yield _night("".join(added), found.strategy, first, many)


def _night(bet: str, played: Strategy, first: Problem, many: Problem) -> Night:
    """Return both exploitabilities of a strategy."""
    assert isinstance(played, FactoredStrategy)
    game = many.game
    assert isinstance(game, PokerGame)
    tree = FactoredTree.of(game, BettingTree.of(game), played.tree.boards)
    with_bets = certificate_of(many, translated(played, tree))
    return Night(bet, nash_conv_of(first, played) / 2, with_bets.nash_conv / 2)


def main() -> None:
    """Print a row for each night."""
    print("| flops | night | answered | in the first menus | with half-pot bets | CPU s |")
    print("|---:|---:|---|---:|---:|---:|")
    for flops in FLOPS:
        began = process_time()
        for number, one in enumerate(nights(RULES.format(flops=flops), HANDS, NIGHTS)):
            row = f"| {flops} | {number} | {one.bet} | {one.in_menus:.4f} | {one.with_bets:.4f} |"
            print(f"{row} {process_time() - began:.0f} |", flush=True)


if __name__ == "__main__":
    main()
