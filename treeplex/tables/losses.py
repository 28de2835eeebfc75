"""The infosets at which a strategy loses most, as a table."""

from collections.abc import Sequence

from treeplex.seqform.certify.losses import Loss
from treeplex.tables.layout import Columns

MOST = 10
"""Rows of the table unless another number is given."""


def losses_table(losses: Sequence[Loss], unit: str, most: int = MOST) -> Columns:
    """Return the largest of a profile's losses, which come sorted; how many there are is in the title."""
    shown = losses[:most]
    counted = f"{len(losses):,} infosets lose" if len(losses) != 1 else "1 infoset loses"
    of_these = f"; the largest {len(shown):,}" if len(shown) < len(losses) else ""
    rows = tuple(
        (str(one.player), one.infoset, f"{one.loss:.3g}", _played_text(one), one.best) for one in shown
    )
    return Columns(
        f"{counted} in {unit}{of_these}",
        ("player", "infoset", "loss", "played", "best"),
        rows,
        left=("infoset", "played", "best"),
    )


def _played_text(loss: Loss) -> str:
    return ", ".join(
        f"{action} {probability:.3g}" for action, probability in loss.played.items() if probability
    )
