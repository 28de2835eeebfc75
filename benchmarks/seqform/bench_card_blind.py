"""Best responses to card-blind strategies in limit hold'em, all four streets, beside published values.

Values are in thousandths of a big blind a hand. Always-call is held against its closed form, too: bets of 1,
1, 2 and 2 big blinds, each times the mean on its street of the positive part of 2 e - 1, e a hand's equity.
"""

from benchmarks.measure import Case, main
from treeplex.bench.theorems_on_games.card_blind import (
    BLIND_STRATEGIES,
    best_response_to_blind,
    mean_advantages,
)
from treeplex.games.poker.named import limit_holdem

BETS = (1, 1, 2, 2)
"""The bets of each street, in big blinds."""


def warm() -> None:
    """Load the compiled kernels with a small game."""
    game = limit_holdem(5, 2)
    best_response_to_blind(game, BLIND_STRATEGIES["uniform"], 0)
    mean_advantages(game)


def both_seats(name: str) -> str:
    game, strategy = limit_holdem(), BLIND_STRATEGIES[name]
    big_blind, dealer = (best_response_to_blind(game, strategy, seat) for seat in (0, 1))
    width = max(1000 * (r.upper - r.lower) / float(r.blind) for r in (big_blind, dealer))
    return (
        f"{(dealer.mbb + big_blind.mbb) / 2:.6f} mbb/hand; as dealer {dealer.mbb:.6f},"
        f" as big blind {big_blind.mbb:.6f}; proved to {width:.1e}; {dealer.boards:,} boards a seat"
    )


def closed_form() -> str:
    means = mean_advantages(limit_holdem())
    value = 1000 * sum(bet * mean for bet, mean in zip(BETS, means, strict=True))
    return f"{value:.6f} mbb/hand; means {', '.join(f'{mean:.9f}' for mean in means)}"


def case(name: str, target: str) -> Case:
    return Case(f"limit_holdem {name}", target, warm, lambda _: both_seats(name))


CASES = [
    case("always-fold", "750, at once"),
    case("always-call", "1163.48 (Johanson et al. 2011), 10 minutes a seat"),
    case("uniform", "3466.322, as dealer 4400.892, as big blind 2531.751, 10 minutes a seat"),
    Case("limit_holdem always-call by its closed form", "1163.476", warm, lambda _: closed_form()),
]

if __name__ == "__main__":
    main("benchmarks.seqform.bench_card_blind", CASES)
