"""What the page of a public state shows, in games without hands: infosets and the states that follow."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treeplex.browser.addresses import Place
from treeplex.browser.hand_table import WIDTH
from treeplex.browser.solutions import Solution
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.pictures.hand_colours import frequency_text, value_text
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.trees.game_tree import GameTree

MOST_LISTED = 1_000
"""Infosets, and links to states that follow, on one page."""
MOST_NAMED = 4
"""Moves to one state that a link names."""


@dataclass(frozen=True, eq=False)
class States:
    """The public states of a solution's game, each with what players know and do there."""

    solution: Solution

    def as_json(self, place: Place) -> dict[str, Any]:
        """Return a public state as an object; raises ``ValueError`` if the game has no such state."""
        game, name = self.solution.problem.game, self._name(place)
        losses = self.solution.losses or {}
        infosets = [
            {
                "player": player,
                "infoset": key,
                "play": dict(self.solution.strategy.action_probabilities(player, key)),  # type: ignore[union-attr]
                "loss": losses.get((player, key), 0.0),
            }
            for player, key in self._infosets(name)
        ]
        return {
            "game": game.name,
            "state": name,
            "unit": game.unit,
            "source": self.solution.source,
            "infosets": infosets,
            "next": [{"move": move, "state": to} for move, to in self._nexts(name)],
        }

    def content(self, place: Place, page: Callable[[Place], str] | None = None) -> dict[str, Any]:
        """Return all that the template writes; raises ``ValueError`` as :meth:`as_json`.

        Links lead to the states' own pages, or where ``page`` says.
        """
        told, solution = self.as_json(place), self.solution

        def href(state: str) -> str:
            return Place(state).page(solution.name) if page is None else page(Place(state))

        if place.map != "strategy":
            raise BadInputError(f"maps are of hands, which {told['game']} does not have, got {place.map}")
        rows = [
            {
                "player": one["player"],
                "infoset": one["infoset"],
                "loss": (repr(one["loss"]), value_text(one["loss"], "ev", WIDTH)),
                "play": [(action, repr(p), frequency_text(p)) for action, p in one["play"].items()],
            }
            for one in told["infosets"]
        ]
        links = [
            {"text": one["move"] or "goes on", "state": one["state"], "href": href(one["state"])}
            for one in told["next"]
        ]
        path = [{"state": state, "href": href(state)} for state in self._above(told["state"])]
        return {
            "line": told["state"],
            "board": "",
            "steps": [],
            "rows": rows[:MOST_LISTED],
            "more": max(0, len(rows) - MOST_LISTED),
            "nexts": links[:MOST_LISTED],
            "more_nexts": max(0, len(links) - MOST_LISTED),
            "path": path,
            "unit": solution.problem.game.unit,
        }

    @cached_property
    def _states(self) -> PublicStates:
        return PublicStates.of(self._tree)

    @cached_property
    def _tree(self) -> GameTree:
        if not isinstance(self.solution.strategy, Profile):
            raise BadInputError("public states are shown of strategies that are tables")
        return self.solution.problem.enumerated.tree

    def _name(self, place: Place) -> str:
        states = self._states
        if place.board:
            raise BadInputError(f"a board is of poker games, got {shown(place.board)}")
        if place.line in states.index:
            return place.line
        if not place.line:
            return states.names[int(states.state[0])]
        raise BadInputError(f"{self._tree.name} has no public state {shown(place.line)}")

    def _members(self, name: str) -> Index:
        """Return the histories of a state."""
        return np.flatnonzero(self._states.state == self._states.index[name])

    def _infosets(self, name: str) -> list[tuple[int, str]]:
        """Return who acts in a state with which infosets, in the order of the histories."""
        tree = self._tree
        found: dict[tuple[int, str], None] = {}
        for history in self._members(name).tolist():
            player = int(tree.player[history])
            if player >= 0:
                found[player, tree.keys[player][int(tree.infoset[history, player])]] = None
        return [*found]

    def _nexts(self, name: str) -> list[tuple[str, str]]:
        """Return the moves from a state and where each leads, in the order of the histories."""
        tree, states = self._tree, self._states
        below = np.flatnonzero(np.isin(tree.parent, self._members(name)))
        found: dict[str, dict[str, None]] = {}
        for history in below.tolist():
            after = states.names[int(states.state[history])]
            if after != name:
                found.setdefault(after, {})[tree.move(history)] = None
        return [(_moves_text([*moves]), after) for after, moves in found.items()]

    def _above(self, name: str) -> list[str]:
        """Return the states on the way to the first history of a state, the root's first."""
        tree, states = self._tree, self._states
        history = int(self._members(name)[0])
        path: list[str] = []
        while history > 0:
            history = int(tree.parent[history])
            state = states.names[int(states.state[history])]
            if state != name and state not in path:
                path.append(state)
        return path[::-1]


def _moves_text(moves: list[str]) -> str:
    """Return the moves that lead to one state, at most a few of them."""
    more = f" and {len(moves) - MOST_NAMED:,} more" if len(moves) > MOST_NAMED else ""
    return f"{', '.join(moves[:MOST_NAMED])}{more}"
