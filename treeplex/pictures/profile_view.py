"""The view of a profile at a node of the public tree, hand by hand; of push or fold, class by class."""

from fractions import Fraction
from itertools import combinations

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import N_CARDS, RANKS, SUITS, Deck
from treeplex.games.cards.preflop import CLASSES, class_of
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import BIG_BLIND, SMALL, SMALL_BLIND, PushFold
from treeplex.pictures.node_view import NodeView, compatible
from treeplex.pictures.public_node import Chips, PublicPoint, find_point
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import TreeDeal

SMALLEST_MET = 1e-9
"""Hands whose weight of compatible opponent's hands is relatively smaller have no expected value."""


def profile_view(problem: Problem, profile: Profile, line: str, board: str = "") -> NodeView:
    """Return what a profile plays at a betting line on a board, with each hand's expected value.

    A hand's value is its counterfactual value when both play the profile, over the probability of the hand
    with all that the opponent may hold here.

    Parameters
    ----------
    problem : Problem
        Of a poker game.
    profile : Profile
        Of ``problem.whole``.
    line, board : str
        As :func:`treeplex.pictures.public_node.find_point` reads them.

    Raises
    ------
    ValueError
        If the game is no poker game, or has no such node.
    """
    game, tree = problem.game, problem.tree
    if not isinstance(game, PokerGame) or tree is None:
        raise BadInputError(f"hands can be shown of poker games only, got {game.name}")
    point = find_point(game, line, board)
    node = _node(tree, point.key)
    me, deal = point.player, tree.deals[tree.deal[node]]
    live, theirs = (np.flatnonzero(deal.alive[p]) for p in (me, 1 - me))
    reach, opponent_reach = (
        _reach(tree, profile.treeplexes[p], profile.behaviour[p], p, node, h)
        for p, h in ((me, live), (1 - me, theirs))
    )
    hands = [_cards(game, tree, p) for p in (0, 1)]
    pairs = _pair_weights(deal, hands, ranks_only=game.sees_ranks_only)
    pairs = (pairs if me == 0 else pairs.T)[np.ix_(live, theirs)]
    weight, opponent_weight = _normal(deal, me)[live], _normal(deal, 1 - me)[theirs]
    infosets = _infosets(tree, profile.treeplexes[me], me, node, live)
    sequences = profile.treeplexes[me].begin[infosets][:, None] + np.arange(len(tree.children[node]))
    here = pairs @ opponent_reach
    met = here / weight
    known = met > SMALLEST_MET * (opponent_weight @ opponent_reach)
    values = np.full(len(live), np.nan)
    values[known] = expected_values(problem, profile, me)[infosets][known] / (here[known] * _scale(deal))
    return NodeView(
        point=point,
        hands=hands[me][live],
        weight=weight,
        reach=reach,
        behaviour=profile.behaviour[me][sequences],
        opponent_hands=hands[1 - me][theirs],
        opponent_weight=opponent_weight * opponent_reach,
        met=met,
        values=values + float(point.put),
    )


def likely_met(problem: Problem, view: NodeView) -> Floats:
    """Return how likely chance and the opponent's plan bring each hand of a profile's view there, (H,).

    The player's own actions are taken for granted: by this counterfactual values are divided.

    Parameters
    ----------
    problem : Problem
        Of a poker game.
    view : NodeView
        What :func:`profile_view` returned.
    """
    tree = problem.tree
    assert tree is not None
    return view.weight * view.met * _scale(tree.deals[tree.deal[_node(tree, view.point.key)]])


def _node(tree: PublicTree, public: str) -> int:
    """Return the node of a public state at which a player acts."""
    for node in np.flatnonzero(tree.player >= 0).tolist():
        if tree.public[node] == public:
            return int(node)
    raise BadInputError(f"{tree.name} has no public state {public!r}: no two hands leave that board possible")


def _infosets(tree: PublicTree, treeplex: Treeplex, player: int, node: int, hands: Index) -> Index:
    """Return the infosets of some hands at a node of the player's."""
    labels = tree.hands[player]
    keys = (tree.infoset_key(labels[hand], node) for hand in hands)
    return np.array([treeplex.index[key] for key in keys], dtype=np.int64)


def _reach(
    tree: PublicTree, treeplex: Treeplex, behaviour: Floats, player: int, node: int, hands: Index
) -> Floats:
    """Return how likely the player's own actions lead to a node with some hands."""
    reach = np.ones(len(hands))
    while node > 0:
        above = int(tree.parent[node])
        if tree.player[above] == player:
            action = int(np.flatnonzero(tree.children[above] == node)[0])
            infosets = _infosets(tree, treeplex, player, above, hands)
            reach *= behaviour[treeplex.begin[infosets] + action]
        node = above
    return reach


def _cards(game: PokerGame, tree: PublicTree, player: int) -> Index:
    """Return the cards of each hand of a tree, (H, K)."""
    cards = {game.hand_label(hand): hand for hand in reversed([*game.reach[player]])}
    return np.array([cards[label] for label in tree.hands[player]], dtype=np.int64)


def _pair_weights(deal: TreeDeal, hands: list[Index], *, ranks_only: bool) -> Floats:
    """Return how likely each pair of hands is, (H0, H1), both players' weights divided by their largest.

    Hands that are cards exclude each other, so that nothing is subtracted; ranks have a diagonal apart.
    """
    pairs = np.outer(_normal(deal, 0), _normal(deal, 1))
    if not ranks_only:
        return np.asarray(pairs * compatible(hands[0], hands[1]))
    largest = _largest(deal)
    held = np.flatnonzero(deal.mate >= 0)
    product = [
        int(deal.weight[0][g]) * int(deal.weight[1][deal.mate[g]]) + int(deal.same[g]) for g in held.tolist()
    ]
    pairs[held, deal.mate[held]] = [weight / (largest[0] * largest[1]) for weight in product]
    return pairs


def _scale(deal: TreeDeal) -> float:
    """Return the factor from :func:`_pair_weights` to probabilities."""
    first, second = _largest(deal)
    return float(Fraction(first * second, deal.den))


def _largest(deal: TreeDeal) -> tuple[int, int]:
    return max(map(int, deal.weight[0])), max(map(int, deal.weight[1]))


def _normal(deal: TreeDeal, player: int) -> Floats:
    """Return a player's weights over the largest of them, (H,)."""
    largest = _largest(deal)[player]
    return np.array([int(weight) / largest for weight in deal.weight[player]])


def expected_values(problem: Problem, profile: Profile, player: int) -> Floats:
    """Return the player's counterfactual value of each infoset when both play the profile, (I,)."""
    gradient = problem.whole.gradient(player, profile.plans[1 - player])
    return profile.treeplexes[player].evaluate(profile.behaviour[player], gradient)[1]


PLAYERS = {"": SMALL, "push": BIG_BLIND}
"""Acting player by betting line."""


def find_push_fold(game: PushFold, line: str, board: str) -> PublicPoint:
    """Return the small blind's decision, at the empty line, or the big blind's after ``push``.

    Raises
    ------
    ValueError
        If the line is another, or there is a board.
    """
    if line not in PLAYERS:
        raise BadInputError(
            f"{game.name} has no betting line {line!r} where somebody acts: it has '' and 'push'"
        )
    if board:
        raise BadInputError(f"nothing is decided on a board in {game.name}, got {board!r}")
    player = PLAYERS[line]
    actions = ("fold", "push") if player == SMALL else ("fold", "call")
    put = (Fraction(1), SMALL_BLIND if player == SMALL else game.stack)
    behind = game.stack - put[0], game.stack - put[1]
    return PublicPoint(
        game=game.name,
        unit=game.unit,
        deck=Deck(len(RANKS), len(SUITS), top_is_king=False),
        ranks_only=False,
        is_holdem=True,
        board=(),
        key=f":{line}",
        player=player,
        put=put[player],
        chips=Chips(sum(put, Fraction(0)), put[1 - player] - put[player], behind),
        actions=actions,
        action_names=actions,
    )


def push_fold_view(problem: Problem, profile: Profile, line: str, board: str = "") -> NodeView:
    """Return what a profile plays at one of the two decisions, with each hand's expected value.

    Raises
    ------
    ValueError
        If the game is another, or the line or the board none of it.
    """
    if not isinstance(problem.game, PushFold):
        raise BadInputError(f"the game must be push or fold, got {problem.game.name}")
    point = find_push_fold(problem.game, line, board)
    hands = np.array(list(combinations(range(N_CARDS), 2)))
    classes = np.array([class_of((a, b)) for a, b in hands.tolist()])
    weight, opponent_weight = np.ones(len(hands)), np.ones(len(hands))
    if point.player == BIG_BLIND:
        opponent_weight = _behaviour(profile, SMALL, "")[classes][:, 1]
    disjoint = compatible(hands, hands)
    met = disjoint @ opponent_weight
    values = np.full(len(hands), np.nan)
    earned = expected_values(problem, profile, point.player)[_class_infosets(profile, point.player, line)]
    likely = np.bincount(classes, weights=met) / disjoint.sum()
    known = likely[classes] > 0
    values[known] = (earned[classes] / np.where(likely > 0, likely, 1.0)[classes])[known]
    return NodeView(
        point=point,
        hands=hands,
        weight=weight,
        reach=np.ones(len(hands)),
        behaviour=_behaviour(profile, point.player, line)[classes],
        opponent_hands=hands,
        opponent_weight=opponent_weight,
        met=met,
        values=values + float(point.put),
    )


def _behaviour(profile: Profile, player: int, line: str) -> Floats:
    """Return how often each class folds and does not, (169, 2)."""
    begin = profile.treeplexes[player].begin[_class_infosets(profile, player, line)]
    return np.asarray(profile.behaviour[player][begin[:, None] + np.arange(2)])


def _class_infosets(profile: Profile, player: int, line: str) -> Index:
    """Return each class's infoset, (169,)."""
    index = profile.treeplexes[player].index
    return np.array([index[f"{label}:{line}"] for label in CLASSES])
