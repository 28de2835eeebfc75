"""Bowling, Burch, Johanson and Tammelin 2015: heads-up limit hold'em is solved; its arithmetic."""

from collections.abc import Iterator
from functools import cache
from math import log10, sqrt

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, problem
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_in_papers.figures import Figure, listed, measured
from treeplex.bench.theorems_on_games.rules import Choices, odds
from treeplex.games.counting.game_sizes import GameSizes
from treeplex.seqform.forms.normal_form import n_pure, n_reduced

SOURCE = "Bowling, Burch, Johanson and Tammelin, Heads-up limit hold'em poker is solved, 2015 and CACM 2017"
HANDS_OF_A_LIFE = 200 * 12 * 365 * 70
DEVIATION = 5000.0
"""Standard deviation of one hand, in thousandths of a big blind."""


@cache
def _sizes(spec: str) -> GameSizes:
    return problem(spec).sizes


def _threshold() -> float:
    """Return what a game may be exploitable by to count as solved in a life, in mbb a game."""
    return 1.64 * DEVIATION / sqrt(HANDS_OF_A_LIFE)


FIGURES = (
    Figure("states of limit hold'em", lambda: _sizes("limit_holdem").decision_states, "3.16E17"),
    Figure("infosets of limit hold'em", lambda: sum(_sizes("limit_holdem").infosets), "3.19E14"),
    Figure(
        "infosets of limit hold'em up to suits",
        lambda: sum(_sizes("limit_holdem").canonical_infosets or (0,)),
        "1.38E13",
    ),
    Figure("infosets of Kuhn poker", lambda: sum(_sizes("kuhn_poker").infosets), "12"),
    Figure("infosets of Leduc hold'em", lambda: sum(_sizes("leduc_poker").infosets), "288"),
    Figure("core-years of 200 nodes of 24 cores in 68.5 days", lambda: 200 * 24 * 68.5 / 365, "9.0E2"),
    Figure(
        "threshold of an essentially solved game, mbb a game",
        _threshold,
        "1",
    ),
    Figure("the same, as the formula says", _threshold, "1.047"),
    Figure("interval of 100,000 games, mbb a game", lambda: 1.96 * DEVIATION / sqrt(100_000), "31"),
    Figure("interval of 3,564,094 games, mbb a game", lambda: 1.96 * DEVIATION / sqrt(3_564_094), "5.2"),
    Figure("width of the dealer's value, twice .986", lambda: 2 * 0.986, "2.0"),
)
DAYS = (Figure("days of 1,579 iterations of 61 minutes", lambda: 1579 * 61 / 60 / 24, "68.5"),)

CEPHEUS_FIGURES = Theorem(
    name="cepheus-arithmetic",
    plain="The sizes, times and confidence intervals printed for limit hold'em follow, to their digits, "
    "from its rules and from each other: the formula that the text leaves out is 1.64 x 5 bb / "
    "sqrt(61.32 million) = 1.047 mbb a game, printed as 1. The 68.5 days are 1.6 more than 1,579 iterations "
    "of 61 minutes; by footnote f they count an average strategy that was discarded.",
    tex=r"1.64 \cdot \frac{5\,\mathrm{bb}}{\sqrt{200 \cdot 12 \cdot 365 \cdot 70}} = 1.047\,\mathrm{mbb/g}",
    source=SOURCE,
    relation="==",
    instances=listed(FIGURES),
    measure=measured(FIGURES),
    tolerance=0.5,
    twin=Twin("1,579 iterations of 61 minutes are 68.5 days.", measured(DAYS), listed(DAYS)),
)


COUNTS = {"kuhn_poker": 2**6, "leduc_poker": 2**96 * 3**48}
"""How many pure strategies either player has."""
REDUCED = {("leduc_poker", 0): "14.0", ("leduc_poker", 1): "26.7"}
"""The decimal logarithm of how many reduced ones a player has, as the statement says it."""
OVER = 10**86
"""More deterministic strategies than this are printed of Leduc hold'em."""


def _seats(effort: Effort) -> Iterator[Instance]:
    for spec in COUNTS:
        yield from (Instance(spec, seat=seat) for seat in (0, 1))


def _counted(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    treeplexes = enumerated(instance.game).form.treeplexes
    own, other = treeplexes[instance.seat], treeplexes[1 - instance.seat]
    yield Comparison(n_pure(own), COUNTS[instance.game], at="pure strategies")
    from_rules = Choices.of(instance.game, instance.seat, odds(other, other.uniform()))
    yield Comparison(n_reduced(own), from_rules.n_pure(()), at="reduced pure strategies")
    if instance.game == "leduc_poker":
        printed = REDUCED[instance.game, instance.seat]
        yield Figure("their logarithm", lambda: log10(n_reduced(own)), printed).comparison()
        infosets = sum(t.n_infosets for t in treeplexes)
        yield Figure("two actions at all infosets", lambda: infosets * log10(2), "86.7").comparison()
        profiles = n_pure(treeplexes[0]) * n_pure(treeplexes[1])
        yield Figure("pairs of pure strategies", lambda: log10(profiles), "103.6").comparison()


def _each_over(instance: Instance) -> Iterator[Comparison]:
    if instance.game == "leduc_poker":
        assert instance.seat is not None
        own = n_pure(enumerated(instance.game).form.treeplexes[instance.seat])
        yield Comparison(int(own > OVER), 1, at="over 10^86")


PURE_STRATEGIES = Theorem(
    name="pure-strategies-of-leduc",
    plain="A player of Leduc hold'em has 2^96 3^48, or 10^51.8, pure strategies; reduced ones are fewer: "
    "10^14.0 of player 0 and 10^26.7 of player 1. There are 10^103.6 pairs of pure strategies, over 10^86 as "
    "printed: two actions at each of the 288 infosets give 2^288 = 10^86.7.",
    tex=r"\prod_{I \in \mathcal I_i} |A(I)| = 2^{96} \cdot 3^{48}",
    source=f"{SOURCE}, on normal-form programs; counted here",
    relation="==",
    instances=_seats,
    measure=_counted,
    tolerance=0.5,
    twin=Twin("Each player of Leduc has over 10^86 pure strategies.", _each_over),
)

THEOREMS = (CEPHEUS_FIGURES, PURE_STRATEGIES)
