"""Nested solving on boards: an answer, for all hands at once, to a bet that menus lack.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6. How
both players play from a public state on, and with what hands they come there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treeplex.core.progress import Progress, silent
from treeplex.gadgets.boards.board_subgame import (
    BoardSubgame,
    board_subgame,
    endings,
    gifts_at,
    given,
    places_for_gifts,
    positions,
)
from treeplex.gadgets.boards.gadget_proof import reach_unit
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.gadgets.published_gadgets import Unsafe
from treeplex.games.poker.added_bets import with_raise
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_certificate import pair_weight
from treeplex.seqform.certify.board_values import Place, range_values, recorded_values
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.tops import reach_anywhere
from treeplex.subgames.solve_on_boards import BoardLimits, BoardSolution, solve_on_boards


@dataclass(frozen=True)
class CurrentPlay:
    """A strategy on the tree of a public state, by menus, with the reaches of all hands.

    Nested solving goes from one to the next: each answer to a bet beside the menus is the strategy that the
    next such bet is made against, so that its alternatives are values of the answer.

    Attributes
    ----------
    strategy : FactoredStrategy
        Both players', from the public state on.
    defender : int
    reaches : pair of (H,) f64
        The weight with which each hand of the tree's ranges comes to its root: the defender's by the whole
        game's range, the opponent's by the tree's.
    gifts : (T,) f64
        Lower-bound gifts on the way to the root, per unit of reach, of each of the opponent's hands.
    share : float
        The factor from unnormalised values at the root to payoffs a hand of the whole game, on its board.
    """

    strategy: FactoredStrategy
    defender: int
    reaches: tuple[Floats, Floats]
    gifts: Floats
    share: float

    @property
    def tree(self) -> FactoredTree:
        """The tree of the strategy."""
        return self.strategy.tree

    @staticmethod
    def of(strategy: FactoredStrategy, defender: int) -> "CurrentPlay":
        """Return the play of a strategy from the start of its game."""
        first, second = (hands.weight for hands in strategy.tree.boards.hands)
        gifts = np.zeros(len((first, second)[1 - defender]))
        return CurrentPlay(
            strategy, defender, (first, second), gifts, 1.0 / float(pair_weight(strategy.tree.game))
        )


LimitsOf = Callable[[FactoredTree], BoardLimits]
"""The limits of a solve from the tree that is solved."""


@dataclass(frozen=True)
class AnsweredBet:
    """A bet that the defender's menu lacks, and the solution that answers it.

    Unnormalised values are of the T hands of the opponent, who bets, as in ``BoardSubgame``.

    Attributes
    ----------
    bet : str
        The line that ends in the bet.
    before : BoardSubgame
        Where the opponent bets; its values are those of its best action in the menu.
    solution : BoardSolution
        From after the bet on, or from before it with the bet added.
    value : (T,) f64
        The opponent's best-response value after the bet, unnormalised.
    translated_value : (T,) f64, or None
        The same against the strategy that takes the bet for one of the menu by the pseudo-harmonic mapping;
        None if the menu has no bet for it, or both games fall out of step later.
    share : float
        The factor from unnormalised values to payoffs a hand of the whole game; this one board alone counts.
    after : CurrentPlay
        How both play from the bet on.
    """

    bet: str
    before: BoardSubgame
    solution: BoardSolution
    value: Floats
    translated_value: Floats | None
    share: float
    after: CurrentPlay

    @property
    def gadget_value(self) -> tuple[float, float]:
        """The proved interval of the gadget's value, per unit of reach."""
        solution = self.solution
        unit = reach_unit(solution.subgame, solution.root)
        return solution.proof.lower / unit, solution.proof.upper / unit

    def gained(self, value: Floats) -> float:
        """Return by how much values after the bet are above the alternatives, in payoffs a hand.

        It is the sum over the opponent's hands of reach times max(0, value - alternative).
        """
        return float(np.maximum(value - self.before.value, 0.0)[self.before.live].sum() * self.share)

    @property
    def loss(self) -> float:
        """What the bet gains on the best action of the menu, in payoffs a hand of the whole game."""
        return self.gained(self.value)

    @property
    def translation_loss(self) -> float | None:
        """The same if the bet is translated; None where it cannot be."""
        return None if self.translated_value is None else self.gained(self.translated_value)


def answer_bet(
    current: CurrentPlay,
    place: Place,
    label: str,
    way: OffTree,
    limits_of: LimitsOf,
    progress: Progress = silent,
) -> AnsweredBet:
    """Answer one bet of the opponent that the menus of the current tree lack.

    Parameters
    ----------
    current : CurrentPlay
    place : (node, board)
        Of its tree: the decision at which the opponent bets.
    label : str
        The bet, such as ``r37``.
    way : OffTree
    limits_of : callable
    progress : callable, optional

    Raises
    ------
    ValueError
        If the rules allow no such bet, or the gadget needs what boards do not have.
    treeplex.gadgets.gadget.UndefinedError
        If the gadget has no meaning here.
    """
    gadget, tree = way.on_hands(), current.tree
    opponent = 1 - current.defender
    wanted = places_for_gifts(tree, opponent, place) if way.scale else []
    ends = [(node, place[1]) for node in endings(tree, place[0])] if way.scale else []
    first = min((board for _, board in wanted), default=place[1])
    places = [place, *wanted, *ends]
    records = recorded_values(tree.game, current.strategy, places, below=first, reaches=current.reaches)
    assert tree.betting.player[place[0]] == opponent
    here = Subtree.of(tree, *place)
    gifts = current.gifts[_hands(tree, opponent, place[1])]
    if wanted:
        gifts = gifts + gifts_at(tree, opponent, place, records)[0][positions(here, opponent)]
    before = board_subgame(here, current.strategy, current.defender, records[place], (gifts, gifts))
    reopened = _reopened(here, label)
    bet = here.tree.betting.line[0] + label
    mapped = _translated(before.blueprint, reopened)
    inside = Subtree.of(reopened, 0 if way.again else reopened.betting.node_of[bet], 0)
    solution = solve_on_boards(
        _entered(before, inside, mapped, isinstance(gadget, Unsafe)),
        gadget,
        limits_of(inside.tree),
        progress,
    )
    share = current.share * before.board_weight
    after = _after(solution, bet, gifts, share)
    value, other = (_value_after(before, one, bet) for one in (after.strategy, mapped))
    assert value is not None
    if ends:  # what the bet gives away itself, which bets after it may use
        worth = [records[end].value[opponent][positions(here, opponent)] for end in ends]
        after = replace(after, gifts=gifts + given(before.chance * np.array(worth), value, before.reach))
    return AnsweredBet(bet, before, solution, value, other, share, after)


def _hands(tree: FactoredTree, player: int, board: int) -> Index:
    """Return the numbers, in the tree's range, of a player's hands that live on a board, ascending."""
    hands = tree.boards.hands[player]
    return np.sort(hands.hand[hands.on(board)]).astype(np.int64)


def _reopened(here: Subtree, label: str) -> FactoredTree:
    """Return the subtree of a decision with one more action there, menus as they were after it."""
    part = here.tree
    game = with_raise(part.game, part.betting.line[0], label)
    return FactoredTree.of(game, BettingTree.of(game), part.boards)


def _translated(strategy: FactoredStrategy, reopened: FactoredTree) -> FactoredStrategy | None:
    """Return the translation of a strategy to the tree with the bet; None if there is none."""
    if set(strategy.tree.actions(0)) <= {"f", "c"}:
        return None
    try:
        return translated(strategy, reopened)
    except ValueError:  # after the bet one game offers raises that the other has nothing for
        return None


def _entered(
    before: BoardSubgame, inside: Subtree, mapped: FactoredStrategy | None, unsafe: bool
) -> BoardSubgame:
    """Return the subgame that is solved, the translation as its blueprint.

    For unsafe solving all hands are as likely as chance and the defender make them where the opponent's own
    strategy never comes to the bet.
    """
    none = [np.zeros(int(base[-1])) for base in inside.tree.base]
    uniform = FactoredStrategy(inside.tree, (none[0], none[1]))
    line, board = inside.tree.betting.line[0], inside.tree.game.board
    return replace(
        before,
        subtree=inside,
        blueprint=uniform if mapped is None else inside.part(mapped),
        name=inside.tree.game.public_key(board, line),
        opponent_reach=reach_anywhere(before) if unsafe else before.opponent_reach,
    )


def _after(solution: BoardSolution, bet: str, gifts: Floats, share: float) -> CurrentPlay:
    """Return how both play from the bet on."""
    subgame, tree = solution.subgame, solution.strategy.tree
    reach, node = subgame.opponent_reach, tree.betting.node_of[bet]
    if node > 0:  # the opponent's bet is an action of what was solved
        hands = tree.boards.hands[subgame.opponent]
        action = tree.betting.children[0].tolist().index(node)
        played = np.zeros(len(reach))
        played[hands.hand[hands.on(0)]] = solution.strategy.at(subgame.opponent, 0, 0)[:, action]
        reach = reach * played
    theirs = subgame.chance * reach
    below = Subtree.of(tree, node, 0)
    return CurrentPlay(
        strategy=below.part(solution.strategy),
        defender=subgame.defender,
        reaches=(subgame.own_reach, theirs) if subgame.defender == 0 else (theirs, subgame.own_reach),
        gifts=gifts,
        share=share,
    )


def _value_after(before: BoardSubgame, strategy: FactoredStrategy | None, bet: str) -> Floats | None:
    """Return the opponent's unnormalised best-response value after the bet, (T,)."""
    if strategy is None:
        return None
    below = Subtree.of(strategy.tree, strategy.tree.betting.node_of[bet], 0)
    own = before.own_reach
    reaches = (own, before.chance) if before.defender == 0 else (before.chance, own)
    values = range_values(below.tree.game, below.part(strategy), reaches)
    return np.asarray(before.chance * values[before.opponent])
