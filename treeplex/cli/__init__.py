"""The command line: options to functions of the face, their results to tables, JSON and files."""
