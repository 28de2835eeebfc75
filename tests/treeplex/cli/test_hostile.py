"""What terminals obey, what libraries say and empty paths: hostile calls are answered in one plain line."""

import json
import warnings

import pytest

from tests.helpers.cells import over
from tests.helpers.commands import printed
from tests.helpers.complaints import INTERNALS
from treeplex.bench.challenges.case_drawing import case_of
from treeplex.bench.challenges.case_file import case_object
from treeplex.cli.main import run
from treeplex.cli.progress import described
from treeplex.games.base.display import Columns, Rows
from treeplex.games.base.reading import CONTROL, visible

RED = "\x1b[31m"
EFG = 'EFG 2 R "a" { "x" "y" }\np "" 1 1 "NAME" { "NAME" "b" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { -1, 1 }\n'
TRACE = "game,method,unit,iterations,nash_conv\nNAME,NAME,NAME,1,0.5\nNAME,NAME,NAME,9,1e-5\n"
HUGE = "game,method,unit,iterations,nash_conv\nk,cfr,chips,1,1e300\nk,cfr,chips,1000000000000,1e-300\n"


WRONG = [
    ("games", f"kuhn{RED}"),
    ("solve", f"{RED}.efg"),
    ("solve", "kuhn_poker", f"--{RED}"),
    (f"{RED}solve",),
    ("solve", "kuhn_poker", "--out", f"{RED}.doc"),
    ("check", "kuhn_poker", "a\x9b1m\u202e.csv"),
]


@over([(words,) for words in WRONG])
def test_complaints_write_out_what_terminals_obey(arguments, complaint):
    assert not CONTROL.search(complaint(*arguments).rstrip("\n"))


def test_tables_pictures_and_progress_write_it_out(capsys, tmp_path):
    game = tmp_path / "a.efg"
    game.write_text(EFG.replace("NAME", f"{RED}x"))
    for words in (("draw", game), ("check", game, tmp_path / "s.csv", "--where"), ("solve", game)):
        if words[0] == "check":
            run(["solve", str(game), "--out", str(tmp_path / "s.csv")])
        out = printed(capsys, *words)
        assert not CONTROL.search(out.replace("\n", ""))
    assert visible(f"{RED}x") in printed(capsys, "draw", game)
    assert described(f"{RED}x", 0.5) == "\\x1b[31mx, proved width 0.5"
    for block in (Rows(RED, ((RED, RED),)), Columns(RED, (RED,), ((RED,),), None)):
        assert not any(CONTROL.search(line) for width in (4, 100) for line, _ in block.lines(width))


@pytest.mark.seconds(3)
@over(["png", "svg"], ["$x^$", "$\\bad{$", f"{RED}\x07", "\u4e00"])
def test_names_are_no_formulas_and_libraries_say_nothing(suffix, name, capsys, tmp_path):
    game, trace = tmp_path / "a.efg", tmp_path / "t.csv"
    game.write_text(EFG.replace("NAME", name.replace("\\", "\\\\")))
    trace.write_text(TRACE.replace("NAME", name))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for words in (("draw", game), ("plot", trace)):
            out = tmp_path / f"p.{suffix}"
            assert run([*map(str, words), "--out", str(out)]) == 0
            if suffix == "svg":
                assert visible(name) in out.read_text()
    assert capsys.readouterr().err == ""


def test_curves_from_one_end_of_floats_to_the_other_are_drawn_silently(tmp_path):
    (tmp_path / "t.csv").write_text(HUGE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(["plot", str(tmp_path / "t.csv"), "--out", str(tmp_path / "p.png")]) == 0


@over(["--out", "--store", "--warm-start", "--trace", "--checkpoint", "--abstraction"])
def test_an_empty_text_is_no_path(option, complaint):
    said = f"treeplex: {option} must be a path, got ''\n"
    for words in ((option, ""), (f"{option}=",)):
        assert complaint("solve", "kuhn_poker", *words) == said


@over(
    [
        (("store", "info", ""), "DIR"),
        (("store", "prune", ""), "DIR"),
        (("check", "kuhn_poker", ""), "STRATEGY"),
        (("plot", "a.csv", ""), "FILE..."),
        (("acpc", "dealer", "kuhn_poker", "--hands", "2", "--out="), "--out"),
    ]
)
def test_an_empty_argument_is_not_the_working_folder(words, what, complaint):
    assert complaint(*words) == f"treeplex: {what} must be a path, got ''\n"


def test_what_is_no_poker_game_has_no_store(complaint, tmp_path):
    said = complaint("solve", "coin_toss", "--method", "cfr+", "--iterations", 2, "--store", tmp_path / "s")
    assert "of poker games, got coin_toss" in said


def test_a_path_that_an_option_does_not_take_is_quoted_as_text(complaint):
    words = ("solve", "kuhn_poker", "--method", "cfr", "--form", "tree", "--abstraction", "a.npz")
    assert "got abstraction 'a.npz'" in complaint(*words)


@over(["strategies", "game", "weights", "seat"])
def test_a_spoilt_counterexample_is_told_in_plain_words(key, complaint, tmp_path):
    path = tmp_path / "c.json"
    case = {"claim": "safe", "target": "unsafe", **case_object(case_of("coin_toss")), key: [1.5]}
    path.write_text(json.dumps(case))
    said = complaint("challenge", "unsafe", "--replay", path)
    assert not INTERNALS.search(said)
    assert "Error" not in said
