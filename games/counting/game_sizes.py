"""Exact sizes of a poker game (infosets, sequences, histories), computed without enumerating it.

A table shows them round by round, and of each player.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.number_texts import count_text
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.counting.betting_counts import RoundBetting, count_betting
from treeplex.games.counting.deal_counts import RoundDeals, count_listed_deals, count_round_deals
from treeplex.games.poker.game import PokerGame

Pair = tuple[int, int]
"""A number for each player."""
COUNTED = (
    "decisions",
    "leaves",
    "infosets",
    "canonical_infosets",
    "sequences",
    "canonical_sequences",
    "decision_states",
)
ROUND_KEYS = ("n_board", *COUNTED)
"""Keys of a round in JSON."""
GAME_KEYS = (*COUNTED, "leaf_states", "lp_rows", "lp_cols", "canonical_lp_rows", "canonical_lp_cols")
"""Keys of the whole game in JSON."""


@dataclass(frozen=True)
class RoundSizes:
    """The sizes of one betting round: numbers of betting lines times numbers of deals.

    Attributes
    ----------
    n_board : int
        Number of board cards.
    betting : RoundBetting
    deals : RoundDeals
    """

    n_board: int
    betting: RoundBetting
    deals: RoundDeals

    @property
    def decisions(self) -> Pair:
        """Betting lines after which each player acts."""
        return self.betting.decisions

    @property
    def leaves(self) -> int:
        """Betting lines whose last decision is in this round."""
        return self.betting.folds + self.betting.showdowns

    @property
    def infosets(self) -> Pair:
        """Infosets of each player: (own hand, board, betting line) where the player acts."""
        return _times(self.betting.decisions, self.deals.known)

    @property
    def sequences(self) -> Pair:
        """Actions at all infosets of each player, which are the sequences that end in this round."""
        return _times(self.betting.actions, self.deals.known)

    @property
    def canonical_infosets(self) -> Pair | None:
        """Infosets up to permutations of suits; None with a starting board or ranges."""
        return self._up_to_suits(self.betting.decisions)

    @property
    def canonical_sequences(self) -> Pair | None:
        """Sequences up to permutations of suits; None with a starting board or ranges."""
        return self._up_to_suits(self.betting.actions)

    @property
    def decision_states(self) -> int:
        """Histories, both hands and the board in physical cards, in which somebody acts."""
        return sum(self.betting.decisions) * self.deals.dealt

    def _up_to_suits(self, lines: Pair) -> Pair | None:
        same = self.deals.canonical
        return None if same is None else _times(lines, (same, same))


@dataclass(frozen=True, repr=False)
class GameSizes(Shown):
    """The sizes of a poker game, counted without building it.

    Attributes
    ----------
    game : str
    method : {"merged states", "partitions"}
        How betting lines were counted.
    rounds : tuple of RoundSizes
    seconds : float
        Wall time.
    """

    game: str
    method: str
    rounds: tuple[RoundSizes, ...]
    seconds: float

    @property
    def decisions(self) -> Pair:
        """Betting lines after which each player acts."""
        return _sum([r.decisions for r in self.rounds])

    @property
    def leaves(self) -> int:
        """Betting lines after which the hand is over."""
        return sum(r.leaves for r in self.rounds)

    @property
    def infosets(self) -> Pair:
        """Infosets of each player; with ranges some may have a hand and a board that leave the other none."""
        return _sum([r.infosets for r in self.rounds])

    @property
    def sequences(self) -> Pair:
        """Sequences of each player, the empty one included."""
        return _sum([(1, 1), *(r.sequences for r in self.rounds)])

    @property
    def canonical_infosets(self) -> Pair | None:
        """Infosets up to permutations of suits; None with a starting board or ranges."""
        found = [r.canonical_infosets for r in self.rounds]
        return _sum([pair for pair in found if pair]) if all(found) else None

    @property
    def canonical_sequences(self) -> Pair | None:
        """Sequences up to permutations of suits, the empty one included; None like the infosets."""
        found = [r.canonical_sequences for r in self.rounds]
        return _sum([(1, 1), *(pair for pair in found if pair)]) if all(found) else None

    @property
    def decision_states(self) -> int:
        """Histories in which somebody acts."""
        return sum(r.decision_states for r in self.rounds)

    @property
    def leaf_states(self) -> int:
        """Histories at which the hand is over; those of showdowns with the full board."""
        deals = self.rounds[-1].deals.dealt
        folds = sum(r.betting.folds * r.deals.paid for r in self.rounds)
        return folds + deals * sum(r.betting.showdowns for r in self.rounds)

    @property
    def lp_rows(self) -> Pair:
        """Rows of each player's sequence-form program: flow rows, and the other's sequences.

        Koller, Megiddo and von Stengel (1996); without merged hands and running sums.
        """
        return _program(self.infosets, self.sequences)

    @property
    def lp_cols(self) -> Pair:
        """Columns of each player's program: own sequences, and values of the other's infosets."""
        return self.lp_rows[::-1]

    @property
    def canonical_lp_rows(self) -> Pair | None:
        """Rows of each player's program over infosets up to permutations of suits."""
        infosets, sequences = self.canonical_infosets, self.canonical_sequences
        return None if infosets is None or sequences is None else _program(infosets, sequences)

    @property
    def canonical_lp_cols(self) -> Pair | None:
        """Columns of each player's program over infosets up to permutations of suits."""
        rows = self.canonical_lp_rows
        return None if rows is None else rows[::-1]

    def blocks(self) -> tuple[Block, ...]:
        """Return the sizes round by round, those of each player, and the game's histories."""
        return sizes_table(self)

    def brief(self) -> str:
        """Return the game, infosets of both players together, and histories in which somebody acts."""
        infosets, states = count_text(sum(self.infosets)), count_text(self.decision_states)
        return f"{self.game}: {infosets} infosets, {states} decision states"

    def as_json(self) -> dict[str, Any]:
        """Return the sizes as the object that ``--json`` prints: exact integers, player 0 first."""
        rounds = [{key: getattr(one, key) for key in ROUND_KEYS} for one in self.rounds]
        head = {"game": self.game, "method": self.method, "seconds": self.seconds, "rounds": rounds}
        return head | {key: getattr(self, key) for key in GAME_KEYS}


def game_sizes(game: PokerGame, report: Report = quiet) -> GameSizes:
    """Count the infosets, sequences and histories of a poker game.

    Parameters
    ----------
    game : PokerGame
    report : callable, optional
        Told a few times a second how far this is.

    Raises
    ------
    ValueError
        If the betting is unlimited or too large to count in seconds.
    """
    start = time.perf_counter()
    lines = count_betting(game.betting, report)
    boards = [len(game.board) + sum(game.board_cards[: r + 1]) for r in range(len(lines.rounds))]
    deals = count_round_deals(game) if game.flops is None else count_listed_deals(game)
    rounds = map(RoundSizes, boards, lines.rounds, deals)
    return GameSizes(game.name, lines.method, tuple(rounds), time.perf_counter() - start)


def _program(infosets: Pair, sequences: Pair) -> Pair:
    return sequences[1] + 1 + infosets[0], sequences[0] + 1 + infosets[1]


def _times(left: Pair, right: Pair) -> Pair:
    return left[0] * right[0], left[1] * right[1]


def _sum(pairs: list[Pair]) -> Pair:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


LONGEST_STATES = 39
"""Most characters of a count that has a line for itself."""


def sizes_table(sizes: GameSizes) -> tuple[Block, ...]:
    """Return the sizes round by round, those of each player below, and the game's histories last."""
    headers = ("round", "board", "decision nodes", "leaves", "infosets", "canonical")
    rounds = [(str(k), str(one.n_board), *_together(one)) for k, one in enumerate(sizes.rounds, start=1)]
    players = tuple(
        (name, *(("-", "-") if pair is None else map(count_text, pair))) for name, pair in _pairs(sizes)
    )
    return (
        Columns(sizes.game, headers, (*rounds, ("all", "", *_together(sizes))), left=headers[:1]),
        Line(""),
        Columns(None, ("of each player", "player 0", "player 1"), players, left=("of each player",)),
        *map(Line, _footer(sizes)),
    )


def _together(sizes: RoundSizes | GameSizes) -> Iterator[str]:
    """Yield the cells of both players together."""
    for count in (sizes.decisions, sizes.leaves, sizes.infosets, sizes.canonical_infosets):
        yield "-" if count is None else count_text(count if isinstance(count, int) else sum(count))


def _pairs(sizes: GameSizes) -> Iterator[tuple[str, Pair | None]]:
    yield "decision nodes", sizes.decisions
    yield "infosets", sizes.infosets
    yield "canonical infosets", sizes.canonical_infosets
    yield "sequences", sizes.sequences
    yield "canonical sequences", sizes.canonical_sequences
    yield "LP rows", sizes.lp_rows
    yield "LP columns", sizes.lp_cols
    yield "canonical LP rows", sizes.canonical_lp_rows
    yield "canonical LP columns", sizes.canonical_lp_cols


def _footer(sizes: GameSizes) -> Iterator[str]:
    yield ""
    yield f"decision states  {count_text(sizes.decision_states, LONGEST_STATES)}"
    yield f"leaf states      {count_text(sizes.leaf_states, LONGEST_STATES)}"
    yield f"seconds          {sizes.seconds:.2f}, lines counted by {sizes.method}"
