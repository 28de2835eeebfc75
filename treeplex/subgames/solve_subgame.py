"""A subgame on boards entered by a gadget's root decisions, and the averages of a regret minimiser in it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from treeplex.cfr.boards.board_state import FactoredState
from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.drawn import Decisions
from treeplex.seqform.subgames.tops import RootDecisions, RootSteps, Tops, in_steps

MOST_ACTIONS = 8
"""The most actions among which the opponent chooses at a time: Maxmargin's choice of a hand takes steps."""
Roots = tuple[Decisions, Decisions]
Advance = Callable[[FactoredCFR, FactoredState, int], FactoredState]


@dataclass(frozen=True)
class Averages:
    """Both players' averages in a subgame after some iterations; they share the arrays of the state.

    Attributes
    ----------
    engine : FactoredCFR
    state : FactoredState
    opponent : int
    steps : RootSteps or None
        The opponent's root decisions as the engine takes them; None where amounts are drawn.
    """

    engine: FactoredCFR
    state: FactoredState
    opponent: int
    steps: RootSteps | None

    @property
    def strategy(self) -> FactoredStrategy:
        """Both players' strategies inside."""
        return self.engine.strategy(self.state)

    @property
    def plan(self) -> Floats:
        """The opponent's plan of the gadget's root decisions, (S,) or (2, T) where amounts are drawn."""
        behaviour = self.engine.root_behaviour(self.state, self.opponent)
        return behaviour if self.steps is None else self.steps.plan(behaviour)


def solve_subgame(
    enter: Callable[[Roots], FactoredCFR],
    tops: Tops,
    root: Decisions,
    defender: int,
    comes: Floats,
    rounds: Iterable[int],
    *,
    unit: float = 1.0,
    advance: Advance = FactoredCFR.advance,
) -> Iterator[Averages]:
    """Yield the averages of a regret minimiser in a subgame behind a gadget, after each round of iterations.

    Parameters
    ----------
    enter : callable
        Returns the regret minimiser of the subgame entered by both players' root decisions.
    tops : Tops
        The opponent's hands.
    root : RootDecisions or DrawnDecisions
        The opponent's, as the gadget makes them from ``tops``.
    defender : int
    comes : (D,) float64
        The part of each of the defender's hands that comes here.
    rounds : iterable of int
        Iterations of each round; who has enough of a solution asks for no more.
    unit : float
        What the engine's stakes are counted in.
    advance : callable, optional
        Runs some iterations, such as beside a display of progress.
    """
    steps = in_steps(root, tops.cbv, MOST_ACTIONS) if isinstance(root, RootDecisions) else None
    own, theirs = RootDecisions.fixed(comes), (root if steps is None else steps.decisions).in_unit(unit)
    engine = enter((own, theirs) if defender == 0 else (theirs, own))
    state = engine.start()
    for count in rounds:
        state = advance(engine, state, count)
        yield Averages(engine, state, 1 - defender, steps)
