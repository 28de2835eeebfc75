"""Card abstractions: hands and boards put into buckets, street by street, by clusters of their features."""
