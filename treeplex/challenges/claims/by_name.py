"""Claims by name, as objects, or as ``module:Name``."""

from collections.abc import Mapping
from typing import Any

from treeplex.challenges.claims.average import Average
from treeplex.challenges.claims.claim import Claim
from treeplex.challenges.claims.estimated import Estimated
from treeplex.challenges.claims.loading import loaded
from treeplex.challenges.claims.minimiser import Minimiser
from treeplex.challenges.claims.optimal import Optimal
from treeplex.challenges.claims.safe import Safe

CLAIMS: Mapping[str, Claim[Any]] = {
    claim.name: claim for claim in (Safe(), Average(), Optimal(), Minimiser(), Estimated())
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
            raise ValueError(f"claim must be {', '.join(CLAIMS)} or module:Name, got {claim!r}")
        return CLAIMS[claim]
    found: Claim[Any] = loaded(claim, "claim", ("target", "cases", "edits", "breach"))
    return found
