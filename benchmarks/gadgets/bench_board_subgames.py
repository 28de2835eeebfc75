"""Subgames on boards by gadgets, all hands: seconds until the gadget's value is proved to a share of the pot.

The clock runs from what the judge recorded of the blueprint to the last proof: the subtree and its tops are
built, the gadget's game is solved, and the judge proves its value whenever half as many iterations again are
done.

What was measured to choose the defaults of ``treeplex.subgames.solve_on_boards``: iterations until
Maxmargin's value is known to 0.1% of the pot, the sum over the 22 subgames of the example river, and the
most of one.
Discounted regret matching+ (positive regrets by t**1.5 / (t**1.5 + 1)), plans weighted by t**4:

    actions at a time     3      5      8     11     16    all
    sum               5,550  6,137  5,050  5,275  5,650 18,052
    most                675  1,012    450    675    675  3,000 (not reached)

After 400 iterations at six lines (r50, r100, r50r200, cr200, c, cr50), both defenders, eleven actions at a
time, the widest of Maxmargin's values in percent of the pot: cfr+ 0.28, dcfr 0.09, the same with plans
weighted by t**3 0.10 and by t**4 0.10, discounted regret matching+ by t**3 0.08, lcfr 1.30, pcfr+ 0.84,
pdcfr 0.54. Of Resolve's at five lines, without cr50, after 400 iterations, geometric means: cfr+ 0.0031,
dcfr 0.0003, by t**4, and with regret matching+ too, below 0.00005.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.measure import Case, main
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.engine import average
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.gadgets.boards.board_subgame import board_subgame
from treeplex.gadgets.gadget import RootGadget
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import small_holdem
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_values import PlaceRecord, recorded_values
from treeplex.subgames.solve_on_boards import (
    QUARTIC,
    BoardLimits,
    BoardSolution,
    reach_unit,
    solve_on_boards,
)
from treeplex.subgames.solve_subgame import solve_subgame

RIVER, TURN = "examples/river.toml", "examples/turn.toml"
BLUEPRINT = 30
"""Iterations of the blueprint."""


@dataclass(frozen=True)
class Posed:
    """Subgames to solve: a blueprint, and what the judge recorded at some lines on the starting board."""

    game: PokerGame
    pot: float
    blueprint: FactoredStrategy
    records: dict[str, PlaceRecord]

    def solve(self, line: str, defender: int, gadget: RootGadget, limits: BoardLimits) -> BoardSolution:
        """Build and solve the subgame after a line."""
        tree = self.blueprint.tree
        subtree = Subtree.of(tree, tree.betting.node_of[line], 0)
        subgame = board_subgame(subtree, self.blueprint, defender, self.records[line])
        return solve_on_boards(subgame, gadget, limits)


def posed(problem: Problem, *lines: str) -> Posed:
    """Make subgames ready to solve, at all decisions after the first one unless lines are given."""
    tree, game = problem.boards(), problem.game
    assert isinstance(game, PokerGame)
    blueprint = average(prepare(tree, factored_config("dcfr"), 2), BLUEPRINT)
    betting = tree.betting
    acts = np.flatnonzero((betting.player >= 0) & (betting.street == 0)).tolist()
    chosen = [n for n in acts if (betting.line[n] in lines if lines else n > 0)]
    records = recorded_values(game, blueprint, [(n, 0) for n in chosen])
    named = {betting.line[n]: records[n, 0] for n in chosen}
    found = Posed(game, float(problem.pot or 1), blueprint, named)
    found.solve(next(iter(named)), 1, Maxmargin(), BoardLimits(iterations=1))
    return found


def flop_of_table_2() -> Problem:
    """Return a flop after which nothing is dealt, at 200 big blinds, where three bets may be made."""
    sizes = {"bets": (0.5, 0.75, 1), "raises": (0.5, 1), "max_raises": 3}
    river = small_holdem("Ks Th 7s 4d 2c", 13, 4, pot=4, stack=198, **sizes)  # type: ignore[arg-type]
    return Problem(replace(river, name="a flop alone", board=river.board[:3], board_cards=(0,)))


def all_lines(given: object, gadget: RootGadget, share: float) -> str:
    """Solve the subgames after all lines for both defenders until values are known to a share of the pot."""
    assert isinstance(given, Posed)
    cpu, wall, iterations, widths = [], [], [], []
    limits = BoardLimits(iterations=5000, width=share * given.pot)
    for line in given.records:
        for defender in (0, 1):
            clock = time.process_time(), time.perf_counter()
            found = given.solve(line, defender, gadget, limits)
            cpu.append(time.process_time() - clock[0])
            wall.append(time.perf_counter() - clock[1])
            iterations.append(found.iterations)
            widths.append(width_of(found) / given.pot)
    return (
        f"{len(cpu)} subgames, {np.median(cpu):.3f} CPU s each at the median, {max(cpu):.3f} at most"
        f" ({np.median(wall):.3f} and {max(wall):.3f} s wall), {int(np.median(iterations))} iterations at the"
        f" median, {max(iterations):,} at most; widths up to {100 * max(widths):.4f}% of the pot"
    )


def one(given: object, line: str, gadget: RootGadget, share: float, threads: int) -> str:
    """Solve the subgame after a line for both defenders until values are known to a share of the pot."""
    assert isinstance(given, Posed)
    limits, texts = BoardLimits(iterations=2000, width=share * given.pot, threads=threads), []
    for defender in (0, 1):
        clock = time.process_time(), time.perf_counter()
        found = given.solve(line, defender, gadget, limits)
        cpu, wall = time.process_time() - clock[0], time.perf_counter() - clock[1]
        width = 100 * width_of(found) / given.pot
        texts.append(
            f"defender {defender}: {cpu:.3f} CPU s, {wall:.3f} s wall, {width:.4f}% of the pot after"
            f" {found.iterations:,} iterations"
        )
    nodes = found.subgame.subtree.tree.betting
    return f"{(nodes.player >= 0).sum()} decisions, {len(found.subgame.tops):,} hands; " + "; ".join(texts)


def nested(given: object, line: str, defender: int, iterations: int, runs: int) -> str:
    """Solve the subgame after a line, layouts shared and nothing judged, as nested solving does on flops."""
    assert isinstance(given, Posed)
    tree = given.blueprint.tree
    subtree = Subtree.of(tree, tree.betting.node_of[line], 0)
    subgame = board_subgame(subtree, given.blueprint, defender, given.records[line])
    engine = prepare(subtree.tree, QUARTIC)
    cpu, wall = [], []
    for _ in range(runs):
        clock = time.process_time(), time.perf_counter()
        root = Maxmargin().root(subgame)
        (found,) = solve_subgame(engine.entered_by, subgame, root, defender, subgame.comes, (iterations,))
        assert found.strategy.tree is subtree.tree
        cpu.append(time.process_time() - clock[0])
        wall.append(time.perf_counter() - clock[1])
    return (
        f"{(subtree.tree.betting.player >= 0).sum()} decisions, {len(subgame.tops):,} hands:"
        f" {min(cpu):.3f} CPU s at best, {np.median(cpu):.3f} at the median, {min(wall):.3f} s wall at best"
    )


def width_of(found: BoardSolution) -> float:
    """Return upper minus lower value of a gadget's game, per unit of reach."""
    return (found.proof.upper - found.proof.lower) / reach_unit(found.subgame, found.root)


def river_case(name: str, gadget: RootGadget, target: str) -> Case:
    return Case(name, target, lambda: posed(Problem(load(RIVER).game)), lambda p: all_lines(p, gadget, 1e-3))


def turn_case(name: str, line: str, gadget: RootGadget, target: str) -> Case:
    return Case(name, target, lambda: posed(load(TURN), line), lambda p: one(p, line, gadget, 3e-3, 2))


CASES = [
    river_case("river-maxmargin", Maxmargin(), "0.15 s each, to 0.1% of the pot"),
    river_case("river-resolve", Resolve(), "none"),
    turn_case("turn-maxmargin", "c", Maxmargin(), "6 s wall on two threads, to 0.3% of the pot"),
    turn_case("turn-maxmargin-bet", "r50", Maxmargin(), "6 s wall on two threads, to 0.3% of the pot"),
    turn_case("turn-resolve-bet", "r50", Resolve(), "none"),
    Case(
        "nested-flop",
        "0.040 s on one thread",
        lambda: posed(flop_of_table_2(), "r3"),
        lambda p: nested(p, "r3", 1, 300, 10),
    ),
]

if __name__ == "__main__":
    main("benchmarks.gadgets.bench_board_subgames", CASES)
