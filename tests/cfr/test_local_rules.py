"""Named local rules against the recursion over histories."""

from collections import defaultdict
from math import inf, sqrt

import pytest

from tests.helpers.twins.naive_cfr import Generic, NaiveCfr
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS, variant_named
from treeplex.games.poker.named import kuhn_poker, leduc_poker
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


@pytest.mark.seconds(5)
@pytest.mark.parametrize("game", [kuhn_poker(4), leduc_poker(ranks=2, raises=1)], ids=["kuhn", "leduc"])
def test_asynchronous_predictions_are_the_naive_ones(game):
    game = Generic(game)
    form = tree_form(build_tree(game))
    naive, engine, state = Asynchronous(game), full_width.prepare(form, variant_named("apcfr+")), None
    for _ in range(50):
        naive.iterate()
        state = iterate(engine, 1, state)
        naive.compare(form, state)
