"""Games and sampling schemes on which sampled minimisers are held against twins."""

from treeplex.cfr.sampling.history_sampling import Sampling
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.textbook import matrix_game

SCHEMES = ("external", "outcome", "chance")


GAMES = [
    kuhn_poker(),
    kuhn_poker(5),
    leduc_poker(ranks=2, raises=1),
    leduc_poker(raises=1),
    load_game("coin_toss"),
    load_game("coin_toss(forfeit=false,subgames=2)"),
    matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]),
]


METHODS = [
    *(Sampling(scheme) for scheme in SCHEMES),
    *(Sampling(scheme, 0.1, 0.0, 0.0, 1.0) for scheme in SCHEMES),
    Sampling("external", floor=-2.5, regret_exponent=1.0, exponent=1.5),
    Sampling("outcome", 1.0, regret_exponent=1.0, exponent=1.0),
]
