"""Games as files for other programs."""
