"""Answers on boards to bets that menus lack, held against the enumerated programs of nested solving."""

from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.twins.factored import factored_tree
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.boards.gadget_proof import reach_unit
from treeplex.gadgets.off_tree.menu_abstraction import Abstraction
from treeplex.gadgets.off_tree.nested_solving import (
    OffTreeMove,
    off_tree_levels,
    response_without,
    solve_off_tree,
)
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.gadgets.off_tree.translation import translate
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.added_bets import with_raise
from treeplex.seqform.boards.board_conversions import strategy_of
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.nested_on_boards import CurrentPlay, answer_bet
from treeplex.subgames.program_on_boards import solve_by_program
from treeplex.subgames.solve_on_boards import BoardLimits

LEDUC = "no_limit_leduc(max_raises=[1,2],stack=200)"
TURN = (
    'small_holdem(board="As Kh Qs Js",ranks=4,suits=3,stack=300,bets=[1],raises=[1],max_raises=2,ranges={0})'
)
TURN = TURN.format('["KK,QQ,JJ,KQ,QJ","AA,KK,AQ,KJ,QJ"]')
PLACES = [
    (LEDUC, "", "r1.37"),
    (LEDUC, "cc/cr1", "r4.5"),
    (LEDUC, "r1c/c", "r5"),
    (LEDUC, "cc/r1", "r8"),
    (TURN, "c", "r1.25"),
    (TURN, "cr2c/", "r3.5"),
    (TURN, "r2c/cr8", "r20"),
]
METHODS = [
    ("resolve", "inexpensive"),
    ("maxmargin", "inexpensive"),
    ("reach-maxmargin", "inexpensive"),
    ("reach-resolve", "expensive"),
    ("maxmargin", "expensive"),
    ("unsafe", "expensive"),
]


def limits(tree):
    return BoardLimits(iterations=1000, width=1e-5)


def random_profile(form, seed):
    """A strategy that plays some actions never, so that gifts and unreached hands come about."""
    rng, plays = np.random.default_rng(seed), []
    for t in form.treeplexes:
        behaviour = t.uniform()
        for a, b in zip(t.begin, t.end, strict=True):
            weight = rng.random(b - a) * (rng.random(b - a) >= 0.3)
            if weight.sum() > 0:
                behaviour[a:b] = weight / weight.sum()
        plays.append(behaviour)
    return Profile(form.treeplexes, (plays[0], plays[1]))


class Twin:
    """A coarse game with a random strategy, and the same with one more bet, history by history."""

    def __init__(self, spec, line, label, seed=5):
        coarse = replace(load_game(spec), suits_visible=True)
        full = with_raise(coarse, line, label)
        self.embed(coarse, full, line + label, 1 - full.point(line).player)
        self.small = number_tree(build_tree(self.coarse))
        self.profile = random_profile(self.small.form, seed)
        self.start = self.pair.embedded(self.profile, self.game.form)
        self.tree = factored_tree(self.coarse, isomorphism=False)
        self.strategy = strategy_of(self.profile, self.tree)

    def embed(self, coarse, full, bet, defender):
        self.coarse, self.full, self.bet, self.defender = coarse, full, bet, defender
        self.pair = Abstraction(coarse, full)
        self.game = number_tree(build_tree(full))
        self.states = PublicStates.of(self.game.tree)
        self.missing = self.pair.missing(self.game.form)

    @classmethod
    def of(cls, coarse, full, bet, defender):
        twin = cls.__new__(cls)
        twin.embed(coarse, full, bet, defender)
        return twin

    def places(self, every=False):
        """Yield some boards on which the bet is made, with the name of the public state after it."""
        tree, node = self.tree, self.tree.betting.node_of[self.bet[: self.bet.rindex("r")]]
        boards = np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist()
        for board in boards if every else boards[:: max(1, len(boards) // 2)]:
            yield (node, board), self.full.public_key(tree.boards.cards[board], self.bet)

    def move(self, name, strategy=None):
        barred = [np.zeros_like(one) for one in self.missing]
        barred[1 - self.defender] = self.missing[1 - self.defender]
        return OffTreeMove(
            self.game,
            self.states,
            self.defender,
            self.start if strategy is None else strategy,
            self.missing,
            (barred[0], barred[1]),
            name,
        )

    def value_after(self, name, behaviour, move=None):
        """Return the sum over tops of max(0, value after the bet - alternative) against a behaviour."""
        move = move or self.move(name)
        piece = cut(self.states, self.game, [name], self.defender)
        strategy = move.strategy.exchanged(self.defender, behaviour)
        response = self.game.form.best_response(1 - self.defender, strategy.plans[self.defender])
        values = piece.top_values(strategy.plans[self.defender], response)
        treeplex = piece.other.treeplex
        before = move.response().value[treeplex.infoset_of[piece.entry]]
        return float(np.maximum(values - before, 0.0).sum())


def sign(defender):
    return 1.0 if defender == 1 else -1.0


@two_tiers(
    [(*PLACES[3], "maxmargin", "inexpensive"), (*PLACES[5], "reach-resolve", "expensive")],
    [(*place, *method) for place in PLACES for method in METHODS],
    seconds=(3, 40),
)
def test_gadget_values_are_those_of_the_enumerated_programs(spec, line, label, method, approach):
    twin, way = Twin(spec, line, label), off_tree_method(method, approach)
    current = CurrentPlay.of(twin.strategy, twin.defender)
    for place, name in twin.places():
        wanted = solve_off_tree(way, twin.move(name))
        if wanted.kept:
            continue
        found = answer_bet(current, place, label, way, limits)
        if method == "unsafe" and not np.any(found.before.opponent_reach * found.before.reach):
            continue  # undefined: the enumerated program and this one fall back on other multiples
        proof, scale = found.solution.proof, 1.0 if method.endswith("maxmargin") else found.share
        value = sign(twin.defender) * float(wanted.certificate.value)
        assert scale * proof.lower - 1e-6 <= value <= scale * proof.upper + 1e-6
        pot_if_called = 2 * max(twin.full.point(twin.bet).betting.put)
        assert scale * (proof.upper - proof.lower) < 1e-3 * float(pot_if_called)


@two_tiers([PLACES[2], PLACES[5]], PLACES, seconds=(3, 3))
def test_the_loss_of_translation_is_that_of_the_enumerated_games(spec, line, label):
    twin = Twin(spec, line, label)
    own = twin.profile.behaviour[twin.defender]
    behaviour = translate(
        twin.coarse, twin.small.form, own, twin.full, twin.game.form, defender=twin.defender
    )
    current = CurrentPlay.of(twin.strategy, twin.defender)
    for place, name in twin.places():
        few = lambda tree: BoardLimits(iterations=1)  # noqa: E731
        found = answer_bet(current, place, label, off_tree_method("resolve"), few)
        assert found.translation_loss == pytest.approx(twin.value_after(name, behaviour), abs=1e-12)


def overlaid(profile, strategy):
    """A profile in which a strategy on boards plays where it says something."""
    plays = [one.copy() for one in profile.behaviour]
    for (player, infoset), rows in groupby(strategy.rows(), lambda row: row[:2]):
        t, played = profile.treeplexes[player], {row[2]: row[3] for row in rows}
        if infoset in t.index:
            of = slice(t.begin[t.index[infoset]], t.end[t.index[infoset]])
            plays[player][of] = [played.get(action, 0.0) for action in t.actions[of]]
    return Profile(profile.treeplexes, (plays[0], plays[1]))


GIVING = (TURN, "r2", "r7", "r2r7c/c", "r9", "inexpensive")
"""A first bet with which some hands give away what they would have by calling, a gift after the second."""
CHAINS = [
    (TURN, "c", "r1.25", "cr1.25c/c", "r4", "inexpensive"),
    (TURN, "c", "r1.25", "cr1.25c/c", "r4", "expensive"),
]


@two_tiers(
    [("maxmargin", *CHAINS[1])],
    [(method, *chain) for method in ("resolve", "maxmargin") for chain in CHAINS]
    + [(method, *GIVING) for method in ("reach-resolve", "reach-maxmargin")],
    seconds=(3, 10),
)
def test_a_second_bet_is_answered_against_the_first_answer(method, spec, line, label, then, again, approach):
    """Compare the answer to a bet after an answered bet with the program of the enumerated game."""
    first, way = Twin(spec, line, label), off_tree_method(method, approach)
    place, _ = next(first.places())
    one = answer_bet(CurrentPlay.of(first.strategy, first.defender), place, label, way, limits)
    twin = Twin.of(first.coarse, with_raise(first.full, then, again), then + again, first.defender)
    start = twin.pair.embedded(first.profile, twin.game.form)
    strategy = overlaid(start, one.after.strategy)
    barred = [np.zeros_like(m) for m in twin.missing]
    levels = off_tree_levels(twin.game, 1 - twin.defender, twin.missing[1 - twin.defender])
    barred[1 - twin.defender] = twin.missing[1 - twin.defender] & (levels >= 2)
    tree = one.after.tree
    node = tree.betting.node_of[then]
    board = int(np.flatnonzero(tree.boards.street == tree.betting.street[node])[-1])
    name = twin.full.public_key(tree.boards.cards[board], then + again)
    move = replace(twin.move(name, strategy), barred=(barred[0], barred[1]))
    wanted = solve_off_tree(way, move)
    two = answer_bet(one.after, (node, board), again, way, limits)
    proof, scale = two.solution.proof, 1.0 if method.endswith("maxmargin") else two.share
    value = sign(twin.defender) * float(wanted.certificate.value)
    assert scale * proof.lower - 1e-6 <= value <= scale * proof.upper + 1e-6
    behaviour = overlaid(strategy, two.after.strategy).behaviour[twin.defender]
    assert two.loss == pytest.approx(twin.value_after(name, behaviour, move), abs=1e-10)


@pytest.mark.seconds(3)
def test_losses_on_listed_flops_are_those_of_the_enumerated_game():
    """Flops count as often as they are listed."""
    spec = "no_limit_flop_holdem(ranks=4,suits=2,bets=[1],max_raises=[1,2],stack=1000,flops=2)"
    twin, way = Twin(spec, "cc/", "r250"), off_tree_method("resolve")
    behaviour = translate(
        twin.coarse,
        twin.small.form,
        twin.profile.behaviour[twin.defender],
        twin.full,
        twin.game.form,
        defender=twin.defender,
    )
    current = CurrentPlay.of(twin.strategy, twin.defender)
    for place, name in twin.places(every=True):
        found = answer_bet(current, place, "r250", way, lambda tree: BoardLimits(iterations=1))
        assert found.translation_loss == pytest.approx(twin.value_after(name, behaviour), abs=1e-10)


@pytest.mark.seconds(6)
@over(METHODS)
def test_all_bets_together_gain_no_more_than_the_losses_of_their_answers(method, approach):
    """The opponent's best response to all answers is at most that in the menus and all losses."""
    twin, way = Twin(TURN, "c", "r1.25"), off_tree_method(method, approach)
    current, profile, losses = CurrentPlay.of(twin.strategy, twin.defender), twin.start, 0.0
    for place, _ in twin.places(every=True):
        found = answer_bet(current, place, "r1.25", way, limits)
        losses += found.loss
        profile = overlaid(profile, found.after.strategy)
    opponent, plan = 1 - twin.defender, profile.plans[twin.defender]
    barred = twin.missing[opponent]
    before = response_without(twin.game.form, opponent, plan, barred).total
    after = twin.game.form.best_response(opponent, plan).total
    assert before - 1e-9 <= after <= before + losses + 1e-9
    if method != "unsafe":
        assert after < before + 1e-3


@pytest.mark.seconds(20)
@over(["resolve", "maxmargin"])
def test_with_all_hands_values_are_those_of_factored_programs(method):
    problem, way = tp.load(ROOT / "examples" / "river.toml"), off_tree_method(method)
    strategy = blueprint_on_boards(problem, "dcfr:50")
    current = CurrentPlay.of(strategy, 0)
    place = strategy.tree.betting.node_of["c"], 0
    found = answer_bet(current, place, "r37", way, lambda tree: BoardLimits(iterations=2000, width=0.02))
    wanted = solve_by_program(found.solution.subgame, way.on_hands()).proof
    proof = found.solution.proof
    unit = reach_unit(found.solution.subgame, found.solution.root)
    assert proof.lower - 1e-9 * unit <= wanted.upper
    assert wanted.lower <= proof.upper + 1e-9 * unit
    assert proof.upper - proof.lower < 0.1 * unit
