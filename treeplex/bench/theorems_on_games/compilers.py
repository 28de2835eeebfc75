"""Two ways to compile a poker game, to lock its hands, to judge its strategies: witnesses for each other."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium, poker, random_behaviour, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm, tree_form
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.reductions.removed_infosets import locked_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.seqform.trees.tree_arrays import TreeDeal

FLOP = 'small_holdem(board="As Kh Qs",ranks=5,suits=2,ranges=["AJ,KQ","JJ,KJ,AT"])'
THREE_SUITS = "leduc_poker(ranks=2,suits=3,raises=1)"
SUITED = 'small_holdem(board="As Ks Qs Qh",ranks=5,suits=3,ranges=["JJ,TT","JT,JJ"],bets=[1],raises=[])'
"""The board tells suits apart, both ranges do not."""
RIVER = 'small_holdem(board="As Ks Qs Qh Th",ranks=5,suits=4,ranges=["JT,JJ:1/3,AJ","JT,AK:0.5,TT"])'


def _games(effort: Effort) -> Iterator[Instance]:
    quick = (
        "kuhn_poker(ranks=5)",
        "leduc_poker(raises=1)",
        "leduc_poker(raises=1,suits_visible=true)",
        THREE_SUITS,
        RIVER,
    )
    more = ("leduc_poker", "no_limit_leduc", "rhode_island(ranks=3,suits=2,raises=1)", FLOP)
    for spec in effort.choose(quick, more):
        for seed in effort.seeds(quick=1, full=5):
            yield Instance(spec, seed)


@lru_cache(32)
def _public_form(spec: str, with_blockers: bool) -> SequenceForm:
    """Return the form of a game's public tree, with or without what shared cards exclude."""
    tree = compile_public(poker(spec))
    if not with_blockers:
        tree = replace(tree, deals=tuple(map(_without_blockers, tree.deals)))
    return sequence_form(tree, factored=False)


def _without_blockers(deal: TreeDeal) -> TreeDeal:
    first, second = (np.full_like(key, -1) for key in deal.key)
    return replace(deal, key=(first, second), same=deal.same * 0)


def _compared(instance: Instance, with_blockers: bool) -> Iterator[Comparison]:
    public, form = _public_form(instance.game, with_blockers), enumerated(instance.game).form
    rng = np.random.default_rng(instance.seed)
    first, second = (random_behaviour(t, rng) for t in form.treeplexes)
    profile = Profile(form.treeplexes, (first, second))
    # Infosets of hands that meet no hand of the other on some board are in public trees alone.
    unreached = public.treeplexes[0].uniform(), public.treeplexes[1].uniform()
    here, there = profile.transfer(public.treeplexes, unreached).plans, profile.plans
    for player in (0, 1):
        by_hands = public.best_response(player, here[1 - player]).total
        by_histories = form.best_response(player, there[1 - player]).total
        yield Comparison(by_hands, by_histories, spread(instance.game), f"player {player}'s best response")
    paid = [float(x @ f.payoff.against(0, y)) for f, (x, y) in ((public, here), (form, there))]
    yield Comparison(paid[0], paid[1], spread(instance.game), "payoff")


def _public_and_enumerated(instance: Instance) -> Iterator[Comparison]:
    yield from _compared(instance, with_blockers=True)


def _without_shared_cards(instance: Instance) -> Iterator[Comparison]:
    yield from _compared(instance, with_blockers=False)


TWO_COMPILERS = Theorem(
    name="public-trees-equal-histories",
    plain="A poker game compiled to public states with hands as vectors, and history by history from its "
    "rules, gives any two strategies the same payoff and the same best responses.",
    tex=r"\sum_{n} \sum_{g,h} W_{gh} \, x_{n,g} \, y_{n,h} \, u_n(g,h) = \sum_z \pi(z) u(z)",
    source="Johanson, Waugh, Bowling and Zinkevich 2011 (public trees); compared here",
    relation="==",
    instances=_games,
    measure=_public_and_enumerated,
    tolerance=1e-12,
    twin=Twin("So it does if hands that share a card may meet.", _without_shared_cards),
)


def _judged(effort: Effort) -> Iterator[Instance]:
    quick = ("kuhn_poker(ranks=5)", "leduc_poker(raises=1,suits_visible=true)", FLOP, SUITED, RIVER)
    more = (
        "rhode_island(ranks=3,suits=3,raises=1)",
        "flop_holdem(ranks=4,suits=2,raises=[1,1])",
        'small_holdem(board="As Ks Qs",ranks=4,suits=3,bets=[1/2,a],stack=1)',
    )
    for spec in effort.choose(quick, more):
        for choice in ("boards up to suits", "every board"):
            yield Instance(spec, effort.seed, choice=choice)


@lru_cache(32)
def _factored(spec: str, up_to_suits: bool, seed: int) -> FactoredStrategy:
    """Return random weights, many zero, at every decision of a game's betting lines times boards."""
    game, rng = poker(spec), np.random.default_rng(seed)
    tree = FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game, isomorphism=up_to_suits))
    first, second = (rng.random(int(b[-1])) * (rng.random(int(b[-1])) < 0.6) for b in tree.base)
    return FactoredStrategy(tree, (first, second))


def _by_judge(instance: Instance) -> Iterator[Comparison]:
    game, form = poker(instance.game), _public_form(instance.game, True)
    strategy = _factored(instance.game, instance.choice == "boards up to suits", instance.seed)
    found, (x, y) = certify_factored(game, strategy), profile_of(game, strategy, form).plans
    size = spread(instance.game)
    yield Comparison(float(found.value), float(x @ form.payoff.against(0, y)), size, "payoff")
    upper, lower = float(found.upper) - found.rounding, float(found.lower) + found.rounding
    yield Comparison(upper, form.best_response(0, y).total, size, "conceded")
    yield Comparison(lower, -form.best_response(1, x).total, size, "guaranteed")


def _payoff_as_guarantee(instance: Instance) -> Iterator[Comparison]:
    strategy = _factored(instance.game, instance.choice == "boards up to suits", instance.seed)
    found = certify_factored(poker(instance.game), strategy)
    yield Comparison(float(found.value), float(found.lower) + found.rounding, spread(instance.game))


TWO_JUDGES = Theorem(
    name="board-by-board-judge-equals-certificates",
    plain="Best responses board by board, each real board taken from the one that stands for it, are those "
    "of the whole game's sequence form.",
    tex=r"\max_x x^\top A y = \sum_b P(b) \sum_h V_{b,h}(y)",
    source="Waugh 2013 (boards up to suits); compared here",
    relation="==",
    instances=_judged,
    measure=_by_judge,
    tolerance=1e-12,
    twin=Twin("What strategies pay each other is what they guarantee.", _payoff_as_guarantee),
)


ALL, SOME = "all of player 1 locked", "some hands of both players locked"
HANDS = 6
"""Of each range that is drawn."""


def _locked_games(effort: Effort) -> Iterator[Instance]:
    for spec in effort.choose(("kuhn_poker",), ("kuhn_poker(ranks=5)",)):
        for seed in effort.seeds(quick=1, full=5):
            for choice in (ALL, SOME):
                yield Instance(spec, seed, choice=choice)
    for seed in effort.seeds(quick=3, full=15):
        yield Instance(_spot(seed), seed, choice=(ALL, SOME)[seed % 2])


def _spot(seed: int) -> str:
    """Return a river or a turn of hold'em on a deck of 15 cards, its board and both ranges drawn at random.

    At a seed that three divides it is a turn, on which a bet is all in.
    """
    rng = Random(seed)
    cards = rng.sample([rank + suit for rank in "AKQJT" for suit in "shd"], 15)
    turn = seed % 3 == 0
    board, left = (cards[:4], cards[4:]) if turn else (cards[:5], cards[5:])
    texts = [",".join(map("".join, rng.sample([*combinations(left, 2)], HANDS))) for _ in (0, 1)]
    menu = 'stack=2,bets=["a"],raises=[]' if turn else 'stack=4,bets=[1],raises=["a"]'
    ranges = ",".join(f'"{text}"' for text in texts)
    return f'small_holdem(board="{" ".join(board)}",ranks=5,suits=3,{menu},ranges=[{ranges}])'


def _locked(instance: Instance) -> PokerGame:
    """Return a game in which hands play random shares: all of player 1's, or half of both players' at a line.

    All but the first action may have no share.
    """
    game, rng, everything = poker(instance.game), Random(instance.seed), instance.choice == ALL
    locks, lines = [], [game.first_line]
    while lines:
        line = lines.pop()
        point = game.point(line)
        lines += point.nexts
        if not point.moves or (everything and point.player == 0):
            continue
        hands = [hand for hand in game.reach[point.player] if everything or rng.random() < 0.5]
        weights = {
            move: {hand: Fraction(w) for hand in hands if (w := rng.randrange(1 if k == 0 else 0, 4))}
            for k, move in enumerate(point.moves)
        }
        if hands:
            locks.append(Lock.of(line, weights))
    return replace(game, locks=tuple(locks))


def _node_locked(instance: Instance) -> Iterator[Comparison]:
    game = _locked(instance)
    locked = locked_form(compile_public(game))
    value = rational_optimum(locked.form).value
    yield Comparison(value, rational_optimum(tree_form(build_tree(game))).value, at="locked hands as chance")
    if instance.choice == ALL:
        first, second = (t.uniform() for t in locked.form.treeplexes)
        plan = locked.lift(Profile(locked.form.treeplexes, (first, second))).plans[1]
        best = locked.whole.best_response(0, plan).total
        yield Comparison(float(value), best, at="best response to what is locked")


def _not_locked(instance: Instance) -> Iterator[Comparison]:
    value = rational_optimum(locked_form(compile_public(_locked(instance))).form).value
    yield Comparison(float(value), float(equilibrium(instance.game).certificate.value))


LOCKED_HANDS = Theorem(
    name="locked-hands-are-chance",
    plain="A game whose locked infosets are removed, their shares multiplied into the payoffs, has the value "
    "of the game in which chance plays them; with one player locked, that of a best response.",
    tex=r"x_{(I,a)} = c_{I,a} \, x_{\mathrm{par}(I)} \Rightarrow v = \max_x x^\top A \bar y",
    source="Derived here; node locking of solvers in use",
    relation="==",
    instances=_locked_games,
    measure=_node_locked,
    tolerance=1e-12,
    twin=Twin("Locking some of a player's hands leaves the value.", _not_locked),
)

THEOREMS = (TWO_COMPILERS, TWO_JUDGES, LOCKED_HANDS)
