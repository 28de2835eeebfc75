"""Off-tree bets in betting trees, and flops laid out to be solved and judged."""
