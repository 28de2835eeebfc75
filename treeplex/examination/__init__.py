"""Solvers examined on a ladder of games: verdicts, fingerprints, and where they first go wrong."""
