"""Strategies as tables: read as a naive twin reads them, completed by a rule and never silently."""

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.profiles import random_profile
from treeplex import check, from_dict, load, resolve, show, solve, to_dict, write
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.files.completion import MISSING, Completed, complete_table
from treeplex.games.poker.locks import Lock
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.trees.game_tree import build_tree


@pytest.fixture(scope="module")
def kuhn():
    return load("kuhn_poker").form


@pytest.fixture(scope="module")
def solved():
    return solve("kuhn_poker").profile


@pytest.fixture
def table(solved):
    return solved.table()


def naive(table, form, missing):
    """Read a table row by row with dictionaries: the profile's numbers, and what was completed."""
    given = {}
    for row in table.to_dict(orient="records"):
        key = int(row["player"]), row["infoset"], row["action"]
        if key in given:
            raise ValueError("twice")
        given[key] = row["probability"]
    behaviours, infosets, actions = [], 0, 0
    for player, t in enumerate(form.treeplexes):
        behaviour = [1.0]
        for i, infoset in enumerate(t.infosets):
            moves = [(player, infoset, a) for a in t.actions[t.begin[i] : t.end[i]]]
            played = [given.pop(move, None) for move in moves]
            gone = played.count(None)
            if gone and missing == "error":
                raise ValueError("missing")
            if gone == len(moves):
                infosets += 1
                played = [1 / len(moves)] * len(moves)
            else:
                actions += gone
                played = [p or 0.0 for p in played]
            if not all(0 <= p <= 1.0005 for p in played) or abs(sum(played) - 1) > 5e-4:
                raise ValueError("no distribution")
            behaviour += [p / sum(played) for p in played]
        behaviours.append(behaviour)
    if given:
        raise ValueError("unknown")
    return behaviours, infosets, actions


def spoilt(table, rng):
    """Return a table with rows taken away, doubled, exchanged or given other numbers."""
    if rng.random() < 0.7:
        gone = rng.choice(sorted(set(table["infoset"])), size=2)
        table = table[~table["infoset"].isin(gone)]
    if rng.random() < 0.5:
        table = table[table["probability"] > 0]
    if rng.random() < 0.2 and len(table):
        table = table.drop(index=rng.choice(table.index))
    if rng.random() < 0.1 and len(table):
        table = pd.concat([table, table.sample(1, random_state=1)])
    if rng.random() < 0.2 and len(table):
        table = table.assign(
            probability=table["probability"] * rng.choice([1.0, 1.0004, 0.9, -1.0, math.nan])
        )
    if rng.random() < 0.1:
        table = table.replace({"infoset": {":a": ":z"}, "player": {0: 1}})
    return table.sample(frac=1.0, random_state=2)


@given(seed=st.integers(0, 10**6), missing=st.sampled_from(MISSING))
def test_the_naive_twin_reads_the_same(seed, missing):
    form = tree_form(build_tree(random_game(seed, depth=5)))
    if not sum(t.n_infosets for t in form.treeplexes):
        return
    rng = np.random.default_rng(seed)
    plays = [b * (rng.random(len(b)) > 0.3) for b in random_profile(form, seed).behaviour]
    profile = Profile(
        form.treeplexes, tuple(t.behaviour(b) for t, b in zip(form.treeplexes, plays, strict=True))
    )
    given_table = spoilt(profile.table(), rng)
    try:
        behaviours, infosets, actions = naive(given_table, form, missing)
    except ValueError:
        with pytest.raises(ValueError, match="the table"):
            complete_table(given_table, form, missing)
        return
    found = complete_table(given_table, form, missing)
    assert (found.infosets, found.actions) == (infosets, actions)
    for read, own in zip(found.strategy.behaviour, behaviours, strict=True):
        np.testing.assert_allclose(read, own, rtol=1e-14, atol=0)


def test_what_is_missing_is_refused_unless_it_is_asked_for(kuhn, table):
    part = table[table["player"] == 0]
    with pytest.raises(
        ValueError, match=r"player 1's 'c' at .* is missing .12 rows are; 6 infosets have none"
    ):
        complete_table(part, kuhn)
    found = complete_table(part, kuhn, "uniform")
    assert (found.infosets, found.actions) == (6, 0)
    assert found.strategy.behaviour[1].tolist() == kuhn.treeplexes[1].uniform().tolist()
    nothing = complete_table(table[:0], kuhn, "uniform")
    assert nothing.infosets == sum(t.n_infosets for t in kuhn.treeplexes)


def test_absent_actions_count_as_zero_only_beside_a_whole_distribution(kuhn, table):
    start = table["infoset"] == "J:"
    pure = table.assign(probability=table["probability"].where(~start, [1.0, 0.0] + [0.0] * (len(table) - 2)))
    shorter = pure.drop(index=1)
    found = complete_table(shorter, kuhn, "uniform")
    assert (found.infosets, found.actions) == (0, 1)
    assert found.strategy.behaviour[0][1:3].tolist() == [1.0, 0.0]
    with pytest.raises(ValueError, match=r"'r' at 'J:' is missing \(1 rows are\)$"):
        complete_table(shorter, kuhn)
    with pytest.raises(
        ValueError, match=r"'r' at 'J:' is missing, and what is there must sum to 1 .*got 0.75"
    ):
        complete_table(shorter.replace({"probability": {1.0: 0.75}}), kuhn, "uniform")


def test_a_table_without_players_must_leave_no_doubt(kuhn, table):
    profile = complete_table(table.drop(columns="player"), kuhn).strategy
    np.testing.assert_array_equal(profile.behaviour[1], complete_table(table, kuhn).strategy.behaviour[1])
    keys, actions, begin = ("a", "b"), ("", "x", "y", "x", "y"), np.array([1, 3])
    both = Treeplex(begin, begin + 2, 0 * begin, keys, actions)
    form = SimpleNamespace(treeplexes=(both, both))
    with pytest.raises(ValueError, match="both players have an infoset"):
        complete_table(random_profile(form, 0).table().drop(columns="player"), form)


@over(
    [
        (lambda t: t.rename(columns={"action": "move"}), "action missing"),
        (lambda t: pd.concat([t, t["player"]], axis=1), "column player appears twice"),
        (
            lambda t: t.rename(columns={"player": "action", "action": "player"}),
            "row 1: player must be 0 or 1",
        ),
        (lambda t: t.assign(player=t["player"] + 0.5), "row 1: player must be 0 or 1, got '0.5'"),
        (lambda t: t.assign(player=None), "row 1: player must be 0 or 1, got 'None'"),
        (lambda t: t.assign(infoset=b"J:"), "row 1: player 0 has no infoset"),
        (lambda t: t.assign(probability=True), "row 1: a probability .* got 'True'"),
        (lambda t: t.assign(probability=1j), "row 1: a probability .* got '1j'"),
        (lambda t: t.assign(probability=pd.array([None] * len(t), dtype="Float64")), "row 1: .* got '<NA>'"),
        (lambda t: t.assign(probability="2026-01-01"), "row 1: a probability"),
        (lambda t: t.assign(probability=pd.Timestamp(0)), "row 1: a probability"),
        (lambda t: t.assign(probability=[[0.5]] * len(t)), r"row 1: a probability .* got '\[0.5\]'"),
    ]
)
def test_bad_tables_are_refused_in_one_line(change, says, kuhn, table):
    with pytest.raises(ValueError, match=says) as error:
        complete_table(change(table), kuhn)
    assert "\n" not in str(error.value)


def test_what_is_no_table_is_refused(kuhn, table):
    with pytest.raises(TypeError, match="a path, a DataFrame, a mapping, a strategy or a result, got list"):
        check("kuhn_poker", [])
    for call in (
        lambda: complete_table(table, kuhn, "zero"),
        lambda: check("kuhn_poker", table, missing="zero"),
        lambda: solve("kuhn_poker", "cfr", warm_start=table, missing="zero"),
        lambda: show("kuhn_poker", strategy=table, missing="zero"),
        lambda: resolve("kuhn_poker", 0, blueprint=table, missing="zero"),
    ):
        with pytest.raises(ValueError, match="missing must be error or uniform, got 'zero'"):
            call()


def test_the_rule_is_refused_where_nothing_is_read():
    for call in (
        lambda: solve("kuhn_poker", "cfr", missing="uniform"),
        lambda: show("kuhn_poker", missing="uniform"),
        lambda: resolve("kuhn_poker", 0, blueprint="nash", missing="uniform"),
    ):
        with pytest.raises(ValueError, match="missing is for strategies that are tables, got uniform with"):
            call()


def test_check_takes_tables_and_says_what_it_completed(table, solved):
    whole = check("kuhn_poker", table)
    assert (whole.lower, whole.upper) == (
        check("kuhn_poker", solved).lower,
        check("kuhn_poker", solved).upper,
    )
    assert (whole.as_json()["completed"], whole.as_json()["absent"]) == (0, 0)
    half = check("kuhn_poker", table[table["player"] == 0], missing="uniform")
    assert half.lower == whole.lower
    assert half.upper > whole.upper
    assert dict(half.parameters) == {"exact": False, "missing": "uniform", "completed": 6, "absent": 0}


def test_locked_hands_without_rows_play_what_is_locked():
    """Kuhn poker in which player 1's king bets one time out of three when player 0 has checked."""
    third = Fraction(1, 3)
    game = replace(kuhn_poker(), locks=(Lock("c", {(44,): {"r": third, "c": 2 * third}}),))
    solution = solve(game)
    table = solution.profile.table()
    part = table[table["infoset"] != "K:c"]
    assert len(part) == len(table) - 2
    with pytest.raises(ValueError, match="is missing"):
        check(game, part)
    found = check(game, part, missing="uniform")
    assert found.parameters["completed"] == 1
    assert (found.lower, found.upper) == (solution.lower, solution.upper)
    pd.testing.assert_frame_equal(found.profile.table(), table)
    rows = {key: row for key, row in to_dict(solution.profile).items() if key != "K:c"}
    completed = from_dict(rows, load(game), missing="uniform")
    pd.testing.assert_frame_equal(completed.table(), table)
    assert check(game, completed).lower == solution.lower


def test_minimisers_start_from_tables(table):
    again = solve("kuhn_poker", "cfr+", warm_start=table, iterations=5)
    assert again.parameters["completed"] == 0
    part = table[table["player"] == 0]
    with pytest.raises(ValueError, match="is missing"):
        solve("kuhn_poker", "cfr+", warm_start=part, iterations=5)
    found = solve("kuhn_poker", "cfr+", warm_start=part, iterations=5, missing="uniform")
    assert found.as_json()["completed"] == 6


def test_pictures_and_blueprints_come_from_tables(table):
    part = table[table["player"] == 1]
    assert show("kuhn_poker", strategy=table).source == "a given strategy"
    shown = show("kuhn_poker", strategy=part, missing="uniform")
    assert shown.source == "a given strategy, 6 infosets played uniformly, 0 absent actions never"
    again = resolve("kuhn_poker", 1, method="joint", blueprint=part, missing="uniform")
    assert (again.as_json()["completed"], again.parameters["missing"]) == (6, "uniform")
    assert again.exploitability_before < 1e-9
    assert "completed" not in resolve("kuhn_poker", 1, method="joint", blueprint=table).as_json()


@over([".csv", ".json", ".parquet"])
def test_the_command_line_completes_when_told_to(suffix, tmp_path, capsys, complaint, solved):
    path = tmp_path / f"half{suffix}"
    write(solved, tmp_path / f"whole{suffix}")
    part = solved.table()
    part = part[part["player"] == 0]
    if suffix == ".csv":
        part.to_csv(path, index=False)
    elif suffix == ".json":
        path.write_text(json.dumps(part.to_dict(orient="records")))
    else:
        part.to_parquet(path)
    assert "6 infosets have none" in complaint("check", "kuhn_poker", path)
    rule = ["--missing", "uniform"]
    commands = {
        "check": ["check", "kuhn_poker", str(path), *rule],
        "solve": [
            "solve",
            "kuhn_poker",
            "--method",
            "cfr",
            "--iterations",
            "5",
            "--warm-start",
            str(path),
            *rule,
        ],
        "show": ["show", "kuhn_poker", "--strategy", str(path), *rule],
        "gadget": [
            *["gadget", "kuhn_poker", "--defender", "0", "--at", "all", "--method", "joint"],
            *["--blueprint", str(path), *rule],
        ],
    }
    for arguments in commands.values():
        assert run(arguments) == SUCCESS
        assert "6 infosets played uniformly, 0 absent" in " ".join(capsys.readouterr().out.split())
    assert run([*commands["check"], "--json"]) == SUCCESS
    assert json.loads(capsys.readouterr().out)["completed"] == 6
    assert "error or uniform, got 'zero'" in complaint("check", "kuhn_poker", path, "--missing", "zero")


def test_profiles_are_pickled_whole(solved):
    again = pickle.loads(pickle.dumps(solved))
    for read, own in zip(again.behaviour, solved.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)
        assert not read.flags.writeable
    assert again.treeplexes[0].infosets == solved.treeplexes[0].infosets
    pd.testing.assert_frame_equal(again.table(), solved.table())
    assert isinstance(Completed(again).counts, dict)
