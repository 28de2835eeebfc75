"""Where strategies from any source lose."""

from __future__ import annotations

from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.seqform.certify import losses as costing
from treeplex.seqform.certify.losses import Losses
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.store.strategy_like import StrategyLike, strategy_of


def losses(
    game: GameLike,
    strategy: StrategyLike,
    *,
    missing: str = "error",
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Losses:
    """Return what each infoset's behaviour in a strategy costs its player, the largest first.

    A player's losses sum to what the player gains by a best response; infosets that cost nothing are left
    out. Where hands are locked they are those of the game that is played.

    Parameters
    ----------
    game : str, Path, Game or Problem
    strategy : path, DataFrame, mapping, Strategy or Result
        As for :func:`treeplex.check`.
    missing : {"error", "uniform"}
        What becomes of infosets without rows.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with what is being done while the game is made ready.

    Raises
    ------
    TypeError
        If the strategy is none of these.
    ValueError
        If the game or the strategy is not what it must be, or the strategy is on boards.
    """
    problem = load(game, bets=bets, raises=raises, progress=progress)
    completed = strategy_of(problem, strategy, missing).strategy
    if isinstance(completed, FactoredStrategy):
        raise ValueError("losses by infoset are of tables, got a strategy on boards")
    return Losses(costing.losses(problem.form, problem.played(completed)), problem.game.unit)
