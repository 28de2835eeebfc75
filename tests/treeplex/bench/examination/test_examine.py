"""Examinations: verdicts, games, files of strategies, rungs for pytest, solvers of other packages."""

import json

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.bench.examination.answers import UNKNOWN
from treeplex.bench.examination.examine import chosen
from treeplex.bench.examination.examined import evidence_of, judged
from treeplex.bench.examination.fingerprint import Fingerprint
from treeplex.bench.examination.record import Record
from treeplex.cfr.variant import ON_TREEPLEXES, PLANNED, RULES, VARIANTS
from treeplex.cli.main import run
from treeplex.core.loading import load
from treeplex.solving.methods import METHODS

KEYS = ["game", "verdict", "skipped", "nash_conv", "slope", "fingerprint", "where"]
NAMED = [name for name in VARIANTS if name not in PLANNED]
"""Which fingerprints know; rules with a plan depend on it."""
STEPPING = [*RULES, *ON_TREEPLEXES]
"""Local rules, and whole treeplexes."""
SPOT = 'small_holdem(board="As Kh Qs Jh Th",ranks=5)'
OPTIMUM = tp.solve("kuhn_poker", "lp")
DOUBLING = [2**k for k in range(13)]


def test_the_ladder_rises_and_holds_what_hides_bugs() -> None:
    ladder = tp.rungs()
    specs = [rung.game for rung in ladder]
    assert {"dummy_pennies", "coin_toss", "kuhn_poker", "kuhn_poker(ranks=13)", "leduc_poker"} <= set(specs)
    forms = {spec: load(spec).form for spec in specs}
    never = [spec for spec, form in forms.items() if 0 in form.n_infosets]
    assert len(never) == 2
    sizes = [sum(form.n_sequences) for form in forms.values()]
    assert sizes[-1] == max(sizes)
    assert sorted(sizes)[:3] == sorted(sizes[:3]) or sizes[0] < 12
    assert [rung.name for rung in ladder if rung.terms.is_spot] == ["example:river"]
    assert len({rung.what for rung in ladder}) > 12


def test_zero_reaches_are_on_the_ladder() -> None:
    # Regret matching leaves actions out, so that infosets below them are not reached.
    form = load("liars_dice(dice=1,faces=3)").form
    profile = tp.solve("liars_dice(dice=1,faces=3)", "cfr", iterations=3, average="last").profile
    plans = profile.plans
    assert any((plan[t.parent] == 0.0).any() for plan, t in zip(plans, form.treeplexes, strict=True))


def test_a_rung_checks_a_solver_in_a_test() -> None:
    kuhn = next(rung for rung in tp.rungs() if rung.game == "kuhn_poker")
    kuhn.check(lambda game, iterations: OPTIMUM)
    uniform = tp.Profile(OPTIMUM.profile.treeplexes, tuple(t.uniform() for t in OPTIMUM.profile.treeplexes))
    with pytest.raises(
        AssertionError, match=r"^kuhn_poker: wrong: the same strategy .* NashConv 0.917 chips"
    ):
        kuhn.check(lambda game, iterations: uniform)
    river = tp.rungs()[-1]
    river.check(lambda game, iterations: pytest.fail("it takes no spots"))


def test_games_that_a_solver_does_not_take_are_skipped() -> None:
    def picky(game, iterations):
        if game.name != "kuhn_poker":
            raise NotImplementedError("only Kuhn\npoker")
        return OPTIMUM

    found = tp.examine(picky, ["coin_toss", "kuhn_poker"])
    assert (found.verdict, found.line) == ("correct", "correct on kuhn_poker")
    assert found.rungs[0].as_json() == dict.fromkeys(KEYS) | {
        "game": "coin_toss",
        "skipped": "only Kuhn poker",
        "where": [],
    }
    with pytest.raises(ValueError, match=r"no game was for the solver; coin_toss: skipped: only Kuhn poker"):
        tp.examine(picky, "coin_toss")


@pytest.mark.seconds(3)
def test_a_wrong_solver_is_spared_the_large_games_and_the_first_is_named() -> None:
    names = []

    def first(game, iterations):
        names.append(game.name)
        return {
            (player, key): {a: float(a == t.actions[t.begin[i]]) for a in t.actions[t.begin[i] : t.end[i]]}
            for player, t in enumerate(load(game).form.treeplexes)
            for i, key in enumerate(t.infosets)
        }

    found = tp.examine(first)
    assert found.verdict == "wrong"
    assert found.line.startswith("wrong, first on dummy_pennies: the same strategy whatever the iterations")
    skipped = [rung.game for rung in found.rungs if rung.verdict is None]
    assert skipped == ["goofspiel(cards=4)", "leduc_poker", "example:river"]


def test_files_are_examined_like_a_solver(tmp_path) -> None:
    for t in (1, 2, 3, 4, 8, 16):
        tp.write(tp.solve("kuhn_poker", "cfr", iterations=t), tmp_path / f"mine_{t}.csv")
    found = tp.examine([*tmp_path.glob("*.csv")], "kuhn_poker")
    assert found.verdict == "correct"
    assert [t for t, _ in found.rungs[0].series] == [1, 2, 3, 4, 8, 16]
    assert found.rungs[0].fingerprint.variant == "cfr"
    with pytest.raises(ValueError, match="files of strategies are of one game, which games must name"):
        tp.examine([*tmp_path.glob("*.csv")])
    with pytest.raises(ValueError, match=r"must end in _T\.csv, after T iterations, got mine\.csv"):
        tp.examine(["mine.csv"], "kuhn_poker")
    (tmp_path / "other_04.csv").write_text((tmp_path / "mine_4.csv").read_text())
    with pytest.raises(ValueError, match="are both after 4 iterations"):
        tp.examine([*tmp_path.glob("*_*4.csv")], "kuhn_poker")
    with pytest.raises(ValueError, match=r"mine_1\.csv, row 1: player 0 has no infoset 'J:'"):
        tp.examine(tmp_path / "mine_1.csv", "coin_toss")


@over(
    [
        ((10, 100, 1000, 3), "correct"),
        ((1, 3, 5, 100), "correct"),  # no powers of two, and three that double
        ((7, 9, 5, 3), "correct"),
        ((1, 3, 5, 100, 1), "wrong"),  # after the most iterations the first strategy again
    ]
)
def test_the_strategy_after_the_most_iterations_is_judged(iterations, verdict, tmp_path) -> None:
    after = iterations if verdict == "correct" else (1, 2, 3, 4, 1000)
    for t, named in zip(iterations, after, strict=True):
        tp.write(tp.solve("kuhn_poker", "cfr+", iterations=t), tmp_path / f"mine_{named}.csv")
    (rung,) = tp.examine([*tmp_path.glob("*.csv")], "kuhn_poker").rungs
    last = tp.solve("kuhn_poker", "cfr+", iterations=max(iterations) if verdict == "correct" else 1)
    assert (rung.verdict, rung.series[-1][0]) == (verdict, max(after))
    assert f"NashConv {last.nash_conv:.3g} chips after {max(after):,} iterations" in rung.reason


def test_one_file_is_judged_by_its_certificate(tmp_path) -> None:
    tp.write(OPTIMUM, tmp_path / "mine_1000.csv")
    assert tp.examine(tmp_path / "mine_1000.csv", "kuhn_poker").verdict == "correct"
    tp.write(tp.solve("kuhn_poker", "cfr", iterations=1), tmp_path / "other_1000.csv")
    found = tp.examine(tmp_path / "other_1000.csv", "kuhn_poker")
    assert found.verdict == "cannot tell"


def test_arguments_out_of_range_are_refused() -> None:
    for words, arguments in {
        "iterations must be an integer between 1 and 1,000,000,000,000, got 0": {"iterations": 0},
        "seconds must be above 0 and at most 1,000,000, got 0": {"seconds": 0},
        "seconds must be above 0 and at most 1,000,000, got 1": {"seconds": 1e19},
        "games must be ladder or at least one game, got none": {"games": []},
        "unknown game 'kuhn'": {"games": "kuhn"},
    }.items():
        with pytest.raises(ValueError, match=words):
            tp.examine("treeplex:lp", **arguments)


@pytest.mark.seconds(20)
@over(["treeplex:lp", "treeplex:clarabel", "openspiel:lp", "gambit:lp"])
def test_linear_programs_of_other_packages_pass(name) -> None:
    for module in {"clarabel": ["cvxpy"], "openspiel": ["pyspiel", "cvxpy"], "gambit": ["pygambit"]}.get(
        name.replace("treeplex:", "").split(":")[0], []
    ):
        pytest.importorskip(module)
    found = tp.examine(name, ["dummy_pennies", "coin_toss", "goofspiel(cards=3)"], seconds=60)
    assert found.verdict == "correct", found.line
    assert [rung.slope for rung in found.rungs] == [None] * 3


@pytest.mark.seconds(20)
def test_minimisers_of_openspiel_pass_and_are_named() -> None:
    pytest.importorskip("pyspiel")
    games = ["kuhn_poker", "openspiel:kuhn_poker", "coin_toss"]
    variants = {}
    for name in ("cfr", "cfr+"):
        found = tp.examine(f"openspiel:{name}", games, iterations=64, seconds=60)
        assert found.verdict == "correct", found.line
        variants[name] = {rung.fingerprint.variant for rung in found.rungs[:2]}
    assert variants == {"cfr": {"cfr"}, "cfr+": {"cfr+"}}


@pytest.mark.seconds(3)
def test_a_user_s_solver_of_openspiel_s_games_is_handed_them(tmp_path, monkeypatch) -> None:
    pytest.importorskip("pyspiel")
    (tmp_path / "theirs.py").write_text(
        "import pyspiel\ndef uniform(game, iterations):\n    return pyspiel.UniformRandomPolicy(game)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert tp.examine("openspiel:theirs:uniform", "kuhn_poker").verdict == "wrong"


@pytest.mark.seconds(3)
def test_an_answer_that_is_no_policy_of_openspiel_is_refused(tmp_path, monkeypatch) -> None:
    pytest.importorskip("pyspiel")
    (tmp_path / "theirs.py").write_text("def nothing(game, iterations):\n    return 7\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="it must return a policy of OpenSpiel or a pair, got 7"):
        tp.examine("openspiel:theirs:nothing", "kuhn_poker")


@pytest.mark.seconds(90)
@over(NAMED)
def test_our_own_full_width_minimisers_pass_and_are_named(name) -> None:
    found = tp.examine(f"treeplex:{name}", ["kuhn_poker", "coin_toss", "leduc_poker(raises=1)"])
    assert found.verdict == "correct", found.line
    assert {rung.fingerprint.variant for rung in found.rungs} == {name}


@pytest.mark.seconds(190)
@over(["mccfr-public", *sorted({*METHODS} - {*NAMED} - {*STEPPING} - {"mccfr-public"})])
def test_our_other_minimisers_pass(name) -> None:
    found = tp.examine(f"treeplex:{name}", ["kuhn_poker", "coin_toss", "leduc_poker(ranks=2)"])
    assert found.verdict == "correct", found.line


@pytest.mark.seconds(140)
@over(STEPPING)
def test_our_minimisers_by_steps_converge(name) -> None:
    found = tp.examine(f"treeplex:{name}", ["kuhn_poker", "coin_toss"])
    assert found.verdict in ("correct", "converging"), found.line


def record_of(width, noise=0.3, optimum=OPTIMUM):
    """Return what a solver answered whose plays are mixtures of an optimum, Kuhn poker's, and the uniform."""
    rng = np.random.default_rng(1)

    def solver(game, iterations):
        part = min(width(iterations) * np.exp(noise * rng.standard_normal()), 1.0)
        return tp.Profile(
            optimum.profile.treeplexes,
            tuple(
                (1.0 - part) * b + part * t.uniform()
                for b, t in zip(optimum.profile.behaviour, optimum.profile.treeplexes, strict=True)
            ),
        )

    problem = load(optimum.game)
    record = Record(problem)
    for t in DOUBLING:
        record.add(t, solver(problem.game, t))
    return record


def sampled(width, noise=0.3):
    """Return the report on such a solver without fingerprint."""
    return judged(record_of(width, noise), None, 0.02)


def test_a_method_that_samples_is_judged_by_a_slope_with_noise() -> None:
    assert sampled(lambda t: t**-0.5).verdict == "correct"
    assert sampled(lambda t: 10.0 * t**-0.5).verdict == "converging"
    assert sampled(lambda t: 0.2 + t**-0.5, noise=0.1).verdict == "wrong"
    assert sampled(lambda t: 0.2 + t**-0.5).verdict != "correct"


def test_narrow_strategies_that_are_not_seen_to_fall_are_not_correct() -> None:
    found = sampled(lambda t: 0.01)
    assert found.verdict in ("wrong", "cannot tell"), found.line


def test_an_unknown_method_must_come_within_parts_of_the_game_s_scale() -> None:
    record = record_of(lambda t: t**-0.5, optimum=tp.solve(SPOT, "lp"))
    reached = record.width / record.scale
    assert record.scale > 1.5
    assert judged(record, None, 1.01 * reached).verdict == "correct"
    assert judged(record, None, 0.99 * reached).verdict == "converging"


def test_only_averages_of_known_methods_are_trusted_before_they_are_narrow() -> None:
    record = record_of(lambda t: t**-0.5)
    for averaging, verdict in (("linear", "correct"), ("last", "converging")):
        found = Fingerprint("cfr+", averaging, "simultaneous")
        assert judged(record, found, 0.1 * record.width / record.scale).verdict == verdict


def test_one_optimal_strategy_among_others_proves_nothing() -> None:
    assert sampled(lambda t: 0.0 if t == 64 else 0.3).verdict == "cannot tell"


def test_a_method_that_samples_is_not_stuck_before_it_has_left_its_start() -> None:
    record = Record(load("leduc_poker(ranks=2)"))
    uniform = tp.Profile(
        record.problem.whole.treeplexes, tuple(t.uniform() for t in record.problem.whole.treeplexes)
    )
    for t in DOUBLING:
        record.add(t, uniform)
    assert evidence_of(record, None, 0.05).trend.state == "stuck"
    assert judged(record, None, 0.05).verdict == "wrong"  # the same strategy whatever the iterations
    changed = tuple(b.copy() for b in uniform.behaviour)
    changed[0][1:3] = 0.25, 0.75
    record.add(2 * DOUBLING[-1], tp.Profile(uniform.treeplexes, changed))
    assert judged(record, None, 0.05).verdict == "cannot tell"


@pytest.mark.seconds(5)
def test_what_was_found_before_an_error_is_kept(capsys, tmp_path, monkeypatch) -> None:
    (tmp_path / "some.py").write_text(
        "import treeplex as tp\n"
        "def solve(game, iterations):\n"
        "    if game.name == 'coin_toss':\n        raise KeyError('heads')\n"
        "    return tp.solve(game, 'lp')\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["examine", "some:solve", "--games", "kuhn_poker,coin_toss,dummy_pennies", "--iterations", "4"]
    assert run([*words, "--json"]) == 2
    out, err = capsys.readouterr()
    line = "coin_toss after 1 iteration: the solver raised KeyError: 'heads'"
    assert err == f"treeplex: {line}\n"
    answer = json.loads(out)
    assert answer["verdict"] is None
    assert [(rung["game"], rung["verdict"], rung["skipped"]) for rung in answer["rungs"]] == [
        ("kuhn_poker", "correct", None),
        ("coin_toss", None, f"could not be run: {line}"),
    ]
    assert run(words) == 2
    out, _ = capsys.readouterr()
    assert out.startswith(f"could not be run: {line}\n")
    assert "kuhn_poker" in out


def test_games_of_the_ladder_keep_their_terms_where_they_are_named() -> None:
    ladder = {rung.game: rung.terms.within for rung in tp.rungs()}
    assert [rung.terms.within for rung in chosen(["leduc_poker(ranks=2)", "leduc_poker(ranks=5)"])] == [
        ladder["leduc_poker(ranks=2)"],
        UNKNOWN,
    ]


@pytest.mark.seconds(20)
@over(["cfr", "cfr+", "dcfr", "pcfr+"])
def test_methods_of_liteefg_pass_and_are_named(name) -> None:
    pytest.importorskip("LiteEFG")
    found = tp.examine(f"liteefg:{name}", ["kuhn_poker", "openspiel:kuhn_poker"])
    assert found.verdict == "correct", found.line
    assert {rung.fingerprint.variant for rung in found.rungs} == {name}


def test_arguments_of_other_types_are_named():
    for games in (3, [3], None):
        with pytest.raises(TypeError, match="a game must be a spec, a path, a problem or an object"):
            tp.examine("treeplex:lp", games)
    with pytest.raises(ValueError, match="a solver or at least one strategy file must be given, got none"):
        tp.examine([], "kuhn_poker")
