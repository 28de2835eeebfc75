"""Claims by name, as objects, or as ``module:Name``."""

from collections.abc import Mapping
from typing import Any

from treeplex.bench.challenges.average_claim import AverageClaim
from treeplex.bench.challenges.claim import Claim
from treeplex.bench.challenges.claim_targets import loaded
from treeplex.bench.challenges.estimated_claim import Estimated
from treeplex.bench.challenges.minimiser_claim import Minimiser
from treeplex.bench.challenges.optimal_claim import Optimal
from treeplex.bench.challenges.safe_claim import Safe
from treeplex.games.base.errors import BadInputError

CLAIMS: Mapping[str, Claim[Any]] = {
    claim.name: claim for claim in (Safe(), AverageClaim(), Optimal(), Minimiser(), Estimated())
}
"""Every claim with a name."""


def claim_of(claim: "str | Claim[Any]") -> Claim[Any]:
    """Return a claim from its name, ``module:Name``, its class or itself.

    Raises
    ------
    ValueError
        If there is none of this name, or an object lacks a method of claims.
    """
    if isinstance(claim, str) and ":" not in claim:
        if claim not in CLAIMS:
            raise BadInputError(f"claim must be {', '.join(CLAIMS)} or module:Name, got {claim!r}")
        return CLAIMS[claim]
    found: Claim[Any] = loaded(claim, "claim", ("target", "cases", "edits", "breach"))
    return found
