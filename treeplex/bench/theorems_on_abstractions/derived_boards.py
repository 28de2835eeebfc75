"""Hands in buckets on betting times boards: iterations in another form, the price by CFR-BR; derived."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import KEPT, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_abstractions.on_boards import BucketedGame, bucketed_game
from treeplex.bench.theorems_on_games.partition import Partition, merged_form
from treeplex.bench.theorems_on_learning.learning_runs import AVERAGES, run_name
from treeplex.cfr.boards import bucket_br, bucket_cfr
from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.boards.bucket_gains import guarantee_bounds
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import variant_named
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.programs.lp_solution import solve_lp

SEPARATOR = "; "
"""Stands between buckets and a run."""
LEDUC = "leduc_poker(suits_visible=true)"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=4,suits=3)'
BUCKETS = ((LEDUC, "2,2"), (TURN, "2,6"))
MORE_BUCKETS = ((LEDUC, "1,1"), (LEDUC, "3,6"), (TURN, "3,3"), ("kuhn_poker(ranks=5)", "3"))


def _game(instance: Instance) -> tuple[BucketedGame, str]:
    """Return the game in buckets, and the name of the run."""
    moduli, run = instance.choice.split(SEPARATOR)
    return bucketed_game(instance.game, tuple(map(int, moduli.split(",")))), run


def _runs(effort: Effort) -> Iterator[Instance]:
    for spec, moduli in effort.choose(BUCKETS, MORE_BUCKETS):
        for k, name in enumerate(effort.choose(("cfr+",), ("cfr", "dcfr"))):
            run = run_name(name, "alternating", AVERAGES[k % 3], 8)
            yield Instance(spec, choice=f"{moduli}{SEPARATOR}{run}")


def _iterations(more: int) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of averages on boards, and of those ``more`` iterations later on the merged form.

    What they guarantee and concede in the game is compared.
    """

    def measure(instance: Instance) -> Iterator[Comparison]:
        bucketed, run = _game(instance)
        name, order, weights, count = run.split()
        variant = variant_named(name, average=weights, counted="before", order=order)
        engine = bucket_cfr.prepare(bucketed.tree, FactoredConfig(variant))
        game, unit = bucketed.tree.tree.game, spread(instance.game)
        found = certify_factored(game, average(engine, int(count)).expanded())
        merged = merged_form(bucketed.form, bucketed.partitions)
        x, y = merged.lift(average(full_width.prepare(merged.form, variant), int(count) + more)).plans
        yield Comparison(found.lower, -bucketed.form.best_response(1, x).total, unit, "guaranteed")
        yield Comparison(found.upper, bucketed.form.best_response(0, y).total, unit, "conceded")

    return measure


BUCKET_FORM = Theorem(
    name="bucket-form",
    plain="An iteration on betting lines times boards with regrets tied by bucket, of perfect recall, is "
    "that on the sequence form of merged infosets.",
    tex=r"\bar\sigma_{\text{buckets}}^T = \mathrm{lift}\,\bar\sigma_{\text{merged}}^T",
    source="derived here",
    relation="==",
    instances=_runs,
    measure=_iterations(0),
    tolerance=3e-7,
    twin=Twin("It is that on the merged form one iteration later.", _iterations(1)),
)


def _priced(effort: Effort) -> Iterator[Instance]:
    for spec, moduli in effort.choose(BUCKETS, MORE_BUCKETS):
        for iterations in effort.choose((1, 100), (10, 400)):
            yield Instance(spec, choice=f"{moduli}{SEPARATOR}{iterations}")


def _best_value(bucketed: BucketedGame, player: int) -> Certificate:
    """Return an interval for the value of the abstract game in which one player alone is in buckets."""
    chosen = [Partition.trivial(t) for t in bucketed.form.treeplexes]
    chosen[player] = bucketed.partitions[player]
    merged = merged_form(bucketed.form, (chosen[0], chosen[1]))
    return solve_lp(merged.form).certificate


@lru_cache(KEPT)
def _prices(instance: Instance) -> tuple[float, float, float, float]:
    """Return the price of both players' buckets, what regrets of CFR-BR prove of it, and NashConv.

    The price lies between the first two, by the certificates of programs. All are widened by their
    rounding.
    """
    bucketed, iterations = _game(instance)
    first, second = (_best_value(bucketed, player) for player in (0, 1))
    low, high = float(second.lower - first.upper), float(second.upper - first.lower)
    engine = bucket_br.prepare(bucketed.tree, ResponseConfig(factored_config("cfr+")))
    state = iterate(engine, int(iterations))
    found = certify_factored(bucketed.tree.tree.game, engine.strategy(state).expanded())
    most = guarantee_bounds(engine, state)
    assert most is not None
    below, above = -math.inf, math.inf
    return (
        math.nextafter(low, below),
        math.nextafter(high, above),
        math.nextafter(-sum(most), below),
        math.nextafter(found.nash_conv, above),
    )


def _between(instance: Instance) -> Iterator[Comparison]:
    low, high, least, nash_conv = _prices(instance)
    unit = spread(instance.game)
    yield Comparison(low, nash_conv, unit, "no strategies in buckets have less")
    yield Comparison(least, high, unit, "as regrets prove")


def _the_price(instance: Instance) -> Iterator[Comparison]:
    _, high, _, nash_conv = _prices(instance)
    yield Comparison(nash_conv, high, spread(instance.game))


PRICE_ON_BOARDS = Theorem(
    name="regrets-bound-the-price",
    plain="Where both players learn in buckets of perfect recall, each against best responses in the whole "
    "game, the price of both players' buckets is at most NashConv of their averages, and at least what best "
    "responses earned less both players' regrets.",
    tex=r"\frac1W \sum_i \left( \sum_t w_t \max_y u_{-i}(x_t, y) - R_i^T \right) \le \sum_i p_i "
    r"\le \mathrm{NashConv}(\bar x_0, \bar x_1)",
    source="After Johanson, Bard, Burch and Bowling 2012; derived here",
    relation="<=",
    instances=_priced,
    measure=_between,
    tolerance=0.0,
    twin=Twin("It is the price.", _the_price),
)

THEOREMS = (BUCKET_FORM, PRICE_ON_BOARDS)
