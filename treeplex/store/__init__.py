"""Files: strategies in their formats, figures, arrays."""
