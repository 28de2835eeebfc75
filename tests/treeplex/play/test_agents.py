"""Agents: what they play, what they see, and what is refused in one line."""

import sys

import pytest

import treeplex as tp
from tests.helpers.cells import each, over
from treeplex.games.base.errors import BadInputError
from treeplex.play.agents import AlwaysCallAgent, Planned, StrategyAgent, UniformAgent, entrant_of
from treeplex.play.hand import Lottery, View

VIEW = View("kuhn_poker", 0, "K:", ":", ("c", "r"))


class Table:
    """A strategy that plays the same everywhere."""

    def __init__(self, **play):
        self.play = play

    def action_probabilities(self, player, infoset):
        return self.play

    def rows(self):
        yield from ((0, "K:", action, p) for action, p in self.play.items())


def test_a_lottery_picks_by_shares() -> None:
    lottery = Lottery.of({"a": 0.25, "b": 0.0, "c": 0.75})
    assert [lottery.pick(u) for u in (0.0, 0.2499, 0.25, 0.999999, 1.0 - 2**-53)] == ["a", "a", "c", "c", "c"]
    with pytest.raises(BadInputError, match="positive"):
        Lottery.of({"a": 0.0})


def test_uniform_and_always_call() -> None:
    assert UniformAgent().plan(VIEW) == {"c": 0.5, "r": 0.5}
    assert [UniformAgent().act(VIEW, u) for u in (0.0, 0.49, 0.5, 0.99)] == ["c", "c", "r", "r"]
    assert (AlwaysCallAgent().plan(VIEW), AlwaysCallAgent().act(VIEW, 0.7)) == ({"c": 1.0}, "c")


@over(
    [
        ({}, {"c": 0.05, "r": 0.35, "x": 0.6}),
        ({"threshold": 0.1}, {"r": 0.35 / 0.95, "x": 0.6 / 0.95}),
        ({"threshold": 0.35}, {"r": 0.35 / 0.95, "x": 0.6 / 0.95}),
        ({"threshold": 0.5}, {"x": 1.0}),
        ({"threshold": 0.9}, {"x": 1.0}),
        ({"purified": True}, {"x": 1.0}),
    ]
)
def test_strategies_are_post_processed(options, plan) -> None:
    view = View("any", 0, "K:", ":", ("c", "r", "x"))
    found = StrategyAgent(Table(c=0.05, r=0.35, x=0.6), **options).plan(view)
    assert found == pytest.approx(plan)
    assert isinstance(StrategyAgent(Table(c=1.0)), Planned)


def test_the_first_of_equals_is_taken() -> None:
    assert StrategyAgent(Table(r=0.5, c=0.5), purified=True).plan(VIEW) == {"c": 1.0}


def test_a_file_with_options_is_the_strategy_with_them(tmp_path) -> None:
    solved = tp.solve("leduc_poker", "cfr+", iterations=20)
    path = tmp_path / "leduc.csv"
    tp.write(solved, path)
    problem = tp.load("leduc_poker")
    view = View("leduc_poker", 0, "Q:", ":", ("c", "r"))
    plain = entrant_of(problem, solved)
    assert plain.plan(view) == pytest.approx(solved.profile.action_probabilities(0, "Q:"))
    assert entrant_of(problem, path).digest == plain.digest
    pure = entrant_of(problem, f"{path}(purified=true)")
    assert set(pure.plan(view).values()) == {1.0}
    assert len({plain.digest, pure.digest, entrant_of(problem, f"{path}(threshold=0.1)").digest}) == 3


def test_what_is_no_agent_is_one_line(tmp_path) -> None:
    path = tmp_path / "kuhn.csv"
    tp.write(tp.solve("kuhn_poker", "lp"), path)
    problem = tp.load("kuhn_poker")

    def refused(agent, says):
        with pytest.raises((BadInputError, TypeError), match=says) as raised:
            entrant_of(problem, agent)
        assert "\n" not in str(raised.value)

    each(
        [
            ("nobody", "must be uniform, always-call, module:Agent, openspiel:module:function, acpc:COMMAND"),
            (f"{path}(treshold=0.1)", "unknown key 'treshold'; legal keys are threshold, purified, missing"),
            (f"{path}(threshold=2)", "threshold must be a probability from 0 to 1, got 2"),
            (f"{path}(threshold=none)", "threshold must be a probability from 0 to 1, got none"),
            (f"{path}(purified=1)", "purified must be true or false, got 1"),
            (f"{path}(purified=true,threshold=0.2)", "purified or has a threshold, got both"),
            (f"{path}(missing=3)", "missing must be error or uniform, got 3"),
            (f"{path}(missing=none)", "missing must be error or uniform"),
            (tmp_path / "gone.csv", "gone.csv"),
            ("os:system", "must not be of Python's own module os"),
            ("nowhere:Agent", "there is no module nowhere"),
            (object(), "an agent must be a name, an agent or a strategy"),
            (int, "has no method act"),
            ({1: 2}, "a strategy's mapping must be"),
        ],
        refused,
    )
    with pytest.raises(TypeError, match="must be a strategy"):
        StrategyAgent("kuhn.csv")
    with pytest.raises(TypeError, match="threshold must be a number"):
        StrategyAgent(Table(c=1.0), threshold="0.1")


def test_always_call_is_refused_where_there_is_no_call() -> None:
    with pytest.raises(BadInputError, match="by the action c, got Sell, Play at 'Heads:' of coin_toss"):
        entrant_of(tp.load("coin_toss"), "always-call")


def test_an_agent_of_ones_own_is_called_with_what_it_may_know(tmp_path, monkeypatch) -> None:
    (tmp_path / "my_agents.py").write_text(
        "class First:\n"
        "    def act(self, view, draw):\n        return view.actions[0]\n"
        "class Odd:\n"
        "    def act(self, view, draw):\n        return 'nothing'\n"
        "class Raises:\n"
        "    def act(self, view, draw):\n        return 1 / 0\n"
        "class BadPlan(First):\n"
        "    def plan(self, view):\n        return {'c': 0.7}\n"
        "class Needs:\n"
        "    def __init__(self, what): ...\n"
        "    def act(self, view, draw): ...\n"
        "def seven():\n    raise SystemExit\n"
        "class Guarded(First):\n"
        "    def __getattribute__(self, name):\n        raise RuntimeError(name)\n"
        "class Hidden(First):\n"
        "    @property\n    def plan(self):\n        return 1 / 0\n"
        "ready = First()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    problem = tp.load("kuhn_poker")
    first = entrant_of(problem, "my_agents:First")
    assert (first.name, first.planned, first.act(VIEW, 0.5)) == ("my_agents:First", None, "c")
    assert entrant_of(problem, "my_agents:ready").act(VIEW, 0.5) == "c"
    assert entrant_of(problem, sys.modules["my_agents"].First).name == "First"

    def refused(call, says):
        with pytest.raises(BadInputError, match=says) as raised:
            call()
        assert "\n" not in str(raised.value)

    each(
        [
            (
                lambda: entrant_of(problem, "my_agents:Odd").act(VIEW, 0.5),
                "my_agents:Odd must play one of c, r at 'K:', got 'nothing'",
            ),
            (
                lambda: entrant_of(problem, "my_agents:Raises").act(VIEW, 0.5),
                "my_agents:Raises: ZeroDivisionError: division by zero .*my_agents.py, line 9",
            ),
            (
                lambda: entrant_of(problem, "my_agents:BadPlan").plan(VIEW),
                "plan of my_agents:BadPlan must be probabilities of c, r at 'K:'",
            ),
            (
                lambda: entrant_of(problem, "my_agents:Hidden").plan(VIEW),
                "agent my_agents:Hidden: ZeroDivisionError: division by zero .*my_agents.py, line",
            ),
            (lambda: entrant_of(problem, "my_agents:Needs"), "TypeError"),
            (lambda: entrant_of(problem, "my_agents:Guarded"), "my_agents:Guarded.*: RuntimeError: act"),
            (
                lambda: entrant_of(problem, "my_agents:seven"),
                "is no agent: it must have the method act, got <function",
            ),
        ],
        refused,
    )
