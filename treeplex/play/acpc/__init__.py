"""The competition's protocol: its lines, a dealer of matches between programs, an agent that plays them."""
