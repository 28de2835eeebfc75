"""Johanson 2013: sizes of no-limit games by counting, here of betting lines times deals."""

from collections.abc import Iterator
from dataclasses import replace

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import problem
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.counting.game_sizes import GameSizes, game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.named import no_limit_holdem

SOURCE = "Johanson, Measuring the size of large no-limit poker games, 2013"
ROYAL = "two rounds of no-limit royal hold'em"
OF_2007, OF_2009 = "no_limit_holdem(stack=1000,blinds=[2,1])", "no_limit_holdem(stack=400,blinds=[2,1])"
PUBLISHED = {
    OF_2009: (
        1375203442350500983963565602824903351778252845259200,
        1389094358906842392181537788403345780331801813952,
        180091019297791288982204479657796281550065385037,
    ),
    OF_2007: (
        7159379256300503000014733539416250494206634292391071646899171132778113414200,
        7231696218395692677395045408177846358424267196938605536692771479904913016,
        937575457443070937268150407671117224976700640913137221641272121424098561,
    ),
    "no_limit_holdem": (
        int(
            "631143875439997536762421500982349491523134755009560867161754754138543071866492234040"
            "692467854187671526019435023155654264055463548134458792123919483147215176128484600"
        ),
        int(
            "637519066101007550690301496238244324920475418719042634144396116764136550474559674075"
            "887513367166011522983983431697050644965107911879207553424525286198175080441144"
        ),
        int(
            "826531171899018270682034166693196413261555499632893359948529245371259341349248449705"
            "14122385645557438192782454335992412716935898684703899327697523295834972572001"
        ),
    ),
}
"""Game states, infosets, and actions of infosets up to suits, of both players."""


ROYAL_SIZES = ((1_188, 3_561, 29_700, 89_025), (19_996, 57_616, 155_168_960, 447_100_160))
"""Decisions and actions on betting lines, infosets and sequences up to suits, of each round of table 7."""


def _acpc(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose((OF_2009, OF_2007), ("no_limit_holdem",)):
        yield Instance(spec)
    yield Instance(choice=ROYAL)


def _royal() -> GameSizes:
    """Return the sizes of table 7: 20 chips, blinds 1 and 2, a deck of the five highest ranks."""
    four = no_limit_holdem(5, stack=20, blinds=(2, 1))
    betting = replace(four.betting, first=(1, 0), max_raises=(None, None))
    return game_sizes(PokerGame("royal", 5, 4, 2, (0, 3), betting, "holdem"))


def _royal_sizes() -> Iterator[Comparison]:
    """Compare sizes of royal hold'em; in the paper an all-in hand ends in the last round."""
    sizes = _royal()
    for one, printed in zip(sizes.rounds, ROYAL_SIZES, strict=True):
        lines = sum(one.decisions), sum(one.betting.actions)
        classes = sum(one.canonical_infosets or ()), sum(one.canonical_sequences or ())
        names = ("decisions", "actions", "infosets up to suits", "sequences up to suits")
        for name, left, right in zip(names, (*lines, *classes), printed, strict=True):
            yield Comparison(left, right, at=f"{name}, {one.n_board} cards")
    yield Comparison(sizes.leaves, 1_187 + 38_807, at="lines that end the hand")


def _published(instance: Instance) -> Iterator[Comparison]:
    if instance.choice == ROYAL:
        yield from _royal_sizes()
        return
    sizes, (states, infosets, actions) = problem(instance.game).sizes, PUBLISHED[instance.game]
    yield Comparison(sizes.decision_states, states, at="states")
    yield Comparison(sum(sizes.infosets), infosets, at="infosets")
    yield Comparison(sum(sizes.canonical_sequences or ()) - 2, actions, at="actions up to suits")


def _all_suits_alike(instance: Instance) -> Iterator[Comparison]:
    if instance.game:
        sizes = problem(instance.game).sizes
        yield Comparison(24 * sum(sizes.canonical_infosets or ()), sum(sizes.infosets))


PUBLISHED_SIZES = Theorem(
    name="no-limit-sizes",
    plain="Betting lines counted without enumeration, times deals, give all digits of the published numbers "
    "of states, infosets and actions of no-limit hold'em.",
    tex=r"|\mathcal I| = \sum_r |\text{lines}_r| \cdot |\text{deals}_r|",
    source=SOURCE,
    relation="==",
    instances=_acpc,
    measure=_published,
    tolerance=0.0,
    twin=Twin("Infosets are 24 times those up to suits.", _all_suits_alike),
)


THEOREMS = (PUBLISHED_SIZES,)
