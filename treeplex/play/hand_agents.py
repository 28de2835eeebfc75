"""Strategies that play all hands at once: blueprints, translated, with subgames solved as they are met."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.files.strategies import blueprint_of, strategy_of
from treeplex.gadgets.off_tree.off_tree import OffTree, off_tree_method
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import is_number, shown
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.play.nested import Nested, NestedConfig
from treeplex.play.translated import ByInfosets, Translated
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.forms.treeplex import Floats

STREETS = {"flop": 1, "turn": 2, "river": 3}
"""Names of streets by their number of deals of board cards."""
STARTS = {3: 1, 4: 2, 5: 3}
"""Deals that a starting board stands for, by its number of cards."""
ITERATIONS = 200
"""Of discounted CFR in each subgame, unless given."""
GADGET = "resolve"
"""By which bets beside the menus are answered, unless given."""
UNSAFE = "unsafe"
MOST_ITERATIONS = 1_000_000
MOST_SHAKEN = 0.5
MOST_KEPT = 2**23
"""Probabilities of actions that are kept, of all hands together."""
MOST_AT_ONCE = 2**16
"""Hands times actions up to which all hands of a public state are asked for together."""
MOST_BOARDS = 256
"""Boards of which it is kept where hands are."""
KEYS = ("game", "abstraction", "nested", "iterations", "gadget", "menus", "shaken")
"""Options of such an agent."""


@dataclass
class HandStrategy:
    """What all hands do at a public state, looked up for the hand that is held.

    Attributes
    ----------
    game : PokerGame
        That is played.
    hands : HandPlay
        In that game.
    """

    game: PokerGame
    hands: HandPlay
    _known: dict[tuple[str, Cards], Floats] = field(default_factory=dict, repr=False)
    _places: dict[tuple[int, Cards], dict[Cards, int]] = field(default_factory=dict, repr=False)
    _kept: int = field(default=0, repr=False)

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely the player who acts takes each action; as ``Strategy`` does.

        Raises
        ------
        ValueError
            If the game has no such infoset, or nothing says what is played there.
        """
        label, _, line = infoset.partition(":")
        hand, _, dealt = label.partition("|")
        mine, board = tuple(sorted(self.game.deck.parse(hand))), self.game.deck.parse(dealt)
        point = self.game.point(line)
        if point.player != player:
            raise BadInputError(f"player {player} of {self.game.name} has no infoset {infoset!r}")
        if mine not in self.game.reach[player] or not {*board}.isdisjoint(mine):
            raise BadInputError(f"{self.game.deck.text(mine)} cannot be held on {dealt or 'no board'}")
        return dict(zip(point.moves, self._plan(line, board, mine).tolist(), strict=True))

    def rows(self) -> Any:
        """Refuse to list infosets, which are met one by one."""
        raise BadInputError("an agent that plays hand by hand has no table of its infosets")

    def _plan(self, line: str, board: Cards, mine: Cards) -> Floats:
        """Return what a hand does at a public state; what others do there is kept if it is not much."""
        player, n_actions = self.game.point(line).player, len(self.game.point(line).moves)
        live = math.comb(len(self.game.deck.cards) - len(board), self.game.hole_cards)
        if live * n_actions > MOST_AT_ONCE:
            return np.asarray(self.hands.play(line, board, np.array([mine], np.int64))[0])
        if (line, board) not in self._known:
            if self._kept >= MOST_KEPT:
                self._known.clear()
                self._kept = 0
            hands = np.array([*self._place(player, board)], np.int64)
            played = self.hands.play(line, board, hands)
            self._known[line, board] = played
            self._kept += played.size
        return np.asarray(self._known[line, board][self._place(player, board)[mine]])

    def _place(self, player: int, board: Cards) -> dict[Cards, int]:
        """Return where a player's hands are among those that a board leaves."""
        if (player, board) not in self._places:
            if len(self._places) >= MOST_BOARDS:
                self._places.clear()
            live = (hand for hand in self.game.reach[player] if {*board}.isdisjoint(hand))
            self._places[player, board] = {hand: k for k, hand in enumerate(live)}
        return self._places[player, board]


def hand_agent(problem: Problem, path: str, keys: Mapping[str, object], missing: str) -> HandStrategy:
    """Return the agent of a strategy file with options.

    Parameters
    ----------
    problem : Problem
        Of the game that is played, poker with suits that are seen.
    path : str
        Of a strategy file.
    keys : mapping
        ``game``, the spec of the file's own game if it has fewer sizes; ``abstraction``, the file of a
        sampled blueprint's; ``nested``, the street from which subgames are solved as they are met, with
        ``iterations``, ``gadget``, ``menus``, the spec of the game whose sizes they have, and
        ``shaken``, by what part of them sizes change from hand to hand.
    missing : str
        As for :func:`treeplex.files.strategies.strategy_of`.

    Raises
    ------
    ValueError
        If a file or an option is none, or the file is none of the game.
    """
    game = problem.game
    if not isinstance(game, PokerGame) or game.locks:
        raise BadInputError(f"{', '.join(KEYS)} are for poker games without locks, got {game.name}")
    if game.sees_ranks_only:
        raise BadInputError(f"{', '.join(KEYS)} are for games whose suits are seen, got {game.name}")
    few = problem if "game" not in keys else load(_text(path, keys, "game"), progress=problem.progress)
    assert isinstance(few, Problem)
    if not isinstance(few.game, PokerGame):
        raise BadInputError(f"{path}: game must be a poker game, got {few.game.name}")
    abstraction = _text(path, keys, "abstraction") if "abstraction" in keys else None
    blueprint: HandPlay | None = blueprint_of(few, path, abstraction)
    if blueprint is None:
        blueprint = ByInfosets(few.game, strategy_of(few, path, missing).strategy)
    trunk = Translated(game, few.game, blueprint)
    if "nested" not in keys:
        return HandStrategy(game, _alone(path, trunk, keys))
    menus = load(_text(path, keys, "menus"), progress=problem.progress).game if "menus" in keys else None
    if menus is not None and not isinstance(menus, PokerGame):
        raise BadInputError(f"{path}: menus must be those of a poker game, got {menus.name}")
    return HandStrategy(game, _nested(path, trunk, keys, menus))


def _alone(path: str, trunk: Translated, keys: Mapping[str, object]) -> HandPlay:
    for key in ("iterations", "gadget", "menus", "shaken"):
        if key in keys:
            raise BadInputError(f"{path}: {key} is for nested={'|'.join(STREETS)}, got it without nested")
    return trunk


def _nested(path: str, trunk: Translated, keys: Mapping[str, object], menus: PokerGame | None) -> HandPlay:
    street, iterations = keys["nested"], keys.get("iterations", ITERATIONS)
    if not isinstance(street, str) or street not in STREETS:
        raise BadInputError(f"{path}: nested must be {', '.join(STREETS)}, got {shown(street)}")
    if type(iterations) is not int or not 1 <= iterations <= MOST_ITERATIONS:
        legal = f"an integer from 1 to {MOST_ITERATIONS:,}"
        raise BadInputError(f"{path}: iterations must be {legal}, got {shown(iterations)}")
    deals = _streets(trunk.game)
    if street not in deals:
        legal = " or ".join(deals) or "absent, as no cards are dealt,"
        raise BadInputError(f"{path}: nested must be {legal} in {trunk.game.name}, got {street}")
    shaken = keys.get("shaken", 0)
    if not is_number(shaken) or not 0 <= shaken <= MOST_SHAKEN:
        raise BadInputError(f"{path}: shaken must be from 0 to {MOST_SHAKEN}, got {shown(shaken)}")
    betting = trunk.game.betting
    if shaken and (betting.sizes is not None or betting.raise_sizes is not None):
        raise BadInputError(
            f"{path}: shaken is for games with bets of every whole number of chips, got {trunk.game.name}"
        )
    config = NestedConfig(
        deals[street], iterations, _way(path, keys.get("gadget", GADGET)), menus, float(shaken)
    )
    return Nested(trunk, config)


def _streets(game: PokerGame) -> dict[str, int]:
    """Return by their names the streets from which subgames may be solved, as numbers of deals to come."""
    start, deals = STARTS.get(len(game.board), 0), sum(1 for n in game.board_cards if n)
    least = 0 if game.board else 1
    return {name: n - start for name, n in STREETS.items() if least <= n - start <= deals}


def _way(path: str, gadget: object) -> OffTree:
    if not isinstance(gadget, str):
        raise BadInputError(f"{path}: gadget must be the name of one, got {shown(gadget)}")
    # Unsafe solving would have to know how often the bet is made, so the subgame before it is solved again.
    return off_tree_method(gadget, "expensive" if gadget == UNSAFE else "inexpensive")


def _text(path: str, keys: Mapping[str, object], key: str) -> str:
    if not isinstance(found := keys[key], str):
        raise BadInputError(f"{path}: {key} must be a text, got {shown(found)}")
    return found
