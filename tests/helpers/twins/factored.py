"""The compact hold'em engine beside the explicit public tree: its strategies on every real board."""

from functools import cache
from itertools import accumulate, pairwise
from random import Random

import numpy as np

from tests.helpers.running import ran
from tests.helpers.twins.public_tree import vector_gains
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.fixed_point import PAPER
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.variant import variant_named
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.suit_symmetry import moved, symmetries
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.trees.public_tree import compile_public


def before(name):
    """Return a variant that counts the plans of before each update, planned for four iterations."""
    return variant_named(name, counted="before").planned(4)


def game_of(game):
    return load_game(game) if isinstance(game, str) else game


@cache
def explicit_tree(spec):
    """Return a game's public tree, board by board."""
    return compile_public(load_game(spec))


def factored_tree(game, isomorphism=True):
    game = game_of(game)
    return FactoredTree.of(game, BettingTree.of(game), BoardTree.of(game, isomorphism=isomorphism))


def engine_of(game, variant="cfr+", *, isomorphism=True, storage="float32", threads=1, fixed=PAPER):
    config = FactoredConfig(before(variant), storage, fixed)
    return factored_cfr.prepare(factored_tree(game, isomorphism), config, threads)


def advanced(game, variant, iterations, **options):
    return ran(engine_of(game, variant, **options), iterations)


def real_cards(game, permutation, cards):
    """Rename the suits of a board, which the permutation keeps as it starts, street by street."""
    cuts = np.cumsum([len(game.board), *(n for n in game.board_cards if n)]).tolist()
    return game.board + tuple(card for a, b in pairwise(cuts) for card in moved(permutation, cards[a:b]))


def behaviours(game, strategy, player):
    """Return {public key: {hand label: row}} on every real board, through the suit permutations."""
    betting, boards = strategy.tree.betting, strategy.tree.boards
    hands, found = boards.hands[player], {}
    group = symmetries(game) if boards.symmetric[0] else symmetries(game)[:1]
    for board, cards in enumerate(boards.cards):
        live = hands.cards[hands.hand[hands.on(board)]].tolist()
        for node in np.flatnonzero((betting.player == player) & (betting.street == boards.street[board])):
            rows = strategy.at(player, int(node), board)
            for permutation in group:
                key = game.public_key(real_cards(game, permutation, cards), betting.line[node])
                labels = [game.hand_label(moved(permutation, tuple(hand))) for hand in live]
                found.setdefault(key, {}).update(zip(labels, rows, strict=True))
    return found


def on_explicit(game, strategy, tree):
    """Return a strategy as ``vector_gains`` takes it, and where its rows are not made up."""
    strategies, known = [], []
    for p in (0, 1):
        found = behaviours(game, strategy, p)
        place = {label: i for i, label in enumerate(tree.hands[p])}
        strategies.append([])
        known.append([])
        for node in tree.nodes_of(p).tolist():
            n_actions = len(tree.children[node])
            rows = np.full((len(place), n_actions), 1 / n_actions)
            mask = np.zeros(len(place), bool)
            for label, row in found[tree.public[node]].items():
                if label in place:
                    rows[place[label]], mask[place[label]] = row, True
            strategies[p].append(rows)
            known[p].append(mask & tree.deals[tree.deal[node]].alive[p])
    return strategies, known


def gains(game, strategy, tree):
    return vector_gains(tree, tuple(on_explicit(game, strategy, tree)[0]))


def farthest(game, tree, one, run):
    """Return the largest difference between averages on boards and on the explicit tree."""
    ours, known = on_explicit(game, one.average, tree)
    worst = 0.0
    for p in (0, 1):
        assert len(known[p]) == len(run.average[p])
        for x, y, mask, node in zip(ours[p], run.average[p], known[p], tree.nodes_of(p), strict=True):
            assert (mask == tree.deals[tree.deal[node]].alive[p]).all()
            worst = max(worst, np.abs(x - y)[mask].max(initial=0.0))
    return worst


def compared(spec, variant, iterations, **options):
    """Run both; return the largest difference between averages and both runs."""
    game, tree = load_game(spec), explicit_tree(spec)
    one = advanced(game, variant, iterations, **options)
    run = ran(vector_cfr.prepare(tree, before(variant)), iterations)
    return farthest(game, tree, one, run), one, run


def streets_of(game, board):
    """Return a board street by street, the starting board first, each street's cards in increasing order."""
    dealt = [n for n in game.board_cards if n]
    ends = [end for end in accumulate(dealt, initial=len(game.board)) if end <= len(board)]
    return (tuple(sorted(game.board)), *(tuple(sorted(board[a:b])) for a, b in pairwise(ends)))


def uniform_strategy(tree):
    return FactoredStrategy(tree, tuple(np.ones(int(base[-1])) for base in tree.base))


def random_strategy(tree, seed):
    rng = np.random.default_rng(seed)
    return FactoredStrategy(tree, tuple(rng.random(int(base[-1])) for base in tree.base))


def invariant_strategy(tree, game, zeros=0.0):
    """Return a strategy of random numbers that symmetries of the game do not change, some of them zero."""
    renamings = symmetries(game)
    tables = [np.zeros(tree.base[p][-1]) for p in (0, 1)]
    for player, table in enumerate(tables):
        hands = tree.boards.hands[player]
        for board, cards in enumerate(tree.boards.cards):
            streets = streets_of(game, cards)
            live = hands.cards[hands.hand[hands.on(board)]].tolist()
            seen = [_seen(game, renamings, hand, streets) for hand in live]
            for node in np.flatnonzero(tree.betting.player == player):
                if tree.betting.street[node] != tree.boards.street[board]:
                    continue
                start, n_actions, width = tree.rows(player, node, board)
                for i, alike in enumerate(seen):
                    random = Random(f"{player} {tree.betting.line[node]} {alike}")
                    for a in range(n_actions):
                        number, kept = random.random(), random.random() >= zeros
                        table[start + a * width + i] = number * kept
    return FactoredStrategy(tree, (tables[0], tables[1]))


def _seen(game, renamings, hand, streets):
    """Return what is the same for a hand and a board however suits are renamed, or hidden."""
    if game.sees_ranks_only:
        return tuple(sorted(card // 4 for card in cards) for cards in (hand, *streets))
    return min((moved(p, hand), *(moved(p, street) for street in streets)) for p in renamings)


def profile_of(game, strategy, problem):
    """Return a strategy as a profile of a problem's sequence form."""
    plans, treeplexes = [], problem.form.treeplexes
    for player, treeplex in enumerate(treeplexes):
        behaviour = np.full(treeplex.n_sequences, np.nan)
        behaviour[0] = 1.0
        for key, rows in behaviours(game, strategy, player).items():
            for hand, row in rows.items():
                infoset = treeplex.index.get(f"{hand}{problem.tree.joiner}{key}")
                if infoset is not None:
                    behaviour[treeplex.begin[infoset] : treeplex.end[infoset]] = row
        assert not np.isnan(behaviour).any()
        plans.append(behaviour)
    return Profile(treeplexes, (plans[0], plans[1]))
