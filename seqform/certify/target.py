"""How wide a certificate may be: a width in the game's unit, or a part of the game's scale."""

from dataclasses import dataclass

from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.sequence_form import SequenceForm

NARROW = 1e-6
"""A certificate is narrow if it is at most this part of the game's scale wide."""


@dataclass(frozen=True)
class GameScale:
    """What widths of certificates are measured by.

    The pot, where there is one. Elsewhere the largest of both proved bounds on the value and of the smallest
    payoff that is not zero, all in absolute value; a bound beyond the largest payoff counts as that payoff.

    Attributes
    ----------
    pot : float
        A spot's pot; 0 elsewhere.
    stakes : pair of float
        As of :class:`SequenceForm`.
    """

    pot: float
    stakes: tuple[float, float]

    def of(self, certificate: Certificate) -> float:
        """Return the scale of a game with this certificate, in its unit; 0 only where every payoff is 0."""
        smallest, largest = self.stakes
        return self.pot or max(smallest, min(_bound(certificate), largest))

    def text(self, certificate: Certificate) -> str:
        """Return which of these the scale is, with its size."""
        size = f"{self.of(certificate):.6g}"
        if self.pot:
            return f"the pot {size}"
        smallest, largest = self.stakes
        if _bound(certificate) <= smallest:
            return f"the smallest payoff {size}"
        return f"the value's bound {size}" if _bound(certificate) <= largest else f"the largest payoff {size}"


@dataclass(frozen=True)
class Target:
    """The width that is asked of a certificate.

    Attributes
    ----------
    width : float
        In the game's unit, or in parts of its scale; at least 0.
    scale : GameScale or None
        None if the width is in the game's unit.
    """

    width: float
    scale: GameScale | None = None

    @staticmethod
    def part(width: float, form: SequenceForm) -> "Target":
        """Return a target in parts of the scale of a game with this form and no pot."""
        return Target(width, GameScale(0.0, form.stakes))

    def allowed(self, certificate: Certificate) -> float:
        """Return the largest width that meets the target, in the game's unit."""
        return self.width if self.scale is None else self.width * self.scale.of(certificate)

    def is_met(self, certificate: Certificate) -> bool:
        """Return whether a certificate is as narrow as asked."""
        return certificate.nash_conv <= self.allowed(certificate)

    def missed(self, certificate: Certificate, unit: str) -> str:
        """Return by how much a certificate misses the target, in words."""
        wide = f"the certificate's width {certificate.nash_conv:.3g} {unit} is above "
        if self.scale is None:
            return f"{wide}{self.width:.3g}"
        part = f"{self.width:.3g} of {self.scale.text(certificate)}"
        return f"{wide}{self.allowed(certificate):.3g} ({part})"


def _bound(certificate: Certificate) -> float:
    return max(abs(float(certificate.lower)), abs(float(certificate.upper)))
