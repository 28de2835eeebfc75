"""Betting lines without cards, against the public trees of small games."""

from fractions import Fraction

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.poker.named import (
    flop_holdem,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    rhode_island,
    small_holdem,
)
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.trees.public_tree import compile_public

GAMES = [
    kuhn_poker(),
    leduc_poker(suits_visible=True),
    leduc_poker(),
    rhode_island(3, 2, raises=2),
    flop_holdem(4, 2, raises=(1, 2)),
    small_holdem(),
    small_holdem("As Ks Qs Js", 4, 3, raises=("a",), stack=7),
    small_holdem("As Ks Qs", 5, 2, bets=(0.5, "a"), raises=(1,), stack=4),
    small_holdem("As Ks Qs Js", 4, 3, stack=0),
]


@over(GAMES)
def test_lines_are_those_of_the_public_tree(game):
    betting, public = BettingTree.of(game), compile_public(game)
    streets = _streets(public)
    known = {}
    for node in range(betting.n_nodes):
        # Where cards come the line before them may be that of the node after them.
        known[betting.line[node], int(betting.street[node])] = node
    assert len(known) == betting.n_nodes
    seen = set()
    for node, text in enumerate(public.public):
        line = text.partition(":")[2]
        found = known[line, streets[node]]
        seen.add(found)
        assert betting.player[found] == public.player[node]
        assert betting.showdown[found] == public.showdown[node]
        stake = Fraction(int(betting.stake[found]), betting.stake_den)
        assert stake == Fraction(int(public.stake[node]), public.stake_den)
        if public.player[node] == CHANCE:
            assert len(betting.children[found]) == 1
        else:
            actions = [betting.action[c] for c in betting.children[found]]
            assert actions == list(public.actions(node))
    assert seen == set(range(betting.n_nodes))


def _streets(public):
    """Return how often cards came before each node."""
    streets = np.zeros(public.n_nodes, int)
    for node in range(1, public.n_nodes):
        up = public.parent[node]
        streets[node] = streets[up] + (public.player[up] == CHANCE)
    return streets


def test_limit_holdem_has_its_known_number_of_lines():
    """Counted by hand, round by round."""
    betting = BettingTree.of(limit_holdem(raises=(1, 1, 1, 1)))
    # Rounds of one bet: 3 ways to go on (check-check, bet-call, check-bet-call), 2 folds. Before the flop
    # call-check, raise-call, call-raise-call; the small blind folds at once, either folds after a raise.
    assert betting.n_nodes == len(set(zip(betting.line, betting.street.tolist(), strict=True)))
    for street, folds in enumerate((3, 2, 2, 2)):
        ends = (betting.player == TERMINAL) & ~betting.showdown & (betting.street == street)
        assert ends.sum() == folds * 3**street
    assert betting.showdown.sum() == 3**4
    assert (betting.player == CHANCE).sum() == 3 + 9 + 27


def test_too_many_lines_are_refused():
    with pytest.raises(ValueError, match="leduc_poker must have at most 20 betting lines, got at least 85"):
        BettingTree.of(leduc_poker(), 20)
    assert BettingTree.of(kuhn_poker(), 20).n_nodes == 9
