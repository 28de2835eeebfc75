"""Numbers, parameters and files as users write them, read exactly or refused in one line."""
