"""Brown, Sandholm and Amos 2018: depth-limited solving and how many continuations it takes."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from math import prod

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, enumerated, equilibrium, spread
from treeplex.bench.theorems.solved_instances import (
    SMALL_LEDUC,
    TINY_LEDUC,
    Case,
    cases,
    of_case,
    parts,
)
from treeplex.bench.theorems.solved_subgames import blueprint, conceded, cuts
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.off_tree.depth_limited import (
    DepthLimited,
    SelfGenerated,
    self_generate,
    solve_depth_limited,
    trunk_optimum,
)
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "Brown, Sandholm and Amos 2018"
LEDUCS: tuple[Case, ...] = ((SMALL_LEDUC, 0, "nash"), (SMALL_LEDUC, 1, "nash"))
MORE_LEDUCS: tuple[Case, ...] = (("leduc_poker", 0, "nash"), ("leduc_poker", 1, "nash"))
MOST_PURE = 64
"""So many pure continuations are enumerated, no more."""


def least(spec: str, seat: int, start: str) -> float:
    """Return the least that a defender held to a blueprint below the cuts concedes, by one program."""
    pieces, held = cuts(spec, seat), blueprint(spec, start)
    return conceded(pieces[0], held.exchanged(seat, trunk_optimum(pieces, held)))


@lru_cache(KEPT)
def generated(spec: str, seat: int, start: str) -> SelfGenerated:
    """Return depth-limited solutions with one best response more each time."""
    return self_generate(cuts(spec, seat), blueprint(spec, start))


def one(spec: str, seat: int, start: str) -> DepthLimited:
    """Return the depth-limited solution with the opponent's blueprint as the only continuation."""
    held = blueprint(spec, start)
    return solve_depth_limited(cuts(spec, seat), held, [held.behaviour[1 - seat]])


def pure_continuations(spec: str, seat: int) -> list[Floats]:
    """Return every pure behaviour of the opponent below the cuts, none if there are over ``MOST_PURE``."""
    treeplex = enumerated(spec).form.treeplexes[1 - seat]
    below = np.concatenate([piece.other.infosets for piece in cuts(spec, seat)]).tolist()
    actions = [range(treeplex.begin[i], treeplex.end[i]) for i in below]
    if prod(map(len, actions)) > MOST_PURE:
        return []
    found = []
    for chosen in product(*actions):
        behaviour = treeplex.uniform()
        for i, s in zip(below, chosen, strict=True):
            behaviour[treeplex.begin[i] : treeplex.end[i]] = 0.0
            behaviour[s] = 1.0
        found.append(behaviour)
    return found


def _equilibria(effort: Effort) -> Iterator[Instance]:
    for case in effort.choose((("kuhn_poker", 0, "nash"), ("kuhn_poker", 1, "nash"), *LEDUCS), MORE_LEDUCS):
        for count in (1, 3):
            yield of_case(case, str(count))
    for seed in effort.seeds(quick=3, full=60):
        for seat in (0, 1):
            yield of_case((f"random_game(seed={seed},depth=6,actions=3)", seat, "nash"), "2", seed)


def _value_with(instance: Instance, start: str) -> Iterator[Comparison]:
    spec, seat, _, count = parts(instance)
    if cuts(spec, seat):
        held = blueprint(spec, start)
        ways = [held.behaviour[1 - seat]]
        ways += [blueprint(spec, f"random:{k}").behaviour[1 - seat] for k in range(1, int(count))]
        found = solve_depth_limited(cuts(spec, seat), held, ways)
        value = float(equilibrium(spec).certificate.value) * (1 if seat == 1 else -1)
        yield Comparison(found.value, value, spread(spec))


LIMITED_VALUE = Theorem(
    name="depth-limit-value",
    plain=(
        "The defender held to an equilibrium below the limit, the opponent choosing among continuations of "
        "which one is that equilibrium's: the depth-limited game has the game's value."
    ),
    tex=r"v(G_{trunk}) = v(G) \text{ if } \sigma^*_{opp} \in \{\sigma^1, \ldots, \sigma^K\}",
    source=f"{SOURCE}, section 4",
    relation="==",
    instances=_equilibria,
    measure=lambda instance: _value_with(instance, "nash"),
    tolerance=1e-8,
    twin=Twin(
        "The same if it is any strategy that is held to, such as three iterations of CFR+.",
        lambda instance: _value_with(instance, "cfr+:3"),
    ),
)


def _enough(effort: Effort) -> Iterator[Instance]:
    for case in effort.choose((*LEDUCS, (SMALL_LEDUC, 0, "cfr+:3")), MORE_LEDUCS):
        yield of_case(case, "self-generated")
    for seat, seed in product((0, 1), (1, 2)):
        yield of_case(("kuhn_poker", seat, f"random:{seed}"), "all pure")
    for case, seed in cases(effort, quick=3, full=40):
        if seed:
            yield of_case(case, "all pure", seed)
            yield of_case(case, "self-generated", seed)


def _whole(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, which = parts(instance)
    if not cuts(spec, seat):
        return
    bound = least(spec, seat, start)
    if which == "self-generated":
        history = generated(spec, seat, start)
        yield Comparison(history.history[-1].value, bound, spread(spec), "value")
        yield Comparison(history.best.conceded, bound, spread(spec), "conceded")
        return
    ways = pure_continuations(spec, seat)
    if ways:
        solution = solve_depth_limited(cuts(spec, seat), blueprint(spec, start), ways)
        yield Comparison(solution.value, bound, spread(spec), "value")
        yield Comparison(solution.conceded, bound, spread(spec), "conceded")


def _one(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    if cuts(spec, seat):
        found = one(spec, seat, start).conceded
        yield Comparison(found, least(spec, seat, start), spread(spec), "conceded")


ENOUGH_CONTINUATIONS = Theorem(
    name="enough-continuations",
    plain=(
        "With all pure continuations of the opponent, or with best responses added until they gain nothing, "
        "the depth-limited solution is the best trunk above the defender's blueprint, and worth what it says."
    ),
    tex=r"v(G_{trunk}) = \min_{\sigma^{trunk}} \exp(\sigma^{trunk}, \sigma^{below})",
    source=f"{SOURCE}, Proposition 1 and section 4",
    relation="==",
    instances=_enough,
    measure=_whole,
    tolerance=1e-8,
    twin=Twin("One continuation, the opponent's blueprint, is enough, even of an equilibrium.", _one),
)


def _growing(effort: Effort) -> Iterator[Instance]:
    for case in effort.choose(
        ((TINY_LEDUC, 0, "random:1"), (SMALL_LEDUC, 0, "uniform"), *LEDUCS), MORE_LEDUCS
    ):
        yield of_case(case, "self-generated")
    for case, seed in cases(effort, quick=3, full=40):
        if seed:
            yield of_case(case, "self-generated", seed)


def _chain(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    if cuts(spec, seat):
        bound, history = least(spec, seat, start), generated(spec, seat, start).history
        values = [solution.value for solution in history]
        for k, (value, after) in enumerate(zip(values, (*values[1:], bound), strict=True), start=1):
            yield Comparison(value, after, spread(spec), f"value of {k} continuations")
            yield Comparison(bound, history[k - 1].conceded, spread(spec), f"conceded with {k}")


def _falling(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, _ = parts(instance)
    if cuts(spec, seat):
        found = [solution.conceded for solution in generated(spec, seat, start).history]
        for k, (before, after) in enumerate(pairwise(found), start=1):
            yield Comparison(after, before, spread(spec), f"conceded with {k + 1}")


MORE_CONTINUATIONS = Theorem(
    name="more-continuations",
    plain=(
        "With more continuations the depth-limited game is worth no less to the opponent, never more than "
        "the best trunk concedes, and no solution concedes less than that."
    ),
    tex=r"v_K \le v_{K+1} \le \min_{\sigma^{trunk}} \exp \le \exp(\sigma_K)",
    source=f"{SOURCE}; derived",
    relation="<=",
    instances=_growing,
    measure=_chain,
    tolerance=1e-8,
    equality="At the last round, where best responses gain nothing.",
    twin=Twin("With each continuation more the solution concedes no more than before.", _falling),
)

THEOREMS = (LIMITED_VALUE, ENOUGH_CONTINUATIONS, MORE_CONTINUATIONS)
