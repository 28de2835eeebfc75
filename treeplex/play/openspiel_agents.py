"""Bots and policies of OpenSpiel as agents, in its own games and in poker games that it has too.

A policy of a game that can be walked is a strategy: it is asked once at every infoset. All else follows the
hands in states of OpenSpiel, which hold all that was dealt and done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.own_games import described, load_object
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import SUITS
from treeplex.games.formats.openspiel import PREFIX, OpenSpielGame, read_openspiel
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.games.poker.lines import CALL, FOLD
from treeplex.play.acpc_text import check_whole_hand
from treeplex.play.hand import SUM_TOLERANCE, Follower, Lottery, View

MOST_HISTORIES = 50_000
"""Most histories of a game in which a policy is asked at every infoset, for seconds."""
SAME_NAMES = ("kuhn_poker", "leduc_poker")
"""Poker games that OpenSpiel has by the same name; others are its universal_poker."""
UNLIMITED = 10_000
"""Chips of a player in limit games, where stacks are not known."""
NO_CAP = 255
"""The most raises of a round in universal_poker."""

Table = dict[tuple[int, str], dict[str, float]]
"""Probabilities of actions by player and infoset."""


@dataclass(frozen=True)
class Twin:
    """A game and the game of OpenSpiel that it is, whose moves have numbers.

    Attributes
    ----------
    game : Game
        Loaded from OpenSpiel, or poker that it has too.
    spec : str
        Of OpenSpiel; empty for games that are loaded from it.
    """

    game: Game[Any]
    spec: str

    @staticmethod
    def of(game: Game[Any]) -> Twin:
        """Return the twin of a game.

        Raises
        ------
        ValueError
            If OpenSpiel is not installed or has no such game.
        """
        if isinstance(game, OpenSpielGame):
            return Twin(game, "")
        if not isinstance(game, PokerGame):
            raise BadInputError(
                f"agents of OpenSpiel play its games, such as openspiel:liars_dice, and kuhn_poker, "
                f"leduc_poker and whole hands of poker without menus of sizes, got {game.name}"
            )
        return Twin(game, game.name if game.name in SAME_NAMES else universal_poker_spec(game))

    @cached_property
    def spiel(self) -> Any:
        """The game of OpenSpiel, a ``pyspiel.Game``."""
        return self.game.spiel if isinstance(self.game, OpenSpielGame) else read_openspiel(self.spec).spiel

    def __reduce__(self) -> tuple[type[Twin], tuple[object, ...]]:
        return Twin, (self.game, self.spec)

    def numbers(self, before: Any, after: Any) -> list[int]:
        """Return the moves in OpenSpiel that lead from one of our states to the next, deals as cards."""
        if isinstance(self.game, OpenSpielGame):
            return [after.moves[-1]]
        assert isinstance(self.game, PokerGame)
        if self.game.player(before) == CHANCE:
            return self._cards(before, after)
        moves = self.game.point(before.line).moves
        label = next(label for label, line in moves.items() if line == after.line)
        return [self.number(label, tuple(moves))]

    def number(self, label: str, actions: tuple[str, ...]) -> int:
        """Return the number of one of our actions among those that are legal."""
        if isinstance(self.game, OpenSpielGame):
            return int(label)
        if self.spec == "kuhn_poker":  # 0 passes or folds, 1 bets or calls
            return int(label == "r" or (label == CALL and FOLD in actions))
        if label in (FOLD, CALL):
            return int(label == CALL)
        return 2 if label == "r" else int(label[1:])

    def _cards(self, before: PokerState, after: PokerState) -> list[int]:
        """Return dealt cards by OpenSpiel's numbers: by rank, then by suit from clubs to spades."""
        cards = after.board[len(before.board) :]
        if before.hands is None and after.hands is not None:
            cards = after.hands[0] + after.hands[1]
        assert isinstance(self.game, PokerGame)
        suits, lowest = self.game.deck.suits, min(self.game.deck.cards) // len(SUITS)
        return [(card // len(SUITS) - lowest) * suits + suits - 1 - card % len(SUITS) for card in cards]

    def labels(self, actions: tuple[str, ...], theirs: Any) -> dict[int, str]:
        """Return our actions by OpenSpiel's number; raises ``ValueError`` if other ones are legal there."""
        found = {self.number(label, actions): label for label in actions}
        if sorted(found) != sorted(theirs.legal_actions()):
            raise BadInputError(
                f"{self.game.name} has other actions in OpenSpiel, after {theirs.history_str()}"
            )
        return found


@dataclass
class Course:
    """A hand in OpenSpiel's states, beside ours.

    Attributes
    ----------
    twin : Twin
    now : pyspiel.State
    made : callable, optional
        Told each move before it is made: the state, who moves, the number.
    """

    twin: Twin
    now: Any
    made: Callable[[Any, int, int], object] | None = None
    _last: Any = None

    def tell(self, state: Any) -> None:
        """Make the move that leads to a state."""
        if self._last is not None:
            for number in self.twin.numbers(self._last, state):
                actor = int(self.now.current_player())
                if self.made is not None:
                    self.made(self.now, actor, number)
                self.now.apply_action(number)
        self._last = state


@dataclass
class _Seated(Follower):
    """What agents of OpenSpiel share: who makes them, and the hand that they play in its states.

    Attributes
    ----------
    source : Source
    twin : Twin
    """

    source: Source
    twin: Twin
    _course: Course | None = None

    def __reduce__(self) -> tuple[type[_Seated], tuple[object, ...]]:
        return type(self), (self.source, self.twin)

    def _turn(self, view: View) -> tuple[Any, dict[int, str]]:
        """Return OpenSpiel's state where the agent acts, and the actions there by its numbers."""
        assert self._course is not None
        return self._course.now, self.twin.labels(view.actions, self._course.now)


class PolicyAgent(_Seated):
    """A policy of a game that is too large to be walked: asked where it acts; its whole plan is not known."""

    replays = True

    def follow(self, number: int, player: int) -> Callable[[Any], object]:
        """Begin a hand."""
        self._course = Course(self.twin, self.twin.spiel.new_initial_state())
        return self._course.tell

    def act(self, view: View, draw: float) -> str:
        """Return an action that is drawn from the policy."""
        now, labels = self._turn(view)
        policy = self.source.made(self.twin, view.player)
        return Lottery.of(_odds(self.source.spec, policy, now, labels)).pick(draw)


class BotAgent(_Seated):
    """A bot of OpenSpiel, told of each hand from its beginning, of chance and the other player's actions."""

    def follow(self, number: int, player: int) -> Callable[[Any], object]:
        """Begin a hand: the bot is restarted, then informed of all that others do, as OpenSpiel does it."""
        bot = self.source.made(self.twin, player)
        start = self.twin.spiel.new_initial_state()
        _restart(bot, start.clone())
        inform = getattr(bot, "inform_action", None)

        def made(state: Any, actor: int, action: int) -> None:
            if actor != player and callable(inform):
                inform(state.clone(), actor, action)

        self._course = Course(self.twin, start, made)
        return self._course.tell

    def act(self, view: View, draw: float) -> str:
        """Return the bot's action; the number is not used."""
        now, labels = self._turn(view)
        action = self.source.made(self.twin, view.player).step(now.clone())
        if action not in labels:
            raise BadInputError(
                f"{self.source.spec}: step must return one of {', '.join(map(str, sorted(labels)))}, "
                f"got {shown(action)}"
            )
        return labels[action]


@dataclass
class Source:
    """A function of the user that makes bots or policies: called once for each player.

    Attributes
    ----------
    spec : str
        ``openspiel:module:function``.
    """

    spec: str
    _made: dict[int, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[type[Source], tuple[object, ...]]:
        return Source, (self.spec,)

    def made(self, twin: Twin, player: int) -> Any:
        """Return the bot or the policy of a player.

        Raises
        ------
        ValueError
            If there is no such function, it raises anything, or returns neither.
        """
        if player not in self._made:
            spiel = twin.spiel  # first, as without OpenSpiel modules that import it cannot be loaded
            function = load_object(self.spec.removeprefix(PREFIX), "match agent")
            if not callable(function):
                raise BadInputError(f"{self.spec} must be a function of a game and a player")
            try:
                found = function(spiel, player)
            except MemoryError:
                raise
            except (Exception, SystemExit) as error:
                raise BadInputError(f"{self.spec}: {described(error)}") from error
            if not is_policy(found) and not callable(getattr(found, "step", None)):
                raise BadInputError(
                    f"{self.spec} must return a bot of OpenSpiel, with step, or a policy, with "
                    f"action_probabilities, got {shown(found)}"
                )
            self._made[player] = found
        return self._made[player]


def is_policy(found: Any) -> bool:
    """Return whether an object says how likely it takes each action."""
    return callable(getattr(found, "action_probabilities", None))


def openspiel_agent(problem: Problem, spec: str) -> Table | PolicyAgent | BotAgent:
    """Return the agent that a function makes for OpenSpiel.

    Parameters
    ----------
    problem : Problem
        Of a game that is OpenSpiel's, or that it has too.
    spec : str
        ``openspiel:module:function``; called with a ``pyspiel.Game`` and each player in turn, it returns a
        bot or a policy.

    Returns
    -------
    dict, PolicyAgent or BotAgent
        The strategy of policies where the game can be walked.

    Raises
    ------
    ValueError
        If OpenSpiel lacks the game, or the function is none or returns something else.
    """
    twin, source = Twin.of(problem.game), Source(spec)
    kinds = {is_policy(source.made(twin, player)) for player in (0, 1)}
    if len(kinds) > 1:
        raise BadInputError(f"{spec} must return bots or policies for both players, got one of each")
    if not kinds.pop():
        return BotAgent(source, twin)
    table = _walked(twin, source) if problem.can_be_walked(MOST_HISTORIES) else None
    return PolicyAgent(source, twin) if table is None else table


def _restart(bot: Any, start: Any) -> None:
    """Let a bot begin a hand: by a ``restart_at`` of its own, else by ``restart``, where it has one.

    ``restart_at`` of OpenSpiel's own class of bots raises; its compiled bots have both.
    """
    import pyspiel

    own = getattr(type(bot), "restart_at", pyspiel.Bot.restart_at)
    if own is not pyspiel.Bot.restart_at:
        bot.restart_at(start)
    elif callable(getattr(bot, "restart", None)):
        bot.restart()


def _walked(twin: Twin, source: Source) -> Table | None:
    """Return what policies play at every infoset; None if that is not found.

    A policy is asked once at each information state of OpenSpiel. It is no strategy of the game if it answers
    otherwise at two of one infoset, as by suits where ranks alone are seen. At most ``MOST_HISTORIES``
    histories are walked.
    """
    game, table, asked = twin.game, Table(), set[tuple[int, str]]()
    todo, found = [(game.root(), twin.spiel.new_initial_state())], 1
    while todo:
        state, theirs = todo.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        if player == CHANCE:
            moves = [label for label, _ in game.chance(state)]
        else:
            moves, key = [*game.actions(state)], (player, game.infoset(state, player))
            labels = twin.labels(tuple(moves), theirs)
            known = player, theirs.information_state_string()
            if known not in asked:
                asked.add(known)
                odds = _odds(source.spec, source.made(twin, player), theirs, labels)
                if any(abs(odds[label] - p) > SUM_TOLERANCE for label, p in table.get(key, odds).items()):
                    return None
                table[key] = odds
        for label in moves:
            child, after = game.child(state, label), theirs.clone()
            for number in twin.numbers(state, child):
                after.apply_action(number)
            todo.append((child, after))
            found += 1
        if found > MOST_HISTORIES:
            return None
    return table


def _odds(spec: str, policy: Any, theirs: Any, labels: dict[int, str]) -> dict[str, float]:
    """Return what a policy plays in a state of OpenSpiel; raises ``ValueError`` if that is no lottery."""
    try:
        odds = {int(number): float(p) for number, p in policy.action_probabilities(theirs.clone()).items()}
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        raise BadInputError(
            f"{spec}: the policy has no answer at {theirs.history_str()}: {described(error)}"
        ) from error
    plan = {label: odds.get(number, 0.0) for number, label in labels.items()}
    if min(plan.values()) < 0 or not abs(sum(plan.values()) - 1) < SUM_TOLERANCE:
        raise BadInputError(
            f"{spec}: the policy must give probabilities of {', '.join(map(str, sorted(labels)))} "
            f"at {theirs.history_str()}, got {shown(odds)}"
        )
    return plan


def universal_poker_spec(game: PokerGame) -> str:
    """Return the spec of the same game as OpenSpiel's universal_poker.

    Raises
    ------
    ValueError
        If it has no such game: it plays whole hands, limit or no-limit with every whole number of chips.
    """
    check_whole_hand(game)
    betting, put = game.betting, game.betting.invested
    is_limit = betting.raise_sizes is not None
    # It has no straights of three cards, no stacks in limit games, and lets the larger stack raise more.
    lacks = {
        "menus of sizes": betting.sizes is not None,
        "antes beside blinds": bool(betting.dead_money),
        "hands of three cards": game.ranking == "three_card",
        "stacks in limit games": is_limit and betting.cap is not None,
        "unequal stacks": betting.cap is not None and betting.cap[0] != betting.cap[1],
    }
    if any(lacks.values()):
        raise BadInputError(
            f"OpenSpiel's universal_poker has no {' and no '.join(k for k, v in lacks.items() if v)}, "
            f"got {game.name}"
        )
    caps = [NO_CAP if most is None else most for most in betting.max_raises]
    stack = (UNLIMITED, UNLIMITED) if is_limit else betting.cap or ()
    words = {
        "betting": "limit" if is_limit else "nolimit",
        "numPlayers": "2",
        "numRounds": str(betting.n_rounds),
        "blind": f"{put[0]} {put[1]}",
        "firstPlayer": " ".join(str(first + 1) for first in betting.first),
        "numSuits": str(game.deck.suits),
        "numRanks": str(game.deck.ranks),
        "numHoleCards": str(game.hole_cards),
        "numBoardCards": " ".join(map(str, game.board_cards)),
        "maxRaises": " ".join(map(str, caps)),
        "stack": " ".join(map(str, stack)),
    }
    if is_limit:
        words["raiseSize"] = " ".join(map(str, betting.raise_sizes or ()))
    else:
        words["bettingAbstraction"] = "fullgame"
    # OpenSpiel reads a list of one number as a number, and the game refuses that.
    lists = {"blind", "firstPlayer", "numBoardCards", "maxRaises", "raiseSize", "stack"}
    pairs = (
        f"{key}={value} " if key in lists and " " not in value else f"{key}={value}"
        for key, value in words.items()
    )
    return f"universal_poker({','.join(pairs)})"
