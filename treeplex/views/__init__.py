"""Functions that compute what pictures and tables show: hands at a node, game trees, the catalogue, sizes."""
