"""Features of hands on boards: strength at showdown over the cards to come, against all hands or clusters."""
