"""Kernels on rows of hands: values of leaves, plans and values carried from board to board."""
