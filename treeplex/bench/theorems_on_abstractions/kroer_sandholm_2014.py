"""Kroer and Sandholm 2014: the price of an abstraction, bounded by errors of payoffs and of chance.

The papers (Extensive-form game abstraction with bounds, EC 2014; A unified framework for extensive-form game
abstraction with bounds, NIPS 2018) bound what an equilibrium of an abstract game loses by errors of payoffs
and of the distributions of chance, summed up along the tree. Their constants were not at hand; the bound
here is of their form and derived as follows.

Let player 0's sequences be put into classes by a partition of perfect recall. ``m(s, t)`` is the probability
that chance plays what leaves of the sequences s and t need, ``u(s, t)`` their mean payoff, and M, U the same
of classes. Let the shares ``l(s)`` be at least 0, ``l(0) = 1``, and let the shares of the infosets of a
bucket that follow s sum up to ``l(s)``, which needs that every sequence of a class is followed by every
bucket that follows the class. For a plan x of the game let ``X(c)`` be the sum of ``l(s) x(s)`` over class c.
Then X is a plan of buckets: the sums over an infoset's actions are ``x(parent)``, and the shares below add
up. Against any plan y

    u(x, y) - u(X, y) = sum_{s,t} x(s) y(t) (m(s,t) u(s,t) - l(s) M(c(s),t) U(c(s),t))
        = sum_{s,t} x(s) y(t) l(s) sum_{s' in c(s)} m(s',t) (u(s,t) - u(s',t))
        + sum_{s,t} x(s) y(t) (m(s,t) - l(s) M(c(s),t)) u(s,t)

where ``u(s, t)`` may be anything for ``m(s, t) = 0``; here it is U. In the first sum the factors are the
probabilities of leaves under X and y, which add up to one: it is at most the largest difference of payoffs
in a class, the *payoff error*. The second is at most the largest payoff times the *distribution error*, the
sum of ``|m - l M|`` at the worst x and, for each of its sequences, the worst y. Let x be optimal: the best
strategy in buckets guarantees at least as much as X, hence at most both errors less than the value. The same
with both signs holds for player 1's plans; so with both players in buckets of the abstract value w, player
0's optimal plan guarantees ``w - e1``, and w is at least what player 0 guarantees in buckets against the
whole game, ``v - e0``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_abstractions.typed import Guess, typed_game, without_types
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.bench.theorems_on_games.partition_price import (
    AbstractOptimum,
    abstract_optimum,
    one_sided_optimum,
)
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree

SOURCE = "After Kroer and Sandholm, Extensive-form game abstraction with bounds, 2014; constants derived here"
NOISES = ("1/10 1/10", "1/4 0", "0 1/4", "0 0", "1 1/2")
"""How much payoffs and odds differ by type."""
GUESSING = {"payoffs by type": False, "odds by type": True}
"""Whether the other is told in :class:`Guess`, by what differs: only payoffs, or only odds, have an error."""


@dataclass(frozen=True)
class Errors:
    """How unlike the infosets of a player's buckets are.

    Attributes
    ----------
    payoff : float
        The largest difference of two payoffs of a class, for one sequence of the other player.
    distribution : float
        The probability that is misplaced, a sum of absolute differences, at the worst plan of the player and
        the worst of the other for each of its sequences.
    largest : float
        The largest payoff, in absolute value.
    """

    payoff: float
    distribution: float
    largest: float

    @property
    def total(self) -> float:
        """The bound: payoff error and largest payoff times distribution error."""
        return self.payoff + self.largest * self.distribution


def errors_of(numbered: NumberedTree, player: int, partition: Partition) -> Errors:
    """Return the errors of a player's partition of perfect recall, with shares by chance.

    Raises
    ------
    ValueError
        If a sequence of a class is not followed by a bucket that follows the class: the bound does not apply.
    """
    own, other = (numbered.form.treeplexes[p] for p in (player, 1 - player))
    mass, paid = _leaf_sums(numbered, player)
    classes = partition.sequence
    shares = _shares(numbered, player, partition)
    merged = np.zeros((int(classes.max()) + 1, other.n_sequences))
    np.add.at(merged, classes, mass)
    payoff = np.divide(paid, mass, out=np.zeros_like(paid), where=mass > 0)
    high, low = np.full_like(merged, -np.inf), np.full_like(merged, np.inf)
    np.maximum.at(high, classes, np.where(mass > 0, payoff, -np.inf))
    np.minimum.at(low, classes, np.where(mass > 0, payoff, np.inf))
    misplaced = np.abs(mass - shares[:, None] * merged[classes])
    worst = np.array([other.best_response(row).total for row in misplaced])
    return Errors(
        float(np.max(high - low, initial=0.0, where=merged > 0)),
        own.best_response(worst).total,
        float(np.abs(payoff).max()),
    )


def _leaf_sums(numbered: NumberedTree, player: int) -> tuple[Floats, Floats]:
    """Return chance's probability, and that times the payoff, of each pair of sequences, (own, other)."""
    tree, z = numbered.tree, numbered.tree.leaves
    at = numbered.last[player][z], numbered.last[1 - player][z]
    shape = tuple(numbered.form.n_sequences[p] for p in (player, 1 - player))
    mass, paid = np.zeros(shape), np.zeros(shape)
    chance = tree.chance_floats[z]
    np.add.at(mass, at, chance)
    np.add.at(paid, at, chance * (tree.payoff[z].astype(np.float64) / tree.payoff_den))
    return mass, paid


def _shares(numbered: NumberedTree, player: int, partition: Partition) -> Floats:
    """Return each sequence's share of its class, (S,): by chance's weights of the infosets of a bucket."""
    t, acting = partition.treeplex, numbered.acting[player]
    weight = np.bincount(acting[acting >= 0], numbered.tree.chance_floats[acting >= 0], t.n_infosets)
    shares, members = np.ones(t.n_sequences), np.bincount(partition.sequence)
    for b in range(partition.n_buckets):
        infosets = np.flatnonzero(partition.bucket == b)
        parents, group = np.unique(t.parent[infosets], return_inverse=True)
        if len(parents) < members[partition.sequence[parents[0]]]:
            raise BadInputError(f"the bucket of {t.infosets[infosets[0]]!r} does not follow all of its class")
        parts = weight[infosets] / np.bincount(group, weight[infosets])[group]
        for i, part in zip(infosets.tolist(), parts.tolist(), strict=True):
            shares[t.begin[i] : t.end[i]] = part * shares[t.parent[i]]
    return shares


def _with_types(effort: Effort, noises: tuple[str, ...]) -> Iterator[Instance]:
    for noise in noises:
        for seat in (0, 1):
            yield Instance("kuhn_poker", seat=seat, choice=noise)
    for game in random_games(effort, quick=4, full=30, depth=4):
        for seat in (0, 1):
            yield Instance(game.game, game.seed, seat, noises[game.seed % len(noises)])


def _all_noises(effort: Effort) -> Iterator[Instance]:
    yield from _guesses(effort)
    yield from _with_types(effort, NOISES)


def _guesses(effort: Effort) -> Iterator[Instance]:
    for guessed in GUESSING:
        for seat in (0, 1):
            yield Instance(seat=seat, choice=guessed)


def _numbered(instance: Instance, seats: tuple[int, ...]) -> NumberedTree:
    """Return an instance's game: a guess, or a game with types of some players."""
    assert instance.seat is not None
    if instance.choice in GUESSING:
        return number_tree(build_tree(Guess(instance.seat, GUESSING[instance.choice])))
    return typed_game(instance.game, seats, *instance.choice.split(), instance.seed)


def _unlike_odds(effort: Effort) -> Iterator[Instance]:
    return _with_types(effort, ("0 9/10",))


def _one_sided(instance: Instance) -> tuple[float, float, Errors]:
    """Return what the best strategy without types loses, the game's spread of payoffs, and the errors."""
    assert instance.seat is not None
    seat = instance.seat
    numbered = _numbered(instance, (seat,))
    partition = without_types(numbered, seat)
    value = rational_optimum(numbered.form).value
    price = one_sided_optimum(numbered.form, seat, partition).exploitability(seat, value)
    return float(price), _unit(numbered), errors_of(numbered, seat, partition)


def _unit(numbered: NumberedTree) -> float:
    return 2.0 * numbered.form.stakes[1] or 1.0


def _price_by_errors(instance: Instance) -> Iterator[Comparison]:
    price, unit, errors = _one_sided(instance)
    yield Comparison(price, errors.total, unit)


def _price_by_half(instance: Instance) -> Iterator[Comparison]:
    price, unit, errors = _one_sided(instance)
    yield Comparison(price, errors.total / 2, unit)


PRICE_BY_ERRORS = Theorem(
    name="errors-bound-the-price",
    plain="With one player in buckets of perfect recall, the best strategy in buckets loses at most the "
    "payoff error and the largest payoff times the distribution error of the buckets.",
    tex=r"v - v(G / P_i) \le \varepsilon^R_i + W \varepsilon^0_i",
    source=SOURCE,
    relation="<=",
    instances=_all_noises,
    measure=_price_by_errors,
    equality="Where infosets of a bucket are copies of each other, and where a type is guessed of which the "
    "other is told.",
    twin=Twin("It loses at most half of either.", _price_by_half, _guesses),
)


def _both_in_buckets(instance: Instance) -> tuple[AbstractOptimum, NumberedTree, tuple[Errors, Errors]]:
    numbered = _numbered(instance, (0, 1))
    partitions = without_types(numbered, 0), without_types(numbered, 1)
    first, second = (errors_of(numbered, seat, partitions[seat]) for seat in (0, 1))
    return abstract_optimum(numbered.form, partitions), numbered, (first, second)


def _exploitabilities(instance: Instance) -> Iterator[Comparison]:
    found, numbered, errors = _both_in_buckets(instance)
    value = rational_optimum(numbered.form).value
    assert instance.seat is not None
    conceded = float(found.exploitability(instance.seat, value))
    yield Comparison(conceded, errors[0].total + errors[1].total, _unit(numbered))


def _own_errors_alone(instance: Instance) -> Iterator[Comparison]:
    """Compare what a player without types concedes, the other in buckets, with its own errors: none."""
    assert instance.seat is not None
    seat = instance.seat
    numbered = typed_game(instance.game, (1 - seat,), *instance.choice.split(), instance.seed)
    found = one_sided_optimum(numbered.form, 1 - seat, without_types(numbered, 1 - seat))
    conceded = found.exploitability(seat, rational_optimum(numbered.form).value)
    yield Comparison(float(conceded), 0.0, _unit(numbered))


EQUILIBRIUM_BY_ERRORS = Theorem(
    name="errors-bound-exploitability",
    plain="An optimum of the game with both players in buckets of perfect recall is no more exploitable, in "
    "the whole game, than the errors of both players' buckets.",
    tex=r"v - \min_y u(\mathrm{lift}(x'), y) \le \sum_i \varepsilon^R_i + W \varepsilon^0_i",
    source=SOURCE,
    relation="<=",
    instances=_all_noises,
    measure=_exploitabilities,
    equality="Where infosets of a bucket are copies of each other.",
    twin=Twin(
        "A player's own errors bound what it concedes; a player who is not in buckets concedes nothing.",
        _own_errors_alone,
        _unlike_odds,
    ),
)

THEOREMS = (PRICE_BY_ERRORS, EQUILIBRIUM_BY_ERRORS)
