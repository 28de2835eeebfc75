"""Gadgets on betting times boards: values of their games in several ways, and iterations; derived."""

from collections.abc import Callable, Iterator

from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import parts
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_subgames.board_cases import instances
from treeplex.bench.theorems_on_subgames.board_pieces import enumerated_subgame
from treeplex.bench.theorems_on_subgames.solved_on_boards import GADGETS, pieces, solutions
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import variant_named
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.gadgets.boards.gadget_program import GadgetProgram
from treeplex.gadgets.boards.gadget_proof import GadgetProof, prove, reach_unit
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import RootDecisions
from treeplex.subgames.program_on_boards import solve_by_program
from treeplex.subgames.solve_on_boards import BoardSolution

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
    instances=instances(WAYS, quick=0, full=10),
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
    instances=instances([f"{name}:{n}" for name in WAYS for n in (2, 30)], quick=0, full=10),
    measure=_intervals,
    equality="Where the opponent does best to stay out everywhere, from below.",
    twin=Twin("It does if the opponent's choices before the subgame are left out.", _without_root),
)


def _iterations(more: int) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of averages on boards, beside those ``more`` iterations later in sequence form."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, choice = parts(instance)
        method, name, count = choice.split(":")
        variant = variant_named(name, counted="before")
        for piece in pieces(spec, seat, start, method):
            program = GadgetProgram.of(piece, GADGETS[method].root(piece), method)
            form = program.form
            found = certify(form, average(full_width.prepare(form, variant), int(count) + more))
            ends = found.lower, found.upper
            lower, upper = ends if piece.opponent == 0 else (-ends[1], -ends[0])
            proof = _after(piece, program.root, FactoredConfig(variant), int(count))
            yield Comparison(proof.lower / program.unit, lower, spread(spec), f"{piece.name}, guaranteed")
            yield Comparison(proof.upper / program.unit, upper, spread(spec), f"{piece.name}, conceded")

    return measure


def _after(piece: BoardSubgame, root: RootDecisions, config: FactoredConfig, count: int) -> GadgetProof:
    """Return what the averages of some iterations on boards prove."""
    own = RootDecisions.fixed(piece.comes)
    roots = (own, root) if piece.defender == 0 else (root, own)
    engine = factored_cfr.prepare(piece.subtree.tree, config, roots=roots)
    state = iterate(engine, count)
    plan = root.header.plan(engine.root_behaviour(state, piece.opponent))
    return prove(piece, root, plan, engine.strategy(state))


BOARD_ITERATIONS = Theorem(
    name="board-iterations",
    plain="An iteration on betting times boards with the opponent's root decisions, regrets kept to 24 bits, "
    "is that on the gadget's game in sequence form.",
    tex=r"\bar\sigma_{\text{boards}}^T = \bar\sigma_{\text{sequences}}^T",
    source="derived",
    relation="==",
    instances=instances([f"{method}:dcfr:8" for method in WAYS], quick=0, full=10),
    measure=_iterations(0),
    tolerance=1e-5,
    twin=Twin("It is that on the gadget's game one iteration later.", _iterations(1)),
)

THEOREMS = (BOARD_PROGRAMS, BOARD_INTERVALS, BOARD_ITERATIONS)
