"""Hold'em spots and whole hands, push or fold, and the poker games that have names."""
