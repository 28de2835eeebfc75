"""Moravcik et al. 2016: the gadget Maxmargin and its margins; the gadgets as games and as programs."""

from collections.abc import Callable, Iterator

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import Entered, entered_tops, margins_of
from treeplex.bench.theorems.solved_instances import instances, of_case, parts
from treeplex.bench.theorems.solved_measures import safe, unsafe
from treeplex.bench.theorems.solved_subgames import SOLVERS, blueprint, solutions
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.forms.treeplex import Floats

SOURCE = "Moravcik et al. 2016"
ALWAYS_PLAYS_HEADS = "guess:1/2,1/2,0:1,0"
"""A blueprint of Coin Toss in which player 0 plays heads, sells tails."""


def _responses(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 1, "cfr+:30"), "response-maxmargin")
    yield from instances(effort, ("response-maxmargin",), quick=2, full=20)


MAXMARGIN_SAFETY = Theorem(
    name="maxmargin-safety",
    plain=(
        "Subgames solved again by Maxmargin, each by itself, have no negative margin, and the composed "
        "strategy concedes no more than the blueprint."
    ),
    tex=r"\min_t CBV^{\sigma}(t) - V'_t / w_t \ge 0, \qquad \exp(\sigma') \le \exp(\sigma)",
    source=f"{SOURCE}, Theorem 1; Brown and Sandholm 2017, section 4.2 and appendix A",
    relation="<=",
    instances=lambda effort: instances(effort, ("maxmargin", "lexicographic"), quick=4, full=75),
    measure=safe,
    equality="From an equilibrium, and at tops where nothing can be gained.",
    twin=Twin(
        "The same with values of a best response that plays anyhow at infosets it avoids, in place of "
        "counterfactual best-response values.",
        unsafe,
        _responses,
    ),
)


def _avoided(method: str) -> Callable[[Effort], Iterator[Instance]]:
    def made(effort: Effort) -> Iterator[Instance]:
        yield of_case(("coin_toss", 1, ALWAYS_PLAYS_HEADS), method)
        yield of_case(("kuhn_poker(ranks=4)", 1, "nash"), method)
        for seed in effort.seeds(quick=4, full=60):
            for seat in (0, 1):
                game = f"random_game(seed={seed},depth=6,actions=3)"
                yield of_case((game, seat, f"pure:{seed}"), method, seed)

    return made


AVOIDED_TOPS = Theorem(
    name="avoided-tops",
    plain=(
        "Maxmargin is safe against opponents who come where their blueprint never does: tops count if "
        "chance and the defender reach them."
    ),
    tex=r"\exp(\sigma') \le \exp(\sigma) \text{ where } \pi_{opp}^{\sigma}(t) = 0 \text{ for some } t",
    source=f"{SOURCE}; derived",
    relation="<=",
    instances=_avoided("maxmargin"),
    measure=safe,
    equality="Where the blueprint cannot be improved at some top.",
    twin=Twin(
        "The same if Maxmargin ignores the tops that the opponent's blueprint never reaches.",
        unsafe,
        _avoided("met-maxmargin"),
    ),
)


def _improvement(of: Callable[[Entered], bool]) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, method = parts(instance)
        for solution in solutions(spec, seat, start, method):
            for top in entered_tops((solution,)):
                if of(top):
                    yield Comparison(top.composed, top.without - top.gained, spread(spec), top.at)

    return measure


MARGIN_IMPROVES = Theorem(
    name="margin-improves",
    plain=(
        "One subgame solved again by Maxmargin: where a best response to the new strategy enters, the new "
        "strategy concedes less than the blueprint by reach times margin at least."
    ),
    tex=r"\exp(\sigma') \le \exp(\sigma) - w_t \,(CBV^{\sigma}(t) - V'_t / w_t)",
    source=f"{SOURCE}, Theorem 1; Brown and Sandholm 2017, section 4.2 and appendix A",
    relation="<=",
    instances=lambda effort: instances(effort, ("maxmargin", "lexicographic"), quick=3, full=50),
    measure=_improvement(lambda top: top.taken),
    equality="Coin Toss, and wherever a best response to the blueprint enters at that top too.",
    twin=Twin(
        "The same at every top, whether or not a best response enters.", _improvement(lambda top: True)
    ),
)


RIVALS = ("resolve", "lexicographic", "unsafe", "random:1", "uniform", "blueprint")
"""What Maxmargin is held against: methods, strategies, and the blueprint itself."""


def _inside(instance: Instance) -> Iterator[tuple[str, Floats, Floats]]:
    """Yield each subgame's name, and its margins by the instance's choice and by Maxmargin."""
    spec, seat, start, choice = parts(instance)
    best = solutions(spec, seat, start, "maxmargin")
    rivals = solutions(spec, seat, start, choice) if choice in SOLVERS else None
    for k, solution in enumerate(best):
        if not solution.subgame.live.any():
            continue
        if rivals is not None:
            played = rivals[k].behaviour
        else:
            played = blueprint(spec, start if choice == "blueprint" else choice).behaviour[seat]
            played = np.where(solution.subgame.cut.inside, played, solution.subgame.blueprint.behaviour[seat])
        piece = solution.subgame
        yield piece.cut.name, margins_of(piece, played), margins_of(piece, solution.behaviour)


def _smallest(instance: Instance) -> Iterator[Comparison]:
    for name, rival, best in _inside(instance):
        yield Comparison(float(rival.min()), float(best.min()), spread(instance.game), name)


def _each(instance: Instance) -> Iterator[Comparison]:
    for name, rival, best in _inside(instance):
        for r, b in zip(rival.tolist(), best.tolist(), strict=True):
            yield Comparison(r, b, spread(instance.game), name)


LARGEST_MARGIN = Theorem(
    name="largest-margin",
    plain="No strategy inside a subgame has a larger smallest margin than Maxmargin's.",
    tex=r"\min_t M^{\sigma}(t) \le \min_t M^{maxmargin}(t)",
    source=f"{SOURCE}, section 4",
    relation="<=",
    instances=lambda effort: instances(effort, RIVALS, quick=2, full=20),
    measure=_smallest,
    equality="Lexicographic margins; every strategy that is optimal too.",
    twin=Twin("No strategy has a larger margin than Maxmargin's at any top.", _each),
)


THEOREMS = (MAXMARGIN_SAFETY, AVOIDED_TOPS, MARGIN_IMPROVES, LARGEST_MARGIN)
