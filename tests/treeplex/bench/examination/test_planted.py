"""Solvers with one planted bug each: every bug is caught, and named where it is."""

import importlib

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.two_tiers import two_tiers
from treeplex.bench.examination.fingerprint import Nearest
from treeplex.core.loading import load

SHIFTED = "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-1,1,0]])"
UNEQUAL = "random_game(seed=9,depth=6,actions=3)"
BOARD = "leduc_poker(ranks=2)"
NEAREST = {
    "own_reach": ("kuhn_poker", "wrong", (1, "Q:r")),
    "others_reach_average": ("kuhn_poker", "converging", None),
    "leaf_sign": ("kuhn_poker", "wrong", (1, "J:c")),
    "last_mover_paid": ("kuhn_poker", "wrong", (0, "J:")),
    "equal_odds": (UNEQUAL, "cannot tell", (1, ":ua")),
    "clipped_twice": ("kuhn_poker", "converging", None),
    "forgotten_board": (BOARD, "wrong", (1, "KK:cc/c")),
    "same_side": ("kuhn_poker", "wrong", (1, "K:r")),
    "stale_strategy": ("kuhn_poker", "wrong", (1, "K:r")),
    "pruned_too_early": ("kuhn_poker", "cannot tell", (0, "K:")),
    "forgotten_action": (SHIFTED, "wrong", (0, "start")),
    "coarse_regrets": ("kuhn_poker", "converging", None),
    "first_seat_reach": ("kuhn_poker", "wrong", (1, "Q:r")),
}
"""Game, verdict after 256 iterations, and the infoset where most is lost, if that is told."""
NAMED = {
    "textbook": ("correct", "uniform, before the update", "simultaneous"),
    "behaviour_average": ("wrong", "behaviour without reaches, uniform, before the update", "simultaneous"),
    "no_average": ("wrong", "last", "simultaneous"),
    "linear_average": ("correct", "linear, before the update", "simultaneous"),
    "during_the_walk": (
        "correct",
        "uniform, met during the walk",
        "simultaneous, regrets updated during the walk",
    ),
}
"""Verdict, average and order of what is a known method, with a bug or without."""
BY_CERTIFICATE = ("absolute_regrets", "rounded")
"""Those whose strategy does not depend on the iterations."""
LATER = {"late_chance": UNEQUAL}
"""Those that are right on games whose deals are equally likely."""


def report(name, game):
    solve = importlib.import_module(f"treeplex.examples.solvers.{name}").solve
    return tp.examine(solve, game, iterations=256, seconds=30).rungs[0]


def test_each_solver_of_the_folder_is_examined_here() -> None:
    files = {path.stem for path in (ROOT / "examples" / "solvers").glob("*.py")} - {"__init__"}
    assert files == {*NEAREST, *NAMED, *BY_CERTIFICATE, *LATER}
    assert len(files) - len(NAMED) >= 15


@two_tiers(["own_reach", "equal_odds"], NEAREST, seconds=(4, 60))
def test_a_bug_is_caught_and_its_infosets_are_named(name) -> None:
    game, verdict, losing = NEAREST[name]
    found = report(name, game)
    assert found.verdict == verdict, found.line
    assert losing == next(((loss.player, loss.infoset) for loss in found.where), None)
    assert isinstance(found.fingerprint, Nearest)
    assert 1 <= found.fingerprint.iteration <= 4
    treeplexes = load(game).form.treeplexes
    assert found.infosets
    assert all(infoset in treeplexes[player].index for player, infoset in found.infosets)


@pytest.mark.seconds(3)
@over(NAMED)
def test_what_is_a_known_method_is_named(name) -> None:
    verdict, averaging, order = NAMED[name]
    found = report(name, "kuhn_poker")
    assert found.verdict == verdict, found.line
    assert (found.fingerprint.variant, found.fingerprint.averaging, found.fingerprint.order) == (
        "cfr",
        averaging,
        order,
    )


@over(BY_CERTIFICATE)
def test_what_does_not_iterate_is_judged_by_its_certificate(name) -> None:
    found = report(name, "kuhn_poker")
    assert found.verdict == "wrong"
    assert found.reason.startswith("the same strategy whatever the iterations, and NashConv ")
    assert (found.slope, found.fingerprint) == (None, None)
    assert found.where[0].loss > 0.01


@pytest.mark.seconds(3)
@over(LATER)
def test_a_bug_that_some_games_hide_is_caught_on_others(name) -> None:
    assert report(name, "kuhn_poker").verdict == "correct"
    found = report(name, LATER[name])
    assert found.verdict != "correct", found.line
    assert found.fingerprint.iteration <= 12
