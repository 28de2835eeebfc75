"""Every engine called from Python: digests of its strategies, and the certificates that it earns.

Each function imports what it needs by itself, so that an interface that changes stops its own cases alone.
"""
