"""Examples: games as files, and faults that challenges find."""
