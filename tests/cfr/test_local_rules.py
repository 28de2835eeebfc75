"""Named local rules against the recursion over histories."""

from collections import defaultdict
from itertools import pairwise
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from tests.helpers.twins.naive_cfr import Generic, NaiveCfr
from tests.helpers.two_tiers import two_tiers
from treeplex.cfr import local_rules
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.update_rules import NOISE
from treeplex.cfr.variant import RULES, VARIANTS, variant_named
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree


class Asynchronous(NaiveCfr):
    """APCFR+: predictive CFR+ whose predictions count less where regrets move more than their sums."""

    def __init__(self, game):
        super().__init__(game, VARIANTS["pcfr+"])
        self.moved, self.grown = defaultdict(float), defaultdict(float)

    def strategy(self, player, key, actions):
        regrets, last = self.regret[player][key], self.last[player][key]
        moved, grown = self.moved[player, key], self.grown[player, key]
        alpha = min(sqrt(moved / grown) if grown else inf, 5)
        weights = {a: max(regrets[a] + last[a] / (1 + alpha), 0.0) for a in actions}
        mass = sum(weights.values())
        return {a: weights[a] / mass if mass > 0 else 1 / len(actions) for a in actions}

    def _update(self, player, fresh):
        for key, gains in fresh.items():
            for a, gain in gains.items():
                old = self.regret[player][key][a]
                self.moved[player, key] += (gain - self.last[player][key][a]) ** 2
                self.grown[player, key] += (max(old + gain, 0.0) - old) ** 2
        super()._update(player, fresh)


class Volatile(NaiveCfr):
    """VAD-CFR: the exponents of discounts fall with a moving average of the largest regrets."""

    def __init__(self, game):
        super().__init__(game, VARIANTS["pcfr+"])
        self.recent, self.largest, self.projected = {}, defaultdict(float), [{}, {}]

    def strategy(self, player, key, actions):
        weights = {a: max(self.projected[player].get(key, {}).get(a, 0.0), 0.0) ** 1.5 for a in actions}
        mass = sum(weights.values())
        return {a: weights[a] / mass if mass > 0 else 1 / len(actions) for a in actions}

    def _update(self, player, fresh):
        t = self.iterations
        for key, gains in fresh.items():
            at, most = (player, key), max(map(abs, gains.values()))
            self.recent[at] = 0.1 * most + 0.9 * self.recent.get(at, most)
            self.largest[at] = max(self.largest[at], most)
            v = self.recent[at] / (2 * self.largest[at]) if self.largest[at] > 0 else 0.0
            share = {sign: 1 / (1 + t ** -(base - v / 2)) for sign, base in ((True, 1.5), (False, -0.1))}
            weight = (1 - v / 2) / (1 + (t - 1) / 100)
            row, projected = self.regret[player][key], {}
            for a, gain in gains.items():
                boosted = 1.1 * gain if gain > 0 else gain
                row[a] = share[row[a] > 0] * row[a] + boosted
                projected[a] = share[row[a] > 0] * row[a] + weight * boosted
            self.projected[player][key] = projected
        self._average(self.root, player, t**3, set())


class Stable(NaiveCfr):
    """Predictive CFR+ whose regrets are all one unit again where none exceeds it."""

    def __init__(self, game, units):
        super().__init__(game, VARIANTS["pcfr+"])
        self.units = units

    def _update(self, player, fresh):
        for key in fresh if self.iterations == 1 else ():
            for a in fresh[key]:
                self.regret[player][key][a] = self.units[player][key]
        for key, gains in fresh.items():
            row, unit = self.regret[player][key], self.units[player][key]
            self.last[player][key].update(gains)
            row.update({a: max(row[a] + gain, 0.0) for a, gain in gains.items()})
            if max(row.values()) <= unit:
                row.update(dict.fromkeys(row, unit))
                self.last[player][key].clear()
        self._average(self.root, player, self.iterations**2, set())


def projected(point):
    """Return the nearest point that is not negative and adds up to 1 at least."""
    if sum(max(x, 0.0) for x in point.values()) >= 1.0:
        return {a: max(x, 0.0) for a, x in point.items()}
    low, high = min(point.values()) - 1.0, max(point.values())
    shift = brentq(lambda y: sum(max(x - y, 0.0) for x in point.values()) - 1.0, low, high, xtol=1e-15)
    return {a: max(x - shift, 0.0) for a, x in point.items()}


class Stepping(NaiveCfr):
    """Smooth predictive CFR+ or, where what was tried is played, extragradient regret matching+."""

    def __init__(self, game, units, tries, restarts):
        super().__init__(game, VARIANTS["pcfr+"] if not tries else variant_named("exrm+"))
        self.units, self.tries, self.restarts = units, tries, restarts
        self.play, self.moved = [{}, {}], {}

    def strategy(self, player, key, actions):
        weights = self.play[player].get(key, dict.fromkeys(actions, 1.0))
        mass = sum(weights.values())
        return {a: weights[a] / mass for a in actions}

    def _update(self, player, fresh):
        for key, gains in fresh.items():
            old = self.regret[player][key]
            if self.iterations == 1:
                old.update(dict.fromkeys(gains, 1.0 / len(gains)))
            steps = {a: 0.1 * gain / self.units[player][key] for a, gain in gains.items()}
            new = projected({a: old[a] + steps[a] for a in steps})
            self.play[player][key] = new
            if self.tries and self.iterations % 2 == 1:
                continue
            if self.restarts:
                moved = sum(abs(new[a] - old[a]) for a in new)
                if 0.0 < moved <= self.moved.get((player, key), inf) / 2:
                    self.moved[player, key] = moved
                    new = {a: x / sum(new.values()) for a, x in new.items()}
            self.regret[player][key] = defaultdict(float, new)
            self.play[player][key] = new if self.tries else projected({a: new[a] + steps[a] for a in new})
        self._average(self.root, player, self.iterations**2, set())


def units_of(engine):
    """Return the unit of each infoset's regrets."""
    pairs = zip(engine.form.treeplexes, engine.sides, strict=True)
    return [dict(zip(t.infosets, side.noise / NOISE, strict=True)) for t, side in pairs]


TWINS = {
    "apcfr+": lambda game, units: Asynchronous(game),
    "vad-cfr": lambda game, units: Volatile(game),
    "stable-pcfr+": Stable,
    "smooth-pcfr+": lambda game, units: Stepping(game, units, tries=False, restarts=False),
    "restarted-smooth-pcfr+": lambda game, units: Stepping(game, units, tries=False, restarts=True),
    "exrm+": lambda game, units: Stepping(game, units, tries=True, restarts=False),
    "restarted-exrm+": lambda game, units: Stepping(game, units, tries=True, restarts=True),
}


@given(st.lists(st.sampled_from([0.4, -0.6, 1e-17, 0.2, -1.0]), min_size=2, max_size=5), st.floats(-1.0, 1.0))
@example([0.4146558493556708, -0.5853441506443291, -0.5853441506443291], 0.0)
def test_projections_are_the_nearest_points(weights, shift) -> None:
    """Also where an action is dropped or not by rounding alone."""
    point = np.array(weights) + shift
    found = point.copy()
    local_rules._project(found)
    nearest = projected(dict(enumerate(point.tolist())))
    assert found == pytest.approx([*nearest.values()], abs=1e-12)


def test_every_named_rule_has_a_twin():
    assert TWINS.keys() == RULES.keys()


@two_tiers(["smooth-pcfr+"], [name for name in TWINS if name != "smooth-pcfr+"], seconds=(2, 15))
def test_named_rules_are_the_naive_ones(name):
    for game in (Generic(kuhn_poker(4)), Generic(leduc_poker(ranks=2, raises=1))):
        form = tree_form(build_tree(game))
        engine, state = full_width.prepare(form, variant_named(name)), None
        naive = TWINS[name](game, units_of(engine))
        for t in range(1, 51):
            naive.iterate()
            state = iterate(engine, 1, state)
            # Powers amplify rounding errors: sums of plans are compared in units of all weights.
            unit = engine.config.average.total(t) if name == "vad-cfr" else 1.0
            naive.compare(form, state, unit)


@pytest.mark.seconds(5)
@pytest.mark.parametrize("name", ["smooth-pcfr+", "restarted-smooth-pcfr+", "exrm+", "restarted-exrm+"])
def test_last_plans_of_simultaneous_steps_converge(name):
    """On the matrix on which those of CFR+ and PCFR+ do not (tests of the sequence form)."""
    form = tree_form(build_tree(matrix_game([[-3, 0, 3], [0, -3, 4], [0, 0, -1]])))
    engine = full_width.prepare(form, variant_named(name, average="last", order="simultaneous"))
    widths = [certify(form, average(engine, n)).nash_conv for n in (100, 1000, 10_000, 20_000)]
    assert all(later < before for before, later in pairwise(widths[:3]))
    assert widths[-1] < 1e-12


@pytest.mark.seconds(5)
@pytest.mark.parametrize("name", ["smooth-pcfr+", "restarted-smooth-pcfr+", "exrm+", "restarted-exrm+"])
def test_averages_on_leduc_come_near(name) -> None:
    form = tree_form(build_tree(leduc_poker()))
    engine = full_width.prepare(form, variant_named(name))
    assert certify(form, average(engine, 2000)).nash_conv < 0.03


@pytest.mark.parametrize("name", TWINS)
def test_rules_do_not_depend_on_the_unit_of_payoffs(name):
    plans = []
    for unit in (1.0, 1024.0):
        form = tree_form(build_tree(matrix_game([[2 * unit, -unit, 0.5 * unit], [-3 * unit, unit, -unit]])))
        profile = average(full_width.prepare(form, variant_named(name)), 40)
        plans.append([*profile.behaviour[0], *profile.behaviour[1]])
    assert plans[1] == pytest.approx(plans[0], abs=1e-12)
