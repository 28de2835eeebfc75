"""Solvers of OpenSpiel's games as solvers of ours: the game handed over, the policy's keys mapped back."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from treeplex.bench.examination.behaviour_rows import Table, distribution
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.base.reading import shown
from treeplex.games.formats.openspiel import MISSING, OpenSpielGame
from treeplex.seqform.trees.efg_writer import efg_text

PROGRAM_HISTORIES = 2_000
"""Most histories of a game for OpenSpiel's linear program, whose matrices are dense."""


@dataclass(frozen=True)
class Handed:
    """A game as OpenSpiel has it, and one of its states for each of our infosets.

    Attributes
    ----------
    game : Game
    spiel : pyspiel.Game
    states : tuple of (int, str, pyspiel.State, dict)
        Player, our key, a state of that infoset, and our label of each of OpenSpiel's actions there.
    """

    game: Game[Any]
    spiel: Any
    states: tuple[tuple[int, str, Any, dict[int, str]], ...]

    def table(self, policies: tuple[Any, Any]) -> Table:
        """Return what both players' policies of OpenSpiel say at every infoset."""
        table: Table = {}
        for player, key, state, labels in self.states:
            odds = policies[player].action_probabilities(state)
            table[player, key] = distribution({label: odds.get(a, 0.0) for a, label in labels.items()})
        return table


@dataclass
class OpenSpielSolver:
    """A solver of OpenSpiel's games as one of ours.

    Attributes
    ----------
    solve : callable
        Called with a game of OpenSpiel and a number of iterations; returns a policy, or a pair of them, one
        a player. Games of other origin are handed over through Gambit's file format.
    """

    solve: Callable[[Any, int], Any]
    _over: Handed | None = field(default=None, repr=False)

    def __call__(self, game: Any, iterations: int) -> Table:
        """Return the strategy after so many iterations; raises what :func:`handed` does."""
        if self._over is None or self._over.game is not game:
            self._over = handed(game)
        answer = self.solve(self._over.spiel, iterations)
        policies = tuple(answer) if isinstance(answer, tuple | list) else (answer, answer)
        if len(policies) != 2 or not all(hasattr(p, "action_probabilities") for p in policies):
            raise TypeError(f"it must return a policy of OpenSpiel or a pair, got {shown(answer)}")
        return self._over.table(policies)


def openspiel_solver(name: str) -> OpenSpielSolver:
    """Return one of OpenSpiel's own solvers.

    Raises
    ------
    ValueError
        If it has none of that name here, or is not installed.
    """
    if name not in SOLVERS:
        raise BadInputError(
            f"openspiel: solvers are {', '.join(SOLVERS)}, or module:name of your own, got {name!r}"
        )
    _pyspiel()
    return OpenSpielSolver(SOLVERS[name])


def handed(game: Any) -> Handed:
    """Return a game as OpenSpiel has it, walked beside ours.

    Raises
    ------
    NotImplementedError
        If OpenSpiel cannot read the game.
    """
    spiel = game.spiel if isinstance(game, OpenSpielGame) else _read_by_openspiel(game)
    known: dict[tuple[int, str], tuple[int, str, Any, dict[int, str]]] = {}
    todo = [(game.root(), spiel.new_initial_state())]
    while todo:
        state, theirs = todo.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        actions = dict(_actions(game, theirs))
        if player != CHANCE:
            key = game.infoset(state, player)
            known.setdefault((player, key), (player, key, theirs, actions))
        todo += [(game.child(state, label), theirs.child(action)) for action, label in actions.items()]
    return Handed(game, spiel, tuple(known.values()))


def _actions(game: Game[Any], state: Any) -> Iterator[tuple[int, str]]:
    """Yield OpenSpiel's actions or outcomes in a state, each with our label."""
    for action in state.legal_actions():
        label = str(action) if isinstance(game, OpenSpielGame) else state.action_to_string(action)
        yield action, label


def _read_by_openspiel(game: Game[Any]) -> Any:
    """Return a game as OpenSpiel reads it from a Gambit file."""
    pyspiel = _pyspiel()
    problem = Problem(game)
    text = efg_text(problem.enumerated.tree, problem.constant)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        path.write_text(text, encoding="utf-8")
        try:
            return pyspiel.load_game("efg_game", {"filename": str(path)})
        except pyspiel.SpielError as error:
            raise NotImplementedError(f"OpenSpiel cannot read it: {str(error).splitlines()[0]}") from None


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise BadInputError(MISSING) from None
    return pyspiel


def _cfr(game: Any, iterations: int) -> Any:
    return _averaged(_pyspiel().CFRSolver(game), iterations)


def _cfr_plus(game: Any, iterations: int) -> Any:
    return _averaged(_pyspiel().CFRPlusSolver(game), iterations)


def _averaged(solver: Any, iterations: int) -> Any:
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()  # the other one refers to the solver, which ends here


def _program(game: Any, iterations: int) -> Any:
    """Return the policies of OpenSpiel's linear program, solved by Clarabel instead of ECOS."""
    from open_spiel.python.algorithms import lp_solver
    from open_spiel.python.algorithms.get_all_states import get_all_states
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

    states = get_all_states(game, depth_limit=-1, include_terminals=True, include_chance_states=True)
    if len(states) > PROGRAM_HISTORIES:
        raise NotImplementedError(f"more than {PROGRAM_HISTORIES:,} histories for a dense program")
    lp_solver.DEFAULT_SOLVER_KWARGS.clear()  # options of ECOS, which it hands to any solver
    return tuple(solve_zero_sum_game(game, solver="CLARABEL")[2:])


SOLVERS: Mapping[str, Callable[[Any, int], Any]] = MappingProxyType(
    {"cfr": _cfr, "cfr+": _cfr_plus, "lp": _program}
)
"""OpenSpiel's own solvers by name."""
