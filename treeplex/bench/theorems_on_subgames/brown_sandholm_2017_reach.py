"""Brown and Sandholm 2017: Reach subgame solving, Theorem 1 and the safety of gifts."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import Entered, entered_tops, reach_margin_bounds
from treeplex.bench.theorems.solved_instances import instances, of_case, parts
from treeplex.bench.theorems.solved_measures import safe, unsafe
from treeplex.bench.theorems.solved_subgames import solutions
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin

SOURCE = "Brown and Sandholm 2017"


def _corrected(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    if chosen:
        yield from reach_margin_bounds(chosen, spread(spec))


def _as_printed(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    for top in entered_tops(chosen) if chosen else ():
        if top.taken:
            right = top.without - _printed_weight(top) * top.gained / top.reach
            yield Comparison(top.composed, right, spread(spec), top.at)


def _printed_weight(top: Entered) -> float:
    """Return the opponent's own reach, once for each history of the top."""
    subgame = top.subgame
    histories = int(np.count_nonzero(subgame.cut.root_top == top.top))
    return histories * float(subgame.opponent_reach[top.top])


def _entered(effort: Effort) -> Iterator[Instance]:
    methods = effort.choose(
        ("reach-maxmargin", "reach-lexicographic", "resolve"), ("reach-resolve", "maxmargin")
    )
    yield from instances(effort, methods, quick=3, full=40)


def _played(effort: Effort) -> Iterator[Instance]:
    """Yield Coin Toss with player 0 always playing: the printed weight is 1 there, the right one a half."""
    yield of_case(("coin_toss", 1, "guess:1/2,1/4,1/4:1,1"), "reach-maxmargin")
    yield from instances(effort, ("reach-maxmargin",), quick=2, full=20)


REACH_MARGIN = Theorem(
    name="reach-margin",
    plain=(
        "Subgames solved again with lower-bound gifts: where a best response to the composed strategy enters "
        "a subgame, it concedes less than with the blueprint in that subgame by reach times margin at least."
    ),
    tex=(
        r"\exp(\sigma'_2) \le \exp(\sigma_2^{-S}) - \sum_{h \in I_1} \pi_{-1}^{\sigma_2}(h)\,"
        r"M_r^{\sigma^S}(I_1)"
    ),
    source=f"{SOURCE}, Theorem 1",
    relation="<=",
    instances=_entered,
    measure=_corrected,
    equality="Coin Toss of Figure 2: 1/4 = 1/2 - 1/2 * 1/2; at many tops of Leduc poker.",
    erratum=(
        "Printed at NIPS with the opponent's own reach, which the defender's strategy does not determine; it "
        "must be the reach of chance and the defender, as the full text has it."
    ),
    twin=Twin(
        "The inequality as printed, with the opponent's own reach under its blueprint as the weight.",
        _as_printed,
        _played,
    ),
)


REACH_SAFETY = Theorem(
    name="reach-safety",
    plain=(
        "Subgames solved again with lower-bound gifts give the opponent at no top more than the blueprint "
        "and the gift, and the composed strategy concedes no more than the blueprint."
    ),
    tex=(
        r"V'_t \le w_t \big( CBV^{\sigma}(t) + \lfloor g(t) \rfloor \big), \qquad "
        r"\exp(\sigma') \le \exp(\sigma)"
    ),
    source=f"{SOURCE}, section 5",
    relation="<=",
    instances=lambda effort: instances(effort, ("reach-resolve", "reach-maxmargin"), quick=3, full=50),
    measure=safe,
    equality="From an equilibrium, and at tops whose constraint binds.",
    twin=Twin(
        "The same with three times the gifts.",
        unsafe,
        lambda effort: instances(effort, ("triple-reach-resolve",), quick=1, full=20),
    ),
)


def _tripled(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 1, "cfr+:3"), "triple-gifts-maxmargin")
    yield from instances(effort, ("triple-gifts-resolve",), quick=1, full=20)


ALL_GIFTS_SAFETY = Theorem(
    name="all-gifts-safety",
    plain=(
        "With gifts of all actions, as the blueprint has them, the composed strategy is as safe: only that "
        "every margin is an improvement is no longer promised."
    ),
    tex=r"g(I', a') \le CBV^{\sigma}(I') - CBV^{\sigma}(I', a') \Rightarrow \exp(\sigma') \le \exp(\sigma)",
    source=f"{SOURCE}, section 5",
    relation="<=",
    instances=lambda effort: instances(
        effort, ("all-gifts-resolve", "all-gifts-maxmargin"), quick=2, full=40
    ),
    measure=safe,
    equality="From an equilibrium, and at tops whose constraint binds.",
    twin=Twin("The same with three times the gifts of all actions.", unsafe, _tripled),
)

THEOREMS = (REACH_MARGIN, REACH_SAFETY, ALL_GIFTS_SAFETY)
