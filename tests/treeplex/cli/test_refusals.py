"""Games that are too large are refused within seconds of work; what takes longer says how far it is."""

import io
import os
import re
import resource
import subprocess
import sys
from contextvars import copy_context
from time import process_time

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.processes import python
from tests.helpers.two_tiers import two_tiers
from tests.helpers.vast_games import Vast
from treeplex.cli import progress as cli_progress
from treeplex.cli.main import run
from treeplex.cli.progress import FIRST_LINE, shown_progress
from treeplex.games.base import reporting
from treeplex.games.formats.specs import REGISTRY
from treeplex.process.interruption import INTERRUPTED, Interruption, heed

TURN = str(ROOT / "examples" / "turn.toml")
SECONDS = 20.0
"""Of processor time, in which a refusal must come."""
STARTING = 3.0
"""Seconds of processor time, at most, before a command's progress is timed: imports, on a busy machine."""
HISTORIES = r"treeplex: random_game\(.*\): ([\d,]+) histories so far, limit 20,000,000"
SAMPLED = ("--method", "mccfr-external", "--iterations", "10")
RESOLVED = ("--defender", "0", "--at", "all", "--method", "resolve", "--blueprint", "nash")
REPORTED = [
    (("solve", TURN, "--method", "lp"), "at most 500,000 sequences"),
    (
        ("solve", "no_limit_holdem", "--form", "table", *SAMPLED),
        "at most 2,000,000 betting lines, got at least 3",
    ),
    (("solve", "leduc_poker(raises=1000000)"), "at most 250,000 moves"),
    (("solve", "goofspiel(cards=10)"), r"has at least 2.4e13 histories, and at most 20,000,000 are walked"),
    (("solve", "liars_dice(dice=9,faces=9)"), "has at least 6.9e57 histories"),
]
"""What was refused late or never."""
OTHERS = [
    (("solve", "liars_dice(dice=9,faces=9)", "--form", "table", *SAMPLED), "rolls must be at most 2,000,000"),
    (("solve", "leduc_poker(ranks=1000)", "--method", "lp"), "at most 500,000 sequences"),
    (("solve", "limit_holdem", "--method", "lp"), "has at least 5.1e14; use a regret minimiser"),
    (("solve", "kuhn_poker(ranks=100000)"), "ranks must be at most 10,000"),
    (("solve", f"leduc_poker(raises={'9' * 4000})"), "at most"),
    (("solve", f"goofspiel(cards={'9' * 4000})"), "cards must be an integer from 2 to 13"),
    (("solve", "no_limit_holdem(stack=1000000)"), "chips times raises"),
    (("games", "leduc_poker(raises=1000000)"), "at most 250,000 moves"),
    (("show", TURN), "has 4,602,242 sequences, and games of at most 100,000 are solved"),
    (("draw", "liars_dice(dice=9,faces=9)"), "at most 100,000 are walked"),
    (("gadget", "goofspiel(cards=9)", *RESOLVED), "at most 500,000 are walked"),
    (("theory", "patrol(steps=20)", "--method", "cfr+", "--iterations", "10"), "has at least 10,415,272,153"),
    (("crosscheck", "sheriff(items=1000,bribes=1000,rounds=20)"), "has at least 1.6e69 histories"),
    (("export", "auction(values=99,bids=99,items=9)", "--format", "mps"), "has at least 9.8e39 histories"),
]
MANY_RAISES = [
    (("solve", "leduc_poker(raises=1000000)", "--form", "table", *SAMPLED), "at most 1,000,000,000 letters")
]
LARGE = {
    "goofspiel": ["cards=13", "cards=8,order=random,information=bids"],
    "liars_dice": ["dice=5,faces=9", "dice=2,faces=9"],
    "oshi_zumo": ["coins=99", "coins=30,min_bid=2,size=5", "coins=99,horizon=3,size=0"],
    "phantom_mnk": ["rows=9,columns=9", "rows=3,columns=3,line=3", "rows=1,columns=9,line=3,failure=again"],
    "battleship": ["rows=9,columns=9,ships=[2]", "rows=3,columns=3,shots=5", "rows=5,columns=5,ships=[2,3]"],
    "sheriff": ["items=1000,bribes=1000,rounds=2", "rounds=20"],
    "patrol": ["steps=20,duration=5", "graph=complete,steps=12"],
    "auction": ["values=50,bids=50", "items=9"],
    "random_game": ["depth=20,actions=8"],
    "kuhn_poker": ["ranks=10001"],
    "leduc_poker": ["ranks=10000,raises=1000000", "raises=100,bets=[1e300,1e300]"],
    "no_limit_leduc": ["max_raises=[1000000,1000000],stack=1e12"],
    "rhode_island": ["raises=100000"],
    "small_holdem": ["board=\"As Kh Qs\",ranks=13,suits=4,stack=100000,bets=[0.01,1,a],raises=[0.01,1,a]"],
    "one_card_flop": ["ranks=14"],
    "flop_holdem": ["raises=[100000,100000]"],
    "no_limit_flop_holdem": ["max_raises=[1,600],stack=1e300"],
    "no_limit_turn_holdem": ["max_raises=[1,1,600],stack=1e300"],
    "turn_holdem": ["raises=[100,100,100]"],
    "limit_holdem": ["raises=[10000,10000,10000,10000]"],
    "limit_holdem_subgame": ["raises=[3,4,10000,10000]"],
    "no_limit_holdem": ["stack=1e9", "stack=400,blinds=[2,1]"],
    "matrix_game": [],
    "coin_toss": ["subgames=1000000"],
    "dummy_pennies": ["mover=1000000"],
    "push_fold": ["stack=1/2"],
}  # fmt: skip
"""Large parameters for every family that has a name."""


@two_tiers(REPORTED + OTHERS, MANY_RAISES, seconds=(2, 4))
def test_a_refusal_comes_within_seconds_of_work(arguments, says, complaint):
    began = process_time()
    assert re.search(says, complaint(*arguments))
    assert process_time() - began < SECONDS


def test_every_family_has_large_parameters_here():
    assert sorted(LARGE) == sorted(REGISTRY)


@pytest.mark.seconds(150)
@over([f"{name}({keys})" for name, several in LARGE.items() for keys in several])
def test_large_parameters_are_refused_or_say_how_far_it_is(spec):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with python(
        "-m", "treeplex", "solve", spec, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        line = process.stderr.readline()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert line.startswith("treeplex: ")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    silence = STARTING + FIRST_LINE
    assert seconds < silence or re.search(r"\d [\w ]*so far|\d of [\d,]+|\d iterations", line), line


# what takes longer says how far it is


class Reader(io.StringIO):
    """A standard error that is no terminal, whose reader stops the command after some lines."""

    def __init__(self, lines):
        super().__init__()
        self.lines, self.interruption = lines, Interruption()

    def write(self, text):
        written = super().write(text)
        if self.getvalue().count("\n") >= self.lines:
            self.interruption.request()
        return written


@pytest.fixture
def read(monkeypatch):
    """A function that runs a command until it has told some lines, and returns these."""
    monkeypatch.setattr(cli_progress, "FIRST_LINE", 0.2)

    def call(*arguments, lines=1):
        reader = Reader(lines)
        monkeypatch.setattr(sys, "stderr", reader)

        def command():
            heed(reader.interruption)
            return run(arguments)

        assert copy_context().run(command) == INTERRUPTED
        return reader.getvalue().splitlines()

    return call


@pytest.mark.seconds(3)
def test_a_walk_says_how_many_histories_there_are_where_no_terminal_is(read, capsys):
    lines = read("solve", "random_game(depth=20,actions=8)", lines=3)
    counts = [re.fullmatch(HISTORIES, line) for line in lines[:3]]
    assert all(counts), lines
    numbers = [int(count[1].replace(",", "")) for count in counts]
    assert numbers[0] < numbers[1] < numbers[2]
    assert capsys.readouterr().out == ""


def test_lines_come_more_and_more_rarely(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(cli_progress, "FIRST_LINE", FIRST_LINE)
    monkeypatch.setattr(cli_progress, "process_time", lambda: now)
    told = []
    with shown_progress() as progress:
        for now in range(3000):
            progress(f"second {now}", float("inf"))
            if err := capsys.readouterr().err:
                told.append(now)
                assert err == f"treeplex: second {now}\n"
    assert told == [5, 10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440]


def test_no_line_is_printed_where_standard_error_is_closed(monkeypatch, capsys):
    monkeypatch.setattr(cli_progress, "FIRST_LINE", 0.0)
    monkeypatch.setattr(sys, "stderr", None)
    with shown_progress() as progress:
        progress("working", float("inf"))
    assert capsys.readouterr().out == ""


# every command and function that loads a game


UNIFORM = {(0, "start"): {"r0": 0.5, "r1": 0.5}, (1, "?"): {"c0": 0.5, "c1": 0.5}}
WALKED = "matrix_game(payoff=[[1,-1],[-1,1]])"
CALLS = {
    "load": tp.load,
    "solve": tp.solve,
    "check": lambda game, **how: tp.check(game, UNIFORM, **how),
    "crosscheck": tp.crosscheck,
    "theory": lambda game, **how: tp.theory(game, "cfr+", 3, **how),
    "draw": tp.draw,
    "export": lambda game, **how: tp.export(game, os.devnull, "mps", **how),
    "resolve": lambda game, **how: tp.resolve(game, 0, **how),
    "depth_limited": lambda game, **how: tp.depth_limited(game, 0, **how),
}


@over(CALLS)
def test_every_function_reports_the_walk(call, monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)

    def stop(stage, width):
        if "histories so far" in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALLS[call](WALKED, progress=stop)


@over(
    [
        ("public states so far", ("leduc_poker", "lp")),
        ("nodes numbered", ("leduc_poker", "lp")),
        ("leaves", ("leduc_poker", "lp")),
        ("running sums", ("kuhn_poker(ranks=30)", "lp")),
        ("hands compared on", ("leduc_poker", "lp")),
        ("betting lines so far", ("leduc_poker", "dcfr", "boards")),
        ("boards so far", ("leduc_poker", "dcfr", "boards")),
        ("hands on", ("leduc_poker", "dcfr", "boards")),
        ("betting lines so far", ("leduc_poker", "mccfr-external", "table", 3)),
        ("counting betting moves", ("leduc_poker", "lp")),
        ("histories read", (ROOT / "examples" / "night_crossing.efg", "lp")),
    ]
)
def test_every_long_loop_reports(what, arguments, monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS", 0.0)
    game, method, form, iterations = (*arguments, None, None)[:4]

    def stop(stage, width):
        if what in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tp.solve(game, method, form=form, iterations=iterations, progress=stop)


def test_a_vast_game_can_be_stopped_while_it_is_walked():
    def stop(stage, width):
        if "histories so far" in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tp.solve(Vast(), progress=stop)
