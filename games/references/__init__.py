"""Values and sizes of named games, with source and erratum."""
