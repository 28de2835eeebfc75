"""Problems, strategies and results: the types that every room of the face exchanges."""
