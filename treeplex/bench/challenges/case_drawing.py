"""Games, blueprints and cuts drawn at random: the same for the same seed and number of the draw."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.bench.challenges.case import Case, RationalStrategy, rational, strategy_of
from treeplex.bench.challenges.case_tree import frozen, marked
from treeplex.cfr.engine import average
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.games.formats.specs import load_game
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.cut import Cut, check_disjoint, cut
from treeplex.seqform.subgames.public_states import PublicStates

Rng = np.random.Generator
COARSE = 24
"""Largest denominator of the probabilities of a blueprint: its reaches are no rounding errors."""
BLUEPRINTS = ("random", "uniform", "cfr+", "near", "pure", "nash")
SMALL_GAMES = ("kuhn_poker", "leduc_poker(ranks=2,raises=1)", "kuhn_poker(ranks=4)", "goofspiel(cards=3)")
"""Named games, one in each cycle of draws."""
COIN_TOSS, NAMED = 0, 4
"""Which of eight draws is Coin Toss with random values, and which is a named game."""
FIRST_DEPTH, LAST_DEPTH, ROUND = 3, 7, 16
"""Depths of random games: of the first draws, at most, and after how many draws they grow by one."""
MOST_HISTORIES = 600


def rng_of(seed: int, draw: int) -> Rng:
    """Return the random numbers of one draw."""
    return np.random.default_rng([seed, draw])


def drawn_game(draw: int, rng: Rng) -> Case:
    """Return a game: Coin Toss, a named game, or a random one that grows with the number of the draw."""
    kind = draw % 8
    if kind == COIN_TOSS:
        heads, tails = (Fraction(int(rng.integers(-4, 5)), 4) for _ in range(2))
        forfeit = "true" if rng.integers(2) else "false"
        spec = f"coin_toss(heads={heads},tails={tails},forfeit={forfeit},subgames={rng.integers(1, 3)})"
        return case_of(spec)
    if kind == NAMED:
        return case_of(SMALL_GAMES[draw // 8 % len(SMALL_GAMES)])
    depth = min(FIRST_DEPTH + draw // ROUND, LAST_DEPTH) - kind % 2
    while True:
        spec = f"random_game(seed={rng.integers(10**6)},depth={depth},actions={2 + kind % 3 // 2})"
        case = case_of(spec)
        if sum(1 for _ in case.root.histories()) <= MOST_HISTORIES:
            return case


def case_of(spec: str) -> Case:
    """Return the game of a spec as a case without strategies."""
    return Case(spec, frozen(load_game(spec)))


def drawn_strategy(kind: str, form: SequenceForm, rng: Rng) -> RationalStrategy:
    """Return both players' strategies of one of ``BLUEPRINTS``, rational.

    ``random``: odds of 0 to 4 at each infoset; ``near``: an equilibrium with a quarter of such; ``cfr+``: the
    average of 1 to 8 iterations.
    """
    if kind == "uniform":
        behaviours: list[Floats] = [t.uniform() for t in form.treeplexes]
    elif kind == "cfr+":
        behaviours = [*average(full_width.prepare(form, VARIANTS["cfr+"]), int(rng.integers(1, 9))).behaviour]
    elif kind == "nash":
        behaviours = [*_equilibrium(form).behaviour]
    elif kind == "near":
        behaviours = [
            0.75 * optimal + 0.25 * _odds(t, rng, 5)
            for optimal, t in zip(_equilibrium(form).behaviour, form.treeplexes, strict=True)
        ]
    else:
        behaviours = [_odds(t, rng, 5 if kind == "random" else 1) for t in form.treeplexes]
    x, y = (rational(t, b, COARSE) for t, b in zip(form.treeplexes, behaviours, strict=True))
    return strategy_of(form.treeplexes, {0: x, 1: y})


def drawn_subgames(case: Case, rng: Rng) -> Case | None:
    """Return the case with subgames of the seat marked; None if there are none.

    Half of the time those right after the first public chance move or decision, else up to three public
    states anywhere.
    """
    assert case.seat is not None
    states = PublicStates.of(case.numbered.tree)
    try:
        usual = states.first_subgames(case.seat)
    except ValueError:
        usual = ()
    chosen: list[Cut] = []
    if usual and rng.integers(2):
        names, most = usual, len(usual)
    else:
        names, most = tuple(states.names[k] for k in rng.permutation(len(states.names))[:40]), 3
    for piece in _cuts(case, states, names):
        if len(chosen) < most and _fits(chosen, piece):
            chosen.append(piece)
    if not chosen:
        return None
    begin = {int(root): k for k, piece in enumerate(chosen, 1) for root in piece.roots}
    return replace(case, root=marked(case.root, begin))


def _cuts(case: Case, states: PublicStates, names: tuple[str, ...]) -> Iterator[Cut]:
    """Yield the subgames at some public states in which the seat decides."""
    assert case.seat is not None
    for name in names:
        try:
            piece = cut(states, case.numbered, [name], case.seat)
        except ValueError:
            continue
        if len(piece.own.infosets):
            yield piece


def _fits(chosen: list[Cut], piece: Cut) -> bool:
    try:
        check_disjoint([*chosen, piece])
    except ValueError:
        return False
    return True


def _equilibrium(form: SequenceForm) -> Profile:
    return solve_lp(form).profile


def _odds(treeplex: Treeplex, rng: Rng, sides: int) -> Floats:
    """Return odds of 0 to ``sides - 1`` at each infoset, one random action where all are 0, (S,)."""
    behaviour = np.ones(treeplex.n_sequences)
    for lo, hi in zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True):
        odds = rng.integers(0, sides, hi - lo).astype(np.float64)
        odds[rng.integers(hi - lo)] += odds.sum() == 0
        behaviour[lo:hi] = odds / odds.sum()
    return behaviour
