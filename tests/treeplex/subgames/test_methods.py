"""Gadgets on boards: one's own, and suits that play or payoffs tell apart."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, on_boards, random_blueprint
from tests.helpers.cells import over
from treeplex.core.problem import Problem
from treeplex.gadgets.gadget import KeyedGadget, RootGadget
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.gadgets.own_gadgets import OwnGadget
from treeplex.gadgets.published_gadgets import Resolve
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import unmerged
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.tops import Entry, RootDecisions, nothing
from treeplex.subgames import resolve_on_boards as by_subgames
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.resolve_on_boards import (
    BoardEffort,
    pays_suits_alike,
    plays_suits_alike,
    promises,
    resolve_on_boards,
)

SPOT = 'small_holdem(board="As Kh Qs Jh",ranks=5)'
MONOTONE = "turn_holdem(ranks=3,suits=4,raises=[1,1,1])"


@dataclass(frozen=True)
class Trusting(RootGadget):
    """The opponent comes with all hands as often."""

    entry_weight: float = 1.0
    off: int = 0

    def root(self, tops):
        at = np.where(tops.live, self.off, -1)
        return RootDecisions(NOTHING, (Entry(at, np.full(len(at), self.entry_weight)),), nothing())


class Rootless(KeyedGadget):
    """A gadget for enumerated games only."""

    def apply(self, subgame):
        raise NotImplementedError


class Raising(RootGadget):
    """A gadget with an error in it."""

    def root(self, tops):
        return tops.nothing_of_the_kind


def test_a_gadget_of_ones_own_is_solved_and_promises_nothing():
    problem = Problem(load_game("example:river"))
    found = resolve_on_boards(problem, 1, "c", Trusting(), blueprint="cfr+:20")
    assert (found.method, found.promised, found.kept) == ("Trusting", False, {})
    assert found.best_response_after <= found.best_response_before + found.error + 1e-9
    assert all(top.alternative is None for top in found.tops)


@over(
    [
        (Rootless(), "on boards a gadget needs root"),
        (Raising(), "Raising.root: AttributeError"),
        (Trusting(-1.0), "Trusting.root: weight of an entry must be"),
        (Trusting(1.0, 7), "Trusting.root: at of an entry must be"),
    ]
)
def test_gadgets_that_are_none(gadget, complaint):
    subgame = on_boards(random_blueprint(board_tree(SPOT), 1), 0, "c")
    with pytest.raises(ValueError, match=complaint):
        OwnGadget(gadget).root(subgame)


@pytest.mark.seconds(3)
def test_suits_stay_merged_for_engines_and_are_parted_for_uneven_strategies():
    problem = Problem(load_game(MONOTONE))
    even = blueprint_on_boards(problem, "dcfr:5")
    assert plays_suits_alike(even)
    uneven = random_blueprint(problem.boards(), 1)
    assert not plays_suits_alike(uneven)
    parted = unmerged(uneven, problem.boards(isomorphism=False))
    assert plays_suits_alike(parted)
    line = next(line for line, n in even.tree.betting.node_of.items() if even.tree.betting.street[n] == 1)
    for which in range(3):
        subgame = on_boards(even, 0, line, which)
        assert pays_suits_alike(subgame, Resolve())
    assert not pays_suits_alike(on_boards(uneven, 0, line, 0), Resolve())


def test_only_on_the_last_street_play_may_tell_suits_apart():
    """Uneven play on a single street: a later deal parts its hands, after the last street there is none."""
    tree = board_tree(MONOTONE)
    even, uneven = [np.ones(base[-1]) for base in tree.base], random_blueprint(tree, 1)
    for street in range(tree.betting.n_streets):
        rows = np.repeat(tree.boards.street == street, np.diff(tree.base[0]))
        mixed = FactoredStrategy(tree, (np.where(rows, uneven.weight[0], even[0]), even[1]))
        assert plays_suits_alike(mixed) == (street == tree.betting.n_streets - 1)


@pytest.mark.seconds(2)
def test_boards_are_parted_where_a_blueprint_tells_suits_apart(monkeypatch):
    class PartedError(Exception):
        pass

    def refuse(start, boards):
        raise PartedError

    monkeypatch.setattr(by_subgames, "unmerged", refuse)
    problem, tree = Problem(load_game(MONOTONE)), board_tree(MONOTONE)
    even, uneven = FactoredStrategy(tree, tuple(np.ones(n[-1]) for n in tree.base)), random_blueprint(tree, 1)
    how = {"effort": BoardEffort(iterations=1, tolerance=1.0)}
    resolve_on_boards(problem, 1, "AsKsQs:cc/", "resolve", blueprint=even, **how)
    with pytest.raises(PartedError):
        resolve_on_boards(problem, 1, "AsKsQs:cc/", "resolve", blueprint=uneven, **how)


def test_gifts_of_a_scale_above_one_promise_nothing():
    for scale in (0.0, 0.5, 1.0, 1.01, 20.0):
        options = GadgetOptions(scale=scale)
        for base in ("resolve", "maxmargin"):
            assert promises(f"reach-{base}", options) == (scale <= 1.0)
            assert promises(base, options)  # without gifts there is nothing to scale
        assert not promises("unsafe", options)


@pytest.mark.seconds(20)
def test_a_subgame_is_the_same_on_merged_boards_and_on_others():
    problem = Problem(load_game(MONOTONE))
    even = blueprint_on_boards(problem, "dcfr:5")
    tree = even.tree
    parted = unmerged(even, problem.boards(isomorphism=False))
    line = next(line for line, n in tree.betting.node_of.items() if tree.betting.street[n] == 1)
    board = int(np.flatnonzero(tree.boards.street == 1)[0])
    at = tree.game.public_key(tree.boards.cards[board], line)
    effort = BoardEffort(iterations=100, tolerance=1.0)
    first, second = (
        resolve_on_boards(problem, 1, at, "maxmargin", blueprint=one, effort=effort) for one in (even, parted)
    )
    assert first.subgames == second.subgames
    assert first.best_response_before == pytest.approx(second.best_response_before, abs=1e-9)
    intervals = first.gadget_value, second.gadget_value
    assert max(lower for lower, _ in intervals) <= min(upper for _, upper in intervals)
    assert {top.top: top.cbv for top in first.tops} == pytest.approx(
        {top.top: top.cbv for top in second.tops}
    )
