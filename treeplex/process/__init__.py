"""The process of a command: signals, requests to stop, standard streams, child processes, compilation."""
