"""An agent of this workbench as a program of the competition's protocol: it plays against any dealer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.protocol import TERMINAL
from treeplex.play.acpc_lines import GoneError, Lines, connect
from treeplex.play.acpc_text import COMMENTS, END, HIDDEN, AcpcText, MatchState, value_text
from treeplex.play.agents import AgentLike, Entrant, entrant_of
from treeplex.play.hand import Follower, View
from treeplex.play.matches import MOST_SEED
from treeplex.play.schedule import AGENT_STREAMS, draws


@dataclass(frozen=True)
class AcpcRun:
    """What an agent saw of a match.

    Attributes
    ----------
    hands : int
        Those that it saw to their end.
    won : Fraction
        What it won in them.
    is_whole : bool
        Whether the dealer left between hands, not before the first or in the midst of one.
    """

    hands: int
    won: Fraction
    is_whole: bool

    def text(self, unit: str) -> str:
        """Return it as one line."""
        when = "in the midst of a hand" if self.hands else "before a hand was over"
        rest = "" if self.is_whole else f"; the dealer left {when}"
        return f"hands {self.hands}, won {value_text(self.won)} {unit}{rest}"


def play_acpc(
    agent: AgentLike,
    game: GameLike,
    port: int,
    *,
    host: str = "127.0.0.1",
    seed: int = 1,
    progress: Progress = silent,
) -> AcpcRun:
    """Let an agent play against a dealer until that closes the connection.

    The k-th action of a hand takes the k-th random number that the same agent takes in ``treeplex match``
    with the same seed: the stream of A if the agent was in position 0 in hand 0 and positions rotate, else
    that of B, and the number of the hand.

    Parameters
    ----------
    agent : str, Path, strategy, Result or Agent
        As for :func:`treeplex.match`.
    game : str, Path, Game or Problem
        The game that the dealer plays.
    port : int
    host : str
    seed : int
        Of the agent's random numbers.
    progress : callable
        An exception from it ends the play.

    Raises
    ------
    ValueError
        If nobody listens there, the agent fails, or the dealer says what is no state of the game: a raise
        that it does not have, for example.
    """
    check_integer("seed", seed, 0, MOST_SEED)
    problem = load(game)
    text = AcpcText.of(problem.game)
    entrant = entrant_of(problem, agent)
    if isinstance(entrant.agent, Follower):
        raise BadInputError(f"{entrant.name} plays matches of treeplex alone: it must be told whole hands")
    lines = connect(host, port, lambda: progress(f"{entrant.name} plays", float("inf")))
    try:
        return _Play(text, entrant, seed, lines).run()
    finally:
        lines.close()


@dataclass
class _Play:
    """The play under way: the number of the hand, and the agent's random numbers that are left of it."""

    text: AcpcText
    entrant: Entrant
    seed: int
    lines: Lines
    number: int = -1
    numbers: Iterator[float] = field(default_factory=lambda: iter(()))

    def run(self) -> AcpcRun:
        hands, won, is_whole = 0, Fraction(0), False
        try:
            self.lines.write("VERSION:2.0.0" + END, None)
            while True:
                line = self.lines.read(None)
                if not line or line.startswith(COMMENTS):
                    continue
                told = self.text.read_match_state(line)
                player = self.text.game.player(told.state)
                is_whole = player == TERMINAL
                if is_whole:
                    payoff = self._payoff(told)
                    hands, won = hands + 1, won + (-payoff if told.position else payoff)
                    self.text.game.forget()
                elif player == told.position:
                    self.lines.write(f"{line}:{self._act(told)}{END}", None)
        except GoneError:
            return AcpcRun(hands, won, is_whole)

    def _act(self, told: MatchState) -> str:
        if told.hand != self.number:
            stream = AGENT_STREAMS[told.position ^ (told.hand % 2)]
            self.number, self.numbers = told.hand, draws(self.seed, stream, told.hand)
        label = self.entrant.act(View.of(self.text.game, told.state), next(self.numbers))
        return self.text.betting(label)

    def _payoff(self, told: MatchState) -> Fraction:
        """Return what position 0 won."""
        betting = self.text.game.point(told.state.line).betting
        if betting.is_showdown and told.state.hands is not None and HIDDEN in told.state.hands:
            raise BadInputError(f"both hands must be seen after a showdown, got hand {told.hand} without")
        return Fraction(self.text.game.payoff(told.state))
