"""Card abstractions: time the numbering of hands up to suits, features, clusters, and solving in buckets."""
