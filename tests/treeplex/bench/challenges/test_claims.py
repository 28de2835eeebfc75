"""Claims measured exactly: published figures, and sound targets that no case breaks."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.bench.challenges.case_drawing import case_of
from treeplex.bench.challenges.case_tree import marked
from treeplex.bench.challenges.claim_targets import name_of
from treeplex.bench.challenges.claims_by_name import CLAIMS, claim_of
from treeplex.bench.challenges.safe_claim import Safe
from treeplex.examples import faults
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

PAGE = ROOT / "docs" / "CHALLENGES.md"


@pytest.fixture
def coin_toss():
    """The blueprint of Figure 2 of Brown and Sandholm 2017, and the subgame after Play."""
    case = case_of("coin_toss")
    play = {
        k: 1
        for k, (path, _) in enumerate(case.root.paths())
        if path in (("Heads", "Play"), ("Tails", "Play"))
    }
    blueprint = {
        (0, "Heads:"): {"Sell": Fraction(1, 4), "Play": Fraction(3, 4)},
        (0, "Tails:"): {"Sell": Fraction(1, 2), "Play": Fraction(1, 2)},
        (1, "?:Play"): {"Heads": Fraction(1, 2), "Tails": Fraction(1, 4), "Forfeit": Fraction(1, 4)},
    }
    return replace(case, root=marked(case.root, play), strategies=(blueprint,), seat=1)


@over(
    [
        ("unsafe", Fraction(1, 4)),
        ("maxmargin", Fraction(-1, 8)),
        ("reach-maxmargin", Fraction(-1, 4)),
        ("joint", Fraction(-1, 2)),
    ]
)
def test_harm_in_coin_toss_is_as_published(method, harm, coin_toss):
    found = Safe().breach(Safe().target(method), coin_toss)
    assert found.harm == harm
    assert found.is_broken == (harm > 0)


def average_plans(game, strategies, weights):
    """Average realization plans: probabilities weighted by the player's own reach."""
    form = number_tree(build_tree(game)).form
    table = {}
    for p, treeplex in enumerate(form.treeplexes):
        keys = [
            (treeplex.infosets[i], a)
            for i, a in zip(treeplex.infoset_of[1:], treeplex.actions[1:], strict=True)
        ]
        plans = [treeplex.plan(np.array([1.0, *(s[p, key][a] for key, a in keys)])) for s in strategies]
        mean = treeplex.behaviour(np.average(plans, axis=0, weights=weights))
        for (key, a), probability in zip(keys, mean[1:].tolist(), strict=True):
            table.setdefault((p, key), {})[a] = probability
    return table


class RegretMatching(faults.FollowTheLeader):
    """Regret matching, whose regret is at most L sqrt(A T) (Hart and Mas-Colell 2000)."""

    earned = 0.0

    def recommend(self):
        regrets = [max(total - self.earned, 0.0) for total in self.totals]
        positive = sum(regrets)
        return [r / positive if positive else 1 / len(regrets) for r in regrets]

    def observe(self, utilities):
        self.earned += sum(p * u for p, u in zip(self.recommend(), utilities, strict=True))
        super().observe(utilities)


class Modest(faults.CertainOfTheBlueprint):
    """Estimates that promise nothing."""

    def error(self, subgame):
        return 1e3


@pytest.mark.seconds(3)
@over(
    [
        (average_plans, "average"),
        (lambda game: tp.solve(game).profile, "strategy"),
        (RegretMatching, "minimiser"),
        (Modest, "estimate"),
    ]
)
def test_sound_targets_survive(target, claim):
    found = tp.challenge(target, claim, games=15, seconds=600)
    assert (found.tried, found.counterexample) == (15, None)


def test_one_players_strategy_is_judged_alone():
    class Right(faults.PrintedCoinToss):
        def __call__(self, game):
            return {(1, "?:Play"): {"Heads": 0.25, "Tails": 0.75, "Forfeit": 0.0}}

    assert not tp.challenge(Right, "strategy").broken
    found = tp.challenge(faults.PrintedCoinToss, "strategy").counterexample
    assert found.breach.harm == Fraction(1, 2)
    assert found.case is found.drawn


def test_claims_of_ones_own():
    class Never(Safe):
        name = "never"

        def breach(self, target, case):
            return replace(super().breach(target, case), harm=Fraction(-1))

    found = tp.challenge("unsafe", Never, games=5)
    assert (found.claim, found.tried, found.broken) == ("never", 5, False)
    assert claim_of("treeplex.bench.challenges.safe_claim:Safe").name == "safe"
    with pytest.raises(ValueError, match="is no claim: it has no method"):
        claim_of("treeplex.bench.challenges.claim:Breach")


@pytest.mark.seconds(3)
def test_the_claim_of_the_page_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    (code,) = (block for block in blocks if block.startswith("# halfway.py"))
    (tmp_path / "halfway.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    assert not tp.challenge("joint", "halfway:Halfway", games=10).broken
    assert tp.challenge(faults.OneSeat, "halfway:Halfway").broken


def test_names_of_targets():
    assert name_of("resolve") == "resolve"
    assert name_of(faults.Careless) == name_of(faults.Careless()) == "treeplex.examples.faults:Careless"
    assert name_of(faults.average_behaviour) == "treeplex.examples.faults:average_behaviour"
    assert list(CLAIMS) == ["safe", "average", "strategy", "minimiser", "estimate"]
