"""One door: which method runs on which form, chosen by size or named, why, and that its results are taken."""

import json
import re
import time
from functools import cache

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed, rows_of
from treeplex.solving.choice import choose
from treeplex.solving.methods import FORMS, METHODS, forms_of

GAME = "leduc_poker(ranks=2,raises=1)"
SEEN = "leduc_poker(ranks=2,raises=1,suits_visible=true)"
GOOFSPIEL = "goofspiel(cards=12)"
problem_of = cache(tp.load)
UNPROVED = ("value", "lower", "upper", "nash_conv", "exploitability", "gains", "distance_to_value", "ev")


@over(
    [
        ("kuhn_poker", ("lp", "public"), ("cfr+", "tree")),
        ("leduc_poker", ("lp", "public"), ("cfr+", "tree")),
        ("leduc_poker(ranks=13)", ("lp", "public"), ("cfr+", "tree")),
        ("example:river", ("lp", "public"), ("cfr+", "public")),
        ("example:locked_river", ("lp", "public"), ("cfr+", "tree")),
        ("example:turn", ("dcfr", "boards"), ("dcfr", "boards")),
        ("example:flop", ("dcfr", "boards"), ("dcfr", "boards")),
        ("rhode_island", ("dcfr", "boards"), ("dcfr", "boards")),
        ("coin_toss", ("lp", "tree"), ("cfr+", "tree")),
    ]
)
def test_method_and_form_follow_from_the_size(spec, plain, minimiser):
    clock, problem = time.process_time(), tp.load(spec)
    for asked, expected in ((False, plain), (True, minimiser)):
        choice = choose(problem, None, None, asked)
        assert (choice.method, choice.form) == expected
        assert re.search("is quick" if expected[0] == "lp" else "; ", choice.why)
        assert ("was given" in choice.why) == asked
    assert time.process_time() - clock < 5.0


@over([None, "lp", *METHODS], [None, *FORMS], ["kuhn_poker", "coin_toss"])
def test_what_is_named_is_kept_and_what_does_not_go_together_is_refused(method, form, spec):
    problem = problem_of(spec)
    own = "public" if spec == "kuhn_poker" else "tree"
    has = {"tree", own, "table"} | ({"boards"} if own == "public" else set())
    legal = (own,) if method == "lp" else FORMS if method is None else forms_of(method)
    runs = {form} if form in legal else {*legal} if form is None else set()
    if not runs & has:
        with pytest.raises(
            ValueError, match=r"runs on|has no form|needs a (poker game|card abstraction|store)"
        ):
            choose(problem, method, form, True)
        return
    choice = choose(problem, method, form, True)
    assert choice.method == (method or choice.method)
    assert choice.form in runs & has
    assert choice.form in ((own,) if choice.method == "lp" else forms_of(choice.method))
    assert choice.why
    assert "\n" not in choice.why
    assert not choice.why.endswith(".")


def test_a_named_method_runs_where_it_is_told():
    for method in ("cfr+", "dcfr"):
        for form in {*forms_of(method)} - {"buckets", "split"}:
            found = tp.solve(GAME, method, form=form, iterations=5)
            assert (found.method, found.form, found.why) == (method, form, "method and form were asked for")
    found = tp.solve("kuhn_poker", "mccfr-public", iterations=5)
    assert (found.form, found.seed) == ("public", 0)


def test_iterations_alone_ask_for_a_minimiser():
    assert tp.solve("kuhn_poker").method == "lp"
    found = tp.solve("kuhn_poker", iterations=10)
    assert (found.method, found.iterations) == ("cfr+", 10)
    assert tp.solve("kuhn_poker", target=0.1).method == "lp"


def test_why_is_said_in_the_table_and_in_json(capsys):
    row = json.loads(printed(capsys, "solve", GAME, "--iterations", 5, "--json"))
    assert row["why"].startswith(rows_of(printed(capsys, "solve", GAME, "--iterations", 5))["why"])
    assert row["why"].startswith("an option of regret minimisers was given; ")
    row = json.loads(printed(capsys, "solve", GAME, "--form", "boards", "--json"))
    assert row["why"] == "the form was asked for, and the linear program does not run there"
    assert row["exploitability"] <= tp.load(GAME).unit_size / 1000


def test_what_was_chosen_is_announced_before_it_runs():
    found = []

    def stop(choice):
        found.append(choice)
        raise KeyboardInterrupt

    clock = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        tp.solve("rhode_island", announce=stop)
    assert [(choice.method, choice.form) for choice in found] == [("dcfr", "boards")]
    assert time.process_time() - clock < 2.0


# too large for memory


@pytest.mark.seconds(3)
def test_what_does_not_fit_is_refused_with_its_size_and_sampled_on_request(complaint, capsys):
    line = complaint("solve", "limit_holdem")
    assert re.search(r"at least [\d,.]+ GiB, more than .*; method mccfr-external .* samples it", line)
    row = json.loads(printed(capsys, "solve", "limit_holdem", "--iterations", 10, "--json"))
    assert (row["method"], row["form"], row["certified"]) == ("mccfr-external", "table", False)
    assert [row[key] for key in UNPROVED] == [None] * len(UNPROVED)
    assert row["n_infosets"] > 0
    table = rows_of(printed(capsys, "solve", "limit_holdem", "--iterations", 10))
    assert table["certified"] == "nothing: the game is not enumerated"
    assert table["infosets"].endswith(" met")
    for key in ("value", "NashConv", "exploitability"):
        assert key not in table


def test_games_are_not_walked_for_a_hash_table(capsys):
    clock = time.process_time()
    options = ["--method", "mccfr-outcome", "--form", "table", "--iterations", 2, "--json"]
    row = json.loads(printed(capsys, "solve", GOOFSPIEL, *options))
    assert row["certified"] is False
    found = tp.solve(GOOFSPIEL, "mccfr-outcome", form="table", iterations=2)
    assert found.n_infosets == row["n_infosets"] > 0
    assert time.process_time() - clock < 20.0


# refused before anything long starts


@over(
    [
        ("--method hedge --form boards", "hedge runs on tree or public, got boards"),
        ("--method mccfr-chance --form table", "mccfr-chance runs on tree, got table"),
        ("--method lp --form tree", "the linear program of rhode_island has no form tree"),
        ("--form forest", "form must be one of tree, public, boards, split, buckets, table, got 'forest'"),
        ("--method vector-cfr+", "method must be one of lp, cfr, .* got 'vector-cfr+'"),
        ("--method lp --threads 2", "threads are for regret minimisers, got method lp"),
        (
            "--method cfr+ --form boards --set streams=2",
            "cfr+ on boards takes average, isomorphism, threads, storage, scales, average_scales, "
            "warm_up, got",
        ),
        (
            "--method cfr+ --form public --threads 2",
            "cfr+ on public takes average, counted, order, got threads 2",
        ),
        ("--method dcfr --threads 0", "threads must be between 1 and 64, got 0"),
        ("--form boards --exact", "exact certificates are for strategies on trees, got the form boards"),
        ("--form table", "needs a number of iterations: nothing certifies it"),
        ("--method dcfr --solver ipm", "solver is for lp, got 'ipm' with dcfr"),
    ]
)
def test_what_does_not_go_together_is_one_line_at_once(options, says, complaint):
    clock = time.process_time()
    assert re.search(says.replace("+", r"\+"), complaint("solve", "rhode_island", *options.split()))
    assert time.process_time() - clock < 3.0


@over(["public", "table"])
def test_locked_hands_run_on_the_tree_or_on_boards(form, complaint):
    line = complaint("solve", "example:locked_river", "--form", form, "--iterations", 5)
    assert "where hands are locked a method runs on the tree or on boards, got" in line


def test_warm_starts_run_on_the_tree():
    start = tp.solve(GAME).profile
    found = tp.solve(GAME, warm_start=start, iterations=5)
    assert (found.method, found.form) == ("cfr+", "tree")
    assert found.why == "a warm start is for full-width minimisers on the tree"
    for form in ("public", "boards", "table"):
        with pytest.raises(ValueError, match=f"a warm start is for the tree, got the form {form}"):
            tp.solve(GAME, form=form, warm_start=start)


# files and threads


def test_a_file_of_boards_asks_for_no_form(complaint, tmp_path):
    path = tmp_path / "strategy.npz"
    assert "boards of a poker game, got coin_toss" in complaint("solve", "coin_toss", "--out", path)
    assert not path.exists()


@over(["float32", "int16"])
def test_threads_change_no_bit(storage):
    one, two, three = (
        tp.solve(GAME, "pcfr+", form="boards", iterations=50, storage=storage, threads=threads)
        for threads in (1, 2, 3)
    )
    for other in (two, three):
        for a, b in zip(one.strategy.weight, other.strategy.weight, strict=True):
            np.testing.assert_array_equal(a, b)
        changed = {"seconds"}
        a, b = one.as_json(), other.as_json()
        assert {key for key in a if a[key] != b[key]} <= changed
        assert one.certificate.rounding == other.certificate.rounding


# every result is taken wherever a strategy is


@pytest.mark.seconds(3)
@over(
    [
        ("lp", None, ".csv"),
        ("cfr+", "tree", ".json"),
        ("cfr+", "public", ".parquet"),
        ("mccfr-public", None, ".csv"),
        ("cfr-d", None, ".csv"),
        ("dcfr", "boards", ".npz"),
    ]
)
def test_check_takes_what_solve_gives(method, form, suffix, tmp_path):
    path = tmp_path / f"strategy{suffix}"
    options = {} if method == "lp" else {"iterations": 20}
    found = tp.solve(SEEN, method, form=form, **options)
    tp.write(found, path)
    rounding = found.certificate.rounding
    for given in (path, str(path), found, found.strategy, tp.read(SEEN, path)):
        again = tp.check(SEEN, given)
        assert again.nash_conv == pytest.approx(found.nash_conv, rel=1e-12, abs=1e-12 + 4 * rounding)
        assert again.exploitability == again.nash_conv / 2


def test_check_takes_what_sampling_met(tmp_path):
    path = tmp_path / "strategy.csv"
    found = tp.solve(GAME, form="table", iterations=5_000)
    tp.write(found, path)
    widths = {tp.check(GAME, given, missing="uniform").nash_conv for given in (path, found, found.strategy)}
    assert len(widths) == 1
    assert widths.pop() < 0.5


def test_options_that_nobody_has_are_refused():
    for value in (None, 1):
        with pytest.raises(TypeError, match="solve has no option bogus"):
            tp.solve("kuhn_poker", bogus=value)


def test_what_is_no_strategy_is_not_written(tmp_path):
    with pytest.raises(TypeError, match="a strategy or a result is written, got dict"):
        tp.write({(0, "J:"): {"c": 1.0}}, tmp_path / "a.csv")
    with pytest.raises(ValueError, match="a plot needs at least one run, got none"):
        tp.plot([], tmp_path / "a.png")
