"""One walk over a game: counts, order, keys, and every refusal, with games made to be wrong."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled
from tests.helpers.twins.drawn import Drawn, coin, leaf
from tests.helpers.twins.games import Relabelled, Wrapped, flow_matrix, leaves, moves_of, payoff_matrix
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import coin_toss, matrix_game
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree

HALF = Fraction(1, 2)


@over(
    [
        ("coin_toss", 13, 8),
        ("kuhn_poker", 55, 30),
        ("kuhn_poker(ranks=4)", 109, 60),
        ("kuhn_poker(ranks=5)", 181, 100),
        ("kuhn_poker(ranks=13)", 1405, 780),
        ("leduc_poker(raises=1)", 3511, 1860),
        ("leduc_poker", 9451, 5520),
        ("matrix_game(payoff=[[1,2,3],[4,5,6]])", 9, 6),
        ("dummy_pennies", 11, 6),
        ("random_game(seed=0,depth=0)", 1, 1),
    ]
)
def test_counts(spec, nodes, n_leaves):
    tree = build_tree(load_game(spec))
    assert (tree.n_nodes, len(tree.leaves)) == (nodes, n_leaves)


def naive_nodes(game, state=None, parent=None, action=None):
    """Yield (state, parent's state, index of the action) depth first, first actions first."""
    state = game.root() if state is None else state
    yield state, parent, action
    player = game.player(state)
    labels = (
        []
        if player == TERMINAL
        else [o[0] for o in game.chance(state)]
        if player < 0
        else game.actions(state)
    )
    for k, label in enumerate(labels):
        yield from naive_nodes(game, game.child(state, label), state, k)


GAMES = st.one_of(
    st.builds(random_game, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 4)),
    st.builds(lambda seed: Relabelled(coin_toss(), seed), st.integers(0, 100)),
)


@given(GAMES)
def test_the_arrays_are_the_histories_in_order(game):
    tree = build_tree(game)
    rows = list(naive_nodes(game))
    place = {row[0]: n for n, row in enumerate(rows)}
    assert tree.n_nodes == len(rows)
    for n, (state, parent, action) in enumerate(rows):
        assert tree.parent[n] == (-1 if parent is None else place[parent])
        assert tree.action[n] == (-1 if action is None else action)
        player = game.player(state)
        assert tree.player[n] == player
        assert tree.public_keys[tree.public[n]] == game.public(state)
        for p in (0, 1):
            assert tree.keys[p][tree.infoset[n, p]] == game.infoset(state, p)
        if player >= 0:
            assert tree.labels[player][tree.infoset[n, player]] == tuple(game.actions(state))
        expected = game.payoff(state) if player == TERMINAL else 0
        assert Fraction(int(tree.payoff[n]), tree.payoff_den) == expected


@given(GAMES)
def test_chance_reaches_are_exact_and_the_leaves_of_each_pure_profile_sum_to_one(game):
    tree = build_tree(game)
    ends = leaves(game)
    reach = [Fraction(int(tree.chance[z]), tree.chance_den) for z in tree.leaves]
    assert reach == [end.weight for end in ends]
    # Against any choice of first actions exactly one history a chance outcome is left.
    first = {}
    for p in (0, 1):
        for key, labels in zip(tree.keys[p], tree.labels[p], strict=True):
            if labels:
                first[p, key] = labels[0]
    kept = [
        end.weight
        for end in ends
        if all(first[p, key] == action for p in (0, 1) for key, action in end.past[p])
    ]
    assert sum(kept) == 1


@given(GAMES)
def test_the_sequence_form_is_the_naive_one(game):
    form = compiled(game)
    entries = payoff_matrix(game, form)
    base = form.payoff.base
    found = {
        (r, c): Fraction(int(a), base.den) for r, c, a in zip(base.rows, base.cols, base.num, strict=True)
    }
    assert found == {at: a for at, a in np.ndenumerate(entries) if a != 0}
    for p, t in enumerate(form.treeplexes):
        used = {move for end in leaves(game) for move in end.past[p]}
        assert set(moves_of(t)) == used
        parents = {
            end.past[p][d]: (end.past[p][d - 1] if d else None)
            for end in leaves(game)
            for d in range(len(end.past[p]))
        }
        for move, s in moves_of(t).items():
            above = parents[move]
            assert t.parent_of[s] == (0 if above is None else moves_of(t)[above])
        assert (flow_matrix(t).sum(axis=0)[1:] <= 1).all()


def test_infosets_are_numbered_in_the_order_of_their_first_history():
    form = compiled("kuhn_poker")
    first = list(dict.fromkeys(end.past[0][0][0] for end in leaves(load_game("kuhn_poker"))))
    roots = [k for k in form.treeplexes[0].infosets if k.endswith(":")]
    assert roots == first


# Refusals


WRONG_SUMS = [
    [HALF, Fraction(1, 3)],
    [HALF, HALF, Fraction(1, 10**30)],
    [Fraction(2), Fraction(1)],
    [Fraction(10**30 - 1, 10**30)],
    [],
]
INEXACT = (nan, "1/2", None, Decimal("0.5"), np.float64(0.5))
SUM = r"chance must sum to exactly 1, got .* at history 0 \(player 0 knows ''"
POSITIVE = r"chance weights must be positive exact rationals, got .*'o0' at history 0"
DISTINCT = r"actions must be distinct and not empty, got .* at history 0"
PAYOFF = r"payoff must be an integer or a Fraction, got .* at history 2 \(player 0 knows 'b', player 1 'b'\)"
WRONG_PAYOFFS = (0.5, 1.0, nan, inf, -inf, "1", None, Decimal(1), np.float64(1), 1j)
MINE = (1, "mine", ("a", leaf()), ("b", leaf()))
NOT_MINE = [("a", leaf())], [("a", leaf()), ("c", leaf())], [("b", leaf()), ("a", leaf())]
TWO = r"player 1's infoset 'mine' has actions \('a', 'b'\) and also"


@over(
    [
        *((coin(*weights), SUM) for weights in WRONG_SUMS),
        *((coin(weight, 1 - weight), POSITIVE) for weight in (Fraction(-1, 2), Fraction(0), 0, -1)),
        *((coin(weight, HALF), POSITIVE) for weight in (0.5, *INEXACT)),
        (
            coin(HALF, HALF, nodes=[leaf(), coin(HALF, HALF, HALF)]),
            r"got 3/2 at history 2 \(player 0 knows 'o1', player 1 'o1'\)",
        ),
        (("chance", ("same", HALF, leaf(1)), ("same", HALF, leaf(2))), "'same'"),
        *(((0, "x", ("a", leaf(1)), ("b", leaf(payoff))), PAYOFF) for payoff in WRONG_PAYOFFS),
        *((coin(HALF, HALF, nodes=[MINE, (1, "mine", *other)]), TWO) for other in NOT_MINE),
        *(((0, "x", *actions), DISTINCT) for actions in ([], [("a", leaf()), ("a", leaf())])),
        *(
            (
                (player, "x", ("a", leaf())),
                f"player must be 0, 1, CHANCE or TERMINAL, got {player} at history 0",
            )
            for player in (2, -3, 7)
        ),
    ]
)
def test_games_that_are_none_are_refused_by_history(node, message):
    with pytest.raises(ValueError, match=message):
        build_tree(Drawn(*node))


def test_an_infoset_of_the_same_key_for_the_other_player_is_another():
    game = Drawn(0, "x", ("a", (1, "x", ("c", leaf(1)))), ("b", leaf(2)))
    assert compiled(game).n_infosets == (1, 1)


def test_a_player_may_not_know_whether_it_is_its_turn():
    """Until the other has picked, player 1 idles with the key with which it then acts."""
    game = matrix_game([[2, -1], [-1, 1]])

    class Clockless(Wrapped):
        def infoset(self, state, player):
            return "mine" if player == 1 and len(state) < 2 else self.game.infoset(state, player)

    assert rational_optimum(compiled(Clockless(game))).value == Fraction(1, 5)


def test_too_many_histories():
    with pytest.raises(ValueError, match="kuhn_poker has more than 54 histories"):
        build_tree(load_game("kuhn_poker"), max_nodes=54)
    assert build_tree(load_game("kuhn_poker"), max_nodes=55).n_nodes == 55


def test_a_game_deeper_than_the_stack():
    node = leaf(5)
    for depth in range(3000, 0, -1):
        node = (depth % 2, f"d{depth}", ("on", node))
    game = Drawn(*node)
    game.at = deep_lookup(node)
    form = compiled(game)
    assert form.n_infosets == (1500, 1500)
    assert form.payoff.base.num.tolist() == [5]


def deep_lookup(node):
    nodes = [node]
    while node[0] != "leaf":
        node = node[2][1]
        nodes.append(node)
    return lambda state: nodes[len(state)]


# Imperfect recall: a tree may have it, a sequence form may not


FORGETS_OWN_MOVE = (
    0,
    "first",
    ("l", (1, "wait", ("w", (0, "lost", ("x", leaf(1)), ("y", leaf(2)))))),
    ("r", (1, "wait'", ("w", (0, "lost", ("x", leaf(3)), ("y", leaf(4)))))),
)
ABSENT_MINDED = (0, "cross", ("on", (0, "cross", ("on", leaf(1)), ("off", leaf(4)))), ("off", leaf(0)))
FORGETS_WHETHER_IT_MOVED = coin(
    HALF,
    HALF,
    nodes=[
        (0, "lost", ("x", leaf(1)), ("y", leaf(2))),
        (0, "first", ("go", (0, "lost", ("x", leaf(3)), ("y", leaf(4)))), ("stop", leaf(0))),
    ],
)
FORGETS_WHAT_IT_KNEW = coin(
    HALF,
    HALF,
    nodes=[
        (1, "heads", ("go", (1, "lost", ("x", leaf(1)), ("y", leaf(2)))), ("stop", leaf(0))),
        (1, "tails", ("go", (1, "lost", ("x", leaf(3)), ("y", leaf(4)))), ("stop", leaf(0))),
    ],
)


@over(
    [
        (FORGETS_OWN_MOVE, 0, "lost"),
        (ABSENT_MINDED, 0, "cross"),
        (FORGETS_WHETHER_IT_MOVED, 0, "lost"),
        (FORGETS_WHAT_IT_KNEW, 1, "lost"),
    ]
)
def test_imperfect_recall_is_refused_by_the_sequence_form_only(node, player, key):
    tree = build_tree(Drawn(*node))
    assert key in tree.keys[player]
    with pytest.raises(
        ValueError, match=rf"player {player} has imperfect recall: infoset '{key}' follows both"
    ):
        tree_form(tree)


def test_what_the_other_player_did_may_be_unknown():
    form = compiled(matrix_game([[1, 2], [3, 4]]))
    assert form.n_infosets == (1, 1)
