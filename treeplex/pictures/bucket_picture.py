"""A map of buckets with its title and legend, as terminal text, figure or JSON."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from treeplex.files.figure_file import DrawnFigure
from treeplex.games.base.number_texts import LONGEST
from treeplex.games.base.reading import shortened
from treeplex.games.cards.cards import Cards, Deck
from treeplex.pictures.bucket_figure import bucket_figure
from treeplex.pictures.bucket_grid import BucketGrid
from treeplex.pictures.bucket_text import BucketText
from treeplex.pictures.hand_picture import plain_text
from treeplex.seqform.forms.treeplex import Floats, Index

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOUR = "colour: mean equity of a bucket's hands on this board against any hand, in percent"
OTHERS = "17+2: most of the class's hands are in bucket 17, the others in 2 more"


@dataclass(frozen=True, repr=False)
class BucketPicture(DrawnFigure):
    """The buckets of all hands of a board; rich prints them, notebooks draw them.

    Attributes
    ----------
    game : str
        The spec.
    abstraction : str
        What it is, in words.
    deck : Deck
    street : int
        0 before any board card.
    count : int
        Buckets of the street.
    board : tuple of int
        In the order of dealing.
    hands : (H, 2) int64
        Card ids of the hands that the board leaves, increasing within a hand.
    bucket : (H,) int64
    equity : (H,) float64
        Of each hand against any other on this board, over the cards to come.
    grid : BucketGrid
        By classes.
    """

    game: str
    abstraction: str
    deck: Deck
    street: int
    count: int
    board: Cards
    hands: Index
    bucket: Index
    equity: Floats
    grid: BucketGrid

    @property
    def board_text(self) -> str:
        """The board in the order of dealing; empty before any card."""
        return "".join(self.deck.card_text[card] for card in self.board)

    @property
    def title(self) -> tuple[str, ...]:
        """The game; the board and how many of the street's buckets its hands are in; the abstraction."""
        where = f"board {self.board_text}" if self.board else "before any board card"
        found = f"{len(self.hands):,} hands in {len(self.grid.buckets):,} of {self.count:,} buckets"
        return shortened(self.game, LONGEST), f"{where}: {found}", self.abstraction

    @property
    def legend(self) -> tuple[str, ...]:
        """What colours mean, and numbers where a class has several buckets."""
        several = (self.grid.parts > 0).sum(axis=2).max() > 1
        return (COLOUR, OTHERS) if several else (COLOUR,)

    @property
    def alt(self) -> str:
        """Alternative text of the figure."""
        return "buckets"

    def __str__(self) -> str:
        return plain_text(self)

    def __rich__(self) -> RenderableType:
        """Return what a terminal shows."""
        return BucketText(self.grid, self.title, self.legend)

    def figure(self) -> "Figure":
        """Draw the picture with matplotlib."""
        return bucket_figure(self.grid, self.title, self.legend)

    def as_json(self) -> dict[str, Any]:
        """Return the map as the object that ``--json`` prints."""
        buckets = zip(self.grid.buckets, self.grid.hands, self.grid.equity, strict=True)
        hands = zip(self.hands.tolist(), self.bucket.tolist(), self.equity.tolist(), strict=True)
        return {
            "game": self.game,
            "abstraction": self.abstraction,
            "map": "buckets",
            "board": self.board_text,
            "street": self.street,
            "count": self.count,
            "buckets": [{"bucket": int(b), "hands": int(n), "equity": float(e)} for b, n, e in buckets],
            "hands": [{"hand": self.deck.text(h), "bucket": b, "equity": e} for h, b, e in hands],
        }
