"""Blueprints on boards: by name, from files and from tables."""

import numpy as np
import pandas as pd
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.twins.factored import advanced
from tests.helpers.two_tiers import two_tiers
from treeplex.core.progress import silent
from treeplex.files.strategies import completion
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.forms.profile import Profile
from treeplex.subgames.blueprints import COLUMNS, NASH_EXPLOITABILITY, Start, blueprint_on_boards
from treeplex.subgames.inputs import enumerated

TURN = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)'
VISIBLE = "leduc_poker(suits_visible=true)"


def made(spec, blueprint, **keys):
    return blueprint_on_boards(tp.load(spec), blueprint, **keys)


def judged(spec, blueprint, **keys):
    problem = tp.load(spec)
    return certify_factored(problem.game, blueprint_on_boards(problem, blueprint, **keys))


@over([TURN, "leduc_poker"])
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


@pytest.mark.seconds(3)
@over([TURN, "leduc_poker", "no_limit_leduc"])
def test_nash_of_a_small_game_is_that_of_the_linear_program(spec):
    assert judged(spec, "nash").nash_conv < 1e-6
    assert judged(spec, "nash").value == pytest.approx(tp.solve(spec, method="lp").value, abs=1e-6)


@pytest.mark.seconds(3)
def test_nash_of_a_larger_game_is_nearly_one():
    problem = tp.load(ROOT / "examples" / "river.toml")
    strategy = blueprint_on_boards(problem, "nash")
    found = certify_factored(problem.game, strategy)
    assert found.nash_conv / 2 <= NASH_EXPLOITABILITY * problem.unit_size


@over(["cfr+:7", "dcfr:12", "pcfr+:3"])
def test_a_method_and_its_iterations_are_that_run(name):
    method, iterations = name.split(":")
    problem = tp.load(TURN)
    expected = advanced(problem.game, method, int(iterations)).average
    for threads in (1, 2):
        found = made(TURN, name, threads=threads)
        for p in (0, 1):
            assert np.array_equal(found.weight[p], expected.weight[p])


@pytest.mark.seconds(2)
def test_a_method_and_its_iterations_are_one_strategy_on_trees_and_boards():
    """Up to the rounding of float32; the first iteration plays uniformly, and its plan is counted too."""
    for spec in ("kuhn_poker", "leduc_poker"):
        problem = tp.load(spec)
        tree = enumerated(problem.game)
        for name in ("cfr:20", "cfr+:1", "cfr+:20", "lcfr:20", "dcfr:20", "pcfr+:20", "pdcfr:20"):
            start = Start.of(problem.game, tree, name, "error", silent).strategy
            there = profile_of_table(problem.game, tree.form, blueprint_on_boards(problem, name))
            for plan, other in zip(start.plans, there.plans, strict=True):
                np.testing.assert_allclose(plan, other, atol=1e-5, rtol=0, err_msg=f"{spec}, {name}")


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


def test_a_strategy_of_another_spot_is_refused(tmp_path):
    other = made(TURN.replace("Js", "Jh"), "cfr+:2")
    tp.write(other, tmp_path / "other.npz")
    tp.write(other, tmp_path / "other.csv")
    with pytest.raises(ValueError, match="the strategy must start on the board"):
        made(TURN, other)
    with pytest.raises(ValueError, match="of another game"):
        made(TURN, tmp_path / "other.npz")
    with pytest.raises(ValueError, match="has no infoset"):
        made(TURN, tmp_path / "other.csv")


def test_a_result_is_a_blueprint():
    result = tp.solve("leduc_poker", method="cfr+", form="tree", iterations=20)
    assert judged("leduc_poker", result).nash_conv == pytest.approx(result.nash_conv, abs=1e-9)


@two_tiers(["cfr+:20", "uniform"], ["nash"], seconds=(3, 3))
def test_a_blueprint_of_fewer_sizes_is_translated(name):
    """Of an enumerated game: each player's distance from the value as ``tp.translate`` computes it."""
    small = "no_limit_leduc(max_raises=[1,1])"
    spec, sizes = small.replace("max", "bets=[1/2,3/4,1],max"), "1/2,1"
    problem = tp.load(spec)
    strategy = blueprint_on_boards(problem, name, abstraction=sizes)
    found = certify_factored(problem.game, strategy)
    table = blueprint_on_boards(tp.load(small), name)
    given = profile_of_table(tp.load(small).game, tp.load(small).form, table)
    first, second = (tp.translate(spec, sizes, d, blueprint=given) for d in (0, 1))
    gained = first.exploitability_before, second.exploitability_before
    assert min(gained) > 0
    distances = float(first.value.value) - found.lower, found.upper - float(first.value.value)
    wanted = first.exploitability_after, second.exploitability_after
    assert distances == pytest.approx(wanted, abs=1e-6)


def profile_of_table(game, form, strategy):
    """Return a strategy on boards that see suits as a profile of the game that hides them."""
    tree, behaviour = strategy.tree, [t.uniform() for t in form.treeplexes]
    for board, cards in enumerate(tree.boards.cards):
        for node in np.flatnonzero(tree.betting.street == tree.boards.street[board]).tolist():
            player = int(tree.betting.player[node])
            if player < 0:
                continue
            t, hands = form.treeplexes[player], tree.boards.hands[player]
            key = game.public_key(cards, tree.betting.line[node])
            for hand, row in zip(
                hands.cards[hands.hand[hands.on(board)]].tolist(),
                strategy.at(player, node, board),
                strict=True,
            ):
                infoset = t.index[game.hand_label(tuple(hand)) + game.joiner + key]
                behaviour[player][t.begin[infoset] : t.end[infoset]] = row
    return Profile(form.treeplexes, tuple(behaviour))


def test_an_abstraction_of_another_game_is_refused():
    with pytest.raises(ValueError, match=r"sizes of the abstraction must be among those of no_limit_leduc"):
        made("no_limit_leduc", "uniform", abstraction="1/3")
    with pytest.raises(ValueError, match=r"an abstraction is of a poker game with menus"):
        made("no_limit_leduc", "uniform", abstraction="leduc_poker")


# buckets


def table(spec, label, *, every=True):
    """Return rows of buckets on boards of a merged tree; of every street, or of the first alone."""
    tree = tp.load(spec).boards()
    game, rows = tree.game, []
    for board, cards in enumerate(tree.boards.cards):
        if every or tree.boards.street[board] == 0:
            live = {
                tuple(h) for one in tree.boards.hands for h in one.cards[one.hand[one.on(board)]].tolist()
            }
            key = game.public_key(cards, "").removesuffix(":")
            rows += [(key, game.deck.text(hand[::-1]), label(hand)) for hand in sorted(live)]
    return pd.DataFrame(rows, columns=COLUMNS)


def sum_of_ranks(hand):
    return sum(card // 4 for card in hand) % 3


@over([TURN, VISIBLE])
def test_buckets_come_from_tables_and_files(spec, tmp_path):
    rows = table(spec, sum_of_ranks)
    rows.to_csv(tmp_path / "buckets.csv", index=False)
    rows.to_parquet(tmp_path / "buckets.parquet", index=False)
    found = [
        made(spec, "cfr+:5", buckets=one)
        for one in (rows, tmp_path / "buckets.csv", str(tmp_path / "buckets.parquet"), rows.iloc[::-1])
    ]
    for p in (0, 1):
        for other in found[1:]:
            assert np.array_equal(found[0].weight[p], other.weight[p])
    tree = found[0].tree
    for board in range(tree.boards.n_boards):
        hands = tree.boards.hands[0]
        label = [sum_of_ranks(hand) for hand in hands.cards[hands.hand[hands.on(board)]].tolist()]
        node = next(
            n
            for n, s in enumerate(tree.betting.street)
            if s == tree.boards.street[board] and tree.betting.player[n] == 0
        )
        played = found[0].at(0, node, board)
        for one in set(label):
            assert np.ptp(played[np.array(label) == one], axis=0).max() == 0
    if spec == TURN:  # on Leduc the buckets are the ranks, which is all that matters
        assert judged(spec, "cfr+:200", buckets=rows).nash_conv > 10 * judged(spec, "cfr+:200").nash_conv


def test_boards_are_named_by_any_suits_and_may_be_left_out():
    """Of the boards that suits alone tell apart one is named; hands learn by themselves where none is."""
    rows = table(TURN, sum_of_ranks)
    renamed = rows.copy()
    swap = str.maketrans("hd", "dh")
    renamed["board"], renamed["hand"] = rows["board"].str.translate(swap), rows["hand"].str.translate(swap)
    one, other = (made(TURN, "cfr+:5", buckets=each) for each in (rows, renamed))
    for p in (0, 1):
        assert np.array_equal(one.weight[p], other.weight[p])
    nothing = made(TURN, "cfr+:5", buckets=rows.iloc[:0])
    free = made(TURN, "cfr+:5")
    assert certify_factored(nothing.tree.game, nothing).nash_conv == pytest.approx(
        certify_factored(free.tree.game, free).nash_conv, rel=1e-3
    )
    first = made(TURN, "cfr+:5", buckets=table(TURN, sum_of_ranks, every=False))
    assert not np.array_equal(first.weight[0], one.weight[0])


def test_buckets_of_fewer_sizes_are_translated():
    spec = TURN.replace(")", ",bets=[0.5,1],raises=[1])")
    strategy = made(spec, "cfr+:5", abstraction="1", buckets=table(spec, sum_of_ranks))
    plain = made(spec, "cfr+:5", abstraction="1")
    assert strategy.tree is not plain.tree
    assert not np.allclose(strategy.weight[0], plain.weight[0])


@over(
    [
        (lambda t: t.drop(columns="bucket"), "buckets need columns board, hand, bucket; bucket missing"),
        (lambda t: t.iloc[1:], "hand .* on .* has no row"),
        (lambda t: pd.concat([t, t.iloc[:1]]), "hand .* on .* appears twice"),
        (lambda t: t.assign(board="2s3s4s5s"), "a board must be one of small_holdem.*, got '2s3s4s5s'"),
        (lambda t: t.assign(board="AsKs"), "a board must be one of"),
        (lambda t: t.assign(hand="AsKh"), "a hand on AsKsQsJs must be 2 live cards, got 'AsKh'"),
        (lambda t: t.assign(hand="AhAh"), "must be 2 live cards, got 'AhAh'"),
        (lambda t: t.assign(hand="Ah"), "must be 2 live cards, got 'Ah'"),
        (lambda t: t.assign(hand="?"), "must be 2 live cards, got '\\?'"),
        (
            lambda t: t.assign(bucket=t["hand"].str.contains("h")),
            "must be mapped to buckets by the permutations",
        ),
    ]
)
def test_what_are_no_buckets_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        made(TURN, "cfr+:5", buckets=change(table(TURN, sum_of_ranks)))


def test_boards_that_suits_tell_apart_have_one_table():
    rows = table(TURN, sum_of_ranks)
    river = rows[rows["board"].str.len() > 8]
    river = river[river["board"] == river["board"].iloc[0]]
    swap = str.maketrans("hd", "dh")
    other = river.assign(board=river["board"].str.translate(swap), hand=river["hand"].str.translate(swap))
    made(TURN, "cfr+:2", buckets=pd.concat([river, other]))
    with pytest.raises(ValueError, match="are one but for suits, and their buckets differ"):
        made(TURN, "cfr+:2", buckets=pd.concat([river, other.assign(bucket=0)]))


def test_files_of_buckets_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a table of buckets .*\.csv.*\.parquet"):
        made(TURN, "cfr+:5", buckets=tmp_path / "buckets.json")
    with pytest.raises(ValueError, match="cannot read"):
        made(TURN, "cfr+:5", buckets=tmp_path / "buckets.csv")


@over(["uniform", "nash", "one.csv"])
def test_buckets_are_for_runs(name):
    with pytest.raises(ValueError, match=f"buckets are for blueprints METHOD:N, got {name}"):
        made(TURN, name, buckets=table(TURN, sum_of_ranks))
    with pytest.raises(ValueError, match="hides suits"):
        made("leduc_poker", "cfr+:5", buckets=table(VISIBLE, sum_of_ranks))


@over(
    [
        (TURN, "best", "blueprint must be uniform, nash, METHOD:N with METHOD one of cfr, cfr+"),
        (TURN, "cfr+", "blueprint must be uniform, nash, METHOD:N"),
        (TURN, "hedge:5", "blueprint must be uniform, nash, METHOD:N"),
        (TURN, "cfr+:0", "blueprint cfr\\+:N needs N between 1 and 10,000,000 iterations, got '0'"),
        (TURN, "dcfr:1e3", "blueprint dcfr:N needs N between 1 and"),
        ("coin_toss", "uniform", "a blueprint on boards is of a poker game, got coin_toss"),
    ]
)
def test_what_is_no_blueprint_is_refused(spec, blueprint, says):
    with pytest.raises(ValueError, match=says):
        made(spec, blueprint)
    with pytest.raises(ValueError, match="missing is for strategies that are tables"):
        made(TURN, "uniform", missing="uniform")
