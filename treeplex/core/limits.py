"""Upper limits on memory and histories, checked by counting before a form is built."""

from itertools import islice
from math import prod
from typing import Any

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL, Game
from treeplex.games.base.reading import complaint
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.counting.game_sizes import GameSizes
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.suit_symmetry import symmetries
from treeplex.seqform.certify.board_walk import runouts
from treeplex.seqform.forms.public_form import DENSE_HANDS
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.trees.game_tree import GameTree, build_tree
from treeplex.seqform.trees.memory import GIB
from treeplex.seqform.trees.poker_deals import deals_of
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError

ENTRY_BYTES = 150
"""Peak bytes per entry of the payoff while a sequence form is built, measured on rivers and turns."""
BOARD_BYTES = 1_500
"""Bytes per board while boards are listed, however few hands are possible on it."""
MOST_PAID = 10**300
"""Sums of payoffs as large are still in the range of floats."""
LARGEST_PRINTED = 10**300
"""Larger numbers of bytes are printed as this one."""


def walk(game: Game[Any], most: int, report: Report = quiet) -> GameTree:
    """Walk a game of at most so many histories; too many deals of hands are refused before they are listed.

    Raises
    ------
    treeplex.seqform.trees.walk_watch.TooManyHistoriesError
        If there are more, or they take too much memory.
    """
    if isinstance(game, PokerGame):
        first, second = game.reach
        deals = (hand for hand in map(set, first) for other in second if hand.isdisjoint(other))
        if next(islice(deals, most - 1, None), None) is not None:
            raise TooManyHistoriesError(f"{game.name} has more than {most:,} histories")
    return build_tree(game, max_nodes=most, report=report)


def check_histories(tree: PublicTree, most: int) -> None:
    """Refuse a public tree of more histories, all pairs of living hands counted, before any walk.

    Raises
    ------
    treeplex.seqform.trees.game_tree.TooManyHistoriesError
    """
    hands = np.array([[int(alive.sum()) for alive in deal.alive] for deal in tree.deals], dtype=np.float64)
    histories = float(hands.prod(axis=1)[tree.deal].sum())
    if histories > most:
        raise TooManyHistoriesError(
            f"{tree.name} has about {histories:,.0f} histories, and at most {most:,} are enumerated"
        )


def check_payoffs(form: SequenceForm) -> None:
    """Refuse payoffs that floats cannot hold, or not add up.

    Raises
    ------
    ValueError
    """
    for part in (form.payoff.base, form.payoff.left):
        # Integers of 64 bits are small enough.
        if part.num.dtype == object and np.abs(part.num).max(initial=0) > MOST_PAID * part.den:
            text = f"{form.name}: payoffs and chips must be below 1e300, in the range of floats, got more"
            raise BadInputError(complaint(text))


def check_counted_form(game: PokerGame, sizes: GameSizes, memory: int) -> None:
    """Refuse a poker game whose sequence form would not fit, by its counted betting lines and boards.

    A lower bound: the boards of a round are at least those that two hands without a card in common leave.
    Where suits are not seen boards are fewer, and nothing is refused.

    Raises
    ------
    ValueError
    """
    if game.sees_ranks_only:
        return
    dealt = [one.deals.dealt for one in sizes.rounds]
    leaves = sum(
        one.betting.folds * own + one.betting.showdowns * dealt[-1]
        for one, own in zip(sizes.rounds, dealt, strict=True)
    )
    first, second = deals_of(game).hands
    n_bytes = leaves // dealt[0] * _entries((len(first), len(second))) * ENTRY_BYTES
    check_memory(game.name, "the sequence form", "at least ", n_bytes, memory)


def check_tree_form(tree: PublicTree, memory: int) -> None:
    """Refuse a public tree whose sequence form would not fit.

    Raises
    ------
    ValueError
    """
    first, second = tree.hands
    leaves = len(tree.nodes_of(TERMINAL))
    n_bytes = leaves * _entries((len(first), len(second))) * ENTRY_BYTES
    check_memory(tree.name, "the sequence form", "about ", n_bytes, memory)


def check_boards(
    game: PokerGame, sizes: GameSizes, *, isomorphism: bool, entry_bytes: int, memory: int
) -> None:
    """Refuse betting times boards that would not fit, counted before any board is listed.

    Raises
    ------
    ValueError
    """
    alike = len(symmetries(game)) if isomorphism else 1
    check_tables(game.name, (sum(sizes.sequences) - 2) // alike * entry_bytes, memory, "at least ")
    ways = [every for every, _ in runouts(game)]
    boards = sum(prod(ways[:street]) for street in range(len(ways) + 1)) // alike
    check_memory(game.name, f"{boards:,} boards", "at least ", boards * BOARD_BYTES, memory)


def check_tables(name: str, n_bytes: int, memory: int, roughly: str = "") -> None:
    """Refuse tables of regrets and averages that would not fit.

    Raises
    ------
    ValueError
    """
    check_memory(name, "regrets and averages", roughly, n_bytes, memory)


def _entries(hands: tuple[int, int]) -> int:
    """Return how many entries of the payoff a leaf has."""
    return 9 * max(hands) if max(hands) > DENSE_HANDS else hands[0] * hands[1]


def check_memory(name: str, what: str, roughly: str, n_bytes: int, memory: int) -> None:
    """Refuse what would take more bytes than there are; ``roughly`` says how the number is meant.

    Raises
    ------
    ValueError
    """
    if n_bytes > memory:
        gib = min(n_bytes, LARGEST_PRINTED) / GIB
        amount = f"{gib:,.1f}" if gib < 10**12 else f"{gib:.3g}"
        text = f"{name}: {what} would take {roughly}{amount} GiB, more than {memory / GIB:,.1f} GiB"
        raise BadInputError(complaint(text))
