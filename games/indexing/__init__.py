"""Numbers of deals of hands and boards up to permutations of suits, dense and invertible."""
