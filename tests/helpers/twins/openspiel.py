"""OpenSpiel's games beside ours: walked together, and strategies judged by its best responses."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from treeplex.games.base.protocol import TERMINAL, Game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree

ActionOf = Callable[[Any, str], int]
"""The number of an action in a state of OpenSpiel's, by our label."""


class Twins:
    """A game and OpenSpiel's, and which infosets are one: both ways one to one, or a test fails."""

    def __init__(self, game: Game[Any], native: Any, action_of: ActionOf) -> None:
        self.game, self.native, self.action_of = game, native, action_of
        self.ours: dict[tuple[int, str], str] = {}
        self.theirs: dict[tuple[int, str], str] = {}
        self.visited = 0

    def walk(self) -> None:
        """Compare every history."""
        todo = [(self.game.root(), self.native.new_initial_state())]
        while todo:
            state, other = todo.pop()
            for label, action in self.compare(state, other):
                todo.append((self.game.child(state, label), other.child(action)))

    def play(self, random: Random) -> None:
        """Compare along one history."""
        state, other = self.game.root(), self.native.new_initial_state()
        while moves := self.compare(state, other):
            label, action = random.choice(moves)
            state = self.game.child(state, label)
            other.apply_action(action)

    def compare(self, state: Any, other: Any) -> list[tuple[str, int]]:
        """Compare who acts, what may be done and what is paid; return the labels with their numbers."""
        self.visited += 1
        player = self.game.player(state)
        assert other.is_terminal() == (player == TERMINAL)
        if player == TERMINAL:
            assert other.returns() == [self.game.payoff(state), -self.game.payoff(state)]
            return []
        assert other.current_player() == player
        ours, theirs = self.game.infoset(state, player), other.information_state_string(player)
        assert self.ours.setdefault((player, theirs), ours) == ours
        assert self.theirs.setdefault((player, ours), theirs) == theirs
        moves = [(label, self.action_of(other, label)) for label in self.game.actions(state)]
        assert sorted(action for _, action in moves) == other.legal_actions()
        return moves

    def check_strategies(self) -> Fraction:
        """Have OpenSpiel judge uniform play and an optimum; return the game's value."""
        form = tree_form(build_tree(self.game))
        uniform = Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes))
        optimum = solve_lp(form).profile
        for profile in (uniform, optimum):
            assert certify(form, profile).nash_conv == pytest.approx(self.nash_conv(profile), abs=1e-11)
        assert self.nash_conv(optimum) <= 1e-9
        return rational_optimum(form).value

    def nash_conv(self, profile: Profile) -> float:
        """Return NashConv in OpenSpiel."""
        policy = pytest.importorskip("open_spiel.python.policy")
        judge = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        rows: dict[tuple[int, str], dict[str, float]] = {}
        for player, (t, behaviour) in enumerate(zip(profile.treeplexes, profile.behaviour, strict=True)):
            for infoset, lo, hi in zip(t.infosets, t.begin, t.end, strict=True):
                rows[player, infoset] = dict(zip(t.actions[lo:hi], behaviour[lo:hi].tolist(), strict=True))

        def odds(state: Any) -> dict[int, float]:
            player = state.current_player()
            row = rows[player, self.ours[player, state.information_state_string(player)]]
            return {self.action_of(state, label): p for label, p in row.items()}

        return float(judge.nash_conv(self.native, policy.tabular_policy_from_callable(self.native, odds)))
