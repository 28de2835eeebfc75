"""Brown and Sandholm 2017, Safe and nested subgame solving: gifts, Reach subgame solving and Theorem 1."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from treeplex.gadgets.core.gifts import EstimatedGifts, Gifts, LowerBoundGifts, terminal
from treeplex.gadgets.solving.composition import compose
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import spread
from treeplex.theorems.subgames.solved.bounds import Entered, entered_tops, won_against
from treeplex.theorems.subgames.solved.by_name import blueprint, solutions, subgames
from treeplex.theorems.subgames.solved.instances import instances, of_case, parts
from treeplex.theorems.subgames.solved.measures import safe, unsafe
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

SOURCE = "Brown and Sandholm 2017"


def _weighted_by(weight: Callable[[Entered], float]) -> Callable[[Instance], Iterator[Comparison]]:
    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, method = parts(instance)
        chosen = solutions(spec, seat, start, method)
        for top in entered_tops(chosen) if chosen else ():
            if top.taken:
                right = top.without - weight(top) * top.gained / top.reach
                yield Comparison(top.composed, right, spread(spec), top.at)

    return measure


def _printed_weight(top: Entered) -> float:
    """Return the opponent's own reach, once for each history of the top."""
    subgame = top.subgame
    histories = int(np.count_nonzero(subgame.cut.root_top == top.top))
    return histories * float(subgame.opponent_reach[top.top])


def _entered(effort: Effort) -> Iterator[Instance]:
    methods = effort.choose(
        ("reach-maxmargin", "reach-lexicographic", "resolve"), ("reach-resolve", "maxmargin")
    )
    yield from instances(effort, methods, quick=3, full=40)


def _played(effort: Effort) -> Iterator[Instance]:
    """Yield Coin Toss with player 0 always playing: the printed weight is 1 there, the right one a half."""
    yield of_case(("coin_toss", 1, "guess:1/2,1/4,1/4:1,1"), "reach-maxmargin")
    yield from instances(effort, ("reach-maxmargin",), quick=2, full=20)


REACH_MARGIN = Theorem(
    name="reach-margin",
    plain=(
        "Subgames solved again with lower-bound gifts: where a best response to the composed strategy enters "
        "a subgame, it concedes less than with the blueprint in that subgame by reach times margin at least."
    ),
    tex=(
        r"\exp(\sigma'_2) \le \exp(\sigma_2^{-S}) - \sum_{h \in I_1} \pi_{-1}^{\sigma_2}(h)\,"
        r"M_r^{\sigma^S}(I_1)"
    ),
    source=f"{SOURCE}, Theorem 1",
    relation="<=",
    instances=_entered,
    measure=_weighted_by(lambda top: top.reach),
    equality="Coin Toss of Figure 2: 1/4 = 1/2 - 1/2 * 1/2; at many tops of Leduc poker.",
    erratum=(
        "Printed with the opponent's own reach, which the defender's strategy does not determine; it must be "
        "the reach of chance and the defender."
    ),
    twin=Twin(
        "The inequality as printed, with the opponent's own reach under its blueprint as the weight.",
        _weighted_by(_printed_weight),
        _played,
    ),
)


REACH_SAFETY = Theorem(
    name="reach-safety",
    plain=(
        "Subgames solved again with lower-bound gifts give the opponent at no top more than the blueprint "
        "and the gift, and the composed strategy concedes no more than the blueprint."
    ),
    tex=(
        r"V'_t \le w_t \big( CBV^{\sigma}(t) + \lfloor g(t) \rfloor \big), \qquad "
        r"\exp(\sigma') \le \exp(\sigma)"
    ),
    source=f"{SOURCE}, section 5",
    relation="<=",
    instances=lambda effort: instances(effort, ("reach-resolve", "reach-maxmargin"), quick=3, full=50),
    measure=safe,
    equality="From an equilibrium, and at tops whose constraint binds.",
    twin=Twin(
        "The same with three times the gifts.",
        unsafe,
        lambda effort: instances(effort, ("triple-reach-resolve",), quick=1, full=20),
    ),
)


def _tripled(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 1, "cfr+:3"), "triple-gifts-maxmargin")
    yield from instances(effort, ("triple-gifts-resolve",), quick=1, full=20)


ALL_GIFTS_SAFETY = Theorem(
    name="all-gifts-safety",
    plain=(
        "With gifts of all actions, as the blueprint has them, the composed strategy is as safe: only that "
        "every margin is an improvement is no longer promised."
    ),
    tex=r"g(I', a') \le CBV^{\sigma}(I') - CBV^{\sigma}(I', a') \Rightarrow \exp(\sigma') \le \exp(\sigma)",
    source=f"{SOURCE}, section 5",
    relation="<=",
    instances=lambda effort: instances(
        effort, ("all-gifts-resolve", "all-gifts-maxmargin"), quick=2, full=40
    ),
    measure=safe,
    equality="From an equilibrium, and at tops whose constraint binds.",
    twin=Twin("The same with three times the gifts of all actions.", unsafe, _tripled),
)
RULES: Mapping[str, Gifts] = MappingProxyType({"lower-bound": LowerBoundGifts(), "all": EstimatedGifts()})
"""Rules of gifts, by the names that instances give them."""


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
    instances=lambda effort: instances(effort, tuple(RULES), quick=6, full=100),
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
    rival = terminal(first, q)
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
    source=f"{SOURCE}, section 5.1; the form derived",
    relation="<=",
    instances=lambda effort: instances(effort, ("reach-maxmargin", "unsafe"), quick=4, full=60),
    measure=_kept,
    equality="Where the action that ends the game stays the best.",
    erratum=(
        "Called a lower bound of the gift against the other subgames' new strategies; it is not once these "
        "have spent the same gift (Figure 4: 1/4 is left of 1/2). The theorem holds as the shares add up."
    ),
    twin=Twin("As printed: the action too is valued after the other subgames are solved.", _kept_by_both),
)

THEOREMS = (REACH_MARGIN, REACH_SAFETY, ALL_GIFTS_SAFETY, GIFTS_ADD_UP, GIFTS_STAY)
