"""Agents: who plays. Strategies with and without post-processing, uniform, always-call, agents of one's own.

An agent sees what its player may know, and gets one random number for each action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np

from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.core.strategy import Strategy
from treeplex.files.strategies import SUFFIXES, StrategyLike, strategy_of
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import check_class, described, load_object
from treeplex.games.base.packed_arrays import digest_of
from treeplex.games.base.reading import is_number, shown
from treeplex.games.formats.openspiel import PREFIX
from treeplex.games.formats.spec_text import parse_keys
from treeplex.games.poker.lines import CALL
from treeplex.play.acpc_programs import PROGRAM, AcpcProgram
from treeplex.play.hand import SUM_TOLERANCE, Dealer, Follower, Lottery, View
from treeplex.play.hand_agents import KEYS, HandStrategy, hand_agent
from treeplex.play.nested import Nested
from treeplex.play.openspiel_agents import openspiel_agent
from treeplex.seqform.forms.profile import Profile

ENDINGS = "|".join(re.escape(suffix) for suffix in SUFFIXES)
FILE = re.compile(rf"(?P<path>.+(?:{ENDINGS}))\s*(?P<keys>\(.*\))?", re.IGNORECASE | re.DOTALL)
"""A strategy file, with options of post-processing after it."""
UNIFORM, ALWAYS_CALL = "uniform", "always-call"
"""Names of agents."""
OPTIONS = ("threshold", "purified", "missing")
"""Keys that a strategy file takes beside those of agents that know what all hands do."""


class Agent(Protocol):
    """Who plays: one method. It may also have ``plan``, see :class:`Planned`, and a text ``name``.

    The same view and number must give the same action, so that matches replay: an agent that needs more
    randomness makes it from the number that it gets.
    """

    def act(self, view: View, draw: float) -> str:
        """Return an action.

        Parameters
        ----------
        view : View
            What the player who acts knows.
        draw : float
            A random number, uniform in [0, 1), new for each action.
        """


@runtime_checkable
class Planned(Agent, Protocol):
    """An agent whose plan is known: what it does is drawn from probabilities."""

    def plan(self, view: View) -> Mapping[str, float]:
        """Return the probability of each action; those that are absent are never taken."""


@dataclass(frozen=True)
class UniformAgent:
    """Takes every legal action equally often."""

    name: str = UNIFORM

    def plan(self, view: View) -> Mapping[str, float]:
        """Return equal probabilities."""
        return dict.fromkeys(view.actions, 1.0 / len(view.actions))

    def act(self, view: View, draw: float) -> str:
        """Return one of the actions."""
        return view.actions[int(draw * len(view.actions))]


@dataclass(frozen=True)
class AlwaysCallAgent:
    """Calls every bet and never bets, in games in which the action ``c`` does so."""

    name: str = ALWAYS_CALL

    def plan(self, view: View) -> Mapping[str, float]:
        """Return the call alone; raises what :meth:`act` raises."""
        return {self.act(view, 0.0): 1.0}

    def act(self, view: View, draw: float) -> str:
        """Return the call, which is the check where there is no bet.

        Raises
        ------
        ValueError
            If there is none.
        """
        if CALL not in view.actions:
            raise BadInputError(
                f"{ALWAYS_CALL} plays games whose players can always check or call by the action {CALL}, "
                f"got {', '.join(view.actions)} at {view.infoset!r} of {view.game}"
            )
        return CALL


@dataclass(frozen=True)
class StrategyAgent:
    """Plays a strategy, post-processed after Ganzfried, Sandholm and Waugh (2012) where that is asked for.

    Attributes
    ----------
    strategy : Strategy
        Of both players.
    threshold : float
        Actions that are less likely are never taken, and the others in the same proportions; the likeliest
        alone where all are less likely.
    purified : bool
        Whether the likeliest action alone is taken, the first of equals in the game's order.
    name : str
    """

    strategy: Strategy
    threshold: float = 0.0
    purified: bool = False
    name: str = "a strategy"

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, Strategy):
            raise TypeError(f"an agent's strategy must be a strategy, got {shown(self.strategy)}")
        if isinstance(self.threshold, bool) or not isinstance(self.threshold, int | float | Fraction):
            raise TypeError(f"threshold must be a number, got {shown(self.threshold)}")
        if not 0 <= self.threshold <= 1:
            raise BadInputError(f"threshold must be a probability from 0 to 1, got {shown(self.threshold)}")
        if not isinstance(self.purified, bool):
            raise TypeError(f"purified must be true or false, got {shown(self.purified)}")
        if self.purified and self.threshold:
            raise BadInputError("a strategy is purified or has a threshold, got both")

    def plan(self, view: View) -> Mapping[str, float]:
        """Return what the strategy plays, post-processed.

        Raises
        ------
        ValueError
            If the strategy has not this infoset.
        """
        known = self.strategy.action_probabilities(view.player, view.infoset)
        plan = {action: known.get(action, 0.0) for action in view.actions}
        most = max(plan.values())
        if self.purified or most < self.threshold:
            return {next(action for action, p in plan.items() if p == most): 1.0}
        taken = {action: p for action, p in plan.items() if p >= self.threshold and p > 0}
        total = sum(taken.values())
        return {action: p / total for action, p in taken.items()}

    def act(self, view: View, draw: float) -> str:
        """Return an action that is drawn from the plan."""
        return Lottery.of(self.plan(view)).pick(draw)


AgentLike: TypeAlias = "StrategyLike | Agent | type[Agent]"
"""What is taken wherever an agent is: a name, a strategy file with options, ``module:Agent``, a strategy in
Python, or an object or class with the method ``act``."""


@dataclass(frozen=True)
class Entrant:
    """An agent in a match.

    Attributes
    ----------
    name : str
        As it was asked for.
    digest : str or None
        Of the strategy that it plays; None where it plays none that is known whole.
    agent : Agent
    """

    name: str
    digest: str | None
    agent: Agent

    @property
    def planned(self) -> Planned | None:
        """The agent if its plan is known."""
        return self.agent if isinstance(self.agent, Planned) else None

    @property
    def solves(self) -> bool:
        """Whether it solves subgames as it plays, so that its plan at many public states takes long."""
        strategy = self.agent.strategy if isinstance(self.agent, StrategyAgent) else None
        return isinstance(strategy, HandStrategy) and isinstance(strategy.hands, Nested)

    @property
    def replays(self) -> bool:
        """Whether its hands replay: it draws no random numbers of its own and keeps no state of its own."""
        return not isinstance(self.agent, Follower) or self.agent.replays

    def follow(self, number: int, player: int) -> Callable[[Any], object] | None:
        """Begin a hand; return what is to be told its states, None if the agent follows none.

        Raises
        ------
        ValueError
            If the agent raises anything.
        """
        if not isinstance(self.agent, Follower):
            return None
        tell = self._tried(self.agent.follow, number, player)
        return lambda state: self._tried(tell, state)

    def close(self) -> None:
        """End what the agent started."""
        if isinstance(self.agent, Follower):
            self.agent.close()

    def _tried(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Return what the agent's code returns; what it raises becomes a ``ValueError`` of one line."""
        try:
            return call(*arguments)
        except (BadInputError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise BadInputError(f"the agent {self.name}: {described(error)}") from error

    def act(self, view: View, draw: float) -> str:
        """Return its action.

        Raises
        ------
        ValueError
            If the agent raises anything, or the action is not legal.
        """
        action = self._tried(self.agent.act, view, draw)
        if not isinstance(action, str) or action not in view.actions:
            legal = ", ".join(view.actions)
            raise BadInputError(
                f"the agent {self.name} must play one of {legal} at {view.infoset!r}, got {shown(action)}"
            )
        return action

    def plan(self, view: View) -> Mapping[str, float] | None:
        """Return its plan, None if it has none.

        Raises
        ------
        ValueError
            If the agent raises anything, or what it returns are no probabilities of legal actions.
        """
        planned = self.planned
        if planned is None:
            return None
        given = self._tried(lambda: planned.plan(view))  # finding it may raise too, if it is a property
        plan: dict[str, float] = self._tried(lambda: {str(action): float(p) for action, p in given.items()})
        probable = all(p >= 0 for p in plan.values()) and abs(sum(plan.values()) - 1) < SUM_TOLERANCE
        if not probable or not {*plan} <= {*view.actions}:
            legal = f"probabilities of {', '.join(view.actions)} at {view.infoset!r}"
            raise BadInputError(f"the plan of {self.name} must be {legal}, got {shown(plan)}")
        total = sum(plan.values())
        return {action: p / total for action, p in plan.items()}


def file_and_menus(text: str) -> tuple[str, str]:
    """Return the path and the game of ``FILE(game="SPEC")``, a strategy file with its game.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    file = FILE.fullmatch(text.strip())
    keys = parse_keys(file["keys"] or "()") if file else {}
    if file is None or not isinstance(keys.get("game"), str) or len(keys) > 1:
        raise BadInputError(f'an agent to improve must be FILE(game="SPEC"), got {text!r}')
    return file["path"], str(keys["game"])


def entrant_of(problem: Problem, agent: AgentLike) -> Entrant:
    """Return an agent from what users pass.

    Parameters
    ----------
    problem : Problem
    agent : str, Path, strategy, Result or Agent
        ``uniform``; ``always-call``; the path of a strategy file, with options after it as in
        ``leduc.csv(threshold=0.1)``, ``leduc.csv(purified=true)`` or ``leduc.csv(missing=uniform)``;
        ``openspiel:module:function``, a bot or policy of OpenSpiel; ``acpc:COMMAND ARGUMENT...``, a program
        of the protocol; ``module:Agent`` of one's own, an object with ``act`` or a class that makes one
        without arguments; the same in Python, or what has a strategy there.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If a name, a file or an option is none, or the strategy is none of the game.
    """
    if isinstance(agent, str | Path):
        return _named(problem, str(agent).strip())
    if isinstance(agent, StrategyAgent):
        played = strategy_of(problem, agent.strategy).strategy
        return _strategic(agent.name, played, agent.threshold, agent.purified)
    if isinstance(agent, type) or (hasattr(agent, "act") and not isinstance(agent, Strategy | Result)):
        own = _made(agent, getattr(agent, "__name__", type(agent).__name__))
        return _checked(problem, Entrant(_name_of(own), None, own))
    try:
        completed = strategy_of(problem, agent)
    except TypeError as error:
        raise TypeError(f"an agent must be a name, an agent or a strategy: {error}") from None
    name = getattr(agent, "method", None)
    return _strategic(name if isinstance(name, str) else "a strategy", completed.strategy)


def _named(problem: Problem, text: str) -> Entrant:
    if text in (UNIFORM, ALWAYS_CALL):
        agent = UniformAgent() if text == UNIFORM else AlwaysCallAgent()
        return _checked(problem, Entrant(text, None, agent))
    if PROGRAM.fullmatch(text):
        return Entrant(text, None, AcpcProgram.of(problem.game, text))
    if file := FILE.fullmatch(text):
        return _from_file(problem, text, file["path"], parse_keys(file["keys"] or "()"))
    if text.startswith(PREFIX):
        own = openspiel_agent(problem, text)
        if isinstance(own, Follower):
            return Entrant(text, None, own)
        return _strategic(text, strategy_of(problem, own).strategy)
    if ":" in text:
        return _checked(problem, Entrant(text, None, _made(load_object(text, "match agent"), repr(text))))
    raise BadInputError(
        f"an agent must be {UNIFORM}, {ALWAYS_CALL}, module:Agent, openspiel:module:function, acpc:COMMAND "
        f"or a strategy file that ends in {' or '.join(SUFFIXES)}, got {text!r}"
    )


def _from_file(problem: Problem, name: str, path: str, keys: Mapping[str, object]) -> Entrant:
    for key in keys:
        if key not in OPTIONS + KEYS:
            legal = ", ".join(OPTIONS + KEYS)
            raise BadInputError(f"{path}: unknown key {key!r}; legal keys are {legal}")
    threshold, purified = keys.get("threshold", 0), keys.get("purified", False)
    missing = keys.get("missing", "error")
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise BadInputError(f"{path}: threshold must be a probability from 0 to 1, got {shown(threshold)}")
    if not isinstance(purified, bool):
        raise BadInputError(f"{path}: purified must be true or false, got {shown(purified)}")
    if not isinstance(missing, str):
        raise BadInputError(f"{path}: missing must be error or uniform, got {shown(missing)}")
    if {*keys} & {*KEYS}:
        strategy: Strategy = hand_agent(problem, path, keys, missing)
    else:
        strategy = strategy_of(problem, path, missing).strategy
    return _strategic(name, strategy, float(threshold), purified)


def _strategic(name: str, strategy: Strategy, threshold: float = 0.0, purified: bool = False) -> Entrant:
    """Return the agent of a strategy of the game, with a digest of a profile."""
    digest = None
    if isinstance(strategy, Profile):
        arrays = {f"player {p}": np.asarray(one) for p, one in enumerate(strategy.behaviour)}
        digest = digest_of({"threshold": float(threshold), "purified": purified}, arrays)
    return Entrant(name, digest, StrategyAgent(strategy, float(threshold), purified, name))


def _made(found: Any, where: str) -> Agent:
    """Return an agent; a class that has the method is called without arguments, and nothing else is."""
    check_class(found, ("act",), "agent", where)
    try:
        made = found() if isinstance(found, type) else found
        acts = callable(getattr(made, "act", None))
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{where}: {described(error)}") from error
    if not acts:
        raise BadInputError(f"{where} is no agent: it must have the method act, got {shown(made)}")
    return cast(Agent, made)


def _name_of(agent: Agent) -> str:
    name = getattr(agent, "name", None)
    return name if isinstance(name, str) and name else type(agent).__name__


def _checked(problem: Problem, entrant: Entrant) -> Entrant:
    """Return an entrant; one that never can play the game is refused at its first decision."""
    if not isinstance(entrant.agent, AlwaysCallAgent):
        return entrant
    if (view := Dealer(problem.game).first_view()) is not None:
        entrant.act(view, 0.0)
    return entrant
