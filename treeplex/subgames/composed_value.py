"""A blueprint with every subgame of the last street solved again: what a best response gets, exactly.

Flops whose subgames were solved again are kept one by one in a folder, so that an ended run goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.files.archives import ExpectedArray
from treeplex.files.kept import Kept
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.composed_responses import (
    Judged,
    LastSubgame,
    ResolveConfig,
    best_with,
    entering_after,
    judged,
    played_again,
)
from treeplex.subgames.composed_trunk import ComposedTrunk

ROUNDING = 1e-9
"""Best responses may differ by so much, in parts of the largest stake, by rounding alone."""


class SolvedFlop(NamedTuple):
    """The subgames below one flop after they were solved again; E lines to it, S lines to last boards.

    values : (E, H) float64
        The opponent's best-response values, unnormalised, by hand of its range.
    error : (S,) float64
        As ``Played.error``, times ``LastSubgame.share``.
    solved : (S,) bool
        Whether the solution is played.
    plan : (.,) float32
        The defender's table on the flop and the boards after it, as the blueprint's tree has it; empty if it
        was not asked for.
    seconds : () float64
        CPU time of the one thread that solved them.
    """

    values: Floats
    error: Floats
    solved: NDArray[np.bool_]
    plan: NDArray[np.float32]
    seconds: Floats


@dataclass(frozen=True)
class Composed:
    """What becomes of one seat's blueprint, in chips a hand.

    Attributes
    ----------
    before, after : float
        What the opponent's best response gets against the blueprint, and against it with subgames solved
        again.
    error : float
        The most that ``after`` can be above ``before``.
    solved, subgames : int
        The subgames in which solutions are played, and all in which the defender decides anything.
    seconds : float
        CPU time of all subgames, whenever they were solved; results that differ in it alone are equal.
    """

    before: float
    after: float
    error: float
    solved: int
    subgames: int
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class Blueprint:
    """One seat's blueprint, judged.

    Attributes
    ----------
    trunk : ComposedTrunk
    start : Judged
        Before any cards, with the opponent's best response.
    """

    trunk: ComposedTrunk
    start: Judged

    @staticmethod
    def of(trunk: ComposedTrunk) -> "Blueprint":
        """Judge a seat's blueprint."""
        return Blueprint(trunk, judged(trunk, 0, trunk.start()))

    @property
    def pairs(self) -> float:
        """The weight of all pairs of hands, with flops they leave."""
        return float(self.trunk.weight @ self.start.met[0])

    @property
    def best_response(self) -> float:
        """What the opponent's best response gets, in chips a hand."""
        return self.worth(self.start.values)

    def worth(self, values: Floats) -> float:
        """Return the opponent's values (V, H) before any cards in chips a hand."""
        return float(self.trunk.weight @ values[self.start.here.before.street.entry[0]]) / self.pairs

    def on_flop(self, number: int, again: ResolveConfig, *, planned: bool = False) -> SolvedFlop:
        """Return the subgames below a flop after they were solved again, with what is played if asked for."""
        errors, solved, began = [], [], thread_time()
        d, strategy, part = self.trunk.menus.defender, self.trunk.strategy, self.table_of(number)
        plan = strategy.weight[d][part if planned else slice(0)].astype(np.float32)

        def play(subgame: LastSubgame) -> Floats:
            found = played_again(subgame, d, again)
            errors.append(subgame.share * found.error)
            solved.append(found.table is not None)
            if planned and found.table is not None:
                at = self._rows(subgame) - part.start
                plan[at : at + found.table.size] = found.table.ravel()
            return found.values

        values = self.with_play(number, play)
        return SolvedFlop(values, np.array(errors), np.array(solved), plan, np.array(thread_time() - began))

    def _rows(self, subgame: LastSubgame) -> int:
        """Return where the defender's table has what it plays in a subgame in which it decides something."""
        tree, d = self.trunk.strategy.tree, self.trunk.menus.defender
        first = tree.betting.node_of[self.trunk.lines.names[subgame.line]]
        own = np.flatnonzero(tree.betting.player[first : tree.betting.end[first]] == d)
        return tree.rows(d, first + int(own[0]), subgame.flop.number)[0]

    def table_of(self, number: int) -> slice:
        """Return where the defender's table has a flop and the boards after it."""
        tree, flop = self.trunk.strategy.tree, int(self.start.here.nexts.boards[number])
        base = tree.base[self.trunk.menus.defender]
        return slice(int(base[flop]), int(base[tree.boards.end[flop]]))

    def with_play(self, number: int, play: Callable[[LastSubgame], Floats]) -> Floats:
        """Return the opponent's values (E, H) at lines to a flop, subgames below played as ``best_with``."""
        trunk, here, flop = self.trunk, self.start.here, int(self.start.here.nexts.boards[number])
        entering = entering_after(trunk, here, self.start.gifts, flop)
        return trunk.up(flop, best_with(trunk, flop, entering, play))

    @property
    def branching(self) -> float:
        """The mean number of classes of boards of the last street after a board of the one before."""
        street = self.trunk.strategy.tree.boards.street
        last = int(street.max())
        return float((street == last).sum() / (street == last - 1).sum())

    @property
    def last_boards(self) -> list[int]:
        """The number of boards of the last street after each flop, the flop itself included."""
        boards, flops = self.trunk.strategy.tree.boards, self.start.here.nexts.boards
        last = boards.street == boards.street.max()
        return [int(last[flop : boards.end[flop]].sum()) for flop in flops.tolist()]


Run = Callable[[int], SolvedFlop]
"""Returns the subgames below a flop by its number, as ``Blueprint.on_flop``; they may be kept."""


def composed(blueprint: Blueprint, run: Run) -> Composed:
    """Solve every subgame of the last street again, and return what that does to the blueprint.

    The play before the last street stays what it is. Of each subgame only the opponent's best-response values
    are kept, which add up to its best response to the whole.

    Parameters
    ----------
    blueprint : Blueprint
    run : callable
    """
    trunk, here = blueprint.trunk, blueprint.start.here
    count = len(here.nexts.boards)
    errors, solved, seconds = np.zeros(count), np.zeros(count, int), np.zeros(count)

    def values(number: int) -> Floats:
        found = run(number)
        errors[number], solved[number] = found.error.sum(), found.solved.sum()
        seconds[number] = found.seconds
        return found.values

    total = trunk.total(here, "subgames solved again", values)
    result = Composed(
        before=blueprint.best_response,
        after=blueprint.worth(trunk.responded(here, total)),
        error=float(here.nexts.share @ errors) / blueprint.pairs,
        solved=int(solved.sum()),
        subgames=sum(blueprint.last_boards) * sum(below is not None for below in trunk.lines.below),
        seconds=float(seconds.sum()),
    )
    slack = ROUNDING * trunk.strategy.tree.betting.largest_stake
    assert result.after <= result.before + result.error + slack, result
    return result


FLOAT, SINGLE, BOOL = (np.dtype(np.float64),), (np.dtype(np.float32),), (np.dtype(np.bool_),)


@dataclass(frozen=True)
class KeptFlops:
    """A folder with one file a flop.

    Attributes
    ----------
    kept : Kept
    shape : pair of int
        E and H of ``SolvedFlop``.
    played, plans : tuple of int
        S of each flop, and how long its plan is; 0 if plans are not kept.
    """

    kept: Kept
    shape: tuple[int, int]
    played: tuple[int, ...]
    plans: tuple[int, ...]

    @staticmethod
    def open(
        folder: Path, identity: dict[str, Any], blueprint: Blueprint, *, planned: bool = False
    ) -> "KeptFlops":
        """Return the folder of a run, made if it is new; raises as :meth:`Kept.open`."""
        trunk, first = blueprint.trunk, blueprint.start.here.before.street
        played = tuple(count * len(trunk.lines.names) for count in blueprint.last_boards)
        parts = [blueprint.table_of(number) for number in range(len(played))]
        plans = tuple(part.stop - part.start if planned else 0 for part in parts)
        shape = len(first.chance), len(trunk.weight)
        return KeptFlops(Kept.open(folder, identity), shape, played, plans)

    def or_run(self, run: Run) -> Run:
        """Return a function of the number of a flop: what is kept of it, or what is run now and kept."""

        def found(number: int) -> SolvedFlop:
            if (kept := self._read(number)) is not None:
                return kept
            now = run(number)
            self.kept.put(_file(number, self.plans[number]), now._asdict())
            return now

        return found

    def _read(self, number: int) -> SolvedFlop | None:
        expected = {
            "values": ExpectedArray(FLOAT, self.shape),
            "error": ExpectedArray(FLOAT, (self.played[number],)),
            "solved": ExpectedArray(BOOL, (self.played[number],)),
            "plan": ExpectedArray(SINGLE, (self.plans[number],)),
            "seconds": ExpectedArray(FLOAT, ()),
        }
        found = self.kept.get(_file(number, self.plans[number]), expected)
        if found is not None and min(found["error"].min(initial=0.0), float(found["seconds"])) < 0.0:
            raise BadInputError(
                f"errors and seconds of {self.kept.folder} must be at least 0, got others on flop {number}"
            )
        return None if found is None else SolvedFlop(**found)


def _file(number: int, plan: int) -> str:
    return f"{'plan' if plan else 'flop'}{number:04d}"
