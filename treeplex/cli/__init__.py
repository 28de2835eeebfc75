"""The command line: commands, options, printing."""
