"""A poker game made ready as betting times boards: for games of several streets with all hands at once."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from treeplex.cfr.factored.tables import BYTES, Storage
from treeplex.games.counting.game_sizes import GameSizes, game_sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.games.specs.specs import load_game
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import StreetTree
from treeplex.seqform.factored.suit_symmetry import symmetries
from treeplex.seqform.judge.board_walk import runouts
from treeplex.seqform.trees.poker_deals import MAX_HOLE_CARDS
from treeplex.seqform.trees.public_compiler import GIB, machine_memory

BOARD_BYTES = 1_500
"""What a board takes while boards are listed, even if few hands live on it."""


@dataclass(frozen=True)
class StreetProblem:
    """A poker game, and the two factors of its public tree.

    Attributes
    ----------
    game : PokerGame
    tree : StreetTree
    sizes : GameSizes
        Counted on every real board.
    n_bytes : int
        What a minimiser's tables take in the storage that was asked for.
    """

    game: PokerGame
    tree: StreetTree
    sizes: GameSizes
    n_bytes: int

    @property
    def pot(self) -> Fraction | None:
        """The pot of a spot, of which each player counts half as invested; None for whole hands."""
        return sum(self.game.betting.invested, Fraction(0)) if self.game.board else None

    @property
    def big_blind(self) -> Fraction | None:
        """The big blind of a whole hand with blinds; None elsewhere."""
        small, big = sorted(self.game.betting.invested)
        return None if self.game.board or small == big else big

    def exploitability_text(self, nash_conv: float) -> str:
        """Return half of NashConv in the unit that players use."""
        half = nash_conv / 2
        if self.pot is not None:
            return f"{100 * half / float(self.pot):.3g}% of the pot"
        if self.big_blind is not None:
            return f"{1000 * half / float(self.big_blind):.3g} mbb/hand"
        return f"{half:.2g} {self.game.unit}"


def load_streets(
    game: str | Game[Any],
    *,
    storage: Storage = "float32",
    predictive: bool = False,
    isomorphism: bool = True,
    bets: str | None = None,
    raises: str | None = None,
    memory: int | None = None,
) -> StreetProblem:
    """Make a poker game ready.

    Parameters
    ----------
    game : str or Game
        A spec, a file's path or a poker game of one or two hole cards.
    storage : {"float32", "int16"}
    predictive : bool
        Whether the minimiser expects its last regrets once more, and so keeps them.
    isomorphism : bool
        Whether boards that suits alone tell apart are one.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    memory : int, optional
        Bytes that tables may take; three quarters of the machine's memory unless given.

    Raises
    ------
    ValueError
        If the game is no such poker game, or its tables would take more memory, which is known before
        anything is built.
    """
    known = load_game(game, bets=bets, raises=raises) if isinstance(game, str) else game
    if not isinstance(known, PokerGame) or known.hole_cards > MAX_HOLE_CARDS:
        raise ValueError(f"this is for poker games of one or two hole cards, got {known.name}")
    if storage not in BYTES:
        raise ValueError(f"storage must be one of {', '.join(BYTES)}, got {storage!r}")
    limit = machine_memory() * 3 // 4 if memory is None else memory
    sizes, each = game_sizes(known), BYTES[storage] + (4 if predictive else 0)
    alike = len(symmetries(known)) if isomorphism else 1
    tables, boards = "regrets and averages", _count_boards(known) // alike
    _check(known, tables, "at least ", (sum(sizes.sequences) - 2) // alike * each, limit)
    _check(known, f"{boards:,} boards", "at least ", boards * BOARD_BYTES, limit)
    tree = StreetTree.of(BettingTree.of(known), BoardTree.of(known, isomorphism=isomorphism))
    n_bytes = sum(int(base[-1]) for base in tree.base) * each
    _check(known, tables, "", n_bytes, limit)
    return StreetProblem(known, tree, sizes, n_bytes)


def _count_boards(game: PokerGame) -> int:
    """Return how many boards can lie, on all streets together."""
    ways = [every for every, _ in runouts(game)]
    return sum(prod(ways[:street]) for street in range(len(ways) + 1))


def _check(game: PokerGame, what: str, roughly: str, n_bytes: int, limit: int) -> None:
    if n_bytes > limit:
        raise ValueError(
            f"{game.name}: {what} would take {roughly}{n_bytes / GIB:,.1f} GiB, more than "
            f"{limit / GIB:,.1f} GiB"
        )
