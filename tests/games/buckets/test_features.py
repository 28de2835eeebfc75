"""Features held against opposing hands and cards to come, taken one by one."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.buckets.features import (
    BINS,
    KINDS,
    Features,
    deck_hands,
    opposing_clusters,
    preflop_totals,
)
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.evaluator import evaluate_batch
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.cards.preflop import class_of, preflop_matchups

SHORT, TINY, WHOLE = Deck(6, 4, False), Deck(5, 3, False), Deck(13, 4, False)


def naive(deck, n_last, board, hand, cluster):
    """Return by last board the doubled wins and twice the opposing hands of each cluster, exactly."""
    of_hand = {tuple(h): g for h, g in zip(deck_hands(deck).tolist(), cluster.tolist(), strict=True)}
    n_clusters = max(of_hand.values()) + 1
    left = [card for card in deck.cards if card not in (*board, *hand)]
    for more in combinations(left, n_last - len(board)):
        full = (*board, *more)
        others = list(combinations([card for card in left if card not in more], 2))
        strengths = evaluate_batch([(*full, *other) for other in [hand, *others]])
        doubled, most = [0] * n_clusters, [0] * n_clusters
        for other, strength in zip(others, strengths[1:].tolist(), strict=True):
            doubled[of_hand[other]] += 2 * (strengths[0] > strength) + (strengths[0] == strength)
            most[of_hand[other]] += 2
        yield doubled, most


def naive_points(kind, found):
    found = list(found)
    equity = [Fraction(int(sum(doubled)), sum(most)) for doubled, most in found]
    if kind == "equity":
        return [float(sum(equity) / len(equity))]
    if kind == "ehs2":
        return [float(sum(e * e for e in equity) / len(equity))]
    if kind == "hist":
        inside = [min(int(e * BINS), BINS - 1) for e in equity]
        return [sum(b <= k for b in inside) / len(inside) for k in range(BINS - 1)]
    won = [sum(int(doubled[g]) for doubled, _ in found) for g in range(len(found[0][0]))]
    most = [sum(most[g] for _, most in found) for g in range(len(found[0][0]))]
    return [w / m if m else 0.5 for w, m in zip(won, most, strict=True)]


@over(
    [
        (TINY, 3, 3),
        (TINY, 4, 3),
        (TINY, 4, 4),
        (TINY, 5, 3),
        (SHORT, 5, 5),
        (SHORT, 5, 4),
        (Deck(4, 4, False), 5, 4),
        (Deck(13, 1, False), 5, 4),
    ]
)
def test_features_on_boards_are_those_of_cards_one_by_one(deck, n_last, n):
    rng = np.random.default_rng(n)
    boards = np.array([np.sort(rng.choice(deck.cards, n, replace=False)) for _ in range(2)])
    kinds = {kind: Features.of(deck, n_last, kind) for kind in KINDS}
    found = {kind: features.on(boards) for kind, features in kinds.items()}
    expected = [
        (*hand, *board) for board in boards for hand in deck_hands(deck) if not set(hand) & set(board)
    ]
    for deals, _ in found.values():
        assert deals.tolist() == [[int(card) for card in deal] for deal in expected]
    for i in rng.choice(len(expected), 8, replace=False):
        hand, board = tuple(map(int, expected[i][:2])), tuple(map(int, expected[i][2:]))
        by_cluster = list(naive(deck, n_last, board, hand, kinds["ochs"].cluster))
        for kind, (_, points) in found.items():
            exact = naive_points(kind, by_cluster)
            # one rounding to float32 each
            assert points[i, : len(exact)] == pytest.approx(exact, rel=2**-23, abs=2**-24)


@over(KINDS)
def test_renamed_suits_leave_the_bits(kind):
    features = Features.of(SHORT, 5, kind)
    board = np.array([[49, 46, 39, 36]])
    deals, points = features.on(board)
    row = {tuple(deal): i for i, deal in enumerate(np.sort(deals[:, :2], axis=1).tolist())}
    for suits in permutations(range(4)):
        rename = np.array([4 * (card // 4) + suits[card % 4] for card in range(52)])
        other, moved = features.on(rename[board])
        assert len(other) == len(deals)
        back = np.argsort(rename)
        rows = [row[tuple(hand)] for hand in np.sort(back[other[:, :2]], axis=1).tolist()]
        assert moved.tobytes() == points[rows].tobytes()


@over([(TINY, 3), (Deck(4, 3, False), 4), (Deck(4, 3, False), 5)])
def test_hand_classes_win_over_all_last_boards_what_their_hands_do(deck, n_last):
    hands, classes = deck_hands(deck), HandIndex(deck, (2,))
    cluster = np.zeros(len(hands), np.int64)
    totals = preflop_totals(deck, n_last, KINDS["hist"], cluster)
    for c in range(classes.size):
        found = list(naive(deck, n_last, (), tuple(classes.cards([c])[0].tolist()), cluster))
        orbit = int(classes.orbit([c])[0])
        assert totals.boards[c] == orbit * len(found)
        assert totals.doubled[c, 0] == orbit * sum(int(doubled[0]) for doubled, _ in found)
        assert totals.most[c, 0] == orbit * sum(most[0] for _, most in found)
        assert totals.squares[c] == orbit * sum(int(doubled[0]) ** 2 for doubled, _ in found)
        assert totals.histogram[c].sum() == totals.boards[c]


def test_threads_leave_the_bits_of_what_is_before_boards():
    one, three = (Features.of(SHORT, 5, "ochs", 3, threads).before_boards(threads) for threads in (1, 3))
    assert one.tobytes() == three.tobytes()


@pytest.mark.seconds(12)
def test_the_whole_deck_before_boards_agrees_with_the_stored_table():
    hands = deck_hands(WHOLE)
    totals = preflop_totals(WHOLE, 5, KINDS["equity"], np.zeros(len(hands), np.int64), threads=2)
    stored = preflop_matchups()
    doubled = (2 * stored.wins + stored.ties).sum(axis=1)
    most = 2 * (stored.wins + stored.ties + stored.losses).sum(axis=1)
    classes = HandIndex(WHOLE, (2,))
    for c, hand in enumerate(classes.cards(np.arange(169)).tolist()):
        cell = class_of((hand[0], hand[1]))
        assert totals.doubled[c].sum() == doubled[cell]
        assert totals.most[c].sum() == most[cell]


def test_opposing_clusters_are_of_classes_and_rise_with_equity():
    hands = deck_hands(SHORT)
    cluster = opposing_clusters(SHORT, 5, 5, 0)
    assert sorted(set(cluster.tolist())) == list(range(5))
    classes = HandIndex(SHORT, (2,)).of(hands)
    assert all(len(set(cluster[classes == c].tolist())) == 1 for c in set(classes.tolist()))
    equity = Features.of(SHORT, 5, "equity").before_boards()[classes, 0]
    means = [equity[cluster == g].mean() for g in range(5)]
    assert means == sorted(means)


@over(
    [
        ((SHORT, 5, "strength"), "features must be one of equity, ehs2, hist, ochs, got 'strength'"),
        ((SHORT, 2, "hist"), "cards of a last board must be an integer from 3 to 5, got 2"),
    ]
)
def test_unknown_kinds_and_boards_are_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        Features.of(*arguments)


def test_boards_of_another_deck_are_refused():
    made = Features.of(TINY, 3, "equity")
    with pytest.raises(ValueError, match="boards"):
        made.on(np.array([[0, 1, 2]]))
