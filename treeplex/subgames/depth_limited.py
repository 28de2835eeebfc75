"""Depth-limited solving: the trunk solved against continuations, exploitability before and after.

Its parameters, rounds and result.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress, silent
from treeplex.files.completion import check_missing
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.off_tree.depth_limited import (
    DepthLimited,
    biased_continuations,
    self_generate,
    solve_depth_limited,
    trunk_optimum,
)
from treeplex.games.base.display import Block, Columns, Line
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.protocol import Game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.subgames.cut import Cut
from treeplex.subgames.blueprints import Start
from treeplex.subgames.inputs import (
    ALL,
    check_defender,
    cuts_of,
    enumerated,
    unlocked_game,
)
from treeplex.subgames.resolution import ChangedStrategy, completed_lines

SELF_GENERATED = "self-generated"
CONTINUATIONS = ("blueprint", "biased", SELF_GENERATED)
"""Named sources of the opponent's continuations."""
COLUMNS = ("continuations", "value", "conceded", "gap")


@dataclass(frozen=True)
class Round:
    """One depth-limited game solved; amounts are the opponent's, in the game's unit.

    Attributes
    ----------
    continuations : int
        How many the opponent could choose from at each top.
    value : float
        What the opponent gets in the depth-limited game.
    conceded : float
        What the opponent's best response gets in the whole game.
    gap : float
        ``conceded - value``.
    """

    continuations: int
    value: float
    conceded: float
    gap: float


@dataclass(frozen=True, kw_only=True, repr=False)
class DepthLimitedResult(ChangedStrategy):
    """The trunk of a game solved again, the defender's blueprint kept below it.

    Attributes
    ----------
    game, unit : str
    defender : int
    subgames : tuple of str
        The public states at which the trunk ends.
    continuations : str
        ``blueprint``, ``biased``, ``self-generated`` or ``given``.
    rounds : tuple of Round
        One, or for self-generated continuations one for each number of them.
    converged : bool or None
        Whether the last gap is within the tolerance; None unless continuations are self-generated.
    exploitability_before, exploitability_after, exploitability_joint : float
        The defender's distance from the game's value, in its unit: of the blueprint, of ``profile``, and of
        the best trunk strategy above the blueprint.
    value : Certificate
        The proved interval for the game's value that they are measured from.
    profile : Profile
        The defender's new strategy beside the opponent's blueprint; of the round that concedes least.
    seconds : float
        Wall time of depth-limited solving alone.
    parameters : mapping
        What was asked for.
    """

    subgames: tuple[str, ...]
    continuations: str
    rounds: tuple[Round, ...]
    converged: bool | None

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each round, and the exploitabilities."""
        title = (
            f"{self.game}: player {self.defender} solves above {len(self.subgames)} subgames, "
            f"continuations {self.continuations}"
        )
        rows = tuple(
            (str(one.continuations), *(f"{x + 0.0:.6g}" for x in (one.value, one.conceded, one.gap)))
            for one in self.rounds
        )
        return Columns(title, COLUMNS, rows, left=()), *map(Line, _footer(self))

    def brief(self) -> str:
        """Return game, defender, continuations, and exploitability before and after."""
        return f"{self.game}: player {self.defender}, {self.continuations}, exploitability {self._change}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "defender": self.defender,
            "subgames": list(self.subgames),
            "continuations": self.continuations,
            "rounds": [asdict(one) for one in self.rounds],
            "converged": self.converged,
            **self._measured(),
        }


@dataclass(frozen=True, kw_only=True)
class DepthLimits:
    """Parameters of depth-limited solving.

    Attributes
    ----------
    factor : float
        For ``biased``: how many times as often an action is played; at least 0.
    rounds : int
        For ``self-generated``: how many games at most, each with one continuation more; at least 1.
    tolerance : float
        For ``self-generated``: the gap at which to stop, in the game's unit; at least 0.
    """

    factor: float = 10.0
    rounds: int = 20
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        for name, value, least in (
            ("factor", self.factor, 0),
            ("rounds", self.rounds, 1),
            ("tolerance", self.tolerance, 0),
        ):
            if not least <= value < float("inf"):
                raise BadInputError(f"{name} must be at least {least} and finite, got {value!r}")

    def check(self, continuations: str) -> None:
        """Refuse what differs from its default though these continuations do not look at it."""
        for name, user in (("factor", "biased"), ("rounds", SELF_GENERATED), ("tolerance", SELF_GENERATED)):
            value = getattr(self, name)
            if value != getattr(DepthLimits, name) and continuations != user:
                raise BadInputError(f"{name} is for {user} continuations, got {value} with {continuations}")


def _footer(result: DepthLimitedResult) -> Iterator[str]:
    yield ""
    yield f"values are what player {1 - result.defender} gets, in {result.unit}"
    yield from completed_lines(result.parameters)
    if result.converged is False:
        yield "the last gap is above the tolerance: more rounds would add continuations"
    yield from result._measured_lines("above this blueprint")


def depth_limited(
    game: GameLike,
    defender: int,
    at: str | Sequence[str] = ALL,
    continuations: str | Sequence[StrategyLike] = SELF_GENERATED,
    *,
    blueprint: StrategyLike = "nash",
    missing: str = "error",
    limits: DepthLimits | None = None,
    progress: Progress = silent,
) -> DepthLimitedResult:
    """Solve the trunk of a game, below which the opponent chooses among continuations, and judge it.

    Brown, Sandholm and Amos, Depth-limited solving for imperfect-information games (NeurIPS 2018).

    Parameters
    ----------
    game : str, Game or Problem
        Small enough to be enumerated.
    defender : int
        Who solves the trunk and plays the blueprint below it, 0 or 1.
    at : str or sequence of str
        Public states at which the trunk ends, as :func:`treeplex.resolve` takes them.
    continuations : str or sequence of strategies
        ``blueprint``: the opponent's blueprint alone; ``biased``: that, and the same with one kind of
        action more often (in poker folds, calls and raises, elsewhere each action); ``self-generated``:
        that, and best responses added until they gain nothing. Or strategies, as for ``blueprint``, of which
        the opponent's part is used.
    blueprint : str, Path, DataFrame or Profile
        As :func:`treeplex.resolve` takes it.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    limits : DepthLimits, optional
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If the game is too large, a public state, blueprint or continuation is unknown or does not fit, a set
        of public states cuts an infoset, or a limit is out of its range or not for the continuations.

    Examples
    --------
    >>> found = depth_limited("kuhn_poker", 0, continuations="blueprint")
    >>> found.exploitability_after < 1e-9  # of an equilibrium, which loses nothing
    True
    """
    check_defender(defender)
    check_missing(missing)
    name = continuations if isinstance(continuations, str) else "given"
    if isinstance(continuations, str) and name not in CONTINUATIONS:
        raise BadInputError(f"continuations must be {', '.join(CONTINUATIONS)} or strategies, got {name!r}")
    chosen = DepthLimits() if limits is None else limits
    check_kind("limits", chosen, DepthLimits, "DepthLimits")
    chosen.check(name)
    rules = unlocked_game(game, progress)
    progress("enumerating the game", float("inf"))
    tree = enumerated(rules, progress)
    cuts = cuts_of(rules, tree, defender, at)
    given = Start.of(rules, tree, blueprint, missing, progress)
    start = given.strategy
    behaviours = None
    if not isinstance(continuations, str):
        behaviours = [given.profile(one, missing, progress).behaviour[1 - defender] for one in continuations]
    progress("solving the trunk", float("inf"))
    clock = time.perf_counter()
    solved = _solved(rules, cuts, start, name, behaviours, chosen)
    seconds = time.perf_counter() - clock
    progress("finding the best trunk strategy", float("inf"))
    profile = start.exchanged(defender, min(solved, key=lambda one: one.conceded).behaviour)
    joint = start.exchanged(defender, trunk_optimum(cuts, start))
    before, after, jointly = (given.distance(defender, strategy) for strategy in (start, profile, joint))
    return DepthLimitedResult(
        game=rules.name,
        unit=rules.unit,
        defender=defender,
        subgames=tuple(piece.name for piece in cuts),
        continuations=name,
        rounds=tuple(Round(len(one.continuations), one.value, one.conceded, one.gap) for one in solved),
        converged=solved[-1].gap <= chosen.tolerance if name == SELF_GENERATED else None,
        exploitability_before=before,
        exploitability_after=after,
        exploitability_joint=jointly,
        value=given.value,
        profile=profile,
        seconds=seconds,
        parameters=MappingProxyType(
            {
                "at": at,
                "blueprint": blueprint,
                "continuations": continuations,
                "limits": chosen,
                "missing": missing,
                **given.blueprint.counts,
            }
        ),
    )


def _solved(
    game: Game[Any],
    cuts: Sequence[Cut],
    blueprint: Profile,
    name: str,
    behaviours: Sequence[Floats] | None,
    limits: DepthLimits,
) -> tuple[DepthLimited, ...]:
    if name == SELF_GENERATED:
        return self_generate(cuts, blueprint, rounds=limits.rounds, tolerance=limits.tolerance).history
    opponent = cuts[0].opponent
    treeplex, behaviour = blueprint.treeplexes[opponent], blueprint.behaviour[opponent]
    if name == "biased":
        behaviours = biased_continuations(treeplex, behaviour, _kinds(game, treeplex), limits.factor)
    return (solve_depth_limited(cuts, blueprint, [behaviour] if behaviours is None else behaviours),)


def _kinds(game: Game[Any], treeplex: Treeplex) -> list[list[str]]:
    """Return the labels of each kind of action: in poker by their first letter, elsewhere each its own."""
    kinds: dict[str, list[str]] = {}
    for label in dict.fromkeys(treeplex.actions[1:]):
        kinds.setdefault(label[:1] if isinstance(game, PokerGame) else label, []).append(label)
    return list(kinds.values())
