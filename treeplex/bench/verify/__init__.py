"""All theorems verified: registry, runs in several processes, reports."""
