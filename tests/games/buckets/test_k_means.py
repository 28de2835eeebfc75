"""k-means held against naive distances and means, and against itself with other numbers of threads."""

from itertools import product

import numpy as np
import pytest
from scipy.cluster.vq import kmeans2

from tests.helpers.cells import over
from treeplex.games.buckets import clusters as grouped
from treeplex.games.buckets.clusters import TWO_LEVELS, ClusterEffort, fit, fit_within, k_means
from treeplex.games.buckets.points import Points


def cloud(n, d=3, seed=0, absolute=False, threads=1):
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.random((n, d)), axis=1).astype(np.float32)
    return Points(values, rng.integers(1, 5, n).astype(np.float64), absolute, threads)


def naive_costs(points, centres):
    gaps = points.values[:, None, :].astype(float) - centres[None].astype(float)
    return abs(gaps).sum(axis=2) ** 2 if points.absolute else (gaps**2).sum(axis=2)


@over([False, True])
def test_nearest_centres_costs_and_means_are_the_naive_ones(absolute):
    points = cloud(300, absolute=absolute)
    centres = points.values[::37] + np.float32(0.01)
    rng = np.random.default_rng(1)
    first = rng.integers(0, len(centres), 300)
    last = np.array([rng.integers(lo + 1, len(centres) + 1) for lo in first])
    label, cost = points.nearest(centres, first, last)
    every = naive_costs(points, centres)
    for i, (lo, hi) in enumerate(zip(first, last, strict=True)):
        assert lo <= label[i] < hi
        assert cost[i] == pytest.approx(every[i, lo:hi].min(), rel=1e-5)
        assert cost[i] == pytest.approx(every[i, label[i]], rel=1e-5)
    every_two = np.minimum(every[:, 2], every[:, 4])
    unknown = np.full(300, np.finfo(np.float32).max)
    assert points.lowered(points.lowered(unknown, centres[2]), centres[4]) == pytest.approx(
        every_two, rel=1e-5
    )
    means = points.means(centres, label)
    for k, centre in enumerate(centres):
        own = label == k
        mean = np.average(points.values[own], axis=0, weights=points.weight[own]) if own.any() else centre
        assert means[k] == pytest.approx(mean, rel=1e-5)


def test_of_equally_near_centres_the_first_is_taken():
    points = Points(np.zeros((2, 1), np.float32), np.ones(2), absolute=False)
    centres = np.array([[1.0], [-1.0], [1.0]], np.float32)
    label, _ = points.nearest(centres, np.array([0, 1]), np.array([3, 3]))
    assert label.tolist() == [0, 1]


def best_inertia(points, count):
    """Return the least inertia over all partitions of the points."""
    best = np.inf
    for labels in product(range(count), repeat=len(points.weight)):
        total = 0.0
        for k in range(count):
            own = np.array(labels) == k
            if own.any():
                mean = np.average(points.values[own], axis=0, weights=points.weight[own])
                total += (points.weight[own, None] * (points.values[own] - mean) ** 2).sum()
        best = min(best, total)
    return best


@over(range(3))
def test_few_points_have_the_best_of_all_partitions(seed):
    points = cloud(7, 2, seed)
    found = k_means(points, 3, (seed,), ClusterEffort(starts=20, gain=0.0))
    assert found.inertia == pytest.approx(best_inertia(points, 3), rel=1e-5)


@over([False, True])
def test_the_bytes_are_those_of_the_seed_whatever_the_threads(absolute):
    one, three = cloud(20_000, absolute=absolute), cloud(20_000, absolute=absolute, threads=3)
    first, again = k_means(one, 60, (5, 1)), k_means(three, 60, (5, 1))
    assert first.centres.tobytes() == again.centres.tobytes()
    assert first.label.tobytes() == again.label.tobytes()
    assert first.inertia == again.inertia
    assert k_means(one, 60, (6, 1)).centres.tobytes() != first.centres.tobytes()


def test_inertia_is_about_that_of_scipy():
    values = cloud(3_000, 4, 3).values
    found = k_means(Points(values, np.ones(3_000), absolute=False), 40, (0,))
    centres, label = kmeans2(values.astype(float), 40, iter=100, minit="++", rng=np.random.default_rng(0))
    assert found.inertia < 1.05 * ((values - centres[label]) ** 2).sum()


def test_no_more_centres_than_points_that_differ():
    values = np.repeat(np.arange(4, dtype=np.float32), 10)[:, None]
    found = k_means(Points(values, np.ones(40), absolute=False), 9, (0,))
    assert sorted(found.centres[:, 0].tolist()) == [0, 1, 2, 3]
    assert found.inertia == 0.0


def test_a_centre_without_points_moves_to_the_dearest_point():
    values = np.array([[0.0], [1.0], [50.0]], np.float32)
    points = Points(values, np.ones(3), absolute=False)
    found = k_means(points, 3, (0,), ClusterEffort(starts=1))
    assert found.inertia == 0.0


LEAVING = np.array([-6.0, -3.1, 0.0, 10.0, 11.0, 11.0, 21.0], np.float32)[:, None]
"""Of the clusters around -6, 0 and 21 that in the middle loses both its points once centres have moved."""
ONE_STEP = ClusterEffort(starts=1, rounds=1)


def test_each_centre_has_points_at_the_end(monkeypatch):
    points, fewer = Points(LEAVING, np.ones(7), absolute=False), 0
    for seed in range(200):
        found = k_means(points, 3, (seed,), ONE_STEP)
        assert np.unique(found.label).tolist() == [*range(len(found.centres))]
        assert found.cost == pytest.approx(naive_costs(points, found.centres).min(axis=1))
        fewer += len(found.centres) < 3
    assert fewer > 0
    monkeypatch.setattr(grouped, "TWO_LEVELS", 4)
    monkeypatch.setattr(grouped, "TOP", 3)
    for seed in range(200):
        two = fit(points, 5, (seed,), ONE_STEP)
        assert (np.diff(two.start) >= 1).all()
        assert len(two.top) == len(two.start) - 1
        assert np.unique(two.assign(points)).tolist() == [*range(len(two.centres))]


def test_centres_within_groups_belong_to_their_group():
    points = cloud(500, 2, 4)
    group = np.random.default_rng(0).integers(0, 6, 500)
    centres = fit_within(points, group, 40, (1,))
    assert centres.start[0] == 0
    assert centres.start[-1] == len(centres.centres) == 40
    assert (np.diff(centres.start) >= 1).all()
    label = centres.assign(points, group)
    assert ((centres.start[group] <= label) & (label < centres.start[group + 1])).all()
    every = naive_costs(points, centres.centres)
    for i in range(500):
        inside = every[i, centres.start[group[i]] : centres.start[group[i] + 1]]
        assert every[i, label[i]] == pytest.approx(inside.min(), rel=1e-5)
    with pytest.raises(ValueError, match="groups must be given"):
        centres.assign(points)


def test_a_group_of_three_quarters_of_the_weight_has_three_quarters_of_the_centres():
    values = np.random.default_rng(5).random((40, 2), dtype=np.float32)
    group = np.arange(40) // 20
    points = Points(values, np.where(group == 0, 3.0, 1.0), absolute=False)
    assert np.diff(fit_within(points, group, 12, (1,)).start).tolist() == [9, 3]


@pytest.mark.seconds(3)
def test_two_levels_lose_little():
    points, effort = cloud(10_000, 2, 7, threads=2), ClusterEffort(starts=1)
    two = fit(points, TWO_LEVELS, (1,), effort)
    flat = k_means(points, TWO_LEVELS, (1,), effort)
    assert len(two.top) == 200
    assert len(two.centres) == TWO_LEVELS
    label = two.assign(points)
    gaps = points.values.astype(float) - two.centres[label]
    cost = float((points.weight * (gaps**2).sum(axis=1)).sum())
    assert cost < 1.25 * flat.inertia


@over(
    [
        (np.zeros(3, np.float32), np.ones(3), r"points must be float32 \(N, D\)"),
        (np.zeros((3, 1)), np.ones(3), "points must be float32"),
        (np.zeros((3, 1), np.float32), np.ones(2), "points must be float32"),
        (np.full((3, 1), np.nan, np.float32), np.ones(3), "points must be finite"),
        (np.zeros((3, 1), np.float32), np.zeros(3), "weights must be finite and above 0"),
    ]
)
def test_bad_points_are_refused(values, weight, said):
    with pytest.raises(ValueError, match=said):
        Points(values, weight, absolute=False)
