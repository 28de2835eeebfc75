"""Short decks of the flop game of Table 2, and nested answers written out in the tree of the full game."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import numpy as np

from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import average
from treeplex.core.problem import Problem
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.street_answers import Answers, StreetAnswer
from treeplex.subgames.street_betting import Menus

DCFR = factored_config("dcfr")


def flop_game(bets, ranks=4, suits=2, raises=2):
    """No-limit flop hold'em on a short deck, one bet before the flop."""
    menu = Sizes(tuple(map(Fraction, bets)), tuple(map(Fraction, bets)))
    betting = Betting(
        first=(1, 0),
        invested=(Fraction(100), Fraction(50)),
        stacks=(Fraction(19_900), Fraction(19_950)),
        raise_sizes=None,
        max_raises=(1, raises),
        sizes=((menu, menu),) * 2,
        min_bet=Fraction(100),
    )
    return PokerGame(
        f"flop game of {ranks}x{suits}, {bets}, {raises}", ranks, suits, 2, (0, 3), betting, "holdem"
    )


COARSE, FULL = ("0.5", "1"), ("0.5", "0.75", "1")


@cache
def blueprint(game: PokerGame, iterations: int = 30) -> FactoredStrategy:
    return average(factored_cfr.prepare(Problem(game).boards(), DCFR), iterations)


@dataclass
class Recorder:
    """Answers that note the bets in the order in which they are met, and a store of what they become."""

    answers: Answers
    lines: list[str] = field(default_factory=list)
    early_answers: dict[str, StreetAnswer] = field(default_factory=dict)
    by_flop: dict[int, dict[str, np.ndarray]] = field(default_factory=dict)

    def answer(self, engines, defender, own_reach, tops):
        self.lines.append(tops.name)
        found = self.answers.answer(engines, defender, own_reach, tops)
        if "/" not in tops.name:
            self.early_answers[tops.name] = found
            self.lines.pop()
        return found

    def early(self, number):
        return None

    def keep_early(self, number, tables):
        pass

    def values_or(self, flop, run):
        values, plans = run()
        self.by_flop[flop] = dict(zip(self.lines, plans, strict=True))
        self.lines.clear()
        return values


def composed(seat: NestedSeat, recorder: Recorder) -> FactoredStrategy:
    """Return the defender's nested answers in the tree of the full game; the opponent plays uniformly."""
    menus, d = seat.menus, seat.menus.defender
    tree = Problem(menus.full).boards()
    weight = [np.zeros(int(base[-1])) for base in tree.base]
    numbers = {int(board): k for k, board in enumerate(seat.flops.boards)}
    for node in np.flatnonzero(tree.betting.player == d).tolist():
        bets = off_tree_bets(menus, tree.betting.line[node])
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist():
            found = behaviour(seat, recorder, bets, tree.betting.line[node], board, numbers.get(board))
            if found is None:
                continue
            first, n_actions, width = tree.rows(d, node, board)
            rows = weight[d][first : first + n_actions * width].reshape(n_actions, width)
            for label, row in found.items():
                rows[tree.actions(node).index(label)] = row
    return FactoredStrategy(tree, (weight[0], weight[1]))


def off_tree_bets(menus: Menus, line: str) -> list[str]:
    """Return the lines right after the off-tree bets of a line."""
    found, here = [], menus.full.first_line
    while here != line:
        point = menus.full.point(here)
        here = next(after for after in point.nexts if line.startswith(after) and reaches(menus, after, line))
        if point.player == menus.opponent and here in {s.line for _, s in menus.off_tree(point.betting.line)}:
            found.append(here)
    return found


def reaches(menus: Menus, after: str, line: str) -> bool:
    return menus.full.longest_line(line) == line and menus.full.betting.at(line).line.startswith(after)


def behaviour(seat, recorder, bets, line, board, flop):
    menus, d = seat.menus, seat.menus.defender
    if not bets:
        tree, strategy = seat.base.strategy.tree, seat.base.strategy
    elif "/" not in bets[-1]:
        game = menus.coarse
        from treeplex.games.poker.poker_subgame import subgame_of
        from treeplex.seqform.boards.betting_tree import BettingTree
        from treeplex.seqform.boards.factored_strategy import FactoredTree

        part = subgame_of(game, menus.full.point(bets[-1]).betting, ())
        tree = FactoredTree.of(part, BettingTree.of(part), seat.base.strategy.tree.boards)
        answer = recorder.early_answers[bets[-1]]
        tables = (answer.own, answer.theirs) if d == 0 else (answer.theirs, answer.own)
        strategy = FactoredStrategy(tree, tables)
    else:
        plans = recorder.by_flop[flop]
        if bets[-1] not in plans:
            return None
        cards = seat.base.strategy.tree.boards.cards[board]
        betting = menus.betting(menus.full.point(bets[-1]).betting, cards)
        if line not in betting.node_of:
            return None
        node, plan, first = betting.node_of[line], plans[bets[-1]], 0
        for other in range(node):
            first += len(betting.children[other]) if betting.player[other] == d else 0
        return {
            betting.action[child]: plan[first + k] for k, child in enumerate(betting.children[node].tolist())
        }
    if line not in tree.betting.node_of:
        return None
    node = tree.betting.node_of[line]
    return dict(zip(tree.actions(node), strategy.at(d, node, board).T, strict=True))
