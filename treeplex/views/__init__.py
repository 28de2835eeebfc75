"""Pictures and listings of games and runs, races, and exports for other programs."""
