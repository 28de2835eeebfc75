"""Finite games held node by node, so that parts of them can be taken away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from treeplex.games.base.display import Shown
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game


@dataclass(frozen=True, eq=False, repr=False)
class CaseNode(Shown):
    """A history of a finite game, with all that follows it.

    Attributes
    ----------
    player : int
        Who acts: 0, 1, ``CHANCE`` or ``TERMINAL``.
    known : pair of str
        What each player knows here, also where the player does not act.
    public : str
        What both know.
    moves : tuple of str
        Labels of the actions or outcomes.
    weights : tuple of Fraction
        The probability of each outcome where chance moves, else empty.
    below : tuple of CaseNode
        The history after each move.
    payoff : Fraction
        Player 0's at a leaf, 0 elsewhere.
    subgame : int
        The number of the subgame that begins here, from 1; 0 where none does.
    """

    player: int
    known: tuple[str, str]
    public: str
    moves: tuple[str, ...] = ()
    weights: tuple[Fraction, ...] = ()
    below: tuple["CaseNode", ...] = ()
    payoff: Fraction = Fraction(0)
    subgame: int = 0

    def brief(self) -> str:
        """Return who acts and what each player knows."""
        return f"player {self.player}, known {self.known[0]!r} and {self.known[1]!r}"

    def histories(self) -> Iterator["CaseNode"]:
        """Yield this history and all below it, depth first."""
        yield self
        for node in self.below:
            yield from node.histories()

    def paths(self, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], "CaseNode"]]:
        """Yield this history and all below it, depth first, each with the moves that lead there."""
        yield before, self
        for move, node in zip(self.moves, self.below, strict=True):
            yield from node.paths((*before, move))

    def rewritten(self, rule: Callable[["CaseNode"], "CaseNode"]) -> "CaseNode":
        """Return the tree with each history replaced by what a rule makes of it, those below first."""
        below = tuple(node.rewritten(rule) for node in self.below)
        same = all(new is old for new, old in zip(below, self.below, strict=True))
        return rule(self if same else replace(self, below=below))

    def exchanged(self, old: "CaseNode", new: "CaseNode") -> "CaseNode":
        """Return the tree with one history replaced."""
        if self is old:
            return new
        below = tuple(node.exchanged(old, new) for node in self.below)
        same = all(a is b for a, b in zip(below, self.below, strict=True))
        return self if same else replace(self, below=below)


def leaf(node: CaseNode, payoff: Fraction) -> CaseNode:
    """Return a leaf in the place of a history."""
    return CaseNode(TERMINAL, node.known, node.public, payoff=payoff, subgame=node.subgame)


def kept(node: CaseNode, moves: Sequence[int]) -> CaseNode:
    """Return a history with only some of its moves, by their numbers; chance's are weighted up to one."""
    weights = tuple(node.weights[k] for k in moves) if node.player == CHANCE else ()
    total = sum(weights, Fraction(0))
    return replace(
        node,
        moves=tuple(node.moves[k] for k in moves),
        weights=tuple(weight / total for weight in weights),
        below=tuple(node.below[k] for k in moves),
    )


def frozen(game: Game[Any]) -> CaseNode:
    """Return a small game history by history."""
    return _node(game, game.root())


def _node(game: Game[Any], state: Any) -> CaseNode:
    player = game.player(state)
    known = game.infoset(state, 0), game.infoset(state, 1)
    if player == TERMINAL:
        return CaseNode(player, known, game.public(state), payoff=Fraction(game.payoff(state)))
    outcomes = tuple(game.chance(state)) if player == CHANCE else ()
    moves = tuple(label for label, _ in outcomes) if player == CHANCE else tuple(game.actions(state))
    weights = tuple(Fraction(weight) for _, weight in outcomes)
    below = tuple(_node(game, game.child(state, move)) for move in moves)
    return CaseNode(player, known, game.public(state), tuple(map(str, moves)), weights, below)


def marked(root: CaseNode, subgames: Mapping[int, int]) -> CaseNode:
    """Return the tree with subgames that begin at some histories, numbered depth first."""
    order = {id(node): subgames.get(k, 0) for k, node in enumerate(root.histories())}

    def mark(node: CaseNode) -> CaseNode:
        below = tuple(map(mark, node.below))
        return replace(node, below=below, subgame=order[id(node)])

    return mark(root)


@dataclass(frozen=True)
class TreeGame:
    """A game of the protocol whose states are the nodes of a tree.

    Attributes
    ----------
    name : str
    top : CaseNode
    """

    name: str
    top: CaseNode

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    def root(self) -> CaseNode:
        """Return the first history."""
        return self.top

    def player(self, state: CaseNode) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``."""
        return state.player

    def actions(self, state: CaseNode) -> Sequence[str]:
        """Return the labels of the actions of the player who acts."""
        return state.moves

    def chance(self, state: CaseNode) -> Sequence[tuple[str, Fraction]]:
        """Return outcomes and their probabilities at a chance node."""
        return tuple(zip(state.moves, state.weights, strict=True))

    def child(self, state: CaseNode, action: str) -> CaseNode:
        """Return the history after an action's or an outcome's label."""
        return state.below[state.moves.index(action)]

    def infoset(self, state: CaseNode, player: int) -> str:
        """Return what ``player`` knows here."""
        return state.known[player]

    def public(self, state: CaseNode) -> str:
        """Return what both know here."""
        return state.public

    def payoff(self, state: CaseNode) -> Fraction:
        """Return player 0's payoff at a leaf."""
        return state.payoff
