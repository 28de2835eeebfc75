"""Subgames solved again on betting times boards: errors, and what composed strategies concede; derived."""

from collections.abc import Callable, Iterator

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import subgame_errors
from treeplex.bench.theorems.solved_instances import of_case, parts
from treeplex.bench.theorems.solved_measures import given
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_subgames.board_cases import (
    ENUMERATED,
    LEDUC,
    MANY_BOARDS,
    RIVER,
    SUITED,
    TURN,
    instances,
)
from treeplex.bench.theorems_on_subgames.board_pieces import (
    all_names,
    as_profile,
    blueprint,
    enumerated_subgame,
)
from treeplex.bench.theorems_on_subgames.solved_on_boards import (
    composed,
    conceded,
    errors,
    solutions,
)


def _at_all_boards(instance: Instance) -> tuple[list[float], float]:
    """Return subgames' errors on boards, and those of all enumerated subgames together."""
    spec, seat, start, choice = parts(instance)
    chosen = solutions(spec, seat, start, choice)
    behaviour = as_profile(spec, composed(spec, start, chosen)).behaviour[seat]
    every = (enumerated_subgame(spec, seat, start, name) for name in all_names(spec, seat))
    found = subgame_errors([given(same, behaviour) for same in every])
    return errors(spec, chosen), sum(found)


def _errors(of: Callable[[list[float]], float]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of errors on boards put together, beside those in the enumerated game."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        found, every = _at_all_boards(instance)
        yield Comparison(of(found), every, spread(instance.game))

    return measure


BOARD_ERRORS = Theorem(
    name="board-errors",
    plain="The errors that the judge finds on betting times boards, a board for all that suits alone tell "
    "apart, add up to what the opponent gains at all tops of the enumerated game.",
    tex=r"\sum_S \mathrm{err}_S = \sum_t \max(0,\, V'_t - w_t\, CBV^{\sigma}(t))",
    source="derived",
    relation="==",
    instances=instances(("maxmargin:3", "unsafe:30"), quick=4, full=40),
    measure=_errors(sum),
    twin=Twin("They do so with the largest of one subgame alone.", _errors(max)),
)


def _safe(of: Callable[[list[float]], float]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of what is conceded after, beside that before and errors put together."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, choice = parts(instance)
        chosen = solutions(spec, seat, start, choice)
        if chosen:
            before = conceded(spec, seat, blueprint(spec, start))
            after = conceded(spec, seat, composed(spec, start, chosen))
            yield Comparison(after, before + of(errors(spec, chosen)), spread(spec))

    return measure


def _none(found: list[float]) -> float:
    return 0.0


def _near_equilibrium(effort: Effort) -> Iterator[Instance]:
    for case in effort.choose(((LEDUC, 1, "cfr+:200"), (TURN, 0, "cfr+:200")), ((RIVER, 0, "cfr+:200"),)):
        yield of_case(case, "unsafe:200")


def _to_be_safe(effort: Effort) -> Iterator[Instance]:
    methods = "resolve:3", "maxmargin:3", "resolve:100", "maxmargin:100"
    yield from instances(methods, (*ENUMERATED, SUITED), quick=2, full=50)(effort)
    for case in effort.choose((), MANY_BOARDS):
        yield from (of_case(case, one) for one in methods[:2])


BOARD_SAFETY = Theorem(
    name="board-safety",
    plain="All subgames solved again by Resolve or Maxmargin with all hands, however roughly: the composed "
    "strategy concedes no more than the blueprint and what hands get beyond their alternative values.",
    tex=r"\exp(\sigma') \le \exp(\sigma) + \sum_S \sum_h \max(0,\, V'_h - w_h\, a_h)",
    source="Burch, Johanson and Bowling 2014; Moravcik et al. 2016; the form with errors derived",
    relation="<=",
    instances=_to_be_safe,
    measure=_safe(sum),
    twin=Twin(
        "Unsafe solving concedes no more than a blueprint near the equilibrium.",
        _safe(_none),
        _near_equilibrium,
    ),
)


def _gifts_thrice(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 1, "cfr+:3"), "triple-reach-maxmargin:100")
    yield of_case((RIVER, 1, "cfr+:3"), "triple-reach-resolve:100")


BOARD_REACH_SAFETY = Theorem(
    name="board-reach-safety",
    plain="The same with lower-bound gifts added to alternative values, at a scale of at most 1: those of "
    "all subgames can be spent together.",
    tex=r"\exp(\sigma') \le \exp(\sigma) + \sum_S \sum_h \max(0,\, V'_h - w_h (a_h + \lfloor g_h \rfloor))",
    source="Brown and Sandholm 2017, section 5 and Theorem 1; the form with errors derived",
    relation="<=",
    instances=instances(
        ("reach-resolve:30", "reach-maxmargin:30", "half-reach-maxmargin:3"), quick=2, full=50
    ),
    measure=_safe(sum),
    twin=Twin("The same with three times the gifts of all actions.", _safe(sum), _gifts_thrice),
)

THEOREMS = (BOARD_ERRORS, BOARD_SAFETY, BOARD_REACH_SAFETY)
