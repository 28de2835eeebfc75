"""Sizes of poker games, counted: betting lines by merged states or partitions, cards by Burnside's lemma."""

from functools import partial

from benchmarks.measure import Case, main
from treeplex.games.base.number_texts import count_text
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame


def counted(game: object) -> str:
    assert isinstance(game, PokerGame)
    sizes = game_sizes(game)
    numbers = sum(sizes.decisions), sum(sizes.infosets), sizes.decision_states
    nodes, infosets, states = map(count_text, numbers)
    return f"{nodes} decision nodes, {infosets} infosets, {states} decision states, by {sizes.method}"


SPECS = {
    "limit-holdem": ("limit_holdem", "at once"),
    "acpc-2009": ("no_limit_holdem(stack=400,blinds=[2,1])", "at once"),
    "acpc-2007": ("no_limit_holdem(stack=1000,blinds=[2,1])", "at once"),
    "acpc-2010": ("no_limit_holdem", "5 s"),
    "2000-big-blinds": ("no_limit_holdem(blinds=[10,5])", "60 s"),
    "10000-big-blinds": ("no_limit_holdem(blinds=[2,1])", "300 s"),
    "menu": ("no_limit_holdem(bets=[1/3,1/2,3/4,1,3/2,a],raises=[1/2,1,a])", "5 s"),
}
CASES = [Case(name, target, partial(load_game, spec), counted) for name, (spec, target) in SPECS.items()]

if __name__ == "__main__":
    main("benchmarks.games.bench_sizes", CASES)
