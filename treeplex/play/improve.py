"""The self-improver: branches after bets that opponents made and a strategy's menus lack, solved and added.

Brown and Sandholm, Superhuman AI for heads-up no-limit poker: Libratus beats top professionals (2017). Which
solution is played where, and when a branch counts as converged, is not printed there; what is done here
stands in docs/IMPROVE.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from os import PathLike
from pathlib import Path
from time import perf_counter

from treeplex.cfr.boards.factored_cfr import MOST_THREADS
from treeplex.core.loading import GameLike, load, unwalked
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.strategy import certificate_of
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.off_tree.off_tree import OffTree, off_tree_method, unsafe
from treeplex.gadgets.off_tree.translation import check_alike
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.games.formats.specs import named_game
from treeplex.games.poker.added_bets import with_bets
from treeplex.games.poker.game import PokerGame
from treeplex.play.improvement import NOT_CONVERGED, WITH, WITHOUT, WORSE, Branch, Improvement, Solved
from treeplex.play.kept_hands import KeptHands
from treeplex.play.matches import MOST_HANDS
from treeplex.play.opponent_bets import Observed, OpponentBet
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import extended, unmerged
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_suits
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.certificate import Certificate
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.inputs import game_with_menus
from treeplex.subgames.nested_on_boards import AnsweredBet, CurrentPlay, answer_bet
from treeplex.subgames.resolve_on_boards import MOST_ITERATIONS, plays_suits_alike
from treeplex.subgames.solve_on_boards import BoardLimits

MOST_BETS = 1_000
"""Most branches of one run."""
METHODS = ("resolve", "maxmargin")
"""Gadgets behind which branches are solved."""


def improve(
    strategy: StrategyLike,
    menus: GameLike,
    matches: str | Path | Sequence[str | Path],
    *,
    k: int = 3,
    game: GameLike | None = None,
    method: str = "resolve",
    without_sibling: float = 1.0,
    iterations: int = 1000,
    width: float = 1e-3,
    threads: int = 1,
    missing: str = "error",
    keep: Callable[[FactoredStrategy], object] = lambda strategy: None,
    progress: Progress = silent,
) -> Improvement:
    """Add to a strategy the answers to the bets of opponents that its menus lack and that are worth most.

    Bets of the first betting round are collected from the hands of matches and scored by
    :class:`treeplex.play.opponent_bets.OpponentBet`. After each of the k best the branch to the end of the
    hand is solved twice: with its default sibling, behind a gadget whose alternatives are what each hand of
    the opponent gets by its best action in the menus; and without, as if every hand that comes to the line
    made the bet. What converged is added.

    Parameters
    ----------
    strategy : str, Path, DataFrame, Strategy or Result
        As :func:`treeplex.answer` takes it.
    menus : str, Path, Game or Problem
        Its game: poker with menus of bet sizes, suits seen, no hands locked.
    matches : str, Path or sequence of them
        Folders of ``treeplex match --out``.
    k : int
        How many branches are solved, at most.
    game : str, Path, Game or Problem, optional
        That was played in the matches; by its name in the folders unless given.
    method : {"resolve", "maxmargin"}
        The gadget.
    without_sibling : float
        A branch is added as solved without its sibling if more than this part of the opponents' decisions at
        its line were this bet. Nothing is promised then; never unless given.
    iterations : int
        Of discounted CFR in each solve, at most.
    width : float
        A branch has converged if the value of its gadget is proved to within so many pots.
    threads : int
        Their number changes no result.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    keep : callable, optional
        Called with the improved strategy each time a branch was added.
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    TypeError
        If a parameter is of another kind.
    ValueError
        If a parameter is out of its range, the game or the strategy does not fit, or a folder holds no match
        of the game.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import treeplex as tp
    >>> few, many = (f"no_limit_flop_holdem(ranks=4,suits=2,bets={b},flops=1)" for b in ("[1]", "[0.5,1]"))
    >>> with TemporaryDirectory() as folder:
    ...     _ = tp.match("uniform", "always-call", many, hands=100, out=folder)
    ...     found = tp.improve("uniform", few, folder, k=1, iterations=50)
    >>> found.branches[0].bet.after
    'cr200'
    """
    began = perf_counter()
    check_integer("k", k, 1, MOST_BETS)
    check_integer("iterations", iterations, 1, MOST_ITERATIONS)
    check_integer("threads", threads, 1, MOST_THREADS)
    for name, value in (("without_sibling", without_sibling), ("width", width)):
        check_kind(name, value, Real, "a number")
    if not 0.0 <= without_sibling <= 1.0:
        raise BadInputError(f"without_sibling must be from 0 to 1, got {without_sibling}")
    if not 0.0 < width < 1.0:
        raise BadInputError(f"width must be above 0 and below 1, in parts of the pot, got {width}")
    if method not in METHODS:
        raise BadInputError(f"method must be {' or '.join(METHODS)}, got {method!r}")
    given = load(menus, progress=progress).game
    if not isinstance(given, PokerGame) or given.betting.sizes is None:
        raise BadInputError(f"improve is for strategies of poker with menus of bet sizes, got {given.name}")
    rules = game_with_menus(menus)
    check_suits(rules)
    problem = menus if isinstance(menus, Problem) else unwalked(rules, progress=progress)
    folders = _folders(matches)
    observed = _observed(rules, folders, game, progress)
    played = blueprint_on_boards(problem, strategy, missing=missing, threads=threads, progress=progress)
    if not plays_suits_alike(played):
        played = unmerged(played, problem.boards(isomorphism=False))
    solver = _Solver(off_tree_method(method), iterations, width, threads, without_sibling, progress)
    branches, improved = list[Branch](), played
    for bet in observed.chosen(k):
        branch, improved = solver.branch(improved, bet)
        branches.append(branch)
        if branch.added:
            keep(improved)
    progress("judging", float("inf"))
    return Improvement(
        menus=rules.name,
        game=improved.tree.game.name,
        unit=rules.unit,
        hands=observed.hands,
        made=observed.bets.total(),
        branches=tuple(branches),
        before=_judged(played),
        translated=_translated(played, improved.tree),
        after=_judged(improved),
        strategy=improved,
        seconds=perf_counter() - began,
    )


def _folders(matches: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """Return the folders of matches, each once."""
    if isinstance(matches, str | PathLike):
        return [Path(matches)]
    check_kind("matches", matches, Sequence, "folders")
    for one in matches:
        check_kind("a folder of matches", one, str | PathLike, "a text or a Path")
    return [*dict.fromkeys(map(Path, matches))]


def _observed(
    rules: PokerGame, folders: Sequence[str | Path], game: GameLike | None, progress: Progress
) -> Observed:
    """Return what opponents did in the matches of folders."""
    if not folders:
        raise BadInputError("matches must be at least one folder, got none")
    many, observed = None if game is None else load(game, progress=progress).game, None
    for folder in folders:
        name, kept = KeptHands.found(folder)
        if many is None:
            many = named_game(name)
        if many.name != name:
            raise BadInputError(f"{folder} holds a match of {name}, not of {many.name}")
        if not isinstance(many, PokerGame):
            raise BadInputError(f"matches must be of poker, got {name}")
        if observed is None:
            if many != rules:
                check_alike(rules, many)
            if many.betting.dead_money != rules.betting.dead_money:
                raise BadInputError(f"{name} and {rules.name} must spell bets alike")
            observed = Observed(many, rules)
        progress(f"reading {folder}", float("inf"))
        before = observed.hands
        try:
            observed.add(kept.read(MOST_HANDS))
        except BadInputError as error:
            where = f"{kept.path}, line {observed.hands - before}"
            raise BadInputError(f"{error}" if f"{kept.path}" in f"{error}" else f"{where}: {error}") from None
    assert observed is not None
    return observed


@dataclass(frozen=True)
class _Solver:
    """How branches are solved, and which solution is added."""

    way: OffTree
    iterations: int
    width: float
    threads: int
    without_sibling: float
    progress: Progress

    def branch(self, played: FactoredStrategy, bet: OpponentBet) -> tuple[Branch, FactoredStrategy]:
        """Return the branch after a bet, and the strategy with it if it converged."""
        current = CurrentPlay.of(played, 1 - bet.player)
        place = played.tree.betting.node_of[bet.line], 0
        self.progress(f"solving after {bet.after}", float("inf"))
        sibling, alone = (
            answer_bet(current, place, bet.label, way, self._limits, self.progress)
            for way in (self.way, OffTree(unsafe))
        )
        most_used = bet.share > self.without_sibling
        added, chosen = (WITHOUT, alone) if most_used else (WITH, sibling)
        lost = sibling.translation_loss
        why = "" if self._converged(chosen) else NOT_CONVERGED
        if not why and lost is not None and chosen.loss > lost and not most_used:
            why = WORSE
        found = Branch(bet, _solved(sibling), _solved(alone), lost, "" if why else added, why)
        return found, played if why else _with(played, bet, chosen)

    def _limits(self, tree: FactoredTree) -> BoardLimits:
        return BoardLimits(iterations=self.iterations, width=self.width * _pot(tree), threads=self.threads)

    def _converged(self, one: AnsweredBet) -> bool:
        lower, upper = one.gadget_value
        return upper - lower <= self.width * _pot(one.solution.strategy.tree)


def _pot(tree: FactoredTree) -> float:
    return float(sum(tree.game.start().put))


def _solved(one: AnsweredBet) -> Solved:
    return Solved(one.gadget_value, one.loss, one.solution.iterations, one.solution.seconds)


def _with(played: FactoredStrategy, bet: OpponentBet, answered: AnsweredBet) -> FactoredStrategy:
    """Return a strategy in the game that also has a bet: it never makes it, and answers as was solved."""
    game = with_bets(played.tree.game, (bet.after,))
    found = extended(played, FactoredTree.of(game, BettingTree.of(game), played.tree.boards))
    below = Subtree.of(found.tree, found.tree.betting.node_of[bet.after], 0)
    for player, table in enumerate(answered.after.strategy.weight):
        below.insert(player, table, found.weight[player])
    return found


def _translated(played: FactoredStrategy, tree: FactoredTree) -> Certificate | None:
    """Return the certificate of a strategy in the game with more bets, by action translation."""
    if played.tree is tree:
        return _judged(played)
    try:
        return _judged(translated(played, tree))
    except ValueError:  # after a bet one game offers raises that the other has nothing for
        return None


def _judged(played: FactoredStrategy) -> Certificate:
    return certificate_of(unwalked(played.tree.game), played)
