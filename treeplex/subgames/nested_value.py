"""The exact best response to a blueprint whose holder answers off-tree bets.

Every bet is answered by nested solving, or by action translation. Before the flop: best responses within the
menu, and answers to off-tree bets on all flops at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.gadgets.boards.board_subgame import weight_met
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.poker_subgame import subgame_of
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree, Hands
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flop_by_flop import Store
from treeplex.subgames.over_all_flops import EarlyBet, FlopsPart, NestedSeat
from treeplex.subgames.response_on_flop import Responder, ended, given_away, menu_values
from treeplex.subgames.street_answers import Answers, Engines, HandTops, Plan, Stored, StreetAnswer
from treeplex.subgames.street_betting import Forests, Menus, path_to, with_move


@dataclass(frozen=True)
class MenuResponse:
    """The opponent's best response to a part within the menu.

    Attributes
    ----------
    part : FlopsPart
    reaches : pair of (rows, H) float64
        Both players', before the flop.
    values : (V, H) float64
        Of its rows before the flop.
    met : (rows, H) float64
        The weight of the defender's hands that are met at rows of its reach; zero at rows nobody asks for.
    gifts : (E, H) float64
        What the opponent gave away before the flop, by line to it.
    """

    part: FlopsPart
    reaches: tuple[Floats, Floats]
    values: Floats
    met: Floats
    gifts: Floats

    @property
    def root(self) -> Floats:
        """The value of each hand at the start, (H,)."""
        return np.asarray(self.values[self.part.before.street.entry[0]])


class Early(NamedTuple):
    """The engines of a bet before the flop, on all flops; satisfies ``Engines``."""

    seat: NestedSeat
    bet: EarlyBet

    @property
    def tree(self) -> FactoredTree:
        """The tree of the coarse menus after the bet."""
        game = subgame_of(self.seat.menus.coarse, self.bet.after, ())
        return FactoredTree.of(game, BettingTree.of(game), self.seat.base.strategy.tree.boards)

    def after(self) -> tuple[FactoredCFR, float]:
        """Return the one of the betting after the bet."""
        return factored_cfr.prepare(self.tree, self.seat.config, self.seat.threads), 1.0

    def again(self) -> tuple[FactoredCFR, float]:
        """Return the one from the choice on, the bet added as its last action."""
        menus, tree = self.seat.menus, self.tree
        line = self.seat.base.strategy.tree.betting.line[self.bet.node]
        before = menus.betting(menus.full.point(line).betting, ())
        whole = FactoredTree.of(tree.game, with_move(before, self.bet.label, tree.betting), tree.boards)
        return factored_cfr.prepare(whole, self.seat.config, self.seat.threads), 1.0


def within_menu(
    seat: NestedSeat, part: FlopsPart, given: Floats, bet: "tuple[Floats, Floats] | None" = None
) -> MenuResponse:
    """Return the opponent's best response to a part within the menu.

    Parameters
    ----------
    seat : NestedSeat
    part : FlopsPart
    given : (H,) float64
        Gifts before it.
    bet : pair of (H,) float64, optional
        Where an off-tree bet leads here: the value of ending the hand instead, and the reach there.
    """
    d, street = seat.menus.defender, part.before.street
    reaches = part.reach(0), part.reach(1)
    rows = sorted({0, *part.before.steps, *(one.at.reach for one in part.bets)})
    n_lines, none = len(street.chance), np.zeros((len(street.chance), len(given)))

    def on_flop(number: int) -> Floats:
        flop = seat.flop(number)
        play = part.play(flop, reaches, none)
        found = menu_values(flop, d, part.forest, play.own, play.own_entering)[2]
        cards = flop.last.cards
        met = [weight_met(cards[1 - d], cards[d], reaches[d][row][flop.hand[d]]) for row in rows]
        return seat.on_range(flop, np.array([*found[part.forest.layout.street.entry], *met]))

    total = seat.total("best response within the menu", on_flop)
    values = part.best(part.values(reaches[d], total[:n_lines]))
    met = np.zeros_like(reaches[d])
    met[rows] = total[n_lines:]
    if bet is not None:
        given = given + given_away(bet[0] - values[street.entry[0]], bet[1])
    return MenuResponse(part, reaches, values, met, part.before.gifts(values, met, given[None]))


def answer_early(
    seat: NestedSeat, base: MenuResponse, bet: EarlyBet, answers: Answers
) -> tuple[StreetAnswer, HandTops]:
    """Return the answer to an off-tree bet before the flop."""
    menus, street = seat.menus, base.part.before.street
    reach = base.met[bet.at.reach]
    path = path_to(base.part.strategy.tree.betting, street, bet.node, menus)
    given = [given_away(ended(s, base.values) - base.values[s.taken], base.met[s.reach]) for s in path]
    tops = HandTops(
        name=bet.after.line,
        tops=tuple(map(str, range(len(reach)))),
        reach=reach,
        opponent_reach=base.reaches[menus.opponent][bet.own],
        value=base.values[bet.at.value],
        lower_bound_gifts=np.sum([np.zeros(len(reach)), *given], axis=0),
    )
    own = base.reaches[menus.defender][bet.at.reach]
    return answers.answer(Early(seat, bet), menus.defender, own, tops), tops


def answered(
    seat: NestedSeat, base: MenuResponse, bet: EarlyBet, answer: StreetAnswer, tops: HandTops
) -> MenuResponse:
    """Return the part after an off-tree bet before the flop, and the best response to it within the menu."""
    d, tree = seat.menus.defender, Early(seat, bet).tree
    own = base.reaches[d][bet.at.reach]
    tables = (answer.own, answer.theirs) if d == 0 else (answer.theirs, answer.own)
    entering = (own, answer.entering) if d == 0 else (answer.entering, own)
    part = FlopsPart.of(seat.forests, FactoredStrategy(tree, tables), entering)
    if part.bets:
        raise BadInputError(
            f"one off-tree bet may be made before the flop, got another after {tree.betting.line[0]!r}"
        )
    return within_menu(seat, part, tops.lower_bound_gifts, (ended(bet.at, base.values), tops.reach))


@dataclass(frozen=True)
class SeatValue:
    """What the opponent of one seat gets in the full game, in chips a hand.

    Attributes
    ----------
    best_response : float
        By its best response, exactly.
    within_menu : float
        By its best response among the bets that the blueprint knows.
    """

    best_response: float
    within_menu: float


def nested_value(seat: NestedSeat, answers: Answers, store: Store | None = None) -> SeatValue:
    """Return the value of the opponent's best response, every off-tree bet answered where it is met.

    The best response goes depth first. A bet before the flop is answered on all flops at once; then flops are
    taken one by one. At each of the opponent's choices the alternative value of a bet is that of the choice
    within the menu against the strategy under way: the blueprint, or the answer to an earlier off-tree bet.

    Parameters
    ----------
    seat : NestedSeat
    answers : Answers
    store : Store, optional
        Where values are kept and from where they are read if they are there.

    Raises
    ------
    ValueError
        If off-tree bets can follow one another before the flop.
    """
    if store is None:
        return _value(
            seat, lambda _: answers, lambda *_: None, lambda parts, n: _on_flop(seat, parts, n, answers)[0]
        )

    def early(number: int) -> Answers:
        kept = store.early(number)
        return answers if kept is None else Known(kept)

    def on_flop(parts: list[MenuResponse], number: int) -> Floats:
        return store.values_or(number, lambda: _on_flop(seat, parts, number, answers))

    return _value(seat, early, store.keep_early, on_flop)


def stored_value(seat: NestedSeat, store: Store) -> SeatValue:
    """Return the same from the answers in a store, without any solver.

    Raises
    ------
    ValueError
        If the store lacks an answer.
    """

    def early(number: int) -> Answers:
        kept = store.early(number)
        if kept is None:
            raise BadInputError(
                f"{store.kept.folder} must hold the answer to bet {number} before the flop, got none"
            )
        return Known(kept)

    def on_flop(parts: list[MenuResponse], number: int) -> Floats:
        return _on_flop(seat, parts, number, Stored(store.answers(number)))[0]

    return _value(seat, early, lambda *_: None, on_flop)


class Known(NamedTuple):
    """One answer that is known."""

    known: StreetAnswer

    def answer(self, engines: Engines, defender: int, own_reach: Floats, tops: HandTops) -> StreetAnswer:
        """Return it."""
        return self.known


def _value(
    seat: NestedSeat,
    early: Callable[[int], Answers],
    keep_early: Callable[[int, StreetAnswer], object],
    on_flop: Callable[[list[MenuResponse], int], Floats],
) -> SeatValue:
    d, weight = seat.menus.defender, seat.base.strategy.tree.boards.hands[seat.menus.opponent].weight
    base = within_menu(seat, seat.base, np.zeros(len(weight)))
    parts = [base]
    for number, bet in enumerate(base.part.bets):
        answer, tops = answer_early(seat, base, bet, early(number))
        keep_early(number, answer)
        parts.append(answered(seat, base, bet, answer, tops))
    total = seat.total("off-tree bets answered", lambda number: on_flop(parts, number))
    totals = np.split(total, np.cumsum([len(within.part.before.street.chance) for within in parts])[:-1])
    values = base.part.values(base.reaches[d], totals[0])
    for bet, within, found in zip(base.part.bets, parts[1:], totals[1:], strict=True):
        part, row = within.part, bet.at.value
        after = part.best(part.values(within.reaches[d], found))
        values[row] = np.maximum(values[row], after[part.before.street.entry[0]])
    pairs = float(weight @ base.met[0])
    best = base.part.best(values)[base.part.before.street.entry[0]]
    return SeatValue(float(weight @ best) / pairs, float(weight @ base.root) / pairs)


def _on_flop(
    seat: NestedSeat, parts: list[MenuResponse], number: int, answers: Answers
) -> tuple[Floats, list[Plan]]:
    """Return the values of all parts' lines to a flop, off-tree bets included, and the answers there."""
    flop = seat.flop(number)
    responder = Responder(flop, seat.menus.defender, answers)
    found = [
        responder.values(within.part.forest, within.part.play(flop, within.reaches, within.gifts))
        for within in parts
    ]
    return seat.on_range(flop, np.concatenate(found)), responder.plans


def translated_value(seat: NestedSeat, store: Store | None = None) -> SeatValue:
    """Return the value of the opponent's best response in the full game to the translated blueprint.

    One flop is translated at a time, so that nothing of the size of the full game's tables is held.

    Parameters
    ----------
    seat : NestedSeat
    store : Store, optional
        Where values are kept and from where they are read if they are there.
    """
    menus, d = seat.menus, seat.menus.defender
    weight = seat.base.strategy.tree.boards.hands[menus.opponent].weight
    base = within_menu(seat, seat.base, np.zeros(len(weight)))
    forests = Forests(Menus(menus.full, menus.full, d), seat.forests.board)
    betting = BettingTree.of(menus.full)
    part = FlopsPart.of(forests, _with_flop(seat, betting, 0), seat.base.entering)
    reaches = part.reach(0), part.reach(1)
    none = np.zeros((len(part.before.street.chance), len(weight)))

    def translate(number: int) -> tuple[Floats, list[Plan]]:
        here = replace(part, strategy=_with_flop(seat, betting, number))
        flop = replace(seat.flop(number), number=1)
        play = here.play(flop, reaches, none)
        found = menu_values(flop, d, part.forest, play.own, play.own_entering)[2]
        return seat.on_range(flop, found[part.forest.layout.street.entry]), []

    def on_flop(number: int) -> Floats:
        return translate(number)[0] if store is None else store.values_or(number, lambda: translate(number))

    total = seat.total("off-tree bets translated", on_flop)
    best = part.best(part.values(reaches[d], total))[part.before.street.entry[0]]
    pairs = float(weight @ base.met[0])
    return SeatValue(float(weight @ best) / pairs, float(weight @ base.root) / pairs)


def _with_flop(seat: NestedSeat, betting: BettingTree, number: int) -> FactoredStrategy:
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
