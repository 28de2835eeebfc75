"""Answers on flops beside those of the enumerated game: the same tops, gifts and values of gadgets."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.treeplex.subgames.games import COARSE, DCFR, FULL, blueprint, flop_game
from treeplex.gadgets.alternatives import BlueprintAlternatives, LowerBoundGifts
from treeplex.gadgets.off_tree.menu_abstraction import Abstraction
from treeplex.gadgets.off_tree.nested_solving import (
    AbstractionAlternatives,
    OffTreeMove,
    RestrictedGadget,
    off_tree_levels,
)
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.subgames.nested_value import nested_value
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.response_on_flop import menu_values
from treeplex.subgames.street_answers import Answers, Nested, rounded
from treeplex.subgames.street_betting import Menus

REACH = BlueprintAlternatives(LowerBoundGifts())
DECK = {"ranks": 7, "suits": 1, "raises": 1}


@dataclass
class Watched:
    """Answers that note all that they were asked."""

    answers: Answers
    asked: list = field(default_factory=list)

    def answer(self, engines, defender, own_reach, tops):
        found = self.answers.answer(engines, defender, own_reach, tops)
        self.asked.append((engines, own_reach, tops, found))
        return found


@pytest.fixture(scope="module")
def enumerated():
    coarse, full = flop_game(COARSE, **DECK), flop_game(FULL, **DECK)
    game = number_tree(build_tree(full, max_nodes=2_000_000))
    small = number_tree(build_tree(coarse, max_nodes=2_000_000)).form
    abstraction = Abstraction(coarse, full)
    start = abstraction.embedded(profile_of(coarse, blueprint(coarse), small), game.form)
    return game, abstraction.missing(game.form), start


@pytest.mark.seconds(50)
@over([0, 1], [(Maxmargin, 1.0), (Resolve, 0.0)])
def test_values_of_gadgets_are_those_of_linear_programs(defender, gadget, scale, enumerated):
    coarse, full = flop_game(COARSE, **DECK), flop_game(FULL, **DECK)
    watched = Watched(Nested(OffTree(gadget, scale=scale), 3000))
    seat = NestedSeat.of(Menus(full, coarse, defender), blueprint(coarse), DCFR)
    seat = NestedSeat.of(seat.menus, blueprint(coarse), DCFR)
    nested_value(seat, watched)
    compared = 0
    for engines, own_reach, tops, answer in watched.asked:
        if "/" not in tops.name or not on_blueprint(seat, tops.name):
            continue
        flop = engines.flop
        if flop.number % 9 != 2:
            continue
        hands = [full.hand_label(tuple(hand)) for hand in flop.last.cards[1 - defender].tolist()]
        cards = seat.base.strategy.tree.boards.cards[flop.number]
        lp, alternative, gift = by_linear_program(
            enumerated, defender, full.public_key(cards, tops.name), gadget, scale
        )
        ours = dict(zip(hands, np.nan_to_num(tops.cbv), strict=True))
        theirs = {top.split("|")[0]: x for top, x in alternative.items()}
        assert {h: ours[h] for h in theirs} == pytest.approx(theirs, rel=1e-8)  # hands that meet next to none
        given = dict(zip(hands, tops.lower_bound_gifts * scale, strict=True))
        assert {top: given[top.split("|")[0]] for top in gift} == pytest.approx(gift, rel=1e-8, abs=1e-9)
        plan = rounded(engines.bet.below.layout.street, defender, answer.own.reshape(-1, len(own_reach)))
        values = menu_values(flop, defender, engines.bet.below, plan, own_reach[None])[2]
        value = values[engines.bet.below.layout.street.entry[0]]
        allowed = np.nan_to_num(tops.cbv) + tops.lower_bound_gifts * scale
        live = tops.live
        if gadget is Maxmargin:
            found = float((value[live] / tops.reach[live] - allowed[live]).max())
        else:
            found = float(np.maximum(value, tops.reach * allowed)[live].sum() / tops.reach[live].sum())
        assert lp - 1e-6 <= found <= lp + 1.0  # chips, of pots of 200 and more
        compared += 1
    assert compared >= 6


def on_blueprint(seat, line):
    """Whether the bet that ends a line is its only off-tree bet."""
    return any(bet.line == line for bet in seat.base.forest.bets)


def by_linear_program(enumerated, defender, name, gadget, scale):
    """Return a gadget's value to the opponent, alternatives and gifts by top, per unit of reach."""
    game, missing, start = enumerated
    states, opponent = PublicStates.of(game.tree), 1 - defender
    level = off_tree_levels(game, opponent, missing[opponent])
    later = missing[opponent] & (level >= 1)
    barred = (missing[0], later) if opponent == 1 else (later, missing[1])
    move = OffTreeMove(game, states, defender, start, missing, barred, name)
    piece = cut(states, game, [name], defender)
    treeplex, response = piece.other.treeplex, move.response()
    chosen = treeplex.infoset_of[piece.entry]
    alternatives = AbstractionAlternatives(response, treeplex.parent[chosen], response.value[chosen], scale)
    subgame = Subgame.of(piece, start)
    found = alternatives.of(subgame)
    form = RestrictedGadget(gadget(alternatives), missing).apply(subgame)
    value = float(solve_lp(form).certificate.value) * (1 if opponent == 0 else -1)
    if gadget is Resolve:
        value /= float(subgame.reach[subgame.live].sum())
    live = np.flatnonzero(subgame.live).tolist()
    tops = [piece.tops[t].partition(" ")[2] or piece.tops[t] for t in live]
    return (
        value,
        dict(zip(tops, found.alternative[live], strict=True)),
        dict(zip(tops, found.gift[live], strict=True)),
    )
