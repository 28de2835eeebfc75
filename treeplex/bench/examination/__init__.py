"""Solvers examined on a ladder of games: asked in child processes, judged, recognised."""
