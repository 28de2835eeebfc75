"""Answers to bets that nobody planned for, with all hands, beside action translation."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np

from treeplex.cfr.boards.factored_cfr import MOST_THREADS
from treeplex.core.loading import GameLike, unwalked
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.strategies import StrategyLike
from treeplex.gadgets.off_tree.off_tree import NESTED_METHODS, Make, off_tree_method
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.added_bets import BetBeside, bets_beside
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_conversions import unmerged
from treeplex.seqform.boards.factored_strategy import FactoredTree, board_cards, check_suits, hand_labels
from treeplex.seqform.boards.real_boards import RealBoard, boards_to
from treeplex.subgames.answer_result import Answer, EarlierBet, Reply
from treeplex.subgames.blueprints import blueprint_on_boards
from treeplex.subgames.inputs import game_with_menus
from treeplex.subgames.nested_on_boards import AnsweredBet, CurrentPlay, answer_bet
from treeplex.subgames.resolve_on_boards import MOST_ITERATIONS, plays_suits_alike
from treeplex.subgames.solve_on_boards import BoardLimits


def answer(
    game: GameLike,
    strategy: StrategyLike,
    at: str,
    method: str | Make = "maxmargin",
    *,
    approach: str = "inexpensive",
    scale: float = 1.0,
    iterations: int = 1000,
    width: float = 1e-3,
    threads: int = 1,
    missing: str = "error",
    progress: Progress = silent,
) -> Answer:
    """Answer a bet that a strategy's menus lack by nested subgame solving, with all hands.

    Brown and Sandholm (2017), section 6. The subgame after the bet (or, expensive, the one before it with the
    bet added) is solved with the menus of the game; what the opponent's hands get by their best action in the
    menus are the alternative values. A line may have several such bets: each is answered in turn, and the
    alternatives at later ones are values of the earlier answers.

    Parameters
    ----------
    game : str, Path, Game or Problem
        The poker game with the menus by which the strategy plays, no hands locked, suits seen.
    strategy : str, Path, DataFrame, Strategy or Result
        As :func:`blueprint_on_boards` takes it: ``uniform``, ``nash``, ``METHOD:N`` or a strategy.
    at : str
        ``BOARD:LINE`` as public states are keyed, ``LINE`` alone on the starting board; the line ends in a
        bet that the menus lack, such as ``cr37``. The other player is the defender.
    method : str or callable
        One of ``treeplex.gadgets.off_tree.off_tree.NESTED_METHODS``,
        or a gadget of your own with ``root(tops)``
        that is made from alternative values, as a callable or ``module:Name``.
    approach : {"inexpensive", "expensive"}
        Solve the subgame after the bet, or the one before it again with the bet added.
    scale : float
        For ``reach-``: what lower-bound gifts are multiplied by; above 1 nothing is promised.
    iterations : int
        Of discounted CFR, at most, for each bet.
    width : float
        The width of the gadget's value at which a solve ends, in parts of the pot where the game that is
        solved begins: after the bet, or before it with the approach ``expensive``.
    threads : int
        Their number changes no result.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    progress : callable, optional
        Called with the stage.

    Raises
    ------
    ValueError
        If a parameter is out of its range, the game or the strategy does not fit, the line is none of the
        rules or does not end in such a bet, or the board is none on which it is made.
    treeplex.gadgets.gadget.UndefinedError
        If the gadget has no meaning there.

    Examples
    --------
    >>> found = answer("example:river", "uniform", "r37", iterations=5)  # player 0 bets 37, player 1 answers
    >>> found.method
    'maxmargin'
    """
    way = off_tree_method(method, approach, scale)
    _check_limits(iterations, width, threads)
    rules = game_with_menus(game)
    check_suits(rules)
    if not isinstance(at, str):
        raise TypeError(f"at must be BOARD:LINE, got {at!r}")
    text, colon, line = at.rpartition(":")
    bets = bets_beside(rules, line)
    cards = _board(rules, text if colon else rules.deck.text(rules.board), bets[-1], at)
    problem = game if isinstance(game, Problem) else unwalked(rules, progress=progress)
    played = blueprint_on_boards(problem, strategy, missing=missing, threads=threads, progress=progress)
    if method not in NESTED_METHODS or not plays_suits_alike(played):
        played = unmerged(played, problem.boards(isomorphism=False))
    on = boards_to(rules, played.tree.boards, cards)

    def limits_of(tree: FactoredTree) -> BoardLimits:
        pot = float(sum(tree.game.start().put))
        return BoardLimits(iterations=iterations, width=width * pot, threads=threads)

    current, origin, answered = CurrentPlay.of(played, 1 - bets[0].player), 0, list[AnsweredBet]()
    for bet in bets:
        board = _board_with(on, bet.n_board)
        place = current.tree.betting.node_of[bet.line], board.image - origin
        progress(f"answering {bet.line + bet.label}", float("inf"))
        answered.append(answer_bet(current, place, bet.label, way, limits_of, progress))
        current, origin = answered[-1].after, board.image
    name = method if isinstance(method, str) else getattr(method, "__name__", repr(method))
    return _report(answered, played.tree, _board_with(on, bets[-1].n_board), (name, approach))


def _check_limits(iterations: int, width: float, threads: int) -> None:
    check_integer("iterations", iterations, 1, MOST_ITERATIONS)
    check_integer("threads", threads, 1, MOST_THREADS)
    check_kind("width", width, Real, "a number")
    if not 0.0 <= width < 1.0:
        raise BadInputError(f"width must be from 0 to below 1, in parts of the pot, got {width}")


def _board(game: PokerGame, text: str, bet: BetBeside, at: str) -> Cards:
    """Return the board of a text, on which the last bet is made."""
    start = game.deck.text(game.board)
    legal = f"{bet.n_board} cards, none twice{f', beginning with {start}' if start else ''}"
    try:
        cards = board_cards(game, text)
    except (KeyError, ValueError):
        cards = ()
    if len({*cards}) != len(cards) or cards[: len(game.board)] != game.board or len(cards) != bet.n_board:
        raise BadInputError(f"the board of {at!r} must have {legal}, got {text!r}")
    return cards


def _board_with(boards: Sequence[RealBoard], n_cards: int) -> RealBoard:
    """Return the board of a line of boards that has so many cards."""
    return next(board for board in boards if len(board.cards) == n_cards)


def _report(
    answered: Sequence[AnsweredBet], tree: FactoredTree, board: RealBoard, way: tuple[str, str]
) -> Answer:
    """Return the report on the last of several bets that were answered in turn."""
    last, game = answered[-1], tree.game
    before, defender = last.before, last.before.defender
    hands = _labels(tree, before.opponent, board)
    live = np.flatnonzero(before.live).tolist()
    value = before.normalised(last.value)
    return Answer(
        game=game.name,
        unit=game.unit,
        bet=game.public_key(board.cards, last.bet),
        defender=defender,
        method=way[0],
        approach=way[1],
        range={hands[t]: float(before.reach[t] * last.share) for t in live},
        alternatives={hands[t]: float(before.cbv[t]) for t in live},
        values={hands[t]: float(value[t]) for t in live},
        gadget_value=last.gadget_value,
        loss=last.loss,
        translation_loss=last.translation_loss,
        replies=_replies(last, _labels(tree, defender, board)),
        earlier=tuple(
            EarlierBet(one.bet, one.gadget_value, one.loss, one.translation_loss) for one in answered[:-1]
        ),
        strategy=last.after.strategy,
        iterations=last.solution.iterations,
        seconds=last.solution.seconds,
    )


def _labels(tree: FactoredTree, player: int, board: RealBoard) -> list[str]:
    """Return the text of each of a player's live hands on a real board, in the order of the range."""
    hands = tree.boards.hands[player]
    order = np.argsort(hands.hand[hands.on(board.image)], kind="stable")
    labels = hand_labels(tree.game, tree.boards, player, board)
    return [labels[place] for place in order.tolist()]


def _replies(last: AnsweredBet, labels: Sequence[str]) -> tuple[Reply, ...]:
    """Return what the defender's hands play right after the bet."""
    strategy, defender = last.after.strategy, last.after.defender
    tree = strategy.tree
    hands, reach = tree.boards.hands[defender], last.after.reaches[defender]
    played, actions = strategy.at(defender, 0, 0).tolist(), tree.actions(0)
    found = {
        h: Reply(labels[h], float(reach[h]), dict(zip(actions, row, strict=True)))
        for h, row in zip(hands.hand[hands.on(0)].tolist(), played, strict=True)
    }
    return tuple(found[h] for h in sorted(found) if reach[h] > 0)
