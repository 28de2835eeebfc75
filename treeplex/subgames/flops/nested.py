"""The exact best response to a blueprint whose holder answers every off-tree bet by nested solving."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.answers import Answer, Answers, Engines, Plan, Stored
from treeplex.subgames.flops.early import Within, answer_early, answered, within_menu
from treeplex.subgames.flops.layout.tops import HandTops
from treeplex.subgames.flops.respond import Responder
from treeplex.subgames.flops.seat import Seat
from treeplex.subgames.flops.store import Store


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


def nested_value(seat: Seat, answers: Answers, store: Store | None = None) -> SeatValue:
    """Return the value of the opponent's best response, every off-tree bet answered where it is met.

    The best response goes depth first. A bet before the flop is answered on all flops at once; then flops are
    taken one by one. At each of the opponent's choices the alternative value of a bet is that of the choice
    within the menu against the strategy under way: the blueprint, or the answer to an earlier off-tree bet.

    Parameters
    ----------
    seat : Seat
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

    def on_flop(parts: list[Within], number: int) -> Floats:
        known = store.values(number)
        if known is None:
            known, plans = _on_flop(seat, parts, number, answers)
            store.keep(number, known, plans)
        return known

    return _value(seat, early, store.keep_early, on_flop)


def stored_value(seat: Seat, store: Store) -> SeatValue:
    """Return the same from the answers in a store, without any solver.

    Raises
    ------
    ValueError
        If the store lacks an answer.
    """

    def early(number: int) -> Answers:
        kept = store.early(number)
        if kept is None:
            raise ValueError(f"{store.folder} must hold the answer to bet {number} before the flop, got none")
        return Known(kept)

    def on_flop(parts: list[Within], number: int) -> Floats:
        return _on_flop(seat, parts, number, Stored(iter(store.answers(number))))[0]

    return _value(seat, early, lambda *_: None, on_flop)


class Known(NamedTuple):
    """One answer that is known."""

    known: Answer

    def answer(self, engines: Engines, defender: int, own_reach: Floats, tops: HandTops) -> Answer:
        """Return it."""
        return self.known


def _value(
    seat: Seat,
    early: Callable[[int], Answers],
    keep_early: Callable[[int, Answer], object],
    on_flop: Callable[[list[Within], int], Floats],
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


def _on_flop(seat: Seat, parts: list[Within], number: int, answers: Answers) -> tuple[Floats, list[Plan]]:
    """Return the values of all parts' lines to a flop, off-tree bets included, and the answers there."""
    flop = seat.flop(number)
    responder = Responder(flop, seat.menus.defender, answers)
    found = [
        responder.values(within.part.forest, within.part.play(flop, within.reaches, within.gifts))
        for within in parts
    ]
    return seat.on_range(flop, np.concatenate(found)), responder.plans
