"""What known plans are worth: two agents' expected value, and each hand of a match less luck, by AIVAT.

The value is found by a walk through all histories of a game; estimates need one known plan alone.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treeplex.core.problem import MOST_WALKED, Problem
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.play.agents import Entrant
from treeplex.play.hand import Hand, View
from treeplex.seqform.certify.aivat import aivat, history_values
from treeplex.seqform.certify.public_aivat import PublicAivat
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index

Moves = tuple[str, ...]
MOST_HISTORIES = 50_000
"""Most histories of a game of which every hand is estimated, for about a second."""
BETWEEN_REPORTS = 5_000
"""Histories between two reports."""

Plans = dict[tuple[int, int, str], Mapping[str, float]]
"""Plans by agent, player and infoset."""


@dataclass(frozen=True)
class WithoutLuck:
    """Estimates of all hands that can be played, by the seat of A.

    Attributes
    ----------
    estimates : pair of mappings
        From moves to what A won less luck, A being player 0 or player 1.
    """

    estimates: tuple[dict[Moves, float], dict[Moves, float]]

    def of(self, seat: int, hand: Hand) -> float:
        """Return the estimate of a hand, A in a seat; raises ``ValueError`` if there is no such hand."""
        if hand.moves not in self.estimates[seat]:
            raise BadInputError(
                f"there is no hand {shown('/'.join(hand.moves))} here, or an agent's plan never plays it"
            )
        return self.estimates[seat][hand.moves]


def without_luck(problem: Problem, entrants: tuple[Entrant, Entrant]) -> WithoutLuck | None:
    """Return AIVAT's estimate of every hand.

    None if no plan is known, a known one misses an infoset, or the game has more than ``MOST_HISTORIES``.

    All plans that are known are used. Histories are worth what they are if the first agent with a plan plays
    both seats, which is fixed before any hand is played.

    Parameters
    ----------
    problem : Problem
    entrants : pair of Entrant
        A and B.
    """
    planned = [one for one in entrants if one.planned is not None]
    numbered = problem.walked_up_to(MOST_HISTORIES) if planned else None
    if numbered is None:
        return None
    try:
        plans = {(p, id(one)): _plan(numbered, p, one) for p in (0, 1) for one in planned}
    except BadInputError:  # such as a strategy that lacks infosets; if one is played, the match says so
        return None
    values = history_values(numbered, (plans[0, id(planned[0])], plans[1, id(planned[0])]))
    moves = moves_of(numbered)
    found = []
    for seat in (0, 1):
        seated = entrants if seat == 0 else entrants[::-1]
        x, y = (plans.get((p, id(one))) for p, one in enumerate(seated))
        hands = aivat(numbered, (x, y), values)
        won = hands.estimate if seat == 0 else -hands.estimate
        likely = np.ones(len(won))
        for p, plan in enumerate((x, y)):
            likely *= 1.0 if plan is None else plan[numbered.last[p][hands.leaves]]
        told = zip(hands.leaves.tolist(), won.tolist(), likely.tolist(), strict=True)
        found.append({moves[leaf]: value for leaf, value, odds in told if odds > 0.0})
    return WithoutLuck((found[0], found[1]))


@dataclass(frozen=True)
class AllHands:
    """What an agent does with all hands at a public state, by its plan for one after the other.

    Attributes
    ----------
    game : PokerGame
    entrant : Entrant
        Whose plan is known.
    """

    game: PokerGame
    entrant: Entrant

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions, (hands, actions), as ``HandPlay`` does."""
        game, point = self.game, self.game.point(line)
        actions, public = tuple(point.moves), game.public_key(board, line)
        found = np.zeros((len(hands), len(actions)))
        for row, hand in zip(found, hands.tolist(), strict=True):
            infoset = f"{game.hand_label(tuple(hand))}{game.joiner}{public}"
            plan = self.entrant.plan(View(game.name, point.player, infoset, public, actions))
            assert plan is not None
            row[:] = [plan.get(action, 0.0) for action in actions]
        return found


def public_luck(game: Game[Any], entrants: tuple[Entrant, Entrant]) -> tuple[PublicAivat, PublicAivat]:
    """Return the estimates of hands of a game of any size, A being player 0 and player 1.

    Raises
    ------
    ValueError
        If it is no hold'em with all flops, or neither agent says what it does with all hands.
    """
    if all(one.planned is None for one in entrants):
        raise BadInputError("the plan of one player at least must be known, got none")
    if not isinstance(game, PokerGame):
        raise BadInputError(f"such estimates are of hold'em, got {game.name}")
    a, b = (None if one.planned is None else AllHands(game, one) for one in entrants)
    return PublicAivat.of(game, (a, b)), PublicAivat.of(game, (b, a))


def behaviour_in(numbered: NumberedTree, player: int, entrant: Entrant) -> Floats:
    """Return an agent's behaviour in a seat, (S,), from its plan at every infoset.

    Raises
    ------
    ValueError
        As :meth:`treeplex.play.agents.Entrant.plan`, which must have one.
    """
    tree, treeplex = numbered.tree, numbered.form.treeplexes[player]
    behaviour = np.ones(treeplex.n_sequences)
    acting = numbered.acting[player]
    nodes, first = np.unique(acting, return_index=True)
    for infoset, node in zip(nodes.tolist(), first.tolist(), strict=True):
        if infoset < 0:
            continue
        lo, hi = treeplex.begin[infoset], treeplex.end[infoset]
        actions = tuple(treeplex.actions[lo:hi])
        public = tree.public_keys[tree.public[node]]
        odds = entrant.plan(View(tree.name, player, treeplex.infosets[infoset], public, actions))
        assert odds is not None
        behaviour[lo:hi] = [odds.get(action, 0.0) for action in actions]
    return behaviour


def _plan(numbered: NumberedTree, player: int, entrant: Entrant) -> Floats:
    """Return an agent's realization plan in a seat."""
    return numbered.form.treeplexes[player].plan(behaviour_in(numbered, player, entrant))


def moves_of(game: NumberedTree) -> tuple[Moves, ...]:
    """Return the labels of the moves to each history of a tree."""
    found: list[Moves] = [()]
    for n in range(1, game.tree.n_nodes):
        found.append((*found[game.tree.parent[n]], game.tree.move(n)))
    return tuple(found)


def expected_values(
    problem: Problem, entrants: tuple[Entrant, Entrant], progress: Progress = silent
) -> tuple[float, float] | None:
    """Return what A wins on average as player 0, and as player 1, in floats from exact chances and payoffs.

    None if an agent's plan is not known, or the game has more than ``MOST_WALKED`` histories, with one that
    solves subgames more than ``MOST_HISTORIES``.

    Parameters
    ----------
    problem : Problem
    entrants : tuple of Entrant
        A and B.
    progress : callable, optional
    """
    game, most = problem.game, MOST_HISTORIES if any(one.solves for one in entrants) else MOST_WALKED
    if any(one.planned is None for one in entrants) or not problem.can_be_walked(most):
        return None
    terms: tuple[list[float], list[float]] = [], []
    plans: Plans = {}
    # Histories still to be walked: state, and how likely it is by the seat of A.
    ahead: list[tuple[Hashable, float, float]] = [(game.root(), 1.0, 1.0)]
    found = 1
    walked = 0
    while ahead:
        state, *reach = ahead.pop()
        player = game.player(state)
        if not walked % BETWEEN_REPORTS:
            progress(f"walking the game for the exact value: {walked:,} histories", math.inf)
        walked += 1
        if player == TERMINAL:
            payoff = float(game.payoff(state))
            terms[0].append(reach[0] * payoff)
            terms[1].append(-reach[1] * payoff)
            continue
        if player == CHANCE:
            outcomes = game.chance(state)
            shares = [(label, float(p), float(p)) for label, p in outcomes]
        else:
            view = View.of(game, state)
            by_seat = [
                _plan_of(entrants, player ^ seat, view, plans) if reach[seat] else {} for seat in (0, 1)
            ]
            shares = [(a, by_seat[0].get(a, 0.0), by_seat[1].get(a, 0.0)) for a in view.actions]
        found += len(shares)
        if found > most:
            return None
        for label, first, second in shares:
            likely = reach[0] * first, reach[1] * second
            if any(likely):
                ahead.append((game.child(state, label), *likely))
    return math.fsum(terms[0]), math.fsum(terms[1])


def _plan_of(entrants: tuple[Entrant, Entrant], who: int, view: View, plans: Plans) -> Mapping[str, float]:
    key = who, view.player, view.infoset
    if key not in plans:
        plan = entrants[who].plan(view)
        assert plan is not None
        plans[key] = plan
    return plans[key]
