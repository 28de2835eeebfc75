"""A session: a person plays hands against an agent by lines of text, of which nothing reads or prints itself.

The person is told what its player may know, and after a hand what its decisions cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import amount_text, shown, visible
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.play.agents import Entrant
from treeplex.play.estimates import Estimate
from treeplex.play.hand import Dealer, View
from treeplex.play.histories import History, Recorded
from treeplex.play.matches import MOST_HANDS, MOST_SEED, unit_of
from treeplex.play.schedule import AGENT_STREAMS, CHANCE_STREAM, draws
from treeplex.play.whole_plan import Move, WholePlan, plans_shown
from treeplex.play.wording import YOU, Row, Words, chosen
from treeplex.process.interruption import current

SEATS = ("0", "1", "rotate")
"""Which player the person is."""
LEGAL, PROOF, QUIT = ("?",), ("proof", "p"), ("quit", "q")
"""What may be typed instead of an action; an action of the same label goes before."""
MOST_UNASKED = 1_000
"""Most hands in a row in which the person has nothing to decide."""


class _QuitError(Exception):
    """The person ends the session."""


@dataclass
class Session:
    """A person's hands against an agent.

    Hands are those of a match: hand k has random numbers of its own, made from the seed and k, chance's and
    the agent's apart, so that the same seed and the same lines give the same hands.

    Attributes
    ----------
    problem : Problem
    entrant : Entrant
        The agent.
    read : callable
        Returns the next line that the person typed, None at the end.
    say : callable
        Takes a line for the person, without what terminals obey.
    hands : int or None
        After how many it ends by itself.
    seat : {"0", "1", "rotate"}
        Which player the person is; rotating it begins as player 0.
    seed : int
    histories : tuple of History
        Where hands are kept.

    Raises
    ------
    ValueError
        If a number or the seat is none of these.
    """

    problem: Problem
    entrant: Entrant
    read: Callable[[], str | None]
    say: Callable[[str], object]
    hands: int | None = None
    seat: str = SEATS[-1]
    seed: int = 1
    histories: tuple[History, ...] = ()
    won: list[float] = field(default_factory=list)
    """What the person won in each hand that was finished, in the unit of the summary."""
    _last: Move | None = None
    _decisions: list[tuple[View, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.hands is not None:
            check_integer("hands", self.hands, 1, MOST_HANDS)
        check_integer("seed", self.seed, 0, MOST_SEED)
        if self.seat not in SEATS:
            raise BadInputError(
                f"seat must be {', '.join(SEATS[:-1])} or {SEATS[-1]}, got {shown(self.seat)}"
            )

    def play(self) -> None:
        """Play until the hands are done, the lines end or the person quits; the summary is said in any case.

        Raises
        ------
        ValueError
            If the agent raises anything or plays what is not legal, or a hand cannot be kept.
        KeyboardInterrupt
            If a stop was asked for.
        """
        try:
            self._begin()
            unasked = 0
            while self.hands is None or len(self.won) < self.hands:
                current().look()
                self._play_hand(len(self.won))
                unasked = 0 if self._decisions else unasked + 1
                if unasked >= MOST_UNASKED:
                    raise BadInputError(f"there was nothing to decide in {unasked:,} hands in a row")
        except _QuitError:
            pass
        except BadInputError:
            if self.won:
                self._end()
            raise
        except KeyboardInterrupt:
            self._end()
            raise
        self._end()

    @property
    def _game(self) -> Game[Any]:
        return self.problem.game

    @cached_property
    def _words(self) -> Words:
        return Words(self._game, self.entrant.name)

    @cached_property
    def _dealer(self) -> Dealer:
        return Dealer(self._game)

    def _begin(self) -> None:
        few = "" if self.hands is None else f", hands: {self.hands:,}"
        self._tell(f"{self._game.name} against {self.entrant.name}{few}")
        self._tell("a move is its label, its number or its start; ? lists moves, p proof, q quits")

    def _player(self, number: int) -> int:
        """Return which player the person is in a hand."""
        return number % 2 if self.seat == SEATS[-1] else int(self.seat)

    def _play_hand(self, number: int) -> None:
        person = self._player(number)
        chance = draws(self.seed, CHANCE_STREAM, number)
        own = draws(self.seed, AGENT_STREAMS[1], number)
        self._decisions = []

        def choose(view: View) -> str:
            if view.player == person:
                action = self._ask(number, view)
                self._decisions.append((view, action))
                return action
            action = self.entrant.act(view, next(own))
            if not isinstance(self._game, PokerGame):
                self._last = Move(view, action)
            return action

        noting, told = self._noting(1 - person), self.entrant.follow(number, 1 - person)

        def seen(state: Any) -> None:
            noting(state)
            if told is not None:
                told(state)

        hand = self._dealer.deal(chance.__next__, choose, seen)
        payoff = -hand.payoff if person else hand.payoff
        names = (YOU, self.entrant.name) if person == 0 else (self.entrant.name, YOU)
        for history in self.histories:
            history.append(Recorded(number, person, names, hand))
        self.won.append(float(payoff) * unit_of(self.problem)[0])
        self._tell("")
        self._tell(f"hand {number + 1} is over: {YOU} {_result(payoff)} {self._game.unit}")
        self._tell_rows(self._words.ending(hand, person))
        self._tell_rows(self._judged())

    def _noting(self, agent: int) -> Callable[[Any], None]:
        """Return what notes the agent's moves in poker from the states that are met.

        Hands that are locked move by chance, and the person must not learn which do.
        """
        game, before = self._game, list[PokerState]()

        def seen(state: Any) -> None:
            if not isinstance(game, PokerGame):
                return
            if before:
                last = before.pop()
                moves = game.point(last.line).moves
                action = next(label for label, line in moves.items() if line == state.line)
                view = View(game.name, agent, game.infoset(last, agent), game.public(last), tuple(moves))
                self._last = Move(view, action)
            point = game.point(state.line)
            if state.hands is not None and len(state.board) >= point.n_board and point.player == agent:
                before.append(state)

        return seen

    # the person's turn

    def _ask(self, number: int, view: View) -> str:
        """Return the action that the person types, asked until one is legal; raise _QuitError at the end."""
        self._tell("")
        self._tell(f"hand {number + 1}, {YOU} are player {view.player}")
        self._tell_rows([*self._words.situation(view), ("moves", self._words.moves(view))])
        while (line := self.read()) is not None:
            text = line.strip()
            if text in view.actions:
                return text
            if text in QUIT:
                break
            if text in LEGAL:
                self._tell_rows([("moves", self._words.moves(view))])
            elif text in PROOF:
                for told in self._proof():
                    self._tell(f"  {told}")
            else:
                try:
                    return chosen(text, view.actions)
                except BadInputError as error:
                    self._tell(str(error))
        raise _QuitError

    def _proof(self) -> Iterator[str]:
        """Yield what is known of the agent's last move, and how far its whole plan can be beaten."""
        name, last = self.entrant.name, self._last
        if last is None:
            yield f"{name} has not moved yet"
        else:
            played = f"played {last.action}" if isinstance(self._game, PokerGame) else "moved"
            if self.entrant.planned is None:
                yield f"{name} {played}, and has no plan that is known"
            else:
                yield f"{name} {played}; its plan there:"
                yield from plans_shown(self._game, self.entrant, last, self._whole)
        if self._whole is None:
            yield "its exploitability is not known: the game is too large to be walked, or no plan is whole"
            return
        factor, unit = unit_of(self.problem)
        most = factor * self._whole.exploitability
        yield f"exploitability of {name}, certified by best responses: {most:.6g} {unit}"

    @cached_property
    def _whole(self) -> WholePlan | None:
        return WholePlan.of(self.problem, self.entrant)

    # after a hand

    def _judged(self) -> Iterator[Row]:
        """Yield what each decision cost against the agent, where its whole plan is known."""
        if self._whole is None:
            return
        name, unit = self.entrant.name, self._game.unit
        for view, action in self._decisions:
            cost = self._whole.cost(view.player, view.infoset, action)
            if cost is None:
                told = f"{name}'s plan never comes here"
            elif cost.loss <= ROUNDING * self._largest:
                told = f"nothing is better against {name}"
            else:
                told = f"costs {cost.loss:.4g} {unit} against {name}; best is {cost.best}"
            yield "judged", f"{action} at {view.infoset!r}: {told}"

    @cached_property
    def _largest(self) -> float:
        """The largest payoff, by which rounding is measured."""
        assert self._whole is not None
        return self._whole.numbered.form.stakes[1]

    def _end(self) -> None:
        """Say how many hands were finished, and what the person won a hand."""
        self._tell("")
        if not self.won:
            self._tell("no hand was finished")
            return
        estimate = Estimate.of("naive", self.won)
        error = estimate.standard_error
        within = "" if error is None else f", standard error {error:.4f}"
        counted = "1 hand" if len(self.won) == 1 else f"{len(self.won):,} hands"
        unit = unit_of(self.problem)[1]
        self._tell(
            f"{counted} against {self.entrant.name}: {YOU} won {estimate.mean + 0.0:.4f} {unit}{within}"
        )

    def _tell_rows(self, rows: Iterator[Row] | list[Row]) -> None:
        for head, text in rows:
            self._tell(f"  {head:<8}  {text}")

    def _tell(self, line: str) -> None:
        self.say(visible(line.replace("\n", "\\n").replace("\r", "\\r").replace("\t", " ")))


ROUNDING = 1e-9
"""Costs below this, in parts of the largest payoff, are rounding."""


def _result(payoff: Any) -> str:
    if payoff == 0:
        return "win 0"
    return f"{'win' if payoff > 0 else 'lose'} {amount_text(abs(payoff))}"
