"""Public trees of poker games as two factors, betting lines and boards, and strategies on them."""
