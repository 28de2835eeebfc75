"""Kubíček, Lisý and Sandholm 2026: which equilibrium of a gadget's game is played."""

from collections.abc import Iterator

from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import spread
from treeplex.theorems.subgames.solved.by_name import blueprint, composed_value, solutions
from treeplex.theorems.subgames.solved.instances import instances, of_case, parts
from treeplex.theorems.subgames.solved.measures import safe
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

REFINED = "quasi-perfect-"


def _refined(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 0, "uniform"), f"{REFINED}resolve")
    yield from instances(effort, (f"{REFINED}resolve", f"{REFINED}maxmargin"), quick=2, full=20)


def _any_as_good(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, method = parts(instance)
    refined = solutions(spec, seat, start, method)
    if refined:
        plain = solutions(spec, seat, start, method.removeprefix(REFINED))
        before = blueprint(spec, start)
        yield Comparison(composed_value(before, plain), composed_value(before, refined), spread(spec))


REFINED_SAFETY = Theorem(
    name="refined-safety",
    plain="A quasi-perfect equilibrium of the game of Resolve or Maxmargin is as safe as any.",
    tex=r"\exp(\sigma'_{qp}) \le \exp(\sigma)",
    source="after Kubíček, Lisý and Sandholm 2026; derived for quasi-perfect equilibria",
    relation="<=",
    instances=_refined,
    measure=safe,
    tolerance=1e-8,
    equality="At tops whose constraint binds.",
    twin=Twin(
        "Every equilibrium of a gadget's game concedes no more than the refined one: which is played is "
        "indifferent.",
        _any_as_good,
    ),
)

THEOREMS = (REFINED_SAFETY,)
