"""Pictures and listings of games and runs, and exports for other programs."""
