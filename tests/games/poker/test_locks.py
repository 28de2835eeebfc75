"""Locked hands: all forms, minimisers and judges agree on the game in which they do not choose."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.bench.theorems_on_games.card_blind import BLIND_STRATEGIES, best_response_to_blind
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public.public_arrays import vector_arrays
from treeplex.cfr.sampling import poker_sampling
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.variant import variant_named
from treeplex.cli.main import BAD_INPUT, run
from treeplex.cli.solve import SUCCESS
from treeplex.core.loading import load
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.games.formats.toml_files import parse_toml, read_toml
from treeplex.games.poker.locks import Lock
from treeplex.games.poker.named import kuhn_poker, leduc_poker, small_holdem
from treeplex.games.poker.spots import Spot
from treeplex.pictures.strategy_view import node_view
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.suit_symmetry import symmetries
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.reductions.hand_classes import merge_hands
from treeplex.seqform.reductions.removed_infosets import locked_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.solving.crosscheck import crosscheck
from treeplex.solving.methods import METHODS
from treeplex.solving.on_trees import fits

EXAMPLE = ROOT / "examples" / "locked_river.toml"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
RIVER = small_holdem("As Kh Qs Jh 9s", 6, 2, bets=(1,), raises=("a",), stack=6)
TURN = small_holdem("As Ks Qh Jh", 5, 3, bets=(1,), stack=3, ranges=("AA,KK,AT,KJ", "AK,QQ,TT,JT"))
FLOP = small_holdem("As Ks Qs", 4, 3, stack=2, ranges=("AA,QJ,JJ", "KQ,AJ,JJ"))
LEDUC = leduc_poker(suits_visible=True)
VARIANT = variant_named("cfr+", average=None, counted="before", order="alternating")


def acting_lines(game):
    """Return every line at which a player acts."""
    betting = BettingTree.of(game)
    return [line for line, player in zip(betting.line, betting.player, strict=True) if player >= 0]


def lock_all(game, line, **plays):
    """Lock all hands of the player who acts at a line to one play."""
    player = game.point(line).player
    play = {a: Fraction(p) for a, p in plays.items()}
    return Lock(line, dict.fromkeys(game.reach[player], play))


def random_lock(game, line, rng, share=0.5):
    """Lock some hands at a line to random plays, about one action in three never taken."""
    moves, play = [*game.point(line).moves], {}
    hands = [*game.reach[game.point(line).player]]
    for hand in hands:
        if rng.random() < share or hand == hands[0]:
            weights = rng.integers(1, 9, len(moves)) * (rng.random(len(moves)) < 2 / 3)
            weights[rng.integers(len(moves))] += 1
            total = int(weights.sum())
            play[hand] = {a: Fraction(int(w), total) for a, w in zip(moves, weights, strict=True) if w}
    return Lock(line, play)


def randomly_locked(game, seed, n_locks=3, share=0.5):
    rng = np.random.default_rng(seed)
    lines = acting_lines(game)
    chosen = rng.choice(len(lines), min(n_locks, len(lines)), replace=False)
    return replace(game, locks=tuple(random_lock(game, lines[i], rng, share) for i in chosen))


def factored_tree(game, isomorphism=True):
    return FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game, isomorphism=isomorphism))


def minimised(game, iterations=1500, **options):
    return average(engine_of(factored_tree(game), **options), iterations)


def engine_of(tree, storage="float32", threads=1):
    return factored_cfr.prepare(tree, FactoredConfig(VARIANT, storage), threads)


# Both players, some hands or all, actions that are never taken, lines that nothing leads to any more.
LOCKED = [
    replace(kuhn_poker(), locks=(Lock("c", {(44,): {"r": THIRD, "c": 2 * THIRD}}),)),
    replace(RIVER, locks=(lock_all(RIVER, "c", c=1),)),
    replace(RIVER, locks=(lock_all(RIVER, "", c=HALF, r2=HALF), lock_all(RIVER, "r2", f=1))),
    replace(RIVER, locks=(lock_all(RIVER, "", c=1), lock_all(RIVER, "r2r6", f=1))),
    randomly_locked(RIVER, 0),
    randomly_locked(RIVER, 1, n_locks=9, share=0.9),
    randomly_locked(TURN, 2),
    randomly_locked(TURN, 3, n_locks=99, share=0.4),
    replace(TURN, locks=(lock_all(TURN, "", c=THIRD, r2=2 * THIRD), lock_all(TURN, "cc/c", r2=1))),
    randomly_locked(LEDUC, 4, n_locks=4),
    replace(LEDUC, locks=(lock_all(LEDUC, "c", r=1), lock_all(LEDUC, "cr", c=1))),
]


@cache
def explicit(i):
    """Return the certificate of a game's explicit tree, in which chance plays what is locked."""
    return solve_lp(tree_form(build_tree(LOCKED[i]))).certificate


def agrees(found, other, width):
    assert found.upper - found.lower <= width
    assert found.lower <= other.upper + 1e-9
    assert other.lower <= found.upper + 1e-9


class TestOneGame:
    """Whatever the form, the locked game has one value."""

    @pytest.mark.seconds(3)
    @over(range(len(LOCKED)))
    def test_the_linear_program(self, i):
        problem = load(LOCKED[i])
        result = tp.solve(problem)
        agrees(result.certificate, explicit(i), 1e-6)
        assert result.n_infosets == sum(problem.form.n_infosets) < sum(problem.whole.n_infosets)

    @pytest.mark.seconds(3)
    @over([*range(6), 8, 9, 10])
    def test_running_sums(self, i):
        tree = compile_public(LOCKED[i])
        locked = locked_form(tree, sequence_form(tree, factored=True))
        solution = solve_lp(locked.form)
        agrees(solution.certificate, explicit(i), 1e-6)
        pairs = locked_form(tree, sequence_form(tree, factored=False)).form
        rng = np.random.default_rng(0)
        plans = [t.plan(t.behaviour(t.plan(rng.random(t.n_sequences)))) for t in pairs.treeplexes]
        for p in (0, 1):
            one, other = (f.payoff.against(p, plans[1 - p]) for f in (locked.form, pairs))
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)

    @over(LOCKED)
    def test_best_responses_respect_locks(self, game):
        """A profile with locks earns in the whole form what it earns in the form without them."""
        problem = load(game)
        rng = np.random.default_rng(1)
        drawn = [t.behaviour(t.plan(rng.random(t.n_sequences))) for t in problem.form.treeplexes]
        profile = Profile(problem.form.treeplexes, (drawn[0], drawn[1]))
        lifted = problem.complete(profile)
        small, whole = certify(problem.form, profile), certify(problem.whole, lifted)
        assert small.value == pytest.approx(whole.value, abs=1e-12)
        assert whole.lower - 1e-12 <= small.lower <= small.upper <= whole.upper + 1e-12
        for b, c in zip(problem.played(lifted).behaviour, profile.behaviour, strict=True):
            np.testing.assert_array_equal(b, c)

    def check_the_compact_engine(self, i, storage):
        game = LOCKED[i]
        strategy = minimised(game, storage=storage)
        problem = load(game)
        profile = problem.played(profile_of(game, strategy, problem.whole))
        found = certify(problem.form, profile)
        agrees(found, explicit(i), (1e-4 if storage == "float32" else 1e-3) * problem.spread)
        judged = certify_factored(game, strategy)
        assert judged.value == pytest.approx(found.value, abs=1e-10)
        assert judged.upper == pytest.approx(found.upper, abs=1e-10)
        assert judged.lower == pytest.approx(found.lower, abs=1e-10)

    @over([*((i, "float32") for i in (1, 2, 3, 4, 5, 10)), (3, "int16"), (5, "int16")])
    def test_the_compact_engine(self, i, storage):
        self.check_the_compact_engine(i, storage)

    @pytest.mark.seconds(3)
    @over([*((i, "float32") for i in (6, 7, 8, 9)), (7, "int16"), (9, "int16")])
    def test_the_compact_engine_on_larger_games(self, i, storage):
        self.check_the_compact_engine(i, storage)

    @pytest.mark.seconds(3)
    @over(range(len(LOCKED)))
    def test_cfr_on_the_sequence_form(self, i):
        problem = load(LOCKED[i])
        result = tp.solve(problem, "cfr+", iterations=1000)
        agrees(result.certificate, explicit(i), 1e-3 * problem.spread)

    @over(LOCKED)
    def test_merged_hands(self, game):
        problem = load(game)
        classes = merge_hands(problem.tree)
        labels = problem.tree.hands
        for node, plays in problem.tree.locks.items():
            p = problem.tree.player[node]
            for c in range(len(classes.tree.hands[p])):
                alike = [plays.get(labels[p][h]) for h in np.flatnonzero(classes.class_of[p] == c)]
                assert all(play == alike[0] for play in alike)


def test_hands_that_would_be_merged_but_for_a_lock():
    """Suits that nobody looks at make six hands of a pair one; a lock on two of them tells them apart."""
    game = small_holdem("As Kh Qd Jc 9s", 6, 4, ranges=("AA,TT", "KK,QQ"))
    hands = [hand for hand in game.reach[0] if game.hand_label(hand)[0] == "T"]
    locked = replace(game, locks=(Lock("", {hand: {"r2": Fraction(1)} for hand in hands[:2]}),))
    plain, told = (load(g).small.merged for g in (game, locked))
    assert len(told.tree.hands[0]) > len(plain.tree.hands[0])
    result = tp.solve(locked, exact=True)
    agrees(solve_lp(tree_form(build_tree(locked))).certificate, result.certificate, 1e-6)


@over([(RIVER, 0), (RIVER, 1), (TURN, 0), (LEDUC, 1)])
def test_locking_an_equilibrium_changes_no_value(game, seed):
    """What a player does in an optimal profile may be fixed anywhere, as near as fractions are to floats."""
    problem = load(game)
    result = tp.solve(problem)
    lines = [line for line in acting_lines(game) if game.point(line).betting.round == 0]
    line = lines[np.random.default_rng(seed).integers(len(lines))]
    player, plays = game.point(line).player, {}
    treeplex, behaviour = problem.form.treeplexes[player], result.profile.behaviour[player]
    for hand in game.reach[player]:
        i = treeplex.index.get(f"{game.hand_label(hand)}{game.joiner}{game.public_key(game.board, line)}")
        if i is not None:
            stretch = range(treeplex.begin[i], treeplex.end[i])
            shares = {treeplex.actions[s]: Fraction(behaviour[s]).limit_denominator(10**9) for s in stretch}
            plays[hand] = {action: share for action, share in shares.items() if share > 0}
    assert plays
    locked = replace(game, locks=(Lock.of(line, by_action(plays)),))
    value = tp.solve(locked).certificate
    agrees(value, result.certificate, 1e-6)
    assert value.value == pytest.approx(float(result.certificate.value), abs=1e-6)


def by_action(plays):
    """Turn plays by hand into weights by action."""
    weights = {}
    for hand, play in plays.items():
        for action, share in play.items():
            weights.setdefault(action, {})[hand] = share
    return weights


@over([0, 1])
def test_locking_a_whole_strategy_costs_its_loss(player):
    """With all of a player locked the game is worth what the best response to that strategy gets."""
    game = small_holdem("As Kh Qs Jh 9s", 6, 2, bets=(1,), stack=2, ranges=("AT,KT,QQ,TT", "AJ,KQ,TT"))
    rng = np.random.default_rng(player)
    lines = [line for line in acting_lines(game) if game.point(line).player == player]
    locked = replace(game, locks=tuple(random_lock(game, line, rng, share=1.0) for line in lines))
    problem, plain = load(locked), load(game)
    assert problem.form.n_infosets[player] == 0
    uniform = Profile(problem.form.treeplexes, tuple(t.uniform() for t in problem.form.treeplexes))
    plan = problem.complete(uniform).plans[player]
    best = plain.form.best_response(1 - player, plan).total
    wanted = -best if player == 0 else best
    value, free = tp.solve(problem, exact=True), tp.solve(plain, exact=True)
    assert float(value.exact_value) == pytest.approx(wanted, abs=1e-12)
    loss = free.exact_value - value.exact_value
    assert (loss if player == 0 else -loss) > 0


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([0.3, 0.8, 1.0]))
def test_random_locks(seed, n_locks, share):
    game = small_holdem("As Kh Qs Jh 9s", 6, 2, stack=3, ranges=("AT,KT,QQ,TT", "AJ,KQ,TT,JT"))
    locked = randomly_locked(game, seed, n_locks, share)
    explicit = solve_lp(tree_form(build_tree(locked))).certificate
    result = tp.solve(locked)
    agrees(result.certificate, explicit, 1e-6)
    judged = certify_factored(locked, minimised(locked, 200))
    assert judged.lower <= explicit.upper + 1e-9
    assert explicit.lower <= judged.upper + 1e-9


class TestTheRules:
    """The explicit game."""

    def test_chance_plays_what_is_locked(self):
        game = replace(kuhn_poker(), locks=(Lock("c", {(44,): {"r": THIRD, "c": 2 * THIRD}}),))
        deals = [label for label, _ in game.chance(game.root()) if label.endswith("|Ks")]
        state = game.child(game.child(game.root(), deals[0]), "c")
        assert game.player(state) == CHANCE
        assert dict(game.chance(state)) == {"r": THIRD, "c": 2 * THIRD}
        assert game.actions(state) == ()
        free = next(label for label, _ in game.chance(game.root()) if not label.endswith("|Ks"))
        assert game.player(game.child(game.child(game.root(), free), "c")) == 1

    def test_proportions(self):
        lock = Lock.of("", {"c": {(0,): Fraction(1)}, "r": {(0,): HALF, (4,): HALF}})
        assert lock.play == {(0,): {"c": 2 * THIRD, "r": THIRD}, (4,): {"r": Fraction(1)}}

    def test_symmetries_keep_locks(self):
        game = small_holdem("As Kh Qs Jh 9s", 6, 4)
        assert len(symmetries(game)) == 2
        assert len(symmetries(replace(game, locks=(lock_all(game, "c", c=1),)))) == 2
        hands = [tuple(sorted(parse_cards(text))) for text in ("JdQd", "JcQc")]
        play = {"c": Fraction(1)}
        assert len(symmetries(replace(game, locks=(Lock("", {hands[0]: play}),)))) == 1
        assert len(symmetries(replace(game, locks=(Lock("", dict.fromkeys(hands, play)),)))) == 2
        told = {hands[0]: play, hands[1]: {"c": HALF, "r2": HALF}}
        assert len(symmetries(replace(game, locks=(Lock("", told),)))) == 1


class TestErrors:
    """Each in one line that says what is legal."""

    @over(
        [
            ("x", r"'x' is no betting line, after '' come c, r2"),
            ("cr9", r"'cr9' is no betting line, after 'c' come c, r2"),
            ("cc", r"nobody acts at 'cc', after 'cc' comes 'cc/'"),
            ("r2f", r"nobody acts at 'r2f', after 'r2f' the hand is over"),
            ("r2ff", r"'r2ff' is no betting line, after 'r2f' the hand is over"),
        ]
    )
    def test_lines(self, line, message):
        with pytest.raises(ValueError, match=message):
            replace(TURN, locks=(Lock(line, {(0, 1): {"c": Fraction(1)}}),))

    @over(
        [
            ({}, "at least one hand"),
            ({(46, 47): {"c": HALF}}, "exact probabilities > 0 that sum to 1, got c 1/2"),
            ({(46, 47): {}}, "sum to 1, got none"),
            ({(46, 47): {"c": 0.5, "r2": 0.5}}, "exact probabilities"),
            ({(46, 47): {"c": Fraction(2), "r2": Fraction(-1)}}, "exact probabilities > 0"),
            ({(46, 47): {"r9": Fraction(1)}}, "an action at line '' must be one of c, r2, got 'r9'"),
            ({(36, 37): {"c": Fraction(1)}}, "hands that player 0 can hold, got JhJs"),
            ({(0, 1): {"c": Fraction(1)}}, r"can hold, got \(0, 1\)"),
        ]
    )
    def test_plays(self, play, message):
        with pytest.raises(ValueError, match=message):
            replace(TURN, locks=(Lock("", {(45, 46): {"c": Fraction(1)}} | play if play else play),))

    def test_weights(self):
        with pytest.raises(ValueError, match="weights > 0, got 0 for c"):
            Lock.of("", {"c": {(0, 1): Fraction(0)}})

    def test_one_line_twice(self):
        with pytest.raises(ValueError, match="line '' must have one lock at most, got two"):
            replace(RIVER, locks=(lock_all(RIVER, "", c=1),) * 2)

    def test_hands_that_look_alike(self):
        game = leduc_poker()
        one = next(iter(game.reach[0]))
        with pytest.raises(ValueError, match="must treat all hands J alike"):
            replace(game, locks=(Lock("", {one: {"c": Fraction(1)}}),))
        assert replace(game, locks=(lock_all(game, "", c=1),)).locks

    def test_what_knows_no_locks_refuses_them(self):
        game = LOCKED[4]
        with pytest.raises(ValueError, match="hands are locked"):
            vector_arrays(compile_public(game))
        with pytest.raises(ValueError, match="hands are locked"):
            poker_sampling.prepare(game, Sampling("external"))
        blind = replace(LEDUC, locks=(lock_all(LEDUC, "", c=1),))
        with pytest.raises(ValueError, match="no hand may be locked"):
            best_response_to_blind(blind, next(iter(BLIND_STRATEGIES.values())), 0)

    @over(METHODS)
    def test_methods_fit_or_refuse(self, name):
        problem = load(LOCKED[4])
        if fits(problem, name):
            result = tp.solve(problem, name, iterations=50)
            assert result.certificate.lower <= tp.solve(problem).certificate.upper
        else:
            with pytest.raises(ValueError, match=f"where hands are locked .* got {name}"):
                tp.solve(problem, name, iterations=5)

    def test_the_judge_wants_the_locks_of_the_game(self):
        strategy = minimised(LOCKED[4], 2)
        with pytest.raises(ValueError, match="what the strategy locks at"):
            certify_factored(RIVER, strategy)
        tree = replace(strategy.tree, locked={})
        with pytest.raises(ValueError, match="locked of the strategy's tree"):
            certify_factored(LOCKED[4], FactoredStrategy(tree, strategy.weight))


class TestFactoredStrategies:
    """Averages of the compact engine."""

    @over(["float32", "int16"])
    def test_locked_hands_play_what_is_locked_everywhere(self, storage):
        """Also where nothing leads, or nothing was counted."""
        for game in (LOCKED[3], LOCKED[7]):
            tree = factored_tree(game)
            engine = engine_of(tree, storage)
            fresh = engine.strategy(engine.start())
            for strategy in (fresh, minimised(game, 3, storage=storage)):
                check_locked(game, strategy)

    def test_threads_change_no_bit(self):
        tables = [minimised(LOCKED[7], 7, threads=n).weight for n in (1, 3)]
        for one, other in zip(*tables, strict=True):
            np.testing.assert_array_equal(one, other)

    @pytest.mark.seconds(3)
    def test_boards_up_to_suits(self):
        game = replace(FLOP, locks=(lock_all(FLOP, "c", c=THIRD, r2=2 * THIRD), lock_all(FLOP, "cc/", c=1)))
        values = []
        for isomorphism in (True, False):
            strategy = average(engine_of(factored_tree(game, isomorphism)), 300)
            values.append(certify_factored(game, strategy))
        assert not values[0].disjoint(values[1])
        agrees(values[0], values[1], 0.05)
        assert factored_tree(game).boards.n_boards < factored_tree(game, isomorphism=False).boards.n_boards
        for value in values:
            agrees(value, tp.solve(game).certificate, 0.05)

    def test_regrets_of_locked_hands_stay_zero(self):
        game = LOCKED[4]
        tree = factored_tree(game)
        state = iterate(engine_of(tree), 5)
        for node, share in tree.locked.items():
            player = int(tree.betting.player[node])
            start, n_actions, width = tree.rows(player, node, 0)
            regret = state.memories[player].regret[start : start + n_actions * width]
            hands = tree.boards.hands[player]
            held = share[0, hands.hand[hands.on(0)]] >= 0
            assert held.any()
            assert not regret.reshape(n_actions, width)[:, held].any()


def check_locked(game, strategy):
    tree = strategy.tree
    for node, lock in tree.betting.locks.items():
        player = int(tree.betting.player[node])
        hands, actions = (
            tree.boards.hands[player],
            [tree.betting.action[c] for c in tree.betting.children[node]],
        )
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist():
            rows = strategy.at(player, node, board)
            for hand, row in zip(hands.cards[hands.hand[hands.on(board)]].tolist(), rows, strict=True):
                if tuple(hand) in lock.play:
                    wanted = [float(lock.play[tuple(hand)].get(a, 0)) for a in actions]
                    assert row.tolist() == wanted
                assert row.sum() == pytest.approx(1, abs=1e-12)


SPOT = """
board = "Ks Th 7s 4d 2c"
pot = 100
stack = 100
ranges = ["AA,QJs:0.5,99", "KQs,T9s,AA"]
bets = [0.5, 1.0]
raises = ["a"]
"""
LOCKS = """
[[locks]]
line = "c"
play = { c = "all", r50 = "KQs,AA:0.5" }

[[locks]]
line = "r50"
play = { f = "T9s", c = "KdQd" }
"""


class TestFiles:
    """Spot files with locks."""

    def test_reading(self):
        found = parse_toml(SPOT + LOCKS, "spot")
        assert isinstance(found, Spot)
        first, second = found.game("spot").locks
        assert (first.line, second.line) == ("c", "r50")
        assert len(first.play) == 3 + 3 + 6
        ace = next(iter(parse_range("AA")))
        assert first.play[ace] == {"c": 2 * THIRD, "r50": THIRD}
        assert first.play[next(iter(parse_range("KhQh")))] == {"c": HALF, "r50": HALF}
        assert second.play[next(iter(parse_range("KdQd")))] == {"c": Fraction(1)}
        assert len(second.play) == 3 + 1

    @over(
        [
            ("locks = 3", r"spot: locks must be tables \[\[locks\]\], got 3"),
            ('[[locks]]\nline = "c"', r"locks\[0\]: play must be a range for each action .* got none"),
            ("[[locks]]\nline = 3\nplay = {c='AA'}", r"locks\[0\]: line must be text"),
            ("[[locks]]\nplay = {c='AA'}", r"line must be text such as \"cr50\", got none"),
            ("[[locks]]\nline=''\nplay = {}", "play must be a range for each action"),
            ("[[locks]]\nline=''\nplays = {}", "unknown key 'plays' in a lock; legal keys are line, play"),
            (
                "[[locks]]\nline=''\nplay={k='AA'}",
                "an action at line '' must be one of c, r50, r100, got 'k'",
            ),
            ("[[locks]]\nline=''\nplay={c='AA,KK'}", r"play\.c: 'KK' is no hand that player 0 can hold"),
            ("[[locks]]\nline='c'\nplay={c='QJs'}", r"play\.c: 'QJs' is no hand that player 1 can hold"),
            ("[[locks]]\nline=''\nplay={c='AA:-1'}", r"play\.c: a weight is a number from 0 to 1, got '-1'"),
            ("[[locks]]\nline=''\nplay={c='AA:0'}", r"play\.c: a range must leave at least one hand"),
            ("[[locks]]\nline=''\nplay={c='A'}", r"play\.c: 'A' in range entry 'A' is no hand"),
            ("[[locks]]\nline=''\nplay={c=1}", r"play\.c must be a range"),
            (
                "[[locks]]\nline=''\nplay={c='AA'}\n[[locks]]\nline=''\nplay={c='AA'}",
                "line '' must have one lock at most, got two",
            ),
        ]
    )
    def test_refused(self, locks, message):
        with pytest.raises(ValueError, match=message) as error:
            parse_toml(SPOT + locks, "spot").game("spot")
        assert "\n" not in str(error.value)

    def test_whole_hands(self):
        text = 'blinds = [1, 2]\nstack = 20\nstreets = 2\nbets = ["a"]\nraises = ["a"]\n'
        game = parse_toml(text + '[[locks]]\nline = ""\nplay = { f = "all,AA:0" }\n', "hand").game("hand")
        assert len(game.locks[0].play) == 1326 - 6

    def test_the_command_line(self, tmp_path, capsys):
        path, out = tmp_path / "spot.toml", tmp_path / "out.csv"
        path.write_text(SPOT + LOCKS)
        assert run(["solve", str(path), "--out", str(out), "--json"]) == SUCCESS
        solved = json.loads(capsys.readouterr().out)
        assert run(["check", str(path), str(out), "--json"]) == SUCCESS
        checked = json.loads(capsys.readouterr().out)
        assert checked["upper"] == pytest.approx(solved["upper"], abs=1e-9)
        rows = out.read_text().splitlines()
        assert any(row.startswith("1,AdAh|KsTh7s4d2c:c,r50,0.333333") for row in rows)
        off = [row.replace("r50,0.3333333333333333", "r50,0.1") if ":c,r50," in row else row for row in rows]
        off = [row.replace("c,0.6666666666666666", "c,0.9") if ":c,c,0.66" in row else row for row in off]
        assert off != rows
        out.write_text("\n".join(off) + "\n")
        assert run(["check", str(path), str(out)]) == BAD_INPUT
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        assert "player 1 is locked at" in message
        assert "must be 0.666667, got 0.9" in message

    def test_boards(self, tmp_path):
        path, out = tmp_path / "spot.toml", tmp_path / "out.npz"
        path.write_text(SPOT + LOCKS)
        exact = tp.solve(str(path)).certificate
        found = tp.solve(str(path), form="boards", iterations=500, storage="int16")
        agrees(found.certificate, exact, 0.5)
        tp.write(found, out)
        again = tp.check(str(path), out).certificate
        assert (again.lower, again.upper) == (found.certificate.lower, found.certificate.upper)
        path.write_text(SPOT)
        with pytest.raises(ValueError, match="of other rules"):
            tp.check(str(path), out)

    def test_the_example(self, capsys):
        game = read_toml(EXAMPLE)
        assert game.locks
        assert run(["solve", str(EXAMPLE), "--json"]) == SUCCESS
        locked = json.loads(capsys.readouterr().out)
        free = tp.solve(replace(game, locks=()))
        assert abs(locked["value"] - float(free.certificate.value)) > 0.1

    def test_pictures_show_locked_hands(self, tmp_path):
        path = tmp_path / "spot.toml"
        path.write_text(SPOT + LOCKS)
        problem = load(str(path))
        view = node_view(problem, tp.solve(problem).profile, "c")
        np.testing.assert_allclose(view.behaviour.sum(axis=1), 1)
        ace = view.hands.tolist().index(list(next(iter(parse_range("AdAh")))))
        np.testing.assert_allclose(view.behaviour[ace], [2 / 3, 1 / 3, 0])

    def test_warm_starts(self):
        problem = load(LOCKED[4])
        profile = tp.solve(problem).profile
        warm = tp.solve(problem, "cfr+", iterations=20, warm_start=profile)
        assert warm.certificate.lower <= tp.solve(problem).certificate.upper
        other = Profile(problem.whole.treeplexes, tuple(t.uniform() for t in problem.whole.treeplexes))
        with pytest.raises(ValueError, match="is locked at"):
            tp.solve(problem, "cfr+", iterations=20, warm_start=other)
        with pytest.raises(ValueError, match="is locked at"):
            tp.check(problem, other)


def test_crosscheck():
    comparison = crosscheck(LOCKED[4])
    assert comparison.passed
    assert {"lp", "lp-explicit", "cfr+", "dcfr"} <= {row.method for row in comparison.rows}
