"""Card abstractions made: buckets of hands on each street, by clusters of features."""
