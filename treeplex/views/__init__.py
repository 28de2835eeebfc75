"""Pictures and listings of games and runs: hands at a node, trees, curves, the catalogue, sizes."""
