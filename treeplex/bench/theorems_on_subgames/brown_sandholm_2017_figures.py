"""Brown and Sandholm 2017: Coin Toss of Figures 1 and 2, and the two subgames of Figure 4, as numbers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated
from treeplex.bench.theorems.solved_instances import FIGURE_2, FIGURE_4_GAME
from treeplex.bench.theorems.solved_subgames import (
    SOLVERS,
    blueprint,
    composed_value,
    conceded,
    cuts,
    solved,
    subgames,
)
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import BlueprintAlternatives, EstimatedAlternatives, LowerBoundGifts
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.gadgets.subgame_solvers import EquilibriumOf, SubgameSolver
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.subgames.cut import Cut

SOURCE = "Brown and Sandholm 2017"
COIN_TOSS, SWAPPED = "coin_toss", "coin_toss(heads=-1/2,tails=1/2)"
EXPLOITABILITY: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        (COIN_TOSS, "guess:1/4,3/4,0"): 0.0,
        (COIN_TOSS, "guess:1,0,0"): 3 / 4,
        (COIN_TOSS, "guess:0,1,0"): 1 / 4,
        (COIN_TOSS, "guess:1/2,1/4,1/4"): 1 / 2,
        (COIN_TOSS, "guess:5/8,3/8,0"): 3 / 8,
        (COIN_TOSS, "guess:1/2,1/2,0"): 1 / 4,
        (COIN_TOSS, "guess:3/4,1/4,0"): 1 / 2,
        (SWAPPED, "guess:3/4,1/4,0"): 0.0,
    }
)
"""What a best response wins against each of player 1's strategies; the game is worth 0."""
PLAYED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "guess:1/4,3/4,0": (1 / 2, -1 / 2),
        "guess:1,0,0": (-1.0, 1.0),
        "guess:0,1,0": (1.0, -1.0),
        "guess:1/2,1/4,1/4": (0.0, 1 / 2),
        "guess:5/8,3/8,0": (-1 / 4, 1 / 4),
    }
)
"""What player 0 gets by playing after heads and after tails."""


def _strategies(effort: Effort) -> Iterator[Instance]:
    for spec, guess in EXPLOITABILITY:
        yield Instance(spec, 0, 1, guess)


def _coin_toss(instance: Instance) -> Iterator[Comparison]:
    spec, guess = instance.game, instance.choice
    form = enumerated(spec).form
    response = form.best_response(0, blueprint(spec, guess).plans[1])
    yield Comparison(response.total, EXPLOITABILITY[spec, guess], at="exploitability")
    if spec == COIN_TOSS and guess in PLAYED:
        own = form.treeplexes[0]
        for coin, value in zip(("Heads", "Tails"), PLAYED[guess], strict=True):
            play = int(own.begin[own.index[f"{coin}:"]]) + 1
            yield Comparison(2 * float(response.q[play]), value, at=f"Play after {coin}")


def _printed(instance: Instance) -> Iterator[Comparison]:
    if instance == Instance(COIN_TOSS, 0, 1, "guess:3/4,1/4,0"):
        (side,) = _coin_toss(instance)
        yield replace(side, right=0.0)


COIN_TOSS_STRATEGIES = Theorem(
    name="coin-toss-strategies",
    plain=(
        "Coin Toss: what best responses win against guessing heads and tails in given proportions; only "
        "heads 1/4, tails 3/4 concedes nothing."
    ),
    tex=r"\exp(\tfrac14, \tfrac34) = 0, \quad \exp(\tfrac12, \tfrac14, \tfrac14) = \tfrac12",
    source=f"{SOURCE}, section 2 and Figure 2",
    relation="==",
    instances=_strategies,
    measure=_coin_toss,
    tolerance=1e-12,
    erratum=(
        "Section 5 prints heads 3/4, tails 1/4 as the better strategy; it is exploitable by 1/2 and is right "
        "for the game with both prices of the coin swapped."
    ),
    twin=Twin("As printed: heads 3/4, tails 1/4 concedes nothing.", _printed),
)

OPTIMAL = EstimatedAlternatives({(":Play", "Heads:Play"): 0.5, (":Play", "Tails:Play"): -0.5})
METHODS: Mapping[str, tuple[SubgameSolver, float]] = MappingProxyType(
    {
        "unsafe": (SOLVERS["unsafe"], 3 / 4),
        "maxmargin": (SOLVERS["maxmargin"], 3 / 8),
        "lexicographic": (SOLVERS["lexicographic"], 3 / 8),
        "reach-maxmargin": (SOLVERS["reach-maxmargin"], 1 / 4),
        "estimated-maxmargin": (EquilibriumOf(Maxmargin(OPTIMAL)), 0.0),
    }
)
"""Solvers of the subgame of Figure 2, and what the strategy that they end with concedes."""


def _methods(effort: Effort) -> Iterator[Instance]:
    for method in METHODS:
        yield Instance(COIN_TOSS, 0, 1, method)


def _figure_2(instance: Instance) -> Iterator[Comparison]:
    solver, after = METHODS[instance.choice]
    chosen = solved(solver, subgames(COIN_TOSS, 1, FIGURE_2))
    yield Comparison(composed_value(blueprint(COIN_TOSS, FIGURE_2), chosen), after)


def _best(instance: Instance) -> Iterator[Comparison]:
    if instance.choice == "reach-maxmargin":
        (side,) = _figure_2(instance)
        yield replace(side, right=0.0)


COIN_TOSS_METHODS = Theorem(
    name="coin-toss-methods",
    plain=(
        "From the blueprint of Figure 2, exploitable by 1/2, Unsafe ends at 3/4, Maxmargin at 3/8, "
        "Reach-Maxmargin at 1/4 (heads 1/2, tails 1/2), and Maxmargin with the equilibrium's values at 0. "
        "Section 5 motivates Reach-Maxmargin by a strategy that concedes nothing."
    ),
    tex=r"\exp = \tfrac34,\ \tfrac38,\ \tfrac14,\ 0",
    source=f"{SOURCE}, Figure 2; the figures of both Maxmargins derived",
    relation="==",
    instances=_methods,
    measure=_figure_2,
    twin=Twin("Reach-Maxmargin ends at the strategy that concedes nothing.", _best),
)

BLUEPRINT_4 = "guess:1/2,1/2"
SCALES: Mapping[str, float] = MappingProxyType(
    {"0": 1 / 4, "1": 1 / 8, "1.5": 1 / 16, "2": 0.0, "3": 1 / 8},
)
"""What is conceded after Reach-Maxmargin in both subgames of Figure 4, by the factor of gifts."""


def _scales(effort: Effort) -> Iterator[Instance]:
    for scale in SCALES:
        yield Instance(FIGURE_4_GAME, 0, 1, scale)


def _figure_4(instance: Instance) -> Iterator[Comparison]:
    gifts = BlueprintAlternatives(LowerBoundGifts(float(instance.choice)))
    chosen = solved(EquilibriumOf(Maxmargin(gifts)), subgames(FIGURE_4_GAME, 1, BLUEPRINT_4))
    before = blueprint(FIGURE_4_GAME, BLUEPRINT_4)
    yield Comparison(composed_value(before, chosen), SCALES[instance.choice])


def _more_is_better(instance: Instance) -> Iterator[Comparison]:
    """Yield what is conceded, and 1/4 less 1/8 for each time the gift: more is always better."""
    (side,) = _figure_4(instance)
    yield replace(side, right=1 / 4 - float(instance.choice) / 8)


GIFT_FACTORS = Theorem(
    name="gift-factors",
    plain=(
        "Figure 4: Reach-Maxmargin in both subgames concedes 1/4 - s/8 with gifts times s up to 2, where "
        "nothing is conceded, and more again beyond."
    ),
    tex=r"\exp(s) = |\tfrac14 - \tfrac{s}{8}|",
    source=f"{SOURCE}, Figure 4; derived",
    relation="==",
    instances=_scales,
    measure=_figure_4,
    twin=Twin("Every further gift makes the strategy better by as much.", _more_is_better),
)

TAILS: Mapping[str, float] = MappingProxyType({"no subgame": 1 / 4, "S1": 0.0, "S1 and S2": 1 / 4})
"""What is conceded if player 1 always guesses tails in these, and half and half elsewhere."""


def _tails_cases(effort: Effort) -> Iterator[Instance]:
    for where in TAILS:
        yield Instance(FIGURE_4_GAME, 0, 1, where)


def _tails_in(pieces: Iterable[Cut]) -> Profile:
    """Return the blueprint with player 1 always guessing tails in these subgames."""
    start, tails = blueprint(FIGURE_4_GAME, BLUEPRINT_4), blueprint(FIGURE_4_GAME, "guess:0,1")
    behaviour = start.behaviour[1].copy()
    for piece in pieces:
        behaviour[piece.inside] = tails.behaviour[1][piece.inside]
    return start.exchanged(1, behaviour)


def _always_tails(instance: Instance) -> float:
    pieces = cuts(FIGURE_4_GAME, 1)
    named = (piece for piece in pieces if piece.name.removeprefix(":Play/") in instance.choice)
    return conceded(pieces[0], _tails_in(named))


def _tails(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(_always_tails(instance), TAILS[instance.choice])
    whole = EquilibriumOf(Resolve(BlueprintAlternatives(LowerBoundGifts(2.0))))
    for solution in solved(whole, subgames(FIGURE_4_GAME, 1, BLUEPRINT_4)):
        assert solution.alternative_values is not None
        total = solution.alternative_values.total.tolist()
        for value, offered in zip(total, (1.0, 0.0), strict=True):
            yield Comparison(value, offered, at=f"alternative value in {solution.subgame.cut.name}")
        cut, plan = solution.subgame.cut, _tails_in([solution.subgame.cut]).plans[1]
        values = cut.top_values(plan, cut.game.form.best_response(0, plan)) / cut.reach(plan)
        yield Comparison(float(np.max(values - (1.0, 0.0))), 0.0, at=f"tails is allowed in {cut.name}")


def _adds_up(instance: Instance) -> Iterator[Comparison]:
    count = instance.choice.count("S")
    yield Comparison(_always_tails(instance), 1 / 4 - count / 4)


ALWAYS_TAILS = Theorem(
    name="always-tails",
    plain=(
        "Figure 4: with the whole gift, alternative value 1 for heads, always tails is allowed in either "
        "subgame. In one it makes the strategy perfect, in both it gains nothing on the blueprint."
    ),
    tex=r"\exp(S_1) = 0, \quad \exp(S_1, S_2) = \tfrac14",
    source=f"{SOURCE}, Figure 4 and section 5",
    relation="==",
    instances=_tails_cases,
    measure=_tails,
    tolerance=1e-12,
    twin=Twin("What is gained in one subgame and in the other adds up.", _adds_up),
)

THEOREMS = (COIN_TOSS_STRATEGIES, COIN_TOSS_METHODS, GIFT_FACTORS, ALWAYS_TAILS)
