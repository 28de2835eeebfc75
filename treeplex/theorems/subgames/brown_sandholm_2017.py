"""Brown and Sandholm 2017, Safe and nested subgame solving: gifts, Reach subgame solving and Theorem 1."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.gifts import infoset_reach, terminal
from treeplex.gadgets.solving.composition import compose
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import spread
from treeplex.theorems.subgames.solved.bounds import Entered, entered_tops, won_against
from treeplex.theorems.subgames.solved.by_name import SAFE, blueprint, solutions, subgames
from treeplex.theorems.subgames.solved.instances import cases, instances, of_case, parts
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
    yield from instances(effort, tuple(SAFE), quick=3, full=40)


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


def _gifted(effort: Effort) -> Iterator[Instance]:
    methods = ("reach-resolve", "reach-maxmargin", "all-gifts-resolve", "all-gifts-maxmargin")
    yield from instances(effort, methods, quick=3, full=50)


def _tripled(effort: Effort) -> Iterator[Instance]:
    yield of_case(("kuhn_poker", 1, "cfr+:3"), "triple-gifts-maxmargin")
    yield from instances(effort, ("triple-gifts-resolve",), quick=2, full=20)


REACH_SAFETY = Theorem(
    name="reach-safety",
    plain=(
        "With gifts that are at most what the opponent gave up against the blueprint, those of terminal "
        "actions alone or of all, the composed strategy concedes no more than the blueprint."
    ),
    tex=r"g(I', a') \le CBV^{\sigma}(I') - CBV^{\sigma}(I', a') \Rightarrow \exp(\sigma') \le \exp(\sigma)",
    source=f"{SOURCE}, section 5",
    relation="<=",
    instances=_gifted,
    measure=safe,
    equality="From an equilibrium, and at tops whose constraint binds.",
    twin=Twin("The same with three times the gifts of all actions.", unsafe, _tripled),
)


def _gift_cases(effort: Effort) -> Iterator[Instance]:
    for (spec, seat, start), seed in cases(effort, quick=6, full=100):
        yield of_case((spec, seat, start), "gifts", seed)


def _below(pieces: Sequence[Subgame]) -> Floats:
    """Return, for each of the opponent's sequences, the most reach of tops below it, (S,).

    The most over what the opponent may play below; chance and the defender play as the blueprint does.
    """
    treeplex = pieces[0].cut.other.treeplex
    entered = np.zeros(treeplex.n_sequences)
    for piece in pieces:
        entered += weighted(piece.cut.entry, piece.reach, treeplex.n_sequences)
    return treeplex.best_response(entered).q


@dataclass(frozen=True)
class _Gift:
    """A lower-bound gift: the opponent's sequence, its infoset, the gift times the infoset's reach."""

    sequence: int
    infoset: int
    reach: float
    whole: float


def _gifts(pieces: Sequence[Subgame]) -> Iterator[_Gift]:
    """Yield the lower-bound gifts on the way to tops of subgames."""
    first, treeplex, most = pieces[0], pieces[0].cut.other.treeplex, _below(pieces)
    q = first.response.q
    rival = terminal(first, q)
    reach = infoset_reach(first.cut.game, first.cut.opponent, first.plan)
    for s in range(1, treeplex.n_sequences):
        i = int(treeplex.infoset_of[s])
        whole = float(rival[treeplex.begin[i] : treeplex.end[i]].max() - q[s])
        if whole > 0.0 and most[s] > 0.0:
            yield _Gift(s, i, float(reach[i]), whole)


def _together(share: Callable[[int], float]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of what tops may rise by a gift, ``share(number of subgames)`` of it each."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, _ = parts(instance)
        pieces = subgames(spec, seat, start)
        if pieces:
            most = share(len(pieces)) * _below(pieces)
            for gift in _gifts(pieces):
                taken = gift.whole / gift.reach * float(most[gift.sequence])
                yield Comparison(taken, gift.whole, spread(spec), _name(pieces[0], gift))

    return measure


def _name(piece: Subgame, gift: _Gift) -> str:
    treeplex = piece.cut.other.treeplex
    return f"{treeplex.actions[gift.sequence]} at {treeplex.infosets[gift.infoset]}"


GIFTS_ADD_UP = Theorem(
    name="gifts-add-up",
    plain=(
        "What all tops below an action are allowed to rise together, each by its reach times the gift, is at "
        "most the gift: every subgame may use it without asking the others."
    ),
    tex=r"\sum_{t \sqsupset I'a'} w_t\, g(I', a') \le w_{I'}\, g(I', a')",
    source=f"{SOURCE}, section 5, note 2",
    relation="<=",
    instances=_gift_cases,
    measure=_together(lambda count: 1.0),
    equality="Where play always goes on into a subgame, as in Coin Toss.",
    twin=Twin(
        "The same if gifts are scaled up by the number of subgames, as where they are not split.",
        _together(float),
    ),
)


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

THEOREMS = (REACH_MARGIN, REACH_SAFETY, GIFTS_ADD_UP, GIFTS_STAY)
