"""Patrol: rules by hand, twins that know walks and strikes only, matrix games, and the values of papers."""

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.game_checks import check_promises, check_refusals, exact_value, labels, played, walk
from tests.helpers.twins.matrix import matrix_value
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.patrol import Patrol, patrol
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

ALARMS = ("silent", "heard", "located")
VARIANTS = [patrol((1, 2, 3), "line", 3, 2, 1, watch, alarm) for watch in (True, False) for alarm in ALARMS]
ODD = [
    patrol((1, 2), "complete", 2, 2),
    patrol((1, 2, 1, 2), "ring", 3, 1, alarm="located"),
    patrol((2, 1, 1, 1), "star", 3, 3, alarm="heard"),
    patrol((1, 1, 5), [[2, 0]], 2, 1, penalty=0.5),
]


def neighbours(game: Patrol) -> list[set[int]]:
    """Say of each pair of posts apart whether an edge joins it."""
    n = len(game.values)
    joins = {
        "line": lambda a, b: abs(a - b) == 1,
        "ring": lambda a, b: (a - b) % n in (1, n - 1),
        "star": lambda a, b: 0 in (a, b),
        "complete": lambda a, b: True,
    }.get(game.graph, lambda a, b: (a, b) in game.graph or (b, a) in game.graph)
    return [{b for b in range(n) if a == b or joins(a, b)} for a in range(n)]


def walks(game: Patrol, moves: int) -> list[tuple[int, ...]]:
    return [path for post in range(len(game.values)) for path in walks_after(game, (post,), moves)]


def outcome(game: Patrol, target: int, when: int | None, path: tuple[int, ...]) -> tuple[int, Fraction]:
    """Return how many moves are seen to be made, and what the attacker gets."""
    if when is None:
        return game.steps - game.duration, Fraction(0)
    ahead = path[when + 1 : when + 1 + game.duration]
    if target in ahead:
        return when + 1 + ahead.index(target), -game.penalty
    return when + game.duration, game.values[target]


@over([*VARIANTS, *ODD, patrol()])
def test_patrol_keeps_the_promises_of_games(game: Patrol) -> None:
    check_promises(game)
    number_tree(build_tree(game))


@over([*VARIANTS, *ODD, patrol()])
def test_leaves_are_all_walks_and_strikes(game: Patrol) -> None:
    whens = [None, *range(game.steps - game.duration + 1)]
    twin = {}
    for target, when, path in product(range(len(game.values)), whens, walks(game, game.steps)):
        moves, payoff = outcome(game, target, when, path)
        twin[target, when, path[: moves + 1]] = payoff
    leaves = {}
    for state, _ in walk(game):
        if game.player(state) == TERMINAL:
            path = tuple(int(post) for post in re.findall(r"(?:^|-)(\d)", state.walk))
            leaves[int(state.target), state.struck if state.struck >= 0 else None, path] = game.payoff(state)
    assert leaves == twin


@over([*VARIANTS, *ODD])
def test_players_know_what_they_did_saw_and_heard(game: Patrol) -> None:
    """Keys part histories exactly as what a player has observed does, written down apart."""
    histories: dict[tuple[str, ...], Any] = {}
    todo: list[tuple[tuple[str, ...], Any]] = [((), game.root())]
    while todo:
        past, state = todo.pop()
        histories[past] = state
        todo += [((*past, label), game.child(state, label)) for label in labels(game, state)]

    def observed(past: tuple[str, ...], player: int) -> tuple[Any, ...]:
        seen: list[Any] = []
        when: int | None = None
        for place, label in enumerate(past):
            who = (0, 1)[place % 2]
            # After the target and the first post, attacker and patroller move in turn.
            seen.append(label if who == player else None)
            if who == 1 and player == 0 and game.watch:
                seen.append(label == past[0])
            if who == 0 and place:
                when = place // 2 - 1 if label == "strike" and when is None else when
                if game.alarm != "silent":
                    seen.append(None if when is None else past[0] if game.alarm == "located" else "alarm")
        if past and game.player(histories[past]) == TERMINAL:
            seen.append(("over", when is None, when is not None and past[-1] == past[0]))
        return tuple(seen)

    for player in (0, 1, TERMINAL):
        pairs = set()
        for past, state in histories.items():
            key = game.public(state) if player == TERMINAL else game.infoset(state, player)
            pairs.add((key, observed(past, player)))
        assert len(pairs) == len({key for key, _ in pairs}) == len({seen for _, seen in pairs})


def walks_after(game: Patrol, path: tuple[int, ...], moves: int) -> list[tuple[int, ...]]:
    near = neighbours(game)
    found = [path]
    for _ in range(moves):
        found = [(*past, post) for past in found for post in sorted(near[past[-1]])]
    return found


def blind_value(game: Patrol) -> float:
    """Solve the game over posts and times, against whole walks."""
    whens = [None, *range(game.steps - game.duration + 1)]
    paths = walks(game, game.steps)
    attacks = product(range(len(game.values)), whens)
    return matrix_value(np.array([[float(outcome(game, *a, path)[1]) for path in paths] for a in attacks]))


@over(
    [
        patrol(watch=False),
        patrol((1, 2, 3), "line", 3, 1, 2, watch=False),
        patrol((2, 1, 3, 2), "star", 4, 2, watch=False),
        patrol((1, 2, 2, 3), [[0, 1], [1, 2], [2, 3], [0, 2]], 3, 2, watch=False),
    ]
)
def test_without_watch_and_alarm_it_is_a_matrix_game(game: Patrol) -> None:
    assert float(exact_value(game)) == pytest.approx(blind_value(game), abs=1e-10)


def test_an_alarm_is_a_matrix_game_of_two_walks() -> None:
    """With one turn to strike at and an alarm that tells the post, the patroller goes there if it can."""
    game = patrol((3, 2, 2, 5), steps=2, duration=2, watch=False, alarm="located")
    near = neighbours(game)
    reach = [set().union(*(near[b] for b in near[a])) for a in range(4)]
    rows = [
        [-1.0 if target in reach[post] else float(game.values[target]) for post in range(4)]
        for target in range(4)
    ]
    assert float(exact_value(game)) == pytest.approx(matrix_value(np.array([*rows, [0.0] * 4])), abs=1e-10)


@over([(2, 1), (3, 1), (3, 2), (4, 2), (4, 3), (5, 2), (4, 4)])
def test_a_ring_is_intercepted_as_often_as_in_the_paper(posts: int, duration: int) -> None:
    """Alpern, Morton and Papadaki: a Hamiltonian graph of n posts is intercepted with probability m / n."""
    graph = "ring" if posts > 2 else "line"
    game = patrol([1] * posts, graph, max(3, duration), duration, penalty=0, watch=False)
    assert exact_value(game) == 1 - Fraction(duration, posts)


def test_values_by_hand() -> None:
    """One post of value v and one move: struck with the chance x of the other, v - (v + c) x for each."""
    assert exact_value(patrol((1, 1), steps=1, duration=1, watch=False)) == 0
    assert exact_value(patrol((3, 3), steps=1, duration=1, watch=False)) == 1
    assert exact_value(patrol((2, 3), steps=1, duration=1, watch=False)) == Fraction(2 * 3 - 1, 2 + 3 + 2)
    # The patroller never leaves: both posts in reach, every alarm answered.
    assert exact_value(patrol((2, 3), steps=3, duration=2, alarm="located")) == 0
    # Posts that nothing joins: the patroller guards one, or the attacker finds the other.
    assert exact_value(patrol((2, 2), [], steps=4, duration=2, penalty=0, watch=False)) == 1
    assert exact_value(patrol((0, 0, 0))) == 0


@settings(max_examples=25)
@given(
    st.lists(st.fractions(0, 4, max_denominator=3), min_size=2, max_size=4),
    st.sampled_from(["line", "ring", "star", "complete"]),
    st.integers(1, 3),
    st.data(),
)
def test_any_small_patrol_is_worth_what_its_matrix_is(values, graph, steps, data) -> None:
    duration = data.draw(st.integers(1, steps))
    game = patrol(values, graph, steps, duration, data.draw(st.integers(0, 3)), watch=False)
    assert float(exact_value(game)) == pytest.approx(blind_value(game), abs=1e-9)


def test_keys_are_readable() -> None:
    line = "2 1 wait 2 wait 1 strike"
    game = patrol(alarm="heard")
    state = played(game, *line.split())
    assert [game.infoset(state, p) for p in (0, 1)] == ["2:-wpw-s", "1.-2.-1!"]
    assert game.public(state) == "*.-*.-*!"
    over = game.child(state, "2")
    assert [game.infoset(over, p) for p in (0, 1)] == ["2:-wpw-s/caught", "1.-2.-1!-2/caught"]
    assert game.public(over) == "*.-*.-*!-*/caught"
    robbed = played(game, *f"{line} 0 strike 1".split())
    assert game.infoset(robbed, 0) == "2:-wpw-s-s/robbed"
    assert game.payoff(robbed) == 2
    silent, located = patrol(watch=False), patrol(alarm="located")
    assert [silent.infoset(played(silent, *line.split()), p) for p in (0, 1)] == ["2:?w?w?s", "1?-2?-1?"]
    assert located.infoset(played(located, *line.split()), 1) == "1.-2.-1@2"
    quiet = played(silent, *["2", "1", "wait", "2", "wait", "1", "wait"])
    assert silent.infoset(quiet, 1) == "1?-2?-1/quiet"
    assert game.infoset(game.root(), 0) == game.public(game.root()) == "start"
    assert [game.infoset(played(game, *["2"]), p) for p in (0, 1)] == ["2:", "?"]
    assert game.unit == "points"


def test_names() -> None:
    assert patrol().name == "patrol"
    game = patrol((1, 0.5), [[1, 0]], 3, 1, 0, False, "heard")
    assert game.name == (
        "patrol(values=[1,1/2],graph=[[0,1]],steps=3,duration=1,penalty=0,watch=false,alarm=heard)"
    )
    for again in (*VARIANTS, *ODD, game, patrol((1, 1), [])):
        assert load_game(again.name) == again


def test_bad_parameters() -> None:
    check_refusals(
        patrol,
        [
            ({"values": [1]}, r"patrol: values must be a list of 2 to 10 numbers, got \[1\]"),
            ({"values": [1] * 11}, "values must be a list of 2 to 10 numbers"),
            ({"values": 3}, "values must be a list of 2 to 10 numbers, got 3"),
            ({"values": [1, -2]}, r"values\[1\] must be at least 0, got -2"),
            ({"values": [1, float("inf")]}, r"values\[1\] must be a finite number, got inf"),
            ({"steps": 0}, "steps must be an integer from 1 to 20, got 0"),
            ({"steps": 21}, "steps must be an integer from 1 to 20, got 21"),
            ({"duration": 5}, "duration must be an integer from 1 to 4, the steps, got 5"),
            ({"penalty": -1}, "penalty must be at least 0, got -1"),
            ({"watch": 1}, "watch must be true or false, got 1"),
            ({"alarm": "loud"}, "alarm must be one of silent, heard, located, got 'loud'"),
            (
                {"graph": "grid"},
                "graph must be one of line, ring, star, complete or a list of edges .* got 'grid'",
            ),
            ({"graph": [[0, 4]]}, r"between two of the posts 0 to 3, got \[\[0, 4\]\]"),
            ({"graph": [[1, 1]]}, r"got \[\[1, 1\]\]"),
            ({"graph": [[0, 1, 2]]}, r"got \[\[0, 1, 2\]\]"),
            ({"graph": [[0, True]]}, r"got \[\[0, true\]\]"),
            ("patrol(graph=3)", "patrol: graph must be text or a list of lists of integers, got 3"),
        ],
    )
