"""Farina and Sandholm 2022: payoff matrices as running sums of differences between similar rows."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, problem, random_behaviour, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import exact_bounds, exact_plan
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import plain_program
from treeplex.seqform.reductions.sparsification import running_differences

SOURCE = "Farina and Sandholm, Fast payoff matrix sparsification techniques, 2022"
RIVER = 'small_holdem(board="Ah Kd Qs Qc Th",ranks=5,suits=4,ranges=["JJ,AK,TT:0.5","KK,QJ,AT:0.25"])'


@lru_cache(32)
def _form(spec: str, factored: bool) -> SequenceForm:
    """Return a poker game's sequence form, showdowns as running sums or one entry a pair of hands."""
    tree = problem(spec).tree
    if tree is None:
        raise BadInputError(f"running sums are of poker games, got {spec}")
    return sequence_form(tree, factored=factored)


def _poker(effort: Effort) -> Iterator[Instance]:
    quick = ("kuhn_poker", "kuhn_poker(ranks=13)", "leduc_poker(raises=1)", RIVER)
    more = ("leduc_poker", "kuhn_poker(ranks=30)", "no_limit_leduc", "rhode_island(ranks=3,suits=2,raises=1)")
    for spec in effort.choose(quick, more):
        for seed in effort.seeds(quick=1, full=4):
            yield Instance(spec, seed)


def _compared(instance: Instance, left: SequenceForm, right: SequenceForm) -> Iterator[Comparison]:
    """Compare what random plans earn, guarantee and concede in two forms, exactly."""
    rng = np.random.default_rng(instance.seed)
    x, y = (exact_plan(t, random_behaviour(t, rng)) for t in right.treeplexes)
    names = ("value", "guaranteed", "conceded")
    for name, a, b in zip(names, exact_bounds(left, x, y), exact_bounds(right, x, y), strict=True):
        yield Comparison(a, b, spread(instance.game), name)


def _running_sums(instance: Instance) -> Iterator[Comparison]:
    sums, pairs = _form(instance.game, True), _form(instance.game, False)
    yield from _compared(instance, sums, pairs)


def _optima(instance: Instance) -> Iterator[Comparison]:
    sums, pairs = (rational_optimum(_form(instance.game, factored)).value for factored in (True, False))
    yield Comparison(sums, pairs, at="value of the game")


def _cut(payoff: Payoff) -> Payoff:
    return replace(payoff, link=np.zeros_like(payoff.link))


def _unlinked(instance: Instance) -> Iterator[Comparison]:
    sums, pairs = _form(instance.game, True), _form(instance.game, False)
    yield from _compared(instance, replace(sums, payoff=_cut(sums.payoff)), pairs)


RUNNING_SUMS = Theorem(
    name="running-sums-equal-the-matrix",
    plain="Showdowns as running sums over the strengths of hands pay what the matrix of all pairs of hands "
    "pays: the same payoffs, guarantees and values of plans.",
    tex=r"A = \hat A + U M^{-1} V^\top",
    source=f"{SOURCE}, technique B",
    relation="==",
    instances=_poker,
    measure=_running_sums,
    tolerance=0.0,
    twin=Twin("They do so without the links of the chains, M the identity.", _unlinked),
)


def _one_seed(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose(
        ("kuhn_poker", "kuhn_poker(ranks=13)", "leduc_poker(raises=1)"), ("leduc_poker", RIVER)
    ):
        yield Instance(spec)


def _optima_of_the_base(instance: Instance) -> Iterator[Comparison]:
    form = _form(instance.game, True)
    alone = rational_optimum(replace(form, payoff=Payoff.sparse(form.payoff.base))).value
    yield Comparison(alone, rational_optimum(form).value, at="value of the game")


SAME_OPTIMUM = Theorem(
    name="sparsified-programs-equal-optima",
    plain="The program with running sums as columns and rows of their own has the optimum of the plain one.",
    tex=r"\min_{Fy=f,\,Ms=V^\top y,\,E^\top p \ge \hat A y + U s} e^\top p = v",
    source=f"{SOURCE}; Zhang and Sandholm, Sparsified linear programming, 2020",
    relation="==",
    instances=_one_seed,
    measure=_optima,
    tolerance=0.0,
    twin=Twin("The program of the remaining matrix alone has it too.", _optima_of_the_base),
)


def _matrices(effort: Effort) -> Iterator[Instance]:
    quick = ("goofspiel(cards=4)", "auction(items=1)", "leduc_poker(raises=1)")
    for spec in effort.choose(quick, ("liars_dice(faces=4)", "sheriff", "patrol", "leduc_poker")):
        yield Instance(spec, effort.seed)
    yield from random_games(effort, quick=4, full=40)


def _differences(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    yield from _compared(instance, replace(form, payoff=running_differences(form.payoff.base)), form)


def _differences_unlinked(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    payoff = running_differences(form.payoff.base)
    yield from _compared(instance, replace(form, payoff=_cut(payoff)), form)


RUNNING_DIFFERENCES = Theorem(
    name="running-differences-equal-the-matrix",
    plain="Any payoff matrix is what its running differences between similar rows, or columns, add up to.",
    tex=r"A = \hat A + U M^{-1} V^\top",
    source=f"{SOURCE}; the search for similar rows is this project's",
    relation="==",
    instances=_matrices,
    measure=_differences,
    tolerance=0.0,
    twin=Twin("It is so without the links of the chains.", _differences_unlinked),
)


def _kuhns(effort: Effort) -> Iterator[Instance]:
    for ranks in effort.choose((3, 5, 13, 30), (100, 200)):
        yield Instance(f"kuhn_poker(ranks={ranks})", choice=f"{ranks} cards")


def _entries(instance: Instance, factored: bool) -> int:
    return plain_program(_form(instance.game, factored), 0).program.nnz


def _both_entries(instance: Instance) -> Iterator[Comparison]:
    n = int(instance.choice.split()[0])
    yield Comparison(_entries(instance, True), 35 * n - 9, at="running sums")
    yield Comparison(_entries(instance, False), 5 * n * (n - 1) + 12 * n + 2, at="all pairs of hands")


def _linear_in_pairs(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(_entries(instance, False), 35 * int(instance.choice.split()[0]) - 9)


LINEAR_ENTRIES = Theorem(
    name="running-sums-are-linear-in-hands",
    plain="The program of Kuhn poker with n cards has 35 n - 9 nonzeros with running sums, and "
    "5 n (n - 1) + 12 n + 2 with one entry for each pair of hands.",
    tex=r"\mathrm{nnz}_{\mathrm{sums}} = 35 n - 9, \quad "
    r"\mathrm{nnz}_{\mathrm{pairs}} = 5 n (n - 1) + 12 n + 2",
    source=f"{SOURCE}; the constants are counted here",
    relation="==",
    instances=_kuhns,
    measure=_both_entries,
    tolerance=0.0,
    twin=Twin("The program of all pairs of hands has as many.", _linear_in_pairs),
)

THEOREMS = (RUNNING_SUMS, SAME_OPTIMUM, RUNNING_DIFFERENCES, LINEAR_ENTRIES)
