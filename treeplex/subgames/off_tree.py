"""What it costs to be surprised: an opponent bets a size that the defender never planned for.

A small exact twin of Table 2 of Brown and Sandholm, Safe and nested subgame solving for imperfect-information
games (2017): the defender solved a game with few bet sizes, and answers the missing ones by translating
them or by solving subgames, nested where they come again. Exploitability is exact and in the full game.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from treeplex.gadgets.methods.maxmargin import Maxmargin
from treeplex.gadgets.methods.resolve import Resolve
from treeplex.gadgets.nested.abstraction import Abstraction
from treeplex.gadgets.nested.answers import Answer, Expensive, ExpensiveUnsafe, Inexpensive
from treeplex.gadgets.nested.nested import solve_nested
from treeplex.gadgets.translation.translation import translate
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.tree_form import number_tree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.solving.guided import Progress, silent
from treeplex.subgames.resolving import exploitability

TRANSLATION = "pseudo-harmonic translation"
ANSWERS: Mapping[str, Answer] = {
    "resolve": Inexpensive(Resolve),
    "maxmargin": Inexpensive(Maxmargin),
    "reach-maxmargin": Inexpensive(Maxmargin, 1.0),
    "resolve (expensive)": Expensive(Resolve),
    "reach-maxmargin (expensive)": Expensive(Maxmargin, 1.0),
    "unsafe (expensive)": ExpensiveUnsafe(),
}
"""Ways to answer by solving: from after the move, or (expensive) from before it."""


@dataclass(frozen=True)
class OffTreeRow:
    """How one way to answer does.

    Attributes
    ----------
    method : str
    exploitability : pair of float
        Of each player's strategy as the defender, in the full game, in its unit.
    seconds : float
        For both.
    """

    method: str
    exploitability: tuple[float, float]
    seconds: float


def compare_answers(
    small: PokerGame,
    full: PokerGame,
    *,
    equilibrium: Callable[[SequenceForm], Profile] | None = None,
    progress: Progress | None = None,
) -> tuple[OffTreeRow, ...]:
    """Hold all answers against each other.

    Parameters
    ----------
    small, full : PokerGame
        Such as ``no_limit_leduc(bets=(0.5, 1))`` and ``no_limit_leduc(bets=(0.5, 0.75, 1))``.
    equilibrium : callable, optional
        From the small game's form to the blueprint; the linear program's unless given. Translation and
        Unsafe depend on which equilibrium it is.
    progress : callable, optional
        Called with each method's name.
    """
    tell = silent if progress is None else progress
    tell("solving both games", float("inf"))
    form = number_tree(build_tree(small)).form
    blueprint = solve_lp(form).profile if equilibrium is None else equilibrium(form)
    trunk = number_tree(build_tree(full))
    value = solve_lp(trunk.form).certificate
    abstraction = Abstraction(small, full)
    start, missing = abstraction.embedded(blueprint, trunk.form), abstraction.missing(trunk.form)

    def strategies(method: str) -> Iterator[Profile]:
        for defender in (0, 1):
            if method != TRANSLATION:
                yield solve_nested(trunk, defender, start, missing, ANSWERS[method])
                continue
            moved = [t.uniform() for t in trunk.form.treeplexes]
            own = blueprint.behaviour[defender]
            moved[defender] = translate(small, form, own, full, trunk.form, defender=defender)
            yield Profile(trunk.form.treeplexes, (moved[0], moved[1]))

    rows = []
    for method in (TRANSLATION, *ANSWERS):
        tell(method, float("inf"))
        clock = time.perf_counter()
        first, second = strategies(method)
        lost = exploitability(trunk.form, value, 0, first), exploitability(trunk.form, value, 1, second)
        rows.append(OffTreeRow(method, lost, time.perf_counter() - clock))
    return tuple(rows)
