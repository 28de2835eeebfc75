"""Cases: a finite game with rational strategies, cuts and a seat; what a claim is tried on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from treeplex.bench.challenges.case_tree import CaseNode, TreeGame
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm, number_tree
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.subgames.cut import Cut, check_disjoint, cut_at
from treeplex.seqform.trees.game_tree import build_tree

RationalStrategy = Mapping[tuple[int, str], Mapping[str, Fraction]]
"""The probability of each action by (player, infoset)."""
FINEST = 10**9
"""Largest denominator of probabilities that are read from floats."""


@dataclass(frozen=True, repr=False)
class Case(Shown):
    """A game, and what a claim needs beside it; all numbers are rational.

    Attributes
    ----------
    origin : str
        The spec of the game that it was drawn from, and what was drawn.
    root : CaseNode
        The game; its marks say where subgames begin.
    strategies : tuple of RationalStrategy
        Of both players: a blueprint, or those to be averaged.
    weights : tuple of Fraction
        Of the strategies, where they are to be averaged.
    seat : int or None
        The player whom the claim is about, where there is one.
    """

    origin: str
    root: CaseNode
    strategies: tuple[RationalStrategy, ...] = ()
    weights: tuple[Fraction, ...] = ()
    seat: int | None = None

    def brief(self) -> str:
        """Return what it was drawn from and its size."""
        return f"{self.origin}: {self.infosets:,} infosets"

    @property
    def game(self) -> Game[Any]:
        """The game."""
        return TreeGame(self.origin, self.root)

    @cached_property
    def numbered(self) -> NumberedTree:
        """The game history by history; raises what building raises, such as for imperfect recall."""
        return number_tree(build_tree(self.game))

    @property
    def form(self) -> SequenceForm:
        """The sequence form."""
        return self.numbered.form

    @property
    def infosets(self) -> int:
        """Number of both players' infosets."""
        return sum(self.form.n_infosets)

    @cached_property
    def menus(self) -> dict[tuple[int, str], tuple[str, ...]]:
        """The actions of each infoset, by player and key."""
        acting = (node for node in self.root.histories() if node.player in (0, 1))
        return {(node.player, node.known[node.player]): node.moves for node in acting}

    @property
    def chance_nodes(self) -> list[CaseNode]:
        """The histories at which chance moves, depth first."""
        return [node for node in self.root.histories() if node.player == CHANCE]

    def exchanged(self, old: CaseNode, new: CaseNode) -> "Case":
        """Return the case with one history of its game replaced."""
        return replace(self, root=self.root.exchanged(old, new))

    @cached_property
    def spread(self) -> Fraction:
        """The largest payoff less the smallest; 1 where all are equal."""
        paid = [node.payoff for node in self.root.histories() if node.player == TERMINAL]
        return max(paid) - min(paid) or Fraction(1)

    @cached_property
    def cuts(self) -> list[Cut]:
        """The subgames that are marked, for the player in the seat.

        Raises
        ------
        ValueError
            If there is no seat or no subgame, one cuts an infoset, or two overlap.
        """
        if self.seat is None:
            raise BadInputError(f"{self.origin}: nobody's seat is given")
        begin: dict[int, list[int]] = {}
        for k, node in enumerate(self.root.histories()):
            if node.subgame:
                begin.setdefault(node.subgame, []).append(k)
        cuts = [
            cut_at(self.numbered, np.array(roots), self.seat, subgame_name(number))
            for number, roots in sorted(begin.items())
        ]
        if not cuts:
            raise BadInputError(f"{self.origin}: no subgame is marked")
        check_disjoint(cuts)
        return cuts

    def profile(self, which: int = 0) -> Profile:
        """Return one of the strategies in floats."""
        x, y = (np.array(self.behaviour(p, which), dtype=np.float64) for p in (0, 1))
        return Profile(self.form.treeplexes, (x, y))

    def behaviour(self, player: int, which: int = 0) -> list[Fraction]:
        """Return a player's probability of each sequence's last action under one of the strategies, S.

        Raises
        ------
        ValueError
            If there is no such strategy.
        """
        if which >= len(self.strategies):
            raise BadInputError(f"{self.origin}: has {len(self.strategies)} strategies")
        treeplex, strategy = self.form.treeplexes[player], self.strategies[which]
        found = [Fraction(1)]
        for i, key in enumerate(treeplex.infosets):
            actions = treeplex.actions[treeplex.begin[i] : treeplex.end[i]]
            found += played(strategy, player, key, actions)
        return found

    def tidied(self) -> "Case":
        """Return the case with strategies on exactly the infosets that the game has."""
        strategies = tuple(
            {
                (p, key): dict(zip(moves, played(strategy, p, key, moves), strict=True))
                for (p, key), moves in self.menus.items()
            }
            for strategy in self.strategies
        )
        return replace(self, strategies=strategies)


def subgame_name(number: int) -> str:
    """Return what the subgame with a number is called."""
    return f"S{number}"


def played(strategy: RationalStrategy, player: int, key: str, actions: Sequence[str]) -> list[Fraction]:
    """Return the probability of each action at an infoset, uniform where the strategy takes none of them."""
    row = strategy.get((player, key), {})
    odds = [row.get(action, Fraction(0)) for action in actions]
    total = sum(odds, Fraction(0))
    return [odd / total for odd in odds] if total else [Fraction(1, len(actions))] * len(actions)


def rational(treeplex: Treeplex, behaviour: Floats, finest: int = FINEST) -> list[Fraction]:
    """Return a behaviour (S,) as rationals of small denominators that sum to exactly one, S."""
    found = [Fraction(1)]
    for lo, hi in zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True):
        odds = [Fraction(max(b, 0.0)).limit_denominator(finest) for b in behaviour[lo:hi].tolist()]
        total = sum(odds, Fraction(0))
        found += [odd / total for odd in odds] if total else [Fraction(1, hi - lo)] * (hi - lo)
    return found


def strategy_of(
    treeplexes: tuple[Treeplex, Treeplex], behaviours: Mapping[int, Sequence[Fraction]]
) -> RationalStrategy:
    """Return the behaviour of one or both players, each S, by (player, infoset) and action."""
    return {
        (p, key): dict(zip(t.actions[lo:hi], behaviours[p][lo:hi], strict=True))
        for p, t in enumerate(treeplexes)
        if p in behaviours
        for key, lo, hi in zip(t.infosets, t.begin.tolist(), t.end.tolist(), strict=True)
    }
