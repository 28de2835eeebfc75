"""Clusters of weighted points by k-means: centres, and the nearest centre of each point."""
