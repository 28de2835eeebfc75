"""The Python face: load, solve, check and crosscheck, on named games, files and anybody's own game."""

import dataclasses
import json
import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.cfr import variant
from treeplex.cfr.engine import average
from treeplex.cfr.variant import VARIANTS, Average
from treeplex.core import problem
from treeplex.files.trace_file import read_trace, trace_table, write_trace
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.rational_optimum import NotExactError
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.solving import linear_program as programs
from treeplex.solving.methods import engine_of
from treeplex.solving.on_trees import SAMPLERS

RANGES = '"22+,A2s+:0.5,KQs,QJs", "99-66,A5s-A2s:0.25,T9s+,AKs"'
SPOT = f"""
board = "Ks Th 7s 4d 2c"
pot = 10
stack = 20
ranges = [{RANGES}]
bets = [0.5, "a"]
raises = ["a"]
"""


LEDUC = "leduc_poker(raises=1)"
HARD = [f"random_game(seed={seed},depth={depth},actions=3)" for seed, depth in ((25, 4), (2, 5), (14, 4))]


@cache
def exact_leduc():
    """Return the exact value of Leduc poker with one raise."""
    return tp.solve(LEDUC, exact=True).exact_value


@cache
def crosschecked():
    """Return what all methods say of Kuhn poker."""
    return tp.crosscheck("kuhn_poker")


@dataclass(frozen=True)
class SealedBid:
    """A toy of one's own: player 0 knows whether a thing is worth 2 or 1, and asks one of these for it.

    Player 1 buys or passes. With weights and payoffs in thirds, so that floats would not be exact.
    """

    name: str = "sealed_bid"
    unit: str = "thirds"

    def root(self):
        return ()

    def player(self, state):
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def actions(self, state):
        return ("high", "low") if len(state) == 1 else ("buy", "pass")

    def chance(self, state):
        return (("good", Fraction(1, 3)), ("bad", Fraction(2, 3)))

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state, player):
        if player == 0:
            return " ".join(state)
        return " ".join(("?", *state[1:])) if state else ""

    def public(self, state):
        return " ".join(state[1:])

    def payoff(self, state):
        worth, price, answer = state
        if answer == "pass":
            return Fraction(0)
        return Fraction(2 if price == "high" else 1, 3) - Fraction(2 if worth == "good" else 1, 3)


@pytest.fixture(scope="module")
def spot(tmp_path_factory):
    path = tmp_path_factory.mktemp("spots") / "river.toml"
    path.write_text(SPOT)
    return tp.load(str(path))


@pytest.fixture(scope="module")
def exact_spot(spot):
    return tp.solve(spot, exact=True)


# results


def test_a_result_carries_how_it_came_about():
    r = tp.solve("leduc_poker")
    assert (r.game, r.method, r.unit, r.pot, r.ev) == ("leduc_poker", "lp", "chips", None, None)
    assert r.solver in ("simplex", "ipm", "hipo")
    assert re.fullmatch(r"proved to \d(\.\d)?e-\d\d chips", r.status)
    assert r.nash_conv <= float(r.status.split()[2]) <= 1.1 * r.nash_conv
    assert r.nash_conv <= r.target == pytest.approx(1e-6)
    assert r.iterations > 0
    assert r.seconds > 0
    assert r.n_infosets == 288
    size = r.fact(tp.LPSize)
    assert (size.n_rows, size.n_cols) == (482, 482)
    assert r.lower <= r.value <= r.upper
    assert r.nash_conv == pytest.approx(r.upper - r.lower)
    assert list(r.profile.table().columns) == ["player", "infoset", "action", "probability"]
    assert len(r.profile.table()) == 2 * 336


def test_results_and_problems_are_frozen():
    r, problem = tp.solve("kuhn_poker"), tp.load("kuhn_poker")
    for thing, field in (
        (r, "status"),
        (r.certificate, "lower"),
        (r.profile, "behaviour"),
        (problem, "form"),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, field, None)


def test_exact_results_are_exact():
    r = tp.solve("kuhn_poker", exact=True)
    assert r.exact_value == r.certificate.lower == r.certificate.upper == Fraction(-1, 18)
    assert (r.exploitability, r.distance_to_value) == (0.0, (0.0, 0.0))
    assert r.lower <= Fraction(-1, 18) <= r.upper  # rounded outward as floats
    assert json.loads(json.dumps(r.as_json(), allow_nan=False))["exact_value"] == "-1/18"


def test_exact_certificates_of_cfr_plus_contain_the_value():
    r = tp.solve("kuhn_poker", "cfr+", iterations=50, exact=True)
    assert isinstance(r.certificate.lower, Fraction)
    assert r.certificate.lower < Fraction(-1, 18) < r.certificate.upper
    assert r.exact_value is None
    assert r.distance_to_value is None
    assert r.exploitability == r.nash_conv / 2


def test_an_exact_value_may_have_more_digits_than_python_prints():
    big = 10**4999
    r = tp.solve(tp.load(f"matrix_game(payoff=[[1{'0' * 299}]])"), exact=True)
    assert r.as_json()["exact_value"] == "1" + "0" * 299
    assert replace(r, exact_value=Fraction(1, big + 1)).as_json()["exact_value"] == "1/1" + "0" * 4998 + "1"


def test_distances_are_given_only_where_the_value_is_known(kuhn_profile):
    r = tp.check("kuhn_poker", kuhn_profile)
    below, above = r.distance_to_value
    assert below + above == pytest.approx(r.nash_conv)
    wide = replace(r, reference=Certificate(-0.05, -0.1, 0.0, 0.0, 0.0))
    assert wide.distance_to_value is None
    assert replace(r, reference=None).distance_to_value is None


@pytest.fixture
def kuhn_profile():
    problem = tp.load("kuhn_poker")
    x, y = (t.uniform() for t in problem.form.treeplexes)
    return tp.Profile(problem.form.treeplexes, (x, y))


# games of one's own


def test_a_custom_game_is_solved_like_any_other():
    # Asking 2 gains a third for a bad thing if it is bought, and nothing for a good one: player 1 passes.
    # Asking 1 gains nothing at best. So the value is zero.
    game = SealedBid()
    r = tp.solve(game, exact=True)
    assert (r.game, r.unit, r.exact_value) == ("sealed_bid", "thirds", 0)
    assert tp.solve(game, "cfr+", iterations=2000).nash_conv < 1e-3
    assert tp.check(game, r.profile).nash_conv < 1e-12
    comparison = tp.crosscheck(game)
    assert comparison.agree
    assert {"lp", "cfr+"} <= {row.method for row in comparison.rows}


def test_a_custom_game_that_breaks_the_protocol_is_named():
    class Leaky(SealedBid):
        def chance(self, state):
            return (("good", Fraction(1, 3)), ("bad", Fraction(1, 3)))

    with pytest.raises(ValueError, match="chance must sum to exactly 1, got 2/3"):
        tp.solve(Leaky())

    class Floats(SealedBid):
        def payoff(self, state):
            return 0.5

    with pytest.raises(ValueError, match=r"a payoff must be an integer or a Fraction, got 0\.5"):
        tp.solve(Floats())


def test_a_problem_is_made_ready_once_and_used_by_all():
    problem = tp.load("leduc_poker")
    lp, cfr = tp.solve(problem), tp.solve(problem, "cfr+", target=0.01)
    assert cfr.status == "target reached"
    assert not lp.certificate.disjoint(cfr.certificate)
    assert tp.check(problem, cfr.profile).upper == cfr.upper


# spots: factored payoffs, merged hands, guided programs


def test_a_spot_counts_in_shares_of_the_pot(spot, exact_spot):
    assert spot.pot == 10
    assert len(spot.form.payoff.link) > 0
    assert sum(exact_spot.ev) == pytest.approx(10)
    assert exact_spot.ev[0] == exact_spot.value + 5


@over([("rc/crc", 60), ("cc/cc", 20)])
def test_the_pot_of_a_subgame_is_what_is_in_it_when_it_begins(line, pot):
    assert tp.load(f'limit_holdem_subgame(line="{line}")').pot == pot


@pytest.mark.seconds(3)
def test_every_road_leads_to_the_same_value(spot, exact_spot, monkeypatch):
    value = exact_spot.exact_value
    assert tp.solve(spot).certificate.contains(value)
    assert tp.solve(spot, "cfr+").certificate.contains(value)
    monkeypatch.setattr(programs, "GUIDED_SEQUENCES", 10)
    stages = []
    guided = tp.solve(spot, progress=lambda stage, width: stages.append(stage))
    assert any(stage.startswith("linear programs, round") for stage in stages)
    assert guided.certificate.contains(value)
    assert guided.nash_conv <= guided.target == 1e-6 * 10
    assert re.fullmatch(r"proved to \S+ chips, guided, \d+ rounds?", guided.status)


@pytest.mark.seconds(3)
def test_guided_programs_know_locks(tmp_path, monkeypatch):
    """Their guide is on sequences then, as public trees have no locks."""
    lock = '[[locks]]\nline = "c"\nplay = { c = "99-66" }\n'
    (tmp_path / "locked.toml").write_text(SPOT + lock)
    locked = tp.load(str(tmp_path / "locked.toml"))
    assert locked.vector_tree is None
    assert len(locked.small.form.payoff.link) > 0
    value = tp.solve(locked, exact=True).exact_value
    monkeypatch.setattr(programs, "GUIDED_SEQUENCES", 10)
    guided = tp.solve(locked)
    assert "guided" in guided.status
    assert guided.certificate.contains(value)
    assert guided.nash_conv <= 1e-6 * 10


def test_results_say_what_was_asked_for():
    asked = tp.solve("kuhn_poker", "cfr+", iterations=7, target=1e-3, average="linear").parameters
    assert asked == {
        "solver": "auto",
        "exact": False,
        "iterations": 7,
        "target": 1e-3,
        "average": "linear",
    }
    with pytest.raises(TypeError):
        asked["target"] = 0


def test_merged_hands_play_alike_and_are_certified_apart(tmp_path):
    (tmp_path / "ranks.toml").write_text(SPOT.replace(RANGES, '"88+,AQ,T9", "99-66,AJ,KQ"'))
    spot = tp.load(str(tmp_path / "ranks.toml"))
    assert spot.small.merged is not None
    profile = tp.solve(spot).profile
    for p, t in enumerate(spot.form.treeplexes):
        rows = {}
        for i in range(t.n_infosets):
            hand, line = t.infosets[i].split(spot.tree.joiner, 1)
            colour = spot.small.merged.class_of[p][spot.tree.hands[p].index(hand)]
            row = profile.behaviour[p][t.begin[i] : t.end[i]]
            np.testing.assert_array_equal(rows.setdefault((colour, line), row), row)
        assert len(rows) < t.n_infosets


def test_vector_and_sequence_form_cfr_plus_are_one_algorithm(spot):
    a, b = (tp.solve(spot, "cfr+", form=form, iterations=200) for form in ("tree", "public"))
    assert a.iterations == b.iterations == 200
    for p in (0, 1):
        np.testing.assert_allclose(a.profile.behaviour[p], b.profile.behaviour[p], atol=1e-6)


def test_slices_of_a_run_change_nothing():
    problem = tp.load("kuhn_poker")
    whole = average(engine_of(problem, "cfr+", "tree"), 500)
    stages = []
    sliced = tp.solve(
        problem, "cfr+", iterations=500, progress=lambda stage, width: stages.append((stage, width))
    )
    for p in (0, 1):
        np.testing.assert_array_equal(sliced.profile.behaviour[p], whole.behaviour[p])
    assert stages[-1] == ("cfr+, 500 iterations", sliced.nash_conv)
    assert len(stages) > 1


# crosscheck


@pytest.mark.seconds(20)
def test_crosscheck_compares_every_method(spot, exact_spot):
    comparison = tp.crosscheck(spot)
    assert comparison.agree
    assert [row.method for row in comparison.rows][:1] == ["lp"]
    assert {("cfr+", "tree"), ("cfr+", "public")} <= {(row.method, row.form) for row in comparison.rows}
    for row in comparison.rows:
        assert row.certificate.contains(exact_spot.exact_value)
        assert sum(row.ev) == pytest.approx(10)


@pytest.mark.seconds(3)
def test_one_contradiction_is_enough_to_disagree():
    comparison = crosschecked()
    last = comparison.rows[-1]
    off = replace(last, certificate=Certificate(-1 / 18, -1 / 18 + 1e-3, -1 / 18 + 2e-3, 0.0, 0.0))
    assert comparison.agree
    assert not replace(comparison, rows=(*comparison.rows, off)).agree


@pytest.mark.seconds(3)
def test_a_method_that_does_not_shrink_is_stuck(monkeypatch):
    """The last iterate of CFR goes round in circles; whoever averages nothing has a defect that shows."""
    wrong = {**VARIANTS, "cfr": replace(VARIANTS["cfr"], average=Average(math.inf))}
    monkeypatch.setattr(variant, "VARIANTS", wrong)
    comparison = tp.crosscheck("leduc_poker(raises=1)")
    assert comparison.agree
    assert comparison.stuck == ("cfr on tree",)
    assert not comparison.passed
    assert comparison.as_json()["stuck"] == ["cfr on tree"]
    assert "DO NOT SHRINK: cfr on tree" in str(comparison)


def test_a_game_that_is_solved_at_once_leaves_nothing_to_shrink():
    comparison = tp.crosscheck("matrix_game(payoff=[[1,2],[3,4]])")
    assert comparison.passed
    assert {"cfr", "hedge", "cfr-br", "mccfr-outcome"} <= {row.method for row in comparison.rows}


@pytest.mark.seconds(3)
def test_a_second_stack_solves_the_factored_program(spot, exact_spot):
    clarabel = pytest.importorskip("treeplex.solving.clarabel")
    iterations, profile = clarabel.solve_with_clarabel(spot.small.form)
    certificate = tp.certify(spot.form, spot.small.lift(profile))
    assert iterations > 0
    assert certificate.nash_conv < 1e-4
    assert certificate.contains(exact_spot.exact_value)


def test_crosscheck_goes_on_where_no_basis_is_exact(monkeypatch):
    def float_only(form, run):
        raise NotExactError("no final basis is optimal in exact arithmetic")

    monkeypatch.setattr(programs, "rational_optimum", float_only)
    comparison = tp.crosscheck("matrix_game(payoff=[[2,-1],[0,1]])")
    assert comparison.agree
    assert comparison.rows[0].method == "lp"
    assert comparison.rows[0].exact_value is None


def test_payoffs_of_very_different_sizes_are_still_proved():
    value = 1 / (Fraction(1, 10**7) + 10**7)
    for row in tp.crosscheck("matrix_game(payoff=[[1e7,0],[0,1e-7]])").rows:
        assert row.certificate.contains(value)


def test_numbers_of_other_kinds_are_kept_as_pythons_own():
    options = {"iterations": np.int64(20), "target": Fraction(1, 10), "seed": np.uint8(7)}
    found = tp.solve("kuhn_poker", "mccfr-external", **options)
    assert found.nash_conv == tp.solve("kuhn_poker", "mccfr-external", iterations=20, seed=7).nash_conv
    assert (
        json.loads(json.dumps({**found.parameters}))["seed"]
        == json.loads(json.dumps(found.as_json()))["seed"]
    )
    assert {name: found.parameters[name] for name in options} == {"iterations": 20, "target": 0.1, "seed": 7}


# what is refused


@over(
    [
        ({"method": "mccfr"}, "method must be one of lp, cfr, "),
        ({"solver": "glpk"}, "solver must be one of"),
        ({"method": "lp", "iterations": 5}, "iterations are for regret minimisers"),
        ({"method": "cfr+", "iterations": 0}, "at least 1"),
        ({"method": "cfr+", "solver": "ipm"}, "solver is for lp"),
        (
            {"method": "dcfr", "average": "sextic"},
            "average must be one of uniform, linear, quadratic, cubic, quartic, quintic, last",
        ),
        ({"method": "cfr+", "horizon": 5}, r"cfr\+ takes average, counted, .*, got horizon 5"),
        ({"method": "hs-dcfr"}, "hs-dcfr plans its iterations: horizon must say how many"),
        ({"method": "hs-dcfr", "iterations": 9, "target": 0.1}, "horizon must say how many"),
        ({"method": "hs-dcfr", "horizon": 0}, "horizon must be between 1 and 10,000,000, got 0"),
        (
            {"method": "hs-pcfr+", "horizon": 5, "average": "linear"},
            "a horizon is for hs-dcfr, .*, got hs-pcfr+",
        ),
        ({"method": "cfr", "counted": "never"}, "counted must be after, before or seen, got 'never'"),
        ({"method": "cfr", "order": "random"}, "order must be alternating or simultaneous, got 'random'"),
        (
            {"method": "cfr", "seed": 1},
            "cfr takes average, counted, .*, threads, .*, abstraction, abstracted, got seed 1",
        ),
        (
            {"method": "mccfr-external", "order": "simultaneous"},
            "mccfr-external takes average, .*, max_infosets, got order 'simultaneous'",
        ),
        (
            {"method": "mccfr-external", "average": "last", "iterations": 3},
            "takes the average uniform, linear, quadratic, cubic, quartic, quintic",
        ),
        ({"method": "mccfr-external", "seed": -1, "iterations": 3}, "seed"),
        ({"method": "mccfr-external", "streams": 0}, "streams must be between 1 and 1024, got 0"),
        ({"method": "mccfr-external", "streams": 3000}, "streams must be between 1 and 1024, got 3000"),
        ({"method": "mccfr-public", "streams": 2}, "mccfr-public takes average, seed, got streams 2"),
        ({"method": "mccfr-pruned", "average": "linear"}, "mccfr-pruned takes seed, streams, got average"),
        ({"method": "cfr", "warm_iterations": 5}, "warm_iterations are for a warm start, got 5 without one"),
        ({"method": "cfr+", "target": float("inf")}, "above 0 and finite"),
        ({"method": "lp", "average": "linear"}, "average is for regret minimisers, got method lp"),
        ({"target": 0.0}, "above 0"),
        ({"target": float("nan")}, "above 0"),
        ({"target": Fraction(1, 10**400)}, "above 0"),
        ({"target": 10**400}, "above 0 and finite"),
        ({"target": np.float32(0)}, "above 0"),
        ({"target": np.float32("inf")}, "above 0 and finite"),
        ({"method": "cfr+", "iterations": True}, "iterations must be at least 1, got True"),
        (
            {"method": "cfr+", "warm_start": "uniform", "warm_iterations": 2.5},
            "an integer from 1 up, got 2.5",
        ),
        ({"method": "mccfr-external", "seed": 1.5}, "seed must be an integer or none, got 1.5"),
        ({"method": "mccfr-external", "seed": True}, "seed must be an integer or none, got true"),
        ({"method": "mccfr-outcome", "exploration": "1"}, "exploration must be a number or none, got '1'"),
        ({"form": "table", "max_infosets": 1.5}, "max_infosets must be an integer or none, got 1.5"),
        ({"bets": "1"}, "Libratus"),
    ]
)
def test_bad_options(options, says):
    with pytest.raises(ValueError, match=says):
        tp.solve("kuhn_poker", **options)


def test_exact_optima_have_a_size_limit(spot, monkeypatch):
    monkeypatch.setattr(programs, "EXACT_ROWS", 10)
    with pytest.raises(ValueError, match="at most 10 rows"):
        tp.solve(spot, exact=True)


def test_programs_have_a_size_limit(spot, monkeypatch):
    monkeypatch.setattr(programs, "MOST_SEQUENCES", 10)
    with pytest.raises(ValueError, match=r"at most 10 sequences.*use a regret minimiser"):
        tp.solve(spot)


def test_a_strategy_for_another_game_is_refused(spot):
    with pytest.raises(ValueError, match="the profile is of another game"):
        tp.check("kuhn_poker", tp.solve("leduc_poker").profile)


def test_a_run_is_planned_for_its_own_iterations_unless_told(tmp_path):
    def of(**options):
        return tp.solve("kuhn_poker", "hs-dcfr", **options).nash_conv

    assert of(iterations=20) == of(iterations=20, horizon=20) != of(iterations=20, horizon=40)
    assert of(target=1e-2, horizon=40) < 1e-2
    averaged = tp.solve("kuhn_poker", "hs-pcfr+", iterations=20, average="linear").nash_conv
    assert averaged == tp.solve("kuhn_poker", "pcfr+", iterations=20, average="linear").nash_conv
    of(iterations=20, checkpoint=tmp_path / "run.npz")
    with pytest.raises(ValueError, match="is of another run"):
        of(iterations=40, checkpoint=tmp_path / "run.npz")
    of(iterations=40, horizon=20, checkpoint=tmp_path / "run.npz")
    start = tp.solve("kuhn_poker", "cfr", iterations=9)
    warm = {"iterations": 20, "warm_start": start, "warm_iterations": 30}
    assert of(**warm) == of(**warm, horizon=50) != of(**warm, horizon=20)
    with pytest.raises(ValueError, match=r"horizon must be an integer or none, got 2\.5"):
        of(iterations=5, horizon=2.5)


@over(VARIANTS)
def test_every_variant_proves_an_interval_that_holds_the_value(method):
    rows = [tp.solve(LEDUC, method, iterations=n) for n in (20, 200)]
    assert all(row.certificate.contains(exact_leduc()) for row in rows)
    assert rows[1].nash_conv < rows[0].nash_conv
    assert rows[0].method == method


def test_averages_and_orders_are_what_they_say():
    """NashConv of CFR+ on Kuhn poker by scheme; the scheme of each circulating number is named."""
    after = tp.solve("kuhn_poker", "cfr+", iterations=1000)
    before = tp.solve("kuhn_poker", "cfr+", iterations=1000, counted="before")
    assert after.nash_conv == pytest.approx(1.48170e-4, rel=4e-6)
    assert before.nash_conv == pytest.approx(1.747306e-4, rel=1e-6)
    both = [tp.solve("kuhn_poker", "cfr", iterations=50, order=o) for o in ("alternating", "simultaneous")]
    assert both[0].nash_conv != both[1].nash_conv
    last = tp.solve("kuhn_poker", "pcfr+", iterations=2000, average="last")
    assert last.nash_conv < 1e-3, "predictive CFR+ converges in its last iterates on Kuhn poker"


def test_a_warm_start_goes_on_from_a_strategy(tmp_path):
    path = tmp_path / "start.csv"
    good = tp.solve("leduc_poker", "cfr+", iterations=300)
    tp.write(good.profile, path)
    warm = tp.solve("leduc_poker", "cfr", iterations=1, warm_start=path, warm_iterations=1000, traced=True)
    cold = tp.solve("leduc_poker", "cfr", iterations=1)
    assert warm.nash_conv < 1.5 * good.nash_conv < cold.nash_conv / 100
    assert warm.trace[0].iterations == warm.iterations == 1001
    assert warm.parameters["warm_iterations"] == 1000
    forced = tp.solve("liars_dice(faces=3)", "cfr+", iterations=100).profile
    assert tp.solve("liars_dice(faces=3)", "dcfr", iterations=5, warm_start=forced).iterations == 1005
    with pytest.raises(ValueError, match=r"a warm start is for cfr, .* got mccfr-external"):
        tp.solve("leduc_poker", "mccfr-external", iterations=1, warm_start=path)
    with pytest.raises(ValueError, match="warm_iterations must be an integer from 1 up, got 0"):
        tp.solve("leduc_poker", "cfr", iterations=1, warm_start=path, warm_iterations=0)
    with pytest.raises(ValueError, match="player 0"):
        tp.solve("kuhn_poker", "cfr", iterations=1, warm_start=path)


def test_a_trace_is_what_was_proved_on_the_way(tmp_path):
    found = tp.solve("kuhn_poker", "cfr+", iterations=100, traced=True)
    assert [point.iterations for point in found.trace[:4]] == [1, 2, 3, 4]
    assert found.trace[-1].iterations == 100
    assert found.trace[-1].certificate == found.certificate
    assert all(a.seconds <= b.seconds for a, b in pairwise(found.trace))
    early = tp.solve("kuhn_poker", "cfr+", iterations=found.trace[9].iterations)
    assert early.nash_conv == found.trace[9].certificate.nash_conv
    table = trace_table("kuhn_poker", "cfr+", "chips", found.trace)
    write_trace(table, tmp_path / "a.csv")
    pd.testing.assert_frame_equal(read_trace(tmp_path / "a.csv"), table)
    assert [point.iterations for point in tp.solve("kuhn_poker", "cfr", iterations=9).trace] == [9]
    with pytest.raises(ValueError, match="a trace is for regret minimisers, got method lp"):
        tp.solve("kuhn_poker", "lp", traced=True)


@pytest.mark.seconds(3)
@over(SAMPLERS)
def test_sampling_is_proved_like_everything_else(method):
    runs = [tp.solve(LEDUC, method, iterations=1000, seed=s) for s in (1, 1, 2)]
    assert all(run.certificate.contains(exact_leduc()) for run in runs)
    assert runs[0].nash_conv == runs[1].nash_conv != runs[2].nash_conv


def test_profiles_move_between_numberings():
    """A poker game is numbered by its public tree here and by its histories there; the keys are the same."""
    problem = tp.load("leduc_poker")
    walked = tree_form(build_tree(problem.game))
    profile = tp.solve(problem).profile
    there = profile.transfer(walked.treeplexes)
    widths = [certify(f, p).nash_conv for f, p in ((walked, there), (problem.form, profile))]
    assert widths[0] == pytest.approx(widths[1], abs=1e-12)
    back = there.transfer(problem.form.treeplexes)
    assert all((a == b).all() for a, b in zip(back.behaviour, profile.behaviour, strict=True))
    kuhn = tp.load("kuhn_poker")
    with pytest.raises(ValueError, match="the profile is of another game: it has more actions"):
        profile.transfer(kuhn.form.treeplexes)
    with pytest.raises(ValueError, match="the profile is of another game: it has no 'c' at 'J"):
        tp.solve(kuhn).profile.transfer(problem.form.treeplexes)


@two_tiers(
    ["matrix_game(payoff=[[0,0],[0,0]])", "matrix_game(payoff=[[1,0],[0,1e-6]])", HARD[0]],
    ["matrix_game(payoff=[[5]])", *HARD[1:]],
    seconds=(3, 3),
)
def test_honest_methods_pass_on_odd_games(spec):
    """Equal payoffs, payoffs of very different sizes, subgames that are hard to solve again."""
    comparison = tp.crosscheck(spec)
    assert comparison.passed, comparison.stuck
    assert set(comparison.gave_up) <= {"cfr-d"}


def test_a_second_stack_that_cannot_hold_an_optimum_says_so():
    """The optimum plays 1e-200, far below what an interior point method leaves of a zero."""
    comparison = tp.crosscheck("matrix_game(payoff=[[1e200,-1],[0,1]])")
    assert comparison.passed, comparison.stuck
    assert "the certificate's width" in comparison.gave_up["clarabel"]
    assert [row.status for row in comparison.rows] == ["exact"]


def test_a_game_that_was_too_large_to_keep_is_not_walked_again(monkeypatch):
    monkeypatch.setattr(problem, "MOST_HISTORIES", 10)
    large = tp.load("coin_toss")
    monkeypatch.setattr(problem, "build_tree", None)
    assert not large.is_enumerable
    assert tp.solve(large, "cfr+", iterations=50).nash_conv < 0.1
    with pytest.raises(ValueError, match="coin_toss has more than 10 histories"):
        tp.solve(large, "mccfr-external", iterations=5)


def test_minimisers_refuse_payoffs_beyond_floats():
    for payoff in ("[[1e200,-1],[0,1]]", "[[1e-200,0],[0,1e-200]]"):
        with pytest.raises(ValueError, match="take games whose payoffs differ by 1e-120 to 1e\\+120, got"):
            tp.solve(f"matrix_game(payoff={payoff})", "cfr+", iterations=5)
    assert tp.solve("matrix_game(payoff=[[1e200,-1],[0,1]])").nash_conv < 1e-6


def test_hands_that_meet_no_other_on_a_board_have_infosets_too():
    """Where a ten comes, any two hands of tens share a card: TT meets no TT."""
    problem = tp.load('small_holdem(board="As Ks Qs Jh",suits=4,ranges=["TT,99","TT"])')
    exact = tp.solve(problem)
    for method in ("cfr", "mccfr-external", "mccfr-outcome"):
        run = tp.solve(problem, method, form="tree", iterations=50, seed=1 if method != "cfr" else None)
        assert not run.certificate.disjoint(exact.certificate), method
