"""Bots and policies of OpenSpiel in matches: their values are those of OpenSpiel; wrong ones are refused."""

import sys
from itertools import cycle

import pytest

import treeplex as tp
from tests.helpers.cells import each, over
from tests.helpers.commands import printed
from treeplex.cli.main import BAD_INPUT, run
from treeplex.core.loading import ready
from treeplex.games.base.errors import BadInputError
from treeplex.play import openspiel_agents
from treeplex.play.agents import entrant_of
from treeplex.play.openspiel_agents import BotAgent, PolicyAgent
from treeplex.play.session import Session

pyspiel = pytest.importorskip("pyspiel", reason="the extra treeplex[openspiel] is not installed")

CHIPS = "no_limit_holdem(ranks=5,suits=2,stack=40,blinds=[2,1])"
"""Too large to be walked."""
MODULE = '''
import random

import pyspiel

TOLD = []


class Biased:
    """Each action by the card that the player holds and how long the hand has been."""

    def __init__(self, suits):
        self.suits = suits

    def action_probabilities(self, state, player=None):
        past, legal = state.history(), state.legal_actions()
        known = past[state.current_player()] // self.suits + len(past)
        weights = [1 + (known + 3 * action) % 5 for action in legal]
        return {action: weight / sum(weights) for action, weight in zip(legal, weights)}


class Own(pyspiel.Bot):
    """A bot without a restart of its own."""

    def __init__(self, player, seed):
        pyspiel.Bot.__init__(self)
        self.player, self.numbers = player, random.Random(seed)

    def inform_action(self, state, player, action):
        assert action in state.legal_actions()
        TOLD.append((self.player, player, state.history()))

    def step(self, state):
        assert state.current_player() == self.player
        return self.numbers.choice(state.legal_actions())


class Restarting(Own):
    def restart_at(self, state):
        assert not state.history()
        TOLD.append("restarted")


class Says:
    def __init__(self, says):
        self.says = says

    def step(self, state):
        return self.says

    action_probabilities = None


class Claims:
    def action_probabilities(self, state):
        return {0: 0.25, 1: 0.5}


class Leaves:
    def action_probabilities(self, state):
        raise SystemExit(5)


class Changes:
    """Changes the state that it is given."""

    def action_probabilities(self, state):
        legal = state.legal_actions()
        state.apply_action(legal[0])
        return {action: 1 / len(legal) for action in legal}


def leaves(game, player): return Leaves()
def changes(game, player): return Changes()
def biased(game, player): return Biased(game.max_chance_outcomes() // 3)
def suited(game, player): return Biased(1)
def uniform(game, player): return pyspiel.UniformPolicy()
def own(game, player): return Own(player, 7)
def restarting(game, player): return Restarting(player, 7)
def compiled(game, player): return pyspiel.make_stateful_random_bot(game, player, 7)
def nothing(game, player): return None
def fails(game, player): raise KeyError("no net")
def either(game, player): return (Biased(1), Own(1, 1))[player]
def odd(game, player): return Says(9)
def claims(game, player): return Claims()
'''


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "bots.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("bots", None)


def kuhn_table(policy):
    """Return what a policy plays in Kuhn's game, by our keys and actions."""
    table, todo = {}, [pyspiel.load_game("kuhn_poker").new_initial_state()]
    while todo:
        state = todo.pop()
        if state.current_player() >= 0:
            player, (card, *moves) = state.current_player(), state.information_state_string()
            is_bet = moves[-1:] == ["b"]
            names = ("f", "c") if is_bet else ("c", "r")
            betting = "".join("r" if move == "b" else "c" for move in moves)
            odds = policy.action_probabilities(state)
            table[player, f"{'JQK'[int(card)]}:{betting}"] = {names[n]: p for n, p in odds.items()}
        todo += [] if state.is_terminal() else [state.child(n) for n in state.legal_actions()]
    return table


def test_a_policy_is_the_strategy_in_a_file(bots, tmp_path) -> None:
    import bots as module

    path = tmp_path / "biased.csv"
    tp.write(tp.check("kuhn_poker", kuhn_table(module.Biased(1))), path)
    first, second = (
        tp.match(agent, "uniform", "kuhn_poker", hands=60, duplicate=True)
        for agent in ("openspiel:bots:biased", path)
    )
    assert first.exact == second.exact != 0
    assert first.estimates == second.estimates
    assert [one.name for one in first.estimates] == ["naive", "duplicate", "aivat"]


@pytest.mark.seconds(2)
@over(["kuhn_poker", "leduc_poker", "openspiel:kuhn_poker"])
def test_exact_values_are_openspiels(game, bots) -> None:
    score = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    import bots as module

    start = pyspiel.load_game(game.removeprefix("openspiel:")).new_initial_state()
    own, other = module.biased(start.get_game(), 0), pyspiel.UniformPolicy()
    first = score.policy_value(start, [own, other])[0]
    second = score.policy_value(start, [other, own])[1]
    found = tp.match("openspiel:bots:biased", "uniform", game, hands=2)
    assert found.exact == pytest.approx((first + second) / 2, abs=1e-12)


@over(["own", "restarting", "compiled"], ["kuhn_poker", CHIPS, "openspiel:kuhn_poker"])
def test_bots_play_whole_hands(bot, game, bots) -> None:
    import bots as module

    found = tp.match(f"openspiel:bots:{bot}", "uniform", game, hands=20, duplicate=True)
    assert [one.name for one in found.estimates][:2] == ["naive", "duplicate"]
    assert found.exact is None
    again = tp.match(f"openspiel:bots:{bot}", "uniform", game, hands=20, duplicate=True)
    assert found == again  # its numbers are seeded by the function
    told = module.TOLD
    assert told.count("restarted") == (40 if bot == "restarting" else 0)
    if bot != "compiled":
        others = {entry[1] for entry in told if entry != "restarted" and entry[0] == 0}
        assert others == {-1, 1}  # chance and the other player
    told.clear()


@pytest.mark.seconds(4)
def test_processes_play_the_same_hands(bots) -> None:
    results = [
        tp.match("openspiel:bots:biased", "uniform", CHIPS, hands=40, duplicate=True, streams=streams)
        for streams in (1, 2)
    ]
    assert results[0] == results[1]


def test_a_policy_that_sees_more_than_the_infoset_is_no_strategy(bots) -> None:
    entrant = entrant_of(tp.load("leduc_poker"), "openspiel:bots:suited")
    assert (type(entrant.agent), entrant.planned) == (PolicyAgent, None)


def test_only_policies_of_small_games_are_walked(bots, monkeypatch) -> None:
    problem = tp.load("kuhn_poker")
    assert entrant_of(problem, "openspiel:bots:biased").planned
    monkeypatch.setattr(openspiel_agents, "MOST_HISTORIES", 54)
    large = entrant_of(problem, "openspiel:bots:biased")
    assert (type(large.agent), large.planned, large.replays) == (PolicyAgent, None, True)
    bot = entrant_of(problem, "openspiel:bots:own")
    assert (type(bot.agent), bot.planned, bot.replays) == (BotAgent, None, False)
    found = tp.match(large.name, "uniform", "kuhn_poker", hands=20)
    assert (found.exact, [one.name for one in found.estimates]) == (None, ["naive", "aivat"])


def test_a_kept_match_of_a_bot_goes_on(bots, tmp_path) -> None:
    for hands in (10, 20):
        found = tp.match("openspiel:bots:own", "uniform", "kuhn_poker", hands=hands, out=tmp_path / "kept")
        assert found.hands == hands


@over(["own", "biased"])
def test_a_person_plays_against_them(agent, bots) -> None:
    problem = ready("kuhn_poker")
    said, lines = [], cycle(["c"])
    entrant = entrant_of(problem, f"openspiel:bots:{agent}")
    session = Session(problem, entrant, lambda: next(lines), said.append, 4, "rotate", 1, ())
    session.play()
    assert said[-1].startswith(f"4 hands against openspiel:bots:{agent}: you won")


def test_the_command_takes_them(bots, capsys) -> None:
    words = "openspiel:bots:own", "uniform", "leduc_poker", "--hands", "20", "--duplicate"
    assert "\nduplicate" in printed(capsys, "match", *words)


LIMIT = "GAMEDEF\nlimit\nstack = 5 5\nraiseSize = 4\n"
UNEQUAL = "GAMEDEF\nnolimit\nstack = 5 9\n"
REST = (
    "numPlayers = 2\nnumRounds = 1\nblind = 2 1\nfirstPlayer = 2\nmaxRaises = 1\nnumSuits = 1\nnumRanks = 5\n"
)
REST += "numHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"


def test_what_cannot_play_is_refused_in_one_line(bots, capsys, tmp_path) -> None:
    for name, text in (("limit", LIMIT), ("unequal", UNEQUAL)):
        (tmp_path / f"{name}.game").write_text(text + REST)

    def refused(agent, game, says):
        capsys.readouterr()
        assert run(["match", f"openspiel:{agent}", "uniform", game, "--hands", "2"]) == BAD_INPUT
        err = capsys.readouterr().err
        assert says in err
        assert err.count("\n") == 1, err

    each(
        [
            ("bots:biased", "coin_toss", "play its games, such as openspiel:liars_dice, and kuhn_poker"),
            (
                "bots:own",
                "no_limit_holdem(ranks=5,suits=2,stack=90,blinds=[10,5],bets=[1])",
                "no menus of sizes",
            ),
            ("bots:own", "rhode_island", "no hands of three cards"),
            ("bots:own", str(tmp_path / "limit.game"), "no stacks in limit games"),
            ("bots:own", str(tmp_path / "unequal.game"), "no unequal stacks"),
            ("bots:own", "example:river", "whole hands"),
            ("bots:nothing", "kuhn_poker", "must return a bot of OpenSpiel, with step, or a policy"),
            ("bots:fails", "kuhn_poker", "KeyError: 'no net'"),
            ("bots:either", "kuhn_poker", "must return bots or policies for both players"),
            ("bots:TOLD", "kuhn_poker", "must be a function of a game and a player"),
            ("bots:gone", "kuhn_poker", "gone"),
            ("nowhere:bot", "kuhn_poker", "there is no module nowhere"),
            ("os:system", "kuhn_poker", "must not be of Python's own module os"),
            ("bots:odd", "kuhn_poker", "step must return one of 0, 1, got 9"),
            ("bots:claims", "kuhn_poker", "must give probabilities of 0, 1"),
            ("bots:claims", CHIPS, "bots:claims: the policy must give probabilities of"),
            ("bots:leaves", "kuhn_poker", "bots:leaves: the policy has no answer at"),
        ],
        refused,
    )


def test_a_policy_that_changes_its_state_changes_nothing(bots) -> None:
    assert tp.match("openspiel:bots:changes", "uniform", "kuhn_poker", hands=2).exact == 0.0


def test_without_openspiel_its_agents_are_refused(bots, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadInputError, match="pip install"):
        entrant_of(tp.load("kuhn_poker"), "openspiel:bots:biased")
