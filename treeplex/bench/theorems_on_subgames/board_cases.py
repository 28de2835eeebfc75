"""Instances of theorems on subgames on boards: games, seats, blueprints and choices."""

from collections.abc import Callable, Iterator, Sequence

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.solved_instances import Case, of_case
from treeplex.bench.theorems.theorem import Instance

LEDUC = "leduc_poker(raises=1,suits_visible=true)"
BIG_LEDUC = "leduc_poker(raises=1,bets=[8,8],suits_visible=true)"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5,stack=4,bets=[0.5])'
RIVER = 'small_holdem(bets=[0.5,"a"],raises=["a"])'
SUITED = 'small_holdem(board="As Ks Qs Js",ranks=5,suits=3)'
WHOLE = "turn_holdem(ranks=4,suits=2,raises=[1,1,1])"
NAMED: tuple[Case, ...] = ((LEDUC, 0, "cfr+:5"), (RIVER, 1, "cfr+:3"))
MORE: tuple[Case, ...] = (
    (LEDUC, 1, "uniform"),
    (RIVER, 0, "random:1"),
    (TURN, 0, "cfr+:30"),
    (TURN, 1, "random:1"),
)
ENUMERATED = (LEDUC, TURN, RIVER, BIG_LEDUC)
"""Games small enough to be enumerated, by turns."""
MANY_BOARDS: tuple[Case, ...] = ((WHOLE, 0, "random:1"), (WHOLE, 1, "cfr+:3"))
"""Cases of a full run, of more streets."""


def cases(effort: Effort, games: Sequence[str], *, quick: int, full: int) -> Iterator[tuple[Case, int]]:
    """Yield named cases, and random blueprints of the games by turns, both seats by turns."""
    for case in effort.choose(NAMED, MORE):
        yield case, 0
    for seed in effort.seeds(quick=quick, full=full):
        yield (games[seed % len(games)], seed // len(games) % 2, f"random:{seed}"), seed


def instances(
    what: Sequence[str], games: Sequence[str] = ENUMERATED, *, quick: int, full: int
) -> Callable[[Effort], Iterator[Instance]]:
    """Return the instances of a statement: for every case each choice, ``CHOICE from BLUEPRINT``."""

    def made(effort: Effort) -> Iterator[Instance]:
        for case, seed in cases(effort, games, quick=quick, full=full):
            yield from (of_case(case, one, seed) for one in what)

    return made
