"""Koller, Megiddo and von Stengel 1996: the sequence form's programs and their duality."""

from collections.abc import Iterator

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium, spread, strategy
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.sequence_program import plain_program, sequence_program

SOURCE = "Koller, Megiddo and von Stengel 1996"
REACHED = 1e-6
"""An infoset counts as reached by an optimal plan from this probability on, above all rounding."""


def _games_and_plans(effort: Effort) -> Iterator[Instance]:
    for instance in named_and_random_games(effort):
        for name in (f"random:{instance.seed}", "nash"):
            yield Instance(instance.game, instance.seed, choice=name)


def _weak(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    plans = strategy(instance.game, instance.choice).plans
    guaranteed, conceded = -form.best_response(1, plans[0]).total, form.best_response(0, plans[1]).total
    yield Comparison(guaranteed, conceded, spread(instance.game))


def _weak_against_one(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    plans = strategy(instance.game, instance.choice).plans
    paid = float(np.dot(plans[0], form.gradient(0, plans[1])))
    yield Comparison(paid, -form.best_response(1, plans[0]).total, spread(instance.game))


WEAK_DUALITY = Theorem(
    name="weak-duality",
    plain="What a plan of player 0 guarantees is at most what a plan of player 1 concedes: NashConv is at "
    "least 0.",
    tex=r"\min_{y'} x^\top A y' \le \max_{x'} x'^\top A y",
    source=SOURCE,
    relation="<=",
    instances=_games_and_plans,
    measure=_weak,
    equality="Where both plans are optimal.",
    twin=Twin("What a plan pays against one plan is at most what it guarantees.", _weak_against_one),
)


def _strong(instance: Instance) -> Iterator[Comparison]:
    form, size = enumerated(instance.game).form, spread(instance.game)
    programs = [sequence_program(form, player) for player in (0, 1)]
    maximum, minimum = (p.value(run_highs(p.program, "simplex").objective) for p in programs)
    yield Comparison(maximum, minimum, size, "both optima")
    x, y = equilibrium(instance.game).profile.plans
    yield Comparison(maximum, -form.best_response(1, x).total, size, "what player 0's plan guarantees")
    yield Comparison(minimum, form.best_response(0, y).total, size, "what player 1's plan concedes")


def _strong_of_responses(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    optimum = equilibrium(instance.game)
    response = form.best_response(0, optimum.profile.plans[1]).behaviour()
    plan = form.treeplexes[0].plan(response)
    yield Comparison(
        float(optimum.certificate.value), -form.best_response(1, plan).total, spread(instance.game)
    )


STRONG_DUALITY = Theorem(
    name="strong-duality",
    plain="The programs of both players have one optimum, the value of the game: the optimal plan of "
    "player 0 guarantees it and that of player 1 concedes no more.",
    tex=r"\max_{Ex=e,\,x\ge0,\,F^\top q\le A^\top x} f^\top q "
    r"= \min_{Fy=f,\,y\ge0,\,E^\top p\ge Ay} e^\top p",
    source=SOURCE,
    relation="==",
    instances=named_and_random_games,
    measure=_strong,
    twin=Twin("A best response to an optimal plan guarantees the value too.", _strong_of_responses),
)


def _losses(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    plans = strategy(instance.game, instance.choice or "nash").plans
    for player, t in enumerate(form.treeplexes):
        best = form.best_response(player, plans[1 - player])
        lost = best.value[t.infoset_of[1:]] - best.q[1:]
        worst = float(np.max(np.abs(plans[player][1:] * lost), initial=0.0))
        yield Comparison(worst, 0.0, spread(instance.game), f"player {player}")


def _losses_of_uniform(instance: Instance) -> Iterator[Comparison]:
    yield from _losses(Instance(instance.game, instance.seed, choice="uniform"))


COMPLEMENTARY_SLACKNESS = Theorem(
    name="complementary-slackness",
    plain="At an optimum each sequence is played with probability 0 or loses nothing: its plan times the "
    "value of its infoset less its own value is 0.",
    tex=r"x_s \, (V_{I(s)} - Q_s) = 0",
    source=f"{SOURCE}; complementary slackness",
    relation="==",
    instances=named_and_random_games,
    measure=_losses,
    twin=Twin("The same of uniform play.", _losses_of_uniform),
)


def _free_columns(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    program = plain_program(form, 0)
    run = run_highs(program.program, "simplex")
    columns = run.primal[program.n_own : program.n_own + 1 + form.n_infosets[1]]
    best = form.best_response(1, program.plan(run.primal))
    yield Comparison(float(columns[0]), -best.total, spread(instance.game), "root")
    yield Comparison(-best.total, float(columns[0]), spread(instance.game), "root, from below")
    reached = equilibrium(instance.game).profile.plans[1][form.treeplexes[1].parent]
    for i, key in enumerate(form.treeplexes[1].infosets):
        column, value = float(columns[1 + i]), -float(best.value[i])
        yield Comparison(column, value, spread(instance.game), key)
        if reached[i] > REACHED:
            yield Comparison(value, column, spread(instance.game), f"{key}, reached")


def _free_columns_of_behaviour(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    x = equilibrium(instance.game).profile.plans[0]
    best = form.best_response(1, x)
    _, values = form.treeplexes[1].evaluate(form.treeplexes[1].uniform(), form.gradient(1, x))
    for i, key in enumerate(form.treeplexes[1].infosets):
        yield Comparison(-float(values[i]), -float(best.value[i]), spread(instance.game), key)


INFOSET_VALUES = Theorem(
    name="infoset-values",
    plain="The free columns of player 0's program are at most the counterfactual best-response values of "
    "player 1's infosets against its plan, in player 0's payoff.",
    tex=r"q_J \le -V_J(x)",
    source=f"{SOURCE}; as values of infosets derived here",
    relation="<=",
    instances=named_and_random_games,
    measure=_free_columns,
    equality="At the root, and at infosets that an optimal plan of player 1 reaches.",
    twin=Twin("The same of the values of uniform play against an optimal plan.", _free_columns_of_behaviour),
)


def _nonzeros(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    flows = sum(form.n_infosets) + sum(form.n_sequences)
    for player in (0, 1):
        written = plain_program(form, player).program
        where = f"player {player}"
        yield Comparison(written.nnz, form.payoff.nnz + flows, 1.0, where)
        own, other = form.n_sequences[player], form.n_sequences[1 - player]
        yield Comparison(written.n_rows, other + 1 + form.n_infosets[player], 1.0, f"{where}, rows")
        yield Comparison(written.n_cols, own + 1 + form.n_infosets[1 - player], 1.0, f"{where}, columns")


def _nonzeros_of_leaves(instance: Instance) -> Iterator[Comparison]:
    numbered = enumerated(instance.game)
    form = numbered.form
    flows = sum(form.n_infosets) + sum(form.n_sequences)
    yield Comparison(plain_program(form, 0).program.nnz, len(numbered.tree.leaves) + flows)


PROGRAM_SIZE = Theorem(
    name="program-size",
    plain="A program has one row for each sequence of the other player, the empty one counted, for each own "
    "infoset, and one for the root; columns the other way round; and as many nonzeros as the payoff matrix "
    "and both flow matrices.",
    tex=r"\mathrm{nnz} = \mathrm{nnz}(A) + \sum_i (|\mathcal I_i| + |\Sigma_i|)",
    source=SOURCE,
    relation="==",
    instances=named_and_random_games,
    measure=_nonzeros,
    tolerance=0.0,
    twin=Twin("The payoff matrix has one nonzero for each leaf.", _nonzeros_of_leaves),
)

THEOREMS = (WEAK_DUALITY, STRONG_DUALITY, COMPLEMENTARY_SLACKNESS, INFOSET_VALUES, PROGRAM_SIZE)
