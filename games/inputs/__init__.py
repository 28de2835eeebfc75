"""Reading of numbers, parameters, files and users' code: exact, with errors of one line."""
