"""An agent's plan at every infoset of a game that can be walked: what it can be beaten by, and by what moves.

Its exploitability is certified by best responses; a decision against it costs what the best response at that
infoset would have won more. Of a move all is shown that is known without the agent's cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shortened
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.play.agents import Entrant
from treeplex.play.hand import View
from treeplex.play.without_luck import MOST_HISTORIES, behaviour_in
from treeplex.play.wording import MOST_LISTED, listed
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.subgames.subgame import infoset_reach

LONGEST_KEY = 60
"""Most characters of an infoset's key in a row."""


@dataclass(frozen=True)
class Cost:
    """What a decision costs against an agent.

    Attributes
    ----------
    action : str
        What was played.
    loss : float
        What the best action at the infoset wins more, on average over what may lie behind it, with the best
        play below, in the game's unit; at least 0.
    best : str
        A best action, the first among equals.
    """

    action: str
    loss: float
    best: str


@dataclass(frozen=True)
class WholePlan:
    """A walked game, and what an agent plays at every infoset of both seats.

    Attributes
    ----------
    numbered : NumberedTree
    profile : Profile
    """

    numbered: NumberedTree
    profile: Profile

    @staticmethod
    def of(problem: Problem, entrant: Entrant) -> WholePlan | None:
        """Return an agent's whole plan.

        None if it has none, it misses an infoset, or the game has more than ``MOST_HISTORIES`` histories.
        """
        numbered = None if entrant.planned is None else problem.walked_up_to(MOST_HISTORIES)
        if numbered is None:
            return None
        try:
            first, second = (behaviour_in(numbered, player, entrant) for player in (0, 1))
        except BadInputError:
            return None
        return WholePlan(numbered, Profile(numbered.form.treeplexes, (first, second)))

    @cached_property
    def certificate(self) -> Certificate:
        """The proved interval of the plan as a strategy of both seats."""
        return certify(self.numbered.form, self.profile)

    @property
    def exploitability(self) -> float:
        """Half of NashConv, proved: an upper bound within rounding, in the game's unit."""
        return self.certificate.nash_conv / 2.0

    def cost(self, player: int, infoset: str, action: str) -> Cost | None:
        """Return what a player's action loses against the plan; None where the plan never lets it come up."""
        values = self.values(player, infoset)
        if values is None:
            return None
        best = max(values, key=values.__getitem__)
        return Cost(action, values[best] - values[action], best)

    def values(self, player: int, infoset: str) -> dict[str, float] | None:
        """Return what each action wins against the plan, with the best play below, in the game's unit.

        It is an average over all that may lie behind the infoset; None where the plan never lets it come up.
        """
        t = self.numbered.form.treeplexes[player]
        i = t.index[infoset]
        reach = float(self._reach[player][i])
        if reach <= 0.0:
            return None
        here = slice(t.begin[i], t.end[i])
        return dict(zip(t.actions[here], (self._responses[player].q[here] / reach).tolist(), strict=True))

    @cached_property
    def _responses(self) -> tuple[BestResponse, BestResponse]:
        """Both players' best responses to the plan in the other seat."""
        form, (x, y) = self.numbered.form, self.profile.plans
        return form.best_response(0, y), form.best_response(1, x)

    @cached_property
    def _reach(self) -> tuple[Floats, Floats]:
        """How likely chance and the plan bring each player to each infoset if the player goes there, (I,)."""
        x, y = self.profile.plans
        return infoset_reach(self.numbered, 0, y), infoset_reach(self.numbered, 1, x)


@dataclass(frozen=True)
class Move:
    """An action that an agent took.

    Attributes
    ----------
    view : View
        What it knew, which the person does not.
    action : str
        What it did, which the person sees in poker alone: elsewhere moves may be hidden, as bids are.
    """

    view: View
    action: str


def plans_shown(game: Game[Any], entrant: Entrant, move: Move, whole: WholePlan | None) -> Iterator[str]:
    """Yield lines on the plan by which an agent moved, the same lines whatever it held.

    In poker a line for each hand that the board leaves possible, or the mean over them where there are many,
    all taken as equally likely, and locked hands as they are locked; elsewhere a line for each infoset with
    the same public state, where the game has been walked.

    Parameters
    ----------
    game : Game
    entrant : Entrant
        With a plan.
    move : Move
    whole : WholePlan or None
        Where the game can be walked.
    """
    view = move.view
    views = _by_hand(game, view) if isinstance(game, PokerGame) else _by_infoset(whole, view)
    if not views:
        yield "the game is too large to list what it may know there"
        return
    locked = _locked(game, view) if isinstance(game, PokerGame) else {}
    plans = {name: locked.get(name) or _plan(entrant, one) for name, one in views.items()}
    if len(plans) <= MOST_LISTED:
        for name, plan in plans.items():
            told = "no plan" if plan is None else _told(plan, views[name].actions)
            yield f"with {shortened(name, LONGEST_KEY)}: {told}"
        return
    known = [plan for plan in plans.values() if plan is not None]
    if not known:
        yield "no plan"
        return
    actions = tuple(dict.fromkeys(action for one in views.values() for action in one.actions))
    mean = {a: sum(plan.get(a, 0.0) for plan in known) / len(known) for a in actions}
    yield f"on average over {len(known):,} of {len(plans):,} hands or infosets: {_told(mean, actions)}"


def _told(plan: Mapping[str, float], actions: Sequence[str]) -> str:
    """Return the probability of each action; of many actions those that are played."""
    many = len(actions) > MOST_LISTED
    texts = [f"{a} {plan.get(a, 0.0):.4g}" for a in actions if not many or plan.get(a, 0.0) > 0.0]
    return listed(texts)


def _plan(entrant: Entrant, view: View) -> Mapping[str, float] | None:
    try:
        return entrant.plan(view)
    except BadInputError:  # such as a strategy that lacks the infoset
        return None


def _by_hand(game: PokerGame, view: View) -> dict[str, View]:
    """Return a player's views in a public state, by the hand as keys write it."""
    board = {*game.board, *_cards(game, view)}
    found: dict[str, View] = {}
    for hand in sorted(game.reach[view.player], reverse=True):
        label = game.hand_label(hand)
        if label not in found and (game.sees_ranks_only or board.isdisjoint(hand)):
            key = f"{label}{game.joiner}{view.public}"
            found[label] = View(view.game, view.player, key, view.public, view.actions)
    return found


def _locked(game: PokerGame, view: View) -> dict[str, Mapping[str, float]]:
    """Return what hands must play in a public state, by the hand as keys write it."""
    lock = game.locked.get(view.public.partition(":")[2])
    plays = {} if lock is None else lock.play
    return {
        game.hand_label(hand): {action: float(share) for action, share in play.items()}
        for hand, play in plays.items()
    }


def _cards(game: PokerGame, view: View) -> Cards:
    """Return the board where suits are seen; where they are not no hand is ruled out."""
    return () if game.sees_ranks_only else game.deck.parse(view.public.partition(":")[0])


def _by_infoset(whole: WholePlan | None, view: View) -> dict[str, View]:
    """Return a player's views in all infosets that share a public state, by their keys."""
    if whole is None:
        return {}
    tree, treeplex = whole.numbered.tree, whole.numbered.form.treeplexes[view.player]
    here = tree.public_keys.index(view.public)
    acting = whole.numbered.acting[view.player]
    found: dict[str, View] = {}
    for i in np.unique(acting[(tree.public == here) & (acting >= 0)]).tolist():
        key, actions = treeplex.infosets[i], tuple(treeplex.actions[treeplex.begin[i] : treeplex.end[i]])
        found[key] = View(view.game, view.player, key, view.public, actions)
    return found
