"""Pictures and listings computed from games: hands at a node, game trees, the catalogue, sizes."""
