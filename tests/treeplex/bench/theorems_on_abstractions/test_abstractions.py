"""What theorems on abstractions are measured by: prices, errors and tied runs are those by hand."""

from fractions import Fraction

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, problem
from treeplex.bench.theorems_on_abstractions.kroer_sandholm_2014 import errors_of
from treeplex.bench.theorems_on_abstractions.partitions import (
    exact_optimum,
    one_sided,
    partition_named,
    random_partitions,
)
from treeplex.bench.theorems_on_abstractions.tied import tied_run
from treeplex.bench.theorems_on_abstractions.typed import Typed, typed_game, without_types
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.bench.theorems_on_learning.learning_runs import log_of


def test_the_price_of_blind_hands_in_kuhn_poker():
    """Player 1 with one bucket for all cards: checked by hand, it calls with probability 1/3 or folds."""
    blind = one_sided("kuhn_poker", 1, "JQK", 0)
    assert blind.exploitability(1, Fraction(-1, 18)) == blind.certificate.upper + Fraction(1, 18)
    assert blind.optimum.value == blind.certificate.upper > Fraction(-1, 18)


def test_partitions_drawn_at_random_merge_infosets_and_cost_something():
    for drawn in random_partitions(Effort(quick=True), quick=8, full=8):
        treeplexes = enumerated(drawn.game).form.treeplexes
        for seat, treeplex in enumerate(treeplexes):
            partition = partition_named(treeplex, drawn.choice, drawn.seed)
            assert 2 < partition.n_buckets < treeplex.n_infosets
            found = one_sided(drawn.game, seat, drawn.choice, drawn.seed)
            assert found.exploitability(seat, exact_optimum(drawn.game).value) > 0


def test_types_differ_by_what_is_said():
    game = Typed(problem("kuhn_poker").game, 0, Fraction(1, 4), Fraction(1, 2), 3)
    root = game.root()
    kinds = dict(game.chance(root))
    assert sum(kinds.values()) == 1
    assert set(kinds) == set("xyz")
    below = [dict(game.chance(game.child(root, kind))) for kind in kinds]
    assert all(sum(odds.values()) == 1 for odds in below)
    assert len({*map(str, below)}) > 1
    tree = typed_game("kuhn_poker", (0,), "1/4", "1/2", 3).tree
    paid = {Fraction(int(p), tree.payoff_den) for p in tree.payoff[tree.leaves]}
    assert paid <= {base + Fraction(k, 4) for base in (-2, -1, 1, 2) for k in (-1, 0, 1)}
    assert len(paid) > 4


def test_copies_have_no_errors_and_unlike_ones_have_those_by_hand():
    copies = typed_game("kuhn_poker", (0,), "0", "0", 1)
    errors = errors_of(copies, 0, without_types(copies, 0))
    assert (errors.payoff, errors.largest) == (0.0, 2.0)
    assert errors.distribution == pytest.approx(0.0, abs=1e-15)
    paid = typed_game("kuhn_poker", (0,), "1/4", "0", 1)
    assert errors_of(paid, 0, without_types(paid, 0)).payoff == 0.5
    whole = enumerated("kuhn_poker")
    none = errors_of(whole, 0, Partition.trivial(whole.form.treeplexes[0]))
    assert (none.payoff, none.distribution) == (0.0, 0.0)


def test_cards_in_one_bucket_by_hand():
    """J and Q of Kuhn poker: a showdown against K pays alike, against each other 1 or 2 to one alone."""
    whole = enumerated("kuhn_poker")
    errors = errors_of(whole, 0, partition_named(whole.form.treeplexes[0], "JQ K"))
    assert errors.payoff == 0.0
    # J meets Q with 1/6 and J never, where its half of the bucket says 1/12 each; K as often as that says. So
    # does Q; and player 1 may bet against one of player 0's sequences and check against another.
    assert errors.distribution == pytest.approx(2 * 4 / 12)


def test_the_bound_does_not_apply_where_a_bucket_does_not_follow_all_of_its_class():
    """Jacks and queens are one bucket before the flop and apart after it, so that recall is perfect."""
    whole = enumerated("leduc_poker(raises=1)")
    t = whole.form.treeplexes[0]
    partition = Partition.by(t, lambda key: key if "/" in key else key.replace("Q", "J"))
    assert partition.recalls
    with pytest.raises(ValueError, match="does not follow all of its class"):
        errors_of(whole, 0, partition)


@over(["kuhn_poker", "coin_toss", "leduc_poker(raises=1)"])
def test_a_tied_run_without_ties_is_cfr(spec):
    form = enumerated(spec).form
    first, second = (Partition.trivial(t) for t in form.treeplexes)
    run = tied_run(form, (first, second), 20)
    log = log_of(spec, "cfr simultaneous uniform 20")
    for player, regrets in enumerate(run.regrets):
        np.testing.assert_allclose(regrets, log.immediate(player), atol=1e-12)


def test_tied_infosets_play_alike():
    form = enumerated("kuhn_poker").form
    partitions = tuple(partition_named(t, "JQ K") for t in form.treeplexes)
    run = tied_run(form, partitions, 30)
    for own, plan in zip(partitions, run.plans, strict=True):
        for s in range(own.sequence.max() + 1):
            assert len({*np.round(plan[own.sequence == s], 15)}) == 1
