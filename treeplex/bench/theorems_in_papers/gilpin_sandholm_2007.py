"""Gilpin and Sandholm 2007: the sizes of Rhode Island hold'em and of its program."""

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import permutations
from math import prod
from random import Random

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker, problem
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_games.partition import Partition, merged_form
from treeplex.games.counting.deal_counts import count_orbits
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.programs.sequence_program import plain_program

SOURCE = "Gilpin and Sandholm, Lossless abstraction of imperfect information games, 2007"
CLASSES = {
    "all cards": (52, 52 * 51, 52 * 51 * 50),
    "up to suits": tuple(count_orbits(13, 4, (1,) * cards) for cards in (1, 2, 3)),
}
"""How many deals a player tells apart in each round."""
SMALL = "rhode_island(ranks=2,suits=2,raises=2)"
MORE_SMALL = ("rhode_island(ranks=2,suits=3,raises=1)", "rhode_island(ranks=3,suits=2,raises=1)")
ENDINGS = 7
"""Ways in which a round's betting goes on to the next, of which both players decide at 8."""


def _classes(effort: Effort) -> Iterator[Instance]:
    for name in CLASSES:
        yield Instance("rhode_island", choice=name)


def _weighted(classes: tuple[int, ...]) -> int:
    """Return the sum of classes of deals times the betting lines on which a round begins."""
    return sum(ENDINGS**k * count for k, count in enumerate(classes))


def _sizes(instance: Instance) -> Iterator[Comparison]:
    sizes, k = problem(instance.game).sizes, _weighted(CLASSES[instance.choice])
    everything = instance.choice == "all cards"
    infosets = sizes.infosets if everything else sizes.canonical_infosets or (0, 0)
    rows = sizes.lp_rows if everything else sizes.canonical_lp_rows or (0, 0)
    yield Comparison(infosets[0], 4 * k, at="infosets of a player")
    yield Comparison(sum(infosets), 52_128_128 if everything else 3_937_128, at="infosets of both")
    yield Comparison(rows[0], 14 * k + 2, at="rows")
    yield Comparison(rows[0], 91_224_226 if everything else 6_889_976, at="rows in all")


def _without_endings(instance: Instance) -> Iterator[Comparison]:
    k = sum(CLASSES[instance.choice])
    yield Comparison(problem(instance.game).sizes.lp_rows[0], 14 * k + 2)


RHODE_ISLAND = Theorem(
    name="rhode-island-sizes",
    plain="Rhode Island hold'em has 4 K infosets a player and 14 K + 2 rows, K the deals of each round times "
    "the betting lines to it: 91,224,226 rows in all, 3,937,128 infosets up to suits.",
    tex=r"14 K + 2, \quad K = C_1 + 7 C_2 + 49 C_3",
    source=SOURCE,
    relation="==",
    instances=_classes,
    measure=_sizes,
    tolerance=0.0,
    twin=Twin("K is the deals of all rounds, on whichever lines.", _without_endings),
)


def _printed(rows: int) -> Iterator[Comparison]:
    """Compare printed rows with 14 K + 2 for whole K = 13 + 7 m."""
    yield Comparison((rows - 2) % 14, 0, at="(rows - 2) / 14 is whole")
    yield Comparison(((rows - 2) // 14 - 13) % ENDINGS, 0, at="and less the 13 first classes divisible by 7")


def _seen(game: PokerGame, seed: int) -> dict[str, tuple[int, ...]]:
    """Return what a player sees of each deal, by hand and boards so far: random colours, one a round."""
    rng = Random(seed)
    seen: dict[str, tuple[int, ...]] = {"": ()}
    for n in (1, 2, 3):
        colours = rng.randrange(1, 5)
        for *before, card in permutations(map(game.deck.text, zip(game.deck.cards)), n):
            seen["".join((*before, card))] = (*seen["".join(before)], rng.randrange(colours))
    return seen


def _rows_merged(instance: Instance, where: str) -> Iterator[Comparison]:
    """Compare rows of a game whose deals are merged where lines begin so with those counted by classes."""
    game, form = poker(instance.game), problem(instance.game).form
    seen, raises = _seen(game, instance.seed), game.betting.max_raises[0]
    assert raises is not None

    def label(key: str) -> Hashable:
        hand, public = key.split("|")
        board, line = public.split(":")
        return seen[hand + board] if line.startswith(where) else hand + board, line

    first, second = (Partition.by(t, label).recalling() for t in form.treeplexes)
    merged = merged_form(form, (first, second)).form
    classes = Counter(map(len, set(seen.values())))
    k = sum((2 * raises + 1) ** (n - 1) * classes[n] for n in (1, 2, 3))
    for player in (0, 1):
        rows = plain_program(merged, player).program.n_rows
        yield Comparison(rows, (4 * raises + 2) * k + 2, at=f"player {player}'s program")


def _shrunk(effort: Effort) -> Iterator[Instance]:
    for rows in (1_237_238, 6_889_976):
        yield Instance(choice=f"{rows} rows")
    games = effort.choose((SMALL,), MORE_SMALL)
    for seed in effort.seeds(quick=2, full=30):
        yield Instance(games[seed % len(games)], seed)


def _merged(instance: Instance) -> Iterator[Comparison]:
    if instance.game:
        return _rows_merged(instance, where="")
    return _printed(int(instance.choice.split()[0]))


def _merged_on_a_line(instance: Instance) -> Iterator[Comparison]:
    return _rows_merged(instance, where="cc/")


def _on_a_line(effort: Effort) -> Iterator[Instance]:
    yield Instance(SMALL, effort.seed)


GAME_SHRINK = Theorem(
    name="gameshrink-rows",
    plain="However deals are merged, for both players alike and nothing forgotten, the program of Rhode "
    "Island hold'em with r raises a round has (4 r + 2) K + 2 rows, K the classes of each round times the "
    "betting lines to it; the 1,237,238 rows printed after GameShrink are so, with K = 13 + 7 m.",
    tex=r"(4 r + 2) \big(C_1 + (2 r + 1) C_2 + (2 r + 1)^2 C_3\big) + 2; \quad "
    r"1237238 = 14 (13 + 7 \cdot 12623) + 2",
    source=SOURCE,
    relation="==",
    instances=_shrunk,
    measure=_merged,
    tolerance=0.0,
    twin=Twin("So it has where deals are merged after one line alone.", _merged_on_a_line, _on_a_line),
)


def _signal_tree(effort: Effort) -> Iterator[Instance]:
    yield Instance("rhode_island")


def _signals(instance: Instance) -> Iterator[Comparison]:
    cards = (52, 51, 50, 49)
    yield Comparison(1 + sum(prod(cards[:k]) for k in (2, 3, 4)), 6_632_653)
    dealt = [one.deals.dealt for one in problem(instance.game).sizes.rounds]
    for k, count in enumerate(dealt, 2):
        yield Comparison(count, prod(cards[:k]), at=f"round {k - 1}")


def _unordered(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(1 + sum(prod((52, 51, 50, 49)[:k]) // 2 for k in (2, 3, 4)), 6_632_653)


SIGNAL_TREE = Theorem(
    name="rhode-island-signal-tree",
    plain="The tree of deals of Rhode Island hold'em has 6,632,653 nodes, one for each way to deal both "
    "hands and the boards so far.",
    tex=r"1 + 52 \cdot 51 + 52 \cdot 51 \cdot 50 + 52 \cdot 51 \cdot 50 \cdot 49 = 6632653",
    source=f"{SOURCE} (of signals, in millions); counted here",
    relation="==",
    instances=_signal_tree,
    measure=_signals,
    tolerance=0.0,
    twin=Twin("It does not count who holds which of both cards.", _unordered),
)

THEOREMS = (RHODE_ISLAND, GAME_SHRINK, SIGNAL_TREE)
