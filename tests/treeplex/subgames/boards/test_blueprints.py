"""Blueprints on boards: by name, from files and from tables."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.paths import ROOT
from tests.helpers.twins.factored import advanced
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.judge.certificate import certify_factored
from treeplex.store.strategy_like import completion
from treeplex.subgames.boards.blueprints import NASH_EXPLOITABILITY, blueprint_on_boards

TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'
VISIBLE = "leduc_poker(suits_visible=true)"


def made(spec, blueprint, **keys):
    return blueprint_on_boards(tp.load(spec), blueprint, **keys)


def judged(spec, blueprint, **keys):
    problem = tp.load(spec)
    return certify_factored(problem.game, blueprint_on_boards(problem, blueprint, **keys))


@pytest.mark.parametrize("spec", [TURN, "leduc_poker"])
def test_uniform_plays_every_action_equally_often(spec):
    strategy = made(spec, "uniform")
    betting = strategy.tree.betting
    for node in np.flatnonzero(betting.player >= 0).tolist():
        board = int(np.flatnonzero(strategy.tree.boards.street == betting.street[node])[0])
        played = strategy.at(int(betting.player[node]), node, board)
        assert np.array_equal(played, np.full_like(played, 1 / played.shape[1]))
    problem = tp.load(spec)
    wanted, found = tp.certify(problem.form, completion(problem)), judged(spec, "uniform")
    assert (found.value, found.nash_conv) == pytest.approx((wanted.value, wanted.nash_conv), abs=1e-9)


@pytest.mark.parametrize("spec", [TURN, "leduc_poker", "no_limit_leduc"])
def test_nash_of_a_small_game_is_that_of_the_linear_program(spec):
    assert judged(spec, "nash").nash_conv < 1e-6
    assert judged(spec, "nash").value == pytest.approx(tp.solve(spec, method="lp").value, abs=1e-6)


def test_nash_of_a_larger_game_is_nearly_one():
    problem = tp.load(ROOT / "examples" / "river.toml")
    strategy = blueprint_on_boards(problem, "nash")
    found = certify_factored(problem.game, strategy)
    assert found.nash_conv / 2 <= NASH_EXPLOITABILITY * problem.unit_size


@pytest.mark.parametrize("name", ["cfr+:7", "dcfr:12", "pcfr+:3"])
def test_a_method_and_its_iterations_are_that_run(name):
    method, iterations = name.split(":")
    problem = tp.load(TURN)
    expected = advanced(problem.game, method, int(iterations)).average
    for threads in (1, 2):
        found = made(TURN, name, threads=threads)
        for p in (0, 1):
            assert np.array_equal(found.weight[p], expected.weight[p])


def test_a_file_is_read_as_it_was_written(tmp_path):
    problem = tp.load(TURN)
    strategy = blueprint_on_boards(problem, "cfr+:5")
    tp.write(strategy, tmp_path / "one.npz")
    tp.write(strategy, tmp_path / "one.csv")
    boards = blueprint_on_boards(problem, tmp_path / "one.npz")
    table = blueprint_on_boards(problem, str(tmp_path / "one.csv"))
    assert np.array_equal(boards.weight[0], strategy.weight[0])
    first, second = (certify_factored(problem.game, one) for one in (strategy, table))
    assert (second.value, second.nash_conv) == pytest.approx((first.value, first.nash_conv), abs=1e-12)


def test_a_result_is_a_blueprint():
    result = tp.solve("leduc_poker", method="cfr+", form="tree", iterations=20)
    assert judged("leduc_poker", result).nash_conv == pytest.approx(result.nash_conv, abs=1e-9)


@pytest.mark.parametrize("name", ["nash", "cfr+:20", "uniform"])
def test_a_blueprint_of_fewer_sizes_is_translated(name):
    """Of an enumerated game: each player's distance from the value as ``tp.translate`` computes it."""
    spec, sizes = "no_limit_leduc(bets=[1/2,3/4,1])", "1/2,1"
    problem = tp.load(spec)
    strategy = blueprint_on_boards(problem, name, abstraction=sizes)
    found = certify_factored(problem.game, strategy)
    table = blueprint_on_boards(tp.load("no_limit_leduc"), name)
    given = profile_of_table(tp.load("no_limit_leduc"), table)
    first, second = (tp.translate(spec, sizes, d, blueprint=given) for d in (0, 1))
    gained = first.exploitability_before, second.exploitability_before
    assert min(gained) > 0
    distances = float(first.value.value) - found.lower, found.upper - float(first.value.value)
    wanted = first.exploitability_after, second.exploitability_after
    assert distances == pytest.approx(wanted, abs=1e-6)


def profile_of_table(problem, strategy):
    """Return a strategy on boards that see suits as a profile of the game that hides them."""
    tree, behaviour = strategy.tree, [t.uniform() for t in problem.form.treeplexes]
    for board, cards in enumerate(tree.boards.cards):
        for node in np.flatnonzero(tree.betting.street == tree.boards.street[board]).tolist():
            player = int(tree.betting.player[node])
            if player < 0:
                continue
            t, hands = problem.form.treeplexes[player], tree.boards.hands[player]
            key = problem.game.public_key(cards, tree.betting.line[node])
            for hand, row in zip(
                hands.cards[hands.hand[hands.on(board)]].tolist(),
                strategy.at(player, node, board),
                strict=True,
            ):
                infoset = t.index[problem.game.hand_label(tuple(hand)) + problem.game.joiner + key]
                behaviour[player][t.begin[infoset] : t.end[infoset]] = row
    return Profile(problem.form.treeplexes, tuple(behaviour))


def test_an_abstraction_of_another_game_is_refused():
    with pytest.raises(ValueError, match=r"sizes of the abstraction must be among those of no_limit_leduc"):
        made("no_limit_leduc", "uniform", abstraction="1/3")
    with pytest.raises(ValueError, match=r"an abstraction is of a poker game with menus"):
        made("no_limit_leduc", "uniform", abstraction="leduc_poker")


@pytest.mark.parametrize(
    ("spec", "blueprint", "says"),
    [
        (TURN, "best", "blueprint must be uniform, nash, METHOD:N with METHOD one of cfr, cfr+"),
        (TURN, "cfr+", "blueprint must be uniform, nash, METHOD:N"),
        (TURN, "hedge:5", "blueprint must be uniform, nash, METHOD:N"),
        (TURN, "cfr+:0", "blueprint cfr\\+:N needs N between 1 and 10,000,000 iterations, got '0'"),
        (TURN, "dcfr:1e3", "blueprint dcfr:N needs N between 1 and"),
        ("coin_toss", "uniform", "a blueprint on boards is of a poker game, got coin_toss"),
    ],
)
def test_what_is_no_blueprint_is_refused(spec, blueprint, says):
    with pytest.raises(ValueError, match=says):
        made(spec, blueprint)
    with pytest.raises(ValueError, match="missing is for strategies that are tables"):
        made(TURN, "uniform", missing="uniform")
