"""What a result says of the card abstraction that it was solved in."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.display import Shown
from treeplex.games.base.number_texts import Units, interval_texts
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.seqform.boards.bucket_tree import BucketTree

NO_THEOREM = "imperfect recall: no theorem says that play converges, not even in the abstract game"
"""Of regret minimisation where buckets forget (Waugh et al. 2009, A practical use of imperfect recall)."""
THEOREMS = "perfect recall: regrets bound the abstract game's NashConv, not the price of the abstraction"
"""Of regret minimisation where they do not."""
PRICED = (
    "perfect recall: averages against best responses approach the least exploitable strategies in buckets"
)
"""Of CFR-BR where they do not."""


@dataclass(frozen=True, kw_only=True, repr=False)
class AbstractionFacts(Shown):
    """The card abstraction that a result was solved in.

    Attributes
    ----------
    identity : str
        The abstraction's digest.
    text : str
        What was asked for, such as ``flop:200:ehs2``; empty for labels given as arrays.
    counts : tuple of int
        Buckets of each street.
    recall : str
        ``perfect`` if no bucket forgets what a player in buckets knew, else ``imperfect``; found by looking
        at all hands, whatever the abstraction was made for, where boards are listed.
    abstracted : pair of bool
        Whether each player's hands are in buckets.
    is_judged : bool
        Whether the result has a certificate, which is of the real game all the same.
    nash_conv : float or None
        The sum of both players' gains by best responses that stay within the abstraction, in the unit; None
        where a player has no buckets or the recall is imperfect. NashConv less this is what both abstractions
        cost together, of this strategy.
    price : pair of float or None
        What the least exploitable strategies in both players' buckets concede together, at least and at
        most, in the unit: what regrets prove, 0 with imperfect recall, and NashConv. None but after CFR-BR.
    """

    identity: str
    text: str
    counts: tuple[int, ...]
    recall: str
    abstracted: tuple[bool, bool]
    is_judged: bool
    nash_conv: float | None
    price: tuple[float, float] | None = None

    @staticmethod
    def of(
        tree: BucketTree, nash_conv: float | None, price: tuple[float, float] | None = None
    ) -> "AbstractionFacts":
        """Return what is to be said of the buckets of a certified strategy."""
        counts = max((count.tolist() for count in tree.count), key=sum)
        text = "" if tree.abstraction is None else tree.abstraction.text
        return AbstractionFacts(
            identity=tree.identity,
            text=text,
            counts=tuple(counts),
            recall=tree.recall,
            abstracted=tree.abstracted,
            is_judged=True,
            nash_conv=nash_conv,
            price=price,
        )

    @staticmethod
    def of_abstraction(abstraction: CardAbstraction) -> "AbstractionFacts":
        """Return what is to be said of both players' buckets where boards are too many to be listed."""
        return AbstractionFacts(
            identity=abstraction.identity,
            text=abstraction.text,
            counts=abstraction.counts,
            recall=abstraction.recall,
            abstracted=(True, True),
            is_judged=False,
            nash_conv=None,
        )

    @property
    def theorem(self) -> str:
        """What is proved of regret minimisation with such buckets, in a sentence."""
        if self.recall != "perfect":
            return NO_THEOREM
        return THEOREMS if self.price is None else PRICED

    @property
    def whose(self) -> str:
        """Whose hands are in buckets, in words."""
        if all(self.abstracted):
            return "both players"
        return f"player {self.abstracted.index(True)}" if any(self.abstracted) else "no player"

    def brief(self) -> str:
        """Return the numbers of buckets and whose they are."""
        counts = " / ".join(f"{count:,}" for count in self.counts)
        return f"{counts} buckets of {self.whose}, {self.recall} recall"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        yield "abstraction", f"{self.text or 'labels'}, {self.identity[:12]}"
        yield "buckets", self.brief()
        yield "theorems", self.theorem
        if self.nash_conv is not None:
            yield "within it", f"NashConv {self.nash_conv:.2g} {units.unit} among strategies by bucket"
        if self.price is not None:
            yield "price", self._price_text(self.price, units.unit)
        if self.is_judged:
            yield "judged in", "the real game, on every board"

    def _price_text(self, price: tuple[float, float], unit: str) -> str:
        """Return what the best strategies in both players' buckets concede."""
        _, low, high = interval_texts(price[1], *price)
        if self.recall != "perfect":
            return f"measured: the best strategies in buckets have a NashConv of at most {high} {unit}"
        return f"the best strategies in buckets have a NashConv of {low} to {high} {unit}"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        abstraction = {
            "identity": self.identity,
            "text": self.text,
            "counts": [*self.counts],
            "recall": self.recall,
            "abstracted": [*self.abstracted],
            "theorem": self.theorem,
            "price": None if self.price is None else [*self.price],
        }
        return {"abstraction": abstraction, "abstract_nash_conv": self.nash_conv}
