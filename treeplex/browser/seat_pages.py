"""What pages of a seat and of training on a node show: what the visitor knows, its actions, judgements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treeplex.browser.addresses import Seat, Spot
from treeplex.browser.hand_table import WIDTH
from treeplex.browser.seats import Judgement, Played, Seats
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text, shown
from treeplex.pictures.hand_colours import frequency_text, value_text
from treeplex.pictures.node_view import NodeView
from treeplex.play.hand import Lottery, View
from treeplex.play.schedule import draws
from treeplex.play.wording import Row, listed

SPOT_STREAM = 3
"""The stream of random numbers by which hands at a node are drawn, beside those of chance and of agents."""


@dataclass(frozen=True, eq=False)
class SeatPage:
    """A hand against a solution, as far as the visitor has played it.

    Attributes
    ----------
    seats : Seats
    seat : Seat
    """

    seats: Seats
    seat: Seat

    def as_json(self) -> dict[str, Any]:
        """Return what the visitor knows; when the hand is over also the payoff, all cards and judgements.

        Raises
        ------
        ValueError
            If an action is not legal, or there are too many.
        """
        played, seat = self._played, self.seat
        told = _stated(self.seats, played.turn, self._told, self._judgements)
        over = {"over": played.hand is not None, "payoff": self._payoff}
        address = {"seed": seat.seed, "hand": seat.hand, "player": seat.seat, "moves": [*seat.moves]}
        return {**told, **address, **over}

    def content(self) -> dict[str, Any]:
        """Return all that the template writes; raises ``ValueError`` as :meth:`as_json`."""
        name, seat = self.seats.solution.name, self.seat
        is_over = self._played.hand is not None
        links = [("This hand in the other seat", seat.other.page(name))] if is_over else []
        return _content(self.seats, self._told, self._judgements) | {
            "title": f"Hand {seat.hand}, you are player {seat.seat}",
            "outcome": self._outcome,
            "actions": _links(self.seats, self._played.turn, lambda a: seat.after(a).page(name)),
            "next": seat.next.page(name) if is_over and seat.next else "",
            "up": seat.back.page(name) if seat.moves else "",
            "links": links,
            "json": seat.json(name),
        }

    @cached_property
    def _played(self) -> Played:
        return self.seats.replay(self.seat)

    @cached_property
    def _told(self) -> list[Row]:
        turn, hand = self._played.turn, self._played.hand
        if turn is not None:
            return [*self.seats.words.situation(turn)]
        assert hand is not None
        return [*self.seats.ending(self.seat, hand)]

    @cached_property
    def _judgements(self) -> list[Judgement]:
        """The visitor's decisions, none before the hand is over."""
        decisions = self._played.decisions if self._played.hand is not None else ()
        return [self.seats.judge(view, action) for view, action in decisions]

    @property
    def _payoff(self) -> float | None:
        hand = self._played.hand
        return None if hand is None else float(-hand.payoff if self.seat.seat else hand.payoff)

    @property
    def _outcome(self) -> str:
        hand, unit = self._played.hand, self.seats.game.unit
        if hand is None:
            return ""
        payoff = -hand.payoff if self.seat.seat else hand.payoff
        return f"The hand is over: you {'lose' if payoff < 0 else 'win'} {amount_text(abs(payoff))} {unit}."


@dataclass(frozen=True, eq=False)
class TrainingPage:
    """A node at which the solution is hidden, with one hand of the range that comes there.

    Attributes
    ----------
    seats : Seats
    spot : Spot
    """

    seats: Seats
    spot: Spot

    def as_json(self) -> dict[str, Any]:
        """Return what the visitor knows, and the judgement if something was played.

        Raises
        ------
        ValueError
            If hands are not shown at the node, none comes there, or the action is not legal.
        """
        spot = self.spot
        told = _stated(self.seats, self._view, self._told, self._judgements)
        place = {"line": spot.place.line, "board": spot.place.board}
        return {**told, **place, "seed": spot.seed, "hand": spot.hand, "player": self._view.player}

    def content(self) -> dict[str, Any]:
        """Return all that the template writes; raises ``ValueError`` as :meth:`as_json`."""
        name, spot = self.seats.solution.name, self.spot
        content = _content(self.seats, self._told, self._judgements)
        turn = None if spot.action else self._view
        return content | {
            "title": f"Training, hand {spot.hand}: player {self._view.player} acts",
            "outcome": f"You play {spot.action}." if spot.action else "",
            "actions": _links(self.seats, turn, lambda action: spot.after(action).page(name)),
            "next": spot.next.page(name) if spot.action and spot.next else "",
            "up": spot.after("").page(name) if spot.action else "",
            "links": [("The node with all hands", spot.place.page(name))],
            "json": spot.json(name),
        }

    @cached_property
    def _view(self) -> View:
        """What the visitor knows, with the hand that the seed and the number draw."""
        seats, spot = self.seats, self.spot
        if not seats.solution.has_hands:
            raise BadInputError(f"training is on nodes with hands, which {seats.game.name} does not have")
        node = seats.solution.picture(spot.place.line, spot.place.board, "strategy").view
        view = _held(seats, node, spot)
        if spot.action and spot.action not in view.actions:
            raise BadInputError(f"action must be one of {listed(view.actions)}, got {shown(spot.action)}")
        return view

    @cached_property
    def _told(self) -> list[Row]:
        return [*self.seats.words.situation(self._view)]

    @cached_property
    def _judgements(self) -> list[Judgement]:
        return [self.seats.judge(self._view, self.spot.action)] if self.spot.action else []


def _held(seats: Seats, node: NodeView, spot: Spot) -> View:
    """Return the view of one hand at a node, drawn as likely as it comes there with what it meets."""
    likely = {str(hand): odds for hand, odds in enumerate(node.joint.tolist())}
    if not any(likely.values()):
        raise BadInputError(f"no hand comes to the line {spot.place.line!r} under this solution")
    number = next(draws(spot.seed, SPOT_STREAM, spot.hand - 1))
    hand, point = int(Lottery.of(likely).pick(number)), node.point
    return View(seats.game.name, point.player, seats.key(node, hand), point.key, point.actions)


def _stated(
    seats: Seats, turn: View | None, told: Sequence[Row], judgements: Sequence[Judgement]
) -> dict[str, Any]:
    """Return what both pages say as an object."""
    solution = seats.solution
    return {
        "game": seats.game.name,
        "source": solution.source,
        "unit": seats.game.unit,
        "told": dict(told),
        "infoset": None if turn is None else turn.infoset,
        "actions": [] if turn is None else [*turn.actions],
        "decisions": [one.as_json() for one in judgements],
    }


def _content(seats: Seats, told: Sequence[Row], judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Return what the template writes of both pages."""
    known = [one.loss for one in judgements if one.loss is not None]
    return {
        "told": told,
        "unit": seats.game.unit,
        "judged": [_judged(seats, one) for one in judgements],
        "lost": value_text(sum(known), "ev", WIDTH) if len(known) == len(judgements) > 1 else "",
    }


def _judged(seats: Seats, one: Judgement) -> dict[str, Any]:
    """Return a decision with a row for each action."""
    name = seats.solution.name
    best = max((choice.value for choice in one.choices if choice.value is not None), default=None)
    return {
        "infoset": one.view.infoset or "(nothing known)",
        "href": seats.place(one.view).page(name),
        "played": one.played,
        "held": one.is_held,
        "loss": None if one.loss is None else value_text(one.loss, "ev", WIDTH),
        "exact": "" if one.loss is None else repr(one.loss),
        "rows": [
            {
                "action": choice.action,
                "name": choice.name,
                "taken": choice.action == one.played,
                "numbers": [
                    (repr(choice.probability), frequency_text(choice.probability)),
                    _number(choice.value),
                    _number(None if choice.value is None or best is None else best - choice.value),
                ],
            }
            for choice in one.choices
        ],
    }


def _number(value: float | None) -> tuple[str, str]:
    """Return a number as JSON writes it, and in few characters; empty where it is unknown."""
    return ("", "") if value is None else (repr(value), value_text(value, "ev", WIDTH))


def _links(seats: Seats, turn: View | None, page: Callable[[str], str]) -> list[dict[str, str]]:
    """Return a link for each action that the visitor may take."""
    if turn is None:
        return []
    meaning = seats.words.meaning(turn)
    return [{"name": f"{action}{meaning(action)}", "href": page(action)} for action in turn.actions]
