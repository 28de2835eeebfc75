"""Challenges: planted faults are found and shrunk, sound methods survive, counterexamples are replayed."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.bench.challenges.outcome import Challenge
from treeplex.examples import faults
from treeplex.gadgets.gadget import KeyedGadget, RootGadget
from treeplex.gadgets.published_gadgets import Maxmargin
from treeplex.seqform.subgames.forest import choice
from treeplex.seqform.subgames.tops import Entry, RootDecisions

FAULTS = "treeplex.examples.faults:"
MOST_INFOSETS = 12
FOUND = [
    (f"{FAULTS}Careless", "safe"),
    (f"{FAULTS}average_behaviour", "average"),
    (f"{FAULTS}PrintedCoinToss", "strategy"),
    (f"{FAULTS}FollowTheLeader", "minimiser"),
    (f"{FAULTS}CertainOfTheBlueprint", "estimate"),
]
FOUND_LATER = [("unsafe", "safe")] + [
    (FAULTS + name, "safe")
    for name in ("OneSeat", "HalfTrusting", "TripledGifts", "BestResponseValues", "IgnoresUnreached")
]
"""Faults of safe solving that few cases show, or that take long to shrink."""


class WeightedMaxmargin(RootGadget):
    """Maxmargin with margins divided by the rank of their tops, which is as safe."""

    def root(self, tops):
        live = np.flatnonzero(tops.live)
        header = choice("choose a top", tuple(tops.tops[t] for t in live.tolist()))
        ranks = 1.0 + np.arange(len(live))
        at, weight = np.full(len(tops.reach), -1), np.zeros(len(tops.reach))
        at[live], weight[live] = 1 + np.arange(len(live)), 1.0 / (ranks * tops.reach[live])
        return RootDecisions(header, (Entry(at, weight),), (at[live], -tops.cbv[live] / ranks))


class Raises(KeyedGadget):
    def apply(self, subgame):
        raise ZeroDivisionError("of no use")


class WrongShape(Maxmargin):
    def invert(self, subgame, solution):
        return np.zeros(1)


def broken_profile(game):
    profile = tp.solve(game).profile
    return profile.exchanged(0, np.full(profile.treeplexes[0].n_sequences, np.nan))


def best_response(game, player, strategy):
    """Return what the best of all pure strategies of a player wins, by enumerating them; a naive twin."""
    menus = {}

    def collect(node):
        if node["player"] == player:
            menus[node["known"][player]] = [move["move"] for move in node["moves"]]
        for move in node.get("moves", ()):
            collect(move["then"])

    def value(node, pure):
        if node["player"] == -2:
            return Fraction(node["payoff"]) * (1 if player == 0 else -1)
        if node["player"] == player:
            taken = pure[node["known"][player]]
            return next(value(move["then"], pure) for move in node["moves"] if move["move"] == taken)
        if node["player"] == -1:
            return sum(Fraction(move["weight"]) * value(move["then"], pure) for move in node["moves"])
        row = strategy[str(1 - player)][node["known"][1 - player]]
        return sum(Fraction(row[move["move"]]) * value(move["then"], pure) for move in node["moves"])

    collect(game)
    choices = product(*menus.values())
    return max(value(game, dict(zip(menus, chosen, strict=True))) for chosen in choices)


@two_tiers(FOUND, FOUND_LATER, seconds=(4, 20))
def test_a_fault_is_found_and_shrunk(target, claim):
    found = tp.challenge(target, claim, seed=1)
    assert found.broken
    assert found.counterexample.case.infosets <= MOST_INFOSETS
    assert found.counterexample.case.infosets <= found.counterexample.drawn.infosets
    shown = found.as_json()["counterexample"]
    assert shown["infosets"] == found.counterexample.case.infosets
    assert shown["harm"] == float(found.counterexample.breach.harm) > 0
    if "OneSeat" in target:
        assert shown["seat"] == 0
    if claim == "safe":
        player = 1 - shown["seat"]
        composed = {**shown["blueprint"], **shown["played"]}
        before = best_response(shown["game"], player, shown["blueprint"])
        after = best_response(shown["game"], player, composed)
        assert after - before == Fraction(shown["exact_harm"])


@pytest.mark.seconds(3)
@over(["resolve", "maxmargin", "reach-maxmargin", "lexicographic", "joint", WeightedMaxmargin])
def test_sound_methods_survive(target):
    found = tp.challenge(target, games=6, seconds=600)
    assert isinstance(found, Challenge)
    assert (found.broken, found.tried, found.counterexample) == (False, 6, None)


@pytest.mark.seconds(75)
@over(["resolve", "maxmargin", "reach-maxmargin", "reach-resolve", WeightedMaxmargin])
def test_sound_methods_survive_for_long(target):
    assert tp.challenge(target, games=700, seed=11, seconds=3600).counterexample is None


@pytest.mark.seconds(3)
def test_a_seed_finds_the_same():
    one, two = (tp.challenge(faults.Careless, seed=3).as_json() for _ in range(2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


@pytest.mark.seconds(3)
def test_a_counterexample_is_written_and_replayed(tmp_path):
    found = tp.challenge("unsafe", out=tmp_path / "new" / "folder")
    folder = tmp_path / "new" / "folder"
    assert sorted(path.name for path in folder.iterdir()) == [
        "counterexample.efg",
        "counterexample.json",
        "counterexample.svg",
    ]
    written = json.loads((folder / "counterexample.json").read_text())
    assert written["claim"] == "safe"
    again = tp.challenge("unsafe", replay=folder / "counterexample.json")
    assert (again.tried, again.broken) == (1, True)
    assert again.counterexample.breach.harm == Fraction(written["exact_harm"])
    assert str(folder / "counterexample.json") in found.counterexample.replay
    assert not tp.challenge("maxmargin", replay=folder / "counterexample.json").broken
    with pytest.raises(ValueError, match="must be different files"):
        tp.challenge("unsafe", replay=folder / "counterexample.json", out=folder)
    written["seat"] = None
    (tmp_path / "other.json").write_text(json.dumps(written))
    with pytest.raises(ValueError, match="nobody's seat is given"):
        tp.challenge("unsafe", replay=tmp_path / "other.json")
    from_efg = tp.solve(str(folder / "counterexample.efg"), exact=True).exact_value
    assert from_efg == tp.solve(found.counterexample.case.game, exact=True).exact_value


@over(
    [
        (Raises, "safe", r"Raises on .*: Raises\.apply: ZeroDivisionError: of no use; game 1 of seed 5"),
        (
            WrongShape(),
            "safe",
            r"maxmargin on .*: WrongShape \(maxmargin\)\.invert must return real numbers of shape",
        ),
        (lambda game, strategies, weights: {}, "average", r"on .*missing.*game 1 of seed 5"),
        (lambda game, strategies, weights: {(0, "x"): {"y": float("nan")}}, "average", "game 1 of seed 5"),
        (lambda game: 7, "strategy", "a strategy must be a path"),
        (broken_profile, "strategy", "must be at least 0 and sum to 1.*game 1 of seed 5"),
        ("reslove", "safe", "there is no method 'reslove'"),
        ("nowhere:Thing", "safe", "cannot load the gadget"),
        (7, "average", "builtins:int is no way of averaging: it has no method __call__"),
        (
            "unsafe",
            "saef",
            "claim must be safe, average, strategy, minimiser, estimate or module:Name, got 'saef'",
        ),
    ]
)
def test_bad_targets_are_one_line(target, claim, message):
    with pytest.raises(ValueError, match=message) as caught:
        tp.challenge(target, claim, seed=5)
    assert "\n" not in str(caught.value)


@over(
    [
        ([0.5], "must recommend"),
        ([float("nan")] * 9, "must recommend"),
        ([0.9] * 9, "must recommend|must sum to 1"),
        ([1.0] * 9, r"sum to 1, got .*; game [0-9]+ of seed 1$"),
    ]
)
def test_a_rule_that_recommends_nonsense(odds, message):
    class Rule(faults.FollowTheLeader):
        def recommend(self):
            return odds[: max(1, len(self.totals))]

    with pytest.raises(ValueError, match=message):
        tp.challenge(Rule, "minimiser")


def test_a_counterexample_of_another_claim_has_nothing_to_average(tmp_path):
    tp.challenge(faults.Careless, out=tmp_path)
    with pytest.raises(ValueError, match="no strategies with weights, one each, which could be averaged"):
        tp.challenge(faults.average_behaviour, "average", replay=tmp_path / "counterexample.json")


@over(
    [
        ({"seconds": 0}, "seconds must be above 0"),
        ({"seconds": float("nan")}, "seconds must be above 0"),
        ({"seconds": "x"}, "seconds must be above 0 and finite, got 'x'"),
        ({"games": 2.5}, "games must be an integer of at least 1, got 2.5"),
        ({"games": 0}, "games must be an integer of at least 1, got 0"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
        ({"replay": "/nowhere.json"}, "nowhere"),
        ({"out": "/dev/null/folder"}, "cannot make the folder"),
    ]
)
def test_bad_limits_and_paths(limits, message):
    with pytest.raises(ValueError, match=message):
        tp.challenge("unsafe", **limits)


@over([("tried", False), ("shrinking", True)])
def test_what_was_found_outlives_an_interruption(stage, is_found):
    def progress(text, width):
        if text.startswith(stage):
            raise KeyboardInterrupt

    found = tp.challenge("unsafe", progress=progress)
    assert found.interrupted
    assert found.broken == is_found
    if is_found:
        assert found.counterexample.case.infosets == found.counterexample.drawn.infosets


def test_the_time_is_limited():
    assert tp.challenge("resolve", seconds=1e-9).tried == 0


def test_every_planted_fault_has_a_row_above():
    planted = {
        name for name in vars(faults) if getattr(vars(faults)[name], "__module__", "") == faults.__name__
    }
    helpers = {"NinetyPercent", "OnPathValues", "PlayerZeroValues"}
    named = {target.removeprefix(FAULTS) for target, _ in FOUND + FOUND_LATER}
    assert planted - helpers == named - {"unsafe"}
