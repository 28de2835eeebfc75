"""Statements on subgames that no paper prints, derived for this catalogue."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import at_top, margins_of
from treeplex.bench.theorems.solved_instances import instances, of_case, parts
from treeplex.bench.theorems.solved_subgames import REACH, blueprint, solutions, subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import BlueprintAlternatives, EstimatedGifts
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation
from treeplex.gadgets.gadget import UndefinedError
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.subgame import Subgame

SOURCE = "derived"
Never = Callable[[Subgame], NDArray[np.bool_]]
"""Which tops of a subgame somebody never reaches, (T,)."""
MARGINS_DIFFER = 1e-8
"""Margins closer than this, in parts of the spread, are equal: they come from several programs in floats."""


def _first_difference(instance: Instance) -> Iterator[Comparison]:
    """Yield the first of both sorted lists of margins that differ, smallest margins first; or the last."""
    spec, seat, start, choice = parts(instance)
    for k, solution in enumerate(solutions(spec, seat, start, "lexicographic")):
        if not solution.subgame.live.any():
            continue
        rival = np.sort(margins_of(solution.subgame, solutions(spec, seat, start, choice)[k].behaviour))
        best = np.sort(margins_of(solution.subgame, solution.behaviour))
        apart = np.flatnonzero(np.abs(rival - best) > MARGINS_DIFFER * spread(spec))
        at = int(apart[0]) if len(apart) else len(best) - 1
        name = solution.subgame.cut.name
        yield Comparison(float(rival[at]), float(best[at]), spread(spec), f"margin {at} of {name}")


def _sums(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, choice = parts(instance)
    for k, solution in enumerate(solutions(spec, seat, start, "lexicographic")):
        subgame = solution.subgame
        rival = margins_of(subgame, solutions(spec, seat, start, choice)[k].behaviour)
        best = margins_of(subgame, solution.behaviour)
        yield Comparison(float(rival.sum()), float(best.sum()), spread(spec), subgame.cut.name)


LEXICOGRAPHIC = Theorem(
    name="lexicographic-margins",
    plain=(
        "Margins sorted from the smallest up: where those of another method first differ from the "
        "lexicographic ones they are smaller."
    ),
    tex=r"\mathrm{sort}(M^{\sigma}) \le_{lex} \mathrm{sort}(M^{lex})",
    source=SOURCE,
    relation="<=",
    instances=lambda effort: instances(effort, ("maxmargin", "resolve", "unsafe"), quick=3, full=40),
    measure=_first_difference,
    equality="Where the other method's margins are the same.",
    tolerance=1e-8,
    twin=Twin("The sum of lexicographic margins is the largest.", _sums),
)

Witness = Unsafe | Resolve | Maxmargin | Distributional
WITNESSES: Mapping[str, Witness] = MappingProxyType(
    {
        "unsafe": Unsafe(),
        "resolve": Resolve(),
        "reach-resolve": Resolve(REACH),
        "maxmargin": Maxmargin(),
        "double-gifts-maxmargin": Maxmargin(BlueprintAlternatives(EstimatedGifts(2.0))),
        "distributional": Distributional(Normal(BlueprintAlternatives(), SameDeviation(0.3), 3)),
    }
)
"""Gadgets with a direct program each."""


WITHOUT_GIFTS: Mapping[str, Witness] = MappingProxyType(
    {"reach-resolve": Resolve(), "double-gifts-maxmargin": Maxmargin()}
)
"""What the methods with gifts are without them."""


def _both_ways(programs: Mapping[str, Witness]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of the values of gadgets' games, and of programs of the same names."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, method = parts(instance)
        for piece in subgames(spec, seat, start):
            if not piece.live.any():
                continue
            try:
                game = WITNESSES[method].apply(piece)
            except UndefinedError:
                continue  # unsafe, where the blueprint never comes
            value = float(solve_lp(game).certificate.value) * (1 if piece.cut.opponent == 0 else -1)
            program = programs[method].program(piece).solve()
            yield Comparison(value, program.value, spread(spec), piece.cut.name)

    return measure


TWO_WITNESSES = Theorem(
    name="two-witnesses",
    plain=(
        "The game of a gadget, solved as any game, and the method's linear program on the subgame, which "
        "builds no game, have one value."
    ),
    tex=r"v(G_S) = \min_{\sigma^S} f(V_t : t \in S_{top})",
    source=f"{SOURCE}, after the gadgets of Burch et al. 2014, Moravcik et al. 2016, Brown and Sandholm 2017",
    relation="==",
    instances=lambda effort: instances(effort, tuple(WITNESSES), quick=1, full=40),
    measure=_both_ways(WITNESSES),
    twin=Twin(
        "The program without gifts has the value of the game with them.",
        _both_ways(WITHOUT_GIFTS),
        lambda effort: instances(effort, tuple(WITHOUT_GIFTS), quick=1, full=10),
    ),
)


def _inside(effort: Effort) -> Iterator[Instance]:
    yield of_case(("coin_toss", 1, "guess:1/2,1/2,0:1,0"), "random:1")
    yield of_case(("leduc_poker(raises=1)", 0, "pure:1"), "random:2")
    yield of_case(("leduc_poker(raises=1)", 1, "pure:2"), "random:3")
    for seed in effort.seeds(quick=6, full=100):
        for seat in (0, 1):
            game = f"random_game(seed={seed},depth=6,actions=3)"
            yield of_case((game, seat, f"pure:{seed}"), f"random:{seed}", seed)


def _worth_nothing(never: Never) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of what the opponent gets at tops that somebody's blueprint never reaches."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, inside = parts(instance)
        behaviour = blueprint(spec, inside).behaviour[seat]
        for piece in subgames(spec, seat, start):
            cut, old = piece.cut, piece.blueprint.behaviour[seat]
            plan = cut.own.treeplex.plan(np.where(cut.inside, behaviour, old))
            values = cut.top_values(plan, cut.game.form.best_response(cut.opponent, plan))
            for t in np.flatnonzero(never(piece)).tolist():
                yield Comparison(float(values[t]), 0.0, spread(spec), at_top(cut, t))

    return measure


UNREACHED_TOPS = Theorem(
    name="unreached-tops",
    plain=(
        "At a top that chance and the defender never reach the opponent's counterfactual value is 0 "
        "whatever is played inside: such tops bind nothing."
    ),
    tex=r"w_t = 0 \Rightarrow V_t = 0",
    source=SOURCE,
    relation="==",
    instances=_inside,
    measure=_worth_nothing(lambda piece: ~piece.live),
    tolerance=0.0,
    twin=Twin(
        "The same at a top that the opponent's blueprint never reaches.",
        _worth_nothing(lambda piece: piece.opponent_reach == 0.0),
    ),
)

THEOREMS = (LEXICOGRAPHIC, TWO_WITNESSES, UNREACHED_TOPS)
