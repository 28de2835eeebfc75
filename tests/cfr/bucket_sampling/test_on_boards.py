"""Blueprints on boards: the strategy of each hand, and convergence as best responses see it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from treeplex.cfr.bucket_sampling.blueprint_strategy import bucket_tree, on_boards
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig, LibratusPruning, PluribusPruning
from treeplex.cfr.engine import iterate
from treeplex.games.buckets.card_abstraction import rounds_of
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.poker.named import flop_holdem, kuhn_poker, leduc_poker, turn_holdem
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored

SMALL = BlueprintConfig(seed=3, batch=100, period=1000, clusters=3)


def boards_of(game):
    return FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game))


@over([leduc_poker(), flop_holdem(4, 2, (1, 1)), turn_holdem(3, 3, (1, 1, 1))], [1, 3])
def test_every_hand_plays_by_its_bucket(game, clusters):
    rounds = rounds_of(game)
    abstraction = drawn_abstraction(game, (None, *(3 for _ in rounds[1:])))
    engine = prepare(game, abstraction, replace(SMALL, clusters=clusters))
    strategy = engine.strategy(iterate(engine, 3000))
    tree = boards_of(game)
    found = on_boards(bucket_tree(engine.layout, tree), strategy)
    assert found.tree.abstraction is abstraction
    assert found.tree.count[0].tolist() == [len(tree.boards.hands[0].cards) and abstraction.counts[0]] + [
        3 * engine.layout.clusters.count for _ in rounds[1:]
    ]
    played = found.expanded()
    for board in range(tree.boards.n_boards):
        for node in np.flatnonzero(tree.betting.player >= 0):
            player, line = int(tree.betting.player[node]), tree.betting.line[node]
            if tree.betting.street[node] == tree.boards.street[board]:
                hands = tree.boards.hands[player]
                own = hands.cards[hands.hand[hands.on(board)]]
                mine = strategy.play(line, tree.boards.cards[board], own)
                np.testing.assert_allclose(played.at(player, node, board), mine, atol=1e-6)


def nash_conv(game, config, traversals, abstraction=None):
    """Return NashConv of the average in the real game, and the decisions visited."""
    engine = prepare(game, lossless(game) if abstraction is None else abstraction, config)
    state = iterate(engine, traversals)
    assert state.saturated == 0
    strategy = on_boards(bucket_tree(engine.layout, boards_of(game)), engine.strategy(state))
    return certify_factored(game, strategy.expanded()).nash_conv, state.visited


@over(["counts", "snapshots"])
def test_kuhn_poker_comes_near_the_optimum(average):
    few, _ = nash_conv(kuhn_poker(), replace(SMALL, average=average), 10_000)
    many, _ = nash_conv(kuhn_poker(), replace(SMALL, average=average), 300_000)
    assert many < 0.02
    assert many < few / 2


@pytest.mark.seconds(18)
@over(
    [
        (leduc_poker(), replace(SMALL, clusters=1, period=20_000), 0.035),
        (leduc_poker(), replace(SMALL, clusters=3, period=20_000), 0.035),
        (flop_holdem(4, 4, (1, 1)), replace(SMALL, batch=1000, period=100_000), 0.05 * 10),
    ]
)
def test_larger_games_come_near_the_optimum(game, config, most):
    """Flop hold'em within a twentieth of the big blind."""
    assert nash_conv(game, config, 2_000_000)[0] < most


def at_visits(config, visits):
    """Return NashConv on Leduc poker after so many decisions visited, and the traversals done."""
    engine, game = prepare(leduc_poker(), lossless(leduc_poker()), config), leduc_poker()
    state = engine.start()
    while state.visited < visits:
        state = iterate(engine, 50 * config.batch, state)
    strategy = on_boards(bucket_tree(engine.layout, boards_of(game)), engine.strategy(state))
    return certify_factored(game, strategy.expanded()).nash_conv, state.iterations


@pytest.mark.seconds(18)
def test_pruning_costs_nothing_at_equal_visits():
    """Means over seeds differ by noise, and traversals that prune visit less."""
    prunings = None, LibratusPruning(-60.0, 600.0), PluribusPruning(-60.0, -62.0)
    runs = np.array(
        [
            [
                at_visits(replace(SMALL, period=20_000, pruning=pruning, seed=seed), 5_000_000)
                for seed in range(3)
            ]
            for pruning in prunings
        ]
    )
    plain, *pruned = runs[:, :, 0]
    error = 3 * np.sqrt(runs[:, :, 0].var(axis=1, ddof=1).max() * 2 / 3)
    assert error < 0.05
    for one in pruned:
        assert abs(one.mean() - plain.mean()) < error
    assert (runs[1:, :, 1] > runs[0, :, 1]).all()
