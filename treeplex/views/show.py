"""Pictures of a strategy at a node; without a strategy a small game is solved."""

from pathlib import Path

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.core.loading import GameLike, game_of, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result, completed_text
from treeplex.files.abstraction_file import CardAbstractionLike
from treeplex.files.completion import check_missing, check_unused
from treeplex.files.split_store import RecordedRun
from treeplex.files.store_folder import is_store
from treeplex.files.strategies import StrategyLike, blueprint_of, strategy_of
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind, check_word
from treeplex.games.base.reading import rounded_count
from treeplex.games.cards.equity import equities
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.blueprint_view import blueprint_view
from treeplex.pictures.board_view import with_values
from treeplex.pictures.bucket_picture import BucketPicture
from treeplex.pictures.hand_colours import BUCKETS, MAPS, RANGES
from treeplex.pictures.hand_grid import hand_grid
from treeplex.pictures.hand_picture import Picture
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.public_node import PublicPoint
from treeplex.pictures.strategy_view import node_view, point_of, ranges_view
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_values import HandValues
from treeplex.solving.solve import solve
from treeplex.views.buckets import bucket_picture
from treeplex.views.ranges import AS_DEALT, NodeRanges, decision_of, is_dealt, ranges_as_dealt, ranges_of

MOST_SEQUENCES = 100_000
"""Most sequences of a game that is solved for a picture."""


def show(
    game: GameLike,
    line: str = "",
    *,
    strategy: "StrategyLike | RecordedRun | None" = None,
    missing: str = "error",
    board: str = "",
    map: str = "strategy",
    abstraction: CardAbstractionLike | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Picture | BucketPicture | NodeRanges:
    """Show a strategy at a node of a poker game by classes of hands, as 13 x 13 in hold'em.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A spec such as ``examples/river.toml``, or any poker game with one or two hole cards, or push or fold.
    line : str
        The betting line, such as ``cr50``; the first node unless given.
    strategy : path, DataFrame, mapping, Strategy, Result or RecordedRun, optional
        As :func:`treeplex.check` takes it, or the folder of a split run, as a path or opened. Unless given,
        a game of at most ``MOST_SEQUENCES`` sequences is solved.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    board : str
        The board where cards come within the game: ``KsTh7s4d``, with or without the starting board.
    map : {"strategy", "equity", "ev", "ranges", "buckets"}
        What is shown: frequencies of actions; how often each hand wins a showdown with what the opponent has
        here, half of the ties counted, for which no strategy is needed at the first node; or what each hand
        wins on average from here on, both playing the strategy: its share of the pot less what it still puts
        in, so that a fold is worth 0. ``ranges`` are both players' ranges here, or at a line after which
        cards are dealt (``rc/crc``, on the board before them), as texts that specs take.
        ``buckets`` is a map of an abstraction, on any board of hold'em, and has no line and no strategy.
    abstraction : CardAbstraction, str or Path, optional
        For the map of buckets, and for the file of a sampled blueprint, which holds none.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.
    progress : callable, optional
        Called with the stage and the width proved so far.

    Raises
    ------
    ValueError
        If the game, the line, the board, the map or the strategy is not what it must be.

    Examples
    --------
    >>> show("kuhn_poker", "c")  # what player 1 does after a check; print draws it
    Picture(strategy)
    """
    check_word("map", map, (*MAPS, RANGES, BUCKETS))
    check_kind("line", line, str, "a text")
    check_kind("board", board, str, "a text")
    check_missing(missing)
    if map == BUCKETS:
        if line or strategy is not None:
            raise BadInputError("a map of buckets has no betting line and no strategy")
        check_unused(missing, "no strategy")
        game = game_of(game, bets=bets, raises=raises, progress=progress)
        return bucket_picture(game, abstraction, board, progress)
    if strategy is None:
        check_unused(missing, "no strategy")
        if abstraction is not None:
            shown_by = "the map of buckets, or read with a blueprint's file"
            raise BadInputError(f"an abstraction is shown by {shown_by}, got the map {map} and no strategy")
    problem = load(game, bets=bets, raises=raises, progress=progress)
    if map == RANGES:
        return _ranges(problem, line, strategy, missing, board, abstraction, progress)
    return _node_picture(problem, line, strategy, missing, board, map, abstraction, progress)


def _ranges(
    problem: Problem,
    line: str,
    strategy: "StrategyLike | RecordedRun | None",
    missing: str,
    board: str,
    abstraction: CardAbstractionLike | None,
    progress: Progress,
) -> NodeRanges:
    """Return both ranges at a line: of the last decision on the way to it, and of the action there."""
    before, action = decision_of(problem, line, board)
    if is_dealt(problem, line, strategy is None):
        return ranges_as_dealt(problem, line, board)
    picture = _node_picture(problem, before, strategy, missing, board, "strategy", abstraction, progress)
    return ranges_of(picture.view, line, action, picture.source)


def _node_picture(
    problem: Problem,
    line: str,
    strategy: "StrategyLike | RecordedRun | None",
    missing: str,
    board: str,
    map: str,
    abstraction: CardAbstractionLike | None,
    progress: Progress,
) -> Picture:
    """Return the picture of a strategy at a decision."""
    if not isinstance(strategy, RecordedRun | None) and (
        (blueprint := blueprint_of(problem, strategy, abstraction)) is not None
    ):
        check_unused(missing, "a blueprint")
        return _blueprint_picture(blueprint, line, board, map, _source(strategy))
    if isinstance(strategy, str | Path) and is_store(strategy):
        strategy = RecordedRun.of(strategy)
    if isinstance(strategy, RecordedRun):
        check_unused(missing, "a store")
        return _stored_picture(problem, strategy, line, board, map)
    completed = None if strategy is None else strategy_of(problem, strategy, missing)
    point = point_of(problem, line, board)
    _check_map(map, point)
    if map == "equity" and not line:
        return _picture(ranges_view(problem, point), map, AS_DEALT)
    if completed is None:
        return _solved_picture(problem, line, board, map, progress)
    view = node_view(problem, completed.strategy, line, board)
    source = ", ".join(filter(None, (_source(strategy), completed_text(completed.counts))))
    if map == "ev" and (judge := judge_of(problem, completed.strategy)) is not None:
        progress("valuing every board to come", float("inf"))
        return with_expected_values(_picture(view, "strategy", source), judge)
    return _picture(view, map, source)


def judge_of(problem: Problem, strategy: object) -> HandValues | None:
    """Return what values a strategy on boards at any node; None of profiles, whose views have values."""
    game = problem.game
    if isinstance(strategy, FactoredStrategy) and isinstance(game, PokerGame):
        return HandValues(game, strategy)
    return None


def with_expected_values(picture: Picture, judge: HandValues) -> Picture:
    """Return the expected values at the node that a picture of a strategy on boards shows."""
    return _picture(
        with_values(judge, picture.view), "ev", picture.source, picture.nash_conv, picture.seconds
    )


GIVEN = "a given strategy"
"""The source of a strategy that is no file."""


def _source(strategy: object) -> str:
    """Return where a strategy comes from, in words."""
    return f"strategy {strategy}" if isinstance(strategy, str | Path) else GIVEN


def _blueprint_picture(blueprint: BlueprintStrategy, line: str, board: str, map: str, source: str) -> Picture:
    """Return the picture of a blueprint at a node, which is read bucket by bucket."""
    if map == "ev":
        raise BadInputError("expected values are of strategies that fit on boards, got a blueprint")
    view = blueprint_view(blueprint.layout.game, blueprint, line, board)
    _check_map(map, view.point)
    return _picture(view, map, source)


def _stored_picture(problem: Problem, run: RecordedRun, line: str, board: str, map: str) -> Picture:
    """Return the picture of a split run's strategy at a node, of which a board a street is read."""
    store = run.folder.path
    if map == "ev":
        raise BadInputError(f"expected values are of strategies that are read whole, got the store {store}")
    run.check_game(problem.game)
    view = node_view(problem, run.strategy(), line, board)
    _check_map(map, view.point)
    return _picture(view, map, f"store {store}, {run.iterations:,} iterations")


def solved(problem: Problem, progress: Progress) -> Result:
    """Return the solution of a small game by its default method; raises ``ValueError`` if it is larger."""
    game = problem.game
    counted = isinstance(game, PokerGame) and not game.locks
    size = sum(problem.sizes.sequences if counted else problem.form.n_sequences)
    if size > MOST_SEQUENCES:
        raise BadInputError(
            f"{game.name} has {rounded_count(size)} sequences, and games of at most {MOST_SEQUENCES:,} are "
            "solved for a picture; solve it first and give the strategy"
        )
    return solve(problem, progress=progress)


def _solved_picture(problem: Problem, line: str, board: str, map: str, progress: Progress) -> Picture:
    result = solved(problem, progress)
    view = node_view(problem, result.profile, line, board)
    return _picture(view, map, solved_by(result), result.nash_conv, result.seconds)


def solved_by(result: Result) -> str:
    """Return where the strategy of a solved game comes from, in words."""
    return f"solved by {result.method}"


def _picture(
    view: NodeView, map: str, source: str, nash_conv: float | None = None, seconds: float | None = None
) -> Picture:
    values = None
    if map == "equity":
        values = equities(view.point.board, view.hands, view.opponent_hands, view.opponent_weight)
    elif map == "ev":
        values = view.values
    return Picture(view, hand_grid(view, values), map, source, nash_conv, seconds)


def _check_map(map: str, point: PublicPoint) -> None:
    """Refuse a map that the game cannot give, before any time is spent."""
    if map == "equity" and not point.is_holdem:
        raise BadInputError(
            f"equities are for hold'em with the whole deck and five board cards, not {point.game}"
        )
