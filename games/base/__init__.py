"""The protocol of games, reading of numbers, parameters and users' code, results that print themselves."""
