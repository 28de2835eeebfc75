"""Both sides of what several sources say of methods: that a strategy is safe, and each of its tops."""

from collections.abc import Iterator

from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import entered_tops
from treeplex.bench.theorems.solved_instances import parts
from treeplex.bench.theorems.solved_subgames import blueprint, composed_value, conceded, solutions
from treeplex.bench.theorems.theorem import Comparison, Instance
from treeplex.gadgets.alternatives import BlueprintAlternatives
from treeplex.gadgets.subgame_solvers import SubgameSolution
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame


def safe(instance: Instance) -> Iterator[Comparison]:
    """Yield what is conceded after and before, and minus each top's gain and 0, for the instance's method."""
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    if chosen:
        yield whole(spec, start, chosen)
        for top in entered_tops(chosen):
            yield Comparison(-top.gained, 0.0, spread(spec), top.at)


def unsafe(instance: Instance) -> Iterator[Comparison]:
    """Yield what is conceded after and before, for the instance's method."""
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    if chosen:
        yield whole(spec, start, chosen)


def whole(spec: str, start: str, chosen: tuple[SubgameSolution, ...]) -> Comparison:
    """Return what a best response wins against the composed strategy, and against the blueprint."""
    before = blueprint(spec, start)
    after = composed_value(before, chosen)
    return Comparison(after, conceded(chosen[0].subgame.cut, before), spread(spec), "the whole game")


def given(piece: Subgame, behaviour: Floats) -> SubgameSolution:
    """Return a behaviour (S,) of the defender as if it were a subgame's solution, no gifts."""
    alternatives = BlueprintAlternatives().of(piece)
    return SubgameSolution(piece, "given", behaviour, alternatives, None, None, "")
