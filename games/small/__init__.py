"""Small games for textbooks and tests: coin toss, matrix games, dummy pennies, random games."""
