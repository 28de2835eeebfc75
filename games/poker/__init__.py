"""One definition of two-player poker games, and hold'em: spots, whole hands, push or fold, named games."""
