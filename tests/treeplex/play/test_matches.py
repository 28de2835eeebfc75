"""Matches: replayed to the bit, kept and resumed, held against exact values; wrong inputs in one line."""

import errno
import json
import math
import os
import re
from fractions import Fraction
from itertools import islice

import pytest

import treeplex as tp
from tests.helpers.cells import each
from tests.helpers.commands import printed
from tests.helpers.paths import ROOT
from treeplex.cli.main import run
from treeplex.core import problem as problem_module
from treeplex.core.problem import Problem
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.play import matches, without_luck
from treeplex.play.agents import entrant_of
from treeplex.play.hand import Hand
from treeplex.play.kept_hands import HANDS, KeptHands
from treeplex.play.matches import unit_of
from treeplex.play.schedule import Schedule, draws
from treeplex.play.without_luck import expected_values

PAGE = (ROOT / "docs" / "MATCHES.md").read_text(encoding="utf-8")
KUHN = Fraction(-1, 18)
FIRST_NUMBER = 0.1749323663682173
"""Of chance in the first hand with seed 1, on every machine."""


@pytest.fixture(scope="module")
def equilibrium():
    return tp.solve("kuhn_poker", "lp")


@pytest.fixture(scope="module")
def leduc():
    return tp.solve("leduc_poker", "cfr+", iterations=50)


def schedule(a, b, game, *, duplicate=False, seed=1):
    problem = tp.load(game)
    return Schedule(problem.game, (entrant_of(problem, a), entrant_of(problem, b)), duplicate, seed)


def chance_moves(game, hand):
    state, found = game.root(), []
    for move in hand.moves:
        if game.player(state) == CHANCE:
            found.append(move)
        state = game.child(state, move)
    return found


def test_a_match_is_the_same_every_time_and_another_with_another_seed(leduc) -> None:
    first, again, other = (
        tp.match(leduc, "uniform", "leduc_poker", hands=200, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.estimates != other.estimates


@pytest.mark.seconds(4)
def test_processes_play_the_same_hands(leduc, tmp_path) -> None:
    results = [
        tp.match(
            *(leduc, "uniform", "leduc_poker"),
            hands=300,
            duplicate=True,
            streams=streams,
            out=tmp_path / str(streams),
        )
        for streams in (1, 2)
    ]
    assert results[0] == results[1]
    one, two = ((tmp_path / name / HANDS).read_bytes() for name in "12")
    assert one == two


def test_random_numbers_are_uniform_and_apart() -> None:
    several = [[*islice(draws(seed, stream, n), 400)] for seed in (1, 2) for stream in (0, 1) for n in (0, 1)]
    assert len({number for numbers in several for number in numbers}) == 8 * 400
    for numbers in several:
        counts = [sum(k / 8 <= u < (k + 1) / 8 for u in numbers) for k in range(8)]
        assert sum(counts) == 400
        assert sum((n - 50) ** 2 / 50 for n in counts) < 24.3  # 0.999 of chi-squared with 7 degrees
    assert next(draws(1, 0, 0)) == FIRST_NUMBER


def test_hands_end_where_their_moves_lead(leduc) -> None:
    plan = schedule(leduc, "uniform", "leduc_poker")
    for number in range(20):
        hand, state = plan.play(number), plan.game.root()
        for move in hand.moves:
            state = plan.game.child(state, move)
        assert hand.payoff == plan.game.payoff(state)


def test_both_hands_of_a_deal_have_the_same_chance_moves_and_seats_rotate(leduc) -> None:
    plan = schedule(leduc, "uniform", "leduc_poker", duplicate=True)
    deals, boards = set(), 0
    for number in range(0, 200, 2):
        first, second = (chance_moves(plan.game, plan.play(n)) for n in (number, number + 1))
        shared = min(len(first), len(second))
        assert first[:shared] == second[:shared]
        deals.add(first[0])
        boards += shared > 1
    assert len(deals) > 20
    assert boards > 20
    assert [plan.seat(n) for n in range(4)] == [0, 1, 0, 1]
    apart = schedule(leduc, "uniform", "leduc_poker")
    assert sum(apart.play(2 * k).moves[0] == apart.play(2 * k + 1).moves[0] for k in range(100)) < 20


def test_the_exact_value_of_equilibria_is_the_games(equilibrium) -> None:
    problem = tp.load("kuhn_poker")
    one = entrant_of(problem, equilibrium)
    first, second = expected_values(problem, (one, one))
    assert math.isclose(first, KUHN, abs_tol=1e-12)
    assert math.isclose(second, -KUHN, abs_tol=1e-12)
    assert tp.match(equilibrium, equilibrium, "kuhn_poker", hands=2).exact == pytest.approx(0.0, abs=1e-12)
    odd = tp.match(equilibrium, equilibrium, "kuhn_poker", hands=3).exact
    assert odd == pytest.approx(float(KUHN) / 3, abs=1e-12)


def test_the_exact_value_is_the_certificates(leduc) -> None:
    """A profile of one player's strategy from each agent, certified, has the same value."""
    problem = tp.load("leduc_poker")
    uniform = tp.solve("leduc_poker", "cfr", iterations=1).profile
    entrants = entrant_of(problem, leduc), entrant_of(problem, uniform)
    first, second = expected_values(problem, entrants)
    x, y = leduc.profile, uniform
    own = tp.Profile(x.treeplexes, (x.behaviour[0], y.behaviour[1]))
    other = tp.Profile(x.treeplexes, (y.behaviour[0], x.behaviour[1]))
    assert first == pytest.approx(tp.check("leduc_poker", own).value, abs=1e-9)
    assert second == pytest.approx(-tp.check("leduc_poker", other).value, abs=1e-9)


def test_large_games_and_agents_without_a_plan_have_no_exact_value(monkeypatch) -> None:
    class First:
        def act(self, view, draw):
            return view.actions[0]

    assert tp.match(First(), "uniform", "kuhn_poker", hands=4).exact is None
    monkeypatch.setattr(without_luck, "MOST_WALKED", 54)
    assert tp.match("uniform", "uniform", "kuhn_poker", hands=4).exact is None
    monkeypatch.setattr(without_luck, "MOST_WALKED", 55)
    assert tp.match("uniform", "uniform", "kuhn_poker", hands=4).exact == pytest.approx(0.0, abs=1e-12)


class Deep:
    """A game of 2**40 plays, which counts its children."""

    name, unit, children = "deep", "points", 0

    def root(self):
        return ""

    def player(self, state):
        return TERMINAL if len(state) == 40 else len(state) % 2

    def actions(self, state):
        return ("0", "1")

    def chance(self, state):
        return ()

    def child(self, state, action):
        Deep.children += 1
        return state + action

    def infoset(self, state, player):
        return state

    def public(self, state):
        return state

    def payoff(self, state):
        return int(state[-1])


def test_large_games_of_ones_own_are_played_without_a_whole_walk(monkeypatch) -> None:
    monkeypatch.setattr(problem_module, "MOST_WALKED", 1_000)
    found = tp.match("uniform", "uniform", Deep(), hands=4)
    assert (found.exact, [one.name for one in found.estimates]) == (None, ["naive"])
    assert Deep.children < 2_000


def test_a_constant_sum_is_told(tmp_path) -> None:
    path = tmp_path / "ten.efg"
    path.write_text(
        'EFG 2 R "" { "a" "b" }\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 4 6 }\nt "" 2 "" { 3 7 }\n'
    )
    found = tp.match("uniform", "uniform", path, hands=2)
    assert "add up to 10" in found.note == found.as_json()["note"]
    assert found.note in str(found)
    assert tp.match("uniform", "uniform", "kuhn_poker", hands=2).note == ""


@pytest.mark.seconds(2)
def test_intervals_hold_the_exact_value_over_seeds(equilibrium) -> None:
    found = [
        tp.match(equilibrium, "uniform", "kuhn_poker", hands=200, duplicate=seed % 2 == 0, seed=seed)
        for seed in range(60)
    ]
    classical = [one.best.classical[0] <= one.exact <= one.best.classical[1] for one in found]
    anytime = [one.best.anytime[0] <= one.exact <= one.best.anytime[1] for one in found]
    assert 52 <= sum(classical) <= 60
    assert sum(anytime) >= 59
    naive, pairs = (sum(one.estimates[k].standard_error for one in found[::2]) for k in (0, 1))
    assert pairs < 0.9 * naive


def test_a_big_blind_is_the_unit_where_there_is_one() -> None:
    found = tp.match("uniform", "uniform", "kuhn_poker", hands=1)
    assert found.unit == "chips/hand"
    assert unit_of(Problem(load_game("push_fold"))) == (1000.0, "mbb/hand")
    assert unit_of(Problem(load_game("coin_toss"))) == (1.0, "dollars/hand")


@pytest.mark.seconds(2)
def test_a_kept_match_goes_on_to_the_same_result(leduc, tmp_path) -> None:
    agents, unbroken = (leduc, "uniform", "leduc_poker"), tmp_path / "unbroken"
    whole = tp.match(*agents, hands=60, duplicate=True, out=unbroken)
    content = (unbroken / HANDS).read_bytes()
    lines = content.splitlines(keepends=True)
    assert len(lines) == 60
    first = json.loads(lines[1])
    assert (list(first), first["seats"]) == (["number", "seats", "moves", "payoff"], ["B", "A"])

    def resumed(kept):
        (unbroken / HANDS).write_bytes(kept)
        assert tp.match(*agents, hands=60, duplicate=True, out=unbroken) == whole
        assert (unbroken / HANDS).read_bytes() == content

    each(
        [b"", b"".join(lines[:1]), b"".join(lines[:31]), content[:-1], content[: len(content) // 2], content],
        resumed,
    )
    (unbroken / HANDS).unlink()
    assert tp.match(*agents, hands=60, duplicate=True, out=unbroken) == whole


def test_hands_that_could_not_be_written_are_written_later(leduc, tmp_path, monkeypatch) -> None:
    agents, asked, failing = (leduc, "uniform", "leduc_poker"), [], [1]

    def full(descriptor):
        asked.append(descriptor)
        if len(asked) in failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(tp.BadInputError, match=r"cannot write .*hands.jsonl: Input/output error"):
        KeptHands(tmp_path / HANDS).append(0, [(0, Hand(("c",), Fraction(1)))])
    assert (tmp_path / HANDS).read_bytes() == b""
    failing[:] = [10]
    monkeypatch.setattr(matches, "BETWEEN_WRITES", 0.0)
    with pytest.raises(tp.BadInputError, match="Input/output error"):
        tp.match(*agents, hands=40, out=tmp_path / "m")
    assert len(asked) == 11  # written once more as the match ends
    lines = (tmp_path / "m" / HANDS).read_bytes().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [*range(len(lines))] != []
    assert tp.match(*agents, hands=40, out=tmp_path / "m") == tp.match(*agents, hands=40)


@pytest.mark.seconds(2)
def test_a_stopped_match_keeps_what_was_played_and_more_hands_may_be_asked_for(leduc, tmp_path) -> None:
    agents = leduc, "uniform", "leduc_poker"
    told = iter(range(10**6))

    def stop(stage, width):
        if stage.startswith("playing") and next(told) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tp.match(*agents, hands=10**6, out=tmp_path / "m", progress=stop)
    n = len((tmp_path / "m" / HANDS).read_bytes().splitlines())
    assert n > 1
    found = tp.match(*agents, hands=n + 40, out=tmp_path / "m")
    assert found == tp.match(*agents, hands=n + 40)
    fewer = tp.match(*agents, hands=10, out=tmp_path / "m")
    assert fewer == tp.match(*agents, hands=10)
    assert len([*islice(KeptHands(tmp_path / "m" / HANDS).read(10**6), 10**6)]) == n + 40


def test_two_matches_are_not_in_one_folder(tmp_path) -> None:
    played = tp.match("uniform", "uniform", "kuhn_poker", hands=5, out=tmp_path)
    with (
        KeptHands(tmp_path / HANDS).locked(),
        pytest.raises(ValueError, match="is in use by another run"),
    ):
        tp.match("uniform", "uniform", "kuhn_poker", hands=9, out=tmp_path)
    assert tp.match("uniform", "uniform", "kuhn_poker", hands=5, out=tmp_path) == played
    assert len((tmp_path / HANDS).read_text().splitlines()) == 5


def test_folders_of_another_match_are_refused(leduc, tmp_path) -> None:
    folder = tmp_path / "m"
    tp.match("uniform", "always-call", "kuhn_poker", hands=6, out=folder)
    kept = (folder / HANDS).read_text()
    agents = "uniform", "always-call", "kuhn_poker"

    def other(arguments, options, says):
        with pytest.raises(ValueError, match=says) as raised:
            tp.match(*arguments, **{"hands": 6, "out": folder, **options})
        assert "\n" not in str(raised.value)

    each(
        [
            (
                ("uniform", "uniform", "kuhn_poker"),
                {},
                "holds another run: its b is 'always-call', not 'uniform'",
            ),
            (("uniform", "always-call", "leduc_poker"), {}, "its game is 'kuhn_poker', not 'leduc_poker'"),
            (agents, {"seed": 2}, "its seed is 1, not 2"),
            (agents, {"duplicate": True}, "its duplicate is False, not True"),
        ],
        other,
    )

    def damaged(text, says):
        (folder / HANDS).write_text(text)
        with pytest.raises(ValueError, match=says) as raised:
            tp.match(*agents, hands=6, out=folder)
        assert "\n" not in str(raised.value)

    lines = kept.splitlines(keepends=True)
    each(
        [
            ("".join(lines[1:]), "line 1 must be hand 0 with moves, number, payoff, seats"),
            ("spoilt\n" + kept, "line 1 must be hand 0"),
            (kept.replace('"number": 1,', '"number": true,'), "line 2 must be hand 1"),
            (kept.replace('"A", "B"', '"A", "C"'), "line 1: seats must be"),
            (re.sub(r'"payoff": "[^"]*"', '"payoff": "1/0"', kept), "line 1: payoff must be a fraction"),
            (
                re.sub(r'"payoff": "[^"]*"', '"payoff": "x"', kept),
                "line 1: payoff must be a fraction such as",
            ),
            (re.sub(r'"payoff": "[^"]*"', '"payoff": "7"', kept), "line 1: these moves do not pay 7"),
            (
                re.sub(r'"moves".*"', '"moves": ["Js|Ks", "c", "c"], "payoff": "-1"', kept),
                "plays hand 0 otherwise",
            ),
            (re.sub(r'"moves": \[[^]]*\]', '"moves": [1]', kept), "line 1: moves must be a list of texts"),
            (kept.replace('["A", "B"]', '["B", "A"]'), "line 1: A is in the other seat"),
        ],
        damaged,
    )


def test_wrong_numbers_are_one_line() -> None:
    def refused(options, says):
        with pytest.raises((ValueError, TypeError), match=says):
            tp.match("uniform", "uniform", "kuhn_poker", **{"hands": 2, **options})

    each(
        [
            ({"hands": 0}, "hands must be an integer from 1 to"),
            (
                {"hands": 3, "duplicate": True},
                "hands must be even, as duplicate deals are played twice, got 3",
            ),
            ({"seed": -1}, "seed must be an integer from 0"),
            ({"streams": 0}, "streams must be an integer from 1"),
            ({"duplicate": 1}, "duplicate must be true or false"),
        ],
        refused,
    )


@pytest.mark.seconds(3)
def test_what_goes_wrong_in_another_process_is_one_line(tmp_path, monkeypatch) -> None:
    class Local:
        def act(self, view, draw):
            return view.actions[0]

    with pytest.raises(ValueError, match="must be such as pickle takes for several streams"):
        tp.match(Local(), "uniform", "kuhn_poker", hands=4, streams=2)
    (tmp_path / "late_agents.py").write_text(
        "class Raises:\n    def act(self, view, draw):\n        raise KeyError(view.infoset)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=r"late_agents:Raises: KeyError: .* \(.*late_agents.py, line 3\)"):
        tp.match("late_agents:Raises", "uniform", "kuhn_poker", hands=4, streams=2)


def test_the_command_prints_what_the_function_returns(capsys, complaint, tmp_path) -> None:
    words = "match", "uniform", "always-call", "kuhn_poker", "--hands", 120, "--seed", 4
    found = tp.match("uniform", "always-call", "kuhn_poker", hands=120, seed=4)
    said = json.loads(printed(capsys, *words, "--json", "--out", tmp_path / "m"))
    assert {**said, "seconds": 0.0} == {**found.as_json(), "seconds": 0.0}
    keys = {*re.findall(r"`(\w+)`", (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8"))}
    assert {*said, *said["estimates"][0]} <= keys
    assert printed(capsys, *words).strip() == str(found)
    assert "must be uniform, always-call, module:Agent" in complaint("match", "x", *words[2:])
    assert "holds another run" in complaint(*words[:-1], 5, "--out", tmp_path / "m")


@pytest.mark.seconds(2)
def test_the_page_runs_as_it_stands(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"(?m)^treeplex (.*)$", PAGE)
    assert len(commands) == 2
    assert run(commands[0].split()) == 0
    capsys.readouterr()
    assert run(commands[1].split()) == 0
    assert capsys.readouterr().out.strip() in PAGE
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], {})
    assert capsys.readouterr().out == "True\n"


def test_a_kept_hand_must_pay_what_it_says(equilibrium, tmp_path) -> None:
    tp.match(equilibrium, "uniform", "kuhn_poker", hands=40, out=tmp_path)
    lines = (tmp_path / HANDS).read_text().splitlines()
    kept = json.loads(lines[20])
    for change in ({"payoff": "5000"}, {"moves": ["Js|Ks", "x"]}, {"moves": kept["moves"][:-1]}):
        lines[20] = json.dumps(kept | change)
        (tmp_path / HANDS).write_text("\n".join(lines) + "\n")
        with pytest.raises(tp.BadInputError, match="line 21: "):
            tp.match(equilibrium, "uniform", "kuhn_poker", hands=40, out=tmp_path)


def test_no_luck_is_left_in_a_table_of_four_decimals() -> None:
    said = str(tp.match("uniform", "uniform", "kuhn_poker", hands=1000, duplicate=True))
    assert "-0.0000" not in said
    assert re.search(r"aivat +0\.0000 +0\.0000 +\[0\.0000, 0\.0000\]", said)


def test_an_agent_that_leaves_or_plays_what_its_plan_excludes_is_one_line() -> None:
    class Leaves:
        def act(self, view, draw):
            raise SystemExit(0)

    class Lies:
        def act(self, view, draw):
            return view.actions[0]

        def plan(self, view):
            return {view.actions[-1]: 1.0}

    with pytest.raises(tp.BadInputError, match="the agent Leaves: "):
        tp.match(Leaves(), "uniform", "kuhn_poker", hands=10)
    with pytest.raises(tp.BadInputError, match="plan never plays it"):
        tp.match(Lies(), "uniform", "kuhn_poker", hands=10)
