"""Card abstractions and blueprints as files."""
