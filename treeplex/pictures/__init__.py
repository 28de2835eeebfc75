"""Pictures of what was computed: hands by classes, trees, curves; nothing here solves."""
