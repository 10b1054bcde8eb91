"""A commit as a work tree of its own, with its submodules; the repository knows nothing of it."""
