"""Public trees of poker games as two factors, a betting tree and a board tree, and strategies on them."""
