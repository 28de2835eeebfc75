"""Games cut at public states: the part below, and what a blueprint says of it."""
