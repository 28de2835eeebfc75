"""Games whose methods return something else than they should; labels and keys that are no texts."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.walk_watch import LONGEST_PLAY, TooManyHistoriesError


class Pennies:
    """Matching pennies whose labels are integers and whose keys are tuples."""

    name, unit = "pennies", "points"

    def root(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else TERMINAL

    def actions(self, state):
        return [0, 1]

    def chance(self, state):
        return []

    def child(self, state, action):
        assert isinstance(action, int)
        return (*state, action)

    def infoset(self, state, player):
        return (player, *state[player : player + 1])

    def public(self, state):
        return len(state)

    def payoff(self, state):
        return 1 if state[0] == state[1] else -1


def changed(**returned):
    """Return matching pennies in which methods return something else."""
    return type(
        "Changed", (Pennies,), {name: lambda *_, value=value: value for name, value in returned.items()}
    )()


def test_labels_and_keys_of_any_kind_are_texts_in_the_tree():
    tree = build_tree(Pennies())
    assert tree.labels[0][0] == ("0", "1")
    assert tree.keys[0] == ("(0,)", "(0, 0)", "(0, 1)")
    assert tree.public_keys == ("0", "1", "2")
    assert [tree.path(node) for node in tree.leaves] == ["0/0", "0/1", "1/0", "1/1"]


def test_outcomes_of_chance_that_are_integers():
    class Drawn(Pennies):
        def player(self, state):
            return CHANCE if not state else TERMINAL

        def chance(self, state):
            return ((7, 1),)

        def payoff(self, state):
            return state[0]

    tree = build_tree(Drawn())
    assert (tree.outcomes, tree.payoff.tolist()) == ({0: ("7",)}, [0, 7])


@over(
    [
        ({"actions": "bet"}, r"actions must be a sequence of labels, .*, got 'bet' at history 0"),
        ({"actions": None}, "actions must be a sequence of labels, .*, got None at history 0"),
        ({"actions": ()}, r"actions must be distinct and not empty, got \[\] at history 0"),
        ({"actions": (0, "0")}, r"actions must be distinct .*, got \[0, '0'\] at history 0"),
        (
            {"player": CHANCE, "chance": {"a": 1}},
            "chance must return pairs of an outcome and its probability",
        ),
        ({"player": CHANCE, "chance": None}, "chance must return pairs .*, got none at history 0"),
        ({"player": CHANCE, "chance": ((0, 1), ("0", 1))}, "chance must sum to exactly 1, got 2"),
        ({"infoset": None}, "infoset must return a text for every state, got None"),
        ({"infoset": [1]}, r"infoset must return a text or another hashable value, got \[1\]"),
        ({"public": None}, "public must return a text for every state, got None"),
        ({"public": {1}}, "public must return a text or another hashable value, got {1}"),
        ({"payoff": None}, "a payoff must be an integer or a Fraction, got None at history 2"),
        ({"player": None}, "a player must be 0, 1, CHANCE or TERMINAL, got None at history 0"),
    ]
)
def test_what_methods_should_not_return(returned, message):
    with pytest.raises(ValueError, match=message):
        build_tree(changed(**returned))


def test_payoffs_may_be_integers_of_numpy():
    assert set(build_tree(changed(payoff=np.int64(3))).payoff.tolist()) == {0, 3}


def test_keys_of_one_text():
    class Mixed(Pennies):
        def infoset(self, state, player):
            return 1 if state else "1"

    with pytest.raises(ValueError, match="infoset must return different texts for different keys, got '1'"):
        build_tree(Mixed())


def test_an_error_of_the_game_itself_is_not_changed():
    class Faulty(Pennies):
        def infoset(self, state, player):
            return "a" + 1

    with pytest.raises(TypeError, match="can only concatenate"):
        build_tree(Faulty())


class Counting(Pennies):
    """A play of many moves: at each it goes on or stops."""

    def __init__(self, moves):
        self.moves = moves

    def root(self):
        return 0

    def player(self, state):
        return TERMINAL if state < 0 or state == self.moves else state % 2

    def actions(self, state):
        return ("on", "stop")

    def child(self, state, action):
        return state + 1 if action == "on" else -state - 1

    def infoset(self, state, player):
        return state

    def public(self, state):
        return state

    def payoff(self, state):
        return state


def test_a_play_of_the_longest_length_and_one_more():
    assert build_tree(Counting(LONGEST_PLAY)).n_nodes == 2 * LONGEST_PLAY + 1
    with pytest.raises(TooManyHistoriesError, match="pennies: no end after 5,000 moves; a play must reach"):
        build_tree(Counting(LONGEST_PLAY + 1))
