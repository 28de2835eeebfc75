"""Blueprints from what users pass: a file with its card abstraction, a strategy or a result."""

from pathlib import Path

from treeplex.cfr.blueprint.strategy import BlueprintStrategy
from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.games.abstraction.card_abstraction import CardAbstraction
from treeplex.games.inputs.parameters import check_kind
from treeplex.games.poker.game import PokerGame
from treeplex.store.abstractions.abstraction_file import read_abstraction
from treeplex.store.abstractions.blueprint_file import read_blueprint
from treeplex.store.boards_file import rules_of
from treeplex.store.strategy_like import StrategyLike


def blueprint_of(
    problem: Problem, strategy: StrategyLike, abstraction: CardAbstraction | str | Path | None
) -> BlueprintStrategy | None:
    """Return the blueprint that a strategy is; None if it is a strategy of another kind.

    Parameters
    ----------
    problem : Problem
    strategy : path, Strategy or Result
    abstraction : CardAbstraction or path, optional
        Of a blueprint's file, which holds none itself.

    Raises
    ------
    ValueError
        If a file cannot be read or is of another game or abstraction, or an abstraction is given with what is
        no blueprint.
    """
    if isinstance(strategy, Result):
        strategy = strategy.strategy
    if isinstance(strategy, BlueprintStrategy):
        return _of_game(problem, strategy, abstraction)
    if abstraction is None:
        return None
    game = problem.game
    if not isinstance(game, PokerGame):
        raise ValueError(f"a card abstraction is of a poker game, got {game.name}")
    if not isinstance(strategy, str | Path):
        raise ValueError(f"an abstraction is for the file of a blueprint, got a {type(strategy).__name__}")
    return read_blueprint(strategy, game, _opened(abstraction))


def _opened(abstraction: CardAbstraction | str | Path) -> CardAbstraction:
    check_kind("abstraction", abstraction, CardAbstraction | str | Path, "a card abstraction or a path")
    return abstraction if isinstance(abstraction, CardAbstraction) else read_abstraction(abstraction)


def _of_game(
    problem: Problem, blueprint: BlueprintStrategy, abstraction: CardAbstraction | str | Path | None
) -> BlueprintStrategy:
    """Return a blueprint, refused if it is of another game or abstraction."""
    layout, game = blueprint.layout, problem.game
    if not isinstance(game, PokerGame) or rules_of(game) != rules_of(layout.game):
        raise ValueError(f"the blueprint is of another game, {layout.game.name}, got {game.name}")
    if abstraction is not None and _opened(abstraction).identity != layout.abstraction.identity:
        raise ValueError(f"the blueprint is of another card abstraction, {layout.abstraction.identity!r}")
    return blueprint
