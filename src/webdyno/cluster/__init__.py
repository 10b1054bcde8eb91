"""Many machines: who they are, how one load is made from several, and what is said of it.

From below: `wire/` and `link/` between two machines, `orders/` to agents; `machines/` are the
members, each with its `keeper/`, and `agents/` that make loads; `load/` is one load of several
parts, which `merging/` makes one; `far_servers/` has a study's servers run on one of them.
"""
