"""Push or fold: its rules, its values in printed digits, and a linear program that knows only the table."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.preflop import CLASSES, N_BOARDS, class_hands, equity, preflop_matchups
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.push_fold import push_fold

GAME = push_fold()
SHARE = np.array([len(hands) for hands in class_hands()]) / 1326


def plays(result, player, line, action):
    """Return how often each class takes an action, (169,)."""
    treeplex, behaviour = result.profile.treeplexes[player], result.profile.behaviour[player]
    found = np.empty(len(CLASSES))
    for c, cls in enumerate(CLASSES):
        infoset = treeplex.index[f"{cls}:{line}"]
        begin, end = treeplex.begin[infoset], treeplex.end[infoset]
        found[c] = behaviour[begin + treeplex.actions[begin:end].index(action)]
    return found


def small_blind_value(stack):
    """Maximise the small blind's value over pushing frequencies, the big blind answering best by class."""
    table = preflop_matchups()
    deal = table.pairs / table.pairs.sum()
    called = stack * (table.wins - table.losses) / (table.pairs.sum() * N_BOARDS)
    n = len(CLASSES)
    # variables: pushing frequencies by class, then what is lost or won against each class of the big blind
    gain = np.concatenate((0.5 * deal.sum(axis=1), np.ones(n)))
    answers = np.block([[-deal.T, np.eye(n)], [-called.T, np.eye(n)]])
    bounds = [(0, 1)] * n + [(None, None)] * n
    solution = linprog(-gain, A_ub=answers, b_ub=np.zeros(2 * n), bounds=bounds)
    return -solution.fun - 0.5


@pytest.mark.seconds(3)
def test_it_keeps_the_promises_of_games():
    check_promises(GAME)


def test_deals_are_pairs_of_disjoint_hands():
    deals = dict(GAME.chance(GAME.root()))
    assert len(deals) == 169**2
    assert sum(deals.values()) == 1
    # player 0 holds aces in 6 of 1,326 hands; aces meet aces in 1 of 1,225
    assert sum(weight for label, weight in deals.items() if label.startswith("AA ")) == Fraction(6, 1326)
    assert deals["AA AA"] == Fraction(6, 1326 * 1225)


@over([1, "2.5", Fraction(31, 3), 100.0])
def test_payoffs_are_the_big_blind_s(stack):
    game = push_fold(stack)
    assert [game.player(line) for line in ((), ("AA KQs",), ("AA KQs", "push"))] == [CHANCE, 1, 0]
    leaves = [("AA KQs", "fold"), ("AA KQs", "push", "fold"), ("AA KQs", "push", "call")]
    assert [game.player(line) for line in leaves] == [TERMINAL] * 3
    value = equity("AA", "KQs")
    margin = 2 * value.equity - 1
    assert [game.payoff(line) for line in leaves] == [Fraction(1, 2), -1, Fraction(stack) * margin]


def test_players_know_their_own_class_and_the_line():
    line = ("AA KQs", "push")
    assert [GAME.infoset(line, player) for player in (0, 1)] == ["AA:push", "KQs:push"]
    assert GAME.public(line) == ":push"
    assert GAME.infoset((), 0) == GAME.public(()) == "start"


@pytest.mark.seconds(3)
def test_ten_big_blinds():
    """The values are the small blind's: -45.3708 thousandths; it pushes 58.284% of its hands."""
    result = tp.solve("push_fold(stack=10)", exact=True)
    assert result.certificate.nash_conv == 0
    assert round(float(-result.exact_value) * 1000, 4) == -45.3708
    push, call = plays(result, 1, "", "push"), plays(result, 0, "push", "call")
    assert round(float(push @ SHARE), 5) == 0.58284
    assert round(float(call @ SHARE), 5) == 0.37376
    assert round(float(push[CLASSES.index("43s")]), 3) == 0.711
    assert push[CLASSES.index("AA")] == call[CLASSES.index("AA")] == 1
    assert push[CLASSES.index("32o")] == call[CLASSES.index("32o")] == 0


@pytest.mark.seconds(3)
def test_blinds_alone_are_worth_nothing():
    """With one big blind each, all go all-in with everything: folding costs half of it at least."""
    result = tp.solve("push_fold(stack=1)", exact=True)
    assert result.exact_value == 0
    assert plays(result, 1, "", "push").min() == plays(result, 0, "push", "call").min() == 1


@pytest.mark.seconds(3)
def test_five_big_blinds_are_worth_what_a_program_written_apart_finds():
    result = tp.solve("push_fold(stack=5)")
    assert result.certificate.nash_conv < 1e-9
    assert round(-result.value * 1000, 4) == 56.2007
    assert small_blind_value(5.0) == pytest.approx(-result.value, abs=1e-8)


def test_names():
    assert push_fold().name == push_fold(10.0).name == "push_fold"
    for stack in (5, Fraction(21, 2), Fraction(31, 3)):
        assert load_game(push_fold(stack).name) == push_fold(stack)
    assert push_fold("10.5").name == "push_fold(stack=10.5)"
    assert push_fold().unit == "big blinds"


@over(
    [
        ("push_fold(stack=0.99)", "push_fold: stack must be at least the big blind of 1, got 0.99"),
        ("push_fold(stack=-3)", "push_fold: stack must be at least the big blind of 1, got -3"),
        ("push_fold(stack=deep)", "push_fold: stack must be a finite number, got 'deep'"),
        ("push_fold(stack=true)", "push_fold: stack must be a number or text, got true"),
        (float("nan"), "push_fold: stack must be a finite number, got nan"),
        ("push_fold(chips=3)", "push_fold: unknown key 'chips'; legal keys are stack"),
    ]
)
def test_bad_stacks(spec, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        load_game(spec) if isinstance(spec, str) else push_fold(spec)
