"""Tops on betting times boards: their values and gifts are those of the enumerated game; derived."""

from collections.abc import Callable, Iterator, Sequence

from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import parts
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_subgames.board_cases import instances
from treeplex.bench.theorems_on_subgames.board_pieces import (
    board_subgames,
    enumerated_subgame,
    places_in,
)
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.seqform.subgames.subgame import Subgame


def _at_tops(of: Callable[[Subgame], Sequence[float]]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure that holds the judge's value at each top against one of the enumerated game."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, _ = parts(instance)
        for piece in board_subgames(spec, seat, start):
            same = enumerated_subgame(spec, seat, start, piece.name)
            values = of(same)
            for t, k in enumerate(places_in(piece, same).tolist()):
                if piece.live[t]:
                    at = f"{piece.tops[t]} in {piece.name}"
                    yield Comparison(float(piece.cbv[t]), float(values[k]), spread(spec), at)

    return measure


BOARD_VALUES = Theorem(
    name="board-values",
    plain="What the judge records for a hand at a public state, on betting times boards, is the hand's "
    "counterfactual best-response value in the enumerated game.",
    tex=r"V_h / w_h = CBV^{\sigma}(h)",
    source="derived",
    relation="==",
    instances=instances(("values",), quick=4, full=50),
    measure=_at_tops(lambda same: same.cbv.tolist()),
    twin=Twin(
        "It is what the hand gets if both play the blueprint.",
        _at_tops(lambda same: same.normalised(same.blueprint_value).tolist()),
    ),
)


def _gifts(lower: Callable[[BoardSubgame], Sequence[float]]) -> Callable[[Instance], Iterator[Comparison]]:
    """Return the measure of lower-bound gifts at tops on boards beside those of the enumerated game."""

    def measure(instance: Instance) -> Iterator[Comparison]:
        spec, seat, start, _ = parts(instance)
        for piece in board_subgames(spec, seat, start):
            same, given = enumerated_subgame(spec, seat, start, piece.name), lower(piece)
            for t, k in enumerate(places_in(piece, same).tolist()):
                if piece.live[t]:
                    at = f"{piece.tops[t]} in {piece.name}"
                    yield Comparison(given[t], float(same.lower_bound_gifts[k]), spread(spec), at)

    return measure


BOARD_GIFTS = Theorem(
    name="board-gifts",
    plain="What a hand gave away on the way to a subgame on boards, by not taking an action after which "
    "nobody acts, is its lower-bound gift in the enumerated game.",
    tex=r"\sum_{I \cdot a \sqsubset h} \lfloor g(I, a) \rfloor \text{ on boards} = \text{enumerated}",
    source="derived",
    relation="==",
    instances=instances(("gifts",), quick=4, full=50),
    measure=_gifts(lambda piece: piece.lower_bound_gifts.tolist()),
    twin=Twin(
        "So it is by not taking any better action.", _gifts(lambda piece: piece.estimated_gifts.tolist())
    ),
)

THEOREMS = (BOARD_VALUES, BOARD_GIFTS)
