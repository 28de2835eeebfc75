"""Lisy and Bowling 2017: local best responses win no more than best responses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker, random_behaviour
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.seqform.certify.local_response import ByLine, ResponderSeat
from treeplex.seqform.forms.sequence_form import SequenceForm, number_tree
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.trees.game_tree import build_tree

POT, LARGE = Fraction(1), Fraction(9)
MENUS: Mapping[str, Sizes | None] = MappingProxyType(
    {
        "bets of the game": None,
        "no bets": Sizes((), ()),
        "pot and all-in": Sizes((POT, LARGE), (POT, LARGE)),
    }
)
"""The responder's, by name; those but the first are for games of every whole number of chips."""


@lru_cache(16)
def _game(spec: str, is_whole: bool) -> PokerGame:
    """Return a poker game, with raises to every whole number of up to 4 chips if that is asked for."""
    game = poker(spec)
    if not is_whole:
        return game
    one = Fraction(1)
    rounds = game.betting.n_rounds
    betting = Betting((0,) * rounds, (one, one), (3 * one, 3 * one), None, (None,) * rounds, min_bet=one)
    return replace(game, betting=betting)


@lru_cache(16)
def _form(spec: str, is_whole: bool) -> SequenceForm:
    return number_tree(build_tree(_game(spec, is_whole))).form


@dataclass(frozen=True)
class Behaviour:
    """One player's behaviour on the infosets of a game, asked for all hands of a betting line at once."""

    game: PokerGame
    treeplex: Treeplex
    behaviour: Floats

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions of hands (H, K), (H, actions)."""
        player = self.game.point(line).player
        rows = []
        for hand in map(tuple, hands.tolist()):
            i = self.treeplex.index[self.game.infoset(PokerState((hand, hand), board, line), player)]
            rows.append(self.behaviour[self.treeplex.begin[i] : self.treeplex.end[i]])
        return np.array(rows)


def choices(
    seat: ResponderSeat, strategy: Behaviour, state: BettingState, known: int
) -> Iterator[tuple[str, str]]:
    """Yield what a responder does at each infoset of its hand that it comes to, on all boards."""
    game, player = seat.game, seat.player
    if state.player == HAND_OVER:
        return
    if state.player == ROUND_OVER:
        due, after = game.dealt(state)
        for cards, _ in game.streets(seat.board, due - known):
            if not {*cards} & {*seat.mine}:
                there = replace(seat, board=(*seat.board, *cards))
                there.hands, there.weight = seat.hands, seat.weight
                there.drop(there.board)
                yield from choices(there, strategy, after, due)
    elif state.player == player:
        action = seat.choice(state, known)
        yield game.infoset(PokerState((seat.mine, seat.mine), seat.board, state.line), player), action
        yield from choices(seat, strategy, seat.moves(state)[action], known)
    else:
        play = strategy.play(state.line, seat.board, seat.hands)
        for a, line in enumerate(game.point(state.line).moves.values()):
            there = replace(seat)
            there.hands, there.weight = seat.hands, seat.weight * play[:, a]
            yield from choices(there, strategy, game.point(line).betting, known)


@lru_cache(256)  # the twin compares the same winnings
def winnings(instance: Instance, first_street: int) -> tuple[float, float]:
    """Return what a local best response wins from a random strategy, and what a best response does."""
    assert instance.seat is not None
    player, sizes = instance.seat, MENUS[instance.choice]
    is_whole = sizes is not None
    game, form = _game(instance.game, is_whole), _form(instance.game, is_whole)
    rng = np.random.default_rng(instance.seed)
    one, two = (random_behaviour(t, rng) for t in form.treeplexes)
    other, own = form.treeplexes[1 - player], form.treeplexes[player]
    strategy = Behaviour(game, other, (one, two)[1 - player])
    range_of = np.array([*game.reach[1 - player]], dtype=np.int64)
    plan = own.uniform()
    for mine in game.reach[player]:
        seat = ResponderSeat(
            game, ByLine(game, strategy), range_of, player, mine, (), (), first_street, sizes
        )
        for key, action in choices(seat, strategy, game.start(), 0):
            i = own.index[key]
            lo, hi = int(own.begin[i]), int(own.end[i])
            plan[lo:hi] = [float(label == action) for label in own.actions[lo:hi]]
    gradient = form.gradient(player, other.plan(strategy.behaviour))
    return float(own.plan(plan) @ gradient), float(own.best_response(gradient).total)


def _streets(instance: Instance) -> int:
    """Return how many streets the game has."""
    return 1 + sum(1 for n in _game(instance.game, False).board_cards if n)


def _games(effort: Effort) -> Iterator[Instance]:
    specs = effort.choose(
        ("kuhn_poker", "leduc_poker(suits_visible=true)"), ("leduc_poker(ranks=4, suits_visible=true)",)
    )
    for spec in specs:
        for seed in effort.seeds(quick=2, full=4):
            for choice in MENUS:
                yield from (Instance(spec, seed, seat, choice) for seat in (0, 1))


def _below(instance: Instance) -> Iterator[Comparison]:
    for first in range(_streets(instance)):
        won, best = winnings(instance, first)
        yield Comparison(won, best, 1.0, f"from street {first}")


def _earlier(instance: Instance) -> Iterator[Comparison]:
    for first in range(1, _streets(instance)):
        yield Comparison(
            winnings(instance, first)[0], winnings(instance, first - 1)[0], 1.0, f"from street {first}"
        )


LOCAL_BELOW_BEST = Theorem(
    name="local-best-response-below-best",
    plain="A local best response is one strategy: on whatever streets it acts and whatever its bets are, it "
    "wins at most what a best response wins, over all deals.",
    tex=r"u_i(\mathrm{LBR}, \sigma_{-i}) \le \max_{\tau} u_i(\tau, \sigma_{-i})",
    source="Lisy and Bowling 2017, Equilibrium approximation quality of current no-limit poker bots",
    relation="<=",
    instances=_games,
    measure=_below,
    tolerance=1e-12,
    equality="In Kuhn poker it often finds the best response.",
    twin=Twin("One that acts from an earlier street on wins at least as much.", _earlier),
)

THEOREMS = (LOCAL_BELOW_BEST,)
