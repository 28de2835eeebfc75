"""The figures of Coin Toss: what Brown and Sandholm (2017) print in sections 2, 4 and 5, computed again."""

from collections.abc import Sequence

from treeplex.bench.reproductions.printed_table import Number, PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.bench.theorems.prepared import enumerated
from treeplex.bench.theorems.solved_instances import FIGURE_2, FIGURE_4_GAME
from treeplex.bench.theorems.solved_subgames import SOLVERS, blueprint, cuts, solved, subgames
from treeplex.core.progress import Progress
from treeplex.gadgets.subgame_solvers import compose
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.seqform.forms.profile import Profile

SPEC, SWAPPED = "coin_toss", "coin_toss(heads=-1/2,tails=1/2)"
DEFENDER = 1
HALVES = "guess:1/2,1/2"
"""The blueprint of Figure 4."""
SOURCE = "Brown and Sandholm 2017"
COLUMNS = ("best response", "heads", "tails")
"""What player 0 wins by a best response, and by playing after each side of the coin."""
BETTER = "5: heads 3/4"
GUESSES: dict[str, tuple[str, str, tuple[Number, Number, Number]]] = {
    "2: always heads": (SPEC, "guess:1,0,0", (0.75, None, 1.0)),
    "2: always tails": (SPEC, "guess:0,1,0", (0.25, 1.0, None)),
    "2: heads 1/4": (SPEC, "guess:1/4,3/4,0", (0.0, 0.5, -0.5)),
    "2: heads 3/4 with prices swapped": (SWAPPED, "guess:3/4,1/4,0", (0.0, None, None)),
    "4: blueprint of Figure 2": (SPEC, FIGURE_2, (None, 0.0, 0.5)),
    BETTER: (SPEC, "guess:3/4,1/4,0", (0.0, 0.5, -0.5)),
}
"""Game, strategy, and what is printed."""
SOLVED: dict[str, tuple[str, tuple[Number, Number, Number]]] = {
    "4: Unsafe on Figure 2": ("unsafe", (None, None, None)),
    "5: Maxmargin on Figure 2": ("maxmargin", (0.375, -0.25, 0.25)),
    "5: Reach-Maxmargin on Figure 2": ("reach-maxmargin", (None, None, None)),
}
"""Method that solves the subgame of Figure 2 again, and what is printed."""
ALWAYS_TAILS: dict[str, tuple[Sequence[str], tuple[Number, Number, Number]]] = {
    "5: blueprint of Figure 4": ((), (None, 0.0, None)),
    "5: Figure 4 with always tails in S1": (("S1",), (0.0, 0.5, -0.5)),
    "5: Figure 4 with always tails in S1 and S2": (("S1", "S2"), (None, 1.0, None)),
}
"""The subgames in which player 1 always guesses tails, and what is printed."""
NOTES = {
    BETTER: "erratum, it is exploitable by 1/2; heads 1/4, tails 3/4 is right",
    "5: Reach-Maxmargin on Figure 2": "introduced by a strategy that concedes 0; it ends at 1/2 and 1/2",
    "5: Figure 4 with always tails in S1 and S2": "no harm is done: the blueprint concedes as much",
}


def _figures(spec: str, profile: Profile) -> tuple[float, float, float]:
    """Return what a best response wins against player 1, and what playing wins by side of the coin."""
    form = enumerated(spec).form
    response = form.best_response(0, profile.plans[DEFENDER])
    own = form.treeplexes[0]
    plays = [int(own.begin[own.index[f"{coin}:"]]) + 1 for coin in ("Heads", "Tails")]
    # Values of sequences are weighted with the probability of the coin, 1/2.
    heads, tails = (2 * float(response.q[play]) for play in plays)
    return float(response.total), heads, tails


def _profile(row: str) -> tuple[str, Profile]:
    """Return the game and the strategy of a row."""
    if row in GUESSES:
        spec, guess, _ = GUESSES[row]
        return spec, blueprint(spec, guess)
    if row in SOLVED:
        chosen = solved(SOLVERS[SOLVED[row][0]], subgames(SPEC, DEFENDER, FIGURE_2))
        return SPEC, compose(blueprint(SPEC, FIGURE_2), chosen)
    return FIGURE_4_GAME, _with_tails(ALWAYS_TAILS[row][0])


def _with_tails(where: Sequence[str]) -> Profile:
    start, tails = blueprint(FIGURE_4_GAME, HALVES), blueprint(FIGURE_4_GAME, "guess:0,1")
    behaviour = start.behaviour[DEFENDER].copy()
    for piece in cuts(FIGURE_4_GAME, DEFENDER):
        if piece.name.removeprefix(":Play/") in where:
            behaviour[piece.inside] = tails.behaviour[DEFENDER][piece.inside]
    return start.exchanged(DEFENDER, behaviour)


def _printed(row: str) -> tuple[Number, ...]:
    return next(table[row][-1] for table in (GUESSES, SOLVED, ALWAYS_TAILS) if row in table)


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    rows = []
    for row in COIN_TOSS.chosen(settings):
        progress(f"Coin Toss, section {row}", float("inf"))
        rows.append(PrintedRow(row, _figures(*_profile(row)), _printed(row), NOTES.get(row, "")))
    return (
        PrintedTable(
            title="What player 0 wins in Coin Toss against player 1's strategies",
            source=f"{SOURCE}, the section before the colon",
            unit="dollars",
            columns=COLUMNS,
            printed=COLUMNS,
            rows=tuple(rows),
            notes=("Heads and tails are what playing wins after either side of the coin.",),
        ),
    )


def _estimate(settings: Settings) -> Estimate:
    return Estimate(2.0, 300 * MEBIBYTE)


COIN_TOSS = Reproduction(
    name="coin-toss",
    what="What player 0 wins in Coin Toss against the strategies of Figures 1, 2 and 4, with errata",
    source=f"{SOURCE}, sections 2, 4 and 5",
    rows=tuple(sorted((*GUESSES, *SOLVED, *ALWAYS_TAILS), key=lambda row: row[0])),
    estimate=_estimate,
    run=_run,
)
