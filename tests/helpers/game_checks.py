"""What every game promises, checked state by state: exact chance, stable keys, perfect recall."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

import pytest

from tests.helpers.cells import each
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.sequence_form import number_tree, tree_form
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree


def labels(game: Game[Any], state: Hashable) -> list[str]:
    player = game.player(state)
    if player == TERMINAL:
        return []
    return [label for label, _ in game.chance(state)] if player == CHANCE else list(game.actions(state))


def walk(game: Game[Any]) -> list[tuple[Hashable, tuple[tuple[tuple[str, str], ...], ...]]]:
    """Return each state with each player's own past: the keys at which that player acted, and the actions."""
    found, todo = [], [(game.root(), ((), ()))]
    while todo:
        state, past = todo.pop()
        found.append((state, past))
        player = game.player(state)
        for label in labels(game, state):
            own = [list(p) for p in past]
            if player >= 0:
                own[player].append((game.infoset(state, player), label))
            todo.append((game.child(state, label), (tuple(own[0]), tuple(own[1]))))
    return found


def check_sizes(
    game: Game[Any],
    nodes: tuple[int, int],
    infosets: tuple[int, int],
    sequences: tuple[int, int],
    nnz: int | None,
) -> None:
    """Count a game: histories and leaves, each player's infosets and sequences, entries of the payoff."""
    enumerated = number_tree(build_tree(game))
    assert (enumerated.tree.n_nodes, len(enumerated.tree.leaves)) == nodes
    assert enumerated.form.n_infosets == infosets
    assert enumerated.form.n_sequences == sequences
    assert nnz is None or enumerated.form.payoff.nnz == nnz


def check_knowledge(game: Game[Any], observed: Callable[[Any, int], object]) -> None:
    """Keys part histories exactly as what a player, or with ``TERMINAL`` everybody, has observed does."""
    states = [state for state, _ in walk(game)]
    for player in (0, 1, TERMINAL):
        keys = [game.public(s) if player == TERMINAL else game.infoset(s, player) for s in states]
        seen = [observed(state, player) for state in states]
        assert len({*zip(keys, seen, strict=True)}) == len({*keys}) == len({*seen})


def check_promises(game: Game[Any]) -> None:
    actions: dict[tuple[int, str], list[str]] = {}
    pasts: dict[tuple[int, str], object] = {}
    publics: dict[tuple[int, str], str] = {}
    actors: dict[tuple[int, str], bool] = {}
    for state, past in walk(game):
        player = game.player(state)
        here = labels(game, state)
        assert len(set(here)) == len(here)
        assert (not here) == (player == TERMINAL)
        if player == CHANCE:
            weights = [weight for _, weight in game.chance(state)]
            assert all(isinstance(weight, Fraction) and weight > 0 for weight in weights)
            assert sum(weights) == 1
        if player == TERMINAL:
            assert isinstance(game.payoff(state), Fraction)
        for who in (0, 1):
            key = (who, game.infoset(state, who))
            assert key[1]
            assert pasts.setdefault(key, past[who]) == past[who], f"{key} forgets"
            assert publics.setdefault(key, game.public(state)) == game.public(state)
            assert actors.setdefault(key, who == player) == (who == player)
            if who == player:
                assert actions.setdefault(key, here) == here


def exact_value(game: Game[Any]) -> Fraction:
    """Return a game's value, proved exactly."""
    optimum = rational_optimum(tree_form(build_tree(game)))
    assert optimum.certificate.lower == optimum.certificate.upper == optimum.value
    return optimum.value


def played(game: Game[Any], *moves: object) -> Any:
    """Return the state after some moves of players or chance, each of them legal."""
    state = game.root()
    for move in map(str, moves):
        assert move in labels(game, state)
        state = game.child(state, move)
    return state


def check_payoff(game: Game[Any], moves: Iterable[object], payoff: Fraction | int) -> None:
    """Check that moves end a game and what they pay player 0."""
    leaf = played(game, *moves)
    assert game.player(leaf) == TERMINAL
    assert game.payoff(leaf) == payoff


def check_refusals(make: Callable[..., object], cells: Iterable[tuple[dict[str, Any] | str, str]]) -> None:
    """Parameters of a game, or whole specs, are refused in one line that matches a pattern."""

    def check(keys: dict[str, Any] | str, message: str) -> None:
        with pytest.raises(ValueError, match=message) as caught:
            load_game(keys) if isinstance(keys, str) else make(**keys)
        assert "\n" not in str(caught.value)

    each(cells, check)
