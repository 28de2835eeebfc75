"""One definition of two-player poker games: betting, bet sizes, rankings of hands, locks."""
