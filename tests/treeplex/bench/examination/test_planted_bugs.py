"""Fingerprints of solvers that others write: styles of textbooks are named, planted bugs named and placed."""

from dataclasses import dataclass
from itertools import product

import pytest

from tests.helpers.cells import over
from tests.helpers.twins.games import Wrapped
from tests.helpers.two_tiers import two_tiers
from treeplex.bench.examination.fingerprint import Fingerprint, Nearest, fingerprint
from treeplex.core.loading import load
from treeplex.examples.solvers.textbook import TextbookCFR
from treeplex.files.strategies import strategy_of
from treeplex.games.base.protocol import TERMINAL

P0, P1, BOTH = ((0,), (1,)), ((1,), (0,)), ((0, 1),)
ORDERS = {P0: "alternating, player 0 first", P1: "alternating, player 1 first", BOTH: "simultaneous"}
LINEAR = float


def uniform(t):
    return 1.0


class Styled(TextbookCFR):
    """The textbook's CFR in other styles, and with mistakes.

    ``plus`` clips regrets; ``weights`` gives each iteration's weight in the average, of the plan before the
    update; ``order`` is the players of each walk; ``at_once`` lets each history's update count at once.
    """

    def __init__(self, game, plus=False, weights=uniform, order=P0, at_once=False, bug=""):
        super().__init__(game)
        self.plus, self.weights, self.order, self.at_once, self.bug = plus, weights, order, at_once, bug
        self.updating, self.t = (), 0

    def go_on(self, iterations=1):
        for _ in range(iterations):
            self.t += 1
            for updating in self.order:
                self.updating = updating
                self.iterate(self.t)
        rows = self.average
        if self.bug == "no averaging":
            rows = {key: {a: max(x, 0.0) for a, x in row.items()} for key, row in self.regret.items()}
        return {key: self.normalised(row) for key, row in rows.items()}

    def walk(self, node, reach, t):
        value = super().walk(node, reach, t)
        if self.at_once and node.infoset:
            self.update(self.key(node), self.found.pop(self.key(node)))
        return value

    def update(self, key, row):
        if key[0] in self.updating:
            super().update(key, row)
            if self.plus:
                self.regret[key] = {a: max(x, 0.0) for a, x in self.regret[key].items()}

    def weight(self, node, outcome):
        wrong = self.bug == "chance weight" and outcome == next(iter(node.odds))
        return super().weight(node, outcome) * (1.5 if wrong else 1.0)

    def others_reach(self, player, reach):
        return super().others_reach(1 - player if self.bug == "wrong reach" else player, reach)

    def share(self, player, reach, t):
        return self.weights(t) * super().share(player, reach, t) if player in self.updating else 0.0


@dataclass(frozen=True)
class WrongLeaf(Wrapped):
    """Another game, of which one leaf is paid to the other player."""

    leaf: str

    def payoff(self, state):
        return self.game.payoff(state) * (-1 if str(state) == self.leaf else 1)


def leaf_paths(game, state, path=()):
    """Return {leaf as text: infosets (player, key) on the way to it}."""
    player = game.player(state)
    if player == TERMINAL:
        return {str(state): path}
    moves, longer = (
        ([a for a, _ in game.chance(state)], path)
        if player < 0
        else (
            game.actions(state),
            (*path, (player, game.infoset(state, player))),
        )
    )
    below = (leaf_paths(game, game.child(state, a), longer) for a in moves)
    return {leaf: way for each in below for leaf, way in each.items()}


def found(spec, iterations=12, leaf=None, **choices):
    problem = load(spec)
    run = Styled(problem.game if leaf is None else WrongLeaf(problem.game, leaf), **choices)
    tables = {t: run.go_on() for t in range(1, iterations + 1)}
    return fingerprint(problem, {t: strategy_of(problem, table).strategy for t, table in tables.items()})


@pytest.mark.seconds(3)
@over([(order,) for order in ORDERS])
def test_orders_of_updates_are_named(order):
    assert found("kuhn_poker", order=order) == Fingerprint("cfr", "uniform, before the update", ORDERS[order])
    plus = found("leduc_poker(raises=1)", order=order, plus=True, weights=LINEAR)
    assert plus == Fingerprint("cfr+", "linear, before the update", ORDERS[order])


@two_tiers(
    [(order, "kuhn_poker") for order in ORDERS],
    [(order, "leduc_poker(raises=1)") for order in ORDERS],
    seconds=(3, 20),
)
def test_regrets_that_change_during_the_walk_are_recognised(order, spec):
    named = f"{ORDERS[order]}, regrets updated during the walk"
    assert found(spec, order=order, at_once=True) == Fingerprint("cfr", "uniform, met during the walk", named)
    plus = found(spec, order=order, at_once=True, plus=True, weights=LINEAR)
    variant = "cfr+, regrets clipped at each history"
    assert plus == Fingerprint(variant, "linear, met during the walk", named)


@pytest.mark.seconds(3)
@over(
    [
        (lambda t: t + 1.0, "linear with t + 1"),
        (lambda t: t - 1.0, "linear with t - 1"),
        (lambda t: max(t - 5.0, 0.0), "linear with t - 5"),
        (lambda t: float(t > 3), "uniform from iteration 4"),
        (lambda t: float(t**3), "cubic"),
    ]
)
def test_offsets_of_weights_are_named(weights, averaging):
    named = found("kuhn_poker", plus=True, weights=weights)
    assert named == Fingerprint("cfr+", f"{averaging}, before the update", ORDERS[P0])


@pytest.mark.seconds(3)
@over([(False, "leduc_poker(raises=1)"), (True, "kuhn_poker")])
def test_a_solver_without_averaging_and_one_without_weights_are_named(plus, spec):
    variant = "cfr+" if plus else "cfr"
    weights = LINEAR if plus else uniform
    last = found(spec, plus=plus, weights=weights, bug="no averaging")
    assert last == Fingerprint(variant, "last", ORDERS[P0])
    assert found(spec, plus=plus) == Fingerprint(variant, "uniform, before the update", ORDERS[P0])


@two_tiers(
    [("wrong reach", False, "kuhn_poker"), ("chance weight", True, "kuhn_poker")],
    product(["wrong reach", "chance weight"], [False, True], ["kuhn_poker", "leduc_poker"]),
    seconds=(4, 20),
)
def test_a_wrong_reach_and_a_wrong_chance_weight_are_placed(bug, plus, spec):
    first = found(spec, bug=bug, plus=plus, weights=LINEAR if plus else uniform)
    assert isinstance(first, Nearest)
    assert 2 <= first.iteration <= 12
    assert first.infosets
    assert first.difference > 1e-3
    if bug == "chance weight":
        assert first.nearest.order == ORDERS[P0]
        assert first.nearest.averaging == f"{'linear' if plus else 'uniform'}, before the update"


@pytest.mark.seconds(30)
@over([False, True])
def test_the_sign_of_a_leaf_is_placed_on_the_way_to_it(plus):
    """It shows first at infosets on the way to the leaf, and nowhere else; every fifth leaf is tried."""
    game = load("kuhn_poker").game
    for leaf, path in [*leaf_paths(game, game.root()).items()][int(plus) :: 5]:
        first = found("kuhn_poker", leaf=leaf, plus=plus)
        assert isinstance(first, Nearest), leaf
        assert first.nearest.variant == ("cfr+" if plus else "cfr"), leaf
        assert set(first.infosets) <= set(path), leaf


@pytest.mark.seconds(3)
@over([(1, "more"), (-1, "fewer")])
def test_a_wrong_number_of_iterations_is_named(extra, words):
    problem = load("kuhn_poker")
    run = Styled(problem.game, plus=True, weights=LINEAR)
    tables = {t - extra: run.go_on() for t in range(1, 13)}
    seen = {t: strategy_of(problem, table).strategy for t, table in tables.items() if t > 0}
    averaging = f"linear, before the update, after one iteration {words}"
    assert fingerprint(problem, seen) == Fingerprint("cfr+", averaging, ORDERS[P0])


@pytest.mark.seconds(3)
def test_a_difference_as_json():
    first = found("kuhn_poker", bug="chance weight")
    (infoset,) = first.infosets
    assert first.as_json() == {
        "nearest": {
            "variant": "cfr",
            "averaging": "uniform, before the update",
            "order": "alternating, player 0 first",
        },
        "first_difference": {
            "iteration": first.iteration,
            "infosets": [{"player": infoset[0], "infoset": infoset[1]}],
        },
    }


@pytest.mark.seconds(6)
def test_strategies_after_some_iterations_alone_are_told_apart_too():
    problem = load("kuhn_poker")
    for bug, kind in (("", Fingerprint), ("chance weight", Nearest)):
        run = Styled(problem.game, bug=bug)
        tables = {t: run.go_on(t // 2 or 1) for t in (1, 2, 4, 8, 16)}
        seen = {t: strategy_of(problem, table).strategy for t, table in tables.items()}
        assert isinstance(fingerprint(problem, seen), kind)
