"""Programs on some sequences alone, and games solved by them from a guide; Leduc's value is exact."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled
from treeplex.cfr.engine import average
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.games.counting.references import LEDUC
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import Target, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import closed, spread
from treeplex.seqform.programs import guided_program
from treeplex.seqform.programs.guided_program import Selection, decided, restricted_plan, solve_guided
from treeplex.seqform.programs.lp_solution import solve_lp


def everything(form):
    return tuple(np.ones(t.n_sequences, dtype=bool) for t in form.treeplexes)


def guarantee(form, player, plan):
    """Return what a plan guarantees a player in the whole game, in player 0's payoff."""
    worst = -form.best_response(1 - player, plan).total
    return worst if player == 0 else -worst


def test_the_full_support_changes_nothing(form_of):
    form = form_of("leduc_poker")
    whole = form.restrict(everything(form))
    assert [t.infosets for t in whole.treeplexes] == [t.infosets for t in form.treeplexes]
    assert (whole.payoff.base.csr != form.payoff.base.csr).nnz == 0
    for player, full in enumerate(everything(form)):
        plan = restricted_plan(form, player, full, everything(form)[1 - player]).plan
        assert guarantee(form, player, plan) == pytest.approx(float(LEDUC), abs=1e-7)


def random_support(treeplex, rng, share=2 / 3):
    """Return a support that keeps about a share of actions, one at every infoset at least."""
    keep = rng.random(treeplex.n_sequences) < share
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        keep[rng.integers(lo, hi)] = True
    return keep


@over(["kuhn_poker(ranks=4)", "leduc_poker(raises=1)", "coin_toss"], range(4))
def test_fewer_columns_guarantee_at_most_the_value_and_fewer_rows_promise_at_least_it(spec, seed, form_of):
    form = form_of(spec)
    value = float(solve_lp(form).certificate.value)
    rng = np.random.default_rng(seed)
    for player in (0, 1):
        sign = 1 if player == 0 else -1
        columns, rows = random_support(form.treeplexes[player], rng), everything(form)[1 - player]
        kept = restricted_plan(form, player, columns, rows)
        promised = kept.program.value(kept.run.objective)
        # What the program with all rows promises is what the plan guarantees in the whole game.
        assert promised == pytest.approx(guarantee(form, player, kept.plan), abs=1e-7)
        assert sign * promised <= sign * value + 1e-7
        assert (kept.plan[~closed(form.treeplexes[player], columns)] == 0).all()
        fewer = random_support(form.treeplexes[1 - player], rng)
        loose = restricted_plan(form, player, everything(form)[player], fewer)
        assert sign * loose.program.value(loose.run.objective) >= sign * value - 1e-7


def test_what_an_optimum_plays_is_enough_for_columns(form_of):
    form = form_of("leduc_poker")
    played = solve_lp(form).profile.plans[0] > 1e-9
    kept = restricted_plan(form, 0, played, everything(form)[1])
    assert guarantee(form, 0, kept.plan) == pytest.approx(float(LEDUC), abs=1e-8)
    assert sum(form.n_sequences) > kept.program.n_own + kept.program.n_other


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_restricted_games_are_submatrices(seed, other):
    form = compiled(random_game(seed, 5, 3))
    rng = np.random.default_rng(other)
    support = tuple(random_support(t, rng) for t in form.treeplexes)
    game = form.restrict(support)
    kept = [np.flatnonzero(closed(t, s)) for t, s in zip(form.treeplexes, support, strict=True)]
    whole = form.payoff.base.csr.toarray()
    assert (game.payoff.base.csr.toarray() == whole[np.ix_(*kept)]).all()
    for t, s, k in zip(form.treeplexes, game.treeplexes, kept, strict=True):
        assert [t.actions[i] for i in k] == list(s.actions)
        assert [t.infosets[t.infoset_of[i]] for i in k[1:]] == [s.infosets[i] for i in s.infoset_of[1:]]
        assert (k[s.parent_of[1:]] == t.parent_of[k[1:]]).all()
        values = rng.random(s.n_sequences)
        full = spread(values, closed(t, support[0] if t is form.treeplexes[0] else support[1]))
        assert (full[k] == values).all()
        assert np.count_nonzero(full) == np.count_nonzero(values)


def paid_at_or_below(form, player, rows):
    """Return whether an entry of the payoff matrix in rows stands at or below each sequence's infoset."""
    treeplex, matrix = form.treeplexes[player], form.payoff.base.csr.toarray()
    kept = closed(form.treeplexes[1 - player], rows)
    paid = (matrix[:, kept] if player == 0 else matrix[kept].T).any(axis=1)
    decided = np.zeros(treeplex.n_sequences, dtype=bool)
    for i in reversed(range(treeplex.n_infosets)):
        actions = slice(treeplex.begin[i], treeplex.end[i])
        decided[actions] = paid[actions].any()
        paid[treeplex.parent[i]] |= decided[treeplex.begin[i]]
    return decided


@over(["leduc_poker(raises=1)", "leduc_poker", "liars_dice(faces=2)"], range(3))
def test_rows_decide_a_plan_where_they_lead(spec, seed, form_of):
    form, rng = form_of(spec), np.random.default_rng(seed)
    for player in (0, 1):
        rows, full = random_support(form.treeplexes[1 - player], rng, 0.1), everything(form)[player]
        found = decided(form, player, rows)
        assert (found[1:] == paid_at_or_below(form, player, rows)[1:]).all()
        assert not found[1:].all()
        # Another plan at the other infosets promises the same against the rows.
        best = restricted_plan(form, player, full, rows).plan
        rest = random_profile(form, seed).behaviour[player]
        treeplex = form.treeplexes[player]
        mixed = treeplex.plan(treeplex.behaviour(np.where(found, best, 0.0), rest))
        against = form.restrict((full, rows) if player == 0 else (rows, full))
        assert guarantee(against, player, mixed) == pytest.approx(guarantee(against, player, best), abs=1e-9)


@over(["leduc_poker", "liars_dice(faces=2)", "kuhn_poker(ranks=4)"], ["simplex", "ipm", "hipo"], range(2))
def test_duals_are_the_other_players_plan(spec, solver, seed, form_of):
    form, rng = form_of(spec), np.random.default_rng(seed)
    for player in (0, 1):
        own, other = (random_support(form.treeplexes[p], rng) for p in (player, 1 - player))
        solved = restricted_plan(form, player, own, other, solver)
        against = form.restrict((own, other) if player == 0 else (other, own))
        plan = solved.other[closed(form.treeplexes[1 - player], other)]
        value = solved.program.value(solved.run.objective)
        assert guarantee(against, 1 - player, plan) == pytest.approx(value, abs=1e-6)
        assert (solved.other[~closed(form.treeplexes[1 - player], other)] == 0).all()


def test_a_sequence_below_one_that_is_left_out_goes_with_it(form_of):
    form = form_of("kuhn_poker")
    t = form.treeplexes[0]
    support = everything(form)
    checks = t.begin[t.infosets.index("Q:")]
    support[0][checks] = False
    below = t.infosets.index("Q:cr")
    kept = closed(t, support[0])
    assert not kept[t.begin[below] : t.end[below]].any()
    assert kept.sum() == t.n_sequences - 3
    assert "Q:cr" not in form.restrict(support).treeplexes[0].infosets


def test_the_support_handed_in_is_not_changed(form_of):
    form = form_of("kuhn_poker")
    support = tuple(s & False for s in everything(form))
    with pytest.raises(ValueError, match="support"):
        form.restrict(support)
    assert not any(s.any() for s in support)


@over([0, 1])
def test_an_infoset_without_actions_is_named(player, form_of):
    form = form_of("kuhn_poker")
    t = form.treeplexes[player]
    bare = 4
    support = everything(form)
    support[player][t.begin[bare] : t.end[bare]] = False
    with pytest.raises(ValueError, match=f"{t.infosets[bare]!r}"):
        restricted_plan(form, player, support[player], support[1 - player])


def test_an_infoset_out_of_reach_may_be_without_actions(form_of):
    form = form_of("kuhn_poker")
    t = form.treeplexes[0]
    support = everything(form)
    below = t.infosets.index("Q:cr")
    support[0][t.begin[below] : t.end[below]] = False
    support[0][t.parent[below]] = False
    plan = restricted_plan(form, 0, *support).plan
    assert guarantee(form, 0, plan) <= -1 / 18 + 1e-12


@over([5, 50])
def test_supports_of_the_wrong_length_are_refused(n, form_of):
    with pytest.raises(ValueError, match=r"\(13,\)"):
        restricted_plan(form_of("kuhn_poker"), 0, np.ones(n, dtype=bool), np.ones(n, dtype=bool))


# games solved from a guide


def random_profile(form, seed):
    rng = np.random.default_rng(seed)
    return Profile(
        form.treeplexes, tuple(t.behaviour(t.plan(rng.random(t.n_sequences))) for t in form.treeplexes)
    )


@over(["kuhn_poker(ranks=4)", "leduc_poker", "coin_toss", "matrix_game(payoff=[[2,-1],[-1,1]])"], range(3))
def test_any_guide_leads_to_the_value(spec, seed, form_of):
    """A random guide proposes wrong sequences; best responses bring in what is missing."""
    form = form_of(spec)
    guide = random_profile(form, seed)
    before = [b.copy() for b in guide.behaviour]
    solution = solve_guided(form, guide, Target(1e-6), selection=Selection(0.4, 0.0, 60))
    assert solution.certificate.nash_conv <= 1e-6
    assert solution.certificate.contains(solve_lp(form).certificate.value)
    assert certify(form, solution.profile).nash_conv == solution.certificate.nash_conv
    assert all((b == was).all() for b, was in zip(guide.behaviour, before, strict=True))


@given(st.integers(0, 10**6))
def test_random_games_from_random_guides(seed):
    form = compiled(random_game(seed, 5, 3))
    solution = solve_guided(
        form, random_profile(form, seed), Target(1e-6), "simplex", Selection(0.5, 0.0, 60)
    )
    assert solution.certificate.nash_conv <= 1e-6


@over(["kuhn_poker(ranks=4)", "leduc_poker", "liars_dice(faces=2)"], range(3))
def test_wrong_duals_only_cost_rounds(spec, seed, form_of):
    def spoilt(form, player, columns, rows, solver):
        solved = restricted_plan(form, player, columns, rows, solver)
        return replace(solved, other=np.roll(solved.other, 1))

    form = form_of(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guided_program, "restricted_plan", spoilt)
        solution = solve_guided(
            form, random_profile(form, seed), Target(1e-6), selection=Selection(0.4, 0.0, 60)
        )
    assert solution.certificate.nash_conv <= 1e-6
    assert len(solution.runs) == 2


@over(["ipm", "hipo"])
def test_a_program_of_ones_own_where_the_duals_of_an_interior_point_are_wrong(solver):
    """In this game HiGHS's duals are whole payoffs off, and all sequences are rows and columns at once."""
    form = compiled(random_game(20396, 4, 3))
    x, y = ([1, 0.324, 0.676], [1, 0.2188, 0.7812, 0.3833, 0.3984, 0.2182, 0.5271, 0.2423, 0.2307])
    guide = Profile(
        form.treeplexes,
        tuple(t.behaviour(t.plan(np.array(b))) for t, b in zip(form.treeplexes, (x, y), strict=True)),
    )
    solution = solve_guided(form, guide, Target(1e-6), solver)
    assert solution.certificate.nash_conv <= 1e-6
    assert len(solution.runs) == 2


def test_the_guide_is_played_where_a_plan_does_not_reach(form_of):
    form = form_of("leduc_poker")
    guide = average(full_width.prepare(form, VARIANTS["cfr+"]), 500)
    solution = solve_guided(form, guide, Target(1e-7), "simplex")
    assert solution.certificate.nash_conv <= 1e-7
    for t, plan, b, g in zip(
        form.treeplexes,
        solution.profile.plans,
        *(p.behaviour for p in (solution.profile, guide)),
        strict=True,
    ):
        away = plan[t.parent_of[1:]] <= 0
        assert away.any()
        assert (b[1:][away] == g[1:][away]).all()


def test_programs_are_smaller_than_the_game(form_of):
    form = form_of("leduc_poker")
    guide = average(full_width.prepare(form, VARIANTS["cfr+"]), 2000)
    solution = solve_guided(form, guide, Target(1e-6))
    assert solution.program.n_own < 0.8 * form.n_sequences[0]
    assert solution.program.n_other < form.n_sequences[1]
    assert solution.iterations >= sum(run.iterations for run in solution.runs)


def test_a_run_that_can_do_no_more_ends(form_of):
    """With nothing left to put back and no other solver, more rounds would solve the same programs again."""
    form, stages = form_of("leduc_poker"), []
    guide = average(full_width.prepare(form, VARIANTS["cfr+"]), 200)
    solution = solve_guided(
        form, guide, Target(1e-300), "simplex", Selection(rounds=60), lambda stage, _: stages.append(stage)
    )
    assert 1 <= len(stages) < 60
    assert solution.certificate.nash_conv > 1e-300


def test_a_guide_of_another_game_is_refused(form_of):
    guide = solve_lp(form_of("leduc_poker")).profile
    with pytest.raises(ValueError, match="for other infosets or actions"):
        solve_guided(form_of("kuhn_poker"), guide, Target(1e-6))


def test_there_is_a_round():
    with pytest.raises(ValueError, match="rounds of guided programs must be at least 1, got 0"):
        Selection(rounds=0)
