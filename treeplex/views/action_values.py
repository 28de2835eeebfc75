"""What each action of a decision wins against a strategy with the best play below, as losses are measured."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treeplex.core.problem import Problem
from treeplex.core.strategy import Judged
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.profile_view import SMALLEST_MET, likely_met
from treeplex.play.whole_plan import WholePlan
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.real_boards import boards_to
from treeplex.seqform.certify.board_values import recorded_values
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Floats


@dataclass(frozen=True, eq=False)
class ActionValues:
    """What actions win against a strategy, on average over what the opponent may hold at the decision.

    The player goes on by a best response to the strategy, as where :func:`treeplex.losses` are measured: an
    infoset's loss is its reach times what the behaviour's mean of these values lacks to the largest of them.

    Attributes
    ----------
    problem : Problem
    strategy : Profile or FactoredStrategy
        A profile of ``problem.whole``.
    """

    problem: Problem
    strategy: Judged

    def at_node(self, view: NodeView) -> Floats:
        """Return what each action of each hand wins from a node of poker on, (H, A).

        As the values of views: a hand's share of the pot less what it still puts in, so that a fold is worth
        0; nan where the hand meets nothing. Of a strategy on boards every later board is visited.

        Parameters
        ----------
        view : NodeView
            Of this strategy.
        """
        if isinstance(self.strategy, FactoredStrategy):
            earned, reach = self._on_boards(self.strategy, view), view.met
        else:
            earned, reach = self._in_table(view), likely_met(self.problem, view)
        known = view.met > SMALLEST_MET * view.opponent_weight.sum()
        values = np.full(earned.shape, np.nan)
        values[known] = earned[known] / reach[known, None]
        return values + float(view.point.put)

    def at_infoset(self, player: int, infoset: str) -> dict[str, float] | None:
        """Return what each action wins in a game that is walked history by history, as a payoff of the hand.

        None where the strategy never lets the infoset come up.
        """
        return self._whole.values(player, infoset)

    def _in_table(self, view: NodeView) -> Floats:
        """Return counterfactual values of actions, not divided; nan for hands that are locked, (H, A)."""
        game, player = self.problem.game, view.point.player
        assert isinstance(game, PokerGame)
        t, q = self.problem.form.treeplexes[player], self._responses[player].q
        found = np.full((len(view.hands), len(view.point.actions)), np.nan)
        for hand, cards in enumerate(view.hands.tolist()):
            i = t.index.get(f"{game.hand_label(tuple(cards))}{game.joiner}{view.point.key}")
            if i is not None:
                found[hand] = q[t.begin[i] : t.end[i]]
        return found

    def _on_boards(self, strategy: FactoredStrategy, view: NodeView) -> Floats:
        """Return the same of a strategy on boards, in the measure of a view's ``met``, (H, A)."""
        game, point, betting = self.problem.game, view.point, strategy.tree.betting
        assert isinstance(game, PokerGame)
        after = betting.children[betting.node_of[point.line]].tolist()
        board = boards_to(game, strategy.tree.boards, point.board)[-1].image
        found = recorded_values(game, strategy, [(node, board) for node in after], below=board)
        return np.stack([found[node, board].value[point.player] for node in after], axis=1)

    @cached_property
    def _responses(self) -> tuple[BestResponse, BestResponse]:
        """Both players' best responses, in the game that is played."""
        assert isinstance(self.strategy, Profile)
        form, profile = self.problem.form, self.problem.played(self.strategy)
        x, y = profile.plans
        return form.best_response(0, y), form.best_response(1, x)

    @cached_property
    def _whole(self) -> WholePlan:
        assert isinstance(self.strategy, Profile)
        numbered = self.problem.enumerated
        return WholePlan(numbered, self.strategy.transfer(numbered.form.treeplexes))
