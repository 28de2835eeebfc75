"""Games from specs, files and other programs: ACPC, Gambit, TOML, Libratus, OpenSpiel."""
