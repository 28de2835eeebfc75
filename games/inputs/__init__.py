"""Reading of numbers, parameters and files: exact, with errors of one line."""
