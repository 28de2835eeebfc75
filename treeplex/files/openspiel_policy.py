"""Profiles from and to policies of OpenSpiel: dictionaries and policy objects."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treeplex.core.loading import GameLike, game_of, load
from treeplex.core.result import Result
from treeplex.files.completion import check_missing, complete_moves
from treeplex.files.strategies import completion, suggesting_openspiel
from treeplex.files.strategy_rows import SUM_TOLERANCE, Moves, UnknownInfosetError
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shown
from treeplex.games.formats.openspiel import OpenSpielGame
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from open_spiel.python.policy import TabularPolicy

PolicyDict = dict[str, list[tuple[int | str, float]]]
"""Actions and their probabilities by infoset, as ``pyspiel.TabularPolicy`` takes them."""
Row = Iterable[tuple[int | str, float]] | Mapping[int | str, float]


def to_dict(profile: Profile | Result, player: int | None = None) -> PolicyDict:
    """Return a profile as a dictionary, such as ``{"0pb": [(0, 0.25), (1, 0.75)]}``.

    Actions are integers where all labels of the profile are, as in games of OpenSpiel, else labels.

    Parameters
    ----------
    profile : Profile or Result
    player : 0 or 1, optional
        Whose strategy; both players' in one dictionary unless given.

    Raises
    ------
    ValueError
        If both are wanted and there is a key that both players have.

    Examples
    --------
    >>> import treeplex as tp
    >>> to_dict(tp.solve("coin_toss"), player=0)["Heads:"]
    [('Sell', 0.0), ('Play', 1.0)]
    """
    if player not in (None, 0, 1):
        raise BadInputError(f"player must be 0, 1 or None, got {player!r}")
    profile = profile.profile if isinstance(profile, Result) else profile
    check_kind("a strategy", profile, Profile, "a Profile, or a Result that has one")
    chosen = (0, 1) if player is None else (player,)
    if player is None:
        common = set(profile.treeplexes[0].infosets) & set(profile.treeplexes[1].infosets)
        if common:
            raise BadInputError(
                f"both players have an infoset {min(common)!r}; ask for one player's dictionary"
            )
    action = int if all(_is_integer(a) for t in profile.treeplexes for a in t.actions[1:]) else str
    table: PolicyDict = {}
    for t, behaviour in ((profile.treeplexes[p], profile.behaviour[p]) for p in chosen):
        for key, begin, end in zip(t.infosets, t.begin.tolist(), t.end.tolist(), strict=True):
            table[key] = [(action(t.actions[s]), float(behaviour[s])) for s in range(begin, end)]
    return table


def from_dict(mapping: Mapping[str, Row], game: GameLike, *, missing: str = "error") -> Profile:
    """Return a dictionary of both players' infosets as a profile of a problem's ``whole``.

    An action that is not listed has probability zero, and an illegal one may be listed with zero, as
    OpenSpiel does. A key that both players have is for both. Probabilities are divided by their sum, unless
    that is one up to rounding.

    Parameters
    ----------
    mapping : mapping of str to pairs of an action and its probability, or to a mapping of these
        Actions are labels, or integers that stand for them.
    game : str, Path, Game or Problem
    missing : {"error", "uniform"}
        What becomes of infosets that the mapping does not have; with ``uniform`` they play every action
        equally often, and what is locked where they are locked.

    Raises
    ------
    ValueError
        If an infoset is missing or unknown, or its probabilities are not finite, negative, for actions that
        it does not have, given twice or do not sum to one within 5e-4; the message names the infoset.

    Examples
    --------
    >>> rows = {"Heads:": [("Play", 1)], "Tails:": [("Sell", 1)]}
    >>> profile = from_dict(rows, "coin_toss", missing="uniform")
    >>> to_dict(profile)["Tails:"]
    [('Sell', 1.0), ('Play', 0.0)]
    """
    check_missing(missing)
    check_kind("a strategy", mapping, Mapping, "a mapping of infosets to actions and their probabilities")
    problem = load(game)
    first, second = problem.whole.treeplexes
    with suggesting_openspiel(problem.game):
        for key in mapping:
            if key not in first.index and key not in second.index:
                raise UnknownInfosetError(key, first, problem.game.name)
    moves = Moves((first, second))
    rows = []
    for i, key in enumerate(moves.infosets):
        if key not in mapping and missing == "error":
            raise BadInputError(f"{moves.infoset_text(i)} is missing; missing='uniform' completes it")
        rows.append(_row(mapping[key], moves, i) if key in mapping else np.full(moves.sizes[i], np.nan))
    return complete_moves(_joined(rows), moves, completion(problem))


def to_tabular_policy(profile: Profile | Result, game: GameLike) -> "TabularPolicy":
    """Return a profile of a game of OpenSpiel as its ``open_spiel.python.policy.TabularPolicy``.

    The policy is of ``game.spiel``, which is turn-based where players move at once.

    Raises
    ------
    ValueError
        If the profile is of another game, or both players have one key: such a policy has one row for both.

    Examples
    --------
    >>> import treeplex as tp
    >>> policy = to_tabular_policy(tp.solve("openspiel:kuhn_poker"), "openspiel:kuhn_poker")
    >>> policy.action_probability_array.shape
    (12, 2)
    """
    known = _openspiel_game(game_of(game))
    spiel = known.spiel
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(spiel)
    table = to_dict(profile)
    other = next(iter(table.keys() ^ policy.state_lookup.keys()), None)
    if other is not None:
        raise BadInputError(f"the profile is not of {known.name}: only one of them has an infoset {other!r}")
    for key, row in table.items():
        probabilities = policy.policy_for_key(key)
        probabilities[:] = 0.0
        for action, probability in row:
            probabilities[action] = probability
    return policy


def from_policy(policy: Any, game: GameLike) -> Profile:
    """Return any policy of OpenSpiel as a profile: asked once at each infoset, at its first history.

    Parameters
    ----------
    policy : open_spiel.python.policy.Policy or pyspiel.Policy
        For ``game.spiel``: a policy of a game with simultaneous moves knows other infosets.
    game : str, Path, Game or Problem
        A game of OpenSpiel.

    Raises
    ------
    ValueError
        If the game is none of OpenSpiel, it has too many histories to be kept, or the policy has no
        answer, or none that is a distribution, at an infoset; the message names the infoset.

    Examples
    --------
    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> game = load("openspiel:kuhn_poker").game
    >>> to_dict(from_policy(UniformRandomPolicy(game.spiel), game))["0"]
    [(0, 0.5), (1, 0.5)]
    """
    if not callable(getattr(policy, "action_probabilities", None)):
        raise TypeError(f"a policy must be one of OpenSpiel, with action_probabilities, got {shown(policy)}")
    problem = load(game)
    known, enumerated = _openspiel_game(problem.game), problem.enumerated
    moves = Moves(enumerated.form.treeplexes)
    nodes = (*_first_histories(enumerated, 0), *_first_histories(enumerated, 1))
    rows = [_policy_row(policy, known, enumerated, node, moves, i) for i, node in enumerate(nodes)]
    return complete_moves(_joined(rows), moves)


def _openspiel_game(game: object) -> OpenSpielGame:
    if not isinstance(game, OpenSpielGame):
        raise BadInputError(
            f"policies of OpenSpiel are for its games, such as openspiel:kuhn_poker, got {game!r}"
        )
    return game


def _is_integer(label: str) -> bool:
    return label.isdecimal() and label == str(int(label))


def _first_histories(enumerated: NumberedTree, player: int) -> list[int]:
    """Return the first history of each of a player's infosets, in their order."""
    infosets, first = np.unique(enumerated.acting[player], return_index=True)
    nodes: list[int] = first[infosets >= 0].tolist()  # -1 is where the player does not act
    return nodes


def _policy_row(
    policy: Any, game: OpenSpielGame, enumerated: NumberedTree, node: int, moves: Moves, infoset: int
) -> Floats:
    """Return what a policy says at a history, over its infoset's actions (A,)."""
    state = game.spiel.new_initial_state()
    for move in _moves(enumerated, node):
        state.apply_action(move)
    try:
        row = policy.action_probabilities(state)
    except (KeyError, RuntimeError) as error:
        raise BadInputError(f"the policy has no answer at {moves.infosets[infoset]!r}: {error}") from None
    return _row(row, moves, infoset)


def _moves(enumerated: NumberedTree, node: int) -> list[int]:
    """Return OpenSpiel's actions and outcomes that lead to a history."""
    tree, moves = enumerated.tree, []
    while node > 0:
        moves.append(int(tree.move(node)))
        node = int(tree.parent[node])
    return moves[::-1]


def _row(row: Row, moves: Moves, infoset: int) -> Floats:
    """Return the probabilities of an infoset's actions (A,), which sum to one within ``SUM_TOLERANCE``."""
    where, begin = moves.infoset_text(infoset), moves.begin[infoset]
    labels = moves.actions[begin : begin + moves.sizes[infoset]].tolist()
    try:
        pairs = [(a, float(p)) for a, p in (row.items() if isinstance(row, Mapping) else row)]
    except (TypeError, ValueError):
        raise BadInputError(f"{where} needs actions and their probabilities, got {row!r}") from None
    by_label: dict[str, float] = {}
    for action, probability in pairs:
        if str(action) in by_label:
            raise BadInputError(f"{where} has action {action!r} twice")
        if not 0 <= probability <= 1 + SUM_TOLERANCE:
            raise BadInputError(
                f"{where}: a probability must be between 0 and 1, got {probability} for {action!r}"
            )
        if str(action) not in labels and probability != 0:
            raise BadInputError(f"{where} has no action {action!r}; its actions are {', '.join(labels)}")
        by_label[str(action)] = probability
    total = sum(by_label.values())
    if abs(total - 1) > SUM_TOLERANCE:
        raise BadInputError(f"{where}: probabilities must sum to 1 within {SUM_TOLERANCE}, got {total}")
    return np.array([by_label.get(label, 0.0) for label in labels])


def _joined(rows: list[Floats]) -> Floats:
    """Return all infosets' rows one after the other; a game may have none."""
    return np.concatenate([np.empty(0), *rows])
