"""Buckets by values after a warm-up: the formula by hand, bytes, what is kept, what is refused."""

from collections import defaultdict

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.stopped_runs import abstract_until
from tests.helpers.twins.factored import advanced, factored_tree, invariant_strategy
from tests.helpers.twins.played import played_by_hand
from treeplex.core.problem import Problem
from treeplex.games.base.reporting import quiet
from treeplex.games.buckets.features import Features
from treeplex.games.buckets.perfect_recall import check_nested
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.named import flop_holdem, turn_holdem
from treeplex.solving import abstraction_warm_up as warm_up
from treeplex.solving.abstract import estimated, planned
from treeplex.solving.abstraction_warm_up import expected_values, walked_entries, warmed_up

SMALL = "flop_holdem(ranks=4,suits=3,raises=[1,1])"
STREETS = "preflop:4:weva,flop:25:weva"
NO_LIMIT = "no_limit_flop_holdem(ranks=4,suits=3,stack=600)"


def by_hand(game, strategy, street, index):
    """Return the mean of each coordinate over the boards of each deal, by a walk of the rules."""
    found, every = defaultdict(lambda: defaultdict(list)), played_by_hand(game, strategy)
    n_board = sum([n for n in game.board_cards if n][:street])
    for (player, line, board, hand), (value, met) in every.items():
        if len(board) == n_board:
            betting, depth = game.point(line).betting, len(line.rpartition("/")[2])
            share = (float(betting.put[player]) + value / met) / float(sum(betting.put))
            number = int(index.of(np.array([[*hand, *board]]))[0])
            found[player, line][number].append(share / (1 + depth))
    return {key: {number: np.mean(shares) for number, shares in one.items()} for key, one in found.items()}


@pytest.mark.seconds(3)
@over(
    [
        (flop_holdem(4, 2, raises=(0, 1)), 0, (2,)),
        (flop_holdem(4, 2, raises=(0, 1)), 1, (2, 3)),
        (turn_holdem(4, 2, raises=(0, 0, 0)), 2, (2, 3, 1)),
    ]
)
def test_points_are_parts_of_the_pot_weighted_by_depth(game, street, rounds):
    strategy = invariant_strategy(factored_tree(game), game)
    index = HandIndex(game.deck, rounds)
    points, wanted = expected_values(strategy, street, index, quiet), by_hand(game, strategy, street, index)
    betting = strategy.tree.betting
    nodes = [n for n in range(betting.n_nodes) if betting.player[n] >= 0 and betting.street[n] == street]
    assert points.shape == (index.size, 2 * len(nodes))
    for player in (0, 1):
        for n, node in enumerate(nodes):
            one = wanted[player, betting.line[node]]
            column = points[:, player * len(nodes) + n]
            assert sorted(one) == list(range(index.size))
            np.testing.assert_allclose(column, [one[i] for i in range(index.size)], rtol=1e-5, atol=1e-6)


@pytest.mark.seconds(3)
def test_the_warm_up_is_ten_iterations_of_cfr_on_the_whole_game():
    strategy = warmed_up(Problem(tp.load(SMALL).game), 2)
    wanted = advanced(SMALL, "cfr", 10).average
    for mine, theirs in zip(strategy.weight, wanted.weight, strict=True):
        assert mine.tobytes() == theirs.tobytes()


def test_real_boards_after_the_street_are_walked():
    tree = factored_tree("turn_holdem(ranks=4,suits=2,raises=[0,0,0])")
    last = tree.boards.street == 2
    entries = sum(np.diff(base) for base in tree.base)
    assert walked_entries(tree, 2) == entries.sum()
    each = entries[last].mean()
    flops = (tree.boards.street == 1).sum()
    assert walked_entries(tree, 1) == pytest.approx(entries[~last].sum() + flops * 5 * each)


@pytest.mark.seconds(3)
@over([SMALL, NO_LIMIT])
def test_strong_hands_come_last_and_suits_do_not_matter(game):
    made = tp.abstract(game, STREETS)
    assert made.counts == (4, 25)
    assert [one.kind for one in made.streets] == ["weva", "weva"]
    cards = made.deck.cards
    boards = np.array([[cards[-1], cards[-5], cards[-9]]])
    deals, points = Features.of(made.deck, 3, "equity").on(boards)
    bucket = made.buckets(1, boards[0].tolist(), deals[:, :2])
    assert np.corrcoef(bucket, points[:, 0])[0, 1] > 0.7
    suits = sorted({card % 4 for card in cards})
    renamed = np.array(suits[1:] + suits[:1])[np.searchsorted(suits, deals % 4)]
    assert (made.of_deals(1, deals - deals % 4 + renamed) == bucket).all()
    result = tp.solve(game, abstraction=made, iterations=5)
    assert result.nash_conv > 0.0


def test_buckets_depend_on_the_bets():
    other = "flop_holdem(ranks=4,suits=3,raises=[1,2])"
    one, two = (tp.abstract(game, "flop:25:weva") for game in (SMALL, other))
    assert one.streets[1].table.tolist() != two.streets[1].table.tolist()


@pytest.mark.seconds(3)
@over(["imperfect", "perfect"])
def test_the_bytes_are_those_of_the_seed_whatever_the_threads(recall):
    streets = "preflop:5:weva,flop:30:weva"
    one, three = (tp.abstract(SMALL, streets, recall=recall, seed=5, threads=n) for n in (1, 3))
    assert one.identity == three.identity
    if recall == "perfect":
        check_nested(one)


def test_a_run_that_was_ended_goes_on_to_the_same_bytes(tmp_path):
    path, other = tmp_path / "a.npz", tmp_path / "b.npz"
    abstract_until("warm-up: iteration 2", SMALL, STREETS, out=path)
    assert not list(tmp_path.iterdir())
    abstract_until("flop", SMALL, STREETS, out=path)
    assert [file.name.split("-")[0] for file in tmp_path.iterdir()] == ["a.preflop"]
    told: list[str] = []
    tp.abstract(SMALL, STREETS, out=path, progress=lambda text, width: told.append(text))
    assert told[-1] == "writing"
    assert not any(text.startswith("preflop") for text in told)
    tp.abstract(SMALL, STREETS, out=other)
    assert path.read_bytes() == other.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def test_streets_that_were_kept_for_other_bets_are_made_anew(tmp_path):
    path = tmp_path / "a.npz"
    abstract_until("flop", SMALL, STREETS, out=path)
    abstract_until("flop", "flop_holdem(ranks=4,suits=3,raises=[1,2])", STREETS, out=path)
    assert len(list(tmp_path.iterdir())) == 2


@over(
    [
        ("limit_holdem", r"limit_holdem: regrets and averages would take at least [\d,.]+ GiB, more than"),
        ("flop_holdem(ranks=5,flops=3)", r"values of all hands need all flops, .* lists 48"),
        ("leduc_poker", "features are of hold'em hands of two cards"),
    ]
)
def test_games_whose_hands_cannot_all_be_valued_are_refused(game, said):
    with pytest.raises(ValueError, match=said):
        planned(game, "flop:3:weva")


def test_values_that_do_not_fit_are_refused_with_the_figures(monkeypatch):
    monkeypatch.setattr(warm_up, "machine_memory", lambda: 1_000)
    with pytest.raises(ValueError, match=r"values of all hands at all .* would take .* GiB, more than"):
        planned(SMALL, "flop:3:weva")


def test_the_estimate_has_the_warm_up_and_the_values():
    said = estimated(planned(SMALL, "preflop:5:weva,flop:40:weva"))
    assert 0.0 < said.seconds < 60.0
    assert 2**28 < said.memory < 2**30
