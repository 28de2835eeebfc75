"""Trees, sequence forms, linear programs, best responses, certificates."""

# The repository's own folder would be loaded as a second copy, with classes of its own.
if __name__ != "treeplex.seqform":
    raise ImportError("seqform is a part of treeplex: import treeplex.seqform")
