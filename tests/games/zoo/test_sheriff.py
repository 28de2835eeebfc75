"""Sheriff of Nottingham: all talks, a formula for the value, a matrix game, another program's rules."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises, check_refusals, exact_value, walk
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.sheriff import Sheriff, sheriff
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

VARIANTS = [sheriff(), sheriff(0), sheriff(2, 0, 1), sheriff(2, 1, 3), sheriff(4, 3, 1, 1, 2, 3)]


def by_hand(items: int, value: Fraction, penalty: Fraction, fine: Fraction) -> Fraction:
    """Load all with probability p so that p N v = (1 - p) f - p N c, whether the sheriff passes or not."""
    share = items * (value + penalty) + fine
    return items * value * fine / share if share else Fraction(0)


@over(VARIANTS)
def test_sheriff_keeps_the_promises_of_games(game: Sheriff) -> None:
    check_promises(game)


@over([(3, 2, 2), (0, 2, 1), (5, 1, 3), (2, 0, 4)])
def test_sizes(items: int, bribes: int, rounds: int) -> None:
    enumerated = number_tree(build_tree(sheriff(items, bribes, rounds)))
    talks = [(2 * (bribes + 1)) ** k for k in range(rounds + 1)]
    offers = sum(talks[:-1])
    answers = offers * (bribes + 1)
    assert len(enumerated.tree.leaves) == (items + 1) * talks[-1]
    assert enumerated.tree.n_nodes == 1 + (items + 1) * (sum(talks) + answers)
    assert enumerated.form.n_infosets == (1 + (items + 1) * offers, answers)
    sequences = (1 + (items + 1) * (1 + answers), 1 + 2 * answers)
    assert tuple(t.n_sequences for t in enumerated.form.treeplexes) == sequences


@over(VARIANTS)
def test_leaves_are_all_loads_and_talks(game: Sheriff) -> None:
    twin = {}
    turns = [range(game.items + 1), *[range(game.bribes + 1), (True, False)] * game.rounds]
    for load, *talk in product(*turns):
        goods = sum([game.value for _ in range(load)], Fraction(0))
        found = game.fine if load == 0 else -sum([game.penalty for _ in range(load)])
        words = [move if k % 2 == 0 else ("no", "yes")[move] for k, move in enumerate(talk)]
        twin[tuple(map(str, (load, *words)))] = goods - talk[-2] if talk[-1] else found
    leaves = {state: game.payoff(state) for state, _ in walk(game) if game.player(state) == TERMINAL}
    assert leaves == twin


def test_another_program_pays_the_smuggler_the_same() -> None:
    """OpenSpiel's smuggler, on random play; its sheriff gets the bribe alone where the cargo passes."""
    pyspiel = pytest.importorskip("pyspiel")
    game = sheriff(3, 2, 3, 4, 2, 3)
    keys = "max_items=3,max_bribe=2,num_rounds=3,item_value=4.0,item_penalty=2.0,sheriff_penalty=3.0"
    other = pyspiel.load_game(f"sheriff({keys})")
    rng = random.Random(5)
    for _ in range(300):
        state, twin = game.root(), other.new_initial_state()
        while game.player(state) != TERMINAL:
            assert twin.current_player() == game.player(state)
            labels, actions = game.actions(state), twin.legal_actions()
            assert len(labels) == len(actions)
            at = rng.randrange(len(labels))
            told = {"yes": "will_inspect=False", "no": "will_inspect=True"}.get(labels[at], f"={labels[at]})")
            assert told in twin.action_to_string(actions[at])
            twin.apply_action(actions[at])
            state = game.child(state, labels[at])
        assert twin.is_terminal()
        assert game.payoff(state) == twin.returns()[0]
        passed = state[-1] == "yes"
        assert twin.returns()[1] == (int(state[-2]) if passed else -game.payoff(state))


amounts = st.fractions(0, 9, max_denominator=4)


@settings(max_examples=25)
@given(st.integers(0, 4), st.integers(0, 2), st.integers(1, 2), amounts, amounts, amounts)
def test_the_value_is_the_formula(items, bribes, rounds, value, penalty, fine) -> None:
    game = sheriff(items, bribes, rounds, value, penalty, fine)
    assert exact_value(game) == by_hand(items, value, penalty, fine)


def test_keys_are_readable() -> None:
    game = sheriff()
    state = ("2", "0", "no", "1")
    assert [game.infoset(state, p) for p in (0, 1)] == ["2:0/no/1", "?:0/no/1"]
    assert game.public(state) == ":0/no/1"
    assert [game.infoset(("2",), p) for p in (0, 1)] == ["2:", "?:"]
    assert game.infoset((), 0) == game.infoset((), 1) == game.public(()) == "start"
    assert game.unit == "coins"


def test_names() -> None:
    assert sheriff().name == "sheriff"
    assert sheriff(2, 1, 3, 0.5, Fraction(1, 3), 0).name == (
        "sheriff(items=2,bribes=1,rounds=3,value=1/2,penalty=1/3,fine=0)"
    )
    for game in (*VARIANTS, sheriff(2, 1, 3, 0.5, Fraction(1, 3), 0)):
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        sheriff,
        [
            ({"items": -1}, "sheriff: items must be an integer from 0 to 1000, got -1"),
            ({"items": 1001}, "items must be an integer from 0 to 1000, got 1001"),
            ({"rounds": 0}, "rounds must be an integer from 1 to 20, got 0"),
            ({"rounds": 21}, "rounds must be an integer from 1 to 20, got 21"),
            ({"value": -1}, "sheriff: value must be at least 0, got -1"),
            ({"penalty": Fraction(-1, 3)}, "penalty must be at least 0, got -1/3"),
            ({"fine": float("nan")}, "fine must be a finite number, got nan"),
        ],
    )
