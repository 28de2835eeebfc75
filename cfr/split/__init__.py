"""CFR+ in fixed point on a trunk and its subgames apart, by any executor's workers with the same bits."""
