"""Random hands beside OpenSpiel's universal_poker: ``python -m benchmarks.acpc_hands --hands 100000``.

universal_poker is built on the competition's own game code. In each hand the deals and uniform actions of our
dealer are made there too, and compared: who acts, which actions are legal, what the hand pays, and the text
of its last state, cards of a player in one order. Our log line is read again and must give the same moves.
A row is printed for each game; the exit code is 1 if anything differs.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, Protocol

from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import RANKS
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.play.acpc_text import AcpcText
from treeplex.play.hand import Dealer
from treeplex.play.openspiel_agents import universal_poker_spec
from treeplex.play.schedule import draws

SPECS = (
    "kuhn_poker",
    "leduc_poker",
    "limit_holdem(ranks=5,suits=3)",
    "no_limit_holdem(ranks=5,suits=2,stack=40,blinds=[2,1])",
    "no_limit_holdem(ranks=5,suits=2,stack=15,blinds=[10,5])",
)
"""Games of which both have the same rules; menus of sizes are ours alone."""
SPIEL_SUITS = "cdhs"
"""OpenSpiel's suits by number; cards are numbered by rank, then suit; decks have the first of both."""


class DifferError(Exception):
    """Both programs say something else."""


class Beside:
    """A game of ours and of OpenSpiel, played side by side."""

    def __init__(self, game: PokerGame) -> None:
        import pyspiel

        self.game, self.text, self.dealer = game, AcpcText(game), Dealer(game)
        self.spiel = pyspiel.load_game(universal_poker_spec(game))
        self.is_limit = game.betting.raise_sizes is not None

    def play(self, number: int, seed: int) -> None:
        """Play a hand in both; raise ``DifferError`` if they differ."""
        theirs, last = self.spiel.new_initial_state(), list[PokerState]()
        chance, own = draws(seed, 0, number), draws(seed, 1, number)

        def seen(state: PokerState) -> None:
            if last:
                self._deal(theirs, last[-1], state)
            last.append(state)

        def choose(view: Any) -> str:
            check("who acts", view.player, theirs.current_player())
            check("legal actions", sorted(map(self._number, view.actions)), sorted(theirs.legal_actions()))
            action = view.actions[int(next(own) * len(view.actions))]
            theirs.apply_action(self._number(action))
            return str(action)

        hand = self.dealer.deal(chance.__next__, choose, seen)
        check("the end", True, theirs.is_terminal())
        check("the payoff", [float(hand.payoff), -float(hand.payoff)], theirs.returns())
        line = self.text.log_line(last[-1], number, ("A", "B"))
        logged = self.text.read_log_line(line)
        check("the moves", hand.moves, self.text.moves(logged.state))
        found = re.search(r"ACPC State: STATE:\d+:(\S*)", str(theirs))
        assert found is not None
        betting, cards = line.split(":")[2:4]
        moved = re.sub(r"[2-9TJQKA][cdhs]", lambda card: self._theirs(card[0]), cards)
        check("the text", ordered(f"{betting}:{moved}"), ordered(found[1]))

    def _number(self, label: str) -> int:
        """Return OpenSpiel's number of an action: a raise has its amount, in limit games 2."""
        if label in "fc":
            return "fc".index(label)
        return 2 if self.is_limit else int(label[1:])

    def _deal(self, theirs: Any, before: PokerState, after: PokerState) -> None:
        """Make a deal of ours in OpenSpiel's state."""
        if self.game.player(before) != CHANCE:
            return
        cards = after.board[len(before.board) :]
        if before.hands is None and after.hands is not None:
            cards = after.hands[0] + after.hands[1]
        for card in cards:
            check("a chance node", True, theirs.is_chance_node())
            rank, suit = self._theirs(self.text.cards_text((card,)))
            theirs.apply_action(RANKS.index(rank) * self.game.deck.suits + SPIEL_SUITS.index(suit))

    def _theirs(self, card: str) -> str:
        """Return a card in OpenSpiel's decks, which begin with twos and clubs, not end with ace and spade."""
        deck = self.game.deck
        rank = RANKS.index(card[0]) - len(RANKS) + deck.ranks
        return RANKS[rank] + SPIEL_SUITS[SPIEL_SUITS.index(card[1]) - len(SPIEL_SUITS) + deck.suits]


def check(what: str, ours: object, theirs: object) -> None:
    """Raise ``DifferError`` unless both say the same."""
    if ours != theirs:
        raise DifferError(f"{what}: ours {ours}, theirs {theirs}")


def ordered(state: str) -> str:
    """Return the text of a state with the cards of each hand and street in one order."""
    betting, cards = state.split(":")
    return f"{betting}:" + re.sub(r"\w+", lambda found: "".join(sorted(re.findall("..", found[0]))), cards)


class SideBySide(Protocol):
    """A game of ours and another program's."""

    def play(self, number: int, seed: int) -> None:
        """Play a hand in both; raise ``DifferError`` if they differ."""


Make = Callable[[PokerGame], SideBySide]
"""Sets another program beside a game."""


def compared(
    make: Make, specs: tuple[str, ...], hands: int, seed: int
) -> Iterator[tuple[str, int, float, str]]:
    """Yield each game with how many hands were alike, the seconds, and the first difference."""
    for spec in specs:
        game = load_game(spec)
        assert isinstance(game, PokerGame)
        beside, began, number, says = make(game), perf_counter(), 0, ""
        try:
            while number < hands:
                beside.play(number, seed)
                number += 1
        except DifferError as error:
            says = f"hand {number}: {error}"
        yield spec, number, perf_counter() - began, says


def main(name: str, make: Make, known: tuple[str, ...], told: str) -> int:
    """Print a row for each game; return 1 if anything differs."""
    parser = argparse.ArgumentParser(f"python -m benchmarks.{name}", description=told)
    parser.add_argument("--hands", type=int, default=10_000, help="of all games together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="a spec; may repeat")
    asked = parser.parse_args()
    specs = tuple(asked.game or known)
    failed = 0
    for spec, hands, seconds, says in compared(make, specs, -(-asked.hands // len(specs)), asked.seed):
        print(f"{spec}: {hands:,} hands alike, {seconds:.1f} s{'; ' + says if says else ''}", flush=True)
        failed += bool(says)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main("acpc_hands", Beside, SPECS, (__doc__ or "").splitlines()[0]))
