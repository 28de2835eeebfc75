"""Subgames on boards solved by a gadget and composed; best responses before and after.

Which gadgets there are, and which of them promise that their error vanishes. Suits may stay merged while
subgames are solved where play and payoffs do not tell them apart.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from types import MappingProxyType

import numpy as np

from treeplex.cfr.boards.factored_cfr import MOST_THREADS
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.boards.board_subgame import (
    BoardSubgame,
    board_subgame,
    gifts_at,
    places_for_gifts,
    positions,
)
from treeplex.gadgets.distributional import Distributional
from treeplex.gadgets.drawn_distributional import DrawnDistributional
from treeplex.gadgets.gadget import Gadget, RootGadget, UndefinedError
from treeplex.gadgets.methods_by_name import (
    ESTIMATED,
    REACH,
    GadgetOptions,
    check_method,
    gadget_of,
    name_of,
)
from treeplex.gadgets.own_gadgets import OwnGadget
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.threads import run_aside
from treeplex.seqform.boards.board_conversions import unmerged
from treeplex.seqform.boards.board_tree import Hands
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_certificate import pair_weight
from treeplex.seqform.certify.board_values import Place, PlaceRecord, recorded_values
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.solving.linear_program import VALUED_SEQUENCES, solve_best
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.inputs import ALL, BoardPlace, check_defender, places_of
from treeplex.subgames.resolution import BoardResolution
from treeplex.subgames.solve_on_boards import (
    BoardLimits,
    BoardOutcome,
    compose_on_boards,
    outcome,
    report,
)

LONG = 10.0
"""From so many seconds on that are left progress says how many."""
ROOT: Place = (0, 0)
"""The first decision on the starting board."""
MOST_ITERATIONS = 1_000_000
"""Of one solve."""


@dataclass(frozen=True)
class BoardEffort:
    """How far subgames on boards are solved.

    Attributes
    ----------
    tolerance : float
        The largest error, as of ``proof.error``, at which a solution is played, in pots, big blinds or
        largest stakes; for methods that promise that it vanishes.
    width : float
        The width of the gadget's value to be proved, per unit of reach, in the same unit.
    iterations : int
        At most so many for one subgame, whatever is reached.
    threads : int
    """

    tolerance: float = 1e-4
    width: float = 1e-3
    iterations: int = 2_000
    threads: int = 1

    def __post_init__(self) -> None:
        for name, value in (("tolerance", self.tolerance), ("width", self.width)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number, got {value!r}")
            if not 0.0 <= value < inf:
                raise BadInputError(f"{name} must be at least 0 and finite, got {value}")
        check_integer("iterations", self.iterations, 1, MOST_ITERATIONS)
        check_integer("threads", self.threads, 1, MOST_THREADS)


def resolve_on_boards(
    problem: Problem,
    defender: int,
    at: str | Sequence[str] = ALL,
    method: str | Gadget = "resolve",
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    options: GadgetOptions | None = None,
    effort: BoardEffort | None = None,
    progress: Progress = silent,
) -> BoardResolution:
    """Solve subgames of a strategy on boards again with all hands, and measure what that does.

    Parameters
    ----------
    problem : Problem
        Of a poker game of one or two hole cards, no hands locked.
    defender, at, method, missing, options, progress
        As for :func:`treeplex.resolve`; ``at`` as :func:`treeplex.subgames.inputs.places_of` takes it.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        As :func:`treeplex.subgames.blueprints.blueprint_on_boards` takes it.
    effort : BoardEffort, optional

    Raises
    ------
    ValueError
        If the game is no such game or too large, or a public state, method or blueprint is unknown or does
        not fit.
    """
    check_defender(defender)
    check_board_method(method, options)
    effort = BoardEffort() if effort is None else effort
    start = blueprint_on_boards(
        problem, blueprint, missing=missing, threads=effort.threads, progress=progress
    )
    value = _value(problem, progress)
    clock = time.perf_counter()
    if not plays_suits_alike(start):
        start = unmerged(start, problem.boards(isomorphism=False))
    judged = _Judged.of(start, defender, at, progress)
    gadget = board_gadget(method, options)
    if not all(pays_suits_alike(subgame, gadget) for subgame in judged.subgames):
        start = unmerged(start, problem.boards(isomorphism=False))
        judged = _Judged.of(start, defender, at, progress)
    game, pairs, subgames = start.tree.game, float(pair_weight(start.tree.game)), judged.subgames
    outcomes = _solved(subgames, gadget, promises(method, options), effort, problem.unit_size, progress)
    composed = compose_on_boards(start, outcomes)
    before = after = judged.best_response
    if composed is not start:
        after = _best_response(_records(composed, {ROOT}, progress)[ROOT], 1 - defender) / pairs
    return BoardResolution(
        game=game.name,
        unit=game.unit,
        size=problem.unit_size,
        method=name_of(method),
        defender=defender,
        subgames=tuple(subgame.name for subgame in subgames),
        solved=tuple(one.solved for one in outcomes if one.solved is not None),
        tops=tuple(top for one in outcomes for top in report(one, pairs)),
        kept=MappingProxyType({one.subgame.name: one.kept for one in outcomes if one.kept}),
        promised=promises(method, options),
        tolerance=effort.tolerance,
        best_response_before=before,
        best_response_after=after,
        value=value,
        error=sum(one.solved.error for one in outcomes if one.solved is not None and not one.kept),
        strategy=composed,
        seconds=time.perf_counter() - clock,
        parameters=MappingProxyType(
            {"at": at, "blueprint": blueprint, "options": options or GadgetOptions(), "missing": missing}
        ),
    )


@dataclass(frozen=True)
class _Judged:
    """What one walk of the judge finds of a blueprint: its subgames, and the opponent's best response."""

    subgames: tuple[BoardSubgame, ...]
    best_response: float

    @staticmethod
    def of(start: FactoredStrategy, defender: int, at: str | Sequence[str], progress: Progress) -> "_Judged":
        """Judge a blueprint at the places that ``at`` names."""
        tree, opponent = start.tree, 1 - defender
        places = places_of(tree, defender, at)
        wanted = {ROOT, *(place.at for place in places)}
        for place in places:
            wanted.update(places_for_gifts(tree, opponent, place.at))
        records = _records(start, wanted, progress)
        return _Judged(
            tuple(_subgame(start, defender, place, records) for place in places),
            _best_response(records[ROOT], opponent) / float(pair_weight(tree.game)),
        )


def _records(strategy: FactoredStrategy, places: set[Place], progress: Progress) -> dict[Place, PlaceRecord]:
    return run_aside(
        partial(recorded_values, strategy.tree.game, strategy, places),
        look=lambda: progress("best responses on every board", inf),
    )


def _value(problem: Problem, progress: Progress) -> float | None:
    """Return the value of a game that is solved in a moment."""
    if sum(problem.sizes.sequences) > VALUED_SEQUENCES:
        return None
    progress("solving the game", inf)
    certificate = solve_best(problem, progress).certificate
    return None if certificate is None else float(certificate.value)


def _subgame(
    start: FactoredStrategy, defender: int, place: BoardPlace, records: dict[Place, PlaceRecord]
) -> BoardSubgame:
    subtree = Subtree.of(start.tree, place.node, place.board.image)
    order = positions(subtree, 1 - defender)
    lower, estimated = gifts_at(start.tree, 1 - defender, place.at, records)
    gifts = lower[order], estimated[order]
    return board_subgame(subtree, start, defender, records[place.at], gifts, place.board)


def _solved(
    subgames: Sequence[BoardSubgame],
    gadget: RootGadget,
    promised: bool,
    effort: BoardEffort,
    size: float,
    progress: Progress,
) -> list[BoardOutcome]:
    pairs = float(pair_weight(subgames[0].subtree.whole.game))
    allowed = effort.tolerance * size if promised else inf
    limits = BoardLimits(
        iterations=effort.iterations,
        width=effort.width * size,
        error=allowed * pairs,
        threads=effort.threads,
    )
    found: list[BoardOutcome] = []
    clock = time.perf_counter()

    def tell(stage: str, width: float) -> None:
        left = (time.perf_counter() - clock) / max(len(found), 1) * (len(subgames) - len(found))
        until = f", about {left:,.0f} s left" if found and left > LONG else ""
        progress(f"subgame {len(found) + 1:,} of {len(subgames):,}{until}, {stage}", width)

    for subgame in subgames:
        found.append(outcome(subgame, gadget, limits, promised, pairs, tell))
    return found


def _best_response(record: PlaceRecord, player: int) -> float:
    return float(record.reach[player] @ record.value[player])


ENUMERATED = ("joint", "lexicographic")
"""Ends of the names of methods that are linear programs on enumerated games."""
SAFE = ("resolve", "maxmargin")
"""Ends of the names of methods that are safe with the blueprint's values and gifts of scale 1 or less."""


def check_board_method(method: str | Gadget, options: GadgetOptions | None = None) -> None:
    """Refuse what is no method on boards, and options that are not for it, before time is spent.

    Raises
    ------
    ValueError
        As :func:`treeplex.gadgets.methods_by_name.check_method`, or the method is for enumerated games only.
    """
    check_method(method, options)
    chosen = GadgetOptions() if options is None else options
    if isinstance(method, str) and method.endswith(ENUMERATED):
        raise BadInputError(f"{method} is for games that are enumerated, not for boards")
    if isinstance(method, str) and ESTIMATED in method and chosen.estimates == "joint":
        raise BadInputError(
            "on boards estimates must be blueprint, got joint, which needs an enumerated game"
        )
    if _is_own(method):
        OwnGadget(gadget_of(method, dict, chosen))
    if chosen.equilibrium != "any":
        raise BadInputError(f"on boards equilibrium must be any, got {chosen.equilibrium}")


def promises(method: str | Gadget, options: GadgetOptions | None = None) -> bool:
    """Return whether a method by name makes nothing worse once its gadget's game is solved."""
    if not isinstance(method, str) or _is_own(method) or ESTIMATED in method:
        return False
    scale = 1.0 if options is None else options.scale
    return method.endswith(SAFE) and (not method.startswith(REACH) or scale <= 1.0)


def board_gadget(method: str | Gadget, options: GadgetOptions | None = None) -> RootGadget:
    """Return the gadget of a method on boards.

    Parameters
    ----------
    method : str or Gadget
        As :func:`treeplex.gadgets.methods_by_name.solver_of` takes it, of those that
        :func:`check_board_method` does not refuse.
    options : GadgetOptions, optional

    Raises
    ------
    ValueError
        If there is no such method on boards.
    """
    check_board_method(method, options)
    chosen = GadgetOptions() if options is None else options
    gadget = gadget_of(method, dict, chosen)
    return OwnGadget(gadget) if _is_own(method) or not isinstance(gadget, RootGadget) else gadget


def _is_own(method: str | Gadget) -> bool:
    return not isinstance(method, str) or ":" in method


ALIKE = 1e-9
"""Values of hands that suits alone tell apart may differ by so much, in parts of the largest."""


def plays_suits_alike(strategy: FactoredStrategy) -> bool:
    """Return whether hands that suits alone tell apart on a board play alike, but for the last street.

    A board of a merged tree stands for all boards of its class, and its hands for theirs. Which hand stands
    for which, on boards that a permutation of suits leaves as they are, is arbitrary: reaches on later boards
    of one class are equal only if such hands play alike. On the last street nothing comes later.
    """
    tree = strategy.tree
    betting, boards = tree.betting, tree.boards
    for board in np.flatnonzero(boards.street < betting.n_streets - 1).tolist():
        for node in np.flatnonzero(betting.street == boards.street[board]).tolist():
            if betting.player[node] < 0:
                continue
            player = int(betting.player[node])
            first = _first(boards.hands[player], board)
            if (first != np.arange(len(first))).any():
                played = strategy.at(player, node, board)
                if not np.array_equal(played, played[first]):
                    return False
    return True


def pays_suits_alike(subgame: BoardSubgame, gadget: RootGadget) -> bool:
    """Return whether later boards of a subgame may be merged: its hands and the gadget treat suits alike."""
    boards = subgame.subtree.tree.boards
    if boards.n_boards == 1 or (boards.ways == 1).all():
        return True
    try:
        root, alternatives = gadget.root(subgame), gadget.alternative_values(subgame)
    except UndefinedError:
        return True
    theirs = [subgame.reach, subgame.opponent_reach, subgame.value, root.most_weight]
    if alternatives is not None:
        theirs.append(np.where(subgame.live, alternatives.total, 0.0))
    if isinstance(gadget, Distributional | DrawnDistributional):  # its deviations depend on these
        theirs.append(subgame.blueprint_value)
    first, own = (_by_range(boards.hands[p]) for p in (subgame.opponent, subgame.defender))
    return all(_alike(values, first) for values in theirs) and _alike(subgame.own_reach, own)


def _first(hands: Hands, board: int) -> Index:
    return hands.first[hands.on(board)].astype(np.int64)


def _by_range(hands: Hands) -> Index:
    """Return the first hand of the orbit of each hand of a range on the starting board, (H,)."""
    hand = hands.hand[hands.on(0)].astype(np.int64)
    found = np.arange(len(hands.cards))
    found[hand] = hand[_first(hands, 0)]
    return found


def _alike(values: Floats, first: Index) -> bool:
    return bool(np.abs(values - values[first]).max() <= ALIKE * np.abs(values).max())
