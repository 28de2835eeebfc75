"""Brown and Sandholm 2017, appendices B.1 and C: all draws of alternative values learned at once."""

from collections.abc import Callable, Iterator
from functools import partial

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import FIGURE_2, Case, of_case, parts
from treeplex.bench.theorems.solved_subgames import subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_subgames.drawn_averages import Choose, DrawnSolution, learn_drawn
from treeplex.cfr.drawn_choices import learn_entering
from treeplex.cfr.variant import Variant, variant_named
from treeplex.gadgets.alternatives import BlueprintAlternatives
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation
from treeplex.gadgets.drawn_distributional import DrawnDistributional
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.subgame import Subgame

SOURCE = "Brown and Sandholm 2017"
DEVIATION = SameDeviation(0.5)
ATOMS = 16
QUICK: tuple[Case, ...] = (("coin_toss", 1, FIGURE_2), ("leduc_poker(raises=1)", 0, "uniform"))
MORE: tuple[Case, ...] = (
    ("leduc_poker(raises=1)", 1, "cfr+:10"),
    ("leduc_poker", 1, "cfr+:10"),
    ("leduc_poker", 0, "near:2:0.05"),
)
FIRST = 3
"""So many of a game's subgames are measured."""


def _instances(what: tuple[str, ...]) -> Callable[[Effort], Iterator[Instance]]:
    def made(effort: Effort) -> Iterator[Instance]:
        for case in effort.choose(QUICK, MORE):
            yield from (of_case(case, one) for one in what)

    return made


def _pieces(instance: Instance) -> Iterator[Subgame]:
    spec, seat, start, _ = parts(instance)
    yield from [piece for piece in subgames(spec, seat, start) if piece.live.any()][:FIRST]


def value_by_program(piece: Subgame, deviation: float = DEVIATION.deviation) -> tuple[float, float]:
    """Return an interval for the value of Distributional to the opponent, from the program with atoms."""
    gadget = Distributional(Normal(BlueprintAlternatives(), SameDeviation(deviation), ATOMS))
    value = float(solve_lp(gadget.apply(piece)).certificate.value)
    value = value if piece.cut.opponent == 0 else -value
    return value, value + gadget.error(piece) * float(piece.reach[piece.live].sum())


def _learned(
    piece: Subgame, by_hedge: bool, variant: Variant, count: int, choose: Choose = learn_entering
) -> DrawnSolution:
    drawn = DrawnDistributional(BlueprintAlternatives(), DEVIATION, by_hedge).root(piece)
    return learn_drawn(piece, drawn, variant, count, choose)


def _meet(instance: Instance) -> Iterator[Comparison]:
    """Yield both ends of the interval of Hedge beside the other end of the program's."""
    spec, *_, choice = parts(instance)
    for piece in _pieces(instance):
        low, high = value_by_program(piece)
        found = _learned(piece, True, variant_named("dcfr"), int(choice))
        yield Comparison(found.lower, high, spread(spec), f"{piece.cut.name}, from below")
        yield Comparison(low, found.upper, spread(spec), f"{piece.cut.name}, from above")


def _no_spread(instance: Instance) -> Iterator[Comparison]:
    """Yield the same beside the program of alternative values that are what they are on average."""
    spec, *_, choice = parts(instance)
    for piece in _pieces(instance):
        _, high = value_by_program(piece, 0.0)
        found = _learned(piece, True, variant_named("dcfr"), int(choice))
        yield Comparison(found.lower, high, spread(spec), piece.cut.name)


HEDGE = Theorem(
    name="distributional-hedge",
    plain="However few the iterations, the interval proved of Distributional with all draws of a normal "
    "distribution, learned by Hedge, meets that of the linear program with 16 values for each draw.",
    tex=r"\underline{v}^T \le v_{16} + \epsilon_{16}, \quad v_{16} \le \overline{v}^T",
    source=f"{SOURCE}, appendix C; derived",
    relation="<=",
    instances=_instances(("3", "100")),
    measure=_meet,
    tolerance=1e-9,
    twin=Twin("It meets the interval of the program without any spread.", _no_spread),
)


def _converges(instance: Instance, choose: Choose = learn_entering) -> Iterator[Comparison]:
    """Yield the width of the interval beside regrets below the tops and what the first strategy may lose.

    The averages are of strategies such that each choice to enter answers the defender's strategy of its
    iteration: of player 0 those after updates, if that is the opponent.
    """
    spec, *_, choice = parts(instance)
    most, count = spread(spec), int(choice)
    for piece in _pieces(instance):
        variant = variant_named("cfr", counted="seen" if piece.cut.opponent == 0 else "before")
        found = _learned(piece, False, variant, count, choose)
        first = most * float(piece.reach[piece.live].sum())
        yield Comparison(found.upper - found.lower, (found.regret + first) / count, most, piece.cut.name)


def enter_above(
    learned: Floats, count: float, value: float, mean: float, deviation: float, by_hedge: bool
) -> None:
    """Update a choice as ``learn_entering``, but enter where the draw is at least the value."""
    learn_entering(learned, count, value, mean, deviation, by_hedge)
    learned[3], learned[4] = 1.0 - learned[3], -learned[4]


THEOREM_3 = Theorem(
    name="distributional-theorem-3",
    plain="CFR in the subgame, entered at each top with the probability that the alternative value drawn is "
    "at most the value of entering on that iteration, comes to an equilibrium of the game in which the "
    "opponent sees the draw: the interval is no wider than regrets below the tops, and what the first "
    "strategy may lose, over the iterations.",
    tex=r"\overline{v}^T - \underline{v}^T \le \frac{1}{T} \Big(\sum_I R_I^{T,+} + \Delta \sum_t w_t\Big)",
    source=f"{SOURCE}, Theorem 3; by regrets, derived with Zinkevich et al. 2008, Theorem 3",
    relation="<=",
    instances=_instances(("30", "1000")),
    measure=_converges,
    tolerance=1e-9,
    twin=Twin(
        "So it does if it is entered with the probability that the value drawn is at least that.",
        partial(_converges, choose=enter_above),
    ),
)

THEOREMS = (HEDGE, THEOREM_3)
