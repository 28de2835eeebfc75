"""Every engine called from Python: digests of its strategies, and the certificates that it earns.

Each function imports what it needs by itself, so that an interface that changes stops its own cases alone.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from benchmarks.baseline.commands import (
    FULL_MENU,
    LOCKED,
    RIVER,
    SMALL_FLOP,
    SMALL_LEDUC,
    SMALL_MENU,
    SMALL_RHODE,
    TURN,
)
from benchmarks.baseline.records import digest, numbers, text_digest

Record = dict[str, Any]
VARIANTS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr", "hedge", "cfr-br")
SCHEMES = ("external", "outcome", "chance", "average", "pruned")
GOOFSPIEL, LEDUC = "goofspiel(cards=4)", "leduc_poker"


def engines() -> dict[str, Callable[[], Record]]:
    """Return what computes each case by its name."""
    return {f"engine/{name}": compute for name, compute in _table()}


def _table() -> Iterator[tuple[str, Callable[[], Record]]]:
    for variant in VARIANTS:
        yield f"tree/leduc/{variant}", partial(learned, LEDUC, "tree", variant, 200)
        yield f"tree/goofspiel/{variant}", partial(learned, GOOFSPIEL, "tree", variant, 100)
        yield f"public/leduc/{variant}", partial(learned, LEDUC, "public", variant, 100)
        yield f"public/river/{variant}", partial(learned, RIVER, "public", variant, 20)
        yield f"warm/leduc/{variant}", partial(warm, LEDUC, variant)
    for form in ("tree", "public"):
        yield f"{form}/leduc/seen", partial(learned, LEDUC, form, "cfr+", 50, counted="seen")
        yield f"{form}/leduc/simultaneous", partial(learned, LEDUC, form, "cfr", 50, order="simultaneous")
        yield f"{form}/leduc/last", partial(learned, LEDUC, form, "cfr+", 50, average="last")
        yield f"{form}/flop_holdem/dcfr", partial(learned, SMALL_FLOP, form, "dcfr", 50)
    yield "tree/locked_river/dcfr", partial(learned, LOCKED, "tree", "dcfr", 50)
    for spec in (LEDUC, GOOFSPIEL):
        yield f"cfr-d/{spec}", partial(learned, spec, "tree", "cfr-d", 6)
        for scheme in SCHEMES:
            yield f"mccfr/{spec}/{scheme}", partial(learned, spec, "tree", f"mccfr-{scheme}", 2000)
    for average in ("linear", "quadratic"):
        yield (
            f"mccfr/leduc/{average}",
            partial(learned, LEDUC, "tree", "mccfr-external", 2000, average=average),
        )
    yield "mccfr/leduc/streams", partial(learned, LEDUC, "tree", "mccfr-external", 2000, streams=3)
    for spec in (LEDUC, SMALL_FLOP, RIVER):
        yield f"public-chance/{spec}", partial(learned, spec, "public", "mccfr-public", 200)
    for method in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr"):
        for storage in ("float32", "int16"):
            yield (
                f"boards/leduc/{method}/{storage}",
                partial(boards, SMALL_LEDUC, method, 30, storage=storage),
            )
    yield "boards/leduc/unreduced", partial(boards, SMALL_LEDUC, "dcfr", 30, isomorphism=False)
    yield "boards/rhode_island/threads", partial(boards, SMALL_RHODE, "pcfr+", 30, threads=3)
    yield "boards/flop_holdem/threads", partial(boards, SMALL_FLOP, "dcfr", 30, threads=3)
    yield "boards/turn/pcfr+", partial(boards, TURN, "pcfr+", 2, storage="int16", threads=2)
    yield "table/liars_dice", partial(table_of_rules, "liars_dice(faces=3)", 300)
    yield "table/leduc/rules", partial(table_of_rules, LEDUC, 300)
    yield "table/leduc/poker", partial(table_of_poker, LEDUC, 5000)
    yield "table/limit_holdem/poker", partial(table_of_poker, "limit_holdem", 200)
    for spec in (LEDUC, GOOFSPIEL, "liars_dice(faces=3)", "battleship", "small_holdem", SMALL_FLOP):
        for exact in (False, True):
            yield f"lp/{spec}{'/exact' if exact else ''}", partial(program, spec, exact=exact)
    for spec in ("kuhn_poker", "coin_toss", SMALL_LEDUC):
        yield f"quasi-perfect/{spec}", partial(refined, spec)
    yield "off-tree/no_limit_leduc", off_tree
    yield "depth-limited/leduc", depth_limited


@cache
def _problem(spec: str) -> Any:
    from treeplex.core.loading import load

    return load(spec)


def _kept(spec: str, profile: Any) -> Record:
    """Return digests of both behaviours of a profile, and its certificate."""
    from treeplex.seqform.certify.certificate import certify

    first, second = profile.behaviour
    certificate = certify(_problem(spec).form, profile)
    return {"player0": digest([first]), "player1": digest([second]), "certificate": numbers(certificate)}


def learned(spec: str, form: str, method: str, iterations: int, **options: object) -> Record:
    """Run a regret minimiser on one form of a game."""
    from treeplex.solving.methods import engine_of

    return _kept(spec, _in_two_parts(engine_of(_problem(spec), method, form, options), iterations))


def _in_two_parts(engine: Any, iterations: int) -> Any:
    """Return an engine's strategy, a third of the iterations done by themselves."""
    from treeplex.cfr.engine import iterate

    first = max(iterations // 3, 1)
    return engine.strategy(iterate(engine, iterations - first, iterate(engine, first)))


def warm(spec: str, variant: str) -> Record:
    """Go on from a profile of CFR."""
    from treeplex.cfr.engine import average
    from treeplex.cfr.sequences import full_width, warm_start
    from treeplex.cfr.variant import VARIANTS as NAMED

    form = _problem(spec).form
    given = average(full_width.prepare(form, NAMED["cfr"]), 30)
    config = warm_start.WarmStart(NAMED[variant], given, 100)
    return _kept(spec, average(warm_start.prepare(form, config), 30))


def boards(spec: str, method: str, iterations: int, **options: object) -> Record:
    """Run the engine on betting times boards."""
    from treeplex.seqform.certify.board_certificate import certify_factored
    from treeplex.solving.methods import engine_of

    problem = _problem(spec)
    strategy = _in_two_parts(engine_of(problem, method, "boards", options), iterations)
    first, second = strategy.weight
    certificate = certify_factored(problem.game, strategy)
    return {"player0": digest([first]), "player1": digest([second]), "certificate": numbers(certificate)}


def table_of_rules(spec: str, iterations: int) -> Record:
    """Run Monte Carlo CFR on the rules of any game."""
    from treeplex.cfr.sampling.table_sampling import prepare

    return _tables(prepare, spec, ("external", "outcome", "chance"), iterations)


def table_of_poker(spec: str, iterations: int) -> Record:
    """Run Monte Carlo CFR on a poker game that is not enumerated."""
    from treeplex.cfr.sampling.poker_sampling import prepare

    return _tables(prepare, spec, ("external", "outcome"), iterations)


def _tables(prepare: Callable[..., Any], spec: str, schemes: tuple[Any, ...], iterations: int) -> Record:
    """Return a digest of every infoset's strategy, sorted by infosets, for each way to sample."""
    from treeplex.cfr.engine import average
    from treeplex.cfr.sampling.sampling_config import Sampling
    from treeplex.games.formats.specs import load_game

    game = load_game(spec)
    runs = {s: average(prepare(game, Sampling(s, seed=1)), iterations) for s in schemes}
    return {scheme: _rows(run) for scheme, run in runs.items()}


def _rows(run: Any) -> str:
    rows = (f"{p} {key} {sorted(row.items())}" for p in (0, 1) for key, row in run.items(p))
    return text_digest("\n".join(sorted(rows)))


def program(spec: str, *, exact: bool) -> Record:
    """Solve a linear program."""
    import treeplex

    result = treeplex.solve(_problem(spec), "lp", exact=exact)
    kept = {"exact_value": str(result.exact_value), "reported": numbers(result.certificate)}
    return {**_kept(spec, result.profile), **kept}


def refined(spec: str) -> Record:
    """Find a quasi-perfect equilibrium."""
    from treeplex.seqform.programs.quasi_perfect import quasi_perfect

    found = quasi_perfect(_problem(spec).enumerated.form)
    first, second = found.profile.behaviour
    kept = {"value": text_digest(str(found.value)), "certificate": numbers(found.certificate)}
    return {"player0": digest([first]), "player1": digest([second]), **kept}


def off_tree() -> Record:
    """Answer bets that an abstraction lacks: by translation and by nested solving."""
    from treeplex.subgames.off_tree import compare_off_tree

    return {row.method: list(row.exploitability) for row in compare_off_tree(FULL_MENU, SMALL_MENU)}


def depth_limited() -> Record:
    """Solve above the second round, the opponent's continuations found one by one."""
    from treeplex.cfr.engine import average
    from treeplex.cfr.sequences.full_width import prepare
    from treeplex.cfr.variant import VARIANTS as NAMED
    from treeplex.gadgets.off_tree.depth_limited import self_generate
    from treeplex.subgames.inputs import cuts_of

    problem = _problem(LEDUC)
    enumerated = problem.enumerated
    blueprint = average(prepare(enumerated.form, NAMED["cfr+"]), 20)
    kept: Record = {}
    for defender in (0, 1):
        found = self_generate(cuts_of(problem.game, enumerated, defender), blueprint, rounds=5)
        for i, solved in enumerate(found.history):
            kept[f"defender{defender}/round{i}"] = {
                "behaviour": digest([solved.behaviour]),
                "value": float(solved.value),
                "conceded": float(solved.conceded),
            }
    return kept
