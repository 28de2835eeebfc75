"""Card abstractions as files."""
