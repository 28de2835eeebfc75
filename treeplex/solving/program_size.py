"""The limit on sequences of linear programs, by counting alone where that is enough."""

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.counting.game_sizes import GameSizes, RoundSizes
from treeplex.games.inputs.reading import count_text
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.solving.choice import cards_come


def check_program_size(problem: Problem, most: int) -> None:
    """Refuse a linear program of more sequences, once hands are merged and forced moves removed.

    Poker games are counted first, by a bound; then on their public trees; all games on their small forms.

    Raises
    ------
    ValueError
    """
    game = problem.game
    if isinstance(game, PokerGame) and not game.locks:
        _check(game.name, least_sequences(game, problem.sizes), most)
        tree = problem.tree if problem.merged is None else problem.merged.tree
        assert tree is not None
        _check(game.name, _sequences_with_choice(tree), most)
    _check(game.name, sum(problem.small.form.n_sequences), most)


def least_sequences(game: PokerGame, sizes: GameSizes) -> int:
    """Return how many sequences a poker game's linear program has at least.

    A decision of k actions has k sequences, or none if k = 1: k - 1 at least. Hands are merged only where
    they weigh the same on every board; where any card of theirs may come, no two do. In games whose cards
    are all out, or of few cards, each decision is counted for one hand alone.
    """
    hands_differ = cards_come(game) and _every_card_may_come(game)
    return sum(
        _with_choice(one, p) * (one.deals.known[p] if hands_differ else 1)
        for one in sizes.rounds
        for p in (0, 1)
    )


def _with_choice(one: RoundSizes, player: int) -> int:
    return one.betting.actions[player] - one.betting.decisions[player]


def _every_card_may_come(game: PokerGame) -> bool:
    """Return whether each card of a hand may be dealt to the board: two hands are possible without it."""
    waiting = {card for one in game.reach for hand in one for card in hand}
    for first in game.reach[0]:
        for second in game.reach[1]:
            if not waiting:
                return True
            if set(first).isdisjoint(second):
                waiting &= {*first, *second}
    return not waiting


def _sequences_with_choice(tree: PublicTree) -> int:
    """Return both players' sequences at the nodes of several actions."""
    alive = np.array([[int(hands.sum()) for hands in deal.alive] for deal in tree.deals], dtype=np.int64)
    n_children = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    nodes = np.flatnonzero((tree.player >= 0) & (n_children > 1))
    return int((n_children[nodes] * alive[tree.deal[nodes], tree.player[nodes]]).sum())


def _check(name: str, sequences: int, most: int) -> None:
    if sequences > most:
        raise ValueError(
            f"a linear program takes at most {most:,} sequences, {name} has at least "
            f"{count_text(sequences)}; use a regret minimiser"
        )
