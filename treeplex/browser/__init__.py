"""Pages of solutions and of what is proved of them, served to a browser on this machine."""
