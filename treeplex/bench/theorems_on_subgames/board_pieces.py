"""Subgames of small poker games on boards, with blueprints by name, and the same subgames enumerated."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.prepared import KEPT, enumerated, problem
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import average
from treeplex.gadgets.boards.board_subgame import (
    BoardSubgame,
    board_subgame,
    gifts_at,
    places_for_gifts,
    positions,
)
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.real_boards import real_boards
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_values import Place, PlaceRecord, recorded_values
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame


@lru_cache(KEPT)
def factored(spec: str) -> FactoredTree:
    """Return a game's factored tree, boards merged under permutations of suits."""
    return problem(spec).boards()


def rules(spec: str) -> PokerGame:
    """Return a game's rules."""
    return factored(spec).game


@lru_cache(4 * KEPT)
def blueprint(spec: str, name: str) -> FactoredStrategy:
    """Return a strategy by name: ``uniform``, ``random:SEED``, or ``cfr+:N``, the average of N iterations.

    Random weights are of several magnitudes, a tenth of them zero, and the same for hands that suits alone
    tell apart: only then is what holds on a board true of all boards that it stands for.

    Raises
    ------
    ValueError
        If the name is none of these.
    """
    tree, (kind, _, number) = factored(spec), name.partition(":")
    sizes = [int(base[-1]) for base in tree.base]
    if kind == "cfr+":
        return average(factored_cfr.prepare(tree, factored_config("cfr+")), int(number))
    if kind == "uniform":
        return FactoredStrategy(tree, (np.ones(sizes[0]), np.ones(sizes[1])))
    if kind != "random":
        raise BadInputError(f"a blueprint must be uniform, random:SEED or cfr+:N, got {name!r}")
    rng = np.random.default_rng(int(number))
    first, second = (
        _same_for_suits(tree, p, 10.0 ** rng.uniform(-2.0, 0.0, n) * (rng.random(n) > 0.1))
        for p, n in enumerate(sizes)
    )
    return FactoredStrategy(tree, (first, second))


def _same_for_suits(tree: FactoredTree, player: int, table: Floats) -> Floats:
    """Return a player's table in which every hand plays like the first of its orbit."""
    hands, base = tree.boards.hands[player], tree.base[player].tolist()
    for board in range(tree.boards.n_boards):
        first = hands.first[hands.on(board)]
        rows = table[base[board] : base[board + 1]].reshape(-1, len(first))
        rows[:] = rows[:, first]
    return table


@lru_cache(KEPT)
def board_subgames(spec: str, defender: int, start: str) -> tuple[BoardSubgame, ...]:
    """Return all subgames right after the first deal, of a river those after its first action."""
    tree, before = factored(spec), blueprint(spec, start)
    places = [
        (node, board)
        for node in _first_nodes(tree.betting, defender)
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist()
    ]
    wanted = {*places, *(at for place in places for at in places_for_gifts(tree, 1 - defender, place))}
    records = recorded_values(tree.game, before, wanted)
    return tuple(_subgame(before, defender, place, records) for place in places)


def _subgame(
    before: FactoredStrategy, defender: int, place: Place, records: Mapping[Place, PlaceRecord]
) -> BoardSubgame:
    subtree = Subtree.of(before.tree, *place)
    order = positions(subtree, 1 - defender)
    lower, estimated = gifts_at(before.tree, 1 - defender, place, records)
    return board_subgame(subtree, before, defender, records[place], (lower[order], estimated[order]))


@lru_cache(4 * KEPT)
def enumerated_subgame(spec: str, defender: int, start: str, name: str) -> Subgame:
    """Return the subgame at a public state, history by history, with the same blueprint."""
    return Subgame.of(cut(_states(spec), enumerated(spec), [name], defender), _profile(spec, start))


def all_names(spec: str, defender: int) -> list[str]:
    """Return the names of the same subgames on every real board, those merged here too."""
    tree = factored(spec)
    lines = [(tree.betting.street[n], tree.betting.line[n]) for n in _first_nodes(tree.betting, defender)]
    return [
        tree.game.public_key(board.cards, line)
        for board in real_boards(tree.game, tree.boards)
        for street, line in lines
        if board.street == street
    ]


def as_profile(spec: str, strategy: FactoredStrategy) -> Profile:
    """Return a strategy as a profile of the enumerated game."""
    return profile_of(rules(spec), strategy, enumerated(spec).form)


def places_in(piece: BoardSubgame, same: Subgame) -> NDArray[np.int64]:
    """Return where each of a subgame's tops is in the enumerated one, (T,); -1 where nobody ever holds it."""
    place = {key: t for t, key in enumerate(same.tops)}
    after = f"{piece.game.joiner}{piece.name}"
    return np.array([place.get(f"{top}{after}", -1) for top in piece.tops])


@lru_cache(KEPT)
def _states(spec: str) -> PublicStates:
    return PublicStates.of(enumerated(spec).tree)


@lru_cache(4 * KEPT)
def _profile(spec: str, start: str) -> Profile:
    return as_profile(spec, blueprint(spec, start))


def _first_nodes(betting: BettingTree, defender: int) -> list[int]:
    """Return the decisions at which subgames begin, the defender deciding there or later."""
    dealt = [n for n in range(1, betting.n_nodes) if betting.street[n] == 1 and _opens(betting, n)]
    first = dealt or [n for n in betting.children[0].tolist() if betting.player[n] >= 0]
    return [n for n in first if (betting.player[n : _end(betting, n)] == defender).any()]


def _opens(betting: BettingTree, node: int) -> bool:
    return bool(betting.player[betting.parent[node]] == CHANCE and betting.player[node] >= 0)


def _end(betting: BettingTree, node: int) -> int:
    """Return one past the last node below a node."""
    end = node + 1
    while end < betting.n_nodes and betting.parent[end] >= node:
        end += 1
    return end
