"""Brown and Sandholm 2017, section 5: gifts add up to what was given up, and stay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_bounds import at_top, won_against
from treeplex.bench.theorems.solved_instances import TINY_LEDUC, of_case, parts, with_gifts
from treeplex.bench.theorems.solved_subgames import blueprint, solutions, subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import EstimatedGifts, Gifts, LowerBoundGifts
from treeplex.gadgets.subgame_solvers import compose
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.subgame import Subgame, terminal

SOURCE = "Brown and Sandholm 2017"
RULES: Mapping[str, Gifts] = MappingProxyType({"lower-bound": LowerBoundGifts(), "all": EstimatedGifts()})
"""Rules of gifts, by the names that instances give them."""


def _choices(piece: Subgame, top: int) -> list[tuple[int, int]]:
    """Return the opponent's infosets and sequences on the way to a top, the last first, from a history."""
    cut, tree, opponent = piece.cut, piece.cut.game.tree, piece.cut.opponent
    node, found = int(cut.roots[np.argmax(cut.root_top == top)]), []
    while node > 0:
        before = int(tree.parent[node])
        if tree.player[before] == opponent:
            found.append((int(cut.game.acting[opponent][before]), int(cut.game.last[opponent][node])))
        node = before
    return found


def _ends(piece: Subgame) -> NDArray[np.bool_]:
    """Return after which of the opponent's sequences nobody acts, wherever they are played, (S,)."""
    tree, opponent = piece.cut.game.tree, piece.cut.opponent
    ends = np.ones(piece.cut.other.treeplex.n_sequences, dtype=np.bool_)
    for decision in np.flatnonzero(tree.player >= 0).tolist():
        node, before = decision, int(tree.parent[decision])
        while before >= 0 and tree.player[before] < 0:
            node, before = before, int(tree.parent[before])
        if before >= 0 and tree.player[before] == opponent:
            ends[piece.cut.game.last[opponent][node]] = False
    return ends


def _walked(rule: str, kept: slice) -> Callable[[Subgame], Floats]:
    """Return a function to gifts at tops by the choices on the way that ``kept`` leaves, (T,)."""

    def gifts(piece: Subgame) -> Floats:
        cut, tree, q = piece.cut, piece.cut.game.tree, piece.response.q
        acting, treeplex = cut.game.acting[cut.opponent], cut.other.treeplex
        played = tree.chance_floats * piece.plan[cut.game.last[cut.defender]]
        rival = q if rule == "all" else np.where(_ends(piece), q, -np.inf)
        found = np.zeros(len(cut.tops))
        for t in np.flatnonzero(piece.live).tolist():
            for i, s in _choices(piece, t)[kept]:
                gap = float(rival[treeplex.begin[i] : treeplex.end[i]].max() - q[s])
                found[t] += max(gap, 0.0) / float(played[acting == i].sum())
        return found

    return gifts


def _same_gifts(kept: slice) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, rule = parts(instance)
        for piece in subgames(spec, seat, start):
            walked, found = _walked(rule, kept)(piece), RULES[rule].of(piece)
            for t in np.flatnonzero(piece.live).tolist():
                yield Comparison(float(found[t]), float(walked[t]), spread(spec), at_top(piece.cut, t))

    return measure


def _with_two_choices(effort: Effort) -> Iterator[Instance]:
    yield of_case((TINY_LEDUC, 1, "random:1"), "all")
    yield from with_gifts(effort, tuple(RULES), quick=6, full=60)


GIFTS_ON_THE_WAY = Theorem(
    name="gifts-on-the-way",
    plain=(
        "The gift at a top is the sum, over the opponent's choices on the way, of what another action was "
        "worth more, each divided by the reach of the infoset where the choice was made."
    ),
    tex=r"g(t) = \sum_{I'a' \sqsubset t} \max_{a \in A_z(I') \cup \{a'\}} CBV(I', a) - CBV(I', a')",
    source=f"{SOURCE}, section 5",
    relation="==",
    instances=_with_two_choices,
    measure=_same_gifts(slice(None)),
    twin=Twin("Only the last choice before the top counts.", _same_gifts(slice(1))),
)


def _paid(factor: Callable[[int], float]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of a best response that is paid gifts at tops, and of one that is not.

    Gifts are multiplied by ``factor(number of subgames)``.
    """

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, rule = parts(instance)
        pieces = subgames(spec, seat, start)
        if pieces:
            form, opponent = pieces[0].cut.game.form, pieces[0].cut.opponent
            gradient = form.gradient(opponent, pieces[0].plan)
            for piece in pieces:
                paid = factor(len(pieces)) * piece.reach * RULES[rule].of(piece)
                gradient = gradient + weighted(piece.cut.entry, paid, len(gradient))
            with_gifts = form.treeplexes[opponent].best_response(gradient).total
            yield Comparison(with_gifts, pieces[0].response.total, spread(spec))

    return measure


GIFTS_ADD_UP = Theorem(
    name="gifts-add-up",
    plain=(
        "Paid its gifts at the tops of all subgames, the opponent gains nothing against the blueprint: along "
        "any play they are together no more than what that play gave up before."
    ),
    tex=(
        r"\max_x \Big( u(x, \sigma) + \sum_S \sum_{t \in S_{top}} x_t\, w_t\, g(t) \Big) "
        r"= \max_x u(x, \sigma)"
    ),
    source=f"{SOURCE}, section 5, note 2; the form derived",
    relation="==",
    instances=lambda effort: with_gifts(effort, tuple(RULES), quick=6, full=100),
    measure=_paid(lambda count: 1.0),
    twin=Twin(
        "The same if gifts are scaled up by the number of subgames, as where they are not split.",
        _paid(float),
    ),
)


@dataclass(frozen=True)
class _Gift:
    """A lower-bound gift: the opponent's sequence, its infoset, the gift times the infoset's reach."""

    sequence: int
    infoset: int
    whole: float


def _gifts(pieces: Sequence[Subgame]) -> Iterator[_Gift]:
    """Yield the lower-bound gifts on the way to live tops of subgames."""
    first, treeplex = pieces[0], pieces[0].cut.other.treeplex
    entered = np.zeros(treeplex.n_sequences)
    for piece in pieces:
        entered += weighted(piece.cut.entry, piece.reach, treeplex.n_sequences)
    below, q = treeplex.best_response(entered).q, first.response.q
    rival = terminal(first.cut, q)
    for s in range(1, treeplex.n_sequences):
        i = int(treeplex.infoset_of[s])
        whole = float(rival[treeplex.begin[i] : treeplex.end[i]].max() - q[s])
        if whole > 0.0 and below[s] > 0.0:
            yield _Gift(s, i, whole)


def _name(piece: Subgame, gift: _Gift) -> str:
    treeplex = piece.cut.other.treeplex
    return f"{treeplex.actions[gift.sequence]} at {treeplex.infosets[gift.infoset]}"


def _kept(instance: Instance) -> Iterator[Comparison]:
    """Yield each gift, and the infoset's value after all subgames are solved less the action's before."""
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    if chosen:
        pieces = subgames(spec, seat, start)
        value = won_against(pieces[0], compose(blueprint(spec, start), chosen)).value
        for gift in _gifts(pieces):
            left = float(value[gift.infoset] - pieces[0].response.q[gift.sequence])
            yield Comparison(gift.whole, left, spread(spec), _name(pieces[0], gift))


def _kept_by_both(instance: Instance) -> Iterator[Comparison]:
    """Yield each gift on the way to a subgame, and the same difference after the others are solved."""
    spec, seat, start, method = parts(instance)
    chosen = solutions(spec, seat, start, method)
    for k, piece in enumerate(subgames(spec, seat, start)):
        others = compose(blueprint(spec, start), (*chosen[:k], *chosen[k + 1 :]))
        response = won_against(piece, others)
        for gift in _gifts((piece,)):
            left = float(response.value[gift.infoset] - response.q[gift.sequence])
            yield Comparison(gift.whole, left, spread(spec), _name(piece, gift))


GIFTS_STAY = Theorem(
    name="gifts-stay",
    plain=(
        "A lower-bound gift is measured from actions that end the game, whose values no subgame changes: "
        "after all subgames are solved the infoset is still worth the gift more than the action was."
    ),
    tex=(
        r"\lfloor g(I', a') \rfloor \le CBV^{\sigma'}(I') - CBV^{\sigma}(I', a'), \quad "
        r"\lfloor g \rfloor = \max_{a \in A_z(I') \cup \{a'\}} CBV^{\sigma}(I', a) - CBV^{\sigma}(I', a')"
    ),
    source=f"{SOURCE}, section 5; the form derived",
    relation="<=",
    instances=lambda effort: with_gifts(effort, ("reach-maxmargin", "unsafe"), quick=4, full=60),
    measure=_kept,
    equality="Where the action that ends the game stays the best.",
    erratum=(
        "Called a lower bound of the gift against the other subgames' new strategies; it is not once these "
        "have spent the same gift (Figure 4: 1/4 is left of 1/2). The theorem holds as the shares add up."
    ),
    twin=Twin("As printed: the action too is valued after the other subgames are solved.", _kept_by_both),
)

THEOREMS = (GIFTS_ON_THE_WAY, GIFTS_ADD_UP, GIFTS_STAY)
