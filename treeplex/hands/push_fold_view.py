"""The view of a profile of push or fold: every hand plays as its class does."""

from fractions import Fraction
from itertools import combinations

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.cards.cards import N_CARDS, RANKS, SUITS
from treeplex.games.cards.deck import Deck
from treeplex.games.evaluation.preflop import CLASSES, class_of
from treeplex.games.holdem.push_fold import BIG_BLIND, SMALL, SMALL_BLIND, PushFold
from treeplex.hands.node_view import NodeView, compatible
from treeplex.hands.point import PublicPoint
from treeplex.hands.profile_view import expected_values
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Index

PLAYERS = {"": SMALL, "push": BIG_BLIND}
"""Acting player by betting line."""


def find_push_fold(game: PushFold, line: str, board: str) -> PublicPoint:
    """Return the small blind's decision, at the empty line, or the big blind's after ``push``.

    Raises
    ------
    ValueError
        If the line is another, or there is a board.
    """
    if line not in PLAYERS:
        raise ValueError(
            f"{game.name} has no betting line {line!r} where somebody acts: it has '' and 'push'"
        )
    if board:
        raise ValueError(f"nothing is decided on a board in {game.name}, got {board!r}")
    player = PLAYERS[line]
    actions = ("fold", "push") if player == SMALL else ("fold", "call")
    return PublicPoint(
        game=game.name,
        unit=game.unit,
        deck=Deck(len(RANKS), len(SUITS), top_is_king=False),
        ranks_only=False,
        is_holdem=True,
        board=(),
        key=f":{line}",
        player=player,
        put=SMALL_BLIND if player == SMALL else Fraction(1),
        actions=actions,
        action_names=actions,
    )


def push_fold_view(problem: Problem, profile: Profile, line: str, board: str = "") -> NodeView:
    """Return what a profile plays at one of the two decisions, with each hand's expected value.

    Raises
    ------
    ValueError
        If the game is another, or the line or the board none of it.
    """
    if not isinstance(problem.game, PushFold):
        raise ValueError(f"the game must be push or fold, got {problem.game.name}")
    point = find_push_fold(problem.game, line, board)
    hands = np.array(list(combinations(range(N_CARDS), 2)))
    classes = np.array([class_of((a, b)) for a, b in hands.tolist()])
    weight, opponent_weight = np.ones(len(hands)), np.ones(len(hands))
    if point.player == BIG_BLIND:
        opponent_weight = _behaviour(profile, SMALL, "")[classes][:, 1]
    disjoint = compatible(hands, hands)
    met = disjoint @ opponent_weight
    values = np.full(len(hands), np.nan)
    earned = expected_values(problem, profile, point.player)[_infosets(profile, point.player, line)]
    likely = np.bincount(classes, weights=met) / disjoint.sum()
    known = likely[classes] > 0
    values[known] = (earned[classes] / np.where(likely > 0, likely, 1.0)[classes])[known]
    return NodeView(
        point=point,
        hands=hands,
        weight=weight,
        reach=np.ones(len(hands)),
        behaviour=_behaviour(profile, point.player, line)[classes],
        opponent_hands=hands,
        opponent_weight=opponent_weight,
        met=met,
        values=values + float(point.put),
    )


def _behaviour(profile: Profile, player: int, line: str) -> Floats:
    """Return how often each class folds and does not, (169, 2)."""
    begin = profile.treeplexes[player].begin[_infosets(profile, player, line)]
    return np.asarray(profile.behaviour[player][begin[:, None] + np.arange(2)])


def _infosets(profile: Profile, player: int, line: str) -> Index:
    """Return each class's infoset, (169,)."""
    index = profile.treeplexes[player].index
    return np.array([index[f"{label}:{line}"] for label in CLASSES])
