"""The protocol of strategies, and certificates of profiles and of strategies on boards."""

from collections.abc import Iterator
from typing import Protocol, TypeAlias, overload, runtime_checkable

from treeplex.core.problem import Problem
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import certify_exactly
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile, Row
from treeplex.seqform.judge.certificate import FactoredCertificate, certify_factored


@runtime_checkable
class Strategy(Protocol):
    """Both players' behaviour by infoset and action.

    ``Profile`` (a table of all infosets), ``FactoredStrategy`` (on betting times boards) and
    ``SampledStrategy`` (the infosets that a sampled run met) are strategies.
    """

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return how likely a player takes each action at an infoset.

        Raises
        ------
        ValueError
            If the strategy has no such infoset of that player.
        """

    def rows(self) -> Iterator[Row]:
        """Yield player, infoset, action and probability: one row an action, an infoset's rows together."""


Judged: TypeAlias = Profile | FactoredStrategy
"""Strategies of all infosets, which can be certified."""


@overload
def certificate_of(
    problem: Problem, strategy: FactoredStrategy, *, exact: bool = False
) -> FactoredCertificate: ...


@overload
def certificate_of(problem: Problem, strategy: Profile, *, exact: bool = False) -> Certificate: ...


def certificate_of(problem: Problem, strategy: Judged, *, exact: bool = False) -> Certificate:
    """Prove an interval for a game's value from a strategy, without any solver.

    A profile is judged by best responses on the sequence form, a strategy on boards on every real board.

    Parameters
    ----------
    problem : Problem
    strategy : Profile or FactoredStrategy
        A profile of ``problem.whole``.
    exact : bool
        In rationals; for profiles.

    Raises
    ------
    ValueError
        If the strategy is not one for both players of the game, plays something else than what is locked, or
        is on boards and is to be judged exactly.
    """
    if isinstance(strategy, FactoredStrategy):
        if exact:
            raise ValueError("exact certificates are for tables, got a strategy on boards")
        if not isinstance(problem.game, PokerGame):
            raise ValueError(f"a strategy on boards is of a poker game, got {problem.game.name}")
        return certify_factored(problem.game, strategy)
    judge = certify_exactly if exact else certify
    return judge(problem.form, problem.played(strategy))
