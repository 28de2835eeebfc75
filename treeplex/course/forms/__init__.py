"""Figures of the notebooks on trees, sequence forms, normal forms and limit hold'em."""
