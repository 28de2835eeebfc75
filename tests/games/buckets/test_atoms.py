"""The greedy earth mover's distance held against a linear program, and the search against all centres."""

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.helpers.cells import over
from treeplex.games.buckets.atoms import SHORTLIST, Atoms, Ground, greedy_distance
from treeplex.games.buckets.clusters import k_means


def ground(n, absolute, seed=0):
    rng = np.random.default_rng(seed)
    points = np.sort(rng.random((n, 7)), axis=1).astype(np.float32)
    points = points[np.argsort(points.sum(axis=1))]
    gaps = np.abs(points[:, None] - points[None]).astype(float)
    exact = gaps.sum(axis=2) if absolute else np.sqrt((gaps**2).sum(axis=2))
    return Ground.of(points, absolute=absolute), exact


def cloud(n, n_clusters, n_atoms, seed=0, threads=1, absolute=True):
    rng = np.random.default_rng(seed)
    middle = rng.random(n)[:, None]
    spread = rng.normal(middle, 0.12, (n, n_atoms)) * n_clusters
    values = np.sort(np.clip(spread, 0, n_clusters - 1).astype(np.uint16), axis=1)
    return Atoms(values, rng.integers(1, 4, n).astype(float), ground(n_clusters, absolute)[0], threads)


def greedy(atoms, row, centre, most=np.inf):
    left, mass = np.empty(len(centre)), np.empty(atoms.values.shape[1])
    return greedy_distance(atoms.values[row], centre.astype(float), atoms.ground, most, left, mass)


def exact_distance(supply, demand, costs):
    """Return the earth mover's distance as the optimum of the transport problem."""
    n = len(supply)
    rows = [np.kron(np.eye(n)[i], np.ones(n)) for i in range(n)]
    columns = [np.tile(np.eye(n)[j], n) for j in range(n)]
    return linprog(costs.ravel(), A_eq=np.array(rows + columns), b_eq=[*supply, *demand]).fun


@over([True, False])
def test_distances_of_clusters_and_their_places_on_the_line(absolute):
    found, exact = ground(30, absolute)
    for b in range(30):
        assert found.distance[b] == pytest.approx(exact[b, found.order[b]], abs=1e-6)
        assert (np.diff(found.distance[b]) >= 0.0).all()
        apart = (abs(found.cell - found.cell[b]) - 1) * found.width
        assert (apart <= exact[b] + 1e-6).all()


@over([True, False])
def test_greedy_is_at_least_the_exact_distance_and_about_a_sixth_above(absolute):
    atoms, (_, exact) = cloud(40, 12, 20, absolute=absolute), ground(12, absolute)
    centres = atoms.centres_at(np.arange(40))
    ratios = []
    for i, j in zip(range(20), range(20, 40), strict=True):
        found = greedy(atoms, i, centres[j])
        optimum = exact_distance(centres[i], centres[j], exact)
        assert found >= optimum - 1e-6
        ratios.append(found / optimum)
    assert 1.0 <= np.mean(ratios) < 1.35


@over([20, 33, 46, 47])
def test_the_distance_of_a_point_from_itself_is_none(n_atoms):
    """Although its masses, such as 13/47, are rounded to float32 in a centre."""
    atoms = cloud(50, 12, n_atoms)
    centres = atoms.centres_at(np.arange(50))
    assert centres.sum(axis=1) == pytest.approx(np.ones(50))
    assert [greedy(atoms, i, centre) for i, centre in enumerate(centres)] == [0.0] * 50


@over([33, 46, 47])
def test_no_more_centres_than_points_that_differ(n_atoms):
    atoms = cloud(8, 12, n_atoms)
    several = atoms.part(np.repeat(np.arange(8), 5), np.ones(40))
    found = k_means(several, 20, (0,))
    assert len(found.centres) == len(np.unique(atoms.values, axis=0))
    assert found.inertia == 0.0


def test_the_search_ends_beyond_what_was_found():
    atoms = cloud(5, 12, 20)
    centre = atoms.centres_at(np.array([4]))[0]
    whole = greedy(atoms, 0, centre)
    assert whole / 3 < greedy(atoms, 0, centre, whole / 3) <= whole + 1e-9
    assert greedy(atoms, 0, centre, whole * 1.001) == whole


@over([True, False])
def test_nearest_centres_are_those_among_all_where_the_shortlist_is_long_enough(absolute):
    atoms = cloud(200, 25, 11, 3, absolute=absolute)
    centres = atoms.centres_at(np.arange(0, 200, 5))
    assert len(centres) < SHORTLIST
    first = np.where(np.arange(200) % 2 == 0, 0, 7)
    last = np.where(np.arange(200) % 3 == 0, len(centres), 21)
    label, cost = atoms.nearest(centres, first, last)
    for i in range(200):
        every = [greedy(atoms, i, centres[k]) for k in range(first[i], last[i])]
        assert cost[i] == pytest.approx(min(every) ** 2, abs=1e-9, rel=1e-5)
        assert every[label[i] - first[i]] == pytest.approx(min(every), abs=1e-7)
    lowered = atoms.lowered(np.full(200, np.finfo(np.float32).max), centres[3])
    lowered = atoms.lowered(lowered, centres[9])
    two = [min(greedy(atoms, i, centres[3]), greedy(atoms, i, centres[9])) ** 2 for i in range(200)]
    assert lowered == pytest.approx(two, abs=1e-9, rel=1e-5)


def test_the_search_does_not_end_where_places_on_the_line_were_rounded():
    """Clusters are numbers and points single clusters: two places a cell apart may be next to each other."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        numbers = np.sort(rng.random((40, 1)), axis=0).astype(np.float32)
        where = rng.integers(0, 40, (60, 1)).astype(np.uint16)
        atoms = Atoms(where, np.ones(60), Ground.of(numbers, absolute=True))
        _, cost = atoms.nearest(atoms.centres_at(np.arange(30)), np.zeros(60, int), np.full(60, 30))
        places = numbers[where[:, 0]].astype(float)
        nearest = np.abs(places - places[:30].T).min(axis=1)
        assert np.sqrt(cost) == pytest.approx(nearest, abs=1e-7)


def test_means_are_mean_histograms():
    atoms = cloud(50, 12, 9, 2)
    label = (np.arange(50) % 3).astype(np.int32)
    means = atoms.means(atoms.centres_at(np.arange(4)), label)
    histograms = atoms.centres_at(np.arange(50))
    for k in range(3):
        own = label == k
        assert means[k] == pytest.approx(
            np.average(histograms[own], axis=0, weights=atoms.weight[own]), abs=1e-6
        )
    assert means[3] == pytest.approx(histograms[3])


def test_the_bytes_are_those_of_the_seed_whatever_the_threads():
    one, three = (k_means(cloud(1_500, 40, 13, threads=n), 12, (1,)) for n in (1, 3))
    assert one.centres.tobytes() == three.centres.tobytes()
    assert one.label.tobytes() == three.label.tobytes()
