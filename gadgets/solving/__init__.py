"""Methods by name, the solution of subgames, and their composition with the blueprint."""
