"""Strategies at a node shown by classes of hands, wherever the strategies come from."""

from pathlib import Path

from treeplex.core.problem import GameLike, Problem, load
from treeplex.core.progress import Progress, silent
from treeplex.core.strategy import Judged
from treeplex.games.evaluation.equity import equities
from treeplex.games.holdem.push_fold import PushFold
from treeplex.games.poker.game import PokerGame
from treeplex.hands.hand_grid import hand_grid
from treeplex.hands.node_view import NodeView
from treeplex.hands.picture import Picture
from treeplex.hands.profile_view import profile_view
from treeplex.hands.public_point import PublicPoint, find_point
from treeplex.hands.push_fold_view import find_push_fold, push_fold_view
from treeplex.hands.street_view import street_view, with_values
from treeplex.hands.value_scale import MAPS
from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.solving.solve import solve
from treeplex.store.completion import check_missing, check_unused, completed_text
from treeplex.store.strategy_like import StrategyLike, strategy_of

MOST_SEQUENCES = 100_000
"""Games with more sequences are not solved for the sake of a picture."""


def node_view(problem: Problem, strategy: Judged, line: str, board: str = "") -> NodeView:
    """Return what a strategy plays at a betting line on a board, hand by hand.

    Parameters
    ----------
    problem : Problem
    strategy : Profile or StreetStrategy
        A profile in the numbering of any form of the game.
    line, board : str
        As :func:`show` takes them.

    Raises
    ------
    ValueError
        If the game has no such node, or the strategy is of another game.
    """
    if isinstance(strategy, StreetStrategy):
        return street_view(_poker(problem), strategy, line, board)
    profile = strategy.transfer(problem.whole.treeplexes)
    if isinstance(problem.game, PushFold):
        return push_fold_view(problem, profile, line, board)
    return profile_view(problem, profile, line, board)


def show(
    game: GameLike,
    line: str = "",
    *,
    strategy: "StrategyLike | None" = None,
    missing: str = "error",
    board: str = "",
    map: str = "strategy",
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress | None = None,
) -> Picture:
    """Show a strategy at a node of a poker game by classes of hands, as 13 x 13 in hold'em.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A spec such as ``examples/river.toml``, or any poker game with one or two hole cards, or push or fold.
    line : str
        The betting line, such as ``cr50``; the first node unless given.
    strategy : path, DataFrame, mapping, Strategy or Result, optional
        As :func:`treeplex.check` takes it. Unless given, a game of at most ``MOST_SEQUENCES``
        sequences is solved.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    board : str
        The board where cards come within the game: ``KsTh7s4d``, with or without the starting board.
    map : {"strategy", "equity", "ev"}
        What is shown: frequencies of actions; how often each hand wins a showdown with what the opponent
        has here, half of the ties counted; or what each hand wins on average from here on, both playing the
        strategy: its share of the pot less what it still puts in, so that a fold is worth 0.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    progress : callable, optional
        Called with the stage and the width proved so far while the game is solved or boards are valued.

    Raises
    ------
    ValueError
        If the game, the line, the board, the map or the strategy is not what it must be.
    """
    if map not in MAPS:
        raise ValueError(f"map must be one of {', '.join(MAPS)}, got {map!r}")
    check_missing(missing)
    if strategy is None:
        check_unused(missing, "no strategy")
    problem = load(game, bets=bets, raises=raises)
    given = None if strategy is None else strategy_of(problem, strategy, missing)
    _check_map(map, _point(problem, line, board))
    if given is None:
        return _solved_picture(problem, line, board, map, progress)
    view = node_view(problem, given.strategy, line, board)
    if map == "ev" and isinstance(given.strategy, StreetStrategy):
        (progress or silent)("valuing every board to come", float("inf"))
        view = with_values(_poker(problem), given.strategy, view)
    source = f"strategy {strategy}" if isinstance(strategy, str | Path) else "a given strategy"
    return _picture(view, map, ", ".join(filter(None, (source, completed_text(given.counts)))))


def _solved_picture(problem: Problem, line: str, board: str, map: str, progress: Progress | None) -> Picture:
    size = sum(problem.form.n_sequences)
    if size > MOST_SEQUENCES:
        raise ValueError(
            f"{problem.game.name} has {size:,} sequences, and games of at most {MOST_SEQUENCES:,} are solved "
            "for a picture; solve it first and give the strategy"
        )
    result = solve(problem, progress=progress)
    view = node_view(problem, result.profile, line, board)
    return _picture(view, map, f"solved by {result.method}", result.nash_conv, result.seconds)


def _picture(
    view: NodeView, map: str, source: str, nash_conv: float | None = None, seconds: float | None = None
) -> Picture:
    values = None
    if map == "equity":
        values = equities(view.point.board, view.hands, view.opponent_hands, view.opponent_weight)
    elif map == "ev":
        values = view.values
    return Picture(view, hand_grid(view, values), map, source, nash_conv, seconds)


def _poker(problem: Problem) -> PokerGame:
    if not isinstance(problem.game, PokerGame):
        raise ValueError(f"hands can be shown of poker games only, got {problem.game.name}")
    return problem.game


def _point(problem: Problem, line: str, board: str) -> PublicPoint:
    if isinstance(problem.game, PushFold):
        return find_push_fold(problem.game, line, board)
    return find_point(_poker(problem), line, board)


def _check_map(map: str, point: PublicPoint) -> None:
    """Refuse a map that the game cannot give, before any time is spent."""
    if map == "equity" and not point.is_holdem:
        raise ValueError(
            f"equities are for hold'em with the whole deck and five board cards, not {point.game}"
        )
