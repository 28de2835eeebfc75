"""Table 3 of the Libratus paper in shape, exactly: four ways to play a blueprint against one fixed opponent.

    python -m benchmarks.libratus_table3

Brown and Sandholm, Superhuman AI for heads-up no-limit poker (2017), hold Libratus's blueprint, its blueprint
post-processed, nested subgame solving with the opponent's sizes alone, and with its own, against Baby
Tartanian8. Here the game is flop hold'em with a short deck, both blueprints are averages of CFR+ with hands
tied by buckets, of other sizes and other buckets, and the mean over both seats is computed by a walk through
all public states: there is no luck in it. In mbb/hand, the big blind being 100.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

import treeplex as tp
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.play.agents import Entrant, StrategyAgent
from treeplex.play.hand_agents import HandStrategy
from treeplex.play.nested import Nested, NestedConfig
from treeplex.play.translated import ByInfosets, Translated
from treeplex.play.without_luck import AllHands
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.certify.public_walk import expected_value
from treeplex.seqform.forms.treeplex import Floats, Index

RULES = "no_limit_flop_holdem(ranks=5,suits=2,bets={bets},max_raises=[1,2],stack=1000)"
EVERY, OWN, OTHER = "[0.5,1,a]", "[1,a]", "[0.5,a]"
"""All sizes, those of the blueprint, and those of the opponent."""
OWN_BUCKETS, OTHER_BUCKETS = "flop:5:equity", "flop:8:equity"
PRINTED = {
    "blueprint": "-8 ± 15",
    "post-processed": "18 ± 21",
    "on-tree nested": "59 ± 28",
    "nested": "63 ± 28",
}
"""Against Baby Tartanian8."""


@dataclass(frozen=True)
class Row:
    """What a way to play wins from the opponent on average over both seats, in mbb/hand.

    Attributes
    ----------
    name : str
    mean : float
    seconds : float
        Of the processor.
    """

    name: str
    mean: float
    seconds: float


@dataclass(frozen=True)
class Known:
    """What all hands do, looked up once for each public state.

    Attributes
    ----------
    game : PokerGame
    plan : HandPlay
    """

    game: PokerGame
    plan: HandPlay
    _rows: dict[tuple[str, Cards, bytes], Floats] = field(default_factory=dict, repr=False)

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return what hands do, as ``HandPlay`` does."""
        key = line, board, hands.tobytes()
        if key not in self._rows:
            self._rows[key] = self.plan.play(line, board, hands)
        return self._rows[key]


def blueprint(bets: str, buckets: str, iterations: int, seed: int) -> Known:
    """Return a strategy of a game with few sizes and hands tied by buckets."""
    problem = tp.load(RULES.format(bets=bets))
    abstraction = tp.abstract(problem, buckets, seed=seed)
    found = tp.solve(problem, "cfr+", abstraction=abstraction, iterations=iterations)
    assert isinstance(problem.game, PokerGame)
    return Known(problem.game, ByInfosets(problem.game, found.strategy))


def agents(game: PokerGame, own: Known, iterations: int) -> Iterator[tuple[str, HandPlay]]:
    """Yield the four ways to play a blueprint."""
    trunk = Translated(game, own.game, own)
    yield "blueprint", trunk
    post = StrategyAgent(HandStrategy(game, trunk), threshold=0.15)
    yield "post-processed", AllHands(game, Entrant("post-processed", None, post))
    way = off_tree_method("resolve")
    other = tp.load(RULES.format(bets=OTHER)).game
    assert isinstance(other, PokerGame)
    yield "on-tree nested", Nested(trunk, NestedConfig(1, iterations, way, other))
    yield "nested", Nested(trunk, NestedConfig(1, iterations, way, game))


def rows(iterations: int = 200, blueprint_iterations: int = 300) -> Iterator[Row]:
    """Yield a row for each way to play."""
    game = tp.load(RULES.format(bets=EVERY)).game
    assert isinstance(game, PokerGame)
    own = blueprint(OWN, OWN_BUCKETS, blueprint_iterations, 1)
    theirs = blueprint(OTHER, OTHER_BUCKETS, blueprint_iterations, 2)
    opponent = Translated(game, theirs.game, theirs)
    for name, agent in agents(game, own, iterations):
        began = process_time()
        first, second = expected_value(game, (agent, opponent)), -expected_value(game, (opponent, agent))
        yield Row(name, 10 * (first + second) / 2, process_time() - began)


def main() -> None:
    """Print a row for each way to play."""
    print("| | mbb/hand, exactly | Libratus against Baby Tartanian8 | CPU s |\n|---|---:|---:|---:|")
    for row in rows():
        print(f"| {row.name} | {row.mean:.1f} | {PRINTED[row.name]} | {row.seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
