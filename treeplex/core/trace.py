"""One point of a run's trace: iterations, seconds, certificate."""

from dataclasses import dataclass

from treeplex.seqform.certify.certificate import Certificate


@dataclass(frozen=True)
class TracePoint:
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
