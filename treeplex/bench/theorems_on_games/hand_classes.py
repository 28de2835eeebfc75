"""Grohe, Kersting, Mladenov and Selman 2014: equitable partitions of programs, here of hands and of suits."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker, problem, random_behaviour, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Range
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.lp_solution import LPSolution, solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.reductions.hand_classes import MergedTree, merge_hands
from treeplex.seqform.trees.public_tree import PublicTree, compile_public

SOURCE = "Grohe, Kersting, Mladenov and Selman, Dimension reduction via colour refinement, 2014"
FLUSHES = 'small_holdem(board="As Ks Qs Qh Th",ranks=5,suits=4,ranges=["JT,JJ,AJ","JT,AK,TT"])'
"""Spades make flushes, other suits do not."""
NO_FLUSH = 'small_holdem(board="Ah Kd Qs Jh 9d",ranks=6,suits=4,ranges=["T9s,99:0.5","T9o,A9:1/3,99"])'
SHORT = 'small_holdem(board="Ah Kd Qs Qc Th",ranks=5,suits=4,ranges=["JJ,AK:0.25","AK,QJ,AT:0.1"])'


def _rivers(effort: Effort) -> Iterator[Instance]:
    more = (
        'small_holdem(board="Ah Kd Qs Jh 9d",ranks=6,suits=3,ranges=["T9,AQ","KT,99"])',
        'small_holdem(board="Ah Kh Qs Jh 9h",ranks=6,suits=4,ranges=["T9,AQ,99","KT,99"])',
    )
    for spec in effort.choose((FLUSHES, NO_FLUSH, SHORT), more):
        for seat in (0, 1):
            yield Instance(spec, effort.seed, seat)


@lru_cache(16)
def _tree(spec: str) -> PublicTree:
    tree = problem(spec).tree
    if tree is None:
        raise BadInputError(f"hands are merged in poker games, got {spec}")
    return tree


@lru_cache(16)
def _merged(spec: str) -> MergedTree:
    return merge_hands(_tree(spec))


@lru_cache(16)
def _form(spec: str) -> SequenceForm:
    return sequence_form(_tree(spec))


@lru_cache(16)
def _optimum(spec: str) -> LPSolution:
    return solve_lp(_form(spec))


def _mean_over_classes(tree: PublicTree, t: Treeplex, plan: Floats, classes: dict[str, Hashable]) -> Floats:
    """Return the plan (S,) that plays at each public node, for every hand of a class, the mean of theirs."""
    groups = defaultdict[Hashable, list[int]](list)
    for s in range(1, t.n_sequences):
        hand, public = t.infosets[t.infoset_of[s]].split(tree.joiner, 1)
        groups[classes[hand], public, t.actions[s]].append(s)
    mean = plan.copy()
    for sequences in groups.values():
        mean[sequences] = np.mean(plan[sequences])
    return mean


def _averaged(instance: Instance, classes: dict[str, Hashable]) -> Comparison:
    """Compare what an optimal plan guarantees after averaging over classes with what it did before."""
    assert instance.seat is not None
    seat, form, optimum = instance.seat, _form(instance.game), _optimum(instance.game)
    plan = optimum.profile.plans[seat]
    mean = _mean_over_classes(_tree(instance.game), form.treeplexes[seat], plan, classes)
    after, before = (-form.best_response(1 - seat, p).total for p in (mean, plan))
    return Comparison(after, before, spread(instance.game))


def _over_classes(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    numbers = _merged(instance.game).class_of[instance.seat].tolist()
    hands = _tree(instance.game).hands[instance.seat]
    yield _averaged(instance, dict(zip(hands, numbers, strict=True)))


def _over_ranks(instance: Instance) -> Iterator[Comparison]:
    assert instance.seat is not None
    hands = _tree(instance.game).hands[instance.seat]
    yield _averaged(instance, {hand: frozenset((hand[0], hand[2])) for hand in hands})


CLASSES_STAY_OPTIMAL = Theorem(
    name="averages-over-hand-classes-stay-optimal",
    plain="An optimal plan still guarantees the value when each hand plays the mean over its class of the "
    "coarsest equitable partition.",
    tex=r"\min_y \bar x^\top A y = v, \quad \bar x_{(h,s)} = \frac1{|C(h)|} \sum_{h' \in C(h)} x_{(h',s)}",
    source=f"{SOURCE}; hands of poker as Waugh 2013",
    relation="==",
    instances=_rivers,
    measure=_over_classes,
    twin=Twin("So it does with all hands of the same two ranks merged, on every board.", _over_ranks),
)


def _lifted_profiles(instance: Instance) -> Iterator[Comparison]:
    merged, tree = _merged(instance.game), _tree(instance.game)
    whole, small = _form(instance.game), sequence_form(merged.tree)
    rng = np.random.default_rng(instance.seed)
    for player, t in enumerate(small.treeplexes):
        behaviour = random_behaviour(t, rng)
        lifted = whole.treeplexes[player].plan(behaviour[merged.sequences(tree, player)])
        in_classes = small.best_response(1 - player, t.plan(behaviour)).total
        in_hands = whole.best_response(1 - player, lifted).total
        yield Comparison(in_classes, in_hands, spread(instance.game), f"player {1 - player}'s best response")


def _values(instance: Instance) -> Iterator[Comparison]:
    yield from _lifted_profiles(instance)
    forms: Sequence[SequenceForm] = (sequence_form(_merged(instance.game).tree), _form(instance.game))
    merged, whole = (float(rational_optimum(form).value) for form in forms)
    yield Comparison(merged, whole, spread(instance.game), "value of the game")


def _left_over(effort: Effort) -> Iterator[Instance]:
    for spec in (FLUSHES, SHORT):
        yield Instance(spec)


def _representatives(game: PokerGame, merged: PublicTree, player: int) -> Range:
    """Return the part of a player's range that gives the classes of hands their names."""
    names = set(merged.hands[player])
    return {hand: weight for hand, weight in game.reach[player].items() if game.hand_label(hand) in names}


def _one_of_each_class(instance: Instance) -> Iterator[Comparison]:
    game, merged = poker(instance.game), _merged(instance.game).tree
    ranges = (_representatives(game, merged, 0), _representatives(game, merged, 1))
    fewer = sequence_form(compile_public(replace(game, ranges=ranges)))
    left, right = (float(rational_optimum(form).value) for form in (fewer, _form(instance.game)))
    yield Comparison(left, right, spread(instance.game), "value of the game")


def _suits(effort: Effort) -> Iterator[Instance]:
    quick = ("raises=1", "ranks=2")
    for keys in effort.choose(quick, ("raises=2", "ranks=4,raises=1", "suits=3,raises=1")):
        yield Instance(f"leduc_poker({keys})", choice=f"leduc_poker({keys},suits_visible=true)")


def _merged_suits(instance: Instance) -> Iterator[Comparison]:
    hidden, seen = (rational_optimum(_form(spec)).value for spec in (instance.game, instance.choice))
    yield Comparison(hidden, seen)


def _other_ranks(effort: Effort) -> Iterator[Instance]:
    yield Instance("leduc_poker(ranks=2,raises=1)", choice="leduc_poker(raises=1)")


MERGED_HANDS = Theorem(
    name="merged-hands-lose-nothing",
    plain="The game with merged hands has the value of the whole game, and best responses to plans of "
    "classes earn the same in both.",
    tex=r"v(G / {\sim}) = v(G)",
    source=f"{SOURCE}; hands of poker as Waugh 2013",
    relation="==",
    instances=_rivers,
    measure=_values,
    twin=Twin("So has the game in which one hand of each class is left.", _one_of_each_class, _left_over),
)

MERGED_SUITS = Theorem(
    name="merged-suits-lose-nothing",
    plain="Where no ranking uses suits, the game in which nobody sees them has the value of the game in "
    "which all see them, as fractions.",
    tex=r"v(\text{suits hidden}) = v(\text{suits seen})",
    source="Gilpin and Sandholm, Lossless abstraction of imperfect information games, 2007",
    relation="==",
    instances=_suits,
    measure=_merged_suits,
    tolerance=0.0,
    twin=Twin("Two of three ranks may be merged as well.", _merged_suits, _other_ranks),
)

THEOREMS = (CLASSES_STAY_OPTIMAL, MERGED_HANDS, MERGED_SUITS)
