"""Values and sizes of named games from the literature and from independent programs."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, problem, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.counting.references import BY_SPEC, REFERENCES, Reference
from treeplex.seqform.certify.certificate import certify_exactly
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import plain_program

QUICK_HISTORIES = 7_000
"""Larger games are left to full runs."""
SMALLEST_HISTORIES = 200
"""In games up to so many false twins are measured."""


def _games(effort: Effort) -> Iterator[Instance]:
    for reference in REFERENCES:
        quick = reference.histories <= QUICK_HISTORIES
        if not reference.slow and (quick or not effort.quick):
            yield Instance(reference.spec)


def _smallest(effort: Effort) -> Iterator[Instance]:
    for reference in REFERENCES:
        if reference.histories <= SMALLEST_HISTORIES:
            yield Instance(reference.spec)


def _values(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(rational_optimum(problem(instance.game).form).value, BY_SPEC[instance.game].value)


def _values_of_uniform(instance: Instance) -> Iterator[Comparison]:
    proof = certify_exactly(enumerated(instance.game).form, strategy(instance.game, "uniform"))
    yield Comparison(Fraction(proof.value), BY_SPEC[instance.game].value)


PUBLISHED_VALUES = Theorem(
    name="published-values",
    plain="The exact values of named games are those of the literature, of arguments by hand, and of "
    "programs written apart: -1/18 for Kuhn poker, 1/16 for liar's dice with four faces, 0 where the rules "
    "are the same for both players. Values that nobody printed, of larger games, are this program's, "
    "checked with other programs; docs/VALUES.md says how.",
    tex=r"v(\text{Kuhn poker}) = -\tfrac1{18}",
    source="Kuhn 1950; Alpern, Morton and Papadaki 2011; others in the table of games",
    relation="==",
    instances=_games,
    measure=_values,
    tolerance=0.0,
    twin=Twin("They are what uniform play is worth.", _values_of_uniform, _smallest),
)


def _sizes(instance: Instance) -> Iterator[Comparison]:
    reference, numbered = BY_SPEC[instance.game], enumerated(instance.game)
    form, program = numbered.form, plain_program(numbered.form, 0).program
    yield Comparison(numbered.tree.n_nodes, reference.histories, at="histories")
    for player in (0, 1):
        yield Comparison(form.n_infosets[player], reference.infosets[player], at=f"infosets of {player}")
        yield Comparison(form.n_sequences[player], reference.sequences[player], at=f"sequences of {player}")
    yield Comparison(program.n_rows, reference.rows, at="rows")
    yield Comparison(program.n_cols, reference.cols, at="columns")
    if reference.nnz is not None:
        yield Comparison(form.payoff.nnz, reference.nnz, at="nonzeros")


def _one_nonzero_a_pair(instance: Instance) -> Iterator[Comparison]:
    reference: Reference = BY_SPEC[instance.game]
    yield Comparison(enumerated(instance.game).form.payoff.nnz, int(np.prod(reference.sequences)))


PUBLISHED_SIZES = Theorem(
    name="published-sizes-of-games",
    plain="Histories, infosets, sequences and nonzeros of named games are those counted elsewhere.",
    tex=r"(|H|, |\mathcal I_i|, |\Sigma_i|, \mathrm{nnz}(A))",
    source="Programs written apart; Bowling and others 2017 for Kuhn poker and Leduc hold'em",
    relation="==",
    instances=_games,
    measure=_sizes,
    tolerance=0.0,
    twin=Twin("Every pair of sequences has a payoff.", _one_nonzero_a_pair, _smallest),
)

UNIFORM_NASH_CONV = {
    "kuhn_poker": Fraction(11, 12),
    "leduc_poker": Fraction(1709, 360),
    "goofspiel(cards=4)": Fraction(17, 12),
}
"""NashConv of uniform play, as OpenSpiel finds it: .916667, 4.747222 and 1.416667."""


def _uniform_games(effort: Effort) -> Iterator[Instance]:
    for spec in UNIFORM_NASH_CONV:
        yield Instance(spec)


def _uniform(instance: Instance) -> Iterator[Comparison]:
    proof = certify_exactly(enumerated(instance.game).form, strategy(instance.game, "uniform"))
    width = Fraction(proof.upper) - Fraction(proof.lower)
    yield Comparison(width, UNIFORM_NASH_CONV[instance.game], spread(instance.game))


def _same_gains(instance: Instance) -> Iterator[Comparison]:
    proof = certify_exactly(enumerated(instance.game).form, strategy(instance.game, "uniform"))
    gains = Fraction(proof.upper) - Fraction(proof.value), Fraction(proof.value) - Fraction(proof.lower)
    yield Comparison(gains[0], gains[1], spread(instance.game))


UNIFORM_PLAY = Theorem(
    name="nash-conv-of-uniform-play",
    plain="Uniform play has a NashConv of 11/12 in Kuhn poker, 1709/360 in Leduc hold'em and 17/12 in "
    "Goofspiel of four cards.",
    tex=r"\mathrm{NashConv} = \max_x x^\top A \bar y - \min_y \bar x^\top A y",
    source="OpenSpiel; fractions derived here",
    relation="==",
    instances=_uniform_games,
    measure=_uniform,
    tolerance=1e-12,
    twin=Twin("Both players gain the same by a best response, half of NashConv.", _same_gains),
)

THEOREMS = (PUBLISHED_VALUES, PUBLISHED_SIZES, UNIFORM_PLAY)
