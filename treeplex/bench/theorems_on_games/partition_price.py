"""What abstractions cost: optima of abstract games, judged exactly in the game itself."""

from dataclasses import dataclass
from fractions import Fraction

from treeplex.bench.theorems_on_games.partition import MergedForm, Partition, merged_form
from treeplex.games.base.display import Block, Rows, Shown
from treeplex.games.base.number_texts import LONGEST, fraction_text
from treeplex.seqform.certify.certificate import Certificate, exact_bounds
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.rational_optimum import RationalOptimum, rational_optimum


@dataclass(frozen=True, repr=False)
class AbstractOptimum(Shown):
    """An exact optimum of an abstract game, and what it is worth in the game.

    Attributes
    ----------
    merged : MergedForm
    optimum : RationalOptimum
        Of the abstract game.
    certificate : Certificate
        Of both plans in the game itself, exact: ``lower`` is what player 0's plan guarantees against any
        strategy of player 1, in buckets or not, ``upper`` what player 1's concedes.
    """

    merged: MergedForm
    optimum: RationalOptimum
    certificate: Certificate

    def brief(self) -> str:
        """Return the abstract value and what is proved of the game."""
        return f"abstract value {float(self.optimum.value):.9g}, in the game {self.certificate.brief()}"

    def blocks(self) -> tuple[Block, ...]:
        """Return abstract value, buckets and the bounds that the plans prove in the game."""
        buckets = "{:,} and {:,} of {:,} and {:,} infosets".format(
            *(partition.n_buckets for partition in self.merged.partitions), *self.merged.whole.n_infosets
        )
        rows = (("buckets", buckets), ("abstract value", fraction_text(self.optimum.value, LONGEST)))
        return Rows("optimum of an abstract game", rows), *self.certificate.blocks()

    def exploitability(self, player: int, value: Fraction) -> Fraction:
        """Return how much less than the game's value a player's plan guarantees.

        Parameters
        ----------
        player : int
        value : Fraction
            The game's, to player 0.
        """
        conceded = (value - self.certificate.lower, self.certificate.upper - value)[player]
        return Fraction(conceded)


def abstract_optimum(form: SequenceForm, partitions: tuple[Partition, Partition]) -> AbstractOptimum:
    """Solve an abstract game exactly and judge the plans in the game.

    Raises
    ------
    ValueError
        As :func:`merged_form`.
    NotExactError
        If no optimal basis is found in exact arithmetic.
    """
    merged = merged_form(form, partitions)
    optimum = rational_optimum(merged.form)
    x, y = (merged.lift_exactly(player, plan) for player, plan in enumerate(optimum.plans))
    value, lower, upper = exact_bounds(form, x, y)
    return AbstractOptimum(merged, optimum, Certificate(value, lower, upper, 0.0, optimum.seconds))


def one_sided_optimum(form: SequenceForm, player: int, partition: Partition) -> AbstractOptimum:
    """Return the optimum of the abstract game in which one player alone is abstracted.

    Its value is what the player's plan guarantees in the game, the most of all strategies in these buckets:
    best responses are in the game as in the abstract one.
    """
    partitions = [Partition.trivial(t) for t in form.treeplexes]
    partitions[player] = partition
    return abstract_optimum(form, (partitions[0], partitions[1]))
