"""The schedule of a match, fixed before play: seats, deals and random numbers of each hand by its number."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.play.agents import Entrant
from treeplex.play.hand import Dealer, Hand, View
from treeplex.process.children import Ended, answers_of
from treeplex.seqform.certify.public_aivat import PublicAivat

CHUNK = 250
"""Most hands that a process plays before it hands them over."""
CHUNKS = 8
"""Chunks for each process at least, where there are as many hands."""
CHANCE_STREAM, AGENT_STREAMS = 0, (1, 2)
"""Streams of random numbers: chance's, A's and B's."""


@dataclass(frozen=True)
class Schedule:
    """Two agents on a game, and what each hand's random numbers are made from.

    Every hand has random numbers of its own, made from the seed and its number: it can be played alone, in
    any order and in any process. Chance's and both agents' are streams apart; the k-th chance node of a hand
    takes the k-th number of chance's stream, so that both hands of a deal have the same chance moves wherever
    the play before them leaves chance the same outcomes.

    Attributes
    ----------
    game : Game
    entrants : tuple of Entrant
        A and B.
    duplicate : bool
        Whether each deal is played twice, the second time with seats swapped. A begins as player 0, and
        seats rotate from hand to hand in either case.
    seed : int
    luck : pair of PublicAivat, optional
        Estimates of each hand less luck, by the seat of A.
    """

    game: Game[Any]
    entrants: tuple[Entrant, Entrant]
    duplicate: bool
    seed: int
    luck: tuple[PublicAivat, PublicAivat] | None = None
    _dealer: Dealer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_dealer", Dealer(self.game))

    def seat(self, number: int) -> int:
        """Return which player A is in a hand."""
        return number % 2

    def play(self, number: int) -> Hand:
        """Play a hand.

        Raises
        ------
        ValueError
            If an agent raises anything, or plays what is not legal.
        """
        seat = self.seat(number)
        chance = chance_of(self.seed, number, self.duplicate)
        own = [draws(self.seed, stream, number) for stream in AGENT_STREAMS]

        def choose(view: View) -> str:
            who = view.player ^ seat
            return self.entrants[who].act(view, next(own[who]))

        told = [one.follow(number, who ^ seat) for who, one in enumerate(self.entrants)]

        def seen(state: Any) -> None:
            for tell in told:
                if tell is not None:
                    tell(state)

        return self.estimated(number, self._dealer.deal(chance.__next__, choose, seen))

    def estimated(self, number: int, hand: Hand) -> Hand:
        """Return a hand with its estimate less luck if hands are estimated, else with none."""
        if self.luck is None:
            return hand if hand.less_luck is None else replace(hand, less_luck=None)
        if hand.less_luck is not None:
            return hand
        return replace(hand, less_luck=self.luck[self.seat(number)].estimate(hand.moves))

    def payoff(self, moves: tuple[str, ...]) -> Fraction:
        """Return player 0's payoff after moves; raises ``ValueError`` if they are no hand of the game."""
        return self._dealer.payoff(moves)

    def winnings(self, number: int, hand: Hand) -> float:
        """Return what A wins in a hand."""
        return float(-hand.payoff if self.seat(number) else hand.payoff)


def chance_of(seed: int, number: int, duplicate: bool) -> Iterator[float]:
    """Yield chance's random numbers of a hand: two hands in a row have the same where deals are duplicate."""
    return draws(seed, CHANCE_STREAM, number // 2 if duplicate else number)


def draws(seed: int, stream: int, number: int) -> Iterator[float]:
    """Yield random numbers in [0, 1) without end, of 53 bits each.

    The k-th is made from the seed, the stream, the hand's number and k alone, by BLAKE2b: nothing is kept
    between numbers, and they are the same on every machine.
    """
    head = struct.pack("<3Q", seed, stream, number)
    for k in count():
        digest = blake2b(head + struct.pack("<Q", k), digest_size=8).digest()
        yield (int.from_bytes(digest, "little") >> 11) * 2.0**-53


def played_here(schedule: Schedule, first: int, end: int) -> Generator[list[Hand], None, None]:
    """Yield the hands from one number to before another, one at a time, in this process."""
    for number in range(first, end):
        yield [schedule.play(number)]


def played_in_children(
    schedule: Schedule, first: int, end: int, children: int, look: Callable[[], object]
) -> Generator[list[Hand], None, None]:
    """Yield the hands from one number to before another in their order, played in child processes.

    Raises
    ------
    ValueError
        If the game or an agent cannot be sent to another process; a child ended; or as :meth:`Schedule.play`.
    """
    try:
        parts = schedule.game, schedule.entrants, schedule.duplicate, schedule.seed, schedule.luck
        content = pickle.dumps(parts)
    except MemoryError:
        raise
    except Exception as error:
        raise BadInputError(
            f"the game and the agents must be such as pickle takes for several streams: {error}"
        ) from error
    size = max(1, min(CHUNK, (end - first) // (CHUNKS * children)))
    tasks = [(content, lo, min(lo + size, end)) for lo in range(first, end, size)]
    early: dict[int, list[Hand]] = {}
    due = 0
    with closing(answers_of(played_chunk, tasks, children, look)) as answers:
        for k, answer in answers:
            if isinstance(answer, Ended):
                raise BadInputError(f"a process that played hands ended with code {answer.code}")
            if isinstance(answer, str):
                raise BadInputError(answer)
            early[k] = answer
            while due in early:
                yield early.pop(due)
                due += 1


def played_chunk(task: tuple[bytes, int, int]) -> list[Hand] | str:
    """Return the hands from one number to before another, or in one line what went wrong."""
    content, first, end = task
    try:
        schedule = _schedule(content)
        return [schedule.play(number) for number in range(first, end)]
    except Exception as error:
        return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


@lru_cache(maxsize=1)
def _schedule(content: bytes) -> Schedule:
    return Schedule(*pickle.loads(content))
