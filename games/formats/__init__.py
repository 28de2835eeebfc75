"""Games from files and from other programs: ACPC, Gambit, TOML, Libratus, OpenSpiel."""
