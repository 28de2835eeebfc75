"""NashConv of agents that know fewer sizes, translated and with subgames solved as they are met.

    python -m benchmarks.nested_agents

Flop hold'em of five ranks and two suits. The blueprint is an equilibrium of the game with few sizes, judged
by best responses in the game with all of them; in chips, the big blind being 100.
"""

from time import process_time

import treeplex as tp
from treeplex.core.problem import Problem
from treeplex.core.strategy import Strategy
from treeplex.gadgets.off_tree.off_tree import off_tree_method
from treeplex.games.poker.game import PokerGame
from treeplex.play.hand_agents import HandStrategy
from treeplex.play.nested import Nested, NestedConfig
from treeplex.play.translated import ByInfosets, Translated
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.forms.profile import Profile

RULES = "no_limit_flop_holdem(ranks=5,suits=2,bets={bets},{rest})"
GAMES = (
    ("[0.5,1,2]", "[1]", "max_raises=[1,2],flops=1"),
    ("[0.5,1,a]", "[1,a]", "stack=1000,max_raises=[1,2],flops=1"),
    ("[0.5,1,a]", "[1,a]", "stack=600,max_raises=[1,3],flops=1"),
    ("[0.5,1,a]", "[1,a]", "stack=600,max_raises=[1,3],flops=3"),
)
"""All sizes, the blueprint's, and the other rules."""
ITERATIONS = (100, 400)


def nash_conv(problem: Problem, played: HandPlay) -> float:
    """Return the NashConv of what all hands do in a poker game, certified."""
    assert isinstance(problem.game, PokerGame)
    return nash_conv_of(problem, HandStrategy(problem.game, played))


def nash_conv_of(problem: Problem, strategy: Strategy) -> float:
    """Return the NashConv of a strategy as far as a game's infosets go, certified."""
    sides = []
    for player, treeplex in enumerate(problem.whole.treeplexes):
        behaviour = treeplex.uniform()
        for key, i in treeplex.index.items():
            odds = strategy.action_probabilities(player, key)
            actions = treeplex.actions[treeplex.begin[i] : treeplex.end[i]]
            behaviour[treeplex.begin[i] : treeplex.end[i]] = [odds[action] for action in actions]
        sides.append(behaviour)
    return certify(problem.whole, Profile(problem.whole.treeplexes, (sides[0], sides[1]))).nash_conv


def translated(many: str, few: str, rest: str) -> tuple[Problem, Translated]:
    """Return a game, and an equilibrium of the one with few sizes as it plays in it."""
    game, own = (tp.load(RULES.format(bets=bets, rest=rest)) for bets in (many, few))
    assert isinstance(game.game, PokerGame)
    assert isinstance(own.game, PokerGame)
    profile = tp.solve(own, "lp").profile
    return game, Translated(game.game, own.game, ByInfosets(own.game, profile))


def nested(trunk: Translated, iterations: int) -> Nested:
    """Return the agent that solves subgames from the flop on."""
    return Nested(trunk, NestedConfig(1, iterations, off_tree_method("resolve")))


def main() -> None:
    """Print a row for each game."""
    print("| sizes | blueprint | other rules | translated | nested, 100 iterations | 400 | CPU s |")
    print("|---|---|---|---:|---:|---:|---:|")
    for many, few, rest in GAMES:
        began = process_time()
        problem, trunk = translated(many, few, rest)
        found = [nash_conv(problem, trunk), *(nash_conv(problem, nested(trunk, n)) for n in ITERATIONS)]
        figures = " | ".join(f"{one:.1f}" for one in found)
        print(f"| `{many}` | `{few}` | `{rest}` | {figures} | {process_time() - began:.0f} |", flush=True)


if __name__ == "__main__":
    main()
