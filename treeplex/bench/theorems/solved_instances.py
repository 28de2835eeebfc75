"""Instances of theorems on subgames: games, seats, blueprints and methods."""

from collections.abc import Iterator, Sequence

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Instance

FIGURE_2 = "guess:1/2,1/4,1/4:3/4,1/2"
"""The blueprint of Figure 2 of Brown and Sandholm 2017, in ``coin_toss``."""
FIGURE_4_GAME = "coin_toss(forfeit=false,subgames=2)"
SMALL_LEDUC = "leduc_poker(raises=1)"
TINY_LEDUC = "leduc_poker(ranks=2,raises=1)"
Case = tuple[str, int, str]
"""A game, the defender and the blueprint."""
QUICK: tuple[Case, ...] = (
    ("coin_toss", 1, FIGURE_2),
    ("coin_toss", 1, "uniform"),
    (FIGURE_4_GAME, 1, "guess:1/2,1/2"),
    ("kuhn_poker", 0, "random:1"),
    ("kuhn_poker", 1, "cfr+:3"),
    ("kuhn_poker(ranks=4)", 1, "nash"),
    (TINY_LEDUC, 0, "cfr+:10"),
    ("leduc_poker(raises=1,bets=[8,8])", 1, "cfr+:10"),
    (SMALL_LEDUC, 0, "uniform"),
    (SMALL_LEDUC, 1, "near:1:0.05"),
)
"""Cases of a quick run: both seats, several kinds of blueprints, gifts at some."""
MORE: tuple[Case, ...] = (
    ("kuhn_poker(ranks=13)", 0, "cfr+:30"),
    (SMALL_LEDUC, 0, "cfr+:30"),
    (SMALL_LEDUC, 1, "nash"),
    ("leduc_poker", 0, "uniform"),
    ("leduc_poker", 1, "cfr+:10"),
    ("leduc_poker", 0, "near:2:0.05"),
    ("leduc_poker", 1, "nash"),
    ("leduc_poker(bets=[8,8])", 0, "near:0:0.05"),
    ("leduc_poker(bets=[8,8])", 1, "cfr+:10"),
    ("leduc_poker(bets=[10,4])", 1, "near:3:0.1"),
)
"""Cases of a full run besides: Leduc, and Leduc with bets that leave gifts."""
GIFT_GAMES = (
    "leduc_poker(ranks=2,raises=1,bets=[8,8])",
    "leduc_poker(ranks=2,raises=1,bets=[10,4])",
    "leduc_poker(raises=1,bets=[8,8])",
)
"""Leduc with bets so large that folding at once is often better than what hands go on with."""
RANDOM_BLUEPRINTS = ("random:{0}", "uniform", "near:{0}:0.1", "cfr+:10", "pure:{0}")
"""Blueprints of random games, by turns."""


def cases(effort: Effort, *, quick: int, full: int) -> Iterator[tuple[Case, int]]:
    """Yield named cases, and each random game from both seats, with the seed."""
    for case in effort.choose(QUICK, MORE):
        yield case, 0
    for game in random_games(effort, quick=quick, full=full, depth=6):
        start = RANDOM_BLUEPRINTS[game.seed % len(RANDOM_BLUEPRINTS)].format(game.seed)
        for seat in (0, 1):
            yield (game.game, seat, start), game.seed


def instances(effort: Effort, what: Sequence[str], *, quick: int, full: int) -> Iterator[Instance]:
    """Yield for every case and every method, or other choice, ``CHOICE from BLUEPRINT``."""
    for case, seed in cases(effort, quick=quick, full=full):
        for one in what:
            yield of_case(case, one, seed)


def with_gifts(effort: Effort, what: Sequence[str], *, quick: int, full: int) -> Iterator[Instance]:
    """Yield what :func:`instances` yields, and as many blueprints near equilibria that leave gifts."""
    yield from instances(effort, what, quick=quick, full=full)
    for seed in effort.seeds(quick=quick, full=full):
        case = GIFT_GAMES[seed % len(GIFT_GAMES)], seed // len(GIFT_GAMES) % 2, f"near:{seed}:0.1"
        yield from (of_case(case, one, seed) for one in what)


def of_case(case: Case, what: str, seed: int = 0) -> Instance:
    """Return the instance of a case and a choice."""
    spec, seat, start = case
    return Instance(spec, seed, seat, f"{what} from {start}")


def parts(instance: Instance) -> tuple[str, int, str, str]:
    """Return an instance's game, defender, blueprint and what else is chosen."""
    what, start = instance.choice.split(" from ")
    assert instance.seat is not None
    return instance.game, instance.seat, start, what
