"""Problems, strategies and results: the types that all rooms of the face share."""
