"""One point of a run's trace: iterations, seconds, certificate."""

from dataclasses import dataclass

from treeplex.games.base.display import Shown
from treeplex.seqform.certify.certificate import Certificate


@dataclass(frozen=True, repr=False)
class TracePoint(Shown):
    """One certificate on the way of a run.

    Attributes
    ----------
    iterations : int
        Done by then.
    seconds : float
        Wall time since the start, certificates included.
    certificate : Certificate
        Of the average profile then.
    """

    iterations: int
    seconds: float
    certificate: Certificate

    def brief(self) -> str:
        """Return iterations, seconds and NashConv."""
        return (
            f"iteration {self.iterations:,}, {self.seconds:.3g} s, NashConv {self.certificate.nash_conv:.2g}"
        )
