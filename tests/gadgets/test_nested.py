"""Moves that the defender's abstraction lacks: nested solving against translation, on no-limit Leduc."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, on_boards, random_blueprint
from tests.helpers.cells import over
from tests.helpers.forms import numbered
from treeplex.gadgets.off_tree.menu_abstraction import Abstraction
from treeplex.gadgets.off_tree.nested_solving import solve_nested
from treeplex.gadgets.off_tree.off_tree import OffTree, off_tree_method
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.formats.specs import load_game
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.subgames.off_tree import COMPARED, TRANSLATION, compare_off_tree

SMALL = "no_limit_leduc(max_raises=[1,1])"
FULL = "no_limit_leduc(bets=[1/2,3/4,1],max_raises=[1,1])"
SOLVED = [pair for row, pair in COMPARED.items() if row != TRANSLATION]


@cache
def ready(small=SMALL, full=FULL):
    """The abstraction, the full game's numbered tree, the embedded equilibrium, the missing moves."""
    abstraction = Abstraction(load_game(small), load_game(full))
    enumerated = numbered(abstraction.full)
    blueprint = solve_lp(numbered(abstraction.small).form).profile
    return (
        abstraction,
        enumerated,
        abstraction.embedded(blueprint, enumerated.form),
        abstraction.missing(enumerated.form),
    )


def exploitability(enumerated, defender, profile):
    value = solve_lp(enumerated.form).certificate.value
    gained = enumerated.form.best_response(1 - defender, profile.plans[defender]).total
    return gained - (value if defender == 1 else -value)


def test_missing_moves_are_the_three_quarter_bets():
    _, enumerated, _, missing = ready()
    for player, treeplex in enumerate(enumerated.form.treeplexes):
        # With antes of 1 a first bet of 3/4 of the pot of 2 brings 1.5.
        first = [s for s in range(1, treeplex.n_sequences) if treeplex.actions[s] == "r1.5"]
        assert first
        assert all(missing[player][s] for s in first)
        sizes = {treeplex.actions[s] for s in np.flatnonzero(~missing[player])}
        assert {"c", "f", "r1", "r2"} <= sizes


def test_the_embedded_equilibrium_has_the_small_games_value_against_known_moves():
    _, enumerated, start, missing = ready()
    small = solve_lp(numbered(SMALL).form).certificate.value
    known = enumerated.form.restrict(tuple(~m for m in missing))
    assert solve_lp(known).certificate.value == pytest.approx(small, abs=1e-9)
    x, y = start.plans
    assert x @ enumerated.form.payoff.against(0, y) == pytest.approx(small, abs=1e-9)


@over(zip(SOLVED, (0, 1) * 3, strict=True))
def test_answers_are_strategies_and_change_nothing_on_known_lines(solved, defender):
    method, approach = solved
    _, enumerated, start, missing = ready()
    found = solve_nested(enumerated, defender, start, missing, off_tree_method(method, approach))
    check_profile(enumerated.form, found)
    treeplex = enumerated.form.treeplexes[defender]
    known = set(numbered(SMALL).form.treeplexes[defender].infosets)
    same = np.array([key in known for key in treeplex.infosets])
    assert same.any()
    assert not same.all()
    kept = same[treeplex.infoset_of[1:]]
    assert np.array_equal(found.behaviour[defender][1:][kept], start.behaviour[defender][1:][kept])
    assert not found.plans[defender][missing[defender]].any()


class Own(Resolve):
    """Resolve with entries of another weight."""

    weight = 1.0

    def root(self, tops):
        root = super().root(tops)
        return replace(root, entries=tuple(replace(e, weight=e.weight * self.weight) for e in root.entries))


class Minus(Own):
    weight = -1.0


class Forgets(Own):
    def root(self, tops):
        return None


WRONG = [
    (Minus, r"Minus \(resolve\).root: weight of an entry"),
    (Forgets, r"Forgets \(resolve\).root must return RootDecisions"),
]


@over(WRONG)
def test_subclasses_of_published_gadgets_are_checked(gadget, complaint):
    _, enumerated, start, missing = ready()
    with pytest.raises(ValueError, match=complaint):
        solve_nested(enumerated, 1, start, missing, off_tree_method(gadget))


@over(WRONG)
def test_subclasses_of_published_gadgets_are_checked_on_boards(gadget, complaint):
    subgame = on_boards(random_blueprint(board_tree('small_holdem(board="As Kh Qs Jh",ranks=5)'), 1), 0, "c")
    with pytest.raises(ValueError, match=complaint):
        off_tree_method(gadget).on_hands().root(subgame)
    right, published = (off_tree_method(make).on_hands().root(subgame) for make in (Own, Resolve))
    assert np.array_equal(right.entries[0].weight, published.entries[0].weight)


@over([object(), type("Plain", (), {}), 5])
def test_what_takes_no_alternative_values_is_no_way_to_answer(own):
    with pytest.raises(ValueError, match="must be called with alternative values"):
        off_tree_method(own)


@over([0, 1])
def test_solving_beats_the_placeholder_and_needs_no_luck(defender):
    _, enumerated, start, missing = ready()
    before = exploitability(enumerated, defender, start)
    for make in (Resolve, Maxmargin):
        after = exploitability(
            enumerated, defender, solve_nested(enumerated, defender, start, missing, OffTree(make))
        )
        assert -1e-9 <= after < before / 10


def test_a_second_surprise_is_answered_too():
    """With two bets a round the missing size can come twice; every answer must be a solved one."""
    _, enumerated, start, missing = ready(
        "no_limit_leduc(max_raises=[0,2])",
        "no_limit_leduc(bets=[1/2,3/4,1],max_raises=[0,2])",
    )
    placeholder = exploitability(enumerated, 1, start)
    once = solve_nested(
        enumerated, 1, start, (missing[0], first_only(enumerated, missing)), OffTree(Maxmargin)
    )
    both = solve_nested(enumerated, 1, start, missing, OffTree(Maxmargin))
    changed = once.behaviour[1] != both.behaviour[1]
    assert changed.any(), "a second missing bet gets an answer of its own"
    assert exploitability(enumerated, 1, both) < placeholder / 10


def first_only(enumerated, missing):
    """Player 0's missing moves without those that come after another one."""
    mask, parent = missing[0].copy(), enumerated.form.treeplexes[0].parent_of
    for s in np.flatnonzero(missing[0]):
        above = parent[s]
        while above > 0:
            mask[s] &= not missing[0][above]
            above = parent[above]
    return mask


def test_nothing_missing_changes_nothing():
    _, enumerated, start, missing = ready()
    none = tuple(np.zeros_like(m) for m in missing)
    found = solve_nested(enumerated, 0, start, none, OffTree(Resolve))
    assert np.array_equal(found.behaviour[0], start.behaviour[0])
    with pytest.raises(ValueError, match=r"missing must have shape \(\d+,\) for player 1, got \(3,\)"):
        solve_nested(enumerated, 0, start, (none[0], np.zeros(3, dtype=bool)), OffTree(Resolve))


def test_an_abstraction_needs_menus():
    limit = load_game("leduc_poker")
    form = numbered(limit).form
    with pytest.raises(ValueError, match="needs a menu of bet sizes"):
        Abstraction(limit, limit).missing(form)


@pytest.mark.seconds(30)
def test_nested_solving_is_far_better_than_translation():
    """The order of Table 2: every safe answer beats translation by a wide margin, in both seats."""
    small = load_game("no_limit_leduc(max_raises=[2,2])")
    full = load_game("no_limit_leduc(bets=[1/2,3/4,1],max_raises=[2,2])")
    rows = {row.method: row for row in compare_off_tree(full, small)}
    assert rows.keys() == COMPARED.keys()
    translated = rows[TRANSLATION].exploitability
    for method in ("resolve", "maxmargin", "reach-maxmargin", "resolve (expensive)"):
        for seat in (0, 1):
            assert -1e-9 <= rows[method].exploitability[seat] < translated[seat] / 3
