"""Nested solving on boards: an answer, for all hands at once, to a bet that the defender's menu lacks.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treeplex.core.progress import Progress, silent
from treeplex.gadgets.boards.gifts import gifts_at, places_for_gifts
from treeplex.gadgets.boards.own import OwnGadget
from treeplex.gadgets.boards.subgame import BoardSubgame, board_subgame, positions
from treeplex.gadgets.core.alternatives import BlueprintAlternatives
from treeplex.gadgets.core.gadget import RootGadget
from treeplex.gadgets.core.gifts import LowerBoundGifts, NoGifts
from treeplex.gadgets.methods.maxmargin import Maxmargin
from treeplex.gadgets.methods.resolve import Resolve
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.gadgets.nested.approaches import Expensive, ExpensiveUnsafe, Inexpensive, OffTreeMethod
from treeplex.gadgets.translation.on_boards import translated
from treeplex.games.poker.subgame import with_raise
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.factored.subtree import Subtree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.judge.recorded import Place, recorded_values
from treeplex.seqform.judge.values import range_values
from treeplex.seqform.subgames.tops import SMALLEST_REACH
from treeplex.subgames.answers.current import CurrentPlay
from treeplex.subgames.boards.solve import BoardLimits, BoardSolution, solve_on_boards

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
    method: OffTreeMethod,
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
    method : OffTreeMethod
        As :func:`treeplex.gadgets.nested.by_name.off_tree_method` returns it.
    limits_of : callable
    progress : callable, optional

    Raises
    ------
    ValueError
        If the rules allow no such bet, or the gadget needs what boards do not have.
    treeplex.gadgets.core.gadget.UndefinedError
        If the gadget has no meaning here.
    """
    gadget, tree = gadget_on_boards(method), current.tree
    opponent = 1 - current.defender
    wanted = places_for_gifts(tree, opponent, place) if getattr(method, "scale", 0.0) else []
    first = min((board for _, board in wanted), default=place[1])
    records = recorded_values(
        tree.game, current.strategy, [place, *wanted], below=first, reaches=current.reaches
    )
    assert tree.betting.player[place[0]] == opponent
    here = Subtree.of(tree, *place)
    gifts = current.gifts[_hands(tree, opponent, place[1])]
    if wanted:
        gifts = gifts + gifts_at(tree, opponent, place, records)[0][positions(here, opponent)]
    before = board_subgame(here, current.strategy, current.defender, records[place], (gifts, gifts))
    reopened = _reopened(here, label)
    bet = here.tree.betting.line[0] + label
    mapped = _translated(before.blueprint, reopened)
    inside = Subtree.of(reopened, 0 if _is_expensive(method) else reopened.betting.node_of[bet], 0)
    solution = solve_on_boards(
        _entered(before, inside, mapped, isinstance(method, ExpensiveUnsafe)),
        gadget,
        limits_of(inside.tree),
        progress,
    )
    share = (
        current.share * here.scale(before.opponent) / tree.boards.runouts[int(tree.boards.street[place[1]])]
    )
    after = _after(solution, bet, gifts, share)
    value, other = (_value_after(before, one, bet) for one in (after.strategy, mapped))
    assert value is not None
    return AnsweredBet(bet, before, solution, value, other, share, after)


def gadget_on_boards(method: OffTreeMethod) -> RootGadget:
    """Return the gadget of a method of nested solving as subgames on boards take it.

    Alternatives are the values of the subgame that the opponent's best action in the menu has.

    Raises
    ------
    ValueError
        If a gadget of the user's own has no root decisions.
    """
    if isinstance(method, ExpensiveUnsafe):
        return Unsafe()
    assert isinstance(method, Inexpensive | Expensive)
    gifts = LowerBoundGifts(method.scale) if method.scale else NoGifts()
    gadget = method.make(BlueprintAlternatives(gifts))
    return gadget if isinstance(gadget, Resolve | Maxmargin) else OwnGadget(gadget)


def _hands(tree: FactoredTree, player: int, board: int) -> Index:
    """Return the numbers, in the tree's range, of a player's hands that live on a board, ascending."""
    hands = tree.boards.hands[player]
    return np.sort(hands.hand[hands.on(board)]).astype(np.int64)


def _is_expensive(method: OffTreeMethod) -> bool:
    return isinstance(method, Expensive | ExpensiveUnsafe)


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
    reach = before.opponent_reach
    if unsafe and not np.any(reach * before.reach > SMALLEST_REACH):
        reach = np.ones(len(reach))
    line, board = inside.tree.betting.line[0], inside.tree.game.board
    return replace(
        before,
        subtree=inside,
        blueprint=uniform if mapped is None else inside.part(mapped),
        name=inside.tree.game.public_key(board, line),
        opponent_reach=reach,
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
