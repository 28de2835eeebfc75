"""A full game, its abstraction and a blueprint made ready for nested solving and action translation."""

from dataclasses import dataclass

from treeplex.core.loading import GameLike
from treeplex.core.progress import Progress
from treeplex.gadgets.nested.moves import off_tree_levels, off_tree_tops, states_after
from treeplex.gadgets.solving.joint import joint_optimum
from treeplex.gadgets.translation.abstraction import Abstraction
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.store.completion import Completed, check_missing
from treeplex.store.strategy_like import StrategyLike
from treeplex.subgames.abstractions import AbstractionLike, abstraction_of, game_with_menus
from treeplex.subgames.inputs import distance_to_value, enumerated, make_blueprint
from treeplex.subgames.off_tree_result import OffTreeResult


@dataclass(frozen=True)
class Prepared:
    """A full game, an abstraction of it, and a blueprint for the abstraction.

    Attributes
    ----------
    abstraction : Abstraction
    game : NumberedTree
        The full game.
    small : SequenceForm
        The abstraction's.
    value : Certificate
        Of the full game.
    blueprint : Completed
        On the abstraction.
    start : Profile
        The blueprint on the full game: missing moves have probability zero, play after them is uniform.
    missing : pair of (S,) bool
        Which of each player's sequences in the full game end in a move that the abstraction lacks.
    """

    abstraction: Abstraction
    game: NumberedTree
    small: SequenceForm
    value: Certificate
    blueprint: Completed[Profile]
    start: Profile
    missing: Support

    def distance(self, defender: int, strategy: Profile) -> float:
        """Return how far the defender's part of a profile of the full game is from its value."""
        return distance_to_value(self.game.form, self.value, defender, strategy)

    def joint(self, defender: int) -> float:
        """Return the least distance of a strategy that differs from ``start`` only after off-tree moves."""
        opponent, states = 1 - defender, PublicStates.of(self.game.tree)
        moves = self.missing[opponent]
        first = moves & (off_tree_levels(self.game, opponent, moves) == 1)
        pieces = (
            cut(states, self.game, [name], defender)
            for name in states_after(self.game, states, opponent, first)
        )
        subgames = [s for s in (Subgame.of(piece, self.start) for piece in pieces) if s.live.any()]
        if not subgames:
            return self.distance(defender, self.start)
        best = self.start.exchanged(defender, joint_optimum(subgames).behaviour)
        return self.distance(defender, best)

    def judged(
        self, defender: int, profile: Profile, method: str, approach: str | None, seconds: float
    ) -> OffTreeResult:
        """Return the report on a profile of the full game."""
        return OffTreeResult(
            game=self.abstraction.full.name,
            abstraction=self.abstraction.small.name,
            unit=self.abstraction.full.unit,
            method=method,
            approach=approach,
            defender=defender,
            tops=off_tree_tops(self.game, defender, profile, self.missing),
            exploitability_before=self.distance(defender, self.start),
            exploitability_after=self.distance(defender, profile),
            exploitability_joint=self.joint(defender),
            value=self.value,
            profile=profile,
            seconds=seconds,
            parameters=self.blueprint.counts,
        )


def prepare(
    game: GameLike, abstraction: AbstractionLike, blueprint: StrategyLike, missing: str, progress: Progress
) -> Prepared:
    """Enumerate and solve both games and embed the blueprint; parameters as for :func:`treeplex.nested`.

    Raises
    ------
    ValueError
        If a game is no poker game with a menu of bet sizes, is too large or locks hands, the abstraction is
        none of the game, or the blueprint does not fit it.
    """
    check_missing(missing)
    full = game_with_menus(game)
    small = abstraction_of(full, abstraction)
    pair = Abstraction(small, full)
    progress("enumerating both games", float("inf"))
    enumerated_full, form = enumerated(full, progress), enumerated(small, progress).form
    lacking = pair.missing(enumerated_full.form)
    progress("solving both games", float("inf"))
    value = solve_lp(enumerated_full.form).certificate
    completed = make_blueprint(small, form, blueprint, solve_lp(form).profile, missing)
    start = pair.embedded(completed.strategy, enumerated_full.form)
    return Prepared(pair, enumerated_full, form, value, completed, start, lacking)
