"""Results of subgames solved again as tables for terminals."""
