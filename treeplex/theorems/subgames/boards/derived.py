"""Gadgets on boards: statements on their values and on what composed strategies concede, derived."""

from collections.abc import Callable, Iterator, Sequence

from treeplex.gadgets.boards.proof import prove, reach_unit
from treeplex.gadgets.boards.subgame import BoardSubgame
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.subgames.boards.program import solve_by_program
from treeplex.subgames.boards.solve import BoardSolution
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import spread
from treeplex.theorems.subgames.boards.pieces import (
    all_names,
    as_profile,
    blueprint,
    board_subgames,
    enumerated_subgame,
    places_in,
)
from treeplex.theorems.subgames.boards.solved import GADGETS, composed, conceded, errors, pieces, solutions
from treeplex.theorems.subgames.solved.bounds import subgame_errors
from treeplex.theorems.subgames.solved.instances import Case, of_case, parts
from treeplex.theorems.subgames.solved.measures import given
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

LEDUC = "leduc_poker(raises=1,suits_visible=true)"
BIG_LEDUC = "leduc_poker(raises=1,bets=[8,8],suits_visible=true)"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5,stack=4,bets=[0.5])'
RIVER = 'small_holdem(bets=[0.5,"a"],raises=["a"])'
SUITED = 'small_holdem(board="As Ks Qs Js",ranks=5,suits=3)'
WHOLE = "turn_holdem(ranks=4,suits=2,raises=[1,1,1])"
NAMED: tuple[Case, ...] = ((LEDUC, 0, "cfr+:5"), (RIVER, 1, "cfr+:3"))
MORE: tuple[Case, ...] = (
    (LEDUC, 1, "uniform"),
    (RIVER, 0, "random:1"),
    (TURN, 0, "cfr+:30"),
    (TURN, 1, "random:1"),
)
ENUMERATED = (LEDUC, TURN, RIVER, BIG_LEDUC)
"""Games small enough to be enumerated, by turns."""
MANY_BOARDS: tuple[Case, ...] = ((WHOLE, 0, "random:1"), (WHOLE, 1, "cfr+:3"))
"""Cases of a full run, of more streets."""


def _cases(effort: Effort, games: Sequence[str], *, quick: int, full: int) -> Iterator[tuple[Case, int]]:
    """Yield named cases, and random blueprints of the games by turns, both seats by turns."""
    for case in effort.choose(NAMED, MORE):
        yield case, 0
    for seed in effort.seeds(quick=quick, full=full):
        yield (games[seed % len(games)], seed // len(games) % 2, f"random:{seed}"), seed


def _instances(
    what: Sequence[str], games: Sequence[str] = ENUMERATED, *, quick: int, full: int
) -> Callable[[Effort], Iterator[Instance]]:
    def made(effort: Effort) -> Iterator[Instance]:
        for case, seed in _cases(effort, games, quick=quick, full=full):
            yield from (of_case(case, one, seed) for one in what)

    return made


def _at_tops(of: Callable[[Subgame], Sequence[float]]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure that holds the judge's value at each top against one of the enumerated game."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, _ = parts(instance)
        for piece in board_subgames(spec, seat, start):
            same = enumerated_subgame(spec, seat, start, piece.name)
            values = of(same)
            for t, k in enumerate(places_in(piece, same).tolist()):
                if piece.live[t]:
                    at = f"{piece.tops[t]} in {piece.name}"
                    yield Comparison(float(piece.cbv[t]), float(values[k]), spread(spec), at)

    return measure


BOARD_VALUES = Theorem(
    name="board-values",
    plain="What the judge records for a hand at a public state, on betting times boards, is the hand's "
    "counterfactual best-response value in the enumerated game.",
    tex=r"V_h / w_h = CBV^{\sigma}(h)",
    source="derived",
    relation="==",
    instances=_instances(("values",), quick=4, full=50),
    measure=_at_tops(lambda same: same.cbv.tolist()),
    twin=Twin(
        "It is what the hand gets if both play the blueprint.",
        _at_tops(lambda same: same.normalised(same.blueprint_value).tolist()),
    ),
)

WAYS = ("unsafe", "resolve", "maxmargin", "reach-resolve", "reach-maxmargin", "distributional")


def _enumerated_value(name: str, same: Subgame) -> float:
    """Return the value of an enumerated gadget's game to the opponent, per unit of reach."""
    gadget = GADGETS[name]
    value = float(solve_lp(gadget.apply(same)).certificate.value)
    root = gadget.root(same)
    return (value if same.cut.opponent == 0 else -value) / reach_unit(same, root)


def _program_value(name: str, piece: BoardSubgame) -> float:
    """Return the value that the judge proves of a solution by linear programs, per unit of reach."""
    found = solve_by_program(piece, GADGETS[name])
    return (found.proof.lower + found.proof.upper) / 2 / reach_unit(piece, found.root)


def _three_ways(instance: Instance) -> Iterator[Comparison]:
    """Yield the program's value beside the enumerated game's, for each subgame that is entered."""
    spec, seat, start, name = parts(instance)
    for piece in pieces(spec, seat, start, name):
        same = enumerated_subgame(spec, seat, start, piece.name)
        value = _program_value(name, piece)
        yield Comparison(value, _enumerated_value(name, same), spread(spec), piece.name)


def _own_play(instance: Instance) -> Iterator[Comparison]:
    """Yield the same where the program's hands all enter by chance and the blueprint, as for unsafe."""
    spec, seat, start, name = parts(instance)
    for piece in pieces(spec, seat, start, "unsafe"):
        same = enumerated_subgame(spec, seat, start, piece.name)
        value = _program_value("unsafe", piece)
        yield Comparison(value, _enumerated_value(name, same), spread(spec), piece.name)


BOARD_PROGRAMS = Theorem(
    name="board-programs",
    plain="A gadget's game with all hands as one linear program of running sums, judged on boards, is worth "
    "what the gadget's game of the enumerated subgame is worth, per unit of reach.",
    tex=r"v(\text{gadget on boards}) / W = v(\text{gadget enumerated}) / W'",
    source="derived",
    relation="==",
    instances=_instances(WAYS, quick=0, full=10),
    measure=_three_ways,
    tolerance=1e-7,
    twin=Twin("It is worth what unsafe solving is worth.", _own_play),
)


def _interval(solution: BoardSolution, value: float, scale: float) -> Iterator[Comparison]:
    """Yield both ends of what was proved of a gadget's game, per unit of reach, beside its value."""
    unit, name = reach_unit(solution.subgame, solution.root), solution.subgame.name
    yield Comparison(solution.proof.lower / unit, value, scale, f"{name}, from below")
    yield Comparison(value, solution.proof.upper / unit, scale, f"{name}, from above")


def _intervals(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, choice = parts(instance)
    for solution in solutions(spec, seat, start, choice):
        same = enumerated_subgame(spec, seat, start, solution.subgame.name)
        value = _enumerated_value(choice.partition(":")[0], same)
        yield from _interval(solution, value, spread(spec))


def _without_root(instance: Instance) -> Iterator[Comparison]:
    """Yield the same where the opponent's hands are dealt by chance, and the gadget's root is left out."""
    spec, seat, start, choice = parts(instance)
    for solution in solutions(spec, seat, start, choice):
        piece = solution.subgame
        dealt = RootDecisions.fixed(solution.root.most_weight)
        proof = prove(piece, dealt, dealt.header.uniform(), solution.strategy)
        same = enumerated_subgame(spec, seat, start, piece.name)
        unit, value = reach_unit(piece, dealt), _enumerated_value(choice.partition(":")[0], same)
        yield Comparison(value, proof.upper / unit, spread(spec), piece.name)


BOARD_INTERVALS = Theorem(
    name="board-intervals",
    plain="However few the iterations of a regret minimiser on betting times boards, the judge's interval "
    "holds the value of the gadget's game, which linear programs find in the enumerated subgame.",
    tex=r"\underline{v} \le v(\text{gadget}) \le \overline{v}",
    source="derived",
    relation="<=",
    instances=_instances([f"{name}:{n}" for name in WAYS for n in (2, 30)], quick=0, full=10),
    measure=_intervals,
    equality="Where the opponent does best to stay out everywhere, from below.",
    twin=Twin("It does if the opponent's choices before the subgame are left out.", _without_root),
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
    instances=_instances(("maxmargin:3", "unsafe:30"), quick=4, full=40),
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
    yield from _instances(methods, (*ENUMERATED, SUITED), quick=2, full=50)(effort)
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
    instances=_instances(
        ("reach-resolve:30", "reach-maxmargin:30", "half-reach-maxmargin:3"), quick=2, full=50
    ),
    measure=_safe(sum),
    twin=Twin("The same with three times the gifts of all actions.", _safe(sum), _gifts_thrice),
)

THEOREMS = (BOARD_VALUES, BOARD_PROGRAMS, BOARD_INTERVALS, BOARD_ERRORS, BOARD_SAFETY, BOARD_REACH_SAFETY)
