"""Before the flop: best responses within the menu, and answers to off-tree bets on all flops at once."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treeplex.cfr.factored import factored_cfr
from treeplex.cfr.factored.factored_cfr import FactoredCFR
from treeplex.gadgets.boards.subgame import weight_met
from treeplex.games.poker.subgame import subgame_of
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.answers import Answer, Answers
from treeplex.subgames.flops.layout.forest import path_to
from treeplex.subgames.flops.layout.lines import with_move
from treeplex.subgames.flops.layout.tops import HandTops
from treeplex.subgames.flops.part import EarlyBet, Part
from treeplex.subgames.flops.respond import ended, given_away, menu_values
from treeplex.subgames.flops.seat import Seat


@dataclass(frozen=True)
class Within:
    """The opponent's best response to a part within the menu.

    Attributes
    ----------
    part : Part
    reaches : pair of (rows, H) float64
        Both players', before the flop.
    values : (V, H) float64
        Of its rows before the flop.
    met : (rows, H) float64
        The weight of the defender's hands that are met at rows of its reach; zero at rows nobody asks for.
    gifts : (E, H) float64
        What the opponent gave away before the flop, by line to it.
    """

    part: Part
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

    seat: Seat
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


def within_menu(seat: Seat, part: Part, given: Floats, bet: "tuple[Floats, Floats] | None" = None) -> Within:
    """Return the opponent's best response to a part within the menu.

    Parameters
    ----------
    seat : Seat
    part : Part
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
    return Within(part, reaches, values, met, part.before.gifts(values, met, given[None]))


def answer_early(seat: Seat, base: Within, bet: EarlyBet, answers: Answers) -> tuple[Answer, HandTops]:
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


def answered(seat: Seat, base: Within, bet: EarlyBet, answer: Answer, tops: HandTops) -> Within:
    """Return the part after an off-tree bet before the flop, and the best response to it within the menu."""
    d, tree = seat.menus.defender, Early(seat, bet).tree
    own = base.reaches[d][bet.at.reach]
    tables = (answer.own, answer.theirs) if d == 0 else (answer.theirs, answer.own)
    entering = (own, answer.entering) if d == 0 else (answer.entering, own)
    part = Part.of(seat.forests, FactoredStrategy(tree, tables), entering)
    if part.bets:
        raise ValueError(
            f"one off-tree bet may be made before the flop, got another after {tree.betting.line[0]!r}"
        )
    return within_menu(seat, part, tops.lower_bound_gifts, (ended(bet.at, base.values), tops.reach))
