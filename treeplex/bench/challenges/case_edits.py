"""Steps that make a case smaller: fewer strategies, subgames, histories, actions and outcomes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from treeplex.bench.challenges.case import Case
from treeplex.bench.challenges.case_tree import CaseNode, kept, leaf
from treeplex.bench.challenges.simpler_case import (
    plain_keys,
    simpler_chance,
    simpler_payoffs,
    simpler_strategies,
    simpler_weights,
    to_one,
)
from treeplex.games.base.protocol import CHANCE, TERMINAL

Edit = Callable[[Case], Iterator[Case]]
"""Yields the cases to which one kind of step leads."""


def without_strategies(case: Case) -> Iterator[Case]:
    """Yield cases with one of several strategies less."""
    if len(case.strategies) > 2:
        for k in range(len(case.strategies)):
            strategies = (*case.strategies[:k], *case.strategies[k + 1 :])
            weights = to_one((*case.weights[:k], *case.weights[k + 1 :]))
            yield replace(case, strategies=strategies, weights=weights)


def without_subgames(case: Case) -> Iterator[Case]:
    """Yield cases in which one subgame keeps the blueprint."""
    numbers = sorted({node.subgame for node in case.root.histories()} - {0})
    if len(numbers) > 1:
        for number in numbers:
            yield replace(case, root=case.root.rewritten(partial(_unmarked, number=number)))


def leaves(case: Case) -> Iterator[Case]:
    """Yield cases with a history made a leaf, large parts first: a rounded mean of those below, or 0."""
    inner = [node for node in case.root.histories() if node.player != TERMINAL]
    for node in sorted(inner, key=lambda node: -_size(node)):
        for payoff in dict.fromkeys((Fraction(round(_mean(node))), Fraction(0))):
            yield case.exchanged(node, leaf(node, payoff))


def without_actions(case: Case) -> Iterator[Case]:
    """Yield cases with one action of an infoset less."""
    for (player, key), moves in case.menus.items():
        if len(moves) > 1:
            for rest in _all_but_one(moves):
                yield _at(case, player, key, partial(kept, moves=rest))


def without_outcomes(case: Case) -> Iterator[Case]:
    """Yield cases with one outcome of chance less."""
    for node in case.chance_nodes:
        if len(node.moves) > 1:
            for rest in _all_but_one(node.moves):
                yield case.exchanged(node, kept(node, rest))


def without_forced_moves(case: Case) -> Iterator[Case]:
    """Yield cases without an infoset or a chance node of one move."""
    for (player, key), moves in case.menus.items():
        if len(moves) == 1:
            yield _at(case, player, key, _only)
    for node in case.chance_nodes:
        if len(node.moves) == 1:
            yield case.exchanged(node, _only(node))


def without_second_chances(case: Case) -> Iterator[Case]:
    """Yield cases in which two chance moves, one right after the other, are one."""
    for node in case.chance_nodes:
        for k, below in enumerate(node.below):
            if below.player == CHANCE and not node.subgame and not below.subgame:
                yield case.exchanged(node, _merged(node, k))


EDITS: tuple[Edit, ...] = (
    without_strategies,
    without_subgames,
    leaves,
    without_actions,
    without_outcomes,
    without_forced_moves,
    without_second_chances,
    simpler_weights,
    simpler_strategies,
    simpler_chance,
    simpler_payoffs,
    plain_keys,
)
"""In the order in which they are tried: what takes most away first."""


def _size(node: CaseNode) -> int:
    return sum(1 for _ in node.histories())


def _mean(node: CaseNode) -> Fraction:
    """Return the mean payoff below a history if all its moves are equally likely."""
    if node.player == TERMINAL:
        return node.payoff
    return sum(map(_mean, node.below), Fraction(0)) / len(node.below)


def _at(case: Case, player: int, key: str, rule: Callable[[CaseNode], CaseNode]) -> Case:
    """Return the case with a rule applied to each history of an infoset."""

    def apply(node: CaseNode) -> CaseNode:
        return rule(node) if node.player == player and node.known[player] == key else node

    return replace(case, root=case.root.rewritten(apply))


def _all_but_one(moves: Sequence[str]) -> Iterator[list[int]]:
    for k in range(len(moves)):
        yield [n for n in range(len(moves)) if n != k]


def _unmarked(node: CaseNode, number: int) -> CaseNode:
    return replace(node, subgame=0) if node.subgame == number else node


def _only(node: CaseNode) -> CaseNode:
    """Return what follows a forced move; a subgame that begins with the move begins after it."""
    below = node.below[0]
    return replace(below, subgame=node.subgame or below.subgame)


def _merged(node: CaseNode, k: int) -> CaseNode:
    """Return a chance node with the outcomes of its child, a chance node too, in the child's place."""
    child = node.below[k]
    labels = tuple(f"{node.moves[k]}/{move}" for move in child.moves)
    weights = tuple(node.weights[k] * weight for weight in child.weights)
    return replace(
        node,
        moves=(*node.moves[:k], *labels, *node.moves[k + 1 :]),
        weights=(*node.weights[:k], *weights, *node.weights[k + 1 :]),
        below=(*node.below[:k], *child.below, *node.below[k + 1 :]),
    )
