"""Equities counted: the whole preflop table, and all hands against all on a flop, a turn and a river."""

from itertools import combinations

import numpy as np

from benchmarks.measure import Case, main
from treeplex.games.cards.cards import N_CARDS, parse_cards
from treeplex.games.cards.equity import equities
from treeplex.games.cards.preflop import preflop_matchups
from treeplex.games.cards.preflop_table import canonical_boards, count_wins

FLOP = parse_cards("Qs Jh 2h 8c 3d")
HANDS = np.array(list(combinations(range(N_CARDS), 2)))


def compile_table() -> None:
    boards, copies = canonical_boards()
    count_wins(boards[:1], copies[:1])


def whole_table(_: object) -> str:
    wins = count_wins(*canonical_boards())
    same = np.array_equal(wins, preflop_matchups().wins)
    return f"{wins.sum():,} wins, {'as' if same else 'NOT as'} in the file"


def on_board(n: int) -> Case:
    def run(_: object) -> str:
        found = equities(FLOP[:n], HANDS, HANDS, np.ones(len(HANDS)))
        live = found[~np.isnan(found)]
        return f"{len(live):,} hands, from {live.min():.4f} to {live.max():.4f}"

    name = {3: "flop", 4: "turn", 5: "river"}[n]
    return Case(name, "none", lambda: equities(FLOP, HANDS[:1], HANDS[:1], np.ones(1)), run)


CASES = [Case("table", "60 s", compile_table, whole_table), *map(on_board, (3, 4, 5))]

if __name__ == "__main__":
    main("benchmarks.games.bench_preflop", CASES)
