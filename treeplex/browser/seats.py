"""Seats against a solution: hands replayed from addresses, and decisions of the visitor judged afterwards."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from treeplex.browser.addresses import Place, Seat
from treeplex.browser.hand_table import MOST_TO_COME
from treeplex.browser.lines import is_hidden
from treeplex.browser.solutions import Solution
from treeplex.core.strategy import Strategy
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Drawing, Game
from treeplex.games.base.reading import shortened, shown
from treeplex.games.cards.preflop import CLASSES, class_of
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.hand_grid import ROUNDING
from treeplex.pictures.node_view import NodeView
from treeplex.play.agents import Entrant, StrategyAgent
from treeplex.play.hand import Dealer, Hand, View
from treeplex.play.schedule import AGENT_STREAMS, CHANCE_STREAM, draws
from treeplex.play.wording import LONGEST_KEY, Row, Words, listed
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats
from treeplex.views.action_values import ActionValues

OPPONENT = "the solution"
"""Who plays against the visitor, in words."""
KEPT_NODES = 64
"""Nodes of each solution of which values of all hands' actions are kept."""


@dataclass(frozen=True)
class Played:
    """A hand as far as it was played.

    Attributes
    ----------
    decisions : tuple of (View, str)
        The visitor's, with what was played.
    turn : View or None
        What the visitor knows where it is to act; None when the hand is over.
    hand : Hand or None
        The hand when it is over.
    """

    decisions: tuple[tuple[View, str], ...]
    turn: View | None
    hand: Hand | None


@dataclass(frozen=True)
class Choice:
    """An action at a decision, as the solution has it with what the visitor held.

    Attributes
    ----------
    action, name : str
        The label, and what it means.
    probability : float
        How likely the solution takes it.
    value : float or None
        What it wins against the solution with the best play below, in the game's unit, in poker from there
        on; None where that is not known.
    """

    action: str
    name: str
    probability: float
    value: float | None


@dataclass(frozen=True)
class Judgement:
    """A decision of the visitor beside what the solution plays there.

    Attributes
    ----------
    view : View
    played : str
    choices : tuple of Choice
    is_held : bool
        Whether the solution's own play comes there with this hand; what it does elsewhere is no advice.
    """

    view: View
    played: str
    choices: tuple[Choice, ...]
    is_held: bool

    @property
    def loss(self) -> float | None:
        """What the best action wins more than the one that was played; None where that is not known."""
        values = {one.action: one.value for one in self.choices if one.value is not None}
        return max(values.values()) - values[self.played] if self.played in values else None

    def as_json(self) -> dict[str, Any]:
        """Return the judgement as an object."""
        return {
            "infoset": self.view.infoset,
            "public": self.view.public,
            "played": self.played,
            "loss": self.loss,
            "held": self.is_held,
            "actions": [
                {"action": one.action, "probability": one.probability, "value": one.value}
                for one in self.choices
            ],
        }


class _TurnError(Exception):
    """The visitor has to act, and the address says no more."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view


@dataclass(frozen=True, eq=False)
class Seats:
    """The hands that are played against a solution.

    Hand k is that of a session of ``treeplex play`` with the same seed: chance's and the opponent's random
    numbers are made from the seed and k, so that nothing is kept between two requests.

    Attributes
    ----------
    solution : Solution
    """

    solution: Solution

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.solution.problem.game

    @cached_property
    def words(self) -> Words:
        """What the visitor is told of the game, as at the terminal."""
        return Words(self.game, OPPONENT)

    def replay(self, seat: Seat) -> Played:
        """Return a hand as far as the visitor's actions go, the solution's drawn anew.

        Raises
        ------
        ValueError
            If an action is not legal, or the hand is over before the last of them.
        """
        chance = draws(seat.seed, CHANCE_STREAM, seat.hand - 1)
        own = draws(seat.seed, AGENT_STREAMS[1], seat.hand - 1)
        entrant, left, decisions = self._entrant, [*reversed(seat.moves)], list[tuple[View, str]]()

        def choose(view: View) -> str:
            if view.player != seat.seat:
                return entrant.act(view, next(own))
            if not left:
                raise _TurnError(view)
            action = left.pop()
            if action not in view.actions:
                n, legal = len(decisions) + 1, listed(view.actions)
                raise BadInputError(f"move {n} must be one of {legal}, got {shown(action)}")
            decisions.append((view, action))
            return action

        try:
            hand = self._dealer.deal(chance.__next__, choose)
        except _TurnError as turn:
            if isinstance(self.game, Drawing):
                self.game.forget()
            return Played(tuple(decisions), turn.view, None)
        if left:
            raise BadInputError(f"the hand is over after {len(decisions)} moves, got {len(seat.moves)}")
        return Played(tuple(decisions), None, hand)

    def judge(self, view: View, played: str) -> Judgement:
        """Return a decision beside what the solution plays, and what each action wins where that is known."""
        assert isinstance(self.solution.strategy, Strategy)
        plan = self.solution.strategy.action_probabilities(view.player, view.infoset)
        values, meaning = self._values(view), self.words.meaning(view)
        choices = [
            Choice(action, f"{action}{meaning(action)}", plan.get(action, 0.0), _known(values.get(action)))
            for action in view.actions
        ]
        return Judgement(view, played, tuple(choices), self._is_held(view))

    def place(self, view: View) -> Place:
        """Return the node or the public state of a view."""
        if not self.solution.has_hands:
            return Place(view.public)
        board, _, line = view.public.partition(":")
        return Place(line, board)

    def key(self, node: NodeView, hand: int) -> str:
        """Return the infoset of a hand at a node."""
        cards = tuple(node.hands[hand].tolist())
        if isinstance(self.game, PokerGame):
            return f"{self.game.hand_label(cards)}{self.game.joiner}{node.point.key}"
        return f"{CLASSES[class_of(cards)]}{node.point.key}"

    def ending(self, seat: Seat, hand: Hand) -> Iterator[Row]:
        """Yield what both players held when a hand is over, and how it went."""
        game = self.game
        state = game.root()
        for move in hand.moves:
            state = game.child(state, move)
        if isinstance(game, PokerGame):
            for name, player in (("cards", seat.seat), ("its cards", 1 - seat.seat)):
                yield name, game.hand_label(state.hands[player])
            if game.n_board:
                yield "board", game.public_key(state.board, "").removesuffix(":") or "none came"
            yield from (row for row in self.words.ending(hand, seat.seat) if row[0] == "betting")
            return
        yield "you know", shortened(game.infoset(state, seat.seat), LONGEST_KEY)
        yield "it knows", shortened(game.infoset(state, 1 - seat.seat), LONGEST_KEY)
        yield "moves", shortened(", ".join(hand.moves), LONGEST_KEY)

    @cached_property
    def _entrant(self) -> Entrant:
        strategy = self.solution.strategy
        if not (isinstance(strategy, Strategy) and self.solution.can_be_played):
            raise BadInputError(
                "hands are played against strategies that are read whole, and on boards only where suits are "
                f"seen, got {self.solution.source}"
            )
        return Entrant(OPPONENT, None, StrategyAgent(strategy))

    @cached_property
    def _dealer(self) -> Dealer:
        return Dealer(self.game)

    def _is_held(self, view: View) -> bool:
        """Return whether the solution's own actions lead to an infoset; assumed where no hands are shown."""
        strategy = self.solution.strategy
        if isinstance(strategy, Profile):
            t = strategy.treeplexes[view.player]
            return bool(strategy.plans[view.player][t.parent[t.index[view.infoset]]] > ROUNDING)
        place = self.place(view)
        if is_hidden(self.game, place.line):
            return True
        node = self.solution.picture(place.line, place.board, "strategy").view
        return bool(node.here[self._hand(node, view)] > ROUNDING)

    def _hand(self, node: NodeView, view: View) -> int:
        """Return where the hand of a view stands among those of its node."""
        return next(hand for hand in range(len(node.hands)) if self.key(node, hand) == view.infoset)

    def _values(self, view: View) -> Mapping[str, float]:
        """Return what each action wins; nothing where no page of a node has values."""
        values, place = self._action_values, self.place(view)
        if values is None:
            return {}
        if not isinstance(self.game, PokerGame):
            won = values.at_infoset(view.player, view.infoset) or {}
            put = 0.0
            if isinstance(self.game, PushFold):
                put = float(self.solution.picture(place.line, "", "strategy").view.point.put)
            return {action: value + put for action, value in won.items()}
        to_come = self.game.n_board - self.game.point(place.line).n_board
        is_far = isinstance(values.strategy, FactoredStrategy) and to_come > MOST_TO_COME
        if is_far or is_hidden(self.game, place.line):
            return {}
        node, won_by = self._at_node(place)
        return dict(zip(view.actions, won_by[self._hand(node, view)].tolist(), strict=True))

    @cached_property
    def _action_values(self) -> ActionValues | None:
        strategy = self.solution.strategy
        if not isinstance(strategy, Profile | FactoredStrategy):
            return None
        return ActionValues(self.solution.problem, strategy)

    @cached_property
    def _at_node(self) -> Any:
        return lru_cache(KEPT_NODES)(self._look_up)

    def _look_up(self, place: Place) -> tuple[NodeView, Floats]:
        node = self.solution.picture(place.line, place.board, "strategy").view
        assert self._action_values is not None
        return node, self._action_values.at_node(node)


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
