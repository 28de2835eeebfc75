"""One strategy type: what is given in any shape is one strategy, matched by the keys of its infosets."""

import time
from itertools import product

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.profiles import random_profile
from tests.helpers.twins.factored import factored_tree
from tests.helpers.two_tiers import two_tiers
from treeplex.core.problem import Problem
from treeplex.files import strategies as strategy_store
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree

# A turn whose board is in no order.
SPOT = """
board = "7s Ks Th 4d"
pot = 100
stack = 100
ranges = ["AA,QJs:0.5", "KQs,T9s"]
bets = [1.0]
raises = ["a"]
"""
LEDUC = "leduc_poker(ranks=2,raises=1)"
SEEN = "leduc_poker(ranks=2,raises=1,suits_visible=true)"
BOARDS = ["kuhn_poker", "kuhn_poker(ranks=15)", SEEN, "small_holdem", SPOT]
TWO_BOARDS = "rhode_island(ranks=2,suits=2)"


def sample(game, iterations, **options):
    return tp.solve(game, "mccfr-external", form="table", iterations=iterations, **options)


def nested(strategy):
    found = {}
    for player, infoset, action, probability in strategy.rows():
        found.setdefault((player, infoset), {})[action] = probability
    return found


def uniform_strategy(game):
    tree = factored_tree(game)
    first, second = (np.zeros(base[-1], np.float32) for base in tree.base)
    return tp.FactoredStrategy(tree, (first, second))


# the protocol


def test_the_rows_of_a_profile_are_its_table():
    profile = random_profile(tp.load(LEDUC).form, 1)
    table = profile.table()
    pd.testing.assert_frame_equal(pd.DataFrame(profile.rows(), columns=table.columns), table)
    for (player, infoset), row in nested(profile).items():
        assert profile.action_probabilities(player, infoset) == row
    with pytest.raises(ValueError, match="player 1 has no infoset 'K:'"):
        profile.action_probabilities(1, "K:")


@two_tiers(
    [*product(BOARDS, [True]), (SEEN, False), (SPOT, False)],
    product([TWO_BOARDS], [True, False]),
    seconds=(3, 7),
)
def test_the_rows_on_boards_are_those_of_the_profile(spec, isomorphism, tmp_path):
    if spec == SPOT:
        spec = tmp_path / "spot.toml"
        spec.write_text(SPOT)
    problem = tp.load(spec)
    strategy = tp.solve(problem, form="boards", iterations=5, isomorphism=isomorphism).strategy
    assert isinstance(strategy, tp.Strategy)
    found = nested(strategy)
    profile = profile_of(problem.game, strategy, problem.whole)
    for key, row in nested(profile).items():
        assert found[key] == row
    for (player, infoset), row in found.items():
        assert strategy.action_probabilities(player, infoset) == row
    assert tp.check(problem, profile).nash_conv == pytest.approx(tp.check(problem, strategy).nash_conv)


@over(["", "K", "K:", "K:cc", "Ks|:x", "Ks|Ks:cc/", "Ks|Kh:", "Ks|KhQs:cc/", "Js|:"])
def test_infosets_that_a_game_has_not_are_refused(infoset):
    strategy = uniform_strategy(SEEN)
    with pytest.raises(ValueError, match="player 0 has no infoset"):
        strategy.action_probabilities(0, infoset)
    assert strategy.action_probabilities(0, "Ks|Kh:cc/") == {"c": 0.5, "r": 0.5}
    assert strategy.action_probabilities(1, "Ks|Kh:cc/c") == {"c": 0.5, "r": 0.5}
    with pytest.raises(ValueError, match="player 1 has no infoset"):
        strategy.action_probabilities(1, "Ks|Kh:cc/")


def test_hidden_suits_have_no_infosets_on_boards():
    strategy = uniform_strategy(LEDUC)
    for call in (lambda: next(strategy.rows()), lambda: strategy.action_probabilities(0, "K:")):
        with pytest.raises(ValueError, match="hides suits"):
            call()


def test_what_sampling_met_is_a_strategy():
    found = sample(LEDUC, 2_000, seed=1)
    assert isinstance(found.strategy, tp.Strategy)
    assert (found.certificate, found.nash_conv, found.exploitability, found.ev) == (None,) * 4
    for (player, infoset), row in nested(found.strategy).items():
        assert found.strategy.action_probabilities(player, infoset) == row
    few = sample(LEDUC, 1, seed=1)
    never = (nested(found.strategy).keys() - nested(few.strategy).keys()).pop()
    with pytest.raises(ValueError, match="never met"):
        few.strategy.action_probabilities(*never)
    with pytest.raises(ValueError, match="nothing is proved"):
        few.proof  # noqa: B018
    with pytest.raises(TypeError, match="no Profile but a SampledStrategy"):
        few.profile  # noqa: B018
    assert tp.check(LEDUC, few, missing="uniform").parameters["completed"] > 0


# whatever is a strategy


def test_every_shape_is_one_strategy(tmp_path):
    problem = tp.load(LEDUC)
    profile = random_profile(problem.form, 2)
    walked = tree_form(build_tree(problem.game))
    tp.write(profile, tmp_path / "it.csv")
    expected = tp.check(problem, profile)
    shapes = {
        "path": tmp_path / "it.csv",
        "text": str(tmp_path / "it.csv"),
        "table": profile.table(),
        "mapping": nested(profile),
        "result": expected,
        "read": tp.read(problem, tmp_path / "it.csv"),
        "other numbering": profile.transfer(walked.treeplexes),
    }
    for shape in shapes.values():
        assert tp.check(problem, shape).as_json() | {"seconds": 0} == expected.as_json() | {"seconds": 0}
        assert tp.show(problem, strategy=shape).grid.labels == tp.show(problem, strategy=profile).grid.labels
        warm = tp.solve(problem, "cfr+", warm_start=shape, iterations=3)
        assert warm.lower == tp.solve(problem, "cfr+", warm_start=profile, iterations=3).lower
        subgame = tp.resolve(problem, 0, method="joint", blueprint=shape)
        again = tp.resolve(problem.game, 0, method="joint", blueprint=nested(profile))
        assert subgame.exploitability_before == pytest.approx(again.exploitability_before, abs=1e-12)


def test_strategies_on_boards_are_blueprints_and_starts(tmp_path):
    found = tp.solve(SEEN, form="boards", iterations=200)
    tp.write(found, tmp_path / "boards.npz")
    for shape in (found, found.strategy, tmp_path / "boards.npz"):
        assert tp.solve(SEEN, "cfr+", warm_start=shape, iterations=1).nash_conv < 0.2
        assert tp.resolve(SEEN, 1, method="joint", blueprint=shape).exploitability_before < 0.1
        with pytest.raises(ValueError, match="missing is for strategies that are tables"):
            tp.check(SEEN, shape, missing="uniform")
    with pytest.raises(ValueError, match="exact certificates are for tables"):
        tp.check(SEEN, found, exact=True)


@over([{"K:": {"c": 1.0}}, {(0, "K:"): 3}, {(0, "K:", 1): {"c": 1.0}}])
def test_mappings_of_other_shapes_are_refused(given):
    with pytest.raises(ValueError, match=r"must be \{\(player, infoset\): \{action: probability\}\}"):
        tp.check("kuhn_poker", given)


def test_mappings_are_checked_as_tables_are():
    with pytest.raises(ValueError, match="player 0 has no infoset 'X:'"):
        tp.check("kuhn_poker", {(0, "X:"): {"c": 1.0}})
    with pytest.raises(ValueError, match="is missing"):
        tp.check("kuhn_poker", {(0, "K:"): {"c": 1.0, "r": 0.0}})
    found = tp.check("kuhn_poker", {(0, "K:"): {"c": 1.0, "r": 0.0}}, missing="uniform")
    assert found.parameters["completed"] == 11


def test_profiles_of_part_of_a_game_are_completed_when_told_to():
    small, large = tp.load("leduc_poker(raises=1)"), tp.load("leduc_poker")
    profile = random_profile(small.form, 3)
    with pytest.raises(ValueError, match="of another game: it has no 'r' at"):
        tp.check(large, profile)
    moved = profile.transfer(large.form.treeplexes, random_profile(large.form, 4).behaviour)
    for p, t in enumerate(large.form.treeplexes):
        for infoset in t.infosets:
            known = infoset in small.form.treeplexes[p].index
            source = profile if known else random_profile(large.form, 4)
            expected = source.action_probabilities(p, infoset)
            assert moved.action_probabilities(p, infoset) == {"r": 0.0} | expected if known else expected
    completed = tp.check(large, profile, missing="uniform").parameters["completed"]
    assert completed == sum(large.form.n_infosets) - sum(small.form.n_infosets)
    with pytest.raises(ValueError, match="player 0 has no infoset"):
        tp.check(small, random_profile(large.form, 5), missing="uniform")


# files


@over([".csv", ".json", ".parquet", ".npz"])
def test_strategies_on_boards_go_out_and_come_back(suffix, tmp_path):
    found, path = tp.solve("small_holdem", form="boards", iterations=20), tmp_path / f"boards{suffix}"
    tp.write(found, path)
    again = tp.read("small_holdem", path)
    assert isinstance(again, tp.FactoredStrategy if suffix == ".npz" else tp.Profile)
    assert nested(again) == nested(found.strategy)
    widened = 4 * found.certificate.rounding
    assert tp.check("small_holdem", path).nash_conv == pytest.approx(found.nash_conv, abs=widened)


def test_what_cannot_be_written_is_refused_early(tmp_path, monkeypatch):
    found = tp.solve("small_holdem", form="boards", iterations=1)
    with pytest.raises(ValueError, match=r"must end in \.npz or \.csv or \.json or \.parquet"):
        tp.write(found, tmp_path / "boards.txt")
    with pytest.raises(ValueError, match="got a profile without its game"):
        tp.write(tp.solve("kuhn_poker"), tmp_path / "profile.npz")
    with pytest.raises(ValueError, match=r"must end in .*\.npz, got"):
        tp.read("kuhn_poker", tmp_path / "profile.txt")
    monkeypatch.setattr(strategy_store, "MOST_ROWS", 10)
    with pytest.raises(ValueError, match=r"at most 10 rows, got .*; write an \.npz file"):
        tp.write(found, tmp_path / "boards.csv")
    assert list(tmp_path.iterdir()) == []


# whatever is a game


def test_games_are_taken_in_every_shape(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT.replace(" 4d", " 4d 2c"))
    problem = tp.load(path)
    assert tp.load(problem) is problem
    for game in (path, str(path), load_game(str(path)), problem):
        assert tp.load(game).game == problem.game
        assert tp.solve(game, "cfr+", iterations=2).value == tp.solve(problem, "cfr+", iterations=2).value
    assert tp.resolve(tp.load(LEDUC), 0, method="joint", blueprint="uniform").game == LEDUC


@pytest.mark.seconds(3)
@over(["limit_holdem", "no_limit_holdem", "rhode_island", "turn_holdem"])
def test_large_games_load_at_once_and_forms_are_refused_by_counting(spec):
    clock = time.process_time()
    problem = tp.load(spec)
    with pytest.raises(ValueError, match=f"{spec}: the sequence form would take at least .* GiB, more than"):
        problem.form  # noqa: B018
    assert time.process_time() - clock < 5.0


def test_a_spot_of_several_streets_is_a_problem():
    problem = tp.load(ROOT / "examples" / "turn.toml")
    assert problem.unit_size == problem.pot > 0
    assert problem.big_blind is None
    assert sum(problem.sizes.sequences) == 4_602_242
    assert "tree" not in vars(problem)


def test_forms_are_made_once():
    problem = tp.load(LEDUC)
    for form in ("form", "tree", "sizes", "betting", "enumerated"):
        assert getattr(problem, form) is getattr(problem, form)
    assert problem.boards() is problem.boards(entry_bytes=4)
    assert problem.boards() is not problem.boards(isomorphism=False)
    with pytest.raises(ValueError, match="sizes are counted for poker games only, got coin_toss"):
        tp.load("coin_toss").sizes  # noqa: B018


@pytest.mark.seconds(3)
@over(
    [
        ("kuhn_poker", 2.0),
        ("matrix_game(payoff=[[1,-3],[0,2]])", 3.0),
        ("push_fold(stack=10)", 1.0),
        ("limit_holdem", 10.0),
    ]
)
def test_what_exploitability_is_measured_in(spec, size):
    assert tp.load(spec).unit_size == size


def test_a_lazy_problem_is_what_load_makes():
    lazy, made = Problem(load_game(LEDUC)), tp.load(LEDUC)
    assert tp.solve(lazy).value == tp.solve(made).value


@pytest.mark.seconds(3)
def test_push_or_fold_counts_in_thousandths_of_a_big_blind():
    result = tp.solve("push_fold(stack=3)", "cfr+", iterations=20)
    assert result.mbb_per_hand == 1000 * result.exploitability
