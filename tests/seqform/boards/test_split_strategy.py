"""Strategies of split games: joined, taken apart, and read one infoset at a time."""

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.cells import kept, over
from tests.helpers.split_strategies import RandomTables, random_strategy
from tests.helpers.two_tiers import two_tiers
from treeplex.games.cards.cards import cards_text
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import (
    leduc_poker,
    limit_holdem,
    limit_holdem_subgame,
    rhode_island,
    small_holdem,
    turn_holdem,
)
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.boards.split_tree import SplitTree

LEDUC = leduc_poker(suits_visible=True, raises=1)
TURN = turn_holdem(3, 3, raises=(0, 0, 1))
RANGES = ("AA,KJs:0.5,QJ:1/3", "AJ,QJ:2/7,JJ")
GAMES = [
    (LEDUC, 0),
    (rhode_island(3, 2, raises=1), 0),
    (rhode_island(3, 3, raises=1), 1),
    (small_holdem("As Ks Qs", 4, 3), 1),
    (replace(TURN, name="listed", flops=(((50, 49, 48), 5), ((50, 45, 40), 2))), 1),
]
LARGER = [(TURN, 0), (TURN, 1), (small_holdem("As Ks Qs", 4, 4, ranges=RANGES), 1)]


@kept
def known(game, seed):
    """Return a split strategy whose tables are drawn once, and the same of the whole game."""
    strategy = random_strategy(game, seed)
    return strategy, strategy.whole()


def check_tables_equal(one, other):
    assert all(map(np.array_equal, one, other))


@two_tiers(GAMES, LARGER, seconds=(4, 4))
def test_joined_and_taken_apart_again(game, seed):
    strategy, whole = known(game, seed)
    split = strategy.split
    assert whole.tree.boards.is_merged == BoardTree.of(game).is_merged
    again = SplitStrategy.of(whole, split)
    check_tables_equal(again.trunk.weight, strategy.trunk.weight)
    for flop in range(len(split.flops)):
        for line in range(len(split.lines)):
            check_tables_equal(again.tables(flop, line), strategy.tables(flop, line))
            last = split.boards(flop).n_boards - 1
            for p in (0, 1):
                blocks = (one.tables.block(flop, line, p, last) for one in (again, strategy))
                np.testing.assert_array_equal(*blocks)
    check_tables_equal(again.whole().weight, whole.weight)


@two_tiers(GAMES, LARGER, seconds=(3, 3))
def test_infosets_of_real_boards_are_those_of_the_whole(game, seed):
    strategy, whole = known(game, seed)
    infosets = {}
    for player, infoset, action, probability in whole.rows():
        infosets.setdefault((player, infoset), {})[action] = probability
    drawn = np.random.default_rng(3).permutation(len(infosets))[:60]
    keys = [*infosets]
    for player, infoset in [keys[0], *(keys[i] for i in drawn.tolist())]:
        assert strategy.action_probabilities(player, infoset) == infosets[player, infoset]


def test_one_infoset_reads_one_block():
    strategy = random_strategy(TURN, 1)
    asked = []

    class Watched(RandomTables):
        def __call__(self, flop, line):
            raise AssertionError("no subgame is read whole")

        def block(self, *place):
            asked.append(place)
            return super().block(*place)

    watched = replace(strategy, tables=Watched(strategy.split, np.int32))
    rows = [(player, infoset) for player, infoset, _, _ in strategy.whole().rows()]
    watched.action_probabilities(*rows[0])
    watched.action_probabilities(*rows[-1])
    assert len(asked) == sum(row[1].count("/") > 1 for row in (rows[0], rows[-1])) == 1


@over(["", "AsKs", "KsQs|:x", "KsQs|AsKsQh:cc/", "As|Ks:cc/", "AcKs|AsKhQhJd:cc/cc/", "AsKs|AsKhQhQs:/cc/"])
def test_infosets_that_are_none_are_refused(infoset):
    strategy = random_strategy(TURN, 1)
    with pytest.raises(ValueError, match=r"^(player 0 has no infoset|the board must be one of)"):
        strategy.action_probabilities(0, infoset)


def test_infosets_of_the_other_player_are_refused():
    strategy = random_strategy(LEDUC, 0)
    *_, (player, infoset, _, _) = strategy.whole().rows()
    with pytest.raises(ValueError, match=rf"^player {1 - player} has no infoset"):
        strategy.action_probabilities(1 - player, infoset)


def test_hidden_suits_cannot_be_asked_for():
    with pytest.raises(ValueError, match="hides suits"):
        random_strategy(leduc_poker(), 0).action_probabilities(0, "K:")


def test_boards_without_two_hands_are_refused():
    spec = 'small_holdem(board="Ks Qh Jd",ranks=5,suits=4,stack=1,bets=[a],ranges=["AsAh","KhKd,TsTh"])'
    with pytest.raises(ValueError, match="cannot be split there: its ranges hold no two hands on AhKsQhJd"):
        SplitTree.of(load_game(spec))


def test_boards_that_the_split_game_merges_are_refused():
    split = SplitTree.of(TURN, 1)
    tree = FactoredTree.of(TURN, BettingTree.of(TURN), BoardTree.of(TURN, isomorphism=False))
    plain = FactoredStrategy(tree, (np.zeros(tree.base[0][-1]), np.zeros(tree.base[1][-1])))
    with pytest.raises(ValueError, match=r"^the strategy's boards must be merged as the split game's are"):
        SplitStrategy.of(plain, split)
    with pytest.raises(ValueError, match=r"^the strategy must be of leduc"):
        SplitStrategy.of(plain, SplitTree.of(LEDUC))


def test_subgames_with_more_symmetries_than_the_whole_are_not_merged():
    # Before the flop, the second one tells apart two suits that are alike on the first.
    game = replace(TURN, name="uneven", flops=(((50, 46, 42), 1), ((49, 45, 40), 1)))
    split = SplitTree.of(game, 1)
    assert not split.boards(0).is_merged
    strategy = SplitStrategy(split, random_strategy(game, 1).trunk, RandomTables(split, np.int32))
    assert strategy.whole().tree.boards.n_boards == sum(split.boards(f).n_boards for f in range(2)) + 1


def test_named_subgames_of_limit_holdem_are_those_of_the_split_game():
    raises = (1, 1, 1, 1)
    split = SplitTree.of(limit_holdem(4, raises=raises))
    for line in (0, len(split.lines) - 1):
        cards, node = split.trunk.boards.cards[split.flops[3]], split.lines[line]
        named = limit_holdem_subgame(cards_text(cards), split.trunk.betting.line[node], 4, raises=raises)
        assert replace(named, name="one") == replace(split.subgame(3, line), name="one")


def test_listed_flops_are_no_place_to_split_before():
    with pytest.raises(ValueError, match=r"split it later, got 0$"):
        SplitTree.of(GAMES[-1][0], 0)
