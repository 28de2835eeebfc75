"""Liar's dice: rules by hand, sizes of the literature, and twins that roll ordered dice."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises, check_refusals, check_sizes, played, walk
from tests.helpers.reference import UNIFORM_NASH_CONV_LIARS_DICE
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.counting.references import LIARS_DICE
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.liars_dice import LiarsDice, liars_dice
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree, tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree

SMALL = [liars_dice(1, 2), liars_dice(1, 3), liars_dice(2, 2)]


@over([*SMALL, liars_dice(1, 4)])
def test_liars_dice_keeps_the_promises_of_games(game: LiarsDice) -> None:
    check_promises(game)


@over(
    [
        (liars_dice(1, 3), 1 + 9 * 127, 9 * 63, 3 * 32, 1 + 3 * 63),
        (liars_dice(1, 4), 8_177, 4_080, 512, 1_021),
        (liars_dice(1, 5), 51_176, 25_575, 2_560, 5_116),
        # Three rolls a player and eight bids.
        (liars_dice(2, 2), 1 + 9 * 511, 9 * 255, 3 * 128, 1 + 3 * 255),
    ]
)
def test_sizes(game: LiarsDice, histories: int, leaves: int, infosets: int, sequences: int) -> None:
    check_sizes(game, (histories, leaves), (infosets,) * 2, (sequences,) * 2, leaves)


@over(SMALL)
def test_leaves_are_all_rising_bids_on_all_rolls(game: LiarsDice) -> None:
    """A twin that rolls ordered dice, takes every set of bids in order, and counts what lies there."""
    bids = list(product(range(1, 2 * game.dice + 1), range(1, game.faces + 1)))
    twin = {}
    for dice in product(range(1, game.faces + 1), repeat=2 * game.dice):
        hands = [sorted(dice[: game.dice]), sorted(dice[game.dice :])]
        for size in range(1, len(bids) + 1):
            for line in combinations(bids, size):
                quantity, face = line[-1]
                stands = sum(die in (face, game.faces) for die in dice) >= quantity
                bidder = (size - 1) % 2
                keys = ["".join(map(str, hand)) for hand in hands]
                text = "/".join(f"{n}x{f}" for n, f in line) + "/liar"
                twin[(*keys, text)] = 1 if stands == (bidder == 0) else -1
    leaves = {s[:3]: game.payoff(s) for s, _ in walk(game) if game.player(s) == TERMINAL}
    assert leaves == twin


@over([(1, 2), (1, 6), (2, 3), (2, 6), (3, 4), (4, 2)])
def test_rolls_weigh_as_often_as_ordered_dice_show_them(dice: int, faces: int) -> None:
    game = liars_dice(dice, faces)
    rolls = Counter()
    for thrown in product("123456789"[:faces], repeat=2 * dice):
        rolls["".join(sorted(thrown[:dice])) + "/" + "".join(sorted(thrown[dice:]))] += 1
    outcomes = dict(game.chance(game.root()))
    assert outcomes == {roll: Fraction(n, faces ** (2 * dice)) for roll, n in rolls.items()}
    assert sum(outcomes.values()) == 1


def test_keys_are_readable() -> None:
    game = liars_dice(2)
    state = played(game, "36/14", "1x3", "2x5")
    assert [game.infoset(state, p) for p in (0, 1)] == ["36:1x3/2x5", "14:1x3/2x5"]
    assert game.public(state) == ":1x3/2x5"
    assert game.public(game.child(state, "liar")) == ":1x3/2x5/liar"
    assert game.infoset(game.root(), 0) == game.public(game.root()) == "start"
    assert game.unit == "wins"


@over([("liars_dice(faces=4)", Fraction(1, 16)), ("liars_dice(faces=5)", Fraction(1, 125))])
def test_values_are_the_known_ones_exactly(spec: str, value: Fraction) -> None:
    optimum = rational_optimum(tree_form(build_tree(load_game(spec))))
    assert optimum.certificate.lower == optimum.certificate.upper == optimum.value == value


@pytest.mark.seconds(6)
def test_six_faces() -> None:
    enumerated = number_tree(build_tree(liars_dice()))
    form = enumerated.form
    assert (enumerated.tree.n_nodes, len(enumerated.tree.leaves)) == (294_877, 147_420)
    assert form.n_infosets == (12_288, 12_288)
    assert [t.n_sequences for t in form.treeplexes] == [24_571, 24_571]
    uniform = Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes))
    assert certify(form, uniform).nash_conv == pytest.approx(UNIFORM_NASH_CONV_LIARS_DICE, abs=1e-10)
    certificate = solve_lp(form).certificate
    assert certificate.nash_conv <= 1e-9
    assert certificate.contains(LIARS_DICE)


def test_names() -> None:
    assert liars_dice().name == "liars_dice"
    assert liars_dice(2).name == "liars_dice(dice=2)"
    assert liars_dice(3, 4).name == "liars_dice(dice=3,faces=4)"
    for game in SMALL:
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        liars_dice,
        [
            ({"dice": 0}, "liars_dice: dice must be an integer from 1 to 9, got 0"),
            ({"dice": 10}, "dice must be an integer from 1 to 9, got 10"),
            ({"dice": True}, "dice must be an integer from 1 to 9, got true"),
            ({"dice": "2"}, "dice must be an integer from 1 to 9, got '2'"),
            ({"faces": 1}, "faces must be an integer from 2 to 9, got 1"),
            ({"faces": 10}, "faces must be an integer from 2 to 9, got 10"),
            ({"faces": 6.0}, "faces must be an integer from 2 to 9, got 6.0"),
            ({"faces": None}, "faces must be an integer from 2 to 9, got none"),
        ],
    )
