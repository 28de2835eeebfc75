"""Hold'em spots and whole hands, push or fold, and the named poker games."""
