"""The exact best response to a blueprint whose holder answers off-tree bets by action translation."""

from dataclasses import replace

import numpy as np

from treeplex.gadgets.translation.on_boards import translated
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.board_hands import Hands
from treeplex.seqform.factored.board_tree import BoardTree
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.early import within_menu
from treeplex.subgames.flops.layout.forest import Forests
from treeplex.subgames.flops.layout.lines import Menus
from treeplex.subgames.flops.nested import SeatValue
from treeplex.subgames.flops.part import Part
from treeplex.subgames.flops.respond import menu_values
from treeplex.subgames.flops.seat import Seat


def translated_value(seat: Seat) -> SeatValue:
    """Return the value of the opponent's best response in the full game to the translated blueprint.

    One flop is translated at a time, so that nothing of the size of the full game's tables is held.

    Parameters
    ----------
    seat : Seat
    """
    menus, d = seat.menus, seat.menus.defender
    weight = seat.base.strategy.tree.boards.hands[menus.opponent].weight
    base = within_menu(seat, seat.base, np.zeros(len(weight)))
    forests = Forests(Menus(menus.full, menus.full, d), seat.forests.board)
    betting = BettingTree.of(menus.full)
    part = Part.of(forests, _with_flop(seat, betting, 0), seat.base.entering)
    own_reach = part.reach(d)
    none = np.zeros((len(part.before.street.chance), len(weight)))

    def on_flop(number: int) -> Floats:
        here = replace(part, strategy=_with_flop(seat, betting, number))
        flop = replace(seat.flop(number), number=1)
        play = here.play(flop, (here.reach(0), here.reach(1)), none)
        found = menu_values(flop, d, part.forest, play.own, play.own_entering)[2]
        return seat.on_range(flop, found[part.forest.layout.street.entry])

    total = seat.total("off-tree bets translated", on_flop)
    best = part.best(part.values(own_reach, total))[part.before.street.entry[0]]
    pairs = float(weight @ base.met[0])
    return SeatValue(float(weight @ best) / pairs, float(weight @ base.root) / pairs)


def _with_flop(seat: Seat, betting: BettingTree, number: int) -> FactoredStrategy:
    """Return the translated blueprint on the start and one flop."""
    whole, menus = seat.base.strategy, seat.menus
    board = int(seat.flops.boards[number])
    boards = with_board(whole.tree.boards, board)
    small = FactoredTree.of(menus.coarse, whole.tree.betting, boards)
    tables = []
    for p in (0, 1):
        base = whole.tree.base[p]
        parts = [whole.weight[p][base[b] : base[b + 1]] for b in (0, board)]
        tables.append(np.concatenate(parts))
    strategy = FactoredStrategy(small, (tables[0], tables[1]))
    return translated(strategy, FactoredTree.of(menus.full, betting, boards))


def with_board(boards: BoardTree, board: int) -> BoardTree:
    """Return the start of a tree of boards and one board of the last street, the second."""
    number = int((boards.street[:board] == boards.street.max()).sum())
    first, second = (_picked(hands, board, number) for hands in boards.hands)
    kept = [0, board]
    return replace(
        boards,
        street=boards.street[kept],
        parent=np.array([-1, 0], np.int32),
        ways=boards.ways[kept],
        cards=(boards.cards[0], boards.cards[board]),
        symmetric=boards.symmetric[kept],
        hands=(first, second),
    )


def _picked(hands: Hands, board: int, number: int) -> Hands:
    on = np.r_[hands.on(0), hands.on(board)]
    width = [int(hands.start[b + 1] - hands.start[b]) for b in (0, board)]
    return replace(
        hands,
        start=np.concatenate([[0], np.cumsum(width)]).astype(np.int64),
        hand=hands.hand[on],
        above=hands.above[on],
        home=hands.home[on],
        mate=hands.mate[on],
        first=hands.first[on],
        size=hands.size[on],
        group_start=hands.group_start[number : number + 1],
    )
