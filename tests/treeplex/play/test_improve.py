"""The self-improver: which bets are chosen, what is added, what it is worth after each night."""

import json
from collections import Counter
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from math import log
from shutil import copytree

import numpy as np
import pytest

import treeplex as tp
from benchmarks.improver_nights import HalfPot, nights
from treeplex.cli.main import run
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.play.hand import Hand
from treeplex.play.opponent_bets import Observed
from treeplex.process.interruption import INTERRUPTED
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import extended
from treeplex.seqform.boards.factored_strategy import FactoredTree

MENUS = "no_limit_flop_holdem(ranks=4,suits=2,bets=[1],max_raises=[2,1],stack=2000,flops=1)"
MANY = "no_limit_flop_holdem(ranks=4,suits=2,bets=[0.5,0.75,1,2],max_raises=[2,1],stack=2000,flops=1)"


@pytest.fixture(scope="module")
def played():
    """An equilibrium of the menus."""
    return tp.solve(MENUS, "lp")


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """A folder of a match in which one agent is of the menus, and the other bets half the pot."""
    folder = tmp_path_factory.mktemp("day")
    tp.match("always-call", HalfPot(), MENUS + " + r200 + cr200", hands=60, out=folder / "day")
    return folder / "day"


@pytest.mark.seconds(8)
def test_exploitability_falls_night_by_night_and_never_rises_in_the_first_menus():
    # At most: the branch after cr200 takes 2,300 from one of the equilibria that a solver may choose.
    before, *after = nights(MENUS, 60, 3, iterations=5000)
    assert [one.bet for one in after[:2]] == ["r200", "cr200"]
    assert before.in_menus < 1e-6
    assert all(one.in_menus == before.in_menus for one in after)
    course = [before.with_bets, *(one.with_bets for one in after)]
    assert course[0] > course[1] + 1 > course[2] + 2
    assert all(later <= earlier for earlier, later in pairwise(course)), course


def hands_with(*moves_before_the_flop):
    """Return the deal of MANY's first hand with betting lines before the flop, each folded at its end."""
    game = tp.load(MANY).game
    state, deal = game.root(), []
    while game.player(state) < 0:
        label = game.chance(state)[0][0]
        deal.append(label)
        state = game.child(state, label)
    for moves in moves_before_the_flop:
        here, made = state, list(deal)
        for move in (*moves, "f"):
            here = game.child(here, move)
            made.append(move)
        while game.player(here) != TERMINAL:  # a flop that is listed is turned up after a fold
            made.append(game.chance(here)[0][0])
            here = game.child(here, made[-1])
        yield Hand(tuple(made), Fraction(game.payoff(here)))


def test_scores_are_what_adding_a_bet_takes_from_all_distances():
    few, many = tp.load(MENUS).game, tp.load(MANY).game
    observed = Observed(many, few)
    # Pots after a call are 200 before the flop: 0.5, 0.75, 1 and 2 pots; A is in seat 1, B bets.
    lines = [["r200"]] * 3 + [["r250"]] * 2 + [["r500"]] + [["r300"]]
    observed.add((0, hand) for hand in hands_with(*lines))
    assert observed.bets == Counter({("", "r200"): 3, ("", "r250"): 2, ("", "r500"): 1})
    assert observed.hands == observed.decisions[""] == 7

    def distance(total, menu):
        return min(abs(log((1 + (total - 100) / 200) / (1 + (one - 100) / 200))) for one in menu)

    made, menu = {200: 3, 250: 2, 500: 1}, [100, 300]

    def score(total, menu):
        return sum(n * 2 * t * (distance(t, menu) - distance(t, [*menu, total])) for t, n in made.items())

    found = observed.chosen(5)
    for bet in found:
        total = int(bet.label[1:])
        assert bet.score == pytest.approx(score(total, menu), rel=1e-12)
        assert bet.score == pytest.approx(max(score(t, menu) for t in made if t not in menu), rel=1e-12)
        assert bet.distance == pytest.approx(distance(total, menu))
        assert (bet.count, bet.share, bet.stake) == (made[total], made[total] / 7, 2.0 * total)
        menu.append(total)
    assert len(found) == 3


def test_bets_that_the_strategys_stacks_do_not_allow_are_made_and_never_chosen():
    few, many = tp.load(MENUS.replace("2000", "400")).game, tp.load(MANY).game
    observed = Observed(many, few)
    observed.add((0, hand) for hand in hands_with(["r250"], ["r500"], ["r500"]))
    assert observed.bets == Counter({("", "r250"): 1, ("", "r500"): 2})
    assert [bet.label for bet in observed.chosen(5)] == ["r250"]


def test_a_bet_of_many_sizes_is_chosen_from_thousands():
    few = tp.load("no_limit_holdem(bets=[1])").game
    observed = Observed(tp.load("no_limit_holdem").game, few)
    observed.bets = Counter({("", f"r{size}"): 1 for size in range(1000, 6000)})
    observed.decisions = Counter({"": 5000})
    first, second = observed.chosen(2)
    assert first.score > second.score > 0


def test_only_the_first_bet_of_the_first_round_counts_and_only_that_of_opponents():
    few, many = tp.load(MENUS).game, tp.load(MANY).game
    observed = Observed(many, few)
    observed.add((0, hand) for hand in hands_with(["c", "r200", "r400"], ["r300", "r600"], ["r300"]))
    assert observed.bets == Counter({("c", "r200"): 1, ("r300", "r600"): 1})
    # Player 0, in whose seat A is, made both: B's decisions are no opponent's.
    assert observed.decisions == Counter({"c": 1, "r300": 2})


def test_a_hand_that_does_not_pay_what_it_says_is_refused():
    few, many = tp.load(MENUS).game, tp.load(MANY).game
    (hand,) = hands_with(["r200"])
    with pytest.raises(ValueError, match=r"do not pay 7"):
        Observed(many, few).add([(0, Hand(hand.moves, Fraction(7)))])


def test_a_strategy_in_more_bets_plays_as_before_and_never_makes_them():
    problem = tp.load(MENUS)
    tree = problem.boards()
    rng = np.random.default_rng(5)
    weights = [rng.random(int(base[-1])) for base in tree.base]
    for weight in weights:
        weight[rng.random(len(weight)) < 0.4] = 0.0
    first = tp.FactoredStrategy(tree, (weights[0], weights[1]))
    game = tp.load(MENUS + " + cr200 + r300r500").game
    larger = FactoredTree.of(game, BettingTree.of(game), tree.boards)
    found = extended(first, larger)
    known = {(player, infoset): play for player, infoset, play in plays(first)}
    new = 0
    for player, infoset, play in plays(found):
        if (player, infoset) in known:
            assert {a: p for a, p in play.items() if a in known[player, infoset]} == pytest.approx(
                known[player, infoset]
            )
            added = {a: p for a, p in play.items() if a not in known[player, infoset]}
            assert not any(added.values())
            new += len(added)
    flops = [{*cards} for cards, _ in game.flops]
    hands = tree.boards.hands[0].cards.tolist()
    assert new == 2 * sum(any(flop.isdisjoint(hand) for flop in flops) for hand in hands)


def plays(strategy):
    """Yield each player and infoset with the probabilities of its actions."""
    rows = {}
    for player, infoset, action, probability in strategy.rows():
        rows.setdefault((player, infoset), {})[action] = probability
    yield from ((*key, play) for key, play in rows.items())


@pytest.mark.seconds(3)
def test_what_is_added_is_what_was_solved_and_losses_add_up(played, day):
    found = tp.improve(played, MENUS, day, k=5, iterations=400)
    assert [one.bet.after for one in found.branches] == ["r200", "cr200"]
    assert all(one.added == "with sibling" for one in found.branches)
    assert all(one.sibling.loss < one.translation_loss for one in found.branches)
    assert found.game == MENUS + " + r200 + cr200"
    # The opponent gains no more than the sum of the losses of all bets, in both seats together.
    most = sum(one.sibling.loss for one in found.branches)
    assert found.before.nash_conv - 1e-6 <= found.after.nash_conv <= found.before.nash_conv + most + 1e-6
    assert found.after.nash_conv < found.translated.nash_conv
    again = tp.check(found.game, found.strategy)
    assert again.nash_conv == pytest.approx(found.after.nash_conv, abs=1e-12)


@pytest.mark.seconds(3)
def test_a_branch_that_did_not_converge_is_named_and_left_out(played, day):
    found = tp.improve(played, MENUS, day, k=1, iterations=1, width=1e-9)
    assert [(one.added, one.why) for one in found.branches] == [("", "not converged")]
    assert found.game == MENUS
    assert found.after.nash_conv == found.before.nash_conv
    assert "not converged" in str(found)


@pytest.mark.seconds(3)
def test_a_branch_that_loses_more_than_translation_is_left_out(played, day):
    found = tp.improve(played, MENUS, day, k=2, iterations=5, width=0.9)
    worse = [one.sibling.loss > one.translation_loss for one in found.branches]
    assert any(worse)
    assert [one.why == "loses more than translated" for one in found.branches] == worse
    assert found.after.nash_conv <= found.translated.nash_conv


@pytest.mark.seconds(3)
def test_without_its_sibling_a_branch_is_added_only_where_that_is_asked_for(played, day):
    common = tp.improve(played, MENUS, day, k=1, iterations=400, without_sibling=0.9)
    assert [one.added for one in common.branches] == ["without"]
    rare = tp.improve(played, MENUS, day, k=1, iterations=400, without_sibling=1.0)
    assert [one.added for one in rare.branches] == ["with sibling"]
    assert common.branches[0].alone.loss == pytest.approx(rare.branches[0].alone.loss)
    assert common.after.nash_conv > rare.after.nash_conv


@pytest.mark.seconds(4)
def test_an_interrupted_command_leaves_the_branches_that_were_added(
    played, day, tmp_path, monkeypatch, capsys
):
    begun = []

    @contextmanager
    def interrupted():
        def tell(stage, width):
            begun.append(stage) if stage.startswith("solving after") else None
            if len(begun) > 1:
                raise KeyboardInterrupt

        yield tell

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("treeplex.cli.improve.shown_progress", interrupted)
    tp.write(played, "few.csv")
    words = "improve", f'few.csv(game="{MENUS}")', "--from", str(day), "--k", "2", "--iterations", "400"
    assert run([*words, "--out", "night.npz"]) == INTERRUPTED
    output, told = capsys.readouterr()
    assert output == ""
    assert told.splitlines() == [
        f"treeplex: night.npz has what was added so far, a strategy of {MENUS} + r200",
        "treeplex: interrupted",
    ]
    one = tp.improve("few.csv", MENUS, day, k=1, iterations=400)
    assert tp.check(one.game, "night.npz").certificate.nash_conv == one.after.nash_conv


def test_where_nobody_made_such_a_bet_nothing_changes(played, tmp_path):
    tp.match("uniform", "always-call", MENUS, hands=4, out=tmp_path / "day")
    found = tp.improve(played, MENUS, tmp_path / "day")
    assert (found.branches, found.made, found.hands, found.game) == ((), 0, 4, MENUS)


@pytest.mark.seconds(3)
def test_a_folder_that_is_given_twice_is_read_once(played, day):
    found = tp.improve(played, MENUS, [day, str(day)], k=1, iterations=10)
    assert found.hands == 60


def test_folders_that_hold_no_match_are_refused_in_one_line(played, day, tmp_path):
    folder = tmp_path / "damaged"
    copytree(day, folder)
    for wrong, says in (
        (5, "matches must be folders"),
        (None, "matches must be"),
        ([5], "a folder of matches"),
    ):
        with pytest.raises(TypeError, match=says):
            tp.improve(played, MENUS, wrong)
    hands, known = (folder / name for name in ("hands.jsonl", "run.json"))
    kept = hands.read_text()
    for text, says in {
        "[" * 100_000 + "\n": "hands.jsonl, line 1 must be hand 0",
        kept.replace('"payoff": "', '"payoff": "7', 1): "hands.jsonl, line 1: the moves .* do not pay",
        kept.replace("cr200", "r1").replace("r200", "r1"): "hands.jsonl, line 1: there is no hand",
    }.items():
        hands.write_text(text)
        with pytest.raises(BadInputError, match=says):
            tp.improve(played, MENUS, folder)
    for text, says in {
        "[" * 100_000: "must be a folder of treeplex match",
        "[]": "is of no match",
        '{"kind": "match", "game": "os:system"}': "a file may name games of treeplex alone",
        '{"kind": "match", "game": "few.toml + r200"}': "a file may name games of treeplex alone",
    }.items():
        known.write_text(text)
        with pytest.raises(BadInputError, match=says):
            tp.improve(played, MENUS, folder)


@pytest.mark.seconds(4)
def test_the_command_writes_a_strategy_that_plays_and_is_improved_again(
    played, day, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    tp.write(played, "few.csv")
    words = "improve", f'few.csv(game="{MENUS}")', "--from", str(day), "--k", "1", "--iterations", "400"
    assert run([*words, "--out", "night.npz", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["game"] == MENUS + " + r200"
    assert one["bets"][0]["added"] == "with sibling"
    assert run(["check", one["game"], "night.npz", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert checked["nash_conv"] / 2 == pytest.approx(one["exploitability"]["after"], abs=1e-12)
    agent = f'night.npz(game="{one["game"]}")'
    assert tp.match(agent, HalfPot(), MENUS + " + r200 + cr200", hands=2).hands == 2
    assert run(["improve", agent, "--from", str(day), "--k", "1", "--iterations", "400", "--json"]) == 0
    two = json.loads(capsys.readouterr().out)
    assert two["game"] == MENUS + " + r200 + cr200"


def test_wrong_input_is_one_line(day, complaint, tmp_path):
    agent = f'uniform.csv(game="{MENUS}")'
    (tmp_path / "other").mkdir()
    for words, says in {
        ("improve", "uniform", "--from", day): 'must be FILE(game="SPEC")',
        ("improve", "few.csv(threshold=0.1)", "--from", day): 'must be FILE(game="SPEC")',
        ("improve", agent, "--from", tmp_path / "other"): "must be a folder of treeplex match --out",
        ("improve", agent, "--from", day, "--k", 0): "k must be",
        ("improve", agent, "--from", day, "--width", 0): "width must be above 0 and below 1",
        ("improve", agent, "--from", day, "--without-sibling", 2): "without_sibling must be from 0 to 1",
        ("improve", agent, "--from", day, "--method", "unsafe"): "method must be resolve or maxmargin",
        ("improve", agent, "--from", day, "--game", "kuhn_poker"): "holds a match of",
        ("improve", 'few.csv(game="kuhn_poker")', "--from", day): "menus of bet sizes",
        ("improve", agent, "--from", day): "cannot read uniform.csv",
    }.items():
        assert says in complaint(*words)
