"""Steps that make the numbers and names of a case simpler; each lowers the size of a number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from treeplex.bench.challenges.case import Case, played
from treeplex.bench.challenges.case_tree import CaseNode
from treeplex.games.base.protocol import TERMINAL

COARSER = (1, 2, 3, 4, 6)
"""Denominators that are tried for probabilities and payoffs."""


def simpler_weights(case: Case) -> Iterator[Case]:
    """Yield cases with the weights of the strategies equal, or of smaller denominators."""
    for weights in _simpler_odds(case.weights, pure=False):
        yield replace(case, weights=weights)


def simpler_strategies(case: Case) -> Iterator[Case]:
    """Yield cases with a strategy pure, uniform or of smaller denominators at one infoset."""
    menus = case.menus
    for k, strategy in enumerate(case.strategies):
        for (player, key), moves in menus.items():
            for odds in _simpler_odds(played(strategy, player, key, moves), pure=True):
                changed = {**strategy, (player, key): dict(zip(moves, odds, strict=True))}
                strategies = (*case.strategies[:k], changed, *case.strategies[k + 1 :])
                yield replace(case, strategies=strategies)


def simpler_chance(case: Case) -> Iterator[Case]:
    """Yield cases with the weights of one chance node equal, or of smaller denominators."""
    for node in case.chance_nodes:
        for weights in _simpler_odds(node.weights, pure=False):
            yield case.exchanged(node, replace(node, weights=weights))


def simpler_payoffs(case: Case) -> Iterator[Case]:
    """Yield cases with simpler payoffs: all rounded to integers, then one after the other."""
    paid = [node for node in case.root.histories() if node.player == TERMINAL]
    if any(node.payoff.denominator > 1 for node in paid):
        yield replace(case, root=case.root.rewritten(_rounded))
    for node in paid:
        for payoff in _simpler_numbers(node.payoff):
            yield case.exchanged(node, replace(node, payoff=payoff))


def plain_keys(case: Case) -> Iterator[Case]:
    """Yield the case with keys A1, A2, ... and B1, B2, ..., if they are those of a random game.

    Such keys list observations of moves, many of which are gone.
    """
    histories = list(case.root.histories())
    if not all(key.startswith(":") for node in histories for key in node.known):
        return
    names = []
    for p, letter in enumerate("AB"):
        acting_first = sorted(histories, key=lambda node: node.player != p)
        keys = dict.fromkeys(node.known[p] for node in acting_first)
        names.append({key: f"{letter}{n}" for n, key in enumerate(keys, 1)})

    def rename(node: CaseNode) -> CaseNode:
        return replace(node, known=(names[0][node.known[0]], names[1][node.known[1]]))

    strategies = tuple(
        {(p, names[p][key]): row for (p, key), row in strategy.items()} for strategy in case.strategies
    )
    yield replace(case, root=case.root.rewritten(rename), strategies=strategies)


def to_one(odds: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return odds divided by their sum; equal ones where that is 0."""
    total = sum(odds, Fraction(0))
    return tuple(one / total if total else Fraction(1, len(odds)) for one in odds)


def _rounded(node: CaseNode) -> CaseNode:
    return replace(node, payoff=Fraction(round(node.payoff))) if node.player == TERMINAL else node


def _simpler_odds(odds: Sequence[Fraction], *, pure: bool) -> Iterator[tuple[Fraction, ...]]:
    """Yield simpler distributions: pure ones, the uniform one, those of smaller denominators."""
    size, n = _spelling(odds), len(odds)
    found: list[tuple[Fraction, ...]] = []
    if pure:
        found += [tuple(Fraction(int(m == k)) for m in range(n)) for k in range(n) if odds[k]]
    if n:
        found.append((Fraction(1, n),) * n)
    for den in COARSER[1:]:
        near = [Fraction(round(one * den), den) for one in odds]
        if all(near) or pure:
            found.append(to_one(near))
    for one in dict.fromkeys(found):
        if _spelling(one) < size:
            yield one


def _spelling(odds: Sequence[Fraction]) -> tuple[int, int]:
    """Return how much it takes to write a distribution: its largest denominator, and how many are not 0."""
    return max((one.denominator for one in odds), default=1), sum(one != 0 for one in odds)


def _simpler_numbers(number: Fraction) -> Iterator[Fraction]:
    """Yield simpler numbers: 0, then nearby ones of small denominators, then half."""
    size = abs(number.numerator) + number.denominator
    near = [Fraction(round(number * den), den) for den in COARSER]
    for one in dict.fromkeys((Fraction(0), *near, Fraction(round(number / 2)), number - 1, number + 1)):
        if abs(one.numerator) + one.denominator < size:
            yield one
