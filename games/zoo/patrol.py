"""Patrol: an attacker waits at a post of a graph and strikes once; a patroller walks along the edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_word, spec_of
from treeplex.games.base.protocol import TERMINAL, merged_histories
from treeplex.games.base.reading import exact, shown

MAX_POSTS = 10
"""A post is written as one digit."""
MAX_STEPS = 20
GRAPHS = ("line", "ring", "star", "complete")
ALARMS = ("silent", "heard", "located")
Edges = tuple[tuple[int, int], ...]


class Patrolling(NamedTuple):
    """A history.

    target : the attacker's post; empty before it is chosen.
    log : the attacker's observations and actions, two letters a turn.
    at : where the patroller stands; empty before the patroller starts.
    walk : what the patroller knows; ``line`` is what the public knows.
    moves : how many moves the patroller has made.
    struck : how many of them before the strike; -1 until the strike.
    player : who acts.
    """

    target: str = ""
    log: str = ""
    at: str = ""
    walk: str = "start"
    line: str = "start"
    moves: int = 0
    struck: int = -1
    player: int = 0


@dataclass(frozen=True)
class Patrol:
    """A patrolling game: player 0 picks a post to attack, player 1 one to start from, unseen by the other.

    Each turn the attacker waits or strikes, and then the patroller stays or moves along an edge. A strike
    takes ``duration`` moves of the patroller. If one of them ends on the post, the attacker is caught and
    pays the penalty; if none does, the attacker gets the post's value. An attacker who never strikes, until
    the moves left are too few, gets 0. An attacker who has struck can only go on striking.

    Without watch and alarm this is the patrolling game of Alpern, Morton and Papadaki (Patrolling games,
    2011), with values and a penalty; watching, as by Alpern, Chleboun and Katsikas (The uniformed patroller
    game, 2019), makes it a game of many stages for the attacker, an alarm for the patroller. It belongs
    with the search games on graphs of Bosansky, Kiekintveld, Lisy and Pechoucek (An exact double-oracle
    algorithm for zero-sum extensive-form games with imperfect information, 2014).

    The attacker's keys are the post, a colon, and for each turn what was seen and done: ``p`` or ``-`` for
    the patroller at the post or not, ``?`` without watch, then ``w`` or ``s`` for waiting or striking. The
    patroller's keys are posts joined by ``-``, each followed by what is heard there: ``.`` for nothing,
    ``!`` for an alarm, ``@2`` for one that tells the post, ``?`` without alarms. So ``2:-wpw-s`` and
    ``1.-2.-1!`` are one history. The public state is the patroller's key with ``*`` for posts. Everything
    is ``start`` before the first choice; a game that is over ends on ``/caught``, ``/robbed`` or ``/quiet``.

    Attributes
    ----------
    values : tuple of Fraction
        The value of each post to the attacker; two to ten posts, numbered from 0.
    graph : str or tuple of pairs of int
        ``line``, ``ring``, ``star`` around post 0, ``complete``, or the edges.
    steps : int
        How many moves the patroller has, 1 to 20.
    duration : int
        How many of them a strike takes, 1 to ``steps``.
    penalty : Fraction
        What the attacker pays when caught.
    watch : bool
        Whether the attacker sees each turn if the patroller is at the attacker's post.
    alarm : {"silent", "heard", "located"}
        Whether the patroller learns of a strike as it begins: not, that it has, or also where.
    """

    values: tuple[Fraction, ...] = (Fraction(3), Fraction(2), Fraction(2), Fraction(3))
    graph: str | Edges = "line"
    steps: int = 4
    duration: int = 2
    penalty: Fraction = Fraction(1)
    watch: bool = True
    alarm: str = "silent"

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("patrol", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    @cached_property
    def near(self) -> dict[str, tuple[str, ...]]:
        """The posts within one move of each post, itself included."""
        posts = range(len(self.values))
        edges = _edges(self.graph, len(posts)) if isinstance(self.graph, str) else self.graph
        both = {pair for a, b in edges for pair in ((a, b), (b, a))} | {(post, post) for post in posts}
        return {str(a): tuple(str(b) for b in posts if (a, b) in both) for a in posts}

    @property
    def least_histories(self) -> int:
        """The number of histories, or of as many as are counted at once: what was seen adds none."""
        return merged_histories(self, lambda state: (state.target, state.at, state.struck, state.player))

    def root(self) -> Patrolling:
        """Return the state before the attacker has picked a post."""
        return Patrolling()

    def player(self, state: Patrolling) -> int:
        """Return who acts: the attacker and the patroller in turn, until a strike or the time is over."""
        return state.player

    def actions(self, state: Patrolling) -> Sequence[str]:
        """Return the posts to choose from, or ``wait`` and ``strike``."""
        if state.player == 0 and state.target:
            return ("wait", "strike") if state.struck < 0 else ("strike",)
        return self.near[state.at] if state.at else tuple(self.near)

    def chance(self, state: Patrolling) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return ()

    def child(self, state: Patrolling, action: str) -> Patrolling:
        """Return the state after a choice of a post, a move, a wait or a strike."""
        if not state.target:
            return Patrolling(action, walk="?", line="?", player=1)
        return self._moved(state, action) if state.player else self._acted(state, action)

    def infoset(self, state: Patrolling, player: int) -> str:
        """Return what ``player`` knows."""
        if player == 0:
            return f"{state.target}:{state.log}" if state.target else "start"
        return state.walk

    def public(self, state: Patrolling) -> str:
        """Return how many turns were played and what was heard."""
        return state.line

    def payoff(self, state: Patrolling) -> Fraction:
        """Return the value of the post, minus the penalty, or 0."""
        if state.struck < 0:
            return Fraction(0)
        return -self.penalty if state.at == state.target else self.values[int(state.target)]

    def _acted(self, state: Patrolling, action: str) -> Patrolling:
        """Return the state after the attacker's turn."""
        struck = state.moves if action == "strike" and state.struck < 0 else state.struck
        if struck < 0 and state.moves == self.steps - self.duration:
            return self._over(state._replace(log=state.log + "w"), "quiet")
        heard = {"silent": "?", "heard": "!", "located": f"@{state.target}"}[self.alarm]
        sound = "." if struck < 0 and self.alarm != "silent" else heard
        return state._replace(
            log=state.log + action[0],
            walk=state.walk + sound,
            line=state.line + sound,
            struck=struck,
            player=1,
        )

    def _moved(self, state: Patrolling, post: str) -> Patrolling:
        """Return the state after the patroller's first post or a move."""
        first = not state.at
        walk, line = (post, "*") if first else (f"{state.walk}-{post}", f"{state.line}-*")
        moved = state._replace(at=post, walk=walk, line=line, moves=state.moves + (not first), player=0)
        if state.struck >= 0:
            if post == state.target:
                return self._over(moved, "caught")
            if moved.moves == state.struck + self.duration:
                return self._over(moved, "robbed")
        observed = ("p" if post == state.target else "-") if self.watch else "?"
        return moved._replace(log=state.log + observed)

    def _over(self, state: Patrolling, how: str) -> Patrolling:
        """Return the leaf, at which both know how the game ended."""
        log, walk, line = (f"{text}/{how}" for text in (state.log, state.walk, state.line))
        return state._replace(log=log, walk=walk, line=line, player=TERMINAL)


def _edges(graph: str, posts: int) -> Edges:
    """Return the edges of a graph with a name."""
    if graph == "complete":
        return tuple((a, b) for a in range(posts) for b in range(a))
    if graph == "star":
        return tuple((0, post) for post in range(1, posts))
    line = tuple(pairwise(range(posts)))
    return (*line, (posts - 1, 0)) if graph == "ring" else line


def patrol(
    values: Sequence[Fraction | float] = (3, 2, 2, 3),
    graph: str | Sequence[Sequence[int]] = "line",
    steps: int = 4,
    duration: int = 2,
    penalty: Fraction | float = 1,
    watch: bool = True,
    alarm: str = "silent",
) -> Patrol:
    """Return a patrolling game.

    Parameters
    ----------
    values : sequence of numbers
        The value of each post to the attacker, at least 0; two to ten posts, numbered from 0.
    graph : {"line", "ring", "star", "complete"} or sequence of pairs of int
        How the patroller can move: by name, with post 0 in the middle of a star, or edges such as
        ``[[0,1],[1,2]]``. Staying is always possible.
    steps : int
        How many moves the patroller has, 1 to 20.
    duration : int
        How many of them a strike takes, 1 to ``steps``.
    penalty : number
        What the attacker pays when caught, at least 0.
    watch : bool
        Whether the attacker sees each turn if the patroller is at the attacker's post.
    alarm : {"silent", "heard", "located"}
        Whether the patroller learns of a strike as it begins: not, that it has, or also where.

    Raises
    ------
    ValueError
        If a parameter is not of its range.
    """
    if not isinstance(values, list | tuple) or not 2 <= len(values) <= MAX_POSTS:
        raise BadInputError(f"patrol: values must be a list of 2 to {MAX_POSTS} numbers, got {shown(values)}")
    worth = tuple(_amount(value, f"values[{post}]") for post, value in enumerate(values))
    check_integer("patrol: steps", steps, 1, MAX_STEPS)
    check_integer("patrol: duration", duration, 1, steps, ", the steps")
    if not isinstance(watch, bool):
        raise BadInputError(f"patrol: watch must be true or false, got {shown(watch)}")
    check_word("patrol: alarm", alarm, ALARMS)
    return Patrol(
        worth, _graph(graph, len(worth)), steps, duration, _amount(penalty, "penalty"), watch, alarm
    )


def _amount(value: Fraction | float, key: str) -> Fraction:
    amount = exact(value, f"patrol: {key}")
    if amount < 0:
        raise BadInputError(f"patrol: {key} must be at least 0, got {shown(value)}")
    return amount


def _graph(graph: str | Sequence[Sequence[int]], posts: int) -> str | Edges:
    """Return the graph's name, or its edges in order."""
    if isinstance(graph, str) and graph in GRAPHS:
        return graph
    if not isinstance(graph, list | tuple) or not all(_is_edge(edge, posts) for edge in graph):
        raise BadInputError(
            f"patrol: graph must be one of {', '.join(GRAPHS)} or a list of edges between two of the posts "
            f"0 to {posts - 1}, got {shown(graph)}"
        )
    return tuple(sorted({(min(edge), max(edge)) for edge in graph}))


def _is_edge(edge: object, posts: int) -> bool:
    if not isinstance(edge, list | tuple) or len(edge) != 2:
        return False
    ends = [end for end in edge if isinstance(end, int) and not isinstance(end, bool) and 0 <= end < posts]
    return len(set(ends)) == 2
