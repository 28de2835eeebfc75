"""The command line: exit codes, one line for bad input, pure JSON, tables that fit."""

import json
import os
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from unittest.mock import Mock

import pytest

import treeplex as tp
from tests.helpers.acpc_files import KUHN
from tests.helpers.cells import over
from tests.helpers.commands import RESULT_KEYS
from tests.helpers.paths import ROOT
from tests.helpers.processes import python
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.cli.progress import described
from treeplex.core.loading import load
from treeplex.seqform.certify.certificate import Certificate
from treeplex.solving import crosscheck as crosschecking
from treeplex.solving import solve as solving
from treeplex.views.catalogue import spelled_default

RIVER = ROOT / "examples" / "river.toml"
LEDUC_VALUE = "-1454920850547486749701863871533/16995463438839962469905132501930"
SPOT = """
board = "Ks Th 7s 4d 2c"
pot = 100
stack = 100
ranges = ["AA,QJs", "KQs,T9s"]
bets = [1.0]
raises = ["a"]
"""


class Outcome:
    """What a command left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        def refuse(word):
            raise AssertionError(f"{word} is not strict JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def treeplex(capsys):

    def call(*arguments):
        capsys.readouterr()
        code = run([str(a) for a in arguments])
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture
def complains(complaint):
    """A function that runs a command, and holds it to one line on stderr and nothing written."""

    def call(*arguments, says):
        assert re.search(says, line := complaint(*arguments)), line

    return call


# solve


def test_solve_prints_a_table(treeplex):
    outcome = treeplex("solve", "kuhn_poker", "--exact")
    assert outcome.code == SUCCESS
    assert outcome.err == ""
    rows = dict(re.findall(r"^  (\S[\w ]*?)  +(\S.*?) *$", outcome.out, re.MULTILINE))
    assert rows["method"] == "lp"
    assert rows["solver"] == "simplex"
    assert rows["status"] == "exact"
    assert rows["exact value"] == "-1/18"
    assert rows["proved"] == "[-0.055555555556, -0.055555555555]"
    assert rows["NashConv"] == "0 chips"
    assert rows["infosets"] == "12"
    assert "EV" not in rows


def test_solve_as_json_has_the_fixed_keys(treeplex):
    row = treeplex("solve", "leduc_poker", "--exact", "--json").json
    assert list(row) == RESULT_KEYS
    assert row["exact_value"] == LEDUC_VALUE
    assert row["lower"] <= row["value"] <= row["upper"]
    assert row["gains"] == [0.0, 0.0]
    assert (row["exploitability"], row["pots"], row["mbb_per_hand"]) == (0.0, None, None)
    assert row["distance_to_value"] == [0.0, 0.0]
    assert (row["form"], row["certified"], row["storage"]) == ("public", True, None)
    assert row["ev"] is None
    assert row["n_infosets"] == 288
    assert row["lp"]["rows"] == row["lp"]["cols"] == 482


def test_traces_are_written_and_drawn(treeplex, complains, tmp_path):
    trace, picture = tmp_path / "run.csv", tmp_path / "run.svg"
    done = treeplex("solve", "kuhn_poker", "--method", "pcfr+", "--iterations", 30, "--trace", trace)
    assert done.code == SUCCESS
    assert trace.read_text().startswith(
        "game,method,iterations,seconds,value,lower,upper,nash_conv,unit\nkuhn_poker,pcfr+,1,"
    )
    assert treeplex("plot", trace, "--out", picture).code == SUCCESS
    assert picture.stat().st_size > 5000
    complains("solve", "kuhn_poker", "--method", "cfr", "--trace", "a.txt", says=r"must end in \.csv, got a")


def test_solve_by_another_minimiser(treeplex, complains):
    options = "--method dcfr --average linear --set order=simultaneous --iterations 100 --json"
    found = treeplex("solve", "kuhn_poker", *options.split())
    assert found.code == SUCCESS
    row = found.json
    assert (row["method"], row["iterations"], row["lp"], row["solver"]) == ("dcfr", 100, None, None)
    assert row["lower"] <= -1 / 18 <= row["upper"]
    assert row["nash_conv"] == pytest.approx(sum(row["gains"]), rel=1e-9)
    lp = ("solve", "kuhn_poker", "--method", "lp", "--set", "order=simultaneous")
    complains(*lp, says="order is for regret minimisers, got method lp")


def test_a_cfr_plus_run_that_misses_its_target_fails(treeplex):
    arguments = "solve", "kuhn_poker", "--method", "cfr+", "--iterations", 20, "--target"
    missed, met = treeplex(*arguments, 1e-9), treeplex(*arguments, 1.0)
    assert (missed.code, met.code) == (FAILED, SUCCESS)
    assert re.search(r"target +1e-09: missed", missed.out)
    assert re.search(r"target +1: met", met.out)


def test_a_target_beyond_floats_is_met_exactly(treeplex):
    outcome = treeplex("solve", "kuhn_poker(ranks=5)", "--target", 1e-30)
    assert outcome.code == SUCCESS
    assert re.search(r"status +exact; its floats are proved to \S+ chips", outcome.out)
    assert re.search(r"target +1e-30: met", outcome.out)


@over(["simplex", "ipm", "hipo"])
def test_the_solver_can_be_named(solver, treeplex):
    row = treeplex("solve", "kuhn_poker", "--solver", solver, "--json").json
    assert row["solver"] == solver
    assert row["value"] == pytest.approx(-1 / 18, abs=1e-6)


def test_a_spot_shows_shares_of_the_pot(treeplex, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT)
    row = treeplex("solve", tmp_path / "spot.toml", "--json").json
    assert row["ev"] == [row["value"] + 50, 50 - row["value"]]
    table = treeplex("solve", tmp_path / "spot.toml").out
    assert re.search(r"EV +[\d.]+, [\d.]+ of a pot of 100 chips", table)
    assert re.search(r"exploitability +\S+% of the pot", table)
    assert row["exploitability"] == row["nash_conv"] / 2 == row["pots"] * 100


def test_merged_hands_are_reported(treeplex):
    table = treeplex("solve", RIVER).out
    assert "1,081 hands a side, 91 classes that the game cannot tell apart" in table


def test_an_endgame_takes_its_sizes_from_options(treeplex, tmp_path):
    reach = ["0.0"] * 1326
    reach[-4:] = ["1.0", "0.5", "0.25", "1e-9"]
    path = tmp_path / "endgame.txt"
    path.write_text("-round 4\n-board 4s8hTc9h2s\n-pot 500\n-reach " + " ".join(reach * 2) + "\n")
    row = treeplex("solve", f"{path}(bets=[0.5,1,a],raises=[1,a])", "--json").json
    assert row["game"] == f"{path}(bets=[0.5,1,a],raises=[1,a])"
    assert sum(row["ev"]) == 500


def test_an_acpc_file_is_kuhn_poker(treeplex, tmp_path):
    (tmp_path / "kuhn.game").write_text(KUHN)
    row = treeplex("solve", tmp_path / "kuhn.game", "--exact", "--json").json
    assert row["exact_value"] == "-1/18"


# files in and out


@over(["kuhn.csv", "kuhn.JSON"])
def test_a_strategy_goes_out_and_is_certified(name, treeplex, tmp_path):
    path = tmp_path / name
    solved = treeplex("solve", "kuhn_poker", "--out", path, "--json").json
    assert sorted(tmp_path.iterdir()) == [path]
    checked = treeplex("check", "kuhn_poker", path, "--target", 1e-9, "--json")
    assert checked.code == SUCCESS
    assert checked.json["method"] == "file"
    assert checked.json["lower"] == solved["lower"]
    assert checked.json["upper"] == solved["upper"]
    exact = treeplex("check", "kuhn_poker", path, "--exact", "--json").json
    assert checked.json["lower"] <= exact["lower"] <= exact["upper"] <= checked.json["upper"]


def test_check_measures_distances_and_holds_the_target(treeplex, tmp_path):
    problem = load("kuhn_poker")
    path = tmp_path / "uniform.csv"
    rows = ["player,infoset,action,probability"]
    for p, t in enumerate(problem.form.treeplexes):
        rows += [f"{p},{t.infosets[t.infoset_of[s]]},{t.actions[s]},0.5" for s in range(1, t.n_sequences)]
    path.write_text("\n".join(rows))
    outcome = treeplex("check", "kuhn_poker", path, "--target", 0.1, "--json")
    assert outcome.code == FAILED
    row = outcome.json
    # The uniform profile of Kuhn poker is worth 1/8 to player 0; best responses earn 1/2 and 5/12.
    assert row["value"] == pytest.approx(1 / 8)
    assert row["gains"] == pytest.approx([3 / 8, 13 / 24])
    assert row["exploitability"] == row["nash_conv"] / 2
    assert sum(row["distance_to_value"]) == pytest.approx(row["nash_conv"])
    assert row["distance_to_value"][0] == pytest.approx(-1 / 18 + 5 / 12)
    assert treeplex("check", "kuhn_poker", path).code == SUCCESS
    assert re.search(r"target +0.1: missed", treeplex("check", "kuhn_poker", path, "--target", 0.1).out)


# crosscheck


def test_crosscheck_agrees_on_kuhn_poker(treeplex):
    outcome = treeplex("crosscheck", "kuhn_poker")
    assert outcome.code == SUCCESS
    assert outcome.out.splitlines()[-1].strip() == "agree"
    assert "exact value -1/18" in outcome.out
    boards = ("dcfr, every board", "dcfr, 2 threads", "dcfr, int16")
    for method in ("lp (simplex)", "cfr+", "lp-explicit", *boards):
        assert method in outcome.out


def test_crosscheck_as_json(treeplex):
    comparison = treeplex("crosscheck", "coin_toss", "--json").json
    assert list(comparison) == ["game", "agree", "stuck", "gave_up", "compile_seconds", "rows"]
    assert comparison["agree"] is True
    assert comparison["stuck"] == []
    assert {"lp", "cfr+"} <= {row["method"] for row in comparison["rows"]}
    for row in comparison["rows"]:
        assert list(row) == RESULT_KEYS
        assert row["lower"] <= 0 <= row["upper"]


def test_disjoint_intervals_fail(treeplex, monkeypatch):
    honest = crosschecking.crosscheck("coin_toss")
    wrong = Certificate(0.5, 0.4, 0.6, 0.0, 0.0)
    rows = (*honest.rows[:-1], replace(honest.rows[-1], certificate=wrong))
    monkeypatch.setattr(crosschecking, "crosscheck", lambda *a, **k: replace(honest, rows=rows))
    outcome = treeplex("crosscheck", "kuhn_poker")
    assert outcome.code == FAILED
    assert outcome.out.splitlines()[-1].strip() == "DISAGREE"
    assert treeplex("crosscheck", "kuhn_poker", "--json").json["agree"] is False


# games


def test_games_lists_small_ones_with_exact_values(treeplex):
    outcome = treeplex("games", "--json")
    assert outcome.code == SUCCESS
    games = {game["name"]: game for game in outcome.json["games"]}
    kuhn, leduc = games["kuhn_poker"], games["leduc_poker"]
    assert kuhn["exact_value"] == "-1/18"
    assert (kuhn["n_infosets"], kuhn["n_sequences"]) == (12, 26)
    assert kuhn["lp"] == {"rows": 20, "cols": 20, "nnz": 68}
    assert leduc["exact_value"] == LEDUC_VALUE
    assert leduc["keys"]["suits_visible"] == "false"
    assert games["no_limit_holdem"]["exact_value"] is None
    assert games["no_limit_holdem"]["n_infosets"] is None
    for game in games.values():
        assert load_or_none(game["spec"]) != "unknown"


def load_or_none(spec):
    from treeplex.games.formats.specs import load_game

    try:
        return load_game(spec).name
    except ValueError:
        return "unknown"


def test_games_as_a_table(treeplex):
    table = treeplex("games").out
    assert re.search(r"^kuhn_poker +12 +26 +20 +20 +68 +-1/18", table, re.MULTILINE)
    assert "payoff=[[1,-1]" in table
    assert "ranks=3, suits=2, raises=2," in table
    assert "bets=[2,4]" in table


# bad input


@over(
    [
        ((), "Missing command"),
        (("frobnicate",), "frobnicate"),
        (("solve",), "SPEC"),
        (("solve", "kuhn_poker", "--frob"), "--frob"),
        (("solve", "kuhn_poker", "leduc_poker"), "leduc_poker"),
        (("solve", "kuhn_poker", "--iterations", "many"), "--iterations"),
        (("solve", "kuhn_poker", "--target", "low"), "--target"),
        (("solve", "kuhm_poker"), "unknown game 'kuhm_poker'.*kuhn_poker"),
        (("solve", "kuhn_poker(rank=3)"), "unknown key 'rank'"),
        (("solve", "kuhn_poker(ranks=3"), "kuhn_poker\\(ranks=3"),
        (("solve", "kuhn_poker(ranks=1)"), "cards"),
        (("solve", "matrix_game(payoff=[[1e999]])"), "float"),
        (("solve", "matrix_game(payoff=[[1],[1,2]])"), "payoff"),
        (("solve", "no_limit_holdem(stack=-5)"), "stack|chips"),
        (("check", "kuhn_poker", "/no/such/file.csv"), "/no/such/file.csv: No such file"),
        (("check", "kuhn_poker", "strategy.txt"), r"\.csv or \.json"),
        (("crosscheck", "nothing.toml"), "nothing.toml"),
        (("crosscheck", "nothing.game"), "nothing.game"),
        (("solve", "nothing.txt(bets=[1],raises=[1])"), "nothing.txt"),
    ]
)
def test_bad_arguments(arguments, says, complains):
    complains(*arguments, says=says)


@over(
    [
        ('board = "Ks Th 7s 4d 2c"', 'board = "Ks Th 7s 4d 1x"', "1x"),
        ("pot = 100", "pot = nan", "pot must be a number > 0"),
        ('"AA,QJs"', '"AAs"', r"ranges\[0\]"),
        ("bets = [1.0]", "bets = [1.0", "spot.toml"),
    ]
)
def test_bad_spots(old, new, says, complains, tmp_path):
    assert old in SPOT
    (tmp_path / "spot.toml").write_text(SPOT.replace(old, new))
    complains("solve", tmp_path / "spot.toml", "--out", tmp_path / "out.csv", says=says)


@over(
    [
        ("numRanks = 3", "numRanks = three", "three"),
        ("numPlayers = 2", "numPlayers = 3", "numplayers"),
    ]
)
def test_malformed_game_files(old, new, says, complains, tmp_path):
    assert old in KUHN
    (tmp_path / "bad.game").write_text(KUHN.replace(old, new, 1))
    complains("solve", tmp_path / "bad.game", says=f"(?i){says}")


@over(
    ["spot.toml", "bad.game", "endgame.txt", "strategy.csv", "strategy.json"], [bytes(range(256)), b"", None]
)
def test_unreadable_files(name, content, complains, tmp_path):
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    if path.suffix == ".txt":
        complains("solve", f"{path}(bets=[1],raises=[1])", says=name)
    elif path.stem == "strategy":
        complains("check", "kuhn_poker", path, says=name)
    else:
        complains("solve", path, says=name)


def test_a_flop_too_large_for_memory(complains, tmp_path):
    spot = SPOT.replace(" 4d 2c", "").replace("[1.0]", '[0.25, 0.5, 1.0, "a"]').replace("= 100", "= 5000", 2)
    spot = spot.replace('["AA,QJs", "KQs,T9s"]', '["all", "all"]').replace('["a"]', '[0.5, 1.0, "a"]')
    (tmp_path / "flop.toml").write_text(spot.replace("pot = 5000", "pot = 100"))
    complains("solve", tmp_path / "flop.toml", says="GiB, more than")


def test_out_is_refused_before_anything_is_solved(complains, tmp_path, monkeypatch):
    monkeypatch.setattr(solving, "solve", lambda *a, **k: pytest.fail("solved"))
    (tmp_path / "dir.csv").mkdir()
    complains("solve", "kuhn_poker", "--out", tmp_path / "x.txt", says=r"\.csv or \.json")
    complains("solve", "kuhn_poker", "--out", tmp_path / "no" / "x.csv", says="no directory")
    complains("solve", "kuhn_poker", "--out", tmp_path / "dir.csv", says="is a directory")


def test_out_of_memory_is_one_line(complains, monkeypatch):
    def greedy(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(solving, "solve", greedy)
    complains("solve", "kuhn_poker", says="memory")


def test_a_program_that_cannot_be_solved_is_one_line(treeplex, monkeypatch):
    from treeplex.games.base.errors import NotSolvedError

    def stuck(*arguments, **options):
        raise NotSolvedError("kuhn_poker: simplex ended\n'time limit'")

    monkeypatch.setattr(solving, "solve", stuck)
    outcome = treeplex("solve", "kuhn_poker")
    assert (outcome.code, outcome.out) == (FAILED, "")
    assert outcome.err == "treeplex: kuhn_poker: simplex ended 'time limit'\n"


def test_internal_errors_are_not_hidden(monkeypatch):
    # Raised by no file of a user: an error from one is told in one line.
    monkeypatch.setattr(solving, "solve", Mock(side_effect=KeyError("a bug")))
    with pytest.raises(KeyError):
        run(["solve", "kuhn_poker"])


# the process


def started(*arguments, **options):
    return python("-m", "treeplex", *arguments, stdout=subprocess.PIPE, **options)


def finished(process):
    out, err = process.communicate()
    return Outcome(process.returncode, out, err)


@pytest.mark.seconds(2)
def test_the_process_exits_2_on_bad_input():
    with started("solve", "nope", stderr=subprocess.PIPE) as process:
        outcome = finished(process)
    assert (outcome.code, outcome.out) == (BAD_INPUT, "")
    assert outcome.err.startswith("treeplex: unknown game 'nope'")
    assert outcome.err.count("\n") == 1


def test_version_and_help(treeplex):
    assert treeplex("--version").out == f"treeplex {tp.__version__}\n"
    outcome = treeplex("solve", "--help")
    assert outcome.code == SUCCESS
    for option in ("method", "solver", "exact", "iterations", "target", "out", "set"):
        assert f"--{option}" in outcome.out


@pytest.mark.seconds(3)
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
def test_progress_shows_on_a_terminal_only_and_on_stderr():
    import pty

    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with started("solve", "leduc_poker", "--json", stderr=child, env=environment) as process:
        os.close(child)
        outcome = finished(process)
    shown = os.read(parent, 100_000).decode()
    os.close(parent)
    assert outcome.json["game"] == "leduc_poker"
    assert "lp on public" in shown


# how numbers look


def test_the_exact_value_is_whole_in_json_and_short_in_a_table(treeplex):
    outcome = treeplex("solve", "leduc_poker", "--exact")
    assert LEDUC_VALUE not in outcome.out
    assert "-1454920850547…" in outcome.out


def test_shares_of_the_pot_sum_to_it_in_print(treeplex, tmp_path):
    (tmp_path / "spot.toml").write_text(SPOT.replace("pot = 100", "pot = 0.1"))
    ev = re.search(r"EV +(\S+), (\S+) of a pot of (\S+) chips", treeplex("solve", tmp_path / "spot.toml").out)
    assert Fraction(ev[1]) + Fraction(ev[2]) == Fraction(ev[3]) == Fraction(1, 10)


def test_markup_in_a_spec_is_left_alone(capsys):
    assert run(["solve", "matrix_game(payoff=[[1,-1],[-1,1]])"]) == SUCCESS
    assert "matrix_game(payoff=[[1,-1],[-1,1]])" in capsys.readouterr().out


def test_defaults_are_spelled_as_in_specs():
    assert spelled_default((True, None, Fraction(1, 2), "all")) == '[true,none,0.5,"all"]'


def test_a_stage_shows_the_width_once_there_is_one():
    assert described("solving", float("inf")) == "solving"
    assert described("solving", 0.0123) == "solving, proved width 0.012"
