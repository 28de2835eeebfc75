"""What a subgame on boards knows of its tops, held against the enumerated subgame."""

from itertools import combinations

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, enumerated, on_boards, random_blueprint
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.boards.board_subgame import weight_met
from treeplex.seqform.certify.board_certificate import pair_weight

CASES = (
    ("no_limit_leduc", "cc/"),
    ("no_limit_leduc", "r2c/c"),
    ('small_holdem(board="As Kh Qs Jh",ranks=5,stack=4,bets=[0.5])', "c"),
    ('small_holdem(ranges=["AK:0.5,AQ,JT:0.25,T9","all"],bets=[0.5,"a"],raises=["a"])', "c"),
    ("turn_holdem(ranks=4,suits=2,raises=[1,1,1])", "crc/"),
)


@two_tiers(CASES[:4], CASES[4:], (0, 1), seconds=(1, 3))
def test_values_are_those_of_the_enumerated_subgame(spec, line, defender):
    blueprint = random_blueprint(board_tree(spec, isomorphism=False), 1)
    found = on_boards(blueprint, defender, line)
    whole = enumerated(spec, blueprint, defender, found.name)
    order = [found.tops.index(top.split("|")[0]) for top in whole.tops]
    unit = found.board_weight / float(pair_weight(blueprint.tree.game))
    for own, other in (
        (found.reach, whole.reach),
        (found.value, whole.value),
        (found.blueprint_value, whole.blueprint_value),
    ):
        assert unit * own[order] == pytest.approx(other, abs=1e-12)
    assert found.opponent_reach[order] == pytest.approx(whole.opponent_reach, abs=1e-12)
    assert (found.value >= found.blueprint_value - 1e-12).all()


@over([1, 2])
def test_the_weight_met_is_that_of_hands_without_a_hands_cards(hole):
    """Of ranges that hold other cards, the last card of the deck in one of them alone."""
    rng = np.random.default_rng(hole)
    few, many = (np.array([*combinations(range(n), hole)]) for n in (5, 9))
    for cards, others in ((few, many), (many, few)):
        weight = rng.random(len(others))
        apart = [[not {*hand} & {*other} for other in others.tolist()] for hand in cards.tolist()]
        assert weight_met(cards, others, weight) == pytest.approx(np.array(apart) @ weight, abs=1e-12)


@over(["own_reach", "opponent_reach", "met", "reach", "value", "blueprint_value", "lower_bound_gifts"])
def test_what_reports_are_made_from_cannot_be_written_to(name):
    spec, line = CASES[0]
    found = on_boards(random_blueprint(board_tree(spec, isomorphism=False), 1), 0, line)
    with pytest.raises(ValueError, match="read-only"):
        getattr(found, name)[:] = 0.0
