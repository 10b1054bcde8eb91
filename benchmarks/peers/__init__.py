"""The engine beside its peers, in one run against the same servers."""
