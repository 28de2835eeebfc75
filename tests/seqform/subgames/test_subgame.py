"""Cutting games at public states, and what a blueprint says of the cut: both against walks over the rules."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import numbered
from tests.helpers.profiles import drawn_profile
from tests.helpers.twins.drawn import Drawn, leaf
from tests.helpers.twins.games import (
    Wrapped,
    best_response,
    exact_entries,
    leaves,
    moves_of,
    probabilities,
)
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.gadgets.subgame_solvers import EquilibriumOf
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import coin_toss
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.subgames.cut import Cut, cut
from treeplex.seqform.subgames.forest import NOTHING, choice, choices
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree

FIGURE_4 = "coin_toss(forfeit=false,subgames=2)"
NAMED = ("coin_toss", FIGURE_4, "kuhn_poker", "leduc_poker(raises=1)")
SEEDS, DEPTHS = st.integers(0, 10**6), st.integers(0, 6)
SEATS = [0, 1]


def cut_in(enumerated: NumberedTree, names: list[str], defender: int) -> Cut:
    return cut(PublicStates.of(enumerated.tree), enumerated, names, defender)


# Twins: walks over the rules of the game.


def begins(game, names, state=None, weight=Fraction(1), past=((), ())):
    """Return the earliest histories in some public states: state, chance's part, each player's moves."""
    state = game.root() if state is None else state
    if game.public(state) in names:
        return [(state, weight, past)]
    player, found = game.player(state), []
    if player == CHANCE:
        for label, probability in game.chance(state):
            found += begins(game, names, game.child(state, label), weight * probability, past)
    elif player != TERMINAL:
        for action in game.actions(state):
            longer = list(past)
            longer[player] = (*past[player], (game.infoset(state, player), action))
            found += begins(game, names, game.child(state, action), weight, tuple(longer))
    return found


def tops_of(game, names, opponent):
    """Return the earliest histories by what the opponent knows there."""
    tops = {}
    for start in begins(game, names):
        tops.setdefault(game.infoset(start[0], opponent), []).append(start)
    return tops


def below(game, starts, player):
    """Return the leaves below some histories; the player's own moves before them are left out."""
    found = []
    for state, weight, past in starts:
        for end in leaves(game, state, weight, past):
            trimmed = [end.past[p][len(past[p]) if p == player else 0 :] for p in (0, 1)]
            found.append(end._replace(past=tuple(trimmed)))
    return found


def played(moves, table):
    return prod((table[move] for move in moves), start=Fraction(1))


def gains(ends, player, other):
    """Return [(own moves, what they earn ``player``)] of leaves, the other player's moves by a table."""
    sign = 1 if player == 0 else -1
    return [(z.past[player], sign * z.weight * z.payoff * played(z.past[1 - player], other)) for z in ends]


# Where a cut begins, and what it holds.


@over(
    [
        ("coin_toss", 1, [":Play"], ["Heads:Play", "Tails:Play"]),
        (FIGURE_4, 1, [":Play/S1", ":Play/S2"], ["Heads:Play/S1", "Tails:Play/S1"]),
        ("kuhn_poker", 0, [":c"], ["Q:c", "K:c", "J:c"]),
        ("kuhn_poker", 1, [":c", ":r"], ["J:c", "Q:c", "K:c"]),
    ]
)
def test_where_known_games_are_cut(spec, defender, subgames, first_tops) -> None:
    enumerated = numbered(spec)
    assert list(PublicStates.of(enumerated.tree).first_subgames(defender)) == subgames
    assert sorted(cut_in(enumerated, subgames[:1], defender).tops) == sorted(first_tops)


def test_one_sequence_enters_tops_of_two_subgames_and_each_has_its_own() -> None:
    first, second = (cut_in(numbered(FIGURE_4), [f":Play/{s}"], 1) for s in ("S1", "S2"))
    assert first.entry.tolist() == second.entry.tolist() == [2, 4]  # Play after Heads, and after Tails
    assert set(first.tops).isdisjoint(second.tops)
    assert not np.any(first.inside & second.inside)


@over(SEATS)
def test_leduc_has_15_boards_and_45_tops_also_where_the_opponent_is_idle(defender) -> None:
    enumerated = numbered("leduc_poker")
    cuts = [
        cut_in(enumerated, [n], defender) for n in PublicStates.of(enumerated.tree).first_subgames(defender)
    ]
    assert len(cuts) == 15
    assert [len(piece.tops) for piece in cuts] == [3] * 15
    acting = enumerated.form.treeplexes[1 - defender].infosets
    # Player 0 opens the second round: as the opponent it acts at its tops, and player 1 never does.
    assert {top in acting for piece in cuts for top in piece.tops} == {defender == 1}
    assert sum(piece.inside for piece in cuts).max() == 1


@over(SEATS)
def test_a_union_of_public_states_is_one_subgame(defender) -> None:
    enumerated = numbered("kuhn_poker")
    profile = drawn_profile(enumerated.form, 3, -2)
    checked, raised, both = (cut_in(enumerated, names, defender) for names in ([":c"], [":r"], [":r", ":c"]))
    assert both.roots.tolist() == sorted(checked.roots.tolist() + raised.roots.tolist())
    value = {t: v for piece in (checked, raised) for t, v in values_of(piece, profile).items()}
    assert values_of(both, profile) == value
    assert cut_in(enumerated, [":c", ":cr"], defender).roots.tolist() == checked.roots.tolist()


def values_of(piece: Cut, profile: Profile) -> dict[str, float]:
    return dict(zip(piece.tops, Subgame.of(piece, profile).value.tolist(), strict=True))


@over(SEATS, [*NAMED, "random_game(seed=6,depth=6)"])
def test_the_whole_game_is_a_subgame(defender, spec) -> None:
    enumerated = numbered(spec)
    subgame = Subgame.of(
        cut_in(enumerated, [enumerated.tree.public_keys[0]], defender), drawn_profile(enumerated.form, 1, -2)
    )
    assert subgame.cut.roots.tolist() == [0]
    assert subgame.cut.leaves.node.tolist() == enumerated.tree.leaves.tolist()
    assert subgame.cut.inside[1:].all()
    assert subgame.reach.tolist() == [1.0]
    assert subgame.value.tolist() == pytest.approx([subgame.response.total], rel=1e-12)


@pytest.mark.seconds(3)
@over(SEATS)
@given(seed=SEEDS, depth=DEPTHS)
def test_a_cut_holds_what_lies_below_its_public_state(defender, seed, depth) -> None:
    game = random_game(seed=seed, depth=depth)
    enumerated = numbered(game)
    for name in enumerated.tree.public_keys:
        piece, tops = cut_in(enumerated, [name], defender), tops_of(game, {name}, 1 - defender)
        assert piece.tops == tuple(tops)
        assert np.bincount(piece.root_top).tolist() == [len(starts) for starts in tops.values()]
        ends = [end for starts in tops.values() for end in below(game, starts, -1)]
        sign = 1 if defender == 1 else -1
        assert sorted(piece.leaves.amount) == sorted(float(sign * z.weight * z.payoff) for z in ends)
        for forest, player in ((piece.own, defender), (piece.other, 1 - defender)):
            within = {
                k for starts in tops.values() for z in below(game, starts, player) for k in z.past[player]
            }
            assert {moves_of(forest.treeplex)[move] for move in within} == set(forest.sequences.tolist())


@over(SEATS)
@given(seed=SEEDS, depth=DEPTHS)
def test_leaves_of_disjoint_subgames_and_those_outside_sum_to_the_payoff(defender, seed, depth) -> None:
    enumerated = numbered(random_game(seed=seed, depth=depth))
    states = PublicStates.of(enumerated.tree)
    try:
        names = states.first_subgames(defender)
    except ValueError:
        names = (enumerated.tree.public_keys[0],)
    pieces = [cut(states, enumerated, [name], defender).leaves for name in names]
    inside = np.concatenate([z.node for z in pieces])
    assert len(set(inside.tolist())) == len(inside)
    den = enumerated.tree.chance_den * enumerated.tree.payoff_den * (-1 if defender == 0 else 1)
    total = {}
    for z in set(enumerated.tree.leaves.tolist()) - set(inside.tolist()):
        at = int(enumerated.last[defender][z]), int(enumerated.last[1 - defender][z])
        total[at] = total.get(at, 0) + float(
            Fraction(enumerated.tree.chance[z] * enumerated.tree.payoff[z], den)
        )
    for z in pieces:
        for own, other, amount in zip(z.own.tolist(), z.other.tolist(), z.amount.tolist(), strict=True):
            total[own, other] = total.get((own, other), 0) + amount
    whole = {
        (rc if defender == 0 else rc[::-1]): float(a) * (-1 if defender == 0 else 1)
        for rc, a in exact_entries(enumerated.form.payoff).items()
    }
    assert {at: a for at, a in total.items() if abs(a) > 1e-14} == pytest.approx(whole, abs=1e-14)


# What a blueprint says of a cut.


@over(SEATS)
@example(seed=120, depth=6)
@given(seed=SEEDS, depth=DEPTHS)
def test_reach_and_values_of_tops_are_those_of_their_histories(defender, seed, depth) -> None:
    game = random_game(seed=seed, depth=depth)
    enumerated = numbered(game)
    profile = drawn_profile(enumerated.form, seed, -2)
    tables = [probabilities(t, b) for t, b in zip(enumerated.form.treeplexes, profile.behaviour, strict=True)]
    opponent, counted = 1 - defender, 0
    for name in enumerated.tree.public_keys:
        subgame = Subgame.of(cut_in(enumerated, [name], defender), profile)
        for t, starts in enumerate(tops_of(game, {name}, opponent).values()):
            reach = sum(w * played(past[defender], tables[defender]) for _, w, past in starts)
            assert subgame.reach[t] == pytest.approx(float(reach), rel=1e-12)
            assert bool(subgame.live[t]) == (reach > 0)
            ends = below(game, starts, opponent)
            best = best_response(ends, opponent, tables[defender])[0]
            assert subgame.value[t] == pytest.approx(float(best), abs=1e-12)
            own = gains(ends, opponent, tables[defender])
            plain = sum(v * played(moves, tables[opponent]) for moves, v in own)
            assert subgame.blueprint_value[t] == pytest.approx(float(plain), abs=1e-12)
            above = played(starts[0][2][opponent], tables[opponent])
            assert subgame.opponent_reach[t] == pytest.approx(float(above), rel=1e-12)
            counted += 1
    assert counted >= len(enumerated.tree.public_keys)


def test_values_per_unit_of_reach_are_not_a_number_where_nobody_comes() -> None:
    enumerated = numbered("kuhn_poker")
    never = Profile(enumerated.form.treeplexes, tuple(t.uniform() for t in enumerated.form.treeplexes))
    behaviour = never.behaviour[0].copy()
    for move, p in {("J:", "c"): 0.0, ("J:", "r"): 1.0, ("Q:", "c"): 0.0, ("Q:", "r"): 1.0}.items():
        behaviour[moves_of(enumerated.form.treeplexes[0])[move]] = p
    subgame = Subgame.of(
        cut_in(enumerated, [":c"], 0), Profile(never.treeplexes, (behaviour, never.behaviour[1]))
    )
    value = dict(zip(subgame.cut.tops, subgame.cbv.tolist(), strict=True))
    assert subgame.live.tolist() == [top != "K:c" for top in subgame.cut.tops]
    assert np.isnan(value["K:c"])
    # Player 0 has the king: passing loses 1, and a bet is worth -2 or 1, half the time each.
    assert (value["J:c"], value["Q:c"]) == pytest.approx((-0.5, -0.5))


# Public states of games that name only one.


@dataclass(frozen=True)
class Hidden(Wrapped):
    """The game says nothing of what is public."""

    def public(self, state):
        return ""


def partition(states: PublicStates) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(states.state == k).tolist()) for k in range(len(states.names))}


@over(NAMED)
def test_derived_public_states_are_the_named_ones(spec) -> None:
    named, hidden = numbered(spec), numbered(Hidden(load_game(spec)))
    said, derived = PublicStates.of(named.tree), PublicStates.of(hidden.tree)
    assert partition(derived) == partition(said)
    for name in derived.names:
        piece = cut(derived, hidden, [name], 1)
        same = said.names[said.state[piece.roots[0]]]
        assert piece.roots.tolist() == cut(said, named, [same], 1).roots.tolist()


@over(SEATS)
@given(seed=SEEDS, depth=DEPTHS)
def test_derived_public_states_cut_no_knowledge_and_can_all_be_cut(defender, seed, depth) -> None:
    enumerated = numbered(Hidden(random_game(seed=seed, depth=depth)))
    states = PublicStates.of(enumerated.tree)
    assert len(set(states.names)) == len(states.names)
    for p in (0, 1):
        for key in range(len(enumerated.tree.keys[p])):
            assert len(set(states.state[enumerated.tree.infoset[:, p] == key].tolist())) == 1
    shown = build_tree(random_game(seed=seed, depth=depth)).public
    for name in states.names:
        first = int(np.flatnonzero(states.state == states.index[name])[0])
        assert enumerated.tree.path(first) == name
        assert len(set(shown[states.state == states.index[name]].tolist())) == 1
        assert first in cut(states, enumerated, [name], defender).roots


@given(seed=SEEDS, depth=DEPTHS)
def test_subtrees_and_paths_of_a_tree(seed, depth) -> None:
    tree = build_tree(random_game(seed=seed, depth=depth))
    for node in range(tree.n_nodes):
        under = {node}
        for n in range(node + 1, tree.n_nodes):
            under |= {n} if int(tree.parent[n]) in under else set()
        assert under == set(range(node, int(tree.end[node])))
        assert tree.chance_floats[node] == float(Fraction(int(tree.chance[node]), tree.chance_den))
        at = 0
        for move in filter(None, tree.path(node).split("/")):
            who = int(tree.player[at])
            label = int(move) if who < 0 else tree.labels[who][tree.infoset[at, who]].index(move)
            at = next(n for n in np.flatnonzero(tree.parent == at) if tree.action[n] == label)
        assert at == node


# What is refused.


@dataclass(frozen=True)
class Liar(Wrapped):
    """The coin is public, says the game, but player 1 has not seen it."""

    def public(self, state):
        return f"{state[0]} {self.game.public(state)}" if state else "start"


@dataclass(frozen=True)
class Blind(Wrapped):
    """Player 0 knows nothing but the depth where it does not act."""

    def infoset(self, state, player):
        acts = self.game.player(state) == player
        return self.game.infoset(state, player) if player == 1 or acts else f"idle {len(state)}"


@dataclass(frozen=True)
class Forgets(Wrapped):
    """Player 1 of Kuhn poker forgets its card as soon as it is to act."""

    def infoset(self, state, player):
        key = self.game.infoset(state, player)
        return f"?{key[1:]}" if player == self.game.player(state) == 1 else key


def test_public_states_that_cut_an_infoset_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'Heads :Play' is no subgame .* cuts player 1's infoset '\?:Play'"):
        cut_in(numbered(Liar(coin_toss())), ["Heads :Play"], 1)
    together = ["Heads :Play", "Tails :Play"]
    assert len(cut_in(numbered(Liar(coin_toss())), together, 1).tops) == 2


def test_tops_at_which_the_opponent_forgets_its_own_moves_are_refused() -> None:
    enumerated = numbered(Blind(coin_toss()))
    with pytest.raises(ValueError, match="player 0 forgets its own moves in 'idle 2', where ':Play' begins"):
        cut_in(enumerated, [":Play"], 1)


def test_an_infoset_of_the_opponent_below_two_tops_is_refused() -> None:
    enumerated = numbered(Forgets(load_game("kuhn_poker")))
    with pytest.raises(ValueError, match=r"player 1 forgets: infoset '\?:c' follows two tops of ':'"):
        cut_in(enumerated, [":"], 0)
    assert cut_in(enumerated, [":"], 1).tops == (
        "J:",
        "Q:",
        "K:",
    )  # what the defender forgets is its own loss


@over(
    [
        ([":play"], 1, "coin_toss has no public state ':play'; there are 7, such as ':Play'"),
        ([":Play", "nowhere"], 1, "no public state 'nowhere'"),
        ([":Play"], 2, "defender must be 0 or 1, got 2"),
        ([":Play"], -1, "defender must be 0 or 1, got -1"),
    ]
)
def test_wrong_names_and_seats_are_refused(names, defender, message) -> None:
    with pytest.raises(ValueError, match=message):
        cut_in(numbered("coin_toss"), names, defender)


def test_no_public_state_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="public state"):
        cut_in(numbered("coin_toss"), [], 1)


def test_a_game_in_which_the_defender_decides_nothing_later_has_no_usual_cut() -> None:
    with pytest.raises(ValueError, match="player 0 decides nothing after the first decision"):
        PublicStates.of(numbered("coin_toss").tree).first_subgames(0)


def test_a_blueprint_of_another_game_is_refused() -> None:
    other = drawn_profile(numbered("kuhn_poker").form, 0)
    with pytest.raises(ValueError, match="other infosets or actions"):
        Subgame.of(cut_in(numbered("coin_toss"), [":Play"], 1), other)


# Grafting.


@over(SEATS)
@given(seed=SEEDS, depth=DEPTHS)
def test_grafted_decisions_are_those_of_the_whole_game(defender, seed, depth) -> None:
    enumerated = numbered(random_game(seed=seed, depth=depth))
    whole = cut_in(enumerated, [enumerated.tree.public_keys[0]], defender)
    for forest in (whole.own, whole.other):
        copy, to = forest.graft(NOTHING, np.zeros(1, dtype=np.int64))
        assert (copy.infosets, copy.actions) == (forest.treeplex.infosets, forest.treeplex.actions)
        assert copy.parent.tolist() == forest.treeplex.parent.tolist()
        assert to.tolist() == list(range(forest.treeplex.n_sequences))
    for name in enumerated.tree.public_keys:
        forest = cut_in(enumerated, [name], defender).other
        header = choices(tuple(f"top {t}" for t in range(forest.n_entries)), ("stay", "enter"))
        at = np.where(np.arange(forest.n_entries) == 1, -1, header.begin + 1)
        grafted, to = forest.graft(header, at, "!")
        check_graft(forest, grafted, to, at, header.n_sequences)


def check_graft(forest, grafted, to, at, n_header) -> None:
    entries = forest.n_entries
    assert to[:entries].tolist() == at.tolist()
    assert sorted(to[entries:][to[entries:] >= 0]) == list(range(n_header, grafted.n_sequences))
    local = forest.local(forest.sequences, np.full(len(forest.sequences), -7))
    assert local.tolist() == list(range(entries, forest.n_local))
    assert forest.local(np.zeros(1, dtype=np.int64), np.array([-7])).tolist() == [-7]
    above = dict(zip(forest.infosets.tolist(), forest.parent.tolist(), strict=True))
    for s, here in zip(forest.sequences.tolist(), to[entries:].tolist(), strict=True):
        i = int(forest.treeplex.infoset_of[s])
        assert (here < 0) == (to[above[i]] < 0)
        if here >= 0:
            assert grafted.actions[here] == forest.treeplex.actions[s]
            assert grafted.infosets[grafted.infoset_of[here]] == forest.treeplex.infosets[i] + "!"
            assert grafted.parent_of[here] == to[above[i]]


def test_one_forest_is_grafted_twice_under_other_names() -> None:
    forest = cut_in(numbered("kuhn_poker"), [":c"], 1).own
    once, _ = forest.graft(choice("first", ("l", "r")), np.array([1]))
    twice, to = forest.graft(once, np.array([2]), " again")
    assert [key for key in twice.infosets if key.endswith(" again")] == [f"{k}:c again" for k in "QKJ"]
    assert set(twice.parent_of[to[1:]].tolist()) == {2}
    with pytest.raises(ValueError, match="two infosets have one key"):
        forest.graft(once, np.array([2]))


# Payoffs from floats.


@example([(0, 0, 1e-300), (1, 1, 1e300), (0, 1, 0.0), (1, 0, -0.0)])
@example([(0, 0, 5e-324), (0, 0, 1.7976931348623157e308), (0, 0, -5e-324)])
@example([(1, 2, 0.1), (1, 2, 0.2), (1, 2, -0.3)])
@example([(1, 1, 2.0), (1, 1, -2.0)])
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 2), st.floats(allow_nan=False, allow_infinity=False)),
        max_size=12,
    )
)
def test_a_matrix_of_floats_is_exact(entries) -> None:
    rows, cols = (np.array([e[k] for e in entries], dtype=np.int64) for k in (0, 1))
    matrix = ExactMatrix.of_floats(rows, cols, np.array([e[2] for e in entries]), (2, 3))
    total = {}
    for r, c, value in entries:
        total[r, c] = total.get((r, c), Fraction(0)) + Fraction(value)
    found = {
        (r, c): Fraction(int(a), matrix.den)
        for r, c, a in zip(matrix.rows.tolist(), matrix.cols.tolist(), matrix.num, strict=True)
    }
    assert found == {at: a for at, a in total.items() if a}
    assert matrix.shape == (2, 3)


def test_derived_names_are_distinct_even_where_labels_hold_a_slash() -> None:
    game = Drawn(0, "", ("a/b", leaf()), ("a", (0, "a", ("b", leaf()), ("c", leaf()))))
    names = PublicStates.of(build_tree(Hidden(game))).names
    assert len(set(names)) == len(names) == 5
    assert {"a/b", "a/b (2)"} <= set(names)


def test_reach_too_small_for_quotients_is_none() -> None:
    """A king that never comes here is worth nothing here, and nothing overflows on the way to saying so."""
    enumerated = numbered("kuhn_poker")
    x, y = (t.uniform() for t in enumerated.form.treeplexes)
    treeplex = enumerated.form.treeplexes[0]
    for key, checks in (("J:", 1e-310), ("Q:", 1.0), ("K:", 1.0)):
        lo = treeplex.begin[treeplex.index[key]]
        x[lo : lo + 2] = checks, 1 - checks
    subgame = Subgame.of(cut_in(enumerated, [":c"], 0), Profile(enumerated.form.treeplexes, (x, y)))
    for gadget in (Resolve(), Maxmargin(), Unsafe()):
        assert EquilibriumOf(gadget).solve(subgame).certificate.nash_conv < 1e-9
