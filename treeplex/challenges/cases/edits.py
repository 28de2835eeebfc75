"""Edits that make a case smaller or simpler; each kind ends, as it lowers a count or the size of a number."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from treeplex.challenges.cases.case import Case, played
from treeplex.challenges.cases.tree import Node, kept, leaf
from treeplex.games.protocol import CHANCE, TERMINAL

Edit = Callable[[Case], Iterator[Case]]
"""Yields the cases to which one kind of step leads."""
COARSER = (1, 2, 3, 4, 6)
"""Denominators that are tried for probabilities and payoffs."""


def without_strategies(case: Case) -> Iterator[Case]:
    """Yield cases with one of several strategies less."""
    if len(case.strategies) > 2:
        for k in range(len(case.strategies)):
            strategies = (*case.strategies[:k], *case.strategies[k + 1 :])
            weights = _to_one((*case.weights[:k], *case.weights[k + 1 :]))
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
            yield _exchanged(case, node, leaf(node, payoff))


def without_actions(case: Case) -> Iterator[Case]:
    """Yield cases with one action of an infoset less."""
    for (player, key), moves in _menus(case).items():
        if len(moves) > 1:
            for rest in _all_but_one(moves):
                yield _at(case, player, key, partial(kept, moves=rest))


def without_outcomes(case: Case) -> Iterator[Case]:
    """Yield cases with one outcome of chance less."""
    for node in _chance_nodes(case):
        if len(node.moves) > 1:
            for rest in _all_but_one(node.moves):
                yield _exchanged(case, node, kept(node, rest))


def without_forced_moves(case: Case) -> Iterator[Case]:
    """Yield cases without an infoset or a chance node of one move."""
    for (player, key), moves in _menus(case).items():
        if len(moves) == 1:
            yield _at(case, player, key, _only)
    for node in _chance_nodes(case):
        if len(node.moves) == 1:
            yield _exchanged(case, node, _only(node))


def without_second_chances(case: Case) -> Iterator[Case]:
    """Yield cases in which two chance moves, one right after the other, are one."""
    for node in _chance_nodes(case):
        for k, below in enumerate(node.below):
            if below.player == CHANCE and not node.subgame and not below.subgame:
                yield _exchanged(case, node, _merged(node, k))


def simpler_weights(case: Case) -> Iterator[Case]:
    """Yield cases with the weights of the strategies equal, or of smaller denominators."""
    for weights in _simpler_odds(case.weights, pure=False):
        yield replace(case, weights=weights)


def simpler_strategies(case: Case) -> Iterator[Case]:
    """Yield cases with a strategy pure, uniform or of smaller denominators at one infoset."""
    menus = _menus(case)
    for k, strategy in enumerate(case.strategies):
        for (player, key), moves in menus.items():
            for odds in _simpler_odds(played(strategy, player, key, moves), pure=True):
                changed = {**strategy, (player, key): dict(zip(moves, odds, strict=True))}
                strategies = (*case.strategies[:k], changed, *case.strategies[k + 1 :])
                yield replace(case, strategies=strategies)


def simpler_chance(case: Case) -> Iterator[Case]:
    """Yield cases with the weights of one chance node equal, or of smaller denominators."""
    for node in _chance_nodes(case):
        for weights in _simpler_odds(node.weights, pure=False):
            yield _exchanged(case, node, replace(node, weights=weights))


def simpler_payoffs(case: Case) -> Iterator[Case]:
    """Yield cases with simpler payoffs: all rounded to integers, then one after the other."""
    paid = [node for node in case.root.histories() if node.player == TERMINAL]
    if any(node.payoff.denominator > 1 for node in paid):
        yield replace(case, root=case.root.rewritten(_rounded))
    for node in paid:
        for payoff in _simpler_numbers(node.payoff):
            yield _exchanged(case, node, replace(node, payoff=payoff))


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

    def rename(node: Node) -> Node:
        return replace(node, known=(names[0][node.known[0]], names[1][node.known[1]]))

    strategies = tuple(
        {(p, names[p][key]): row for (p, key), row in strategy.items()} for strategy in case.strategies
    )
    yield replace(case, root=case.root.rewritten(rename), strategies=strategies)


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


def _size(node: Node) -> int:
    return sum(1 for _ in node.histories())


def _mean(node: Node) -> Fraction:
    """Return the mean payoff below a history if all its moves are equally likely."""
    if node.player == TERMINAL:
        return node.payoff
    return sum(map(_mean, node.below), Fraction(0)) / len(node.below)


def _menus(case: Case) -> dict[tuple[int, str], tuple[str, ...]]:
    """Return the actions of each infoset, by player and key."""
    return {
        (node.player, node.known[node.player]): node.moves
        for node in case.root.histories()
        if node.player in (0, 1)
    }


def _exchanged(case: Case, old: Node, new: Node) -> Case:
    return replace(case, root=case.root.exchanged(old, new))


def _at(case: Case, player: int, key: str, rule: Callable[[Node], Node]) -> Case:
    """Return the case with a rule applied to each history of an infoset."""

    def apply(node: Node) -> Node:
        return rule(node) if node.player == player and node.known[player] == key else node

    return replace(case, root=case.root.rewritten(apply))


def _chance_nodes(case: Case) -> list[Node]:
    return [node for node in case.root.histories() if node.player == CHANCE]


def _all_but_one(moves: Sequence[str]) -> Iterator[list[int]]:
    for k in range(len(moves)):
        yield [n for n in range(len(moves)) if n != k]


def _unmarked(node: Node, number: int) -> Node:
    return replace(node, subgame=0) if node.subgame == number else node


def _rounded(node: Node) -> Node:
    return replace(node, payoff=Fraction(round(node.payoff))) if node.player == TERMINAL else node


def _only(node: Node) -> Node:
    """Return what follows a forced move; a subgame that begins with the move begins after it."""
    below = node.below[0]
    return replace(below, subgame=node.subgame or below.subgame)


def _merged(node: Node, k: int) -> Node:
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
            found.append(_to_one(near))
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


def _to_one(odds: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return odds divided by their sum; equal ones where that is 0."""
    total = sum(odds, Fraction(0))
    return tuple(one / total if total else Fraction(1, len(odds)) for one in odds)
